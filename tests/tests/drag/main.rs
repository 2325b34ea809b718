//! Poses that are dragged by hand, against closed forms: they stay closed, on their branch, and dead points are named.

mod zoo;

use catena::model::{Anchor, Carrier, PartShape};
use catena::{CoordinateSet, Drag, DragError, DragOutcome, HoldKind, Model};
use catena_tests::{Random, ready, written};
use std::f64::consts::{PI, TAU};

/// A point of a part of what is drawn, by its number in the part.
fn anchor(model: &Model, part: &str, point: usize) -> Anchor {
    let sketch = model.sketch(CoordinateSet::Own);
    let found = sketch.parts.iter().find(|other| other.name == part);
    found.unwrap_or_else(|| panic!("no part `{part}`")).shape.anchors()[point]
}

fn dragging(model: &Model) -> Drag {
    Drag::new(model).unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

fn toward(drag: &mut Drag, q: &[f64], grab: &Anchor, target: [f64; 2]) -> DragOutcome {
    drag.toward(q, grab, target).unwrap_or_else(|error| panic!("{error}"))
}

fn value(model: &Model, q: &[f64], name: &str) -> f64 {
    let at = model.own.coordinates.iter().position(|coordinate| coordinate.name == name);
    q[at.unwrap_or_else(|| panic!("no coordinate `{name}`"))]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// An angle between −π and π.
fn within_half_a_turn(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// Lengths of ground, crank, coupler and rocker.
type Lengths = [f64; 4];

const CRANK_ROCKER: Lengths = [1.0, 0.5, 1.2, 0.8];

fn four_bar(name: &str, [ground, crank, coupler, rocker]: Lengths) -> Model {
    let settings = [
        format!("L1={ground}"),
        format!("L2={crank}"),
        format!("L3={coupler}"),
        format!("L4={rocker}"),
    ];
    ready(name, &settings.each_ref().map(String::as_str))
}

/// The pin between coupler and rocker by the intersection of two circles, on the left of the line from the crank's
/// pin to the ground's.
fn rocker_pin([ground, crank, coupler, rocker]: Lengths, crank_angle: f64) -> [f64; 2] {
    let pin = [crank * crank_angle.cos(), crank * crank_angle.sin()];
    let (dx, dy) = (ground - pin[0], -pin[1]);
    let d = dx.hypot(dy);
    let along = (d * d + coupler * coupler - rocker * rocker) / (2.0 * d);
    let height = (coupler * coupler - along * along).max(0.0).sqrt();
    [pin[0] + (along * dx - height * dy) / d, pin[1] + (along * dy + height * dx) / d]
}

/// The foot of that pin on the line between the other two.
fn by_middle(lengths: Lengths, crank_angle: f64) -> [f64; 2] {
    let [x, y] = rocker_pin(lengths, crank_angle);
    let pin = [lengths[1] * crank_angle.cos(), lengths[1] * crank_angle.sin()];
    let (dx, dy) = (lengths[0] - pin[0], -pin[1]);
    let along = ((x - pin[0]) * dx + (y - pin[1]) * dy) / (dx * dx + dy * dy);
    [pin[0] + along * dx, pin[1] + along * dy]
}

/// Names of crank angle, coupler angle and rocker angle, and the part of the crank.
const FOUR_BARS: [(&str, [&str; 3]); 2] = [
    ("four-bar", ["theta2", "theta3", "theta4"]),
    ("four-bar-bodies", ["crank_angle", "coupler_angle", "rocker_angle"]),
];

/// Finds the linkage closed on its branch.
fn assert_on_branch(model: &Model, names: [&str; 3], lengths: Lengths, q: &[f64]) {
    let [crank, coupler, rocker] = names.map(|name| value(model, q, name));
    let pin = rocker_pin(lengths, crank);
    let by_coupler = [
        lengths[1] * crank.cos() + lengths[2] * coupler.cos(),
        lengths[1] * crank.sin() + lengths[2] * coupler.sin(),
    ];
    let by_rocker = [lengths[0] + lengths[3] * rocker.cos(), lengths[3] * rocker.sin()];
    for (side, place) in [("coupler", by_coupler), ("rocker", by_rocker)] {
        let apart = distance(place, pin);
        // at a dead point the intersection of circles itself is exact to half the digits
        let height = distance(pin, by_middle(lengths, crank));
        let limit = if height < 1e-6 { 1e-6 } else { 1e-9 };
        assert!(apart < limit, "crank at {crank}: {side} is off by {apart}");
    }
}

#[test]
fn a_crank_led_around_twice_both_ways_stays_on_its_branch() {
    for (name, names) in FOUR_BARS {
        let model = four_bar(name, CRANK_ROCKER);
        let mut drag = dragging(&model);
        let grab = anchor(&model, "crank", 1);
        for direction in [1.0, -1.0] {
            let mut q = drag.start().to_vec();
            let begun = value(&model, &q, names[0]);
            let steps = 2 * 97;
            for step in 1..=steps {
                let angle = begun + direction * TAU * f64::from(step) / 97.0;
                // the hand is not exactly on the circle
                let reach = 0.5 * (1.0 + 0.3 * (5.0 * angle).sin());
                let outcome =
                    toward(&mut drag, &q, &grab, [reach * angle.cos(), reach * angle.sin()]);
                q = outcome.q;
                assert!((value(&model, &q, names[0]) - angle).abs() < 1e-7, "step {step}: {q:?}");
                assert_on_branch(&model, names, CRANK_ROCKER, &q);
            }
        }
    }
}

#[test]
fn a_coupler_point_leads_the_linkage_around() {
    for (name, names) in FOUR_BARS {
        let model = four_bar(name, CRANK_ROCKER);
        let mut drag = dragging(&model);
        // the pin of the rocker cannot lead it through its dead points, a point near the crank's pin can
        let grab = match name {
            "four-bar" => anchor(&model, "coupler", 0),
            _ => Anchor { at: [-0.5, 0.1], ..anchor(&model, "coupler", 0) },
        };
        let at = |crank: f64| {
            let pin = [0.5 * crank.cos(), 0.5 * crank.sin()];
            let other = rocker_pin(CRANK_ROCKER, crank);
            let along = [(other[0] - pin[0]) / 1.2, (other[1] - pin[1]) / 1.2];
            let [x, y] = if name == "four-bar" { [0.0, 0.0] } else { [0.1, 0.1] };
            [pin[0] + x * along[0] - y * along[1], pin[1] + x * along[1] + y * along[0]]
        };
        let mut q = drag.start().to_vec();
        let begun = value(&model, &q, names[0]);
        for step in 1..=150 {
            let crank = begun + TAU * f64::from(step) / 60.0;
            let outcome = toward(&mut drag, &q, &grab, at(crank));
            assert_eq!(outcome.held, None, "crank at {crank}");
            q = outcome.q;
            assert!((value(&model, &q, names[0]) - crank).abs() < 1e-9, "{crank}: {q:?}");
            assert_on_branch(&model, names, CRANK_ROCKER, &q);
        }
    }
}

/// The longest coupler and rocker are too short for the crank to turn: it stops where they are in line.
const DOUBLE_ROCKER: Lengths = [1.0, 0.7, 0.6, 0.5];

#[test]
fn a_crank_that_cannot_turn_is_held_at_its_dead_point_and_returns() {
    let [ground, crank, coupler, rocker] = DOUBLE_ROCKER;
    // coupler and rocker in line: the law of cosines
    let reach = coupler + rocker;
    let dead = ((ground * ground + crank * crank - reach * reach) / (2.0 * ground * crank)).acos();
    for (name, names) in FOUR_BARS {
        let model = four_bar(name, DOUBLE_ROCKER);
        let mut drag = dragging(&model);
        let grab = anchor(&model, "crank", 1);
        let mut q = drag.start().to_vec();
        for degrees in [65.0_f64, 75.0, 90.0, 100.0, 120.0] {
            let angle = degrees.to_radians();
            let outcome = toward(&mut drag, &q, &grab, [crank * angle.cos(), crank * angle.sin()]);
            q = outcome.q;
            assert_on_branch(&model, names, DOUBLE_ROCKER, &q);
            let found = value(&model, &q, names[0]);
            assert!((found - angle.min(dead)).abs() < 1e-9, "{degrees}: {found} and {dead}");
            match angle > dead {
                false => assert_eq!(outcome.held, None, "{degrees}"),
                true => {
                    let held = outcome.held.expect("it is a dead point");
                    assert_eq!(held.kind, HoldKind::DeadPoint);
                    let said = "dead point: `coupler` and `rocker` are in line; `crank` can be led no \
                                further this way";
                    assert_eq!(held.message, said);
                }
            }
        }
        for degrees in [75.0_f64, 60.0, 65.0] {
            let angle = degrees.to_radians();
            let outcome = toward(&mut drag, &q, &grab, [crank * angle.cos(), crank * angle.sin()]);
            assert_eq!(outcome.held, None);
            q = outcome.q;
            assert!((value(&model, &q, names[0]) - angle).abs() < 1e-9);
            assert_on_branch(&model, names, DOUBLE_ROCKER, &q);
        }
    }
}

#[test]
fn a_slider_is_held_where_crank_and_rod_are_in_line() {
    for (name, part, slider, crank) in [
        ("slider-crank", "slider", "x3", "theta"),
        ("slider-crank-bodies", "slider", "slider_x", "crank_angle"),
    ] {
        let model = ready(name, &[]);
        let (r, l) = (model.parameter("r").unwrap(), model.parameter("l").unwrap());
        let mut drag = dragging(&model);
        let grab = anchor(&model, part, 0);
        let mut q = drag.start().to_vec();
        let begun = value(&model, &q, slider);
        let (film, _) = catena::film_of_start(&model, 0.0);
        let [x, y] = grab.place(|track| film.tracks[track][0]);
        let shift = x - begun;
        for (wanted, expected) in
            [(0.39, Some(0.39)), (0.5, None), (0.45, None), (0.38, Some(0.38))]
        {
            let outcome = toward(&mut drag, &q, &grab, [wanted + shift, y]);
            let x = value(&model, &outcome.q, slider);
            assert!((x - expected.unwrap_or(r + l)).abs() < 1e-9, "{name}: {wanted} gives {x}");
            let angle = value(&model, &outcome.q, crank);
            assert!((0.0..PI).contains(&angle), "it came from above: {angle}");
            match expected {
                Some(_) => assert_eq!(outcome.held, None, "{name} to {wanted}"),
                None => {
                    let held = outcome.held.clone().expect("the rod is too short");
                    assert_eq!(held.kind, HoldKind::DeadPoint);
                    assert!(held.message.contains("`crank` and `rod` are in line"), "{held:?}");
                }
            }
            q = outcome.q;
        }
    }
}

#[test]
fn the_tip_of_a_double_pendulum_reaches_what_it_can() {
    for name in ["double-pendulum", "double-pendulum-cartesian"] {
        let model = ready(name, &[]);
        let sketch = model.sketch(CoordinateSet::Own);
        let trail = sketch.parts.iter().find_map(|part| match part.shape {
            PartShape::Trail(at) => Some(at),
            _ => None,
        });
        let grab = trail.unwrap_or_else(|| anchor(&model, "bob2", 0));
        let lengths = ["l1", "l2"].map(|name| {
            model.parameter(name).or_else(|| model.parameter(&name.to_uppercase())).unwrap()
        });
        let (most, least) = (lengths[0] + lengths[1], (lengths[0] - lengths[1]).abs());
        let mut drag = dragging(&model);
        let mut q = drag.start().to_vec();
        let mut random = Random::new(5);
        for _ in 0..60 {
            let (angle, reach) = (random.between(-PI, PI), most * random.between(0.05, 1.6));
            let target = [reach * angle.cos(), reach * angle.sin()];
            let outcome = toward(&mut drag, &q, &grab, target);
            let left = distance(outcome.reached, target);
            let expected = (reach - most).max(least - reach).max(0.0);
            assert!((left - expected).abs() < 1e-9, "{name} to {target:?}: {left}, not {expected}");
            assert_eq!(outcome.held.is_some(), expected > 0.0, "{:?}", outcome.held);
            if let Some(held) = outcome.held {
                assert_eq!(held.kind, HoldKind::Limit, "{held:?}");
            }
            q = outcome.q;
        }
    }
}

#[test]
fn a_chain_of_twenty_follows_the_hand_at_its_tip() {
    let model = ready("chain", &["links=20"]);
    let length: f64 = (1..=20).map(|i| model.parameter(&format!("l{i}")).unwrap_or(1.0)).sum();
    let grab = anchor(&model, "tip", 0);
    let mut drag = dragging(&model);
    let mut q = drag.start().to_vec();
    let mut random = Random::new(8);
    for _ in 0..20 {
        let (angle, reach) = (random.between(-PI, PI), length * random.between(0.1, 0.97));
        let target = [reach * angle.cos(), reach * angle.sin()];
        let outcome = toward(&mut drag, &q, &grab, target);
        assert_eq!(outcome.held, None);
        assert!(distance(outcome.reached, target) < 1e-9, "{target:?}");
        q = outcome.q;
    }
    let outcome = toward(&mut drag, &q, &grab, [0.0, 2.0 * length]);
    assert!((distance(outcome.reached, [0.0, 2.0 * length]) - length).abs() < 1e-6 * length);
    assert_eq!(outcome.held.map(|held| held.kind), Some(HoldKind::Limit));
}

#[test]
fn a_fast_hand_leads_to_the_same_pose_as_a_slow_one() {
    let model = four_bar("four-bar-bodies", CRANK_ROCKER);
    let grab = anchor(&model, "crank", 1);
    let mut drag = dragging(&model);
    let start = drag.start().to_vec();
    for degrees in [-100.0_f64, 0.0, 170.0, 230.0] {
        let angle = degrees.to_radians();
        let begun = value(&model, &start, "crank_angle");
        let at = |angle: f64| [0.5 * angle.cos(), 0.5 * angle.sin()];
        let fast = toward(&mut drag, &start, &grab, at(angle)).q;
        let way = within_half_a_turn(angle - begun);
        let slow = (1..=50).fold(start.clone(), |q, step| {
            toward(&mut drag, &q, &grab, at(begun + way * f64::from(step) / 50.0)).q
        });
        for (fast, slow) in fast.iter().zip(&slow) {
            assert!((fast - slow).abs() < 1e-9, "{degrees}: {fast} and {slow}");
        }
    }
}

#[test]
fn a_parallelogram_goes_through_its_flat_pose_as_it_came() {
    let model = written(
        r#"
        title = "Parallelogram"
        coordinates = { crank = "", coupler = "", rocker = "" }
        initial = { crank = "60 deg" }
        guess = { coupler = 0.0, rocker = "60 deg" }
        [energy]
        kinetic = "1/2*(crank'^2 + coupler'^2 + rocker'^2)"
        [constraints]
        x = "0.3*cos(crank) + 0.8*cos(coupler) - 0.8 - 0.3*cos(rocker)"
        y = "0.3*sin(crank) + 0.8*sin(coupler) - 0.3*sin(rocker)"
        [draw]
        crank = { as = "bar", points = [["0", "0"], ["0.3*cos(crank)", "0.3*sin(crank)"]] }
        coupler = { as = "bar", points = [["0.3*cos(crank)", "0.3*sin(crank)"], ["0.8 + 0.3*cos(rocker)", "0.3*sin(rocker)"]] }
        "#,
    );
    let grab = anchor(&model, "crank", 1);
    let mut drag = dragging(&model);
    for stop in [0.0, 0.4, 7.0] {
        let mut q = drag.start().to_vec();
        // in one of the ways the hand stops exactly where the linkage is flat
        let mut angles: Vec<f64> =
            (1..40).map(|step| 60.0 - 9.0 * f64::from(step) + stop).collect();
        angles.extend([0.0, -180.0].into_iter().filter(|_| stop == 0.0));
        angles.sort_by(|a, b| b.total_cmp(a));
        for degrees in angles {
            let angle = degrees.to_radians();
            let outcome = toward(&mut drag, &q, &grab, [0.3 * angle.cos(), 0.3 * angle.sin()]);
            q = outcome.q;
            assert!((q[0] - angle).abs() < 1e-7, "{degrees}: {q:?} {:?}", outcome.held);
            assert!(q[1].abs() < 1e-7 && (q[2] - angle).abs() < 1e-7, "{degrees}: {q:?}");
        }
    }
}

#[test]
fn windows_fold_together_with_redundant_constraints() {
    let model = ready("n-four-bar", &["n=3"]);
    let mut drag = dragging(&model);
    let grab = anchor(&model, "upright1", 1);
    let mut q = drag.start().to_vec();
    for step in 1..=80 {
        let angle = (90.0 - 5.0 * f64::from(step) - 1.0_f64).to_radians();
        q = toward(&mut drag, &q, &grab, [angle.cos(), angle.sin()]).q;
        for upright in 1..=4 {
            let found = value(&model, &q, &format!("upright{upright}_angle"));
            assert!((found - angle).abs() < 1e-7, "step {step}: upright {upright} is at {found}");
        }
    }
}

#[test]
fn a_motor_lets_go_of_what_is_grabbed_and_says_that_it_is_no_start() {
    for (name, crank) in [("dwell-linkage", "crank"), ("quick-return", "crank")] {
        let model = ready(name, &[]);
        let mut drag = dragging(&model);
        let grab = anchor(&model, crank, 1);
        let start = drag.start().to_vec();
        let r = model.parameter(if name == "dwell-linkage" { "u" } else { "r" }).unwrap();
        let outcome = toward(&mut drag, &start, &grab, [0.0, r]);
        let angle = value(&model, &outcome.q, "crank_angle");
        assert!((within_half_a_turn(angle) - PI / 2.0).abs() < 1e-9, "{angle}");
        let said = "a run cannot start in this pose: `drive` prescribes another one at t = 0 s; \
                    change its law to start elsewhere";
        assert_eq!(outcome.note.as_deref(), Some(said));
        let back = toward(&mut drag, &outcome.q, &grab, [r, 0.0]);
        assert_eq!(back.note, None);
    }
}

#[test]
fn what_cannot_be_dragged_says_why() {
    let model = ready("four-bar", &[]);
    let mut drag = dragging(&model);
    let (q, grab) = (drag.start().to_vec(), anchor(&model, "crank", 1));
    let mut refused = |q: &[f64], grab: &Anchor, target: [f64; 2]| {
        drag.toward(q, grab, target).expect_err("it cannot be dragged").to_string()
    };
    let place = "the place to drag it to has a value that is not finite";
    assert_eq!(refused(&q, &grab, [f64::NAN, 0.0]), place);
    assert_eq!(refused(&q, &grab, [0.0, f64::INFINITY]), place);
    assert_eq!(
        refused(&q, &Anchor::ground([0.0, 0.0]), [1.0, 0.0]),
        "the ground does not move: grab a point of something that does"
    );
    assert_eq!(
        refused(&q[1..], &grab, [1.0, 0.0]),
        "a pose of this model has 9 coordinates, not 8"
    );
    let far = Anchor { carrier: Carrier::Point([1000, 1001]), at: [0.0, 0.0] };
    assert!(refused(&q, &far, [1.0, 0.0]).starts_with("there is no track 1000 to grab"));
    let flat = written(
        r#"
        coordinates = { x = "", y = "" }
        energy = { kinetic = "1/2*(x'^2 + y'^2)" }
        constraints = { wall = "exp(x) - 1" }
        [draw]
        bead = { as = "disc", points = [["x", "y"]] }
        "#,
    );
    let grab = anchor(&flat, "bead", 0);
    let open = dragging(&flat).toward(&[-1e4, 0.0], &grab, [0.0, 1.0]);
    assert_eq!(open, Err(DragError::Open));
    let invisible = written(
        r#"
        coordinates = { x = "" }
        energy = { kinetic = "1/2*x'^2" }
        "#,
    );
    assert_eq!(Drag::new(&invisible).err(), Some(DragError::NothingDrawn));
    // first-order states are no coordinates
    let lorenz = ready("lorenz", &[]);
    let grab = grabbed(&lorenz)[0];
    assert_eq!(dragging(&lorenz).toward(&[], &grab, [1.0, 1.0]), Err(DragError::Fixed));
}

/// Every point of every ready system that can be grabbed.
fn grabbed(model: &Model) -> Vec<Anchor> {
    let sketch = model.sketch(CoordinateSet::Own);
    let mut anchors: Vec<Anchor> =
        sketch.parts.iter().flat_map(|part| part.shape.anchors()).collect();
    anchors.retain(|anchor| !anchor.is_fixed());
    anchors
}
