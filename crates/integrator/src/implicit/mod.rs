//! Implicit methods: each step solves equations with Newton's method and a dense matrix.

mod complex;
pub(crate) mod gauss4;
pub(crate) mod implicit_midpoint;
mod lu;
mod newton;
pub(crate) mod radau5;
