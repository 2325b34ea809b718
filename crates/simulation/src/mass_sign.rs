//! Whether the mass matrix is that of anything that moves: kinetic energy is never negative.

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

/// The mass matrix at a state.
pub(crate) fn mass_matrix(
    evaluator: &mut Evaluator,
    (t, q, v, states): (f64, &[f64], &[f64], &[f64]),
) -> Matrix {
    let n = q.len();
    let values = evaluator.values_at(t, q, v, states);
    let mut mass = Matrix::zeros(n, n);
    for row in 0..n {
        mass.row_mut(row).copy_from_slice(&values.mass_matrix[row * n..(row + 1) * n]);
    }
    mass
}

/// The name of the coordinate of a motion with negative kinetic energy at a state.
pub(crate) fn coordinate_of_negative_mass(
    system: &System,
    evaluator: &mut Evaluator,
    state: (f64, &[f64], &[f64], &[f64]),
) -> Option<String> {
    let at = negative_mass(&mass_matrix(evaluator, state))?;
    Some(system.coordinates[at].name.clone())
}
