//! Explicit Runge–Kutta methods: each is a tableau and a step control, one engine serves all.

pub(crate) mod bs23;
pub(crate) mod dop853;
mod dop853_coefficients;
pub(crate) mod dopri5;
pub(crate) mod euler;
pub(crate) mod heun;
pub(crate) mod midpoint;
pub(crate) mod ode45;
pub(crate) mod rk4;
mod runge_kutta;
pub(crate) mod tableau;
pub(crate) mod tsit5;

use crate::control::StepControl;
use crate::control::fixed::Fixed;
use crate::control::pi::{Gains, Pi};
use crate::integrator::Integrator;
use crate::options::Options;
use crate::stepper::Stepper;
use runge_kutta::RungeKutta;
use tableau::Tableau;

/// A tableau with its step control.
#[derive(Debug)]
pub struct ExplicitMethod {
    pub(crate) tableau: &'static Tableau,
    pub(crate) control: fn(&Options) -> Box<dyn StepControl>,
}

/// Fixed steps where a step is asked for, else steps that follow the error.
fn controlled(options: &Options, gains: Gains) -> Box<dyn StepControl> {
    match options.step {
        Some(_) => Fixed::boxed(options),
        None => Pi::boxed(options, gains),
    }
}

impl ExplicitMethod {
    fn build(&self, options: &Options) -> Box<dyn Integrator> {
        Stepper::build(options, RungeKutta::new(self.tableau), (self.control)(options))
    }
}
