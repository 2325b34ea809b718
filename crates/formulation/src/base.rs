//! What every formulation has: its input, and what it found last.

use crate::{Breakdown, FormulationInput};
use catena_compile::Sizes;

/// Accelerations, multipliers and rates of first-order states.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// v̇
    pub(crate) accelerations: Vec<f64>,
    /// λ
    pub(crate) multipliers: Vec<f64>,
    /// ż
    pub(crate) state_rates: Vec<f64>,
}

impl Solution {
    /// Room for a system of this size, filled with zeros.
    pub(crate) fn new(sizes: Sizes) -> Solution {
        Solution {
            accelerations: vec![0.0; sizes.coordinates],
            multipliers: vec![0.0; sizes.constraints],
            state_rates: vec![0.0; sizes.states],
        }
    }

    /// Zeros again, as if nothing had been found yet.
    pub(crate) fn clear(&mut self) {
        for found in [&mut self.accelerations, &mut self.multipliers, &mut self.state_rates] {
            found.fill(0.0);
        }
    }
}

/// What every formulation has.
#[derive(Clone)]
pub struct Base {
    /// Written by the caller and by every evaluation: the state is in its evaluator.
    pub(crate) input: FormulationInput,
    /// Written by the last [`crate::Formulation::derivative`].
    pub(crate) found: Solution,
}

impl Base {
    pub(crate) fn new(input: FormulationInput) -> Base {
        Base { found: Solution::new(input.evaluator.sizes()), input }
    }

    /// What the formulation was built from, with the parameters of the motion.
    pub fn input(&self) -> &FormulationInput {
        &self.input
    }

    /// Other parameters, nothing found yet.
    pub(crate) fn begin(&mut self, parameters: &[f64]) {
        self.input.begin(parameters);
        self.found.clear();
    }

    /// The length of y = (q, v, z).
    pub(crate) fn state_len(&self) -> usize {
        let sizes = self.input.evaluator.sizes();
        2 * sizes.coordinates + sizes.states
    }

    /// ẏ = (v, v̇, ż) for y = (q, v, z), if what was found is finite.
    pub(crate) fn fill_rate(&self, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let Solution { accelerations, state_rates, .. } = &self.found;
        self.input.check_finite(accelerations, state_rates)?;
        let n = accelerations.len();
        rate[..n].copy_from_slice(&y[n..2 * n]);
        rate[n..2 * n].copy_from_slice(accelerations);
        rate[2 * n..2 * n + state_rates.len()].copy_from_slice(state_rates);
        Ok(())
    }
}

/// The rows of ∂ẏ/∂y, y = (q, v, z) of this size, that need no solution: q̇ = v and ż.
pub(crate) fn fill_plain_rows(n: usize, size: usize, states: &[f64], jacobian: &mut [f64]) {
    jacobian[..n * size].fill(0.0);
    for row in 0..n {
        jacobian[row * size + n + row] = 1.0;
    }
    jacobian[2 * n * size..][..states.len()].copy_from_slice(states);
}
