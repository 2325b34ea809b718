//! What a model file says about its looks, and what is drawn without being told.

use catena_model::{
    Anchor, Carrier, CoordinateSet, DRAWING_STYLES, Model, PartShape, ProblemKind, Sketch, Source,
};

/// A mass on a line, with a drawing.
fn drawn(drawing: &str) -> String {
    format!(
        r#"
        parameters = {{ a = 0.5, r = 0.2 }}
        coordinates = {{ x = "mass" }}
        energy = {{ kinetic = "1/2*x'^2", potential = "1/2*x^2" }}
        [draw]
        {drawing}
        "#
    )
}

fn read(text: &str) -> Model {
    Model::read(Source::new("test.toml", text), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn sketch(text: &str) -> Sketch {
    read(text).sketch(CoordinateSet::Own)
}

/// The shapes of the parts with a name.
fn shapes<'a>(sketch: &'a Sketch, name: &str) -> Vec<&'a PartShape> {
    sketch.parts.iter().filter(|part| part.name == name).map(|part| &part.shape).collect()
}

/// The one problem of a file, and the text that it points at.
fn problem(text: &str) -> (ProblemKind, String) {
    let problems = Model::read(Source::new("test.toml", text), &[]).expect_err("it is wrong");
    let first = problems.problems.into_iter().next().expect("something is wrong");
    (first.kind, text[first.place.span].to_owned())
}

#[test]
fn every_style_gives_its_shape() {
    for (name, ..) in DRAWING_STYLES {
        let points = r#"[["0", "0"], ["x", "a"]]"#;
        let sketch = sketch(&drawn(&format!("it = {{ as = \"{name}\", points = {points} }}")));
        let found = shapes(&sketch, "it");
        let fits = match (*name, found.as_slice()) {
            ("line", [PartShape::Line { points, hatched: false }]) => points.len() == 2,
            ("ground", [PartShape::Line { points, hatched: true }]) => points.len() == 2,
            ("bar", [PartShape::Bar(_), PartShape::Pin { .. }, PartShape::Pin { .. }]) => true,
            ("spring", [PartShape::Spring { coil: true, damper: false, .. }]) => true,
            ("damper", [PartShape::Spring { coil: false, damper: true, .. }]) => true,
            ("disc", [PartShape::Disc { radius: None, .. }, PartShape::Disc { .. }]) => true,
            ("pin", [PartShape::Pin { force: None, .. }, PartShape::Pin { .. }]) => true,
            ("trail", [PartShape::Trail(first), PartShape::Trail(_)]) => first.is_fixed(),
            _ => false,
        };
        assert!(fits, "`{name}` gives {found:?}");
    }
}

#[test]
fn a_list_of_points_is_a_line() {
    let sketch = sketch(&drawn(r#"it = [["-a", "0"], ["x", "2*a"]]"#));
    let [PartShape::Line { points, hatched: false }] = shapes(&sketch, "it")[..] else {
        panic!("{:?}", sketch.parts);
    };
    // what consists of parameters alone stands still, and is known already
    assert_eq!(points[0], Anchor::ground([-0.5, 0.0]));
    assert!(matches!(points[1].carrier, Carrier::Point(_)));
}

#[test]
fn the_radius_of_a_disc_is_a_formula_of_parameters() {
    let sketch = sketch(&drawn(r#"it = { as = "disc", points = [["x", "0"]], radius = "r + a" }"#));
    let [PartShape::Disc { radius, .. }] = shapes(&sketch, "it")[..] else {
        panic!("{:?}", sketch.parts);
    };
    assert_eq!(*radius, Some(0.7));
}

#[test]
fn an_unknown_style_is_pointed_at_and_the_known_ones_are_named() {
    let text = drawn(r#"it = { as = "string", points = [["0", "0"], ["x", "0"]] }"#);
    let (kind, place) = problem(&text);
    assert_eq!(place, "\"string\"");
    let said = format!("{kind} {}", kind.help().unwrap_or_default());
    for (name, ..) in DRAWING_STYLES {
        assert!(said.contains(name), "`{name}` is not among the styles in: {said}");
    }
}

#[test]
fn unknown_keys_of_drawings_are_pointed_at() {
    let (kind, place) = problem(&drawn(r#"it = { kind = "disc", points = [["x", "0"]] }"#));
    assert_eq!(place, "kind");
    let said = format!("{kind} {}", kind.help().unwrap_or_default());
    assert!(said.contains("points") && said.contains("as"), "{said}");
}

#[test]
fn points_that_are_none_are_pointed_at() {
    for (drawing, wrong) in [
        (r#"it = [["0", "0"], ["x"]]"#, r#"["x"]"#),
        (r#"it = [["0", "0"], ["x", "0", "0"]]"#, r#"["x", "0", "0"]"#),
        (r#"it = { points = [["0", "0"], "x"] }"#, "\"x\""),
        (r#"it = [["0", "0"], ["y", "0"]]"#, "y"),
        (r#"it = [["0", "0"], ["x +", "0"]]"#, "\"x +\""),
    ] {
        let (_, place) = problem(&drawn(drawing));
        assert!(place.contains(wrong) || wrong.contains(&place), "{drawing} points at {place}");
    }
}

#[test]
fn a_drawing_without_points_is_pointed_at() {
    let (kind, place) = problem(&drawn(r#"it = { as = "disc" }"#));
    assert!(place.contains("it"), "{place}");
    assert!(kind.to_string().contains("points"), "{kind}");
}

#[test]
fn springs_and_bars_need_two_points() {
    for style in ["spring", "damper", "bar", "line", "ground"] {
        let (kind, place) =
            problem(&drawn(&format!("it = {{ as = \"{style}\", points = [[\"x\", \"0\"]] }}")));
        assert!(place.contains("it"), "{style}: {place}");
        let help = kind.help().unwrap_or_default();
        assert!(help.contains("two points"), "{style}: {kind}; {help}");
    }
}

#[test]
fn a_drawing_with_the_name_of_a_body_takes_its_place_and_leaves_its_joints() {
    let body = r#"
        [[body]]
        name = "arm"
        mass = 1
        length = 1
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "arm.A"]
    "#;
    let plain = sketch(body);
    assert!(matches!(
        shapes(&plain, "arm")[..],
        [PartShape::Link { .. }, PartShape::CentreOfMass(_)]
    ));
    let own = sketch(&format!("{body}[draw]\narm = [[\"0\", \"0\"], [\"arm_B_x\", \"arm_B_y\"]]"));
    let found = shapes(&own, "arm");
    assert!(!found.iter().any(|shape| matches!(shape, PartShape::Link { .. })), "{found:?}");
    assert!(found.iter().any(|shape| matches!(shape, PartShape::Line { .. })), "{found:?}");
    assert!(matches!(shapes(&own, "O")[..], [PartShape::Pin { .. }]));
}

#[test]
fn a_body_is_as_many_cornered_as_it_has_points() {
    let plate = sketch(
        r#"
        [[body]]
        name = "plate"
        mass = 1
        inertia = 1
        centre = [0.4, 0.3]
        points = { A = [0, 0], B = [1, 0] }
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "plate.A"]
        [[spring]]
        name = "coil"
        between = [[2, 2], "plate.B"]
        stiffness = 1
        [[spring]]
        name = "oil"
        between = [[3, 2], "plate"]
        stiffness = 0
        damping = 2
        "#,
    );
    let [PartShape::Link { points, .. }, _] = shapes(&plate, "plate")[..] else {
        panic!("{:?}", plate.parts);
    };
    // A, B, and the centre, where the damper is fastened
    assert_eq!(points.len(), 3, "{points:?}");
    assert!(matches!(
        shapes(&plate, "coil")[..],
        [PartShape::Spring { coil: true, damper: false, .. }]
    ));
    assert!(matches!(
        shapes(&plate, "oil")[..],
        [PartShape::Spring { coil: false, damper: true, .. }]
    ));
    // B holds a spring, but no joint: its path is shown
    assert!(matches!(shapes(&plate, "plate.B")[..], [PartShape::Trail(_)]));
}

#[test]
fn a_model_of_energies_without_drawings_has_nothing_to_show() {
    let text = r#"
        coordinates = { x = "mass" }
        energy = { kinetic = "1/2*x'^2", potential = "1/2*x^2" }
    "#;
    assert!(sketch(text).is_empty());
}
