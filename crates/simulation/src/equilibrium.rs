//! Equilibrium: where a system rests when its drive is off.
//!
//! # Equations
//! $$Q(q, 0, z) - \Phi_q^T\lambda = 0,\qquad \dot z = 0,\qquad \Phi(q) = 0$$
//! by Newton's method from the start, with the shortest step, so that what nothing determines stays
//! where it is: a cart may rest anywhere. How the steps are chosen: `newton_path.rs`.

use crate::Assembly;
use crate::balance::{Balance, Imbalance};
use crate::newton_path::{NewtonPath, Stuck};
use catena_derivation::Equations;
use catena_model::{Model, System};

/// A state of rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Coordinates.
    pub q: Vec<f64>,
    /// First-order states.
    pub states: Vec<f64>,
    /// Multipliers.
    pub multipliers: Vec<f64>,
    /// Steps of Newton's method.
    pub iterations: usize,
    /// Largest force, rate or constraint that is left.
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
        /// Which.
        coordinate: String,
        /// What is left of the force, N or N·m.
        residual: f64,
    },
    /// A first-order state does not come to rest.
    #[error("there is no equilibrium: `{state}` cannot come to rest")]
    Restless {
        /// Which.
        state: String,
        /// What is left of its rate.
        residual: f64,
    },
    /// A constraint cannot be satisfied without the drive.
    #[error("there is no equilibrium: `{constraint}` cannot be satisfied when the drive is off")]
    Unsatisfied {
        /// Which.
        constraint: String,
        /// Its value.
        residual: f64,
    },
    /// A constraint is nothing but drive.
    #[error("there is no equilibrium: nothing is left of `{constraint}` when the drive is off")]
    Vanishing {
        /// Which.
        constraint: String,
    },
    /// A function of the model is infinite or undefined.
    #[error("there is no equilibrium: {quantity} is not finite at rest when the drive is off")]
    NotFinite {
        /// Which.
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
    let mut balance = Balance::new(equations, &parameters);
    let steady = !equations.depends_on_time() || balance.is_steady(&x);
    if !steady {
        let undriven = equations.undriven();
        refuse_vanishing(system, equations, &undriven)?;
        balance = Balance::new(&undriven, &parameters);
    }
    balance.fit_multipliers(&mut x);
    let imbalance = balance.at(&x);
    if !imbalance.is_finite() {
        return Err(not_finite(system, &imbalance));
    }
    let end = NewtonPath::new(balance, x, imbalance).follow_to_end();
    let found = end.map_err(|stuck| unbalanced(system, stuck))?;
    Ok(Equilibrium {
        q: found.x[..n].to_vec(),
        states: found.x[n..n + k].to_vec(),
        multipliers: found.x[n + k..].to_vec(),
        iterations: found.iterations,
        residual: found.imbalance.values.iter().fold(0.0, |most, value| value.abs().max(most)),
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

/// What a row of the balance belongs to.
enum Place {
    Coordinate(String),
    State(String),
    Constraint(String),
}

fn place(system: &System, row: usize) -> Place {
    let (n, k) = (system.coordinates.len(), system.states.len());
    if row < n {
        Place::Coordinate(system.coordinates[row].name.clone())
    } else if row < n + k {
        Place::State(system.states[row - n].name.clone())
    } else {
        Place::Constraint(system.constraints[row - n - k].name.clone())
    }
}

fn unbalanced(system: &System, Stuck { row, residual }: Stuck) -> EquilibriumError {
    match place(system, row) {
        Place::Coordinate(coordinate) => EquilibriumError::Unbalanced { coordinate, residual },
        Place::State(state) => EquilibriumError::Restless { state, residual },
        Place::Constraint(constraint) => EquilibriumError::Unsatisfied { constraint, residual },
    }
}

fn not_finite(system: &System, imbalance: &Imbalance) -> EquilibriumError {
    let broken = |row: &usize| {
        let slopes = imbalance.slopes.row(*row);
        !imbalance.values[*row].is_finite() || slopes.iter().any(|slope| !slope.is_finite())
    };
    let row = (0..imbalance.values.len()).find(broken).unwrap_or(0);
    let quantity = match place(system, row) {
        Place::Coordinate(name) => format!("the force on `{name}` or its slope"),
        Place::State(name) => format!("the rate of `{name}` or its slope"),
        Place::Constraint(name) => format!("`{name}` or its slope"),
    };
    EquilibriumError::NotFinite { quantity }
}
