//! Equilibrium: where a system rests when its drive is off.
//!
//! # Equations
//! $$Q(q, 0, z) - \Phi_q^T\lambda = 0,\qquad \dot z = 0,\qquad \Phi(q) = 0$$
//! by Newton's method from the start, with the shortest step, so that what nothing determines stays
//! where it is: a cart may rest anywhere. How the steps are chosen: `newton_path.rs`.

use crate::Assembly;
use crate::equilibrium_conditions::{EquilibriumConditions, EquilibriumResidual};
use crate::newton_path::{NewtonPath, Stuck};
use catena_derivation::Equations;
use catena_model::{Model, System};

/// A state of rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// q₀, in the order of the model.
    pub q: Vec<f64>,
    /// z at rest, in the order of the model.
    pub states: Vec<f64>,
    /// λ at rest: the static forces of the constraints, one each.
    pub multipliers: Vec<f64>,
    /// Steps of Newton's method.
    pub iterations: usize,
    /// The largest absolute value among the remaining forces, rates and constraints, SI units.
    pub residual: f64,
    /// Whether the equations stand as they are: time is absent from them or changes nothing. Otherwise
    /// this is where the system rests when its drive is off.
    pub steady: bool,
}

/// Why there is no equilibrium.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EquilibriumError {
    /// A force is left wherever the system goes.
    #[error("there is no equilibrium: the force on `{coordinate}` cannot be balanced")]
    Unbalanced {
        /// The coordinate with the largest unbalanced force.
        coordinate: String,
        /// The remaining force, N or N·m.
        residual: f64,
    },
    /// A first-order state does not come to rest.
    #[error("there is no equilibrium: `{state}` cannot come to rest")]
    Restless {
        /// The state with the largest remaining rate.
        state: String,
        /// Its remaining rate, in its unit per second.
        residual: f64,
    },
    /// A constraint cannot be satisfied without the drive.
    #[error("there is no equilibrium: `{constraint}` cannot be satisfied when the drive is off")]
    Unsatisfied {
        /// The constraint with the largest violation.
        constraint: String,
        /// Φ of it.
        residual: f64,
    },
    /// A constraint is nothing but drive.
    #[error("there is no equilibrium: nothing is left of `{constraint}` when the drive is off")]
    Vanishing {
        /// The first such constraint, in the order of the model.
        constraint: String,
    },
    /// A function of the model is infinite or undefined.
    #[error("there is no equilibrium: {quantity} is not finite at rest when the drive is off")]
    NotFinite {
        /// What is not finite, in words: "the force on `x` or its slope".
        quantity: String,
    },
}

/// The equilibrium of a system nearest its start.
pub fn equilibrium(
    model: &Model,
    system: &System,
    equations: &Equations,
    start: &Assembly,
) -> Result<Equilibrium, EquilibriumError> {
    let parameters: Vec<f64> = model.parameter_values();
    let (n, k) = (start.q.len(), start.states.len());
    let mut x = [start.q.as_slice(), &start.states, &vec![0.0; system.constraints.len()]].concat();
    let mut conditions = EquilibriumConditions::new(equations, &parameters);
    let steady = !equations.depends_on_time() || conditions.is_steady(&x);
    if !steady {
        let undriven = equations.undriven();
        refuse_vanishing(system, equations, &undriven)?;
        conditions = EquilibriumConditions::new(&undriven, &parameters);
    }
    conditions.fit_multipliers(&mut x);
    let residual = conditions.at(&x);
    if !residual.is_finite() {
        return Err(not_finite(system, &residual));
    }
    let end = NewtonPath::new(conditions, x, residual).follow_to_end();
    let found = end.map_err(|stuck| unbalanced(system, stuck))?;
    Ok(Equilibrium {
        q: found.x[..n].to_vec(),
        states: found.x[n..n + k].to_vec(),
        multipliers: found.x[n + k..].to_vec(),
        iterations: found.iterations,
        residual: found.residual.values.iter().fold(0.0, |most, value| value.abs().max(most)),
        steady,
    })
}

/// A constraint that turns with the drive is no constraint without it.
fn refuse_vanishing(
    system: &System,
    equations: &Equations,
    undriven: &Equations,
) -> Result<(), EquilibriumError> {
    let restrains = |e: &Equations, constraint: usize| {
        let mut entries = e.constraint_jacobian.entries.iter();
        entries.any(|&(row, _, entry)| row == constraint && !e.graph.is_zero(entry))
    };
    let vanishes = |at: &usize| restrains(equations, *at) && !restrains(undriven, *at);
    (0..system.constraints.len()).find(vanishes).map_or(Ok(()), |at| {
        Err(EquilibriumError::Vanishing { constraint: system.constraints[at].name.clone() })
    })
}

/// The part of the model that a row of the residual belongs to.
enum ResidualOwner {
    Coordinate(String),
    State(String),
    Constraint(String),
}

fn owner(system: &System, row: usize) -> ResidualOwner {
    let (n, k) = (system.coordinates.len(), system.states.len());
    if row < n {
        ResidualOwner::Coordinate(system.coordinates[row].name.clone())
    } else if row < n + k {
        ResidualOwner::State(system.states[row - n].name.clone())
    } else {
        ResidualOwner::Constraint(system.constraints[row - n - k].name.clone())
    }
}

fn unbalanced(system: &System, Stuck { row, residual }: Stuck) -> EquilibriumError {
    match owner(system, row) {
        ResidualOwner::Coordinate(coordinate) => {
            EquilibriumError::Unbalanced { coordinate, residual }
        }
        ResidualOwner::State(state) => EquilibriumError::Restless { state, residual },
        ResidualOwner::Constraint(constraint) => {
            EquilibriumError::Unsatisfied { constraint, residual }
        }
    }
}

fn not_finite(system: &System, residual: &EquilibriumResidual) -> EquilibriumError {
    let broken = |row: &usize| {
        let slopes = residual.slopes.row(*row);
        !residual.values[*row].is_finite() || slopes.iter().any(|slope| !slope.is_finite())
    };
    let row = (0..residual.values.len()).find(broken).unwrap_or(0);
    let quantity = match owner(system, row) {
        ResidualOwner::Coordinate(name) => format!("the force on `{name}` or its slope"),
        ResidualOwner::State(name) => format!("the rate of `{name}` or its slope"),
        ResidualOwner::Constraint(name) => format!("`{name}` or its slope"),
    };
    EquilibriumError::NotFinite { quantity }
}
