//! Explicit methods notice that stability limits their steps, and only then.

mod problems;

use catena_integrator::{
    Breakdown, Entry, FirstOrderSystem, INTEGRATORS, IntegrationError, Options, Statistics, find,
};
use problems::series::Series;
use problems::{Plain, begin, oscillator, pendulum, pushed_pendulum, run};

fn explicit() -> impl Iterator<Item = &'static Entry> {
    INTEGRATORS.iter().copied().filter(|entry| entry.adaptive && !entry.implicit)
}

fn cost(
    entry: &Entry,
    options: &Options,
    system: &mut dyn FirstOrderSystem,
    y: &[f64],
    t_end: f64,
) -> Statistics {
    let mut integrator = begin(entry, options, system, y, t_end);
    // what no longer steers by its tolerance may stop early: what was seen until then counts
    let _ = run(&mut *integrator, system, t_end, |_| {});
    integrator.statistics()
}

fn tolerances() -> impl Iterator<Item = Options> {
    [1, 2, 3, 4, 6, 8, 10, 12].into_iter().flat_map(|exponent| {
        let rtol = 10.0_f64.powi(-exponent);
        [1e-6, 1e-3, 1.0].map(|part| Options {
            rtol,
            atol: part * rtol,
            max_steps: 5000,
            ..Options::default()
        })
    })
}

#[test]
fn oscillations_are_not_stiff_at_any_tolerance_or_frequency() {
    for entry in explicit() {
        for options in tolerances() {
            for frequency in [1e-3, 0.1, 1.0, 30.0, 1e6_f64] {
                for damping in [0.0, 0.02] {
                    let mut system = Plain {
                        len: 2,
                        rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                            rate[0] = y[1];
                            rate[1] = -frequency * (frequency * y[0] + damping * y[1]);
                            Ok(())
                        },
                    }
                    .with_series(|_, y, rate| {
                        rate[0] = y[1];
                        rate[1] = (y[0] * frequency + y[1] * damping) * -frequency;
                    });
                    for amplitude in [1.0, 100.0] {
                        let start = [amplitude, 0.3 * frequency * amplitude];
                        let found = cost(entry, &options, &mut system, &start, 150.0 / frequency);
                        assert!(
                            found.stiff_steps == 0,
                            "{}, ω = {frequency}, ζ = {damping}, {amplitude}, {options:?}: {found:?}",
                            entry.name
                        );
                    }
                }
            }
        }
    }
}

/// Bodies in a row with springs between them: frequencies from 0.13 to 2, times a factor.
fn row_of_springs(factor: f64) -> impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), Breakdown> {
    move |_: f64, y: &[f64], rate: &mut [f64]| {
        let n = y.len() / 2;
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { 0.0 };
            let right = if i + 1 < n { y[i + 1] } else { y[i] };
            rate[i] = y[n + i];
            rate[n + i] = factor * factor * (left - 2.0 * y[i] + right);
        }
        Ok(())
    }
}

/// The same for series.
fn row_of_springs_in_series(factor: f64) -> impl Fn(Series, &[Series], &mut [Series]) {
    move |_, y, rate| {
        let n = y.len() / 2;
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { Series::default() };
            let right = if i + 1 < n { y[i + 1] } else { y[i] };
            rate[i] = y[n + i];
            rate[n + i] = (left + y[i] * -2.0 + right) * (factor * factor);
        }
    }
}

#[test]
fn pendulums_rows_of_springs_orbits_and_chaos_are_not_stiff() {
    for entry in explicit() {
        for options in tolerances() {
            let check = |name: &str, found: Statistics| {
                assert!(found.stiff_steps == 0, "{}, {name}, {options:?}: {found:?}", entry.name);
            };
            check("pendulum", cost(entry, &options, &mut pendulum(), &[3.0, 0.0], 100.0));
            check("pushed", cost(entry, &options, &mut pushed_pendulum(), &[0.5, 1.0], 100.0));
            for factor in [1.0, 50.0] {
                let mut start = vec![0.0; 24];
                start[11] = 1.0;
                let mut system = Plain { len: 24, rate: row_of_springs(factor) }
                    .with_series(row_of_springs_in_series(factor));
                check("springs", cost(entry, &options, &mut system, &start, 100.0 / factor));
            }
            let mut orbit = Plain {
                len: 4,
                rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                    let distance = y[0].hypot(y[1]).powi(3);
                    let pull = [-y[0] / distance, -y[1] / distance];
                    rate.copy_from_slice(&[y[2], y[3], pull[0], pull[1]]);
                    Ok(())
                },
            }
            .with_series(|_, y, rate| {
                let pull = (y[0] * y[0] + y[1] * y[1]).power(-1.5) * -1.0;
                rate.copy_from_slice(&[y[2], y[3], y[0] * pull, y[1] * pull]);
            });
            check("orbit", cost(entry, &options, &mut orbit, &[0.2, 0.0, 0.0, 3.0], 60.0));
            let mut butterfly = Plain {
                len: 3,
                rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                    let (x, y, z) = (y[0], y[1], y[2]);
                    rate.copy_from_slice(&[
                        10.0 * (y - x),
                        x * (28.0 - z) - y,
                        x * y - 8.0 / 3.0 * z,
                    ]);
                    Ok(())
                },
            }
            .with_series(|_, y, rate| {
                let (x, y, z) = (y[0], y[1], y[2]);
                let lifted = z * -1.0 + Series::constant(28.0);
                rate[0] = (y + x * -1.0) * 10.0;
                rate[1] = x * lifted + y * -1.0;
                rate[2] = x * y + z * (-8.0 / 3.0);
            });
            check("butterfly", cost(entry, &options, &mut butterfly, &[1.0, 1.0, 20.0], 30.0));
        }
    }
}

#[test]
fn a_fast_decay_that_follows_a_slow_motion_is_stiff() {
    for entry in explicit() {
        for (decay, rtol) in [(1e3, 1e-2), (1e3, 1e-4), (1e3, 1e-5), (1e5, 1e-4), (1e5, 1e-7)] {
            let options = Options { rtol, atol: 1e-3 * rtol, ..Options::default() };
            let mut system = Plain {
                len: 1,
                rate: |t: f64, y: &[f64], rate: &mut [f64]| {
                    rate[0] = -decay * (y[0] - t.cos());
                    Ok(())
                },
            }
            .with_series(|t, y, rate| rate[0] = (y[0] + t.cos() * -1.0) * -decay);
            let found = cost(entry, &options, &mut system, &[0.0], 3e3 / decay);
            assert!(found.mostly_stiff(), "{}, {decay}, {rtol}: {found:?}", entry.name);
        }
    }
}

/// A mass on a soft spring in a thick fluid: rates 10⁴ and 10⁻².
fn damped(_: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
    rate[0] = y[1];
    rate[1] = -1e4 * y[1] - 100.0 * y[0];
    Ok(())
}

#[test]
fn a_strong_damper_is_stiff_and_the_message_says_so() {
    for entry in explicit() {
        for exponent in [2, 4, 6] {
            let rtol = 10.0_f64.powi(-exponent);
            let options =
                Options { rtol, atol: 1e-3 * rtol, max_steps: 3000, ..Options::default() };
            let mut system = Plain { len: 2, rate: damped }.with_series(|_, y, rate| {
                rate.copy_from_slice(&[y[1], y[1] * -1e4 + y[0] * -100.0]);
            });
            let mut integrator = begin(entry, &options, &mut system, &[1.0, 0.0], 100.0);
            let error = run(&mut *integrator, &mut system, 100.0, |_| {}).unwrap_err();
            assert!(
                matches!(error, IntegrationError::StepLimit { stiff: true, .. }),
                "{} {rtol}: {error}",
                entry.name
            );
            let message = error.to_string();
            assert!(message.contains("stiff") && message.contains("`radau5`"), "{message}");
        }
    }
    let mut system = Plain { len: 2, rate: damped };
    let found = cost(find("radau5").unwrap(), &Options::default(), &mut system, &[1.0, 0.0], 100.0);
    assert!(found.stiff_steps == 0 && found.steps < 200, "{found:?}");
}

#[test]
fn too_few_steps_for_an_oscillation_are_not_called_stiff() {
    for entry in explicit() {
        let options = Options { max_steps: 100, ..Options::default() };
        let mut system = pendulum();
        let mut integrator = begin(entry, &options, &mut system, &[3.0, 0.0], 1e4);
        let error = run(&mut *integrator, &mut system, 1e4, |_| {}).unwrap_err();
        assert!(matches!(error, IntegrationError::StepLimit { stiff: false, .. }), "{error}");
        assert!(!error.to_string().contains("stiff"), "{error}");
    }
}

#[test]
fn fixed_steps_that_explode_are_called_too_long() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.implicit) {
        // an oscillator far too fast for the step
        let mut system = oscillator(|_, q| -1e6 * q, |_, _| -1e6, |_, q| q * -1e6);
        let options = Options { step: Some(0.1), ..Options::default() };
        let mut integrator = begin(entry, &options, &mut system, &[1.0, 0.0], 1e3);
        let error = run(&mut *integrator, &mut system, 1e3, |_| {}).unwrap_err();
        assert!(
            matches!(error, IntegrationError::StepTooLong { step, .. } if step == 0.1),
            "{}: {error}",
            entry.name
        );
        let message = error.to_string();
        assert!(message.contains("too long") && message.contains("radau5"), "{message}");
    }
}

#[test]
fn a_motion_that_runs_away_by_itself_is_not_blamed_on_the_step() {
    for name in ["euler", "heun", "midpoint", "rk4", "dopri5"] {
        let mut system = Plain {
            len: 1,
            rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                rate[0] = y[0];
                Ok(())
            },
        };
        let options = Options { step: Some(0.05), ..Options::default() };
        let mut integrator = begin(find(name).unwrap(), &options, &mut system, &[1.0], 1e3);
        let error = run(&mut *integrator, &mut system, 1e3, |_| {}).unwrap_err();
        assert!(matches!(error, IntegrationError::Breakdown { .. }), "{name}: {error}");
        assert!(error.to_string().contains("the motion runs away"), "{error}");
    }
}
