//! Conformance, over the catalogue: ends, repetition, corrections, what is carried along.

mod problems;

use catena_integrator::{
    Breakdown, FirstOrderSystem, INTEGRATORS, Options, Partition, SeriesSystem, Tangent, find,
};
use problems::{Oscillator, begin, harmonic, pendulum, pushed_motion, pushed_pendulum, run};

fn options(adaptive: bool) -> Options {
    Options { step: (!adaptive).then_some(0.07), ..Options::default() }
}

#[test]
fn the_last_step_ends_exactly_at_the_end_and_further_ones_do_nothing() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        for fixed in [true, false] {
            let options = Options { step: fixed.then_some(0.07), ..Options::default() };
            let end = 1.0 + 1.0 / 3.0;
            let mut system = pendulum();
            let mut integrator = begin(entry, &options, &mut system, &[1.0, 0.0], end);
            let mut last = 0.0;
            run(&mut *integrator, &mut system, end, |integrator| {
                assert!(integrator.time() > last && integrator.time() <= end);
                assert_eq!(integrator.previous_time(), last);
                last = integrator.time();
            })
            .unwrap();
            let (statistics, state) = (integrator.statistics(), integrator.state().to_vec());
            integrator.step(&mut system).unwrap();
            assert_eq!(integrator.time(), end);
            assert_eq!(integrator.statistics(), statistics);
            assert_eq!(integrator.state(), state);
        }
    }
}

#[test]
fn fixed_steps_are_counted_not_added_up() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let options = Options { step: Some(0.1), ..Options::default() };
        let mut system = pendulum();
        let mut integrator = begin(entry, &options, &mut system, &[1.0, 0.0], 1.0);
        run(&mut *integrator, &mut system, 1.0, |_| {}).unwrap();
        assert_eq!(integrator.statistics().steps, 10, "{}", entry.name);
    }
    for entry in INTEGRATORS.iter().filter(|entry| !entry.adaptive && !entry.structural) {
        let mut system = pendulum();
        let mut integrator = begin(entry, &Options::default(), &mut system, &[1.0, 0.0], 1.0);
        run(&mut *integrator, &mut system, 1.0, |_| {}).unwrap();
        assert_eq!(integrator.statistics().steps, 1000, "{}", entry.name);
    }
}

#[test]
fn two_runs_are_equal_to_the_last_bit_even_with_a_used_integrator() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let options = options(entry.adaptive);
        let mut system = pushed_pendulum();
        let mut integrator = entry.build(&options);
        let mut trace = || {
            let mut bits = Vec::new();
            integrator.begin(&mut system, 0.0, &[0.5, 1.0], 5.0).unwrap();
            run(&mut *integrator, &mut system, 5.0, |integrator| {
                let mut middle = [0.0; 2];
                let (t0, t1) = (integrator.previous_time(), integrator.time());
                integrator.interpolate((t0 + t1) / 2.0, &mut middle);
                bits.push(integrator.time().to_bits());
                bits.extend(integrator.state().iter().chain(&middle).map(|y| y.to_bits()));
            })
            .unwrap();
            bits
        };
        assert_eq!(trace(), trace(), "{}", entry.name);
    }
}

#[test]
fn dense_output_is_exact_at_both_ends() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let mut system = pushed_pendulum();
        let mut integrator = begin(entry, &options(entry.adaptive), &mut system, &[0.5, 1.0], 2.0);
        let mut previous = integrator.state().to_vec();
        let mut y = [0.0; 2];
        integrator.interpolate(0.0, &mut y);
        assert_eq!(y, [0.5, 1.0]);
        run(&mut *integrator, &mut system, 2.0, |integrator| {
            integrator.interpolate(integrator.previous_time(), &mut y);
            assert_eq!(y[..], previous[..]);
            integrator.interpolate(integrator.time(), &mut y);
            assert_eq!(y[..], integrator.state()[..]);
            previous.copy_from_slice(integrator.state());
        })
        .unwrap();
    }
}

#[test]
fn time_may_run_backwards() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let mut system = pushed_pendulum();
        let mut integrator = entry.build(&Options { step: Some(1e-3), ..Options::default() });
        integrator.begin(&mut system, 2.0, &pushed_motion(2.0), 1.0).unwrap();
        run(&mut *integrator, &mut system, 1.0, |_| {}).unwrap();
        for (y, exact) in integrator.state().iter().zip(pushed_motion(1.0)) {
            assert!((y - exact).abs() < 2e-3, "{}", entry.name);
        }
        if entry.adaptive {
            let mut integrator = entry.build(&Options::default());
            integrator.begin(&mut system, 2.0, &pushed_motion(2.0), -1.0).unwrap();
            run(&mut *integrator, &mut system, -1.0, |_| {}).unwrap();
            assert!((integrator.state()[0] - pushed_motion(-1.0)[0]).abs() < 1e-4);
        }
    }
}

#[test]
fn an_interval_of_no_length_needs_no_steps() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let mut system = pendulum();
        let mut integrator = begin(entry, &Options::default(), &mut system, &[1.0, 0.0], 0.0);
        integrator.step(&mut system).unwrap();
        assert_eq!(integrator.statistics().steps, 0);
        assert_eq!(integrator.state(), [1.0, 0.0]);
    }
}

/// The harmonic oscillator, brought back to the unit circle after every step.
struct Projected(Oscillator);

impl FirstOrderSystem for Projected {
    fn len(&self) -> usize {
        2
    }
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.0.derivative(t, y, rate)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], k: Tangent, j: &mut [f64]) -> Result<(), Breakdown> {
        self.0.jacobian(t, y, k, j)
    }
    fn after_step(&mut self, _: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        let radius = y[0].hypot(y[1]);
        y[0] /= radius;
        y[1] /= radius;
        Ok(true)
    }
    fn partition(&self) -> Option<Partition> {
        self.0.partition()
    }
    fn series(&mut self) -> Option<&mut dyn SeriesSystem> {
        self.0.series()
    }
}

#[test]
fn a_corrected_state_is_the_one_that_goes_on() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let mut system = Projected(harmonic());
        let step = (!entry.adaptive).then_some(0.01);
        let options = Options { step, ..Options::default() };
        let mut integrator = begin(entry, &options, &mut system, &[1.0, 0.0], 10.0);
        let mut y = [0.0; 2];
        run(&mut *integrator, &mut system, 10.0, |integrator| {
            let state = integrator.state();
            assert!((state[0].hypot(state[1]) - 1.0).abs() < 1e-15);
            let h = integrator.time() - integrator.previous_time();
            integrator.interpolate(integrator.time() - 1e-9 * h, &mut y);
            assert!((y[0] - state[0]).abs() < 1e-8, "{}: a jump at the end", entry.name);
        })
        .unwrap();
        let error = (integrator.state()[0] - 10.0_f64.cos()).abs();
        assert!(error < 10.0 * 0.01_f64.powi(entry.order as i32).max(1e-5), "{}", entry.name);
    }
    // One evaluation more than usual, and two for dense output: the stored last stage was dropped.
    let mut system = Projected(harmonic());
    let options = Options { first_step: Some(0.1), ..Options::default() };
    let mut integrator = begin(find("dopri5").unwrap(), &options, &mut system, &[1.0, 0.0], 10.0);
    run(&mut *integrator, &mut system, 10.0, |_| {}).unwrap();
    let statistics = integrator.statistics();
    assert_eq!(statistics.evaluations, 1 + 9 * statistics.steps + 6 * statistics.rejected);
}

/// The pushed pendulum, with a wild quadrature carried along.
struct Carrying(Oscillator);

impl FirstOrderSystem for Carrying {
    fn len(&self) -> usize {
        3
    }
    fn controlled_len(&self) -> usize {
        2
    }
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.0.derivative(t, &y[..2], &mut rate[..2])?;
        rate[2] = 1e6 * y[1] * (100.0 * y[0]).sin();
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], k: Tangent, j: &mut [f64]) -> Result<(), Breakdown> {
        let mut inner = [0.0; 4];
        self.0.jacobian(t, &y[..2], k, &mut inner)?;
        let (sine, cosine) = (100.0 * y[0]).sin_cos();
        j.copy_from_slice(&[
            inner[0],
            inner[1],
            0.0,
            inner[2],
            inner[3],
            0.0,
            1e8 * y[1] * cosine,
            1e6 * sine,
            0.0,
        ]);
        Ok(())
    }
    fn after_step(&mut self, _: f64, _: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }
    fn partition(&self) -> Option<Partition> {
        self.0.partition()
    }
    fn series(&mut self) -> Option<&mut dyn SeriesSystem> {
        Some(self)
    }
}

impl SeriesSystem for Carrying {
    fn prepare(&mut self, order: usize) -> Result<(), &'static str> {
        self.0.prepare(order)
    }
    fn coefficients(&mut self, t: f64, y: &[f64], coefficients: &mut [f64]) {
        let acceleration = self.0.series;
        self.0.expansion.solve(t, y, coefficients, |t, y, rate| {
            (rate[0], rate[1]) = (y[1], acceleration(t, y[0]));
            rate[2] = y[1] * (y[0] * 100.0).sin() * 1e6;
        });
    }
}

#[test]
fn what_is_carried_along_does_not_steer_the_steps() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        let options = options(entry.adaptive);
        let (mut plain, mut carrying) = (pushed_pendulum(), Carrying(pushed_pendulum()));
        let mut a = begin(entry, &options, &mut plain, &[0.5, 1.0], 5.0);
        let mut b = begin(entry, &options, &mut carrying, &[0.5, 1.0, 0.0], 5.0);
        run(&mut *a, &mut plain, 5.0, |_| {}).unwrap();
        run(&mut *b, &mut carrying, 5.0, |_| {}).unwrap();
        let (steps, with) = (a.statistics().steps, b.statistics().steps);
        assert!(steps.abs_diff(with) * 20 <= steps, "{}: {steps}, {with}", entry.name);
    }
}

#[test]
fn evaluations_per_step_are_those_of_the_tableau_and_of_dense_output() {
    let expected = [
        ("euler", 1),
        ("heun", 2),
        ("midpoint", 2),
        ("rk4", 5),
        ("bs23", 3),
        ("dopri5", 8),
        ("ode45", 6),
        ("tsit5", 8),
        ("dop853", 15),
        ("taylor", 2),
        ("symplectic-euler", 1),
        ("leapfrog", 1),
    ];
    for entry in INTEGRATORS.iter().filter(|entry| entry.lanes().is_some()) {
        assert!(expected.iter().any(|(name, _)| *name == entry.name), "{} is missing", entry.name);
    }
    for (name, per_step) in expected {
        let options = Options { step: Some(0.05), ..Options::default() };
        let mut system = pendulum();
        let mut integrator = begin(find(name).unwrap(), &options, &mut system, &[1.0, 0.0], 1.0);
        run(&mut *integrator, &mut system, 1.0, |_| {}).unwrap();
        assert_eq!(integrator.statistics().evaluations, 1 + 20 * per_step, "{name}");
    }
    for (name, without_dense_output) in [("rk4", 4), ("dopri5", 6), ("tsit5", 6), ("dop853", 12)] {
        let options = Options { step: Some(0.05), ..Options::default() };
        let mut system = pendulum();
        let mut integrator = find(name).unwrap().build(&options);
        integrator.begin(&mut system, 0.0, &[1.0, 0.0], 1.0).unwrap();
        while integrator.time() < 1.0 {
            integrator.step(&mut system).unwrap();
        }
        assert_eq!(integrator.statistics().evaluations, 1 + 20 * without_dense_output, "{name}");
    }
}
