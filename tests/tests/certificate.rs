//! The energy balance of a certificate is a proof, not a decoration.

use catena::{Model, RunSettings};
use catena_tests::{ready, written};

/// A bead on a rod that turns at a rate of its own, written with a rheonomic constraint.
const TURNED_ROD: &str = r#"
title = "Bead on a turned rod"
[parameters]
m = 0.7
g = 9.81
w = 1.3
k = 5
[coordinates]
x = "bead"
y = "bead"
[energy]
kinetic = "1/2*m*(x'^2 + y'^2)"
potential = "m*g*y + 1/2*k*(x^2 + y^2)"
[constraints]
rod = "y*cos(w*t) - x*sin(w*t)"
[initial]
x = 0.5
"x'" = 0.2
"#;

fn systems() -> Vec<(&'static str, Model)> {
    vec![
        ("friction and motor", ready("driven-pendulum", &[])),
        ("friction and moving pivot", ready("triple-pendulum", &["eta0=0.2", "f=0.7"])),
        ("prescribed turning", ready("bead-on-hoop", &["c=0.05"])),
        ("rheonomic constraint", written(TURNED_ROD)),
        ("force on a cart", ready("cart-pendulum", &["F=1.5", "c=0.3"])),
    ]
}

fn run(model: &Model, tolerance: f64) -> catena::simulation::Run {
    let request = RunSettings {
        integrator: Some("dopri5".into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(4.0),
        every: Some(4.0),
        ..RunSettings::default()
    };
    catena::run(model, &request).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_energy_residual_falls_with_the_tolerance() {
    for (name, model) in systems() {
        let residuals = [1e-5, 1e-7, 1e-9].map(|tol| run(&model, tol).certificate.energy_residual);
        for pair in residuals.windows(2) {
            assert!(pair[1] < pair[0] / 20.0, "{name}: {residuals:?}");
        }
        assert!(residuals[2] < 1e-6, "{name}: {residuals:?}");
    }
}

/// T + V alone leaves the work of drives, friction and moving parts out: it is off by far more than
/// the residual of the balance.
#[test]
fn without_the_work_the_balance_would_be_wrong() {
    for (name, model) in systems() {
        let run = run(&model, 1e-9);
        let energies = run.table.column("energy").expect("a column");
        let change = (energies[energies.len() - 1] - energies[0]).abs();
        let residual = run.certificate.energy_residual;
        assert!(change > 1e4 * residual, "{name}: {change:.1e} and {residual:.1e}");
    }
}

#[test]
fn a_conservative_system_keeps_its_energy_without_any_work() {
    let run = run(&ready("double-pendulum", &[]), 1e-10);
    assert!(run.certificate.energy_residual < 1e-7);
}
