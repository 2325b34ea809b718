//! From the matrices of a linear model to its modes: eigenvalues that say how far they may be off, and shapes that are put
//! back into the equations.

use super::RestError;
use super::linear_model::{LinearModel, Matrices};
use super::modes::{Character, Mode};
use catena_linear::{
    Complex, Eigenvalue, Matrix, NullSpace, Pencil, SymmetricPair, general_eigenvalues,
};

/// A square ω² no further from zero than this many times its error is zero.
const ZERO_TO_ERROR: f64 = 100.0;
/// A stiffness smaller than this, relative to the terms it is made of, is rounding.
const STIFFNESS_ROUNDING: f64 = 1e-11;
/// A real part of λ smaller than this, relative to |λ|, is rounding.
const REAL_PART_ROUNDING: f64 = 1e-11;

/// Whether what is left of the stiffness is rounding.
pub(super) fn is_free(linear: &LinearModel<'_>, pair: &SymmetricPair) -> bool {
    let shape = Matrix::from_fn(pair.vector.len(), 1, |row, _| pair.vector[row].abs());
    let size = shape.transposed().times(&linear.stiffness_size).times(&shape)[(0, 0)];
    pair.value.abs() <= (STIFFNESS_ROUNDING * size).max(ZERO_TO_ERROR * pair.error)
}

/// The modes of a system without damping and states.
pub(super) fn real_modes(linear: &LinearModel<'_>, pairs: &[SymmetricPair]) -> Vec<Mode> {
    let free = pairs.iter().filter(|pair| is_free(linear, pair)).count();
    let mode = |pair: &SymmetricPair| {
        let rate = pair.value.abs().sqrt();
        // ω ± e/2ω
        let error = pair.error / (2.0 * rate);
        let equal = pairs.iter().filter(|other| {
            (other.value - pair.value).abs() <= other.error + pair.error && !is_free(linear, other)
        });
        let count = equal.count();
        let (value, character, error, counts) = match pair.value {
            // each is held neither in its place nor in its velocity: two zeros and one shape
            _ if is_free(linear, pair) => (Complex::ZERO, Character::Free, 0.0, [2 * free, free]),
            square if square > 0.0 => {
                (Complex::new(0.0, rate), Character::Oscillating, error, [count, count])
            }
            _ => (Complex::from(rate), Character::Growing, error, [count, count]),
        };
        let vector: Vec<Complex> = pair.vector.iter().map(|&x| Complex::from(x)).collect();
        Shape { linear, u: &vector, states: &[], errors: [&pair.vector_errors, &[]] }
            .mode(value, error, character, counts)
    };
    pairs.iter().map(mode).collect()
}

/// The modes of any system.
pub(super) fn damped_modes(linear: &LinearModel<'_>) -> Result<Vec<Mode>, RestError> {
    let d = linear.independent.len();
    let (rates, masses) = first_order(&linear.minimal);
    let sizes = first_order(&sizes(linear)).0;
    let zeros = null_space(&rates, &sizes, d);
    let found = general_eigenvalues(&Pencil::new(&rates, &masses).with_sizes(&sizes), &zeros)?;
    let mut modes = Vec::new();
    for eigenvalue in &found {
        let (value, character) = told(eigenvalue);
        let free = character == Character::Free;
        let shapes = eigenvalue.vectors.len();
        // values without a vector of their own are listed with one of the others; a rigid motion is listed once
        let listed = if free { shapes } else { eigenvalue.multiplicity };
        let error = if free { 0.0 } else { eigenvalue.error };
        for at in (0..shapes).cycle().take(listed) {
            let (vector, errors) = (&eigenvalue.vectors[at], &eigenvalue.vector_errors[at]);
            let shape = Shape {
                linear,
                u: &vector[..d],
                states: &vector[2 * d..],
                errors: [&errors[..d], &errors[2 * d..]],
            };
            modes.push(shape.mode(value, error, character, [eigenvalue.multiplicity, shapes]));
        }
    }
    Ok(modes)
}

/// λ without what is rounding in it, and what it means.
fn told(found: &Eigenvalue) -> (Complex, Character) {
    let mut value = found.value;
    if value.norm() <= found.error {
        return (Complex::ZERO, Character::Free);
    }
    if value.re.abs() <= (REAL_PART_ROUNDING * value.norm()).max(found.error) {
        value.re = 0.0;
    }
    let character = match value {
        _ if value == Complex::ZERO => Character::Free,
        _ if value.re > 0.0 => Character::Growing,
        // t e^{iωt}: two values share one shape
        _ if value.re == 0.0 && found.vectors.len() < found.multiplicity => Character::Growing,
        _ if value.im > 0.0 => Character::Oscillating,
        _ => Character::Decaying,
    };
    (value, character)
}

/// What the matrix of the first-order form takes to zero. Nothing moves there, so that damping does not enter: it could be
/// so large that the stiffness would be lost in it.
fn null_space(rates: &Matrix, sizes: &Matrix, d: usize) -> NullSpace {
    let n = rates.rows();
    // without the rows that say u̇ = v and the columns of velocities
    let kept: Vec<usize> = (d..n).collect();
    let column = |at: usize| if at < d { at } else { at + d };
    let part = |matrix: &Matrix| {
        Matrix::from_fn(kept.len(), kept.len(), |i, j| matrix[(kept[i], column(j))])
    };
    let found = NullSpace::of(&part(rates), &part(sizes));
    let with_velocities = |x: &Vec<f64>| {
        let still = std::iter::repeat_n(0.0, d);
        x[..d].iter().copied().chain(still).chain(x[d..].iter().copied()).collect()
    };
    NullSpace { vectors: found.vectors.iter().map(with_velocities).collect(), ..found }
}

/// How large the entries of the minimal matrices would be if nothing cancelled in them.
fn sizes(linear: &LinearModel<'_>) -> Matrices {
    let absolute = |matrix: &Matrix| {
        Matrix::from_fn(matrix.rows(), matrix.columns(), |i, j| matrix[(i, j)].abs())
    };
    let (full, spread) = (&linear.full, absolute(&linear.spread));
    let across = spread.transposed();
    Matrices {
        mass: linear.minimal.mass.clone(),
        damping: across.times(&absolute(&full.damping)).times(&spread),
        stiffness: linear.stiffness_size.clone(),
        state_forces: across.times(&absolute(&full.state_forces)),
        rates_by_position: absolute(&full.rates_by_position).times(&spread),
        rates_by_velocity: absolute(&full.rates_by_velocity).times(&spread),
        rates_by_state: absolute(&full.rates_by_state),
    }
}

/// The first-order form: A and E of E ẏ = A y with y = (u, u̇, ζ).
fn first_order(minimal: &Matrices) -> (Matrix, Matrix) {
    let (d, k) = (minimal.mass.rows(), minimal.rates_by_state.rows());
    let rates = Matrix::from_fn(2 * d + k, 2 * d + k, |i, j| match (i, j) {
        (i, j) if i < d => f64::from(j == i + d),
        (i, j) if i < 2 * d && j < d => -minimal.stiffness[(i - d, j)],
        (i, j) if i < 2 * d && j < 2 * d => -minimal.damping[(i - d, j - d)],
        (i, j) if i < 2 * d => minimal.state_forces[(i - d, j - 2 * d)],
        (i, j) if j < d => minimal.rates_by_position[(i - 2 * d, j)],
        (i, j) if j < 2 * d => minimal.rates_by_velocity[(i - 2 * d, j - d)],
        (i, j) => minimal.rates_by_state[(i - 2 * d, j - 2 * d)],
    });
    let masses = Matrix::from_fn(2 * d + k, 2 * d + k, |i, j| {
        let within = |at: usize| (d..2 * d).contains(&at);
        if within(i) && within(j) { minimal.mass[(i - d, j - d)] } else { f64::from(i == j) }
    });
    (rates, masses)
}

/// A matrix, what its entries are made of, and the factor and the part of the vector that it is multiplied by.
type Part<'a> = (&'a Matrix, &'a Matrix, Complex, &'a [Complex]);

/// An eigenvector in the independent coordinates and the states.
struct Shape<'a> {
    linear: &'a LinearModel<'a>,
    u: &'a [Complex],
    states: &'a [Complex],
    /// How far the entries of both may be off.
    errors: [&'a [f64]; 2],
}

impl Shape<'_> {
    fn mode(
        &self,
        value: Complex,
        error: f64,
        character: Character,
        [multiplicity, independent_shapes]: [usize; 2],
    ) -> Mode {
        let (shape, shape_error) = self.scaled();
        let shape_residual = self.residual(value);
        Mode {
            value,
            error,
            character,
            multiplicity,
            independent_shapes,
            shape,
            shape_error,
            shape_residual,
        }
    }

    /// N u and ζ, turned and scaled so that the largest entry is 1, and how far an entry may be off.
    fn scaled(&self) -> (Vec<Complex>, f64) {
        let spread = &self.linear.spread;
        let entry = |row: usize| -> Complex {
            spread.row(row).iter().zip(self.u).map(|(entry, u)| u * *entry).sum()
        };
        let [u_errors, state_errors] = self.errors;
        let error = |row: usize| -> f64 {
            spread.row(row).iter().zip(u_errors).map(|(entry, error)| entry.abs() * error).sum()
        };
        let mut shape: Vec<Complex> =
            (0..spread.rows()).map(entry).chain(self.states.iter().copied()).collect();
        // the first of equals, so that rounding does not choose
        let largest = shape.iter().fold(Complex::ZERO, |largest, entry| {
            if entry.norm() > largest.norm() * (1.0 + 1e-9) { *entry } else { largest }
        });
        if largest.norm() > 0.0 {
            shape.iter_mut().for_each(|entry| *entry /= largest);
        }
        let errors = (0..spread.rows()).map(error).chain(state_errors.iter().copied());
        (shape, errors.fold(0.0, f64::max) / largest.norm())
    }

    /// What is left of (λ²M + λC + K)u − Fζ and of (G_q + λG_v)u + (G_z − λ)ζ, relative to the
    /// norms of their terms.
    fn residual(&self, value: Complex) -> f64 {
        let Matrices { mass, damping, stiffness, state_forces, .. } = &self.linear.minimal;
        let Matrices { rates_by_position, rates_by_velocity, rates_by_state, .. } =
            &self.linear.minimal;
        let one = Complex::from(1.0);
        let forces: [Part<'_>; 4] = [
            (mass, mass, value * value, self.u),
            (damping, damping, value, self.u),
            (stiffness, &self.linear.stiffness_size, one, self.u),
            (state_forces, state_forces, -one, self.states),
        ];
        let rates: [Part<'_>; 3] = [
            (rates_by_position, rates_by_position, one, self.u),
            (rates_by_velocity, rates_by_velocity, value, self.u),
            (rates_by_state, rates_by_state, one, self.states),
        ];
        let mut left = 0.0;
        let mut add = |parts: &[Part<'_>], row: usize, own: Complex| {
            let product = |(matrix, _, factor, x): &Part<'_>| -> Complex {
                matrix.row(row).iter().zip(*x).map(|(entry, x)| factor * x * *entry).sum()
            };
            left += (own + parts.iter().map(product).sum::<Complex>()).norm_sqr();
        };
        (0..self.u.len()).for_each(|row| add(&forces, row, Complex::ZERO));
        (0..self.states.len()).for_each(|row| add(&rates, row, -value * self.states[row]));
        // relative to the whole vector: what is rounding in one of its parts leaves rounding
        let whole = self.u.iter().chain(self.states).map(|x| x.norm_sqr()).sum::<f64>().sqrt();
        let term = |(_, sizes, factor, _): &Part<'_>| {
            let entries: f64 = sizes.entries().iter().map(|entry| entry * entry).sum();
            factor.norm() * entries.sqrt()
        };
        let terms = forces.iter().chain(&rates).map(term).sum::<f64>() + value.norm();
        let terms = terms * whole;
        if terms > 0.0 { left.sqrt() / terms } else { 0.0 }
    }
}
