//! M of a large system at one state, without an expression for every entry.
//!
//! M a is the derivative of the momenta ∂T/∂v along a, one sweep over the kinetic energy however many coordinates there
//! are. Its value for each unit vector a is a column of M: n² numbers in place of n² expressions.

use catena_compile::{Evaluator, Functions};
use catena_derivation::Equations;
use catena_linear::Matrix;
use catena_model::{Model, System};
use std::sync::Arc;

/// M of more coordinates is computed column by column.
const MAX_LISTED_COORDINATES: usize = 64;

/// The functions of a system to be looked at, not run: M is not listed where there would be too much of it.
pub(crate) fn evaluator_to_examine(model: &Model, system: &System) -> Evaluator {
    if system.coordinates.len() <= MAX_LISTED_COORDINATES {
        return Evaluator::derived(model, system);
    }
    let functions = Functions::new(Equations::derive_without_mass_matrix(model, system));
    Evaluator::new(Arc::new(functions), &model.parameter_values())
}

/// M at the state written down.
pub(crate) fn mass_matrix(evaluator: &mut Evaluator) -> Matrix {
    let sizes = evaluator.sizes();
    let n = sizes.coordinates;
    let mut mass = Matrix::zeros(n, n);
    if n <= MAX_LISTED_COORDINATES {
        let values = evaluator.values().mass_matrix;
        for row in 0..n {
            mass.row_mut(row).copy_from_slice(&values[row * n..(row + 1) * n]);
        }
        return mass;
    }
    let functions = evaluator.functions().clone();
    let e = &functions.equations;
    let mut graph = e.graph.clone();
    let direction: Vec<_> =
        e.velocities.iter().copied().zip(e.accelerations.iter().copied()).collect();
    let product = graph.directional(&e.momenta, &direction);
    let kernel = functions.compile(&graph, &[("product", &product)]);
    let (mut unit, multipliers) = (vec![0.0; n], vec![0.0; sizes.constraints]);
    for column in 0..n {
        unit[column] = 1.0;
        evaluator.set_reactions(&unit, &multipliers);
        unit[column] = 0.0;
        // M is symmetric: its columns are its rows
        mass.row_mut(column).copy_from_slice(evaluator.run(&kernel));
    }
    mass
}
