//! Methods that sum the power series of solutions.

mod rough_power;
mod stability;
pub(crate) mod step_rule;
pub(crate) mod taylor;
