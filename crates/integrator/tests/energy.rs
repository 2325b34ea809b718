//! A thousand periods of a pendulum: symplectic methods keep their energy error in bounds, others do not.

mod problems;

use catena_integrator::{Options, find};
use problems::{begin, pendulum, run};

/// How much of its own swing the energy error drifts in one period, over a thousand of them.
fn drift_per_period(name: &str, step: f64) -> f64 {
    // T = 4 K(sin ½): the period of a pendulum let go at one radian.
    let period = 6.699_960_994_951_6;
    let end = 1000.0 * period;
    let energy = |y: &[f64]| 0.5 * y[1] * y[1] - y[0].cos();
    let options = Options { step: Some(step), newton_tol: 1e-14, ..Options::default() };
    let mut system = pendulum();
    let mut integrator = begin(find(name).unwrap(), &options, &mut system, &[1.0, 0.0], end);
    let start = energy(&[1.0, 0.0]);
    let mut errors = Vec::new();
    run(&mut *integrator, &mut system, end, |integrator| {
        errors.push((integrator.time() / period, energy(integrator.state()) - start));
    })
    .unwrap();
    let count = errors.len() as f64;
    let (mx, my) = errors.iter().fold((0.0, 0.0), |(x, y), e| (x + e.0 / count, y + e.1 / count));
    let above: f64 = errors.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let below: f64 = errors.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    // The swing of the first two periods, before any drift has added up.
    let first = errors.iter().take_while(|(x, _)| *x < 2.0).map(|(_, y)| *y);
    let (low, high) = first.fold((0.0_f64, 0.0_f64), |(l, h), y| (l.min(y), h.max(y)));
    println!("{name}: swing {:.1e}, slope {:.1e} a period", high - low, above / below);
    (above / below).abs() / (high - low)
}

#[test]
fn symplectic_methods_have_no_trend_in_energy() {
    for (name, step) in [
        ("symplectic-euler", 0.05),
        ("leapfrog", 0.05),
        ("implicit-midpoint", 0.1),
        ("gauss4", 0.2),
    ] {
        let drift = drift_per_period(name, step);
        assert!(drift < 1e-3, "{name}: {drift:e}");
    }
}

#[test]
fn rk4_loses_energy_steadily() {
    assert!(drift_per_period("rk4", 0.2) > 1e-2);
}
