//! A model that is built in Rust is the one that a file describes, with the same mistakes.

use catena_model::{Model, ModelBuilder, ProblemKind, Problems, Source, System, Table};
use catena_symbolic::FormulaNode;

/// Names, primes and formulas of a system, without the places where they stand.
fn contents(system: &System) -> Vec<(String, usize, Vec<FormulaNode>)> {
    let energies = [&system.kinetic, &system.potential, &system.dissipation];
    let lists = [
        &system.definitions,
        &system.forces,
        &system.states,
        &system.constraints,
        &system.initial,
        &system.guess,
        &system.outputs,
    ];
    let events = system.events.iter().map(|event| &event.entry);
    let entries = energies.into_iter().flatten().chain(lists.into_iter().flatten()).chain(events);
    let drawn = system.drawings.iter().flat_map(|drawing| {
        let points = drawing.points.iter().flatten();
        points.map(|formula| (drawing.name.clone(), 0, formula.nodes().to_vec()))
    });
    entries
        .map(|entry| (entry.name.clone(), entry.primes, entry.formula.nodes().to_vec()))
        .chain(drawn)
        .collect()
}

fn assert_same(built: &ModelBuilder, file: &str) {
    let read = |source| Model::read(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let (built, file) = (read(built.source()), read(Source::new("model.toml", file)));
    assert_eq!((&built.title, &built.description), (&file.title, &file.description));
    assert_eq!(built.parameter_values(), file.parameter_values());
    assert_eq!(built.run, file.run);
    let systems = |model: &Model| {
        [Some(&*model.own), model.absolute.as_deref(), model.joint.as_deref()]
            .map(|system| system.map(contents))
    };
    let (found, expected) = (systems(&built), systems(&file));
    assert!(expected.iter().flatten().all(|system| system.len() > 3));
    assert_eq!(found, expected);
    let coordinates = |model: &Model| -> Vec<(String, String)> {
        model.own.coordinates.iter().map(|c| (c.name.clone(), c.text.clone())).collect()
    };
    assert_eq!(coordinates(&built), coordinates(&file));
}

#[test]
fn equations_are_built_as_a_file_writes_them() {
    let built = Model::builder("Everything")
        .description("A \"little\" of all")
        .parameter("m", 1.5)
        .parameter("k", "40*m")
        .coordinate("x", "first")
        .coordinate("y", "second")
        .definition("r2", "x^2 + y^2")
        .kinetic("1/2*m*(x'^2 + y'^2)")
        .potential("1/2*k*r2")
        .dissipation("0.1*x'^2")
        .force("x", "sin(t) + z")
        .state("z", "-z + x")
        .constraint("circle", "r2 - 1")
        .initial("x", 0.6)
        .initial("x'", "1/10")
        .guess("y", 1)
        .event("top", "y'")
        .event("stop", Table::new().with("when", "x").with("direction", -1).with("terminal", true))
        .output("pull", "lambda_circle")
        .drawing("string", vec![("0", "0"), ("x", "y")])
        .run_default("t_end", 5.0);
    let file = r#"
        title = "Everything"
        description = "A \"little\" of all"
        [parameters]
        m = 1.5
        k = "40*m"
        [coordinates]
        x = "first"
        y = "second"
        [definitions]
        r2 = "x^2 + y^2"
        [energy]
        kinetic = "1/2*m*(x'^2 + y'^2)"
        potential = "1/2*k*r2"
        dissipation = "0.1*x'^2"
        [forces]
        x = "sin(t) + z"
        [states]
        z = "-z + x"
        [constraints]
        circle = "r2 - 1"
        [initial]
        x = 0.6
        "x'" = "1/10"
        [guess]
        y = 1
        [events]
        top = "y'"
        stop = { when = "x", direction = -1, terminal = true }
        [outputs]
        pull = "lambda_circle"
        [draw]
        string = [["0", "0"], ["x", "y"]]
        [run]
        t_end = 5
        "#;
    assert_same(&built, file);
    let built = built.build().unwrap();
    assert_eq!((built.own.events[1].direction, built.own.events[1].terminal), (-1, true));
}

#[test]
fn mechanisms_are_built_of_bodies_and_joints() {
    let built = Model::builder("Slider-crank")
        .parameter("r", 0.1)
        .size("n", 1)
        .ground_point("O", [0.0, 0.0])
        .body("crank", Table::new().with("mass", 5).with("length", "r"))
        .body("rod", Table::new().with("mass", 0.4).with("length", 0.3).with("angle", "-14 deg"))
        .body("slider", Table::new().with("mass", 0.5).with("inertia", 0.001))
        .joint("axle", "revolute", ("ground.O", "crank.A"), Table::new())
        .joint("pin", "revolute", ("crank.B", "rod.A"), Table::new().with("friction", 0.01))
        .joint("wrist", "revolute", ("rod.B", "slider"), Table::new())
        .joint("guide", "prismatic", ([0.0, 0.0], "slider"), Table::new().with("axis", [1, 0]))
        .part("motor", Table::new().with("joint", "axle").with("angle", "3*t"));
    let file = r#"
        title = "Slider-crank"
        parameters = { r = 0.1 }
        sizes = { n = 1 }
        ground = { points = { O = [0, 0] } }
        [[body]]
        name = "crank"
        mass = 5
        length = "r"
        [[body]]
        name = "rod"
        mass = 0.4
        length = 0.3
        angle = "-14 deg"
        [[body]]
        name = "slider"
        mass = 0.5
        inertia = 0.001
        [[joint]]
        name = "axle"
        type = "revolute"
        between = ["ground.O", "crank.A"]
        [[joint]]
        name = "pin"
        type = "revolute"
        between = ["crank.B", "rod.A"]
        friction = 0.01
        [[joint]]
        name = "wrist"
        type = "revolute"
        between = ["rod.B", "slider"]
        [[joint]]
        name = "guide"
        type = "prismatic"
        between = [[0, 0], "slider"]
        axis = [1, 0]
        [[motor]]
        joint = "axle"
        angle = "3*t"
        "#;
    assert_same(&built, file);
}

#[test]
fn chains_are_built_of_their_keys() {
    let built = Model::builder("Chain").chain(
        Table::new()
            .with("links", 3)
            .with("mass", [1.0, 2.0, 0.5])
            .with("pivot", Table::new().with("x", "cos(t)")),
    );
    let file =
        "title = \"Chain\"\n[chain]\nlinks = 3\nmass = [1, 2, 0.5]\npivot = { x = \"cos(t)\" }";
    assert_same(&built, file);
}

/// The first problem, and the text that it points to.
fn mistake(problems: Problems) -> (ProblemKind, String) {
    let problem = &problems.problems[0];
    let source = &problems.sources[problem.place.source];
    (problem.kind.clone(), source.text[problem.place.span.clone()].to_owned())
}

#[test]
fn a_mistake_is_the_same_as_in_a_file_and_points_into_the_text() {
    let spring = || Model::builder("Spring").coordinate("x", "").kinetic("1/2*x'^2");
    let refused = |builder: ModelBuilder| mistake(builder.build().expect_err("it is refused"));
    let of_file = |text: &str| {
        mistake(Model::read(Source::new("model.toml", text), &[]).expect_err("it is refused"))
    };
    let start = "coordinates = { x = \"\" }\nenergy = { kinetic = \"1/2*x'^2\", potential = ";
    let (kind, place) = refused(spring().potential("1/2*k*x^2"));
    assert!(matches!(kind, ProblemKind::UnknownName { ref name, .. } if name == "k"));
    assert_eq!(place, "k");
    assert_eq!((kind, place), of_file(&format!("{start}\"1/2*k*x^2\" }}")));
    let found = refused(spring().potential("1/2*(x^2"));
    assert_eq!(found, of_file(&format!("{start}\"1/2*(x^2\" }}")));
    let (kind, _) = refused(spring().parameter("m", 1.0).parameter("m", 2.0));
    assert!(matches!(kind, ProblemKind::Toml(ref message) if message.contains("duplicate key")));
    let (kind, place) = refused(spring().parameter("m", f64::INFINITY));
    assert!(matches!(kind, ProblemKind::WrongType { ref name, .. } if name == "m"));
    assert_eq!(place, "inf");
    let (kind, place) =
        refused(
            Model::builder("Rod")
                .body("rod", Table::new().with("mass", 1).with("length", 1))
                .joint("O", "hinge", ([0, 0], "rod.A"), Table::new()),
        );
    assert_eq!(kind.to_string(), "there is no joint of type `hinge`");
    assert_eq!(place, "\"hinge\"");
}
