//! What becomes of the constraints in a long run: the four-bar linkage, its crank spun at 12 rad/s, for as
//! long as a machine runs.

use catena::simulation::{Run, StopReason};
use catena::{CoordinateSet, Model, RunSettings};
use catena_tests::{Compiled, ready};

fn spun() -> Model {
    ready("four-bar", &["theta2'=12"])
}

fn run(formulation: &str, t_end: f64) -> Run {
    let request = RunSettings {
        formulation: Some(formulation.into()),
        integrator: Some("dopri5".into()),
        rtol: Some(1e-6),
        atol: Some(1e-6),
        t_end: Some(t_end),
        every: Some(0.5),
        ..RunSettings::default()
    };
    let run = catena::run(&spun(), &request).expect("it runs");
    assert_eq!(run.certificate.stop, StopReason::Finished);
    run
}

/// Largest |Φ| and |Φ̇| of each row, from the coordinates and velocities in it.
fn errors(run: &Run) -> Vec<[f64; 2]> {
    let model = spun();
    let mut functions = Compiled::new(&model, CoordinateSet::Own);
    let n = model.own.coordinates.len();
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let row = |row: usize| {
        let values: Vec<f64> =
            run.table.columns.iter().map(|column| column.numbers()[row]).collect();
        let (q, v) = (&values[1..=n], &values[n + 1..=2 * n]);
        let found = functions.at(values[0], q, v);
        let rates: Vec<f64> = found
            .constraint_jacobian
            .chunks_exact(n)
            .map(|row| row.iter().zip(v).map(|(entry, v)| entry * v).sum())
            .collect();
        [largest(&found.constraints), largest(&rates)]
    };
    (0..run.table.len()).map(row).collect()
}

fn worst(errors: &[[f64; 2]]) -> [f64; 2] {
    errors
        .iter()
        .fold([0.0, 0.0], |worst, error| [0, 1].map(|level| worst[level].max(error[level])))
}

#[test]
fn projection_keeps_the_linkage_together_for_a_thousand_seconds() {
    let run = run("projection", 1000.0);
    let errors = errors(&run);
    assert_eq!(errors.len(), 2001);
    let [position, velocity] = worst(&errors);
    // angles of 12 000 rad are rounded to 2e-12 themselves
    assert!(position <= 1e-9, "|Φ| reaches {position:.1e}");
    assert!(velocity <= 1e-9, "|Φ̇| reaches {velocity:.1e}");
}

/// Errors of Φ̈ = 0 are integrated twice, so that |Φ| grows with the square of time: a tenth of a millimetre
/// after some seconds, decimetres after a hundred.
#[test]
fn multipliers_alone_let_the_linkage_come_apart() {
    let errors = errors(&run("multipliers", 100.0));
    let until = |t: f64| worst(&errors[..=(2.0 * t) as usize])[0];
    let [first, second, third] = [1.0, 10.0, 100.0].map(until);
    assert!(second > 1e-4 && third > 1e-2, "|Φ| is {first:.1e}, {second:.1e}, {third:.1e}");
    for growth in [second / first, third / second] {
        assert!((30.0..1000.0).contains(&growth), "ten times as long: |Φ| grows by {growth}");
    }
}

/// Errors decay within 1/ω = 0.1 s and are made anew: they stay, but do not grow.
#[test]
fn baumgarte_keeps_errors_bounded() {
    let errors = errors(&run("baumgarte", 1000.0));
    let (first, second) = errors.split_at(errors.len() / 2);
    let ([first, _], [second, _]) = (worst(first), worst(second));
    assert!(first.max(second) <= 2e-6, "|Φ| reaches {first:.1e} and {second:.1e}");
    assert!(second <= 2.0 * first, "|Φ| grows from {first:.1e} to {second:.1e}");
}
