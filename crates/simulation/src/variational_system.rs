//! A motion and its variational equations as one first-order system.
//!
//! # Equations
//! $\dot y = f(t,y) + \varepsilon\,(0, v, 0)$ and, for each tangent vector, $\dot w = J w$ with the Jacobian J of that
//! right-hand side, from the graph.

use catena_formulation::Formulation;
use catena_integrator::{Breakdown, FirstOrderSystem, Partition, Tangent};
use catena_linear::dot;

/// The motion and its variational equations as one first-order system.
pub(crate) struct VariationalSystem {
    pub(crate) formulation: Box<dyn Formulation>,
    /// N
    pub(crate) size: usize,
    coordinates: usize,
    /// How many tangent vectors are moved.
    pub(crate) vectors: usize,
    /// ε of ε v, 1/s.
    pub(crate) unfolding: f64,
    magnitude_bounds: Vec<f64>,
    /// ∂f/∂y, row by row.
    pub(crate) jacobian: Vec<f64>,
}

impl Clone for VariationalSystem {
    fn clone(&self) -> Self {
        VariationalSystem {
            formulation: self.formulation.boxed_clone(),
            size: self.size,
            coordinates: self.coordinates,
            vectors: self.vectors,
            unfolding: self.unfolding,
            magnitude_bounds: self.magnitude_bounds.clone(),
            jacobian: self.jacobian.clone(),
        }
    }
}

impl VariationalSystem {
    pub(crate) fn new(mut formulation: Box<dyn Formulation>) -> VariationalSystem {
        let size = formulation.state_len();
        VariationalSystem {
            size,
            coordinates: formulation.evaluator().sizes().coordinates,
            vectors: 0,
            unfolding: 0.0,
            magnitude_bounds: formulation.magnitude_bounds(),
            jacobian: vec![0.0; size * size],
            formulation,
        }
    }

    fn velocities(&self) -> std::ops::Range<usize> {
        self.coordinates..2 * self.coordinates
    }

    pub(crate) fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.formulation.derivative(t, y, rate)?;
        if self.unfolding != 0.0 {
            self.velocities().for_each(|at| rate[at] += self.unfolding * y[at]);
        }
        Ok(())
    }

    /// Writes ∂f/∂y into `jacobian`.
    pub(crate) fn linearise(&mut self, t: f64, y: &[f64]) -> Result<(), Breakdown> {
        self.formulation.jacobian(t, y, Tangent::Full, &mut self.jacobian)?;
        if self.unfolding != 0.0 {
            let places = self.velocities().map(|at| at * self.size + at);
            places.for_each(|at| self.jacobian[at] += self.unfolding);
        }
        Ok(())
    }
}

impl FirstOrderSystem for VariationalSystem {
    fn len(&self) -> usize {
        self.size * (1 + self.vectors)
    }

    fn magnitude_bound(&self, component: usize) -> f64 {
        self.magnitude_bounds.get(component).copied().unwrap_or(f64::INFINITY)
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.size;
        self.rate(t, &y[..n], &mut rate[..n])?;
        if self.vectors == 0 {
            return Ok(());
        }
        self.linearise(t, &y[..n])?;
        let vectors = y[n..].chunks_exact(n).zip(rate[n..].chunks_exact_mut(n));
        for (vector, rate) in vectors {
            for (entry, row) in rate.iter_mut().zip(self.jacobian.chunks_exact(n)) {
                *entry = dot(row, vector);
            }
        }
        Ok(())
    }

    /// A block of ∂f/∂y for the state and for each vector; how J changes with the state is left out, for Newton's method
    /// of an implicit integrator converges without it.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        let (n, size) = (self.size, self.len());
        self.linearise(t, &y[..n])?;
        jacobian.fill(0.0);
        for block in 0..=self.vectors {
            for row in 0..n {
                let place = (block * n + row) * size + block * n;
                jacobian[place..place + n].copy_from_slice(&self.jacobian[row * n..(row + 1) * n]);
            }
        }
        Ok(())
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.formulation.after_step(t, &mut y[..self.size])
    }

    fn discount_error(&mut self, t: f64, y: &[f64], error: &mut [f64]) {
        self.formulation.discount_error(t, &y[..self.size], &mut error[..self.size]);
    }

    fn partition(&self) -> Option<Partition> {
        None
    }
}
