//! Modes: how a system moves by itself about an equilibrium.
//!
//! # Equations
//! In the minimal form of the linear model, $K\varphi = \omega^2M\varphi$ where nothing damps, and
//! otherwise
//! $$\frac{d}{dt}\begin{bmatrix}u\\M\dot u\\\zeta\end{bmatrix}=\begin{bmatrix}0&1&0\\-K&-C&F\\
//!   G_q&G_v&G_z\end{bmatrix}\begin{bmatrix}u\\\dot u\\\zeta\end{bmatrix}$$
//! with $e^{\lambda t}$: natural frequency $|\lambda|/2\pi$, damped frequency $|\mathrm{Im}\,\lambda|/2\pi$,
//! damping ratio $-\mathrm{Re}\,\lambda/|\lambda|$.
//!
//! # When to choose it
//! To know what a structure or a mechanism swings at before anything runs, whether it is damped, and whether rest is stable. Large
//! amplitudes have other frequencies: see `spectrum` of a run, and the backbone of `continuation`.
//!
//! # Reference
//! L. Meirovitch, *Fundamentals of Vibrations*, 2001, chapter 7; F. Tisseur, K. Meerbergen, *The quadratic eigenvalue problem*, 2001

use super::RestError;
use super::eigenmodes::{damped_modes, is_free, real_modes};
use super::linear_model::{LinearModel, Matrices};
use catena_linear::{Complex, SymmetricPair, symmetric_eigenpairs};
use std::f64::consts::TAU;

/// How a mode develops in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// It swings and does not grow.
    Oscillating,
    /// It returns without swinging.
    Decaying,
    /// It grows, exponentially or in proportion to time: the equilibrium is unstable.
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
    /// How many eigenvalues, this one included, cannot be told from it; of a free mode how many zeros there are.
    pub multiplicity: usize,
    /// How many independent shapes they have: fewer than values where motions grow with powers of time.
    pub independent_shapes: usize,
    /// Amplitude of every coordinate, then of every state; the largest is 1.
    pub shape: Vec<Complex>,
    /// How far an entry of the shape may be off; where several modes have one value, out of the space of their shapes.
    pub shape_error: f64,
    /// What is left of (λ²M + λC + K)φ, relative to its terms.
    pub shape_residual: f64,
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
            Some(pairs) if linear.is_conservative() => real_modes(linear, pairs),
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

    /// How far an entry of any shape may be off.
    pub fn shape_error(&self) -> f64 {
        self.modes.iter().map(|mode| mode.shape_error).fold(0.0, f64::max)
    }

    /// The largest residual of all shapes.
    pub fn shape_residual(&self) -> f64 {
        self.modes.iter().map(|mode| mode.shape_residual).fold(0.0, f64::max)
    }
}
