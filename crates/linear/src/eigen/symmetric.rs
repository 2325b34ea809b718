//! K φ = ω² M φ with symmetric K and positive definite M.
//!
//! # Equations
//! With $M = LL^T$ the matrix $L^{-1}KL^{-T}$ is symmetric, and its eigenvectors y give $\varphi =
//! L^{-T}y$. The QR algorithm errs by the rounding of the largest ω²; the Rayleigh quotient
//! $\varphi^TK\varphi/\varphi^TM\varphi$ removes that error from the small ones. What remains of
//! $r = K\varphi - \omega^2M\varphi$ bounds the rest: $|L^{-1}r|$, and its square over the distance to
//! the next value. A vector is turned out of the space of those that cannot be told from its value by no more than the sine
//! $|L^{-1}r|$ over the distance to the nearest other one, and an entry of it by that times $\sqrt{(M^{-1})_{ii}}$.
//!
//! # Reference
//! B. N. Parlett, *The Symmetric Eigenvalue Problem*, 1998, sections 4.5 and 15.2

use super::{EigenError, MAX_SWEEPS_PER_ROW, check_finite, dense};
use crate::Matrix;
use nalgebra::{Cholesky, DMatrix, DVector, SymmetricEigen};

/// An eigenvalue of a symmetric pair with its vector.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricPair {
    /// ω²
    pub value: f64,
    /// φ, with φᵀMφ = 1.
    pub vector: Vec<f64>,
    /// How far the value may be off.
    pub error: f64,
    /// For each entry of the vector how far it may be off; where values cannot be told apart, out of the space of their
    /// vectors.
    pub vector_errors: Vec<f64>,
}

/// Values are told apart if they lie further from each other than this many times the rounding of the largest.
const MIN_SEPARATION: f64 = 10.0;

/// All pairs with K φ = ω² M φ, the smallest ω² first.
pub fn symmetric_eigenpairs(
    stiffness: &Matrix,
    mass: &Matrix,
) -> Result<Vec<SymmetricPair>, EigenError> {
    check_finite([stiffness, mass])?;
    if mass.rows() == 0 {
        return Ok(Vec::new());
    }
    let (k, m) = (dense(stiffness), dense(mass));
    let cholesky = Cholesky::new(m.clone()).ok_or(EigenError::Massless)?;
    let lower = cholesky.l();
    let vectors = reduced_vectors(&k, &lower).ok_or(EigenError::NotConverged)?;
    let quotients: Vec<Quotient> =
        vectors.column_iter().map(|vector| Quotient::new(&k, &m, vector.into_owned())).collect();
    let units: Vec<f64> = cholesky.inverse().diagonal().iter().map(|entry| entry.sqrt()).collect();
    let largest = quotients.iter().fold(0.0_f64, |most, quotient| most.max(quotient.value.abs()));
    let rounding = f64::EPSILON * k.nrows() as f64 * largest;
    let mut pairs: Vec<SymmetricPair> = quotients
        .iter()
        .enumerate()
        .map(|(at, quotient)| {
            let others = quotients.iter().enumerate().filter(|(other, _)| *other != at);
            let gaps = others.map(|(_, other)| (other.value - quotient.value).abs());
            let gap = gaps.clone().fold(f64::INFINITY, f64::min);
            let separate = gaps.filter(|gap| *gap > MIN_SEPARATION * rounding);
            let off = quotient.residual(&k, &m, &lower);
            let sine = (off + rounding) / separate.fold(f64::INFINITY, f64::min);
            SymmetricPair {
                value: quotient.value,
                error: quotient.error(&k, &m, off, gap),
                vector: quotient.vector.iter().copied().collect(),
                vector_errors: units.iter().map(|unit| sine * unit).collect(),
            }
        })
        .collect();
    if pairs.iter().any(|pair| !pair.value.is_finite()) {
        return Err(EigenError::NotFinite);
    }
    pairs.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(pairs)
}

/// The columns φ = L⁻ᵀy.
fn reduced_vectors(k: &DMatrix<f64>, lower: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let half = lower.solve_lower_triangular(k)?;
    let reduced = lower.solve_lower_triangular(&half.transpose())?;
    let symmetric = (&reduced + reduced.transpose()) * 0.5;
    let sweeps = MAX_SWEEPS_PER_ROW * k.nrows();
    let eigen = SymmetricEigen::try_new(symmetric, f64::EPSILON, sweeps)?;
    lower.tr_solve_lower_triangular(&eigen.eigenvectors)
}

/// φᵀKφ of a vector with φᵀMφ = 1.
struct Quotient {
    value: f64,
    vector: DVector<f64>,
}

impl Quotient {
    fn new(k: &DMatrix<f64>, m: &DMatrix<f64>, mut vector: DVector<f64>) -> Quotient {
        vector /= vector.dot(&(m * &vector)).sqrt();
        Quotient { value: vector.dot(&(k * &vector)), vector }
    }

    /// |L⁻¹(Kφ − ω²Mφ)|
    fn residual(&self, k: &DMatrix<f64>, m: &DMatrix<f64>, lower: &DMatrix<f64>) -> f64 {
        let rest = k * &self.vector - m * &self.vector * self.value;
        lower.solve_lower_triangular(&rest).map_or(f64::NAN, |rest| rest.norm())
    }

    /// How far the value may be off, with this residual and this distance to the next value.
    fn error(&self, k: &DMatrix<f64>, m: &DMatrix<f64>, off: f64, gap: f64) -> f64 {
        let sums = size(k, &self.vector) + self.value.abs() * size(m, &self.vector);
        // roundings of a sum mostly cancel: they grow with the root of its length
        let rounding = 2.0 * f64::EPSILON * (k.nrows() as f64).sqrt() * sums;
        if gap > 0.0 { off.min(off * off / gap) + rounding } else { off + rounding }
    }
}

/// |φ|ᵀ|A||φ|: what the sum would be if nothing cancelled.
fn size(matrix: &DMatrix<f64>, vector: &DVector<f64>) -> f64 {
    let absolute = vector.abs();
    absolute.dot(&(matrix.abs() * &absolute))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
        let mut matrix = Matrix::zeros(n, n);
        for i in 0..n {
            (0..n).for_each(|j| matrix[(i, j)] = entry(i, j));
        }
        matrix
    }

    /// n equal masses between n + 1 equal springs: ω² = 4 sin²(kπ/2(n + 1)).
    #[test]
    fn a_row_of_springs_has_the_squares_of_its_closed_form() {
        for n in [1, 2, 7, 60] {
            let k = matrix(n, |i, j| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            });
            let m = matrix(n, |i, j| f64::from(i == j));
            let pairs = symmetric_eigenpairs(&k, &m).unwrap();
            for (at, pair) in pairs.iter().enumerate() {
                let angle = (at + 1) as f64 * std::f64::consts::PI / (2 * (n + 1)) as f64;
                let exact = 4.0 * angle.sin().powi(2);
                assert!((pair.value - exact).abs() <= pair.error, "n = {n}, mode {at}");
                assert!(pair.error <= 1e-11 * exact, "n = {n}, mode {at}: {:.1e}", pair.error);
            }
        }
    }

    #[test]
    fn vectors_satisfy_the_equation_and_are_normal() {
        let n = 9;
        let k =
            matrix(n, |i, j| ((i + 1) * (j + 1)) as f64 % 7.0 + if i == j { 30.0 } else { 0.0 });
        let m = matrix(n, |i, j| 1.0 / (1 + i.abs_diff(j)) as f64 + f64::from(i == j));
        for pair in symmetric_eigenpairs(&k, &m).unwrap() {
            let times = |matrix: &Matrix, row: usize| -> f64 {
                matrix.row(row).iter().zip(&pair.vector).map(|(a, b)| a * b).sum()
            };
            for row in 0..n {
                assert!((times(&k, row) - pair.value * times(&m, row)).abs() < 1e-11);
            }
            let norm: f64 = (0..n).map(|row| pair.vector[row] * times(&m, row)).sum();
            assert!((norm - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_has_no_mass_or_no_value_is_refused() {
        let one = matrix(1, |_, _| 1.0);
        let zero = matrix(1, |_, _| 0.0);
        let nan = matrix(1, |_, _| f64::NAN);
        assert_eq!(symmetric_eigenpairs(&one, &zero), Err(EigenError::Massless));
        assert_eq!(symmetric_eigenpairs(&nan, &one), Err(EigenError::NotFinite));
        assert_eq!(symmetric_eigenpairs(&Matrix::zeros(0, 0), &Matrix::zeros(0, 0)), Ok(vec![]));
    }
}
