//! An integrator of one's own, Ralston's method, under Catena's driver: rows, events and certificate come with it.

use catena::integrator::{Entry, FirstOrderSystem, IntegrationError, Integrator, Statistics};
use catena::simulation::{Host, RunPlan};
use catena::{Model, RunSettings};

static RALSTON: Entry = Entry::custom("ralston", 2, |options| {
    Box::new(Ralston { step: options.step.unwrap_or(0.01), ..Ralston::default() })
});

#[derive(Default)]
struct Ralston {
    step: f64,
    end: f64,
    /// Both ends of the last step, with state and rate there.
    times: [f64; 2],
    states: [Vec<f64>; 2],
    rates: [Vec<f64>; 2],
    slope: Vec<f64>,
    statistics: Statistics,
}

impl Integrator for Ralston {
    fn begin(
        &mut self,
        system: &mut dyn FirstOrderSystem,
        t: f64,
        y: &[f64],
        t_end: f64,
    ) -> Result<(), IntegrationError> {
        (self.end, self.times, self.statistics) = (t_end, [t; 2], Statistics::default());
        self.states = [y.to_vec(), y.to_vec()];
        self.rates = [vec![0.0; y.len()], vec![0.0; y.len()]];
        self.slope = vec![0.0; y.len()];
        let found = system.derivative(t, y, &mut self.rates[1]);
        found.map_err(|source| IntegrationError::Breakdown { time: t, source })
    }

    /// k₁ = f(t, y), k₂ = f(t + ⅔h, y + ⅔h k₁), y + h (k₁ + 3k₂)/4
    fn step(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        let t = self.times[1];
        // the last step ends exactly at the end
        let is_last = t + self.step * (1.0 + 1e-9) >= self.end;
        let t_new = if is_last { self.end } else { t + self.step };
        let (h, broken) = (t_new - t, |source| IntegrationError::Breakdown { time: t, source });
        self.states.swap(0, 1);
        self.rates.swap(0, 1);
        let ([y, y_new], [rate, rate_new]) = (&mut self.states, &mut self.rates);
        for i in 0..y.len() {
            y_new[i] = y[i] + h * rate[i] * 2.0 / 3.0;
        }
        system.derivative(t + h * 2.0 / 3.0, y_new, &mut self.slope).map_err(broken)?;
        for i in 0..y.len() {
            y_new[i] = y[i] + h * (rate[i] + 3.0 * self.slope[i]) / 4.0;
        }
        // where a formulation projects, the state returns to the constraints here
        system.after_step(t_new, y_new).map_err(broken)?;
        system.derivative(t_new, y_new, rate_new).map_err(broken)?;
        self.times = [t, t_new];
        self.statistics.steps += 1;
        self.statistics.evaluations += 2;
        Ok(())
    }

    fn time(&self) -> f64 {
        self.times[1]
    }

    fn previous_time(&self) -> f64 {
        self.times[0]
    }

    fn state(&self) -> &[f64] {
        &self.states[1]
    }

    fn prepare_dense(&mut self, _: &mut dyn FirstOrderSystem) {}

    /// Hermite's cubic through both ends.
    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let ([y0, y1], [f0, f1]) = (&self.states, &self.rates);
        let h = self.times[1] - self.times[0];
        let x = if h > 0.0 { (t - self.times[0]) / h } else { 1.0 };
        for i in 0..y.len() {
            let bend = (1.0 - 2.0 * x) * (y1[i] - y0[i]) + h * ((x - 1.0) * f0[i] + x * f1[i]);
            y[i] = (1.0 - x) * y0[i] + x * y1[i] + x * (x - 1.0) * bend;
        }
    }

    fn reactions(&self, _: f64, _: &mut [f64], _: &mut [f64]) -> bool {
        false
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

/// The largest error of x = cos t in the rows of a run.
fn error(oscillator: &Model, step: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let settings = RunSettings { step: Some(step), t_end: Some(10.0), ..RunSettings::default() };
    let mut plan = RunPlan::new(oscillator, &settings, &oscillator.run)?;
    plan.options.integrator = &RALSTON;
    let run = plan.run(oscillator, &mut Host::new(&mut || 0.0, &mut |_| false))?;
    let c = &run.certificate;
    println!("{}: {} steps, balance {:.1e} J", c.integrator, c.statistics.steps, c.energy_residual);
    let [times, positions] = ["t", "x"].map(|name| run.table.numbers(name).unwrap_or_default());
    let errors = times.iter().zip(positions).map(|(t, x)| (x - t.cos()).abs());
    Ok(errors.fold(0.0, f64::max))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let oscillator = Model::builder("Mass on a spring")
        .coordinate("x", "from where the spring is at ease")
        .kinetic("1/2*x'^2")
        .potential("1/2*x^2")
        .initial("x", 1)
        .initial("x'", 0)
        .build()?;
    let (coarse, fine) = (error(&oscillator, 0.02)?, error(&oscillator, 0.01)?);
    println!("with half the step the error falls from {coarse:.1e} to {fine:.1e}");
    assert!(fine < 1e-3 && (3.9..4.1).contains(&(coarse / fine)), "a method of order 2");
    Ok(())
}
