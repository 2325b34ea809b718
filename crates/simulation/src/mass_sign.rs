//! Whether the mass matrix is that of anything that moves: kinetic energy is never negative.

use catena_linear::{Matrix, RowSpace, ldlt};

/// A pivot of M larger than this part of its diagonal entry is no rounding: nothing is massless there.
const CLEAR_PIVOT: f64 = 1e-6;

/// What M says of the motions of a system.
pub(crate) struct MassSign {
    /// The coordinate of a motion that has negative kinetic energy, as far as rounding tells.
    pub(crate) negative: Option<usize>,
    /// Directions without mass.
    pub(crate) massless: Vec<Vec<f64>>,
}

/// Looks at a mass matrix, which may be singular.
pub(crate) fn mass_sign(mass: &Matrix) -> MassSign {
    let n = mass.rows();
    let lower = (0..n).flat_map(|i| mass.row(i)[..=i].to_vec());
    let mut packed: Vec<f64> = lower.collect();
    let factored = ldlt::factor(&mut packed, n, &mut vec![0.0; n]);
    let pivot = |row: usize| packed[row * (row + 1) / 2 + row];
    let is_clear = |row: usize| pivot(row) > CLEAR_PIVOT * mass[(row, row)];
    if !mass.is_finite() || factored.is_ok() && (0..n).all(is_clear) {
        return MassSign { negative: None, massless: Vec::new() };
    }
    let massless = RowSpace::of(mass).null_space();
    let negative = match (0..n).find(|&at| mass[(at, at)] < 0.0) {
        // a pivot that elimination wiped out has no sign
        None if massless.is_empty() => factored.err().map(|ldlt::NotPositive { row }| row),
        found => found,
    };
    MassSign { negative, massless }
}
