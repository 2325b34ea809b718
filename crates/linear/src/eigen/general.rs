//! A x = λ E x with any real A and regular E.
//!
//! # Equations
//! What A takes to zero is taken out first, and again from what is left until nothing is: with an orthonormal basis P of the
//! rest, $P^TE^{-1}AP$ has all other eigenvalues and none of the zeros, which may have fewer vectors than values. Its real
//! Schur form, balanced, gives the values to the rounding of its largest entry times the condition number
//! $\kappa = |l||x|/|l^Hx|$ of each, l and x being its left and right vector. Those that are not told apart by that are
//! handed on together, to be found again with the matrices as they were given.
//!
//! # Reference
//! B. N. Parlett, "The Rayleigh quotient iteration and some generalizations for nonnormal matrices", 1974;
//! G. H. Golub, C. F. Van Loan, *Matrix Computations*, 2013, sections 7.2 and 7.6

use super::cluster::{Cluster, Conditioned, MIN_SEPARATION, clusters, mean, told_apart};
use super::null_space::{NullSpace, complement, null_space, size_with_rounding};
use super::pencil::Pencil;
use super::{EigenError, MAX_SWEEPS_PER_ROW, SCHUR_TOLERANCE};
use crate::Complex;
use nalgebra::linalg::{Schur, balancing};
use nalgebra::{DMatrix, DVector};

/// Inverse iterations for a condition number.
const CONDITION_ITERATIONS: usize = 2;
/// Roundings that split values that are one, relative to that of a sum of as many terms.
const COINCIDENCE_ROUNDING: f64 = 10.0;
/// Times that the Schur form is tried.
const MAX_SCHUR_ATTEMPTS: u32 = 4;
/// The largest part of a balanced matrix that may be rounding.
const MAX_BALANCED_ROUNDING: f64 = 1e-12;

/// An eigenvalue, or several that cannot be told apart, with its vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigenvalue {
    /// λ, the mean where there are several; of a conjugate pair the one above the real axis.
    pub value: Complex,
    /// How far each of them may be from it.
    pub error: f64,
    /// How many there are.
    pub multiplicity: usize,
    /// Independent vectors of length 1: as many as there are values, or fewer.
    pub vectors: Vec<Vec<Complex>>,
    /// For each vector, how far each of its entries may be off; where there are several vectors, out of the space that
    /// they span.
    pub vector_errors: Vec<Vec<f64>>,
}

/// All λ with A x = λ E x and vectors x, the smallest |λ| first; `zeros` are the x with A x = 0.
pub fn general_eigenvalues(
    pencil: &Pencil,
    zeros: &NullSpace,
) -> Result<Vec<Eigenvalue>, EigenError> {
    let n = pencil.len();
    let finite = pencil.a.iter().chain(pencil.e.iter()).all(|entry| entry.is_finite());
    if !finite {
        return Err(EigenError::NotFinite);
    }
    if n == 0 {
        return Ok(Vec::new());
    }
    let balance = balance_of(pencil)?;
    let pencil = &pencil.scaled(&balance);
    let rest = NonzeroPart::new(pencil, &zeros.vectors, &balance)?;
    let mut found = Vec::new();
    if !zeros.vectors.is_empty() {
        found.push(zero(zeros, n - rest.matrix.nrows()));
    }
    if rest.matrix.nrows() > 0 {
        let values = rest.values(pencil)?;
        for part in told_apart(&values) {
            let members: Vec<Complex> = part.iter().map(|&at| values[at].value).collect();
            let center = mean(&members);
            if center.im < 0.0 {
                continue;
            }
            let others = (0..values.len()).filter(|at| !part.contains(at));
            let far = if found.is_empty() { f64::INFINITY } else { center.norm() };
            let apart = others.map(|at| (values[at].value - center).norm()).fold(far, f64::min);
            let apart = if apart.is_finite() { apart } else { center.norm().max(rest.scale()) };
            let clusters = clusters(pencil, &members, apart).ok_or(EigenError::NotConverged)?;
            found.extend(clusters.into_iter().map(|cluster| unscaled(cluster, &balance)));
        }
    }
    let count = |value: &Eigenvalue| value.multiplicity * if value.value.im > 0.0 { 2 } else { 1 };
    if found.iter().map(count).sum::<usize>() != n {
        return Err(EigenError::NotConverged);
    }
    found.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
    Ok(found)
}

/// The scales in which all coordinates are of one size, powers of two. Where values have fewer vectors, as zeros of rigid
/// motions do, scales without end make the matrix small and its rounding large: then there are none.
fn balance_of(pencil: &Pencil) -> Result<DVector<f64>, EigenError> {
    let [a, e] = pencil.real();
    let factors = e.lu();
    let mut matrix = factors.solve(&a).ok_or(EigenError::Massless)?;
    let inverse = factors.try_inverse().ok_or(EigenError::Massless)?;
    if matrix.iter().any(|entry| !entry.is_finite()) {
        return Err(EigenError::NotFinite);
    }
    let balance = balancing::balance_parlett_reinsch(&mut matrix);
    let mut sizes = inverse.abs() * pencil.a_sizes();
    for (at, &scale) in balance.iter().enumerate() {
        sizes.column_mut(at).scale_mut(scale);
        sizes.row_mut(at).unscale_mut(scale);
    }
    let is_sound = f64::EPSILON * sizes.norm() <= MAX_BALANCED_ROUNDING * matrix.norm();
    Ok(if is_sound { balance } else { DVector::from_element(balance.len(), 1.0) })
}

/// A cluster in the coordinates of the pencil before it was scaled.
fn unscaled(cluster: Cluster, balance: &DVector<f64>) -> Eigenvalue {
    let Cluster { value, error, multiplicity, vectors, vector_errors } = cluster;
    let vectors: Vec<DVector<Complex>> =
        vectors.iter().map(|x| x.component_mul(&balance.map(Complex::from))).collect();
    let errors = vectors.iter().zip(vector_errors).map(|(x, errors)| {
        errors.iter().zip(balance).map(|(error, scale)| error * scale / x.norm()).collect()
    });
    Eigenvalue {
        value,
        error,
        multiplicity,
        vector_errors: errors.collect(),
        vectors: vectors.iter().map(|x| x.normalize().iter().copied().collect()).collect(),
    }
}

fn zero(zeros: &NullSpace, multiplicity: usize) -> Eigenvalue {
    let vectors = zeros.vectors.iter();
    let n = zeros.vectors.first().map_or(0, Vec::len);
    Eigenvalue {
        value: Complex::ZERO,
        error: 0.0,
        multiplicity,
        vectors: vectors.map(|x| x.iter().copied().map(Complex::from).collect()).collect(),
        vector_errors: zeros.vectors.iter().map(|_| vec![zeros.error; n]).collect(),
    }
}

/// The matrix E⁻¹A without what it takes to zero, balanced.
struct NonzeroPart {
    matrix: DMatrix<f64>,
    /// Right vectors of the pencil become those of the matrix.
    right: DMatrix<f64>,
    /// Left vectors of E⁻¹A become those of the matrix.
    left: DMatrix<f64>,
}

impl NonzeroPart {
    fn new(
        pencil: &Pencil,
        zeros: &[Vec<f64>],
        balance: &DVector<f64>,
    ) -> Result<NonzeroPart, EigenError> {
        let n = pencil.len();
        let [a, e] = pencil.real();
        let factors = e.lu();
        let matrix = factors.solve(&a).ok_or(EigenError::Massless)?;
        let inverse = factors.try_inverse().ok_or(EigenError::Massless)?;
        let sizes = inverse.abs() * pencil.a_sizes();
        let identity = DMatrix::identity(n, n);
        let mut part = NonzeroPart { matrix, right: identity.clone(), left: identity };
        if !zeros.is_empty() {
            let columns: Vec<DVector<f64>> = zeros
                .iter()
                .map(|x| DVector::from_column_slice(x).component_div(balance))
                .collect();
            part.deflate(DMatrix::from_columns(&columns).qr().q(), sizes);
            part.balance();
        }
        Ok(part)
    }

    /// Scales rows and columns so that they are of one size.
    fn balance(&mut self) {
        if self.matrix.is_empty() {
            return;
        }
        let balance = balancing::balance_parlett_reinsch(&mut self.matrix);
        for (row, &scale) in balance.iter().enumerate() {
            self.right.row_mut(row).unscale_mut(scale);
            self.left.row_mut(row).scale_mut(scale);
        }
    }

    /// Takes out orthonormal null vectors, and those of what is left, until there are none.
    fn deflate(&mut self, mut vectors: DMatrix<f64>, mut sizes: DMatrix<f64>) {
        // what the rounding of orthonormal columns makes of any entry, and of its singular values
        let rounding = 10.0 * f64::EPSILON * self.matrix.nrows() as f64 * self.matrix.norm();
        let least = size_with_rounding(rounding);
        loop {
            let rest = complement(&vectors);
            self.matrix = rest.tr_mul(&self.matrix) * &rest;
            self.right = rest.tr_mul(&self.right);
            self.left = rest.tr_mul(&self.left);
            sizes = rest.abs().tr_mul(&sizes) * rest.abs();
            let found = null_space(&self.matrix, &sizes.map(|size| size.max(least))).vectors;
            if found.is_empty() {
                return;
            }
            let columns: Vec<DVector<f64>> =
                found.iter().map(|x| DVector::from_column_slice(x)).collect();
            vectors = DMatrix::from_columns(&columns);
        }
    }

    /// The size of the largest eigenvalues, or more.
    fn scale(&self) -> f64 {
        self.matrix.norm()
    }

    /// The eigenvalues, conjugate ones both, as far as the Schur form knows them.
    fn values(&self, pencil: &Pencil) -> Result<Vec<Conditioned>, EigenError> {
        let n = self.matrix.nrows();
        let form = schur_form(&self.matrix).ok_or(EigenError::NotConverged)?;
        let found = diagonal_values(&form);
        let rounding = f64::EPSILON * n as f64 * self.scale();
        // two values with one vector are split by this much, and a vector found there may belong to a third: what is this
        // near is looked at together
        let least = (f64::EPSILON * n as f64).sqrt() * self.scale() / (2.0 * MIN_SEPARATION);
        let mut values = Vec::with_capacity(n);
        for &value in found.iter().filter(|value| value.im >= 0.0) {
            let most = coincidence_radius(value, &found, self.scale());
            let error = most.min(rounding * self.condition(pencil, value)).max(least);
            values.push(Conditioned { value, error });
            if value.im > 0.0 {
                values.push(Conditioned { value: value.conj(), error });
            }
        }
        Ok(values)
    }

    /// κ, in the coordinates of the balanced matrix; infinite where no vectors are found.
    fn condition(&self, pencil: &Pencil, value: Complex) -> f64 {
        let Some(spaces) = pencil.spaces(value, 1, CONDITION_ITERATIONS) else {
            return f64::INFINITY;
        };
        let right = self.right.map(Complex::from) * &spaces.right;
        let left = self.left.map(Complex::from) * (pencil.e.adjoint() * &spaces.left);
        let condition = left.norm() * right.norm() / left.dotc(&right).norm();
        if condition.is_nan() { f64::INFINITY } else { condition }
    }
}

/// How far a value may be off that others are so near to that a condition number cannot be found: k of them that are one are
/// split by the k-th root of rounding. Infinite where none is near.
fn coincidence_radius(value: Complex, all: &[Complex], scale: f64) -> f64 {
    let rounding = COINCIDENCE_ROUNDING * all.len() as f64 * f64::EPSILON;
    let radius = |k: usize| scale * rounding.powf(1.0 / k as f64);
    let within = |r: f64| all.iter().filter(|other| (*other - value).norm() <= r).count();
    if within(radius(2)) < 2 {
        return f64::INFINITY;
    }
    let k = (2..=all.len()).find(|&k| within(MIN_SEPARATION * radius(k)) <= k);
    radius(k.unwrap_or(all.len()))
}

/// The real Schur form. The QR algorithm can come back to where it was for ever, in matrices of much symmetry: reflected, they
/// have less of it.
fn schur_form(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = matrix.nrows();
    let mut matrix = matrix.clone();
    (1..=MAX_SCHUR_ATTEMPTS).find_map(|attempt| {
        let schur = Schur::try_new(matrix.clone(), SCHUR_TOLERANCE, MAX_SWEEPS_PER_ROW * n);
        let along = DVector::from_fn(n, |i, _| ((i + 1) as f64 * f64::from(attempt)).sin() + 1.5);
        let along = along.normalize();
        let reflection = DMatrix::identity(n, n) - &along * along.transpose() * 2.0;
        matrix = &reflection * &matrix * &reflection;
        schur.map(|schur| schur.unpack().1)
    })
}

/// The eigenvalues of a real Schur form: entries of its diagonal, and of blocks of two rows both values, which are real
/// where rounding has made a pair of them that were equal.
fn diagonal_values(form: &DMatrix<f64>) -> Vec<Complex> {
    let (n, mut values, mut at) = (form.nrows(), Vec::new(), 0);
    while at < n {
        if at + 1 == n || form[(at + 1, at)] == 0.0 {
            values.push(Complex::from(form[(at, at)]));
            at += 1;
            continue;
        }
        let (first, last) = (form[(at, at)], form[(at + 1, at + 1)]);
        let (mean, half) = (0.5 * (first + last), 0.5 * (first - last));
        let square = half * half + form[(at, at + 1)] * form[(at + 1, at)];
        let root = Complex::from(square).sqrt();
        values.extend([mean + root, mean - root]);
        at += 2;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    fn matrix<const N: usize>(rows: [[f64; N]; N]) -> Matrix {
        Matrix::from_fn(N, N, |i, j| rows[i][j])
    }

    fn identity(n: usize) -> Matrix {
        Matrix::from_fn(n, n, |i, j| f64::from(i == j))
    }

    fn solved(a: &Matrix, e: &Matrix) -> Vec<Eigenvalue> {
        let sizes = Matrix::from_fn(a.rows(), a.rows(), |i, j| a[(i, j)].abs());
        let zeros = NullSpace::of(a, &sizes);
        general_eigenvalues(&Pencil::new(a, e), &zeros).expect("it converges")
    }

    /// The largest entry of (A − λE)x over all vectors.
    fn residual(a: &Matrix, e: &Matrix, found: &Eigenvalue) -> f64 {
        let pencil = Pencil::new(a, e);
        let shifted = &pencil.a - &pencil.e * found.value;
        let vectors = found.vectors.iter().map(|x| DVector::from_column_slice(x));
        vectors.map(|x| (&shifted * x).camax()).fold(0.0, f64::max)
    }

    #[test]
    fn a_damped_oscillator_has_its_closed_form() {
        // m ẍ + c ẋ + k x = 0
        let (m, c, k) = (2.0, 0.3, 50.0);
        let a = matrix([[0.0, 1.0], [-k, -c]]);
        let e = matrix([[1.0, 0.0], [0.0, m]]);
        let found = solved(&a, &e);
        let decay = c / (2.0 * m);
        let exact = Complex::new(-decay, (k / m - decay * decay).sqrt());
        assert_eq!(found.len(), 1);
        assert!((found[0].value - exact).norm() < 1e-14, "{}", found[0].value);
        assert!(found[0].error < 1e-12);
        assert!(residual(&a, &e, &found[0]) < 1e-13);
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
        for (found, exact) in solved(&a, &identity(3)).iter().zip(roots) {
            assert!((found.value.re / exact - 1.0).abs() < 1e-12, "{} and {exact}", found.value);
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
        let found = solved(&a, &identity(4));
        assert_eq!((found.len(), found[0].multiplicity, found[0].vectors.len()), (1, 2, 2));
        assert!(found[0].error < 1e-13, "{}", found[0].error);
        assert!(residual(&a, &identity(4), &found[0]) < 1e-13);
        let [x, y] = [0, 1].map(|at| DVector::from_column_slice(&found[0].vectors[at]));
        assert!(x.dotc(&y).norm() < 1e-12);
    }

    #[test]
    fn a_value_without_a_vector_of_its_own_says_how_uncertain_it_is() {
        // critical damping in numbers that have no end: λ = −0.1 twice
        let a = matrix([[0.0, 1.0], [-0.1 * 0.1, -0.2]]);
        let found = solved(&a, &identity(2));
        assert_eq!((found.len(), found[0].multiplicity, found[0].vectors.len()), (1, 2, 1));
        let off = (found[0].value + 0.1).norm();
        // the mean is as good as a simple value, each of the two is not
        assert!(off < 1e-15 && off <= found[0].error);
        assert!((1e-9..1e-7).contains(&found[0].error), "{}", found[0].error);
        assert!(residual(&a, &identity(2), &found[0]) < 1e-15);
        assert!(found[0].vector_errors[0].iter().all(|error| *error < 1e-13));
    }

    #[test]
    fn values_that_coincide_by_chance_are_counted_with_their_vectors() {
        // critical damping, two rates that are the same, and others that have nothing to do with them
        let mut a = Matrix::zeros(7, 7);
        for (at, entry) in [
            ((0, 1), 1.0),
            ((1, 0), -1.0),
            ((1, 1), -2.0),
            ((2, 2), -1.0),
            ((3, 3), -1.0),
            ((4, 5), 1.0),
            ((5, 4), -9.0),
            ((6, 6), -2.5),
        ] {
            a[at] = entry;
        }
        let found = solved(&a, &identity(7));
        let counts: Vec<_> = found.iter().map(|x| (x.multiplicity, x.vectors.len())).collect();
        assert_eq!(counts, [(4, 3), (1, 1), (1, 1)]);
        assert!(found.iter().all(|found| residual(&a, &identity(7), found) < 1e-13));
    }

    #[test]
    fn zeros_with_fewer_vectors_are_counted_and_do_not_disturb_the_others() {
        // a free mass, whose position an integrator adds up, and something that decays
        let a = matrix([
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.3, 0.1, 0.7, -3.0],
        ]);
        let found = solved(&a, &identity(4));
        let counts: Vec<_> = found.iter().map(|x| (x.multiplicity, x.vectors.len())).collect();
        assert_eq!(counts, [(3, 1), (1, 1)]);
        assert_eq!(found[0].value, Complex::ZERO);
        assert!((found[1].value.re + 3.0).abs() < 1e-14);
        assert!(found.iter().all(|found| residual(&a, &identity(4), found) < 1e-14));
    }

    #[test]
    fn a_pivot_of_zero_at_the_exact_value_spoils_no_vector() {
        // two systems side by side that know nothing of each other
        let a = matrix([
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [0.0, 0.0, -10.0, 0.0],
            [0.0, -9.0, 0.0, 0.0],
        ]);
        let found = solved(&a, &identity(4));
        assert_eq!(found.len(), 3);
        for value in &found {
            assert!(residual(&a, &identity(4), value) < 1e-14, "{}", value.value);
        }
    }
}
