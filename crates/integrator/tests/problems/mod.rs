//! Problems with known solutions, shared by the tests of this folder.
#![allow(dead_code, reason = "each test file uses some of them")]

use catena_integrator::{
    Breakdown, Entry, FirstOrderSystem, IntegrationError, Integrator, Options, Partition, Tangent,
};

/// q̈ = a(t, q) with one position: a separable system.
pub(crate) struct Oscillator {
    pub(crate) acceleration: fn(f64, f64) -> f64,
    /// ∂a/∂q
    pub(crate) stiffness: fn(f64, f64) -> f64,
}

/// q̈ = −sin q
pub(crate) fn pendulum() -> Oscillator {
    Oscillator { acceleration: |_, q| -q.sin(), stiffness: |_, q| -q.cos() }
}

/// A fast pendulum pushed so that q = ½ + sin t, whatever the step: nonlinear and non-autonomous.
pub(crate) fn pushed_pendulum() -> Oscillator {
    Oscillator {
        acceleration: |t, q| 20.0 * ((0.5 + t.sin()).sin() - q.sin()) - t.sin(),
        stiffness: |_, q| -20.0 * q.cos(),
    }
}

/// The motion of [`pushed_pendulum`] from (½, 1).
pub(crate) fn pushed_motion(t: f64) -> [f64; 2] {
    [0.5 + t.sin(), t.cos()]
}

impl FirstOrderSystem for Oscillator {
    fn len(&self) -> usize {
        2
    }
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        rate[0] = y[1];
        rate[1] = (self.acceleration)(t, y[0]);
        Ok(())
    }
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        jacobian.copy_from_slice(&[0.0, 1.0, (self.stiffness)(t, y[0]), 0.0]);
        Ok(())
    }
    fn after_step(&mut self, _: f64, _: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }
    fn partition(&self) -> Option<Partition> {
        Some(Partition { positions: 1, separable: true })
    }
}

/// A system given by its right-hand side; its Jacobian is taken by differences.
pub(crate) struct Plain<F> {
    pub(crate) len: usize,
    pub(crate) rate: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), Breakdown>> FirstOrderSystem for Plain<F> {
    fn len(&self) -> usize {
        self.len
    }
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        (self.rate)(t, y, rate)
    }
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        let n = self.len;
        let (mut point, mut above, mut below) = (y.to_vec(), vec![0.0; n], vec![0.0; n]);
        for column in 0..n {
            let change = 1e-6 * y[column].abs().max(1e-3);
            point[column] = y[column] + change;
            (self.rate)(t, &point, &mut above)?;
            point[column] = y[column] - change;
            (self.rate)(t, &point, &mut below)?;
            point[column] = y[column];
            for row in 0..n {
                jacobian[row * n + column] = (above[row] - below[row]) / (2.0 * change);
            }
        }
        Ok(())
    }
    fn after_step(&mut self, _: f64, _: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }
    fn partition(&self) -> Option<Partition> {
        None
    }
}

/// The pendulum of unit frequency let go at the given angle: q = 2 arcsin(k sn(K − t)), sn by Landen's descent.
pub(crate) fn pendulum_motion(angle: f64, t: f64) -> [f64; 2] {
    let k = (angle / 2.0).sin();
    let (mut a, mut b, mut c) = (vec![1.0], (1.0 - k * k).sqrt(), vec![k]);
    while c[c.len() - 1].abs() > 1e-17 {
        let last = a[a.len() - 1];
        c.push((last - b) / 2.0);
        a.push((last + b) / 2.0);
        b = (last * b).sqrt();
    }
    let n = a.len() - 1;
    let quarter = std::f64::consts::FRAC_PI_2 / a[n];
    let mut phi = (1u64 << n) as f64 * a[n] * (quarter - t);
    for i in (1..=n).rev() {
        phi = (phi + (c[i] / a[i] * phi.sin()).asin()) / 2.0;
    }
    let sn = phi.sin();
    // q̇ from energy is blind to its sign; cn gives it: q̇ = −2 k cn.
    [2.0 * (k * sn).asin(), -2.0 * k * phi.cos()]
}

/// Begins an integration, or panics.
pub(crate) fn begin(
    entry: &Entry,
    options: &Options,
    system: &mut dyn FirstOrderSystem,
    y: &[f64],
    t_end: f64,
) -> Box<dyn Integrator> {
    let mut integrator = entry.build(options);
    integrator.begin(system, 0.0, y, t_end).unwrap();
    integrator
}

/// Runs to the end, looking at each step.
pub(crate) fn run(
    integrator: &mut dyn Integrator,
    system: &mut dyn FirstOrderSystem,
    t_end: f64,
    mut look: impl FnMut(&dyn Integrator),
) -> Result<(), IntegrationError> {
    while integrator.time() != t_end {
        integrator.step(system)?;
        integrator.prepare_dense(system);
        look(integrator);
    }
    Ok(())
}
