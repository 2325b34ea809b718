//! Newmark, HHT and generalized-α on constrained systems: order, drift, and what rings.
//!
//! That Newmark's method cannot be used for constrained systems has been claimed; here it is tested.

use catena::RunSettings;
use catena::simulation::{Run, StopReason};
use catena_tests::{ready, written};

fn run(model: &catena::Model, integrator: &str, step: f64, t_end: f64, with: &[&str]) -> Run {
    let request = RunSettings {
        integrator: Some(integrator.into()),
        step: Some(step),
        t_end: Some(t_end),
        every: Some(t_end / 20.0),
        with: with.iter().map(|text| (*text).to_owned()).collect(),
        ..RunSettings::default()
    };
    catena::run(model, &request).unwrap_or_else(|error| panic!("{integrator}: {error}"))
}

fn reference(model: &catena::Model, t_end: f64) -> Run {
    let request = RunSettings {
        formulation: Some("projection".into()),
        integrator: Some("dop853".into()),
        rtol: Some(1e-12),
        atol: Some(1e-12),
        t_end: Some(t_end),
        every: Some(t_end / 20.0),
        ..RunSettings::default()
    };
    catena::run(model, &request).expect("the reference runs")
}

/// Largest errors of coordinates, velocities and multipliers behind the first quarter, where a wrong
/// start has died away.
fn errors(run: &Run, exact: &Run) -> [f64; 3] {
    let n = run.start.q.len();
    let multipliers = run.table.names().filter(|name| name.starts_with("lambda_")).count();
    let largest = |columns: std::ops::Range<usize>| {
        let mut largest = 0.0_f64;
        for column in columns {
            for row in 5..run.table.len() {
                let [found, exact] =
                    [run, exact].map(|run| run.table.columns[column].numbers()[row]);
                largest = largest.max((found - exact).abs());
            }
        }
        largest
    };
    [largest(1..1 + n), largest(1 + n..1 + 2 * n), largest(1 + 2 * n..1 + 2 * n + multipliers)]
}

fn orders(
    system: &str,
    settings: &[&str],
    integrator: &str,
    (step, t_end): (f64, f64),
    with: &[&str],
) -> [f64; 3] {
    let model = ready(system, settings);
    let exact = reference(&model, t_end);
    let coarse = errors(&run(&model, integrator, step, t_end, with), &exact);
    let fine = errors(&run(&model, integrator, step / 4.0, t_end, with), &exact);
    [0, 1, 2].map(|i| (coarse[i] / fine[i]).log2() / 2.0)
}

#[test]
fn all_but_newmark_are_of_order_two_in_coordinates_velocities_and_multipliers() {
    for (system, settings, time) in [
        ("single-pendulum", &[][..], (0.02, 2.0)),
        ("four-bar", &[][..], (0.004, 1.0)),
        ("four-bar", &["theta2'=12"][..], (0.001, 0.5)),
    ] {
        for (integrator, with) in [
            ("generalized-alpha", &[][..]),
            ("generalized-alpha", &["rho=0.5"][..]),
            ("hht", &[][..]),
            ("hht", &["alpha=0.3"][..]),
            ("augmented-lagrangian-projected", &[][..]),
        ] {
            let orders = orders(system, settings, integrator, time, with);
            let least = orders.into_iter().fold(f64::INFINITY, f64::min);
            assert!(least > 1.8, "{system} {settings:?} by {integrator} {with:?}: {orders:?}");
        }
    }
}

#[test]
fn newmark_is_of_order_two_in_coordinates_and_velocities_at_one_half_and_of_order_one_elsewhere() {
    let [q, v, _] = orders("single-pendulum", &[], "newmark", (0.02, 2.0), &[]);
    assert!(q > 1.8 && v > 1.8, "{q}, {v}");
    let with = ["gamma=0.6", "beta=0.3025"];
    let [q, v, _] = orders("single-pendulum", &[], "newmark", (0.02, 2.0), &with);
    assert!((0.8..1.3).contains(&q) && (0.8..1.3).contains(&v), "{q}, {v}");
}

/// Nothing damps the multipliers of the trapezoidal rule: an error at the start stays in them and changes
/// its sign from step to step, however small the step. Those of generalized-α forget it.
#[test]
fn multipliers_of_newmark_ring_and_those_of_generalized_alpha_do_not() {
    let model = ready("four-bar", &[]);
    let ringing = |integrator: &str| {
        let request = RunSettings {
            integrator: Some(integrator.into()),
            step: Some(0.002),
            t_end: Some(1.0),
            every: Some(0.002),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request).expect("it runs");
        let values = run.table.column("lambda_phi3").expect("a multiplier");
        // sixth differences see what changes from step to step, and nothing that is smooth
        let mut differences = values.to_vec();
        for _ in 0..6 {
            differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
        }
        differences[100..].iter().fold(0.0_f64, |largest, value| largest.max(value.abs()))
    };
    let (newmark, generalized) = (ringing("newmark"), ringing("generalized-alpha"));
    assert!(newmark > 3.0 * generalized, "{newmark:.1e} and {generalized:.1e}");
}

#[test]
fn positions_stay_on_the_constraints_and_velocities_miss_them_by_the_square_of_the_step() {
    let model = ready("four-bar", &["theta2'=12"]);
    let projected = run(&model, "augmented-lagrangian-projected", 0.002, 2.0, &[]).certificate;
    assert!(projected.constraint_error < 1e-12 && projected.constraint_rate_error < 1e-10);
    for integrator in ["hht", "generalized-alpha"] {
        let certificates =
            [0.002, 0.001].map(|step| run(&model, integrator, step, 2.0, &[]).certificate);
        for certificate in &certificates {
            assert_eq!(certificate.stop, StopReason::Finished);
            assert_eq!(certificate.formulation, "index 3");
            assert!(certificate.constraint_error < 1e-9, "{:.1e}", certificate.constraint_error);
        }
        let [coarse, fine] = certificates.map(|certificate| certificate.constraint_rate_error);
        let order = (coarse / fine).log2();
        assert!((1.7..2.5).contains(&order), "{integrator}: {coarse:.1e}, {fine:.1e}");
    }
}

/// Work of drives and friction is carried along: the balance of energy closes to the method's order.
#[test]
fn the_balance_of_energy_closes_for_driven_systems_without_constraints_too() {
    let model = ready("triple-pendulum", &["eta0=0.2", "f=0.7"]);
    let residual = |step: f64| {
        run(&model, "generalized-alpha", step, 4.0, &["rho=0.9"]).certificate.energy_residual
    };
    let (coarse, fine) = (residual(0.004), residual(0.002));
    assert!(fine < coarse / 3.0 && fine < 1e-3, "{coarse:.1e}, {fine:.1e}");
}

#[test]
fn redundant_constraints_and_massless_bodies_do_no_harm() {
    let text = catena::systems::find("four-bar").expect("it is in the zoo").text;
    let copied = text.replace(
        "[initial]",
        "phi9 = \"L2*cos(theta2) + L3*cos(theta3) - L1 - L4*cos(theta4)\"\n\n[initial]",
    );
    let (plain, redundant) = (ready("four-bar", &[]), written(&copied));
    assert_eq!(redundant.own.constraints.len(), 9);
    for integrator in ["generalized-alpha", "augmented-lagrangian-projected"] {
        survive(integrator, &plain, &redundant);
    }
}

fn survive(integrator: &str, plain: &catena::Model, redundant: &catena::Model) {
    let [a, b] = [plain, redundant].map(|model| run(model, integrator, 0.002, 2.0, &[]));
    let last = |run: &Run| *run.table.column("theta2").and_then(<[f64]>::last).expect("a row");
    assert!((last(&a) - last(&b)).abs() < 1e-7, "{} and {}", last(&a), last(&b));
    let massless = ready("four-bar", &["m3=0"]);
    let run = run(&massless, integrator, 0.002, 2.0, &[]);
    assert_eq!(run.certificate.stop, StopReason::Finished);
    assert!(run.certificate.energy_residual < 1e-2, "{:?}", run.certificate);
}

#[test]
fn a_formulation_beside_a_structural_method_is_refused() {
    let request = RunSettings {
        integrator: Some("hht".into()),
        formulation: Some("multipliers".into()),
        ..RunSettings::default()
    };
    let error = catena::run(&ready("four-bar", &[]), &request).expect_err("it is refused");
    assert!(error.is_usage());
    assert!(error.to_string().contains("takes no formulation"), "{error}");
    let lorenz = RunSettings { integrator: Some("hht".into()), ..RunSettings::default() };
    let error = catena::run(&ready("lorenz", &[]), &lorenz).expect_err("it has no second order");
    assert!(error.to_string().contains("no equations of motion of second order"), "{error}");
}
