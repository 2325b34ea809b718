//! The linear model: the equations of motion replaced by their tangent at an equilibrium.
//!
//! # Equations
//! $$\dot y = f(t, y_0) + \frac{\partial f}{\partial y}(t, y_0)\,(y - y_0)$$
//! with $y_0$ at rest. Time is not frozen, so that drives stay, those that change a stiffness included.

use catena_formulation::Formulation;
use catena_integrator::{Breakdown, Tangent};

/// A formulation linearised about a state.
#[derive(Clone)]
pub(crate) struct Linearisation {
    y0: Vec<f64>,
    /// f(t, y₀)
    rate: Vec<f64>,
    /// ∂f/∂y (t, y₀), row by row.
    pub(crate) slopes: Vec<f64>,
    /// When both were evaluated last.
    time: Option<f64>,
    /// Whether they depend on time.
    pub(crate) changes: bool,
}

impl Linearisation {
    pub(crate) fn new(formulation: &mut dyn Formulation, y0: Vec<f64>) -> Linearisation {
        Linearisation {
            rate: vec![0.0; y0.len()],
            slopes: vec![0.0; y0.len() * y0.len()],
            time: None,
            changes: formulation.evaluator().functions().equations.depends_on_time(),
            y0,
        }
    }

    /// Brings f and its slopes to a time.
    pub(crate) fn look_at(
        &mut self,
        formulation: &mut dyn Formulation,
        t: f64,
    ) -> Result<(), Breakdown> {
        if self.time == Some(t) || (self.time.is_some() && !self.changes) {
            return Ok(());
        }
        formulation.jacobian(t, &self.y0, Tangent::Full, &mut self.slopes)?;
        formulation.derivative(t, &self.y0, &mut self.rate)?;
        self.time = Some(t);
        Ok(())
    }

    pub(crate) fn derivative(
        &mut self,
        formulation: &mut dyn Formulation,
        t: f64,
        y: &[f64],
        rate: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.look_at(formulation, t)?;
        let rows = self.slopes.chunks_exact(y.len());
        for ((rate, constant), row) in rate.iter_mut().zip(&self.rate).zip(rows) {
            let away = y.iter().zip(&self.y0).map(|(y, y0)| y - y0);
            *rate = row.iter().zip(away).fold(*constant, |sum, (slope, away)| sum + slope * away);
        }
        Ok(())
    }

    /// Whether v̇ depends on positions alone, at all times; y begins with this many of them.
    pub(crate) fn is_separable(&self, positions: usize) -> bool {
        let rows = self.slopes.chunks_exact(self.y0.len()).skip(positions).take(positions);
        self.time.is_some()
            && !self.changes
            && self.y0.len() == 2 * positions
            && rows.flat_map(|row| &row[positions..]).all(|slope| *slope == 0.0)
    }
}
