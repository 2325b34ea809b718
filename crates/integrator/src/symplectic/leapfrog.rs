//! Leapfrog, or velocity Verlet: half a kick, a drift, half a kick.
//!
//! # Equations
//! $$v_{n+1/2}=v_n+\tfrac h2a(t_n,q_n),\qquad q_{n+1}=q_n+h\,v_{n+1/2},\qquad
//! v_{n+1}=v_{n+1/2}+\tfrac h2a(t_{n+1},q_{n+1});$$
//! components behind positions and velocities follow the trapezoid rule,
//! $z_{n+1}=z_n+\tfrac h2(\dot z_n+\dot z_{n+1})$.
//!
//! # When to choose it
//! Very long runs of springs, planets, molecules: second order for one evaluation a step (two if something is carried
//! along), reversible, and the energy error stays bounded. Needs a constant mass matrix and forces that do not depend on
//! velocities.
//!
//! # Reference
//! Störmer 1907, Verlet 1967; Hairer, Lubich, Wanner, *Geometric Numerical Integration*, 2006, I.1.4.

use super::separable_positions;
use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::error::IntegrationError;
use crate::method::{Failure, Method, Trial, TrialStep, Work};
use crate::stepper::Stepper;
use crate::system::FirstOrderSystem;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "leapfrog",
    aliases: &["verlet", "velocity-verlet"],
    summary: "fixed step, order 2, bounded energy error; separable systems",
    reference: "Verlet 1967",
    order: 2,
    dense_order: 2,
    ..Entry::symplectic(|options| {
        Stepper::build(options, Leapfrog::default(), Fixed::boxed(options))
    })
};

/// Leapfrog.
#[derive(Debug, Default)]
struct Leapfrog {
    positions: usize,
}

impl Method for Leapfrog {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        self.positions = separable_positions(ENTRY.name, system)?;
        Ok(())
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        let TrialStep { h, y, rate, .. } = step;
        let n = self.positions;
        for i in n..2 * n {
            y_new[i] = y[i] + 0.5 * h * rate[i];
        }
        for i in 0..n {
            y_new[i] = y[i] + h * y_new[n + i];
        }
        for i in 2 * n..y.len() {
            y_new[i] = y[i] + h * rate[i];
        }
        work.derivative(step.t_new, y_new, rate_new)?;
        for i in n..2 * n {
            y_new[i] += 0.5 * h * rate_new[i];
        }
        if y.len() == 2 * n {
            // Accelerations do not depend on velocities: only q̇ = v must be brought up to date.
            rate_new[..n].copy_from_slice(&y_new[n..]);
            return Ok(Trial { rate_known: true, ..Trial::default() });
        }
        work.derivative(step.t_new, y_new, rate_new)?;
        for i in 2 * n..y.len() {
            y_new[i] = y[i] + 0.5 * h * (rate[i] + rate_new[i]);
        }
        // What is carried along does not act back; anything else behind the velocities might.
        let rate_known = work.system.controlled_len() <= 2 * n;
        Ok(Trial { rate_known, ..Trial::default() })
    }
}
