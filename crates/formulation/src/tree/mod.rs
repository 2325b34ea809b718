//! Articulated bodies: recursions along chains and trees of bodies, and the closure of their loops.

pub(crate) mod chain;
pub(crate) mod chain_recursion;
pub(crate) mod chain_rhs_program;
pub(crate) mod coordinates;
pub(crate) mod functions;
pub(crate) mod loop_closure;
pub(crate) mod mechanism;
pub(crate) mod planar;
pub(crate) mod recursion;
pub(crate) mod tangent;
