//! Modes: how a system moves by itself about an equilibrium.
//!
//! # Equations
//! In the minimal form of the linear model, $K\varphi = \omega^2M\varphi$ where nothing damps, and
//! otherwise
//! $$\frac{d}{dt}\begin{bmatrix}u\\M\dot u\\\zeta\end{bmatrix}=\begin{bmatrix}0&1&0\\-K&-C&F\\
//!   G_q&G_v&G_z\end{bmatrix}\begin{bmatrix}u\\\dot u\\\zeta\end{bmatrix}$$
//! with $e^{\lambda t}$: natural frequency $|\lambda|/2\pi$, damped frequency $|\mathrm{Im}\,\lambda|/2\pi$,
//! damping ratio $-\mathrm{Re}\,\lambda/|\lambda|$.

use super::RestError;
use super::linear_model::{LinearModel, Matrices};
use catena_linear::{
    Complex, EigenPair, Matrix, RowSpace, SymmetricPair, general_eigenpairs, symmetric_eigenpairs,
};
use std::f64::consts::TAU;

/// A value no further from zero than this many times its error is zero.
const ZERO_TO_ERROR: f64 = 100.0;
/// A stiffness smaller than this, relative to the terms it is made of, is rounding.
const STIFFNESS_ROUNDING: f64 = 1e-11;
/// A real part of λ smaller than this, relative to |λ|, is rounding.
const REAL_PART_ROUNDING: f64 = 1e-11;

/// How a mode develops in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// It swings and does not grow.
    Oscillating,
    /// It returns without swinging.
    Decaying,
    /// It grows: the equilibrium is unstable.
    Growing,
    /// Nothing holds it and nothing drives it: a rigid motion.
    Free,
}

impl Character {
    /// In one word, as in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Character::Oscillating => "oscillating",
            Character::Decaying => "decaying",
            Character::Growing => "growing",
            Character::Free => "free",
        }
    }
}

/// A mode: one way to move about the equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// λ, 1/s; of a conjugate pair the one above the real axis.
    pub value: Complex,
    /// A bound on the error of λ, 1/s.
    pub error: f64,
    /// How it develops in time.
    pub character: Character,
    /// Amplitude of every coordinate, then of every state; the largest is 1.
    pub shape: Vec<Complex>,
}

impl Mode {
    /// |λ|/2π, Hz.
    pub fn natural_frequency(&self) -> f64 {
        self.value.norm() / TAU
    }

    /// |Im λ|/2π, Hz.
    pub fn damped_frequency(&self) -> f64 {
        self.value.im.abs() / TAU
    }

    /// −Re λ/|λ|; 0 for a free mode.
    pub fn damping_ratio(&self) -> f64 {
        if self.character == Character::Free { 0.0 } else { -self.value.re / self.value.norm() }
    }

    /// The error of λ relative to |λ|; 0 for a free mode.
    pub fn relative_error(&self) -> f64 {
        if self.character == Character::Free { 0.0 } else { self.error / self.value.norm() }
    }
}

/// All modes about one equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// The slowest first.
    pub modes: Vec<Mode>,
    /// ω²/4π² of the same system without damping and states, Hz², the smallest first; `None` where K has no
    /// symmetry and damping cannot be told from other forces.
    pub undamped: Option<Vec<f64>>,
}

/// Whether a system stays near its equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Every mode dies out.
    Asymptotic,
    /// No mode grows, and some never die out.
    Marginal,
    /// Some mode has nothing to hold it.
    Neutral,
    /// Some mode grows.
    Unstable,
    /// There are no modes.
    Fixed,
}

impl Stability {
    /// As a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Stability::Asymptotic => "stable: every mode dies out",
            Stability::Marginal => "stable in the linear model: no mode grows, some never die out",
            Stability::Neutral => "neutral: nothing holds some mode in its place",
            Stability::Unstable => "unstable: some mode grows",
            Stability::Fixed => "no degree of freedom is left: nothing moves by itself",
        }
    }

    /// In one word, as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Stability::Asymptotic => "asymptotic",
            Stability::Marginal => "marginal",
            Stability::Neutral => "neutral",
            Stability::Unstable => "unstable",
            Stability::Fixed => "fixed",
        }
    }
}

impl Modes {
    /// The modes of a linear model.
    pub fn new(linear: &LinearModel<'_>) -> Result<Modes, RestError> {
        let undamped = match linear.has_symmetric_stiffness() {
            true => {
                let Matrices { stiffness, mass, .. } = &linear.minimal;
                Some(symmetric_eigenpairs(stiffness, mass)?)
            }
            false => None,
        };
        let mut modes = match &undamped {
            Some(pairs) if linear.is_conservative() => {
                pairs.iter().map(|pair| real_mode(linear, pair)).collect()
            }
            _ => damped_modes(linear)?,
        };
        modes.sort_by(|a: &Mode, b: &Mode| a.value.norm().total_cmp(&b.value.norm()));
        let squares = |pairs: Vec<SymmetricPair>| {
            let square = |pair: SymmetricPair| match is_free(linear, &pair) {
                true => 0.0,
                false => pair.value / (TAU * TAU),
            };
            pairs.into_iter().map(square).collect()
        };
        Ok(Modes { modes, undamped: undamped.map(squares) })
    }

    /// Whether the equilibrium is stable.
    pub fn stability(&self) -> Stability {
        let any = |test: &dyn Fn(&Mode) -> bool| self.modes.iter().any(test);
        if self.modes.is_empty() {
            Stability::Fixed
        } else if any(&|mode| mode.character == Character::Growing) {
            Stability::Unstable
        } else if any(&|mode| mode.character == Character::Free) {
            Stability::Neutral
        } else if any(&|mode| mode.value.re == 0.0) {
            Stability::Marginal
        } else {
            Stability::Asymptotic
        }
    }

    /// The largest relative error of all.
    pub fn error(&self) -> f64 {
        self.modes.iter().map(Mode::relative_error).fold(0.0, f64::max)
    }
}

/// Whether what is left of the stiffness is rounding.
fn is_free(linear: &LinearModel<'_>, pair: &SymmetricPair) -> bool {
    let shape = Matrix::from_fn(pair.vector.len(), 1, |row, _| pair.vector[row].abs());
    let size = shape.transposed().times(&linear.stiffness_size).times(&shape)[(0, 0)];
    pair.value.abs() <= (STIFFNESS_ROUNDING * size).max(ZERO_TO_ERROR * pair.error)
}

fn real_mode(linear: &LinearModel<'_>, pair: &SymmetricPair) -> Mode {
    let rate = pair.value.abs().sqrt();
    // ω ± e/2ω
    let error = pair.error / (2.0 * rate);
    let (value, character, error) = match pair.value {
        _ if is_free(linear, pair) => (Complex::ZERO, Character::Free, 0.0),
        square if square > 0.0 => (Complex::new(0.0, rate), Character::Oscillating, error),
        _ => (Complex::from(rate), Character::Growing, error),
    };
    let vector: Vec<Complex> = pair.vector.iter().map(|&x| Complex::from(x)).collect();
    Mode { value, error, character, shape: shape(linear, &vector, &[]) }
}

fn damped_modes(linear: &LinearModel<'_>) -> Result<Vec<Mode>, RestError> {
    let d = linear.independent.len();
    let (rates, masses) = first_order(&linear.minimal);
    let pairs = general_eigenpairs(&rates, &masses)?;
    let mode = |value, error, character, vector: &[Complex]| {
        let shape = shape(linear, &vector[..d], &vector[2 * d..]);
        Mode { value, error, character, shape }
    };
    // a motion that nothing holds is a vector that the matrix takes to zero; the values that belong to
    // it may be double and come with large errors
    let free = RowSpace::of(&rates).null_space();
    let mut modes: Vec<Mode> = free
        .iter()
        .map(|vector| {
            let vector: Vec<Complex> = vector.iter().map(|&x| Complex::from(x)).collect();
            mode(Complex::ZERO, 0.0, Character::Free, &vector)
        })
        .collect();
    let is_zero =
        |pair: &EigenPair| !free.is_empty() && pair.value.norm() <= ZERO_TO_ERROR * pair.error;
    for pair in pairs.iter().filter(|pair| pair.value.im >= 0.0 && !is_zero(pair)) {
        let noise = (REAL_PART_ROUNDING * pair.value.norm()).max(ZERO_TO_ERROR * pair.error);
        let mut value = pair.value;
        if value.re.abs() <= noise {
            value.re = 0.0;
        }
        let character = match value {
            _ if value.re > 0.0 => Character::Growing,
            _ if value.im > 0.0 => Character::Oscillating,
            _ => Character::Decaying,
        };
        modes.push(mode(value, pair.error, character, &pair.vector));
    }
    Ok(modes)
}

/// The first-order form: A and E of E ẏ = A y with y = (u, u̇, ζ).
pub(crate) fn first_order(minimal: &Matrices) -> (Matrix, Matrix) {
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

/// N u and ζ, turned and scaled so that the largest entry is 1.
fn shape(linear: &LinearModel<'_>, u: &[Complex], states: &[Complex]) -> Vec<Complex> {
    let spread = &linear.spread;
    let entry = |row: usize| -> Complex {
        spread.row(row).iter().zip(u).map(|(entry, u)| u * *entry).sum()
    };
    let mut shape: Vec<Complex> =
        (0..spread.rows()).map(entry).chain(states.iter().copied()).collect();
    // the first of equals, so that rounding does not choose
    let largest = shape.iter().fold(Complex::ZERO, |largest, entry| {
        if entry.norm() > largest.norm() * (1.0 + 1e-9) { *entry } else { largest }
    });
    if largest.norm() > 0.0 {
        shape.iter_mut().for_each(|entry| *entry /= largest);
    }
    shape
}
