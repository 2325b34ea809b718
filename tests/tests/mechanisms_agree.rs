//! Every formulation and every integrator moves every mechanism of the zoo along the same trajectory, each as exactly
//! as it promises: adaptive methods to their tolerance, methods of a fixed step to their order, springs in the place
//! of constraints to what their stiffness leaves.

use catena::formulation::FORMULATIONS;
use catena::integrator::INTEGRATORS;
use catena::simulation::{Column, Run, RunError, StopReason};
use catena::{Model, RunFailure, RunSettings};
use catena_tests::ready;

const T_END: f64 = 0.5;
/// The tolerance of adaptive methods, and what coordinates and velocities may differ then.
const TOLERANCE: f64 = 1e-8;
const ALLOWED: f64 = 1e-6;
/// Where errors of a fixed step fall below this the reference and Newton's method are to be seen.
const FLOOR: f64 = 1e-9;

/// The mechanisms of the zoo, before they come near a singular pose; the car has its bump at once, a low one:
/// where the wheel leaves the ground no method keeps its order.
fn mechanisms() -> Vec<(&'static str, Model)> {
    let settings = |name: &str| match name {
        "double-wishbone" => &["passes=0.25", "bump=0.01"][..],
        _ => &[],
    };
    let all = catena::systems::SYSTEMS.iter();
    let models = all.map(|system| (system.name, ready(system.name, settings(system.name))));
    models.filter(|(_, model)| model.mechanism.is_some()).collect()
}

fn request(formulation: Option<&str>, integrator: &str, tolerance: f64) -> RunSettings {
    RunSettings {
        formulation: formulation.map(str::to_owned),
        integrator: Some(integrator.into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(T_END),
        every: Some(T_END / 20.0),
        ..RunSettings::default()
    }
}

/// A run to its end; none if the catalogue does not allow the pair.
fn moved(model: &Model, request: &RunSettings, label: &str) -> Option<Run> {
    let mut model = model.clone();
    // some files ask for a step of their own
    model.run = catena::model::RunSettings::default();
    match catena::run(&model, request) {
        Ok(run) => {
            assert_eq!(run.certificate.stop, StopReason::Finished, "{label}");
            Some(run)
        }
        Err(RunFailure::Run(RunError::CannotBegin { .. } | RunError::Unfit { .. })) => None,
        Err(error) => panic!("{label}: {error}"),
    }
}

fn reference(model: &Model, name: &str) -> Run {
    let run = moved(model, &request(Some("projection"), "dop853", 1e-12), name);
    let run = run.expect("projection takes all mechanisms");
    let changes = run.table.columns[1..=run.start.q.len()].iter().map(|column| {
        let column = column.numbers();
        column.iter().fold(0.0_f64, |change, value| change.max((value - column[0]).abs()))
    });
    assert!(changes.fold(0.0, f64::max) > 0.02, "{name} moves");
    let freedom = run.certificate.freedom.as_ref().expect("it has constraints");
    assert!(freedom.rank_deficiency.is_none() && freedom.approach.is_none(), "{name}: {freedom}");
    run
}

/// Largest difference, as a part of what is expected or of 1: wrong values do not make it smaller.
fn error(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len(), "as many rows");
    let size = expected.iter().fold(1.0_f64, |size, value| size.max(value.abs()));
    found.iter().zip(expected).fold(0.0_f64, |gap, (a, b)| gap.max((a - b).abs())) / size
}

/// Largest errors of coordinates and of velocities that both runs have.
fn errors(run: &Run, exact: &Run) -> [f64; 2] {
    let n = exact.start.q.len();
    [1..1 + n, 1 + n..1 + 2 * n].map(|columns| {
        let shared = exact.table.columns[columns].iter().filter_map(|expected| {
            Some(error(run.table.column(&expected.name)?, expected.numbers()))
        });
        let found: Vec<f64> = shared.collect();
        assert!(!found.is_empty(), "they have columns in common");
        found.into_iter().fold(0.0, f64::max)
    })
}

#[test]
fn formulations_agree_on_every_mechanism() {
    for (name, model) in mechanisms() {
        let exact = reference(&model, name);
        for entry in FORMULATIONS.iter().filter(|entry| entry.is_exact()) {
            let label = format!("{name} by {}", entry.name);
            if (entry.refuses)(&model).is_some() {
                continue;
            }
            let run = moved(&model, &request(Some(entry.name), "dopri5", TOLERANCE), &label);
            let [q, v] = errors(&run.expect("it is legal"), &exact);
            assert!(q <= ALLOWED && v <= ALLOWED, "{label}: {q:.1e}, {v:.1e}");
        }
    }
}

/// A spring that carries λ gives way by λ/α, and swings twice as far when it is loaded at once; coordinates are off
/// by the same order, velocities by that of the root.
#[test]
fn stiff_springs_approach_every_mechanism_as_their_stiffness_grows() {
    for (name, model) in mechanisms() {
        let exact = reference(&model, name);
        let columns = exact.table.columns.iter();
        let multipliers = columns.filter(|column| column.name.starts_with("lambda_"));
        let largest = multipliers.flat_map(Column::numbers).fold(0.0_f64, |a, b| a.max(b.abs()));
        let stiffnesses = [1e5, 1e6];
        let [soft, stiff] = stiffnesses.map(|alpha| {
            let request = RunSettings {
                with: vec![format!("alpha={alpha}")],
                ..request(Some("penalty"), "dopri5", 1e-7)
            };
            let run = moved(&model, &request, name).expect("it is legal");
            let (given, carried) = (run.certificate.constraint_error, largest / alpha);
            assert!(
                given <= 3.0 * carried,
                "{name} at {alpha:e}: {given:.1e}, λ/α = {carried:.1e}"
            );
            errors(&run, &exact)
        });
        assert!(stiff[0] <= soft[0] / 5.0, "{name}: coordinates {soft:?}, {stiff:?}");
        assert!(stiff[1] <= 0.75 * soft[1], "{name}: velocities {soft:?}, {stiff:?}");
    }
}

/// Accelerations of `penalty-damped` are off by the order 1/α.
#[test]
fn damped_springs_approach_every_mechanism_as_their_stiffness_grows() {
    for (name, model) in mechanisms() {
        let exact = reference(&model, name);
        let [soft, stiff] = [1e6, 1e8].map(|alpha| {
            let request = RunSettings {
                with: vec![format!("alpha={alpha}")],
                ..request(Some("penalty-damped"), "dopri5", TOLERANCE)
            };
            errors(&moved(&model, &request, name).expect("it is legal"), &exact)
        });
        for (soft, stiff) in soft.into_iter().zip(stiff) {
            assert!(stiff <= (soft / 80.0).max(ALLOWED), "{name}: {soft:.1e}, {stiff:.1e}");
        }
    }
}

#[test]
fn integrators_agree_on_every_mechanism() {
    for (name, model) in mechanisms() {
        let exact = reference(&model, name);
        for entry in INTEGRATORS {
            let formulation = (!entry.structural).then_some("projection");
            let label = format!("{name} by {}", entry.name);
            let request = request(formulation, entry.name, TOLERANCE);
            if entry.adaptive {
                let Some(found) = moved(&model, &request, &label) else {
                    assert_eq!(entry.name, "taylor", "{label}: only series need a straight line");
                    continue;
                };
                let [q, v] = errors(&found, &exact);
                assert!(q <= ALLOWED && v <= ALLOWED, "{label}: {q:.1e}, {v:.1e}");
                continue;
            }
            let step = if entry.order > 2 { 0.005 } else { 0.001 };
            let runs = [step, step / 2.0].map(|step| {
                moved(&model, &RunSettings { step: Some(step), ..request.clone() }, &label)
            });
            let [Some(coarse), Some(fine)] = runs else {
                let needs_more = ["symplectic-euler", "leapfrog"].contains(&entry.name);
                assert!(needs_more, "{label}: only these need a system without constraints");
                continue;
            };
            let gain = 0.75 * f64::from(2_u32.pow(entry.order));
            for (coarse, fine) in errors(&coarse, &exact).into_iter().zip(errors(&fine, &exact)) {
                let allowed = (coarse / gain).max(FLOOR);
                assert!(fine <= allowed, "{label}: {coarse:.1e}, {fine:.1e} at half the step");
                // the fastest motion is the bump's, with rates up to 100/s
                let most = (100.0 * step).powi(entry.order as i32);
                assert!(coarse <= most, "{label}: {coarse:.1e} beside {most:.1e}");
            }
        }
    }
}
