//! Eigenvalues of a product of square matrices that is never multiplied out.
//!
//! # Equations
//! One pass through the factors, $A_iQ_{i-1} = Q_iR_i$ with orthogonal $Q_i$ and triangular $R_i$, leads from $Q_0$ to
//! $Q_K$, and $A_K\cdots A_1$ has the eigenvalues of $S R_K\cdots R_1$ with $S = Q_0^TQ_K$. Pass after pass, each
//! beginning with the Q in which the one before ended, S becomes block diagonal: a block for each set of eigenvalues whose
//! moduli are alike. A block of one is an eigenvalue, $S_{jj}\prod R_{i,jj}$, known by its logarithm however
//! small it is; in larger ones nothing is graded, and these alone are multiplied.
//!
//! # When to choose it
//! Floquet multipliers: those of a stiff orbit differ by hundreds of powers of ten, and a product of its segments has the
//! largest of them alone.
//!
//! # Reference
//! A. Bojanczyk, G. H. Golub, P. Van Dooren, "The periodic Schur decomposition", 1992; L. Dieci, E. S. Van Vleck,
//! "Computation of a few Lyapunov exponents for continuous and discrete dynamical systems", 1995

use super::{EigenError, MAX_SWEEPS_PER_ROW, SCHUR_TOLERANCE, dense};
use crate::{Complex, Matrix};
use nalgebra::DMatrix;
use nalgebra::linalg::Schur;

/// Passes through the factors: moduli that differ by a tenth are told apart to rounding.
const MAX_PASSES: usize = 300;
/// Entries of S below this are rounding.
const BLOCK_TOLERANCE: f64 = 1e-13;

/// An eigenvalue of a product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProductEigenvalue {
    /// ln |μ|; −∞ for zero.
    pub log_modulus: f64,
    /// The angle of μ in the complex plane, rad, from −π to π; exactly 0 or π for real ones.
    pub argument: f64,
}

impl ProductEigenvalue {
    /// μ itself; 0 where it is too small to be written.
    pub fn value(&self) -> Complex {
        let modulus = self.log_modulus.exp();
        match self.is_real() {
            true => Complex::new(if self.argument == 0.0 { modulus } else { -modulus }, 0.0),
            false => Complex::from_polar(modulus, self.argument),
        }
    }

    /// Whether it lies on the real axis.
    pub fn is_real(&self) -> bool {
        self.argument == 0.0 || self.argument == std::f64::consts::PI
    }

    fn of(value: Complex, log_scale: f64) -> ProductEigenvalue {
        let argument = match value.im == 0.0 {
            true if value.re < 0.0 => std::f64::consts::PI,
            true => 0.0,
            false => value.arg(),
        };
        ProductEigenvalue { log_modulus: value.norm().ln() + log_scale, argument }
    }
}

/// All eigenvalues of a square matrix, conjugates included, in no order.
pub fn eigenvalues(matrix: &Matrix) -> Result<Vec<Complex>, EigenError> {
    values_of(dense(matrix))
}

fn values_of(matrix: DMatrix<f64>) -> Result<Vec<Complex>, EigenError> {
    if matrix.iter().any(|entry| !entry.is_finite()) {
        return Err(EigenError::NotFinite);
    }
    if matrix.nrows() == 0 {
        return Ok(Vec::new());
    }
    let sweeps = MAX_SWEEPS_PER_ROW * matrix.nrows();
    let schur = Schur::try_new(matrix, SCHUR_TOLERANCE, sweeps).ok_or(EigenError::NotConverged)?;
    Ok(schur.complex_eigenvalues().iter().copied().collect())
}

/// The eigenvalues of the product of these factors, the first of which acts first, the largest first.
pub fn product_eigenvalues(factors: &[Matrix]) -> Result<Vec<ProductEigenvalue>, EigenError> {
    let Some(first) = factors.first() else { return Ok(Vec::new()) };
    if factors.iter().any(|factor| !factor.is_finite()) {
        return Err(EigenError::NotFinite);
    }
    let factors: Vec<DMatrix<f64>> = factors.iter().map(dense).collect();
    let size = first.rows();
    let mut q = DMatrix::<f64>::identity(size, size);
    let mut triangles: Vec<DMatrix<f64>> = Vec::new();
    let mut turn = q.clone();
    for _ in 0..MAX_PASSES {
        let before = q.clone();
        triangles.clear();
        for factor in &factors {
            let split = (factor * &q).qr();
            q = split.q();
            triangles.push(split.r());
        }
        turn = before.transpose() * &q;
        if blocks(&turn).len() == size {
            break;
        }
    }
    let mut found = Vec::with_capacity(size);
    for block in blocks(&turn) {
        found.extend(block_eigenvalues(&turn, &triangles, block)?);
    }
    found.sort_by(|a: &ProductEigenvalue, b| b.log_modulus.total_cmp(&a.log_modulus));
    Ok(found)
}

/// The ranges of rows in which an orthogonal matrix has blocks on its diagonal.
fn blocks(turn: &DMatrix<f64>) -> Vec<std::ops::Range<usize>> {
    let size = turn.nrows();
    let is_cut =
        |at: usize| turn.view((at, 0), (size - at, at)).amax() <= BLOCK_TOLERANCE * size as f64;
    let cuts: Vec<usize> = (1..size).filter(|&at| is_cut(at)).chain([size]).collect();
    let begins = std::iter::once(0).chain(cuts.iter().copied());
    begins
        .zip(cuts.iter().copied())
        .map(|(from, to)| from..to)
        .filter(|range| !range.is_empty())
        .collect()
}

fn block_eigenvalues(
    turn: &DMatrix<f64>,
    triangles: &[DMatrix<f64>],
    range: std::ops::Range<usize>,
) -> Result<Vec<ProductEigenvalue>, EigenError> {
    let (at, length) = (range.start, range.len());
    let mut product = DMatrix::<f64>::identity(length, length);
    let mut log_scale = 0.0;
    let factors = triangles.iter().map(|r| r.view((at, at), (length, length)));
    for factor in factors.chain([turn.view((at, at), (length, length))]) {
        product = factor * product;
        let largest = product.amax();
        if largest == 0.0 {
            let zero = ProductEigenvalue { log_modulus: f64::NEG_INFINITY, argument: 0.0 };
            return Ok(vec![zero; length]);
        }
        product /= largest;
        log_scale += largest.ln();
    }
    Ok(values_of(product)?
        .into_iter()
        .map(|value| ProductEigenvalue::of(value, log_scale))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// X diag(…) X⁻¹ in factors Y₍ᵢ₊₁₎ Dᵢ Yᵢ⁻¹ with Y that come back to themselves.
    fn factors(diagonals: &[Vec<f64>]) -> Vec<Matrix> {
        let (count, size) = (diagonals.len(), diagonals[0].len());
        let frame = |at: usize| {
            DMatrix::from_fn(size, size, |i, j| {
                f64::from(i == j) + 0.4 * ((3 * i + 5 * j + 7 * (at % count)) as f64).sin()
            })
        };
        let factor = |at: usize| {
            let inverse = frame(at).try_inverse().expect("frames are regular");
            let middle =
                DMatrix::from_diagonal(&nalgebra::DVector::from_vec(diagonals[at].clone()));
            let product = frame(at + 1) * middle * inverse;
            Matrix::from_fn(size, size, |i, j| product[(i, j)])
        };
        (0..count).map(factor).collect()
    }

    #[test]
    fn multipliers_that_differ_by_hundreds_of_powers_of_ten_are_all_found() {
        let diagonals: Vec<Vec<f64>> = (0..40).map(|_| vec![1.0, -1e-4, 1e-8]).collect();
        let found = product_eigenvalues(&factors(&diagonals)).expect("they are found");
        let expected = [0.0, 40.0 * 1e-4_f64.ln(), 40.0 * 1e-8_f64.ln()];
        for (value, expected) in found.iter().zip(expected) {
            assert!((value.log_modulus - expected).abs() < 1e-6, "{value:?} {expected}");
            assert_eq!(value.argument, 0.0);
        }
    }

    #[test]
    fn signs_and_values_of_equal_modulus_are_told_apart() {
        let diagonals = vec![vec![2.0, -3.0, 0.1], vec![0.5, 1.0 / 3.0, 0.2], vec![1.0, 1.0, 1.0]];
        let found = product_eigenvalues(&factors(&diagonals)).expect("they are found");
        let mut values: Vec<f64> = found.iter().map(|value| value.value().re).collect();
        values.sort_by(f64::total_cmp);
        for (value, expected) in values.iter().zip([-1.0, 0.02, 1.0]) {
            assert!((value - expected).abs() < 1e-12, "{values:?}");
        }
        assert!(found.iter().all(ProductEigenvalue::is_real));
    }

    #[test]
    fn a_complex_pair_keeps_its_modulus_and_angle() {
        let (angle, modulus) = (0.7_f64, 0.95_f64);
        let turn = Matrix::from_fn(3, 3, |i, j| match (i, j) {
            (0, 0) | (1, 1) => modulus * angle.cos(),
            (0, 1) => -4.0 * modulus * angle.sin(),
            (1, 0) => 0.25 * modulus * angle.sin(),
            (2, 2) => 1e-3,
            _ => 0.0,
        });
        let found = product_eigenvalues(&[turn.clone(), turn.clone(), turn]).expect("found");
        assert!((found[0].log_modulus - 3.0 * modulus.ln()).abs() < 1e-13);
        assert!((found[0].argument.abs() - 3.0 * angle).abs() < 1e-13);
        assert_eq!(found[0].argument, -found[1].argument);
        assert!((found[2].log_modulus - 3.0 * 1e-3_f64.ln()).abs() < 1e-12);
        assert!(found[1].argument.abs() < PI);
    }

    #[test]
    fn a_singular_factor_makes_a_multiplier_zero() {
        let singular = Matrix::from_fn(2, 2, |_, j| if j == 0 { 1.0 } else { 0.0 });
        let found = product_eigenvalues(&[singular]).expect("found");
        assert!((found[0].value().re - 1.0).abs() < 1e-15);
        assert!(found[1].value().re.abs() < 1e-15);
    }
}
