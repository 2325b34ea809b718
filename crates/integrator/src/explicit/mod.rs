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
mod slope_sums;
pub(crate) mod tableau;
pub(crate) mod tsit5;

use crate::control::StepControl;
use crate::control::fixed::Fixed;
use crate::control::pi::PiGains;
use crate::control::rule::Rule;
use crate::control::steered::Steered;
use crate::integrator::Integrator;
use crate::options::Options;
use crate::stepper::Stepper;
use runge_kutta::RungeKutta;
use tableau::Tableau;

/// A tableau with its step control.
#[derive(Debug)]
pub struct ExplicitMethod {
    pub(crate) tableau: &'static Tableau,
    control: ControlRule,
}

/// How a method chooses its step where none is asked for.
#[derive(Debug)]
enum ControlRule {
    /// Not at all.
    Fixed,
    /// By the error of this step and of the last.
    Pi(PiGains),
    /// As MATLAB does.
    Matlab,
}

impl ExplicitMethod {
    /// Whether the error is controlled where no step is asked for.
    pub(crate) const fn is_adaptive(&self) -> bool {
        !matches!(self.control, ControlRule::Fixed)
    }

    /// Where the stages stand in the step, their weights row by row, and those of the new state.
    pub fn stages(&self) -> (&'static [f64], &'static [&'static [f64]], &'static [f64]) {
        (self.tableau.c, self.tableau.a, self.tableau.b)
    }

    /// The weights of one error estimate, or of two that are joined; those with one entry more than there are stages reach
    /// the slope at the new state.
    pub fn estimates(&self) -> Vec<&'static [f64]> {
        self.tableau.estimate.weights()
    }

    /// Stages behind the slope at the new state, for dense output: where they stand in the step, and their weights.
    pub fn extra_stages(&self) -> Vec<(f64, &'static [f64])> {
        self.tableau.extra.iter().map(|extra| (extra.c, extra.a)).collect()
    }

    /// Rows of dense output behind the cubic through both ends, as weights of all slopes.
    pub fn dense_weights(&self) -> &'static [&'static [f64]] {
        self.tableau.dense
    }

    /// The constants of proportional–integral step control, if the method has it.
    pub fn pi_gains(&self) -> Option<PiGains> {
        match self.control {
            ControlRule::Pi(gains) => Some(gains),
            ControlRule::Fixed | ControlRule::Matlab => None,
        }
    }

    /// The step control: fixed where a step is asked for.
    pub(crate) fn control(&self, options: &Options) -> Box<dyn StepControl> {
        match self.control {
            _ if options.step.is_some() => Fixed::boxed(options),
            ControlRule::Fixed => Fixed::boxed(options),
            ControlRule::Pi(gains) => Steered::boxed(options, Rule::Pi(gains)),
            ControlRule::Matlab => Steered::boxed(options, Rule::Matlab),
        }
    }

    pub(crate) fn build(&'static self, options: &Options) -> Box<dyn Integrator> {
        Stepper::build(options, RungeKutta::new(self), self.control(options))
    }
}
