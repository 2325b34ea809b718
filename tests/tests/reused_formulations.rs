//! A formulation that begins again, and a copy of one, have the bits of one that was just built.

use catena::formulation::{FORMULATIONS, Formulation, Tangent};
use catena::{CoordinateSet, Model};
use catena_tests::{consistent_states, formulation, zoo};

/// Everything that a motion through these states shows, as bits and words.
fn shown(motion: &mut dyn Formulation, states: &[(f64, Vec<f64>)]) -> Vec<String> {
    let bits = |what: &str, values: &[f64]| {
        let bits: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
        format!("{what}: {bits:x?}")
    };
    let mut shown = Vec::new();
    for (t, y) in states {
        let mut y = y.clone();
        let mut rate = vec![0.0; y.len()];
        let mut jacobian = vec![0.0; y.len() * y.len()];
        let corrected = motion.after_step(*t, &mut y);
        shown.push(format!("{corrected:?} {}", bits("state", &y)));
        let moved = motion.derivative(*t, &y, &mut rate);
        shown.push(format!("{moved:?} {}", bits("rate", &rate)));
        shown.push(bits("accelerations", motion.accelerations()));
        shown.push(bits("multipliers", motion.multipliers()));
        let differentiated = motion.jacobian(*t, &y, Tangent::Full, &mut jacobian);
        shown.push(format!("{differentiated:?} {}", bits("jacobian", &jacobian)));
    }
    shown.extend(motion.remarks());
    shown
}

/// States of a formulation, in steps of 0.1 s, that satisfy the constraints of a model.
fn states(motion: &dyn Formulation, model: &Model, set: CoordinateSet) -> Vec<(f64, Vec<f64>)> {
    let packed = consistent_states(model, set, 3, 7).into_iter().map(|start| {
        let mut y = vec![0.0; motion.state_len()];
        motion.pack(&start.q, &start.v, &start.states, &mut y);
        y
    });
    (0..).map(|step| 0.1 * f64::from(step)).zip(packed).collect()
}

/// The model with every parameter a few percent larger, not all of them alike.
fn with_other_parameters(model: &Model) -> Model {
    let values = model.parameter_values();
    let mut other = model.clone();
    other.change_parameters(|at| Some(values[at] * [1.02, 1.03, 1.05][at % 3]));
    other
}

#[test]
fn begun_again_and_copied_formulations_have_the_bits_of_new_ones() {
    let mut evaluated = 0;
    for (name, model, set) in zoo(3) {
        // long chains are there once more, short
        if model.chain.is_some() && set == CoordinateSet::Own {
            continue;
        }
        let other = with_other_parameters(&model);
        for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none()) {
            let case = format!("{name} {}", entry.name);
            let mut reused = formulation(entry, &model, &[]);
            let states = states(&*reused, &model, entry.coordinates);
            let first = shown(&mut *reused, &states);
            evaluated += first.iter().filter(|line| line.starts_with("Ok")).count();

            let mut copy = reused.boxed_clone();
            reused.begin(&other.parameter_values());
            let again = shown(&mut *reused, &states);
            let new = shown(&mut *formulation(entry, &other, &[]), &states);
            assert_eq!(again, new, "{case}: begun again");

            let copied = std::thread::scope(|scope| {
                let worker = scope.spawn(|| {
                    copy.begin(&other.parameter_values());
                    let other = shown(&mut *copy, &states);
                    copy.begin(&model.parameter_values());
                    [other, shown(&mut *copy, &states)]
                });
                worker.join().expect("the thread ends")
            });
            assert_eq!(copied, [new, first], "{case}: a copy on another thread");
        }
    }
    assert!(evaluated > 1000, "only {evaluated} evaluations succeeded");
}

#[test]
fn a_copy_goes_on_where_its_original_stood() {
    for (name, model, set) in zoo(3) {
        if model.chain.is_some() && set == CoordinateSet::Own {
            continue;
        }
        for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none()) {
            let mut original = formulation(entry, &model, &[]);
            let states = states(&*original, &model, entry.coordinates);
            shown(&mut *original, &states[..1]);
            let mut copy = original.boxed_clone();
            let rest = &states[1..];
            let (a, b) = (shown(&mut *original, rest), shown(&mut *copy, rest));
            assert_eq!(a, b, "{name} {}", entry.name);
        }
    }
}
