//! How constraints enter the equations of motion: each formulation a file and a catalogue row.
//!
//! `methods` has the formulations, `solvers` the linear systems and corrections they are made of, `tree` the
//! recursions along bodies that hang on each other.

mod base;
mod catalogue;
mod first_order;
mod input;
mod methods;
mod options;
mod solvers;
mod tree;
mod whole_motion;

pub use base::Base;
pub use catalogue::{Approximation, Entry, find, references_for, rigid, structural_base};
pub use catena_integrator::{Breakdown, Tangent};
pub use first_order::FirstOrder;
pub use input::FormulationInput;
pub use methods::FORMULATIONS;
pub use options::{OptionEntry, OptionValues};
pub use solvers::constraint_projection::ConstraintLevel;
pub use solvers::rhs_program::RhsProgram;
pub use whole_motion::WholeMotion;

use catena_compile::{Evaluator, Program};

/// The equations of motion as a first-order system of its own state y, by default (q, v, z).
pub trait Formulation: Send + Sync {
    /// Its input, and what it found last.
    fn base(&self) -> &Base;

    /// The same, to be written.
    fn base_mut(&mut self) -> &mut Base;

    /// ẏ; keeps the accelerations and multipliers it found.
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown>;

    /// ẏ of t, y and the parameters as a fused program with its `defect`, where it is a straight line that leaves nothing behind
    /// for later: [`Formulation::derivative`] with the same bits wherever the defect is 0. With the power of what is not
    /// conservative behind it, if that is asked for.
    fn rate_program(&self, _with_work: bool) -> Option<Program> {
        None
    }

    /// ∂ẏ/∂y, row by row, from the graph.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown>;

    /// The same for another thread: compiled functions are shared, everything else is copied.
    fn boxed_clone(&self) -> Box<dyn Formulation>;

    /// Ready for another motion with these parameters, in the order of the model: exactly as if it had just been
    /// built for them.
    fn begin(&mut self, parameters: &[f64]) {
        self.base_mut().begin(parameters);
    }

    /// Corrects a state, at the end of a step or between; returns whether it changed. Where it fails the state is
    /// left somewhere on the way.
    fn after_step(&mut self, _t: f64, _y: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }

    /// Takes off the estimated error of a state, up to any factor, what [`Formulation::after_step`] would take off the
    /// state itself: it is no error of the motion.
    fn discount_error(&mut self, _t: f64, _y: &[f64], _error: &mut [f64]) {}

    /// The length of y.
    fn state_len(&self) -> usize {
        self.base().state_len()
    }

    /// Names of the coordinates that y begins with, their rates behind them, where these are not the
    /// coordinates of the model.
    fn own_coordinates(&self) -> Option<&[String]> {
        None
    }

    /// The most that counts of the magnitude of each coordinate that y begins with where a tolerance is relative.
    fn magnitude_bounds(&self) -> Vec<f64> {
        self.base().input.magnitude_bounds()
    }

    /// y from coordinates, velocities and first-order states.
    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        let n = q.len();
        y[..n].copy_from_slice(q);
        y[n..2 * n].copy_from_slice(v);
        y[2 * n..2 * n + states.len()].copy_from_slice(states);
    }

    /// Coordinates, velocities and first-order states from y.
    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        let (n, k) = (q.len(), states.len());
        q.copy_from_slice(&y[..n]);
        v.copy_from_slice(&y[n..2 * n]);
        states.copy_from_slice(&y[2 * n..2 * n + k]);
    }

    /// What was unusual so far, in words.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Accelerations of the last [`Formulation::derivative`].
    fn accelerations(&self) -> &[f64] {
        &self.base().found.accelerations
    }

    /// Multipliers of the last [`Formulation::derivative`].
    fn multipliers(&self) -> &[f64] {
        &self.base().found.multipliers
    }

    /// The functions of the system, whose state anybody may change.
    fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.base_mut().input.evaluator
    }
}

impl Clone for Box<dyn Formulation> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
