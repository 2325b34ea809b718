//! Long motions: what happens to the energy in a thousand periods, and whether a run can be repeated.

use catena::simulation::{Column, StopReason};
use catena::{Model, RunSettings};
use catena_tests::{ready, written};

fn pendulum() -> Model {
    written(
        r#"
title = "Pendulum"
[parameters]
m = 1.3
l = 0.8
g = 9.81
[coordinates]
theta = "angle from the downward vertical"
[energy]
kinetic = "1/2*m*l^2*theta'^2"
potential = "-m*g*l*cos(theta)"
[initial]
theta = 1
"#,
    )
}

/// A thousand periods with a row at every step.
fn energies(model: &Model, integrator: &str, period: f64) -> Vec<f64> {
    let entry = catena::integrator::find(integrator).expect("it is in the catalogue");
    // short enough for the method, long enough for its error to stand out from rounding
    let step = if entry.order < 4 { period / 97.3 } else { period / 38.7 };
    let solves = entry.options.iter().any(|option| option.key == "newton_tol");
    let request = RunSettings {
        formulation: Some("minimal".into()),
        integrator: Some(integrator.into()),
        step: Some(step),
        every: Some(step),
        t_end: Some(1000.0 * period),
        // symplectic only as far as the equations are solved
        with: if solves { vec!["newton_tol=1e-14".into()] } else { Vec::new() },
        ..RunSettings::default()
    };
    let run = catena::run(model, &request).unwrap_or_else(|error| panic!("{integrator}: {error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished, "{integrator}");
    run.table.column("energy").expect("energies").to_vec()
}

/// What the energy gains over the run, beside the range in which it moves to and fro: the run is cut into
/// twenty windows of fifty periods, and a line laid through their means.
fn trend(energies: &[f64]) -> f64 {
    let windows: Vec<&[f64]> = energies.chunks_exact(energies.len() / 20).collect();
    let range = |window: &[f64]| {
        let [least, most] =
            window.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |range, energy| {
                [range[0].min(*energy), range[1].max(*energy)]
            });
        most - least
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let oscillation = mean(&windows.iter().map(|window| range(window)).collect::<Vec<_>>());
    // differences first: the energy itself has no digits to spare
    let means: Vec<f64> = windows
        .iter()
        .map(|window| mean(&window.iter().map(|energy| energy - energies[0]).collect::<Vec<_>>()))
        .collect();
    let middle = (means.len() - 1) as f64 / 2.0;
    let (mut rise, mut run) = (0.0, 0.0);
    for (number, mean) in means.iter().enumerate() {
        let place = number as f64 - middle;
        (rise, run) = (rise + place * mean, run + place * place);
    }
    rise / run * means.len() as f64 / oscillation
}

/// Swings of 1 rad, and a bob on a spring, out of tune so that no slow beat passes for a trend.
fn systems() -> [(&'static str, Model, f64); 2] {
    let elastic = ready("elastic-pendulum", &["k=60", "x=0.5"]);
    // 2π √(l/g) (1 + θ²/16 + …); for the spring the slower of its two, 2π √(m (l₀ + mg/k) / mg)
    [("pendulum", pendulum(), 1.914), ("elastic pendulum", elastic, 2.164)]
}

/// A symplectic method conserves an energy of its own, near the true one: the error returns (Hairer, Lubich,
/// Wanner, *Geometric Numerical Integration*, 2006, IX.8). The classical method loses a little in each step.
#[test]
fn symplectic_methods_keep_the_energy_for_a_thousand_periods_and_rk4_does_not() {
    for (name, model, period) in systems() {
        for integrator in ["symplectic-euler", "leapfrog", "implicit-midpoint", "gauss4"] {
            let trend = trend(&energies(&model, integrator, period));
            assert!(trend.abs() <= 1e-3, "{name} by {integrator}: {trend:.1e} of the oscillation");
        }
        let trend = trend(&energies(&model, "rk4", period));
        assert!(trend <= -5.0, "{name} by rk4: {trend} of the oscillation");
    }
}

/// Bits, not digits: nothing depends on addresses, clocks or the order of a hash table.
#[test]
fn the_same_run_gives_the_same_bits() {
    let repeated = |model: &Model, formulation: &str, integrator: &str| {
        let bits = || {
            let request = RunSettings {
                formulation: Some(formulation.into()),
                integrator: Some(integrator.into()),
                t_end: Some(0.5),
                every: Some(0.03),
                ..RunSettings::default()
            };
            let run = catena::run(model, &request).ok()?;
            let values = run.table.columns.iter().flat_map(Column::numbers);
            Some((values.map(|value| value.to_bits()).collect::<Vec<_>>(), run.certificate.stop))
        };
        let first = bits()?;
        assert!(Some(&first) == bits().as_ref(), "{formulation} with {integrator}");
        Some(first.0.len())
    };
    let mut runs = 0;
    for entry in catena::integrator::INTEGRATORS {
        for system in ["elastic-pendulum", "triple-pendulum"] {
            runs += usize::from(repeated(&ready(system, &[]), "minimal", entry.name).is_some());
        }
    }
    let chain = ready("chain", &["links=6", "friction=0.1"]);
    let linkage = ready("four-bar", &["theta2'=12"]);
    for entry in catena::formulation::FORMULATIONS {
        for model in [&chain, &linkage] {
            runs += usize::from(repeated(model, entry.name, "dop853").is_some());
        }
    }
    assert!(runs >= 35, "only {runs} runs were repeated");
}
