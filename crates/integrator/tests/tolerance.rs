//! Adaptive methods follow their tolerance, on smooth and on stiff problems.

mod problems;

use catena_integrator::{Breakdown, INTEGRATORS, IntegrationError, Options, find};
use problems::{Plain, begin, pendulum, pendulum_motion, run};

#[test]
fn the_error_falls_with_the_tolerance() {
    for entry in INTEGRATORS.iter().filter(|entry| entry.adaptive) {
        let mut last = f64::INFINITY;
        for exponent in [4, 6, 8, 10] {
            let rtol = 10.0_f64.powi(-exponent);
            let options = Options { rtol, atol: rtol, ..Options::default() };
            let mut system = pendulum();
            let mut integrator = begin(entry, &options, &mut system, &[2.0, 0.0], 20.0);
            let mut error = 0.0_f64;
            run(&mut *integrator, &mut system, 20.0, |integrator| {
                let exact = pendulum_motion(2.0, integrator.time());
                for (y, exact) in integrator.state().iter().zip(exact) {
                    error = error.max((y - exact).abs());
                }
            })
            .unwrap();
            let statistics = integrator.statistics();
            println!("{:8} {rtol:e}: {error:.1e}, {statistics:?}", entry.name);
            // Twenty seconds of a nonlinear swing add local errors up, two to three hundredfold.
            assert!(error < 300.0 * rtol, "{} at {rtol:e}: {error:e}", entry.name);
            assert!(error < 0.2 * last, "{} at {rtol:e}: {error:e} after {last:e}", entry.name);
            assert!(statistics.rejected * 3 <= statistics.steps + 9, "{}", entry.name);
            last = error;
        }
    }
}

const LAMBDA: f64 = -1e6;

/// A slow oscillator (q, v) and z with ż = λ(z − q), which follows it within 1/|λ|.
fn stiff(_: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
    rate.copy_from_slice(&[y[1], -y[0], LAMBDA * (y[2] - y[0])]);
    Ok(())
}

/// It starts off the slow motion, so that there is a transient to forget.
const START: [f64; 3] = [1.0, 0.0, 1.5];

/// The motion once z has caught up.
fn slow_motion(t: f64) -> [f64; 3] {
    let (sine, cosine) = t.sin_cos();
    let z = (LAMBDA * LAMBDA * cosine - LAMBDA * sine) / (1.0 + LAMBDA * LAMBDA);
    [cosine, -sine, z]
}

#[test]
fn radau5_follows_the_slow_motion_of_a_stiff_system() {
    let mut last = f64::INFINITY;
    for exponent in [3, 5, 7, 9] {
        let rtol = 10.0_f64.powi(-exponent);
        let options = Options { rtol, atol: rtol, ..Options::default() };
        let mut system = Plain { len: 3, rate: stiff };
        let mut integrator = begin(find("radau5").unwrap(), &options, &mut system, &START, 10.0);
        let mut error = 0.0_f64;
        run(&mut *integrator, &mut system, 10.0, |integrator| {
            if integrator.time() > 0.01 {
                for (y, exact) in integrator.state().iter().zip(slow_motion(integrator.time())) {
                    error = error.max((y - exact).abs());
                }
            }
        })
        .unwrap();
        let statistics = integrator.statistics();
        println!("radau5 stiff {rtol:e}: {error:.1e}, {statistics:?}");
        assert!(error < 20.0 * rtol && error < 0.2 * last, "{rtol:e}: {error:e}");
        assert!(statistics.steps < 250, "{statistics:?}");
        assert!(statistics.jacobians <= statistics.steps / 2 + 2, "{statistics:?}");
        last = error;
    }
}

#[test]
fn dopri5_gives_up_on_the_same_system_instead_of_hanging() {
    let options = Options { max_steps: 20_000, ..Options::default() };
    let mut system = Plain { len: 3, rate: stiff };
    let mut integrator = begin(find("dopri5").unwrap(), &options, &mut system, &START, 10.0);
    let error = run(&mut *integrator, &mut system, 10.0, |_| {}).unwrap_err();
    match error {
        IntegrationError::StepLimit { time, steps, stiff } => {
            assert_eq!(steps, 20_000);
            assert!(stiff);
            assert!(time > 0.0 && time < 1.0);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn radau5_solves_robertsons_reaction_as_well_as_it_is_asked_to() {
    let mut last = f64::INFINITY;
    for exponent in [4, 6, 8, 10] {
        let rtol = 10.0_f64.powi(-exponent);
        let mut system = Plain {
            len: 3,
            rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                rate[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
                rate[2] = 3e7 * y[1] * y[1];
                rate[1] = -rate[0] - rate[2];
                Ok(())
            },
        };
        let options = Options { rtol, atol: 1e-5 * rtol, ..Options::default() };
        let entry = find("radau5").unwrap();
        let mut integrator = begin(entry, &options, &mut system, &[1.0, 0.0, 0.0], 40.0);
        run(&mut *integrator, &mut system, 40.0, |_| {}).unwrap();
        // The published solution at t = 40 (Hairer and Wanner II, IV.10, problem ROBER).
        let expected = [0.715_827_068_8, 9.185_534_765e-6, 0.284_163_745_7];
        let mut error = 0.0_f64;
        for (y, expected) in integrator.state().iter().zip(expected) {
            error = error.max((y / expected - 1.0).abs());
        }
        println!("radau5 Robertson {rtol:e}: {error:.1e}, {:?}", integrator.statistics());
        assert!(error < rtol.max(1e-9) && error < last, "{rtol:e}: {error:e}");
        assert!(integrator.statistics().steps < 60 * u64::from(exponent as u32));
        last = error;
    }
}

#[test]
fn radau5_passes_the_corners_of_van_der_pols_oscillator() {
    let mut system = Plain {
        len: 2,
        rate: |_: f64, y: &[f64], rate: &mut [f64]| {
            rate[0] = y[1];
            rate[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
            Ok(())
        },
    };
    let options = Options { rtol: 1e-7, atol: 1e-7, ..Options::default() };
    let mut integrator = begin(find("radau5").unwrap(), &options, &mut system, &[2.0, -0.66], 2.0);
    run(&mut *integrator, &mut system, 2.0, |_| {}).unwrap();
    println!("{:?} {:?}", integrator.state(), integrator.statistics());
    // Hairer and Wanner II, IV.10: y(2) = 1.706167732170483, y'(2) = −0.8928097010248.
    assert!((integrator.state()[0] - 1.706_167_732_170_483).abs() < 1e-5);
    assert!((integrator.state()[1] + 0.892_809_701_024_8).abs() < 1e-5);
    assert!(integrator.statistics().steps < 1000);
}

#[test]
fn a_start_at_rest_is_not_believed() {
    // Nothing moves at first: y = t⁶ / 6 has five vanishing derivatives at the start.
    for entry in INTEGRATORS.iter().filter(|entry| entry.adaptive && entry.name != "ode45") {
        let mut system = Plain {
            len: 1,
            rate: |t: f64, _: &[f64], rate: &mut [f64]| {
                rate[0] = t.powi(5);
                Ok(())
            },
        }
        .with_series(|t, _, rate| rate[0] = t * t * t * t * t);
        let mut integrator = begin(entry, &Options::default(), &mut system, &[0.0], 10.0);
        integrator.step(&mut system).unwrap();
        assert!(integrator.time() <= 1e-2, "{}: {}", entry.name, integrator.time());
        run(&mut *integrator, &mut system, 10.0, |_| {}).unwrap();
        assert!((integrator.state()[0] * 6e-6 - 1.0).abs() < 1e-4, "{}", entry.name);
    }
}
