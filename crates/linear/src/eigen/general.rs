//! A x = λ E x with any real A and regular E.
//!
//! # Equations
//! The real Schur form of the balanced $E^{-1}A$ gives the values. Each is refined with its right and
//! left vector, found by inverse iteration: x from $(A-\mu E)x' = Ex$, w from $(A-\mu E)^Hw' = E^Hw$, and
//! $$\lambda = \frac{w^HAx}{w^HEx}.$$
//! The quotient errs by the product of the errors of both vectors, and by the rounding of its sums
//! divided by $|w^HEx|$, which is small where values nearly coincide and share one vector.
//!
//! # Reference
//! B. N. Parlett, "The Rayleigh quotient iteration and some generalizations for nonnormal matrices", 1974

use super::{EigenError, SWEEPS, check_finite, dense};
use crate::{Complex, Matrix};
use nalgebra::linalg::{Schur, balancing};
use nalgebra::{DMatrix, DVector};

/// Inverse iterations with one shift: the second removes what the first vector had of all others.
const ITERATIONS: usize = 2;
/// A quotient that leaves the value by more than this part belongs to another one.
const NEAR: f64 = 1e-3;

/// An eigenvalue with its vector.
#[derive(Clone, Debug, PartialEq)]
pub struct EigenPair {
    /// λ
    pub value: Complex,
    /// x, of length 1.
    pub vector: Vec<Complex>,
    /// How far the value may be off.
    pub error: f64,
}

/// All pairs with A x = λ E x, conjugate ones both, the smallest |λ| first.
pub fn general_eigenpairs(a: &Matrix, e: &Matrix) -> Result<Vec<EigenPair>, EigenError> {
    check_finite([a, e])?;
    if a.rows() == 0 {
        return Ok(Vec::new());
    }
    let mut balanced = dense(e).lu().solve(&dense(a)).ok_or(EigenError::Massless)?;
    balancing::balance_parlett_reinsch(&mut balanced);
    let largest = balanced.amax();
    if !largest.is_finite() {
        return Err(EigenError::NotFinite);
    }
    let schur = Schur::try_new(balanced, f64::EPSILON, SWEEPS * a.rows());
    let values = schur.ok_or(EigenError::NotConverged)?.complex_eigenvalues();
    let pencil = Pencil { a: complex(a), e: complex(e), scale: largest };
    let mut pairs = Vec::with_capacity(a.rows());
    for (at, &value) in values.iter().enumerate().filter(|(_, value)| value.im >= 0.0) {
        let pair = pencil.refined(value, at);
        let finite = pair.value.is_finite() && pair.vector.iter().all(|x| x.is_finite());
        if !finite {
            return Err(EigenError::NotFinite);
        }
        if value.im > 0.0 {
            let vector = pair.vector.iter().map(|x| x.conj()).collect();
            pairs.push(EigenPair { value: pair.value.conj(), vector, error: pair.error });
        }
        pairs.push(pair);
    }
    let size = |value: Complex| value.norm();
    pairs.sort_by(|a, b| size(a.value).total_cmp(&size(b.value)));
    Ok(pairs)
}

struct Pencil {
    a: DMatrix<Complex>,
    e: DMatrix<Complex>,
    /// The largest entry of the balanced matrix.
    scale: f64,
}

impl Pencil {
    fn refined(&self, found: Complex, number: usize) -> EigenPair {
        let (mut value, mut change) = (found, f64::INFINITY);
        let (mut right, mut left) = (start(self.a.nrows(), number), start(self.a.nrows(), number));
        for _ in 0..2 {
            right = self.nearest(value, right, false);
            left = self.nearest(value, left, true);
            let (above, below) = (left.dotc(&(&self.a * &right)), left.dotc(&(&self.e * &right)));
            let mut quotient = above / below;
            if found.im == 0.0 {
                quotient.im = 0.0;
            }
            // written so that NaN is not near
            let near = (quotient - found).norm() <= NEAR * found.norm();
            if !near {
                break;
            }
            change = (quotient - value).norm();
            value = quotient;
        }
        let error = self.rounding(value, &left, &right);
        let error = if change.is_finite() { error.max(change * NEAR) } else { error };
        EigenPair { value, vector: right.iter().copied().collect(), error }
    }

    /// Inverse iteration towards the right or left vector of the value nearest the shift.
    fn nearest(&self, shift: Complex, mut x: DVector<Complex>, left: bool) -> DVector<Complex> {
        // an exact shift would make the matrix singular
        let shift = shift + Complex::from(f64::EPSILON * self.scale);
        let mut matrix = &self.a - &self.e * shift;
        let mut right_side = self.e.clone();
        if left {
            matrix = matrix.adjoint();
            right_side = right_side.adjoint();
        }
        let factors = matrix.lu();
        for _ in 0..ITERATIONS {
            let Some(next) = factors.solve(&(&right_side * &x)) else { return x };
            let norm = next.norm();
            if !(norm.is_finite() && norm > 0.0) {
                return x;
            }
            x = next / Complex::from(norm);
        }
        x
    }

    /// What rounding does to the quotient.
    fn rounding(&self, value: Complex, left: &DVector<Complex>, right: &DVector<Complex>) -> f64 {
        let absolute = |vector: &DVector<Complex>| vector.map(|x| x.norm());
        let (w, x) = (absolute(left), absolute(right));
        let size = |matrix: &DMatrix<Complex>| w.dot(&(matrix.map(|entry| entry.norm()) * &x));
        let sums = size(&self.a) + value.norm() * size(&self.e);
        let below = left.dotc(&(&self.e * right)).norm();
        f64::EPSILON * (self.a.nrows() as f64) * sums / below
    }
}

/// A start that has something of every vector, another one for each value.
fn start(n: usize, number: usize) -> DVector<Complex> {
    let entry = |i: usize| (1.0 + (i * i) as f64 * 1.3 + number as f64 * 0.7).sin() + 1.1;
    DVector::from_fn(n, |i, _| Complex::new(entry(i), 0.0)).normalize()
}

fn complex(matrix: &Matrix) -> DMatrix<Complex> {
    dense(matrix).map(Complex::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix<const N: usize>(rows: [[f64; N]; N]) -> Matrix {
        let mut matrix = Matrix::zeros(N, N);
        (0..N).for_each(|row| matrix.row_mut(row).copy_from_slice(&rows[row]));
        matrix
    }

    fn identity(n: usize) -> Matrix {
        let mut matrix = Matrix::zeros(n, n);
        (0..n).for_each(|at| matrix[(at, at)] = 1.0);
        matrix
    }

    fn residual(a: &Matrix, e: &Matrix, pair: &EigenPair) -> f64 {
        let times = |matrix: &Matrix, row: usize| -> Complex {
            matrix.row(row).iter().zip(&pair.vector).map(|(a, x)| x * *a).sum()
        };
        let rows = (0..a.rows()).map(|row| (times(a, row) - pair.value * times(e, row)).norm());
        rows.fold(0.0, f64::max)
    }

    #[test]
    fn a_damped_oscillator_has_its_closed_form() {
        // m ẍ + c ẋ + k x = 0
        let (m, c, k) = (2.0, 0.3, 50.0);
        let a = matrix([[0.0, 1.0], [-k, -c]]);
        let e = matrix([[1.0, 0.0], [0.0, m]]);
        let pairs = general_eigenpairs(&a, &e).unwrap();
        let decay = c / (2.0 * m);
        let exact = Complex::new(-decay, (k / m - decay * decay).sqrt());
        for pair in &pairs {
            let exact = if pair.value.im > 0.0 { exact } else { exact.conj() };
            assert!((pair.value - exact).norm() < 1e-14, "{}", pair.value);
            assert!(pair.error < 1e-12);
            assert!(residual(&a, &e, pair) < 1e-13);
        }
        assert_eq!(pairs.len(), 2);
    }

    #[test]
    fn values_far_apart_keep_their_digits() {
        // companion matrix of (x − 1e-4)(x − 1)(x − 1e4)
        let roots = [1e-4, 1.0, 1e4];
        let [p, q, r] = roots;
        let a = matrix([
            [p + q + r, -(p * q + q * r + r * p), p * q * r],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
        ]);
        let pairs = general_eigenpairs(&a, &identity(3)).unwrap();
        for (pair, exact) in pairs.iter().zip(roots) {
            assert!((pair.value.re / exact - 1.0).abs() < 1e-12, "{} and {exact}", pair.value);
        }
    }

    #[test]
    fn equal_values_have_vectors_of_their_own() {
        let a = matrix([
            [0.0, 1.0, 0.0, 0.0],
            [-4.0, -0.1, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [0.0, 0.0, -4.0, -0.1],
        ]);
        let pairs = general_eigenpairs(&a, &identity(4)).unwrap();
        let up: Vec<&EigenPair> = pairs.iter().filter(|pair| pair.value.im > 0.0).collect();
        assert_eq!(up.len(), 2);
        for pair in &up {
            assert!(residual(&a, &identity(4), pair) < 1e-12);
        }
        let along: Complex =
            up[0].vector.iter().zip(&up[1].vector).map(|(a, b)| a.conj() * b).sum();
        assert!(along.norm() < 0.999, "{}", along.norm());
    }

    #[test]
    fn a_value_without_a_vector_of_its_own_says_how_uncertain_it_is() {
        // a free mass: two zeros, one vector
        let a = matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -3.0]]);
        let pairs = general_eigenpairs(&a, &identity(3)).unwrap();
        for pair in &pairs[..2] {
            assert!(pair.value.norm() <= 10.0 * pair.error, "{} ± {}", pair.value, pair.error);
        }
        assert!((pairs[2].value.re + 3.0).abs() < 1e-14);
    }
}
