//! What cannot be integrated ends with an error and its time, never with a NaN or a hang.

mod problems;

use catena_integrator::{
    Breakdown, FirstOrderSystem, INTEGRATORS, IntegrationError, Options, Partition, SeriesSystem,
    Tangent, find,
};
use problems::series::Series;
use problems::{Oscillator, Plain, begin, harmonic, oscillator, run};

/// An oscillator whose right-hand side fails from t = 1 on.
struct Failing {
    oscillator: Oscillator,
    with_nan: bool,
}

impl FirstOrderSystem for Failing {
    fn len(&self) -> usize {
        2
    }
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.oscillator.derivative(t, y, rate)?;
        if t > 1.0 {
            if !self.with_nan {
                return Err(Breakdown::Singular { matrix: "the mass matrix", cause: "q".into() });
            }
            rate[1] = f64::NAN;
        }
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], k: Tangent, j: &mut [f64]) -> Result<(), Breakdown> {
        self.oscillator.jacobian(t, y, k, j)
    }
    fn after_step(&mut self, _: f64, _: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }
    fn partition(&self) -> Option<Partition> {
        self.oscillator.partition()
    }
    fn series(&mut self) -> Option<&mut dyn SeriesSystem> {
        self.oscillator.series()
    }
}

#[test]
fn a_right_hand_side_that_fails_gives_an_error_with_the_time() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        for with_nan in [true, false] {
            let mut system = Failing { oscillator: harmonic(), with_nan };
            let step = (!entry.adaptive).then_some(0.01);
            let options = Options { step, ..Options::default() };
            let mut integrator = begin(entry, &options, &mut system, &[1.0, 0.0], 2.0);
            let error = run(&mut *integrator, &mut system, 2.0, |integrator| {
                assert!(integrator.state().iter().all(|y| y.is_finite()));
            })
            .unwrap_err();
            let time = match &error {
                IntegrationError::Breakdown { time, .. } => *time,
                IntegrationError::NewtonFailed { time, .. } if with_nan => *time,
                other => panic!("{}: {other}", entry.name),
            };
            let near = if entry.adaptive { 1e-9 } else { 0.011 };
            assert!(time <= 1.0 && time > 1.0 - near, "{}: {time}", entry.name);
            assert_eq!(time, integrator.time());
        }
    }
}

#[test]
fn a_start_that_is_not_finite_is_refused() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let nothing = |_, _| Series::constant(f64::NAN);
        let oscillator = oscillator(|_, _| f64::NAN, |_, _| 0.0, nothing);
        let mut system = Failing { oscillator, with_nan: true };
        let mut integrator = entry.build(&Options::default());
        for y in [[1.0, 0.0], [f64::INFINITY, 0.0]] {
            let error = integrator.begin(&mut system, 0.5, &y, 2.0).unwrap_err();
            assert!(matches!(error, IntegrationError::Breakdown { time: 0.5, .. }), "{error}");
        }
        let error = integrator.begin(&mut system, 0.0, &[1.0], 2.0).unwrap_err();
        assert_eq!(error, IntegrationError::StateLength { expected: 2, found: 1 });
    }
}

#[test]
fn a_motion_that_ends_in_infinity_is_followed_up_to_there() {
    for entry in INTEGRATORS.iter().filter(|entry| entry.adaptive) {
        let mut system = Plain {
            len: 1,
            rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                rate[0] = y[0] * y[0];
                Ok(())
            },
        }
        .with_series(|_, y, rate| rate[0] = y[0] * y[0]);
        let options = Options { max_steps: 100_000, ..Options::default() };
        let mut integrator = begin(entry, &options, &mut system, &[1.0], 2.0);
        let error = run(&mut *integrator, &mut system, 2.0, |_| {}).unwrap_err();
        println!("{}: {error}", entry.name);
        assert!((integrator.time() - 1.0).abs() < 1e-2, "{}: {error}", entry.name);
        assert!(!matches!(error, IntegrationError::StepLimit { .. }), "{}", entry.name);
    }
}

#[test]
fn symplectic_methods_refuse_what_is_not_separable() {
    for name in ["symplectic-euler", "leapfrog"] {
        let mut system = Plain {
            len: 2,
            rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                rate.copy_from_slice(&[y[1], -y[0] - y[1]]);
                Ok(())
            },
        };
        let mut integrator = find(name).unwrap().build(&Options::default());
        let error = integrator.begin(&mut system, 0.0, &[1.0, 0.0], 1.0).unwrap_err();
        assert!(matches!(error, IntegrationError::Unsuitable { method, .. } if method == name));
    }
}

#[test]
fn a_method_of_series_refuses_what_has_none() {
    let mut system = Plain { len: 1, rate: |_: f64, _: &[f64], _: &mut [f64]| Ok(()) };
    let mut integrator = find("taylor").unwrap().build(&Options::default());
    let error = integrator.begin(&mut system, 0.0, &[1.0], 1.0).unwrap_err();
    assert!(matches!(error, IntegrationError::Unsuitable { method: "taylor", .. }));
}

#[test]
fn newton_says_so_when_there_is_no_solution() {
    // y = 1 + h/2 (1 + y²) · 10 has no real root for this step.
    for name in ["implicit-midpoint", "gauss4", "radau5"] {
        let mut system = Plain {
            len: 1,
            rate: |_: f64, y: &[f64], rate: &mut [f64]| {
                rate[0] = 10.0 * (1.0 + y[0] * y[0]);
                Ok(())
            },
        };
        let options = Options { step: Some(1.0), ..Options::default() };
        let mut integrator = begin(find(name).unwrap(), &options, &mut system, &[1.0], 2.0);
        let error = integrator.step(&mut system).unwrap_err();
        assert!(
            matches!(error, IntegrationError::NewtonFailed { time: 0.0, iterations, .. } if iterations > 1),
            "{name}: {error}"
        );
    }
}
