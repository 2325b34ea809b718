//! Problems with known solutions, shared by the tests of this folder. Each knows its rate and the power series of it.
#![allow(dead_code, reason = "each test file uses some of them")]

pub(crate) mod series;

use catena_integrator::{
    Breakdown, Entry, FirstOrderSystem, IntegrationError, Integrator, Options, Partition,
    SeriesSystem, Tangent,
};
use series::{Expansion, Series};

/// q̈ = a(t, q) with one position: a separable system.
pub(crate) struct Oscillator {
    pub(crate) acceleration: fn(f64, f64) -> f64,
    /// ∂a/∂q
    pub(crate) stiffness: fn(f64, f64) -> f64,
    /// a of the series of t and q.
    pub(crate) series: fn(Series, Series) -> Series,
    pub(crate) expansion: Expansion,
}

/// q̈ = a(t, q) with its stiffness and its series.
pub(crate) fn oscillator(
    acceleration: fn(f64, f64) -> f64,
    stiffness: fn(f64, f64) -> f64,
    series: fn(Series, Series) -> Series,
) -> Oscillator {
    Oscillator { acceleration, stiffness, series, expansion: Expansion::default() }
}

/// q̈ = −q
pub(crate) fn harmonic() -> Oscillator {
    oscillator(|_, q| -q, |_, _| -1.0, |_, q| q * -1.0)
}

/// q̈ = −sin q
pub(crate) fn pendulum() -> Oscillator {
    oscillator(|_, q| -q.sin(), |_, q| -q.cos(), |_, q| q.sin() * -1.0)
}

/// A fast pendulum pushed so that q = ½ + sin t, whatever the step: nonlinear and non-autonomous.
pub(crate) fn pushed_pendulum() -> Oscillator {
    oscillator(
        |t, q| 20.0 * ((0.5 + t.sin()).sin() - q.sin()) - t.sin(),
        |_, q| -20.0 * q.cos(),
        |t, q| {
            let moved = (t.sin() + Series::constant(0.5)).sin();
            (moved + q.sin() * -1.0) * 20.0 + t.sin() * -1.0
        },
    )
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
    fn series(&mut self) -> Option<&mut dyn SeriesSystem> {
        Some(self)
    }
}

impl SeriesSystem for Oscillator {
    fn prepare(&mut self, order: usize) -> Result<(), &'static str> {
        self.expansion.order = order;
        Ok(())
    }
    fn coefficients(&mut self, t: f64, y: &[f64], coefficients: &mut [f64]) {
        let acceleration = self.series;
        self.expansion.solve(t, y, coefficients, |t, y, rate| {
            (rate[0], rate[1]) = (y[1], acceleration(t, y[0]));
        });
    }
}

/// A system given by its right-hand side; its Jacobian is taken by differences.
pub(crate) struct Plain<F> {
    pub(crate) len: usize,
    pub(crate) rate: F,
}

/// The same with the rate of the series of t and y.
pub(crate) struct WithSeries<F, S> {
    pub(crate) plain: Plain<F>,
    pub(crate) series: S,
    pub(crate) expansion: Expansion,
}

impl<F> Plain<F> {
    pub(crate) fn with_series<S>(self, series: S) -> WithSeries<F, S>
    where
        S: Fn(Series, &[Series], &mut [Series]),
    {
        WithSeries { plain: self, series, expansion: Expansion::default() }
    }
}

impl<F, S> FirstOrderSystem for WithSeries<F, S>
where
    F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), Breakdown>,
    S: Fn(Series, &[Series], &mut [Series]),
{
    fn len(&self) -> usize {
        self.plain.len
    }
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.plain.derivative(t, y, rate)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], k: Tangent, j: &mut [f64]) -> Result<(), Breakdown> {
        self.plain.jacobian(t, y, k, j)
    }
    fn after_step(&mut self, _: f64, _: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }
    fn partition(&self) -> Option<Partition> {
        None
    }
    fn series(&mut self) -> Option<&mut dyn SeriesSystem> {
        Some(self)
    }
}

impl<F, S: Fn(Series, &[Series], &mut [Series])> SeriesSystem for WithSeries<F, S> {
    fn prepare(&mut self, order: usize) -> Result<(), &'static str> {
        self.expansion.order = order;
        Ok(())
    }
    fn coefficients(&mut self, t: f64, y: &[f64], coefficients: &mut [f64]) {
        self.expansion.solve(t, y, coefficients, &self.series);
    }
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
