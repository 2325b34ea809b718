//! Symplectic Euler: velocities first, then positions with the new velocities.
//!
//! # Equations
//! $$v_{n+1}=v_n+h\,a(t_n,q_n),\qquad q_{n+1}=q_n+h\,v_{n+1};$$
//! components behind positions and velocities follow Euler's rule, $z_{n+1}=z_n+h\,\dot z(t_n,q_n,v_n)$.
//!
//! # When to choose it
//! Games, teaching, very long runs at rough accuracy: one evaluation a step, first order, and the energy error stays
//! bounded. Needs a constant mass matrix and forces that do not depend on velocities.
//!
//! # Reference
//! de Vogelaere 1956; Hairer, Lubich, Wanner, *Geometric Numerical Integration*, 2006, I.1.2.

use super::separable_positions;
use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::error::IntegrationError;
use crate::method::{Failure, Method, Trial, TrialStep, Work};
use crate::stepper::Stepper;
use crate::system::FirstOrderSystem;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "symplectic-euler",
    aliases: &["semi-implicit-euler"],
    summary: "fixed step, order 1, bounded energy error; separable systems",
    reference: "de Vogelaere 1956",
    order: 1,
    dense_order: 1,
    ..Entry::symplectic(|options| {
        Stepper::build(options, SymplecticEuler::default(), Fixed::boxed(options))
    })
};

/// Symplectic Euler.
#[derive(Debug, Default)]
struct SymplecticEuler {
    positions: usize,
}

impl Method for SymplecticEuler {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        self.positions = separable_positions(ENTRY.name, system)?;
        Ok(())
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn attempt(
        &mut self,
        _work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        _rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        for i in self.positions..y_new.len() {
            y_new[i] = step.y[i] + step.h * step.rate[i];
        }
        // Positions follow from the new velocities: that order is what makes the step symplectic.
        for i in 0..self.positions {
            y_new[i] = step.y[i] + step.h * y_new[self.positions + i];
        }
        Ok(Trial::default())
    }
}
