//! The ready systems: a wild hand leaves them closed, and a run can start where they were left.

use crate::{distance, dragging, grabbed, within_half_a_turn};
use catena::model::Anchor;
use catena::simulation::{Start, assemble};
use catena::{CoordinateSet, Drag, DragError, Model, Setting};
use catena_compile::Evaluator;
use catena_tests::{Random, ready};

/// The largest |Φ| at the start time, relative to the coordinates.
fn openness(model: &Model, evaluator: &mut Evaluator, q: &[f64]) -> f64 {
    let start = Start::new(model, CoordinateSet::Own);
    evaluator.set_state(start.t, q, &vec![0.0; q.len()], &start.states);
    let constraints = evaluator.pose().constraints;
    let size = q.iter().fold(1.0_f64, |size, q| size.max(q.abs()));
    constraints.iter().fold(0.0_f64, |worst, value| worst.max(value.abs())) / size
}

#[test]
fn every_ready_system_survives_a_wild_hand() {
    for system in catena::systems::SYSTEMS {
        let name = system.name;
        let model = ready(name, &[]);
        let mut drag = dragging(&model);
        let mut evaluator = Evaluator::derived(&model, &model.own);
        let (anchors, size) = (grabbed(&model), extent(&model));
        let mut q = drag.start().to_vec();
        let mut random = Random::new(11);
        for number in 0..200 {
            let grab = anchors[random.between(0.0, anchors.len() as f64) as usize];
            let target = [0, 1].map(|_| random.between(-1.5, 1.5) * size);
            match drag.toward(&q, &grab, target) {
                Err(DragError::Fixed) => {}
                Err(error) => panic!("{name}, move {number}: {error}"),
                Ok(outcome) => {
                    let open = openness(&model, &mut evaluator, &outcome.q);
                    // a drive that has let go is open
                    let is_closed = open <= 1e-10 || outcome.note.is_some();
                    assert!(is_closed, "{name}, move {number}: open by {open}");
                    assert!(outcome.q.iter().chain(&outcome.reached).all(|x| x.is_finite()));
                    q = outcome.q;
                }
            }
        }
    }
}

/// How far what is drawn reaches from the origin at the start.
fn extent(model: &Model) -> f64 {
    let (film, _) = catena::film_of_start(model, 0.0);
    let parts = film.sketch.parts.iter().flat_map(|part| part.shape.anchors());
    let places = parts.map(|anchor| anchor.place(|track| film.tracks[track][0]));
    places.fold(0.1, |most, [x, y]| most.max(x.hypot(y)))
}

#[test]
fn a_run_can_start_where_a_ready_system_was_left() {
    for system in catena::systems::SYSTEMS {
        let name = system.name;
        let model = ready(name, &[]);
        let mut drag = dragging(&model);
        let (anchors, size) = (grabbed(&model), extent(&model));
        let start = drag.start().to_vec();
        let mut left = 0;
        let movable: Vec<Anchor> = anchors
            .into_iter()
            .filter(|grab| drag.toward(&start, grab, [0.0, 0.0]) != Err(DragError::Fixed))
            .collect();
        for (number, grab) in movable.iter().step_by(1 + movable.len() / 5).enumerate() {
            let (film, _) = catena::film_of_start(&model, 0.0);
            let [x, y] = grab.place(|track| film.tracks[track][0]);
            let angle = 2.0 * number as f64;
            let target = [x + 0.2 * size * angle.cos(), y + 0.2 * size * angle.sin()];
            match drag.toward(&start, grab, target) {
                Ok(outcome) if outcome.note.is_none() => {
                    assert_starts_there(name, &drag, &model, &outcome.q);
                    left += usize::from(distance(outcome.reached, [x, y]) > 1e-3 * size);
                }
                Ok(_) => {}
                Err(error) => panic!("{name}: {error}"),
            }
        }
        let is_driven = ["lorenz", "quick-return", "dwell-linkage"].contains(&name);
        assert!(left > 0 || is_driven, "{name} was not moved");
    }
}

/// Loads the system with the settings of a pose, and once more with a length changed.
fn assert_starts_there(name: &str, drag: &Drag, model: &Model, q: &[f64]) {
    let settings = drag.settings(q);
    let loaded = |more: Option<Setting>| {
        let settings: Vec<Setting> = settings.iter().cloned().chain(more).collect();
        catena::load(name, &settings).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let start = |model: &Model| {
        let start = Start::new(model, CoordinateSet::Own);
        let mut evaluator = Evaluator::derived(model, &model.own);
        assemble(&model.own, &mut evaluator, &start).map(|assembly| assembly.q)
    };
    let near = |found: &[f64], limit: f64, what: &str| {
        for ((coordinate, found), expected) in model.own.coordinates.iter().zip(found).zip(q) {
            // an angle may have lost whole turns
            let apart = (found - expected).abs().min(within_half_a_turn(found - expected).abs());
            assert!(apart < limit, "{name} {what}: {} is {found}, not {expected}", coordinate.name);
        }
    };
    let found = start(&loaded(None)).unwrap_or_else(|error| panic!("{name}: {error}"));
    near(&found, 1e-9, "as it was left");
    if let Some(length) =
        ["L2", "l", "c", "L", "l1"].iter().find(|name| model.parameter(name).is_some())
    {
        let longer = Setting::new(length, 1.02 * model.parameter(length).unwrap());
        if let Ok(found) = start(&loaded(Some(longer))) {
            near(&found, 0.5, "with a longer part");
        }
    }
}

/// A guess chooses the branch, and a value that is given is kept.
#[test]
fn a_guess_can_be_set() {
    let start = |settings: &[&str]| {
        let model = ready("four-bar-bodies", settings);
        let start = Start::new(&model, CoordinateSet::Own);
        let mut evaluator = Evaluator::derived(&model, &model.own);
        assemble(&model.own, &mut evaluator, &start).expect("it can be assembled").q
    };
    let usual = start(&[]);
    let mirrored = start(&["guess.rocker_angle=-92 deg", "guess.coupler_angle=-90 deg"]);
    let [crank, rocker] = [2, 8].map(|at| [usual[at], mirrored[at]]);
    assert!((crank[0] - crank[1]).abs() < 1e-12, "the crank is given: {crank:?}");
    assert!(rocker[0].sin() > 0.5 && rocker[1].sin() < -0.5, "{rocker:?}");
    let again = start(&["guess.crank_angle=2", "guess.rocker_angle=92 deg"]);
    assert!((again[2] - usual[2]).abs() < 1e-12 && (again[8] - usual[8]).abs() < 1e-9);
    let model = ready("four-bar-bodies", &["guess.rocker_angle=-92 deg", "guess.rocker_angle=1"]);
    let guesses = model.own.guess.iter().filter(|entry| entry.name == "rocker_angle");
    assert_eq!(guesses.count(), 1, "the last one counts");
}
