//! What a square matrix takes to zero, as far as its entries can tell.
//!
//! # Equations
//! Entries are differences of larger terms, whose sizes are known: a row and a column are measured by what they would be if
//! nothing cancelled. With rows and columns scaled to that measure, $RAC = U\Sigma V^T$, and directions $CV$ of singular
//! values that rounding alone could make are null vectors. The others hold their directions by $\sigma$, so that rounding
//! turns a null vector by $\varepsilon/\sigma$ at most.
//!
//! # Reference
//! G. H. Golub, C. F. Van Loan, *Matrix Computations*, 2013, section 5.4

use super::dense;
use crate::Matrix;
use nalgebra::{DMatrix, DVector};

/// Singular values of the scaled matrix below this are rounding.
const MAX_NULL_SINGULAR_VALUE: f64 = 1e-11;

/// The size of an entry for which this is rounding and no more.
pub(super) fn size_with_rounding(rounding: f64) -> f64 {
    rounding / MAX_NULL_SINGULAR_VALUE
}

/// The directions that a matrix takes to zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NullSpace {
    /// A basis, orthonormal.
    pub vectors: Vec<Vec<f64>>,
    /// How far an entry of a vector may be off, relative to its length.
    pub error: f64,
}

impl NullSpace {
    /// Of a square matrix whose entries would have these sizes if nothing cancelled in them.
    pub fn of(matrix: &Matrix, sizes: &Matrix) -> NullSpace {
        null_space(&dense(matrix), &dense(sizes))
    }
}

pub(super) fn null_space(matrix: &DMatrix<f64>, sizes: &DMatrix<f64>) -> NullSpace {
    let n = matrix.nrows();
    if n == 0 {
        return NullSpace::default();
    }
    let inverse = |length: f64| if length > 0.0 { 1.0 / length } else { 1.0 };
    let rows = DVector::from_iterator(n, sizes.row_iter().map(|row| inverse(row.norm())));
    let sizes = DMatrix::from_fn(n, n, |i, j| rows[i] * sizes[(i, j)]);
    let columns = DVector::from_iterator(n, sizes.column_iter().map(|x| inverse(x.norm())));
    let scaled = DMatrix::from_fn(n, n, |i, j| rows[i] * matrix[(i, j)] * columns[j]);
    let svd = scaled.svd(false, true);
    let Some(right) = svd.v_t else { return NullSpace::default() };
    let (mut basis, mut weakest) = (Vec::new(), f64::INFINITY);
    for (at, &sigma) in svd.singular_values.iter().enumerate() {
        match sigma <= MAX_NULL_SINGULAR_VALUE {
            true => basis.push(right.row(at).transpose().component_mul(&columns)),
            false => weakest = weakest.min(sigma),
        }
    }
    let error = f64::EPSILON * n as f64 / weakest;
    let orthonormal = match basis.is_empty() {
        true => Vec::new(),
        false => {
            let q = DMatrix::from_columns(&basis).qr().q();
            q.column_iter().map(|column| column.iter().copied().collect()).collect()
        }
    };
    NullSpace { vectors: orthonormal, error }
}

/// An orthonormal basis of everything perpendicular to some orthonormal columns, along the axes as far as possible.
pub(super) fn complement(columns: &DMatrix<f64>) -> DMatrix<f64> {
    let (n, g) = columns.shape();
    let mut all = columns.clone();
    // for each axis the square of the part that no column has yet
    let mut left: Vec<f64> = (0..n).map(|i| 1.0 - columns.row(i).norm_squared()).collect();
    for _ in g..n {
        let axis = (0..n).fold(0, |best, i| if left[i] > left[best] { i } else { best });
        let mut next = DVector::from_fn(n, |i, _| f64::from(i == axis));
        // twice: the first time leaves what cancellation leaves
        for _ in 0..2 {
            let along = all.tr_mul(&next);
            next -= &all * along;
        }
        next.normalize_mut();
        (0..n).for_each(|i| left[i] -= next[i] * next[i]);
        let last = all.ncols();
        all = all.insert_column(last, 0.0);
        all.set_column(last, &next);
    }
    all.columns(g, n - g).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soft_spring_between_stiff_ones_is_no_null_vector() {
        // ground – 1 N/m – mass – 10 GN/m – mass
        let k = Matrix::from_fn(2, 2, |i, j| if i == j { 1e10 } else { -1e10 });
        let held = Matrix::from_fn(2, 2, |i, j| k[(i, j)] + f64::from(i + j == 0));
        let sizes = |m: &Matrix| Matrix::from_fn(2, 2, |i, j| m[(i, j)].abs());
        assert!(NullSpace::of(&held, &sizes(&held)).vectors.is_empty());
        let free = NullSpace::of(&k, &sizes(&k));
        assert_eq!(free.vectors.len(), 1);
        assert!((free.vectors[0][0] - free.vectors[0][1]).abs() < 1e-14);
    }

    #[test]
    fn what_is_small_for_what_it_is_made_of_is_zero_and_what_is_just_small_is_not() {
        let small = Matrix::from_fn(1, 1, |_, _| 1e-14);
        let large = Matrix::from_fn(1, 1, |_, _| 1.0);
        assert_eq!(NullSpace::of(&small, &large).vectors, [[1.0]]);
        assert!(NullSpace::of(&small, &small).vectors.is_empty());
    }

    #[test]
    fn a_complement_is_orthonormal_and_perpendicular() {
        let given = DMatrix::from_column_slice(4, 1, &[0.5, 0.5, -0.5, 0.5]);
        let rest = complement(&given);
        assert_eq!(rest.shape(), (4, 3));
        assert!((rest.transpose() * &rest - DMatrix::identity(3, 3)).amax() < 1e-15);
        assert!((rest.transpose() * given).amax() < 1e-15);
    }
}
