//! What an integrator moves: a first-order system.

use crate::breakdown::Breakdown;
use crate::tangent::Tangent;
use crate::whole_steps::WholeSteps;

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

    /// The size that errors of the components carried along are measured against, where they are to count at all: the
    /// energy of a system, for the work done on it. They then hold back steps that would spoil them, as in a system
    /// that a drive leaves at rest.
    fn carried_size(&self) -> Option<f64> {
        None
    }

    /// The most that counts of a component's magnitude where its tolerance is relative. The error of an angle does not
    /// matter less after a thousand turns.
    fn magnitude_bound(&self, _component: usize) -> f64 {
        f64::INFINITY
    }

    /// What a component of y is called in messages.
    fn component_name(&self, component: usize) -> String {
        format!("component {component}")
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

    /// Takes off the estimated error of a state what [`FirstOrderSystem::after_step`] would take off the state itself.
    fn discount_error(&mut self, _t: f64, _y: &[f64], _error: &mut [f64]) {}

    /// Positions and velocities, if y is made of them.
    fn partition(&self) -> Option<Partition>;

    /// The power series of its solutions, where the rate is known as formulas.
    fn series(&mut self) -> Option<&mut dyn SeriesSystem> {
        None
    }

    /// Whole steps of explicit methods, where the rate is known as formulas.
    fn whole_steps(&mut self) -> Option<&mut dyn WholeSteps> {
        None
    }

    /// Numbers of coordinates and constraints, if y = (q, v) and the equations of motion can be had.
    fn constrained_sizes(&self) -> Option<(usize, usize)> {
        None
    }

    /// The equations of motion themselves.
    fn constrained(&mut self) -> Option<&mut dyn ConstrainedSystem> {
        None
    }
}

/// Power series $y(t+\tau)=\sum y_k\tau^k$ of solutions.
pub trait SeriesSystem {
    /// Makes coefficients up to this order ready, or says why there are none, in words that follow "it cannot be integrated:".
    fn prepare(&mut self, order: usize) -> Result<(), &'static str>;

    /// Writes y₁, y₂ … up to the order that was prepared, one after the other, of the solution through (t, y).
    fn coefficients(&mut self, t: f64, y: &[f64], coefficients: &mut [f64]);
}

/// M a + Φqᵀλ = Q with Φ = 0, for methods that advance it as it is.
pub trait ConstrainedSystem {
    /// M a + Φqᵀλ − Q, and behind it Φ.
    fn residual(
        &mut self,
        state: &ConstrainedState<'_>,
        residual: &mut [f64],
    ) -> Result<(), Breakdown>;

    /// The derivatives of the residual.
    fn tangents(
        &mut self,
        state: &ConstrainedState<'_>,
        tangents: &mut ConstrainedTangents,
    ) -> Result<(), Breakdown>;

    /// Φ̇ and Φ̈ at the state.
    fn rates(&mut self, state: &ConstrainedState<'_>, first: &mut [f64], second: &mut [f64]);

    /// The power of what is not conservative.
    fn power(&mut self, state: &ConstrainedState<'_>) -> f64;

    /// The multipliers of the last [`FirstOrderSystem::derivative`].
    fn last_multipliers(&self) -> &[f64];
}

/// A state with its reactions.
#[derive(Clone, Copy, Debug)]
pub struct ConstrainedState<'a> {
    /// s
    pub t: f64,
    /// q
    pub q: &'a [f64],
    /// v
    pub v: &'a [f64],
    /// a
    pub accelerations: &'a [f64],
    /// λ
    pub multipliers: &'a [f64],
}

/// Derivatives of the residual, row by row.
#[derive(Clone, Debug, Default)]
pub struct ConstrainedTangents {
    /// By a: M.
    pub mass: Vec<f64>,
    /// By v.
    pub damping: Vec<f64>,
    /// By q.
    pub stiffness: Vec<f64>,
    /// Φq
    pub jacobian: Vec<f64>,
}

impl ConstrainedTangents {
    /// Room for n coordinates and m constraints.
    pub fn resize(&mut self, n: usize, m: usize) {
        for (buffer, size) in [
            (&mut self.mass, n * n),
            (&mut self.damping, n * n),
            (&mut self.stiffness, n * n),
            (&mut self.jacobian, m * n),
        ] {
            buffer.clear();
            buffer.resize(size, 0.0);
        }
    }
}
