//! What an integrator moves: a first-order system.

pub use catena_formulation::{Breakdown, Tangent};

/// How a system is made of positions and velocities, for methods that treat them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// y begins with this many positions q and as many velocities v, and q̇ = v.
    pub positions: usize,
    /// Whether v̇ depends on t and q alone.
    pub separable: bool,
}

/// A first-order system ẏ = f(t, y).
pub trait FirstOrderSystem {
    /// The length of y.
    fn len(&self) -> usize;

    /// Whether y has no components.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Components from here on are carried along (quadratures) and do not steer the step.
    fn controlled_len(&self) -> usize {
        self.len()
    }

    /// f(t, y)
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown>;

    /// ∂f/∂y, row by row.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown>;

    /// Corrects a state that was accepted; returns whether it changed.
    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown>;

    /// Positions and velocities, if y is made of them.
    fn partition(&self) -> Option<Partition>;
}
