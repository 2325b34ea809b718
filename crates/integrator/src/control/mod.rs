//! How long the next step is: one file for each kind of step control.

mod first_step;
pub(crate) mod fixed;
mod foreseen;
mod matlab;
pub(crate) mod pi;
pub(crate) mod predictive;
pub(crate) mod rule;
pub(crate) mod steered;

use crate::error::IntegrationError;
use crate::method::{Failure, Trial, Work};
use crate::norm::ErrorNorm;
use crate::span::{Proposal, TimeSpan};
use rule::{Memory, Rule};

/// Where an integration starts.
pub(crate) struct IntegrationStart<'a> {
    pub(crate) work: Work<'a>,
    pub(crate) span: TimeSpan,
    pub(crate) y: &'a [f64],
    /// f(t, y)
    pub(crate) rate: &'a [f64],
}

/// Chooses the lengths of steps.
pub(crate) trait StepControl: Send {
    /// Chooses the first step.
    fn begin(&mut self, start: &mut IntegrationStart<'_>) -> Result<(), IntegrationError>;

    /// How errors are measured; `None` if the step is not controlled.
    fn norm(&self) -> Option<&ErrorNorm>;

    /// The length and the number of steps, if they are fixed.
    fn fixed(&self) -> Option<(f64, u64)> {
        None
    }

    /// The rule and what it remembers, if others may go on with it for motions side by side.
    fn steering(&self) -> Option<(Rule, Memory<1>)> {
        None
    }

    /// The method promises that a step of this length is accurate.
    fn foresee(&mut self, _longest: f64) {}

    /// The next step to try.
    fn propose(&self, span: &TimeSpan) -> Proposal;

    /// A step of length h > 0 was accepted.
    fn accepted(&mut self, h: f64, trial: &Trial);

    /// The last step is taken back; the next one has this length, and is not followed by a longer one at once.
    fn retracted(&mut self, _h: f64) {}

    /// A step of length h > 0 failed. Returns whether a shorter one may be tried.
    fn rejected(&mut self, h: f64, failure: &Failure) -> bool;
}
