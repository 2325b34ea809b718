//! Eigenvalues that rounding cannot tell apart, as one: their mean, how far they may be from it, and their vectors.
//!
//! # Equations
//! On the spaces X and W of m eigenvalues the pencil is the small matrix $B = (W^HEX)^{-1}W^HAX$, known to η, which is the
//! rounding of its sums times $|(W^HEX)^{-1}|$. An eigenvalue of B with the condition number κ is off by ηκ, and those closer
//! than that are not told apart. Their mean $\bar\lambda = \mathrm{tr}B/m$ is known to η. With $N = B - \bar\lambda$ and
//! ν = |N| none of them is further from it than N says, plus the r with
//! $$\frac{r^p}{\nu^{p-1}+\nu^{p-2}r+\dots+r^{p-1}}=\eta,$$
//! where $N^p = 0$: η where N vanishes and every vector is an eigenvector, and about $\sqrt[m]{\eta\nu^{m-1}}$ where they have
//! one in common. Null vectors of N are the eigenvectors.
//!
//! # Reference
//! P. Henrici, "Bounds for iterates, inverses, spectral variation and fields of values of non-normal matrices", 1962

use super::pencil::{Pencil, Spaces};
use super::{MAX_SWEEPS_PER_ROW, SCHUR_TOLERANCE};
use crate::Complex;
use nalgebra::linalg::Schur;
use nalgebra::{DMatrix, DVector};

/// Eigenvalues are told apart if they lie further from each other than this many times their errors.
pub(super) const MIN_SEPARATION: f64 = 4.0;
/// Singular values of N below this multiple of its rounding are zero.
const MAX_NULL_TO_ROUNDING: f64 = 100.0;
/// Inverse iterations towards a single vector: the second removes what the first had of all others.
const SINGLE_ITERATIONS: usize = 2;
/// Inverse iterations towards the space of several, whose shift is not as near.
const SPACE_ITERATIONS: usize = 12;
/// How far the shift for several eigenvalues is from their mean, relative to the distance of the next one: nearer, the
/// solutions would all be one vector, and further away the others would not vanish.
const SHIFT_DISTANCE: f64 = 0.03;
/// A mean that moves by more than this part of the distance to the next eigenvalue belongs to others.
const MAX_CHANGE: f64 = 0.1;
/// Times that the spaces are found again at the mean that the matrices themselves have there.
const MAX_REFINEMENTS: usize = 5;

/// One or several eigenvalues that are not told apart.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// Their mean.
    pub(super) value: Complex,
    /// None of them is further from the mean.
    pub(super) error: f64,
    pub(super) multiplicity: usize,
    /// Independent eigenvectors.
    pub(super) vectors: Vec<DVector<Complex>>,
    /// For each vector how far its entries may be off.
    pub(super) vector_errors: Vec<Vec<f64>>,
}

/// B, and how far its entries may be off.
struct Block {
    matrix: DMatrix<Complex>,
    rounding: f64,
}

/// An eigenvalue with its condition number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditioned {
    pub(super) value: Complex,
    /// How far it may be off.
    pub(super) error: f64,
}

/// The clusters that a set of approximate eigenvalues is: one, or more where they can be told apart after all. `apart` is
/// the distance from their mean to the nearest eigenvalue that is not among them.
pub(super) fn clusters(pencil: &Pencil, values: &[Complex], apart: f64) -> Option<Vec<Cluster>> {
    let m = values.len();
    let mean = mean(values);
    let (mut found, mut last) = (mean, None);
    for _ in 0..MAX_REFINEMENTS {
        let (shift, iterations) = match m {
            1 => (found, SINGLE_ITERATIONS),
            _ => (found + SHIFT_DISTANCE * apart, SPACE_ITERATIONS),
        };
        let spaces = pencil.spaces(shift, m, iterations)?;
        let block = Block::new(pencil, &spaces, found)?;
        let mut value = block.matrix.trace() / m as f64;
        if mean.im == 0.0 {
            value.im = 0.0;
        }
        // written so that NaN is not near
        let near = (value - mean).norm() <= MAX_CHANGE * apart;
        let change = (value - found).norm();
        let finished = !near || change <= block.rounding;
        last = last.filter(|_| !near).or(Some((spaces, block)));
        if near {
            found = value;
        }
        if finished {
            break;
        }
    }
    let (spaces, block) = last?;
    if m > 1
        && found == mean
        && (block.matrix.trace() / m as f64 - mean).norm() > MAX_CHANGE * apart
    {
        return None;
    }
    let parts = if m > 1 { told_apart(&block.conditioned()?) } else { Vec::new() };
    match parts.len() {
        0 | 1 => Some(vec![block.cluster(pencil, &spaces, found)?]),
        _ => {
            let found_apart = resolved(pencil, &block.values()?, parts, apart, mean.im == 0.0);
            let pairs = |one: &Cluster| if mean.im == 0.0 && one.value.im > 0.0 { 2 } else { 1 };
            let count = |all: &Vec<Cluster>| -> usize {
                all.iter().map(|one| one.multiplicity * pairs(one)).sum()
            };
            match found_apart.filter(|all| count(all) == m) {
                Some(all) => Some(all),
                None => Some(vec![block.cluster(pencil, &spaces, found)?]),
            }
        }
    }
}

/// The parts of a set one by one; of conjugate ones the one above the real axis.
fn resolved(
    pencil: &Pencil,
    values: &[Complex],
    parts: Vec<Vec<usize>>,
    apart: f64,
    is_real: bool,
) -> Option<Vec<Cluster>> {
    let mut all = Vec::new();
    for part in &parts {
        let others = parts.iter().filter(|other| *other != part).flatten();
        let mut members: Vec<Complex> = part.iter().map(|&at| values[at]).collect();
        let center = mean(&members);
        let apart = others.map(|&at| (values[at] - center).norm()).fold(apart, f64::min);
        if is_real && center.im.abs() <= 0.1 * apart {
            // no part is its own mirror image and near another one
            members.iter_mut().for_each(|value| value.im = 0.0);
        } else if is_real && center.im < 0.0 {
            continue;
        }
        all.extend(clusters(pencil, &members, apart)?);
    }
    Some(all)
}

impl Block {
    fn new(pencil: &Pencil, spaces: &Spaces, value: Complex) -> Option<Block> {
        let Spaces { right, left } = spaces;
        let below = (left.adjoint() * (&pencil.e * right)).try_inverse()?;
        let matrix = &below * (left.adjoint() * (&pencil.a * right));
        let sums = left.map(|w| w.norm()).tr_mul(&pencil.rounding(value, right));
        let rounding = (below.map(|entry| entry.norm()) * sums).norm();
        (rounding.is_finite()).then_some(Block { matrix, rounding })
    }

    /// The triangle of B's Schur form. The mean is taken out on the way: of nearly equal values nothing else is left.
    fn triangle(&self) -> Option<DMatrix<Complex>> {
        let m = self.matrix.nrows();
        if m == 1 {
            return Some(self.matrix.clone());
        }
        let mean = DMatrix::identity(m, m) * (self.matrix.trace() / m as f64);
        let rest = &self.matrix - &mean;
        let schur = Schur::try_new(rest, SCHUR_TOLERANCE, MAX_SWEEPS_PER_ROW * m)?;
        Some(schur.unpack().1 + mean)
    }

    fn values(&self) -> Option<Vec<Complex>> {
        Some(self.triangle()?.diagonal().iter().copied().collect())
    }

    /// The eigenvalues of B and how far each may be off by itself.
    fn conditioned(&self) -> Option<Vec<Conditioned>> {
        let triangle = self.triangle()?;
        let m = triangle.nrows();
        let smallest = self.rounding.max(f64::MIN_POSITIVE);
        let over_gap = |sum: Complex, k: usize, i: usize| {
            let gap = triangle[(k, k)] - triangle[(i, i)];
            sum / if gap.norm() < smallest { Complex::from(smallest) } else { gap }
        };
        let one = |k: usize| {
            // T x = t x and lᴴT = t lᴴ by substitution: x ends and l begins with a 1 in row k, so that lᴴx = 1
            let (mut right, mut left) = (vec![Complex::ZERO; m], vec![Complex::ZERO; m]);
            (right[k], left[k]) = (Complex::from(1.0), Complex::from(1.0));
            for i in (0..k).rev() {
                let sum: Complex = (i + 1..=k).map(|j| triangle[(i, j)] * right[j]).sum();
                right[i] = over_gap(sum, k, i);
            }
            for i in k + 1..m {
                let sum: Complex = (k..i).map(|j| left[j] * triangle[(j, i)]).sum();
                left[i] = over_gap(sum, k, i);
            }
            let length = |x: &[Complex]| x.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
            let error = self.rounding * length(&right) * length(&left);
            Conditioned { value: triangle[(k, k)], error }
        };
        Some((0..m).map(one).collect())
    }

    /// The p with N^p = 0 as far as rounding can tell: m, or fewer where there are several vectors.
    fn longest_chain(&self, rest: &DMatrix<Complex>) -> usize {
        let (m, size) = (rest.nrows(), rest.norm());
        let mut power = rest.clone();
        for p in 1..m {
            // (N + δN)^p − N^p
            let rounding = (m * p) as f64 * size.powi(p as i32 - 1) * self.rounding;
            if power.norm() <= MIN_SEPARATION * rounding {
                return p;
            }
            power = &power * rest;
        }
        m
    }

    /// All eigenvalues of B as one.
    fn cluster(&self, pencil: &Pencil, spaces: &Spaces, value: Complex) -> Option<Cluster> {
        let m = self.matrix.nrows();
        let rest = &self.matrix - DMatrix::identity(m, m) * value;
        let spread = self.values()?.iter().map(|x| (x - value).norm()).fold(0.0, f64::max);
        let radius = henrici_radius(self.rounding, rest.norm(), self.longest_chain(&rest));
        let svd = rest.svd(false, true);
        let right = svd.v_t?.adjoint();
        let least = svd.singular_values.min();
        let is_null = |sigma: f64| sigma <= (MAX_NULL_TO_ROUNDING * self.rounding).max(least);
        let held = svd.singular_values.iter().copied().filter(|sigma| !is_null(*sigma));
        let within = self.rounding / held.fold(f64::INFINITY, f64::min);
        let (mut vectors, mut vector_errors) = (Vec::new(), Vec::new());
        for (at, &sigma) in svd.singular_values.iter().enumerate() {
            if is_null(sigma) {
                let x = &spaces.right * right.column(at);
                let mut errors = pencil.vector_errors(value, spaces, &x);
                let most = spaces.right.row_iter().map(|row| row.norm());
                errors.iter_mut().zip(most).for_each(|(error, most)| *error += within * most);
                vectors.push(x);
                vector_errors.push(errors);
            }
        }
        Some(Cluster { value, error: spread + radius, multiplicity: m, vectors, vector_errors })
    }
}

/// How far the eigenvalues of a matrix move that is changed by η, and whose p-th power vanishes once its mean is taken from
/// it, which leaves ν.
fn henrici_radius(eta: f64, nu: f64, p: usize) -> f64 {
    let p = p as i32;
    let power = |r: f64| {
        let sum: f64 = (0..p).map(|k| nu.powi(p - 1 - k) * r.powi(k)).sum();
        r.powi(p) / sum
    };
    let (mut low, mut high) = (eta, eta + nu + f64::MIN_POSITIVE);
    while power(high) < eta {
        high *= 2.0;
    }
    // in logarithms: to 1 % is more than enough
    while high > 1.01 * low && low > 0.0 {
        let middle = (low * high).sqrt();
        if power(middle) < eta { low = middle } else { high = middle }
    }
    high
}

/// Which values belong together because they are closer than their errors allow to say.
pub(super) fn told_apart(values: &[Conditioned]) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for (at, one) in values.iter().enumerate() {
        let is_near = |other: usize| {
            let other = &values[other];
            // written so that an error that is not a number tells nothing apart
            let apart =
                (one.value - other.value).norm() > MIN_SEPARATION * (one.error + other.error);
            !apart
        };
        let (near, mut far): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| part.iter().any(|&other| is_near(other)));
        far.push(near.into_iter().flatten().chain([at]).collect());
        parts = far;
    }
    parts
}

/// The mean; of values that come with their conjugates it is real.
pub(super) fn mean(values: &[Complex]) -> Complex {
    let mut mean = values.iter().sum::<Complex>() / values.len() as f64;
    let size = values.iter().map(|value| value.im.abs()).fold(0.0, f64::max);
    if mean.im.abs() <= 0.5 * size && values.iter().any(|value| value.im < 0.0) {
        mean.im = 0.0;
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_radius_is_the_change_itself_or_its_root() {
        assert!((henrici_radius(1e-14, 0.0, 3) / 1e-14 - 1.0).abs() < 0.02);
        assert!((henrici_radius(1e-14, 1.0, 2) / 1e-7 - 1.0).abs() < 0.02);
        assert!((henrici_radius(1e-15, 1.0, 3) / 1e-5 - 1.0).abs() < 0.02);
        assert_eq!(henrici_radius(0.0, 0.0, 2), f64::MIN_POSITIVE);
    }

    #[test]
    fn values_within_their_errors_are_not_told_apart() {
        let one = |value: f64, error: f64| Conditioned { value: value.into(), error };
        let values = [one(1.0, 1e-9), one(2.0, 1e-9), one(1.0 + 1e-9, 1e-9), one(3.0, f64::NAN)];
        assert_eq!(told_apart(&values[..3]), [vec![1], vec![0, 2]]);
        assert_eq!(told_apart(&values).len(), 1);
    }
}
