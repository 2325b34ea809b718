//! Attempts at steps of an explicit method as a whole, for systems whose rate is a straight line of operations: nothing goes
//! through memory between the stages.

use crate::explicit::ExplicitMethod;

/// A system that computes whole attempts. They have the bits of stages evaluated one by one.
pub trait WholeSteps {
    /// Makes whole attempts of a method ready for the motion that begins or goes on, if they are worth it: `staged` attempts
    /// were made stage by stage since it was last asked. Returns whether they are.
    fn prepare(&mut self, method: &'static ExplicitMethod, staged: u32) -> bool;

    /// Computes what [`crate::WholeAttempts`] says; returns whether y and its slope are finite and all stages have a rate. False,
    /// too, where what is ready is another method.
    fn attempt(&mut self, attempt: Attempt<'_>, found: &mut [f64]) -> bool;
}

/// An attempt at a step.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// Whose step it is.
    pub method: &'static ExplicitMethod,
    /// Its beginning, its signed length and its end, s.
    pub times: [f64; 3],
    /// y at its beginning.
    pub y: &'a [f64],
    /// f(t, y)
    pub rate: &'a [f64],
}
