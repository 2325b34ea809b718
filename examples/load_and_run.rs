//! A ready system is loaded and run; its certificate says how good the run is, and its table goes into a file.

use catena::simulation::StopReason;
use catena::{RunSettings, Setting};
use std::f64::consts::TAU;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = catena::load("single-pendulum", &[Setting("theta=120 deg".into())])?;
    let settings = RunSettings {
        rtol: Some(1e-10),
        atol: Some(1e-10),
        t_end: Some(20.0),
        certify: true,
        ..RunSettings::default()
    };
    let run = catena::run(&model, &settings)?;
    let certificate = &run.certificate;
    assert_eq!(certificate.stop, StopReason::Finished);
    println!("energy balance kept to {:.1e} J", certificate.energy_residual);
    println!("constraints kept to {:.1e}", certificate.constraint_error);
    let error = certificate.estimate.expect("the run is certified").error;
    println!("coordinates and velocities right to {error:.1e}");

    // the event `lowest` happens once in each swing
    let passages = run.events.numbers("t").expect("events have times");
    let period = passages[1] - passages[0];
    // a uniform rod of length l that turns back at θ₀: T = 2π √(2l/3g) / agm(1, cos θ₀/2)
    let slowing = arithmetic_geometric_mean(1.0, 60.0_f64.to_radians().cos());
    let expected = TAU * (2.0 * 10.0 / (3.0 * 9.81_f64)).sqrt() / slowing;
    println!("period {period:.6} s, in closed form {expected:.6} s");
    assert!((period - expected).abs() < 1e-6);

    let file = std::env::temp_dir().join(format!("catena-example-{}.csv", std::process::id()));
    catena::write_run(&run, &file)?;
    let lines = std::fs::read_to_string(&file)?.lines().count();
    assert_eq!(lines, 1 + run.table.len());
    std::fs::remove_file(&file)?;
    std::fs::remove_file(file.with_extension("events.csv"))?;
    Ok(())
}

fn arithmetic_geometric_mean(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}
