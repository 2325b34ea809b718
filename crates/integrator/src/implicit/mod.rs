//! Implicit methods: each step solves equations with Newton's method and a dense matrix.

pub(crate) mod gauss4;
pub(crate) mod implicit_midpoint;
pub(crate) mod newton;
pub(crate) mod radau5;
