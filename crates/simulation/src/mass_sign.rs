//! Whether the mass matrix is that of anything that moves: kinetic energy is never negative.

use crate::mass_columns::mass_matrix;
use catena_compile::Evaluator;
use catena_linear::{Matrix, RowSpace, ldlt};
use catena_model::System;

/// The coordinate of a motion that has negative kinetic energy, as far as rounding tells; M may be singular.
pub(crate) fn negative_mass(mass: &Matrix) -> Option<usize> {
    let n = mass.rows();
    if let Some(at) = (0..n).find(|&at| mass[(at, at)] < 0.0) {
        return Some(at);
    }
    let lower = (0..n).flat_map(|i| mass.row(i)[..=i].to_vec());
    let mut packed: Vec<f64> = lower.collect();
    match ldlt::factor(&mut packed, n, &mut vec![0.0; n]) {
        Ok(()) => None,
        // a pivot that elimination wiped out has no sign
        Err(_) if !mass.is_finite() || !RowSpace::of(mass).null_space().is_empty() => None,
        Err(ldlt::NotPositive { row }) => Some(row),
    }
}

/// The name of the coordinate of a motion with negative kinetic energy at a state.
pub(crate) fn coordinate_of_negative_mass(
    system: &System,
    evaluator: &mut Evaluator,
    (t, q, v, states): (f64, &[f64], &[f64], &[f64]),
) -> Option<String> {
    evaluator.set_state(t, q, v, states);
    let at = negative_mass(&mass_matrix(evaluator))?;
    Some(system.coordinates[at].name.clone())
}
