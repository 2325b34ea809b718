//! `ode45` repeats MATLAB's rules: a plain transcription of them for one scalar equation takes the same steps.

mod problems;

use catena_integrator::{Options, find};
use problems::{Plain, begin, run};

/// One step of the tableau; returns y_new, f_new and the error (without the step).
fn dormand_prince(f: &dyn Fn(f64, f64) -> f64, t: f64, h: f64, y: f64, f1: f64) -> [f64; 3] {
    let f2 = f(t + h / 5.0, y + h * f1 / 5.0);
    let f3 = f(t + h * 0.3, y + h * (3.0 / 40.0 * f1 + 9.0 / 40.0 * f2));
    let sum = 44.0 / 45.0 * f1 - 56.0 / 15.0 * f2 + 32.0 / 9.0 * f3;
    let f4 = f(t + h * 0.8, y + h * sum);
    let sum = 19372.0 / 6561.0 * f1 - 25360.0 / 2187.0 * f2 + 64448.0 / 6561.0 * f3;
    let f5 = f(t + h * 8.0 / 9.0, y + h * (sum - 212.0 / 729.0 * f4));
    let sum = 9017.0 / 3168.0 * f1 - 355.0 / 33.0 * f2 + 46732.0 / 5247.0 * f3;
    let f6 = f(t + h, y + h * (sum + 49.0 / 176.0 * f4 - 5103.0 / 18656.0 * f5));
    let sum = 35.0 / 384.0 * f1 + 500.0 / 1113.0 * f3 + 125.0 / 192.0 * f4;
    let y_new = y + h * (sum - 2187.0 / 6784.0 * f5 + 11.0 / 84.0 * f6);
    let f7 = f(t + h, y_new);
    let error = 71.0 / 57600.0 * f1 - 71.0 / 16695.0 * f3 + 71.0 / 1920.0 * f4
        - 17253.0 / 339_200.0 * f5
        + 22.0 / 525.0 * f6
        - 1.0 / 40.0 * f7;
    [y_new, f7, error]
}

/// MATLAB's loop, as studies.md states it; returns the times of the steps and the number of failures.
fn matlab(
    f: &dyn Fn(f64, f64) -> f64,
    end: f64,
    mut y: f64,
    [rtol, atol]: [f64; 2],
    grid: f64,
) -> (Vec<f64>, u64) {
    let threshold = atol / rtol;
    let longest = end / 10.0;
    let mut slope = f(0.0, y);
    let mut h = grid.min(longest);
    let limit = 0.8 * rtol.powf(0.2) / (slope.abs() / y.abs().max(threshold));
    h = h.min(limit);
    let (mut t, mut times, mut failures) = (0.0, Vec::new(), 0);
    while t < end {
        h = h.min(longest);
        let mut last = 1.1 * h >= end - t;
        if last {
            h = end - t;
        }
        let mut failed = false;
        loop {
            let [y_new, f_new, error] = dormand_prince(f, t, h, y, slope);
            let error = h * error.abs() / y.abs().max(y_new.abs()).max(threshold);
            if error > rtol {
                failures += 1;
                h *= if failed { 0.5 } else { (0.8 * (rtol / error).powf(0.2)).max(0.1) };
                failed = true;
                last = false;
                continue;
            }
            t = if last { end } else { t + h };
            times.push(t);
            (y, slope) = (y_new, f_new);
            if !failed {
                h /= (1.25 * (error / rtol).powf(0.2)).max(0.2);
            }
            break;
        }
    }
    (times, failures)
}

#[test]
fn steps_and_failures_are_those_of_matlab() {
    // Calm, then a sudden push: some steps fail, some more than once.
    let f = |t: f64, y: f64| -y + 40.0 / (1.0 + ((t - 4.0) * 60.0).powi(2)) + (3.0 * t).cos();
    for (tolerances, grid) in [([1e-3, 1e-6], 10.0), ([1e-6, 1e-6], 0.01), ([1e-8, 1e-10], 0.5)] {
        let (times, failures) = matlab(&f, 10.0, 1.0, tolerances, grid);
        assert!(failures > 3 && times.len() > 20);
        let mut system = Plain {
            len: 1,
            rate: |t: f64, y: &[f64], rate: &mut [f64]| {
                rate[0] = f(t, y[0]);
                Ok(())
            },
        };
        let [rtol, atol] = tolerances;
        let options = Options { rtol, atol, first_step: Some(grid), ..Options::default() };
        let mut integrator = begin(find("ode45").unwrap(), &options, &mut system, &[1.0], 10.0);
        let mut ours = Vec::new();
        run(&mut *integrator, &mut system, 10.0, |integrator| ours.push(integrator.time()))
            .unwrap();
        assert_eq!(ours.len(), times.len());
        for (ours, theirs) in ours.iter().zip(&times) {
            assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
        }
        let statistics = integrator.statistics();
        assert_eq!(statistics.rejected, failures);
        assert_eq!(statistics.evaluations, 1 + 6 * (statistics.steps + statistics.rejected));
    }
}

#[test]
fn the_first_step_follows_its_formula() {
    let first = |first_step| {
        let mut system = Plain {
            len: 1,
            rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                rate[0] = -2.0 * y[0];
                Ok(())
            },
        };
        let options = Options { rtol: 1e-3, atol: 1e-6, first_step, ..Options::default() };
        let mut integrator = begin(find("ode45").unwrap(), &options, &mut system, &[3.0], 10.0);
        integrator.step(&mut system).unwrap();
        integrator.time()
    };
    // Cut by the slope: |f|/|y| = 2.
    assert!((first(None) - 0.8 * 1e-3_f64.powf(0.2) / 2.0).abs() < 1e-15);
    // The distance to the first output bounds it.
    assert_eq!(first(Some(0.01)), 0.01);
    assert_eq!(first(Some(5.0)), first(None));
}
