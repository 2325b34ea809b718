//! The multipliers of a periodic motion or the eigenvalues of an equilibrium, and the functions that vanish where they
//! cross.
//!
//! # Equations
//! Period doubling: $\prod(\mu_i+1) = 0$. A pair on the unit circle or the imaginary axis: $\prod_{i<j}(1-\mu_i\mu_j) = 0$
//! and $\prod_{i<j}(\lambda_i+\lambda_j) = 0$, which real pairs satisfy too, so that the pair is looked at where it happens.
//! Factors are divided by their sizes.
//!
//! # Reference
//! Yu. A. Kuznetsov, *Elements of Applied Bifurcation Theory*, 2004, sections 10.2 and 10.3

use super::equations::Solutions;
use catena_linear::{Complex, Matrix, ProductEigenvalue, eigenvalues, product_eigenvalues};
use std::f64::consts::{PI, TAU};

/// A multiplier farther from the unit circle than this is off it; an eigenvalue likewise, relative to the largest.
const NEUTRALITY_TOLERANCE: f64 = 1e-6;
/// Pairs nearer than this to the unit circle or the imaginary axis, relative to their size, are there to rounding.
const ROUNDING: f64 = 1e-8;
/// Multipliers of smaller modulus than this change nothing in test functions but their size.
const MIN_TESTED_MODULUS: f64 = 1e-12;

/// What tells whether a solution is stable.
#[derive(Clone, Debug, Default)]
pub(super) struct Spectrum {
    /// Floquet multipliers without the trivial ones, the largest first; none for an equilibrium.
    pub(super) multipliers: Vec<ProductEigenvalue>,
    /// The distance of the trivial multiplier from 1, the larger of two; none where a drive fixes the phase.
    pub(super) trivial_error: Option<f64>,
    /// Eigenvalues of an equilibrium, 1/s, the largest real part first.
    pub(super) eigenvalues: Vec<Complex>,
    /// Whether motions nearby neither come closer nor leave by themselves, so that neutral pairs are usual.
    is_conservative: bool,
}

impl Spectrum {
    pub(super) fn new(solutions: &Solutions, segments: &[Matrix]) -> Spectrum {
        let is_conservative = matches!(solutions, Solutions::Conservative);
        if let Solutions::Equilibria = solutions {
            let mut values =
                segments.first().and_then(|slopes| eigenvalues(slopes).ok()).unwrap_or_default();
            values.sort_by(|a, b| b.re.total_cmp(&a.re).then(b.im.total_cmp(&a.im)));
            return Spectrum { eigenvalues: values, ..Spectrum::default() };
        }
        let mut multipliers = product_eigenvalues(segments).unwrap_or_default();
        let trivial = match solutions {
            Solutions::Autonomous => 1,
            Solutions::Conservative => 2,
            _ => 0,
        };
        let from_one = |value: &ProductEigenvalue| (value.value() - 1.0).norm();
        let mut trivial_error = None;
        for _ in 0..trivial.min(multipliers.len()) {
            let distances = multipliers.iter().map(from_one).enumerate();
            let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((at, distance)) = nearest else { break };
            trivial_error = Some(distance.max(trivial_error.unwrap_or(0.0)));
            multipliers.remove(at);
        }
        Spectrum { multipliers, trivial_error, eigenvalues: Vec::new(), is_conservative }
    }

    /// The same motion seen over two periods.
    pub(super) fn doubled(&self) -> Spectrum {
        let twice = |value: &ProductEigenvalue| ProductEigenvalue {
            log_modulus: 2.0 * value.log_modulus,
            argument: doubled_argument(value.argument),
        };
        Spectrum { multipliers: self.multipliers.iter().map(twice).collect(), ..self.clone() }
    }

    /// How many multipliers lie outside of the unit circle, or eigenvalues in the right half-plane.
    pub(super) fn unstable(&self) -> usize {
        let size = self.eigenvalues.iter().map(|value| value.norm()).fold(0.0, f64::max);
        let right = self.eigenvalues.iter().filter(|value| value.re > NEUTRALITY_TOLERANCE * size);
        let outside =
            self.multipliers.iter().filter(|value| value.log_modulus > NEUTRALITY_TOLERANCE);
        right.count() + outside.count()
    }

    /// Vanishes where a multiplier is −1.
    pub(super) fn doubling_test(&self) -> f64 {
        let factor = |value: &ProductEigenvalue| {
            let value = value.value();
            let away = value + 1.0;
            match value.im == 0.0 {
                true => away.re / (1.0 + value.re.abs()),
                // with its conjugate it makes a positive number
                false => away.norm() / (1.0 + value.norm()),
            }
        };
        self.multipliers.iter().map(factor).product()
    }

    /// Vanishes where a complex pair reaches the unit circle or the imaginary axis, and at neutral real pairs.
    pub(super) fn pair_test(&self) -> f64 {
        if self.is_conservative {
            return 1.0;
        }
        let mut product = Complex::new(1.0, 0.0);
        for (a, b) in self.pairs() {
            product *= if self.eigenvalues.is_empty() {
                (1.0 - a * b) / (1.0 + (a * b).norm())
            } else {
                -(a + b) / (a.norm() + b.norm()).max(f64::MIN_POSITIVE)
            };
        }
        product.re
    }

    /// Whether the pair that is nearest to neutral is complex.
    pub(super) fn neutral_pair(&self) -> Option<Complex> {
        let neutrality = |(a, b): &(Complex, Complex)| match self.eigenvalues.is_empty() {
            true => (a * b - 1.0).norm(),
            false => (a + b).norm() / (a.norm() + b.norm()).max(f64::MIN_POSITIVE),
        };
        let nearest = self.pairs().min_by(|a, b| neutrality(a).total_cmp(&neutrality(b)));
        nearest.map(|(a, b)| if a.im > b.im { a } else { b }).filter(|value| value.im != 0.0)
    }

    /// Whether a complex pair stays so near to the unit circle or the imaginary axis that rounding tells its side: as all of
    /// a system without damping do.
    pub(super) fn has_neutral_pairs(&self) -> bool {
        let multipliers = self.multipliers.iter().filter(|value| !value.is_real());
        let eigenvalues = self.eigenvalues.iter().filter(|value| value.im != 0.0);
        let distances = multipliers.map(|value| value.log_modulus.abs());
        let mut distances = distances.chain(eigenvalues.map(|value| value.re.abs() / value.norm()));
        distances.any(|distance| distance < ROUNDING)
    }

    fn values(&self) -> Vec<Complex> {
        let multipliers =
            self.multipliers.iter().filter(|value| value.log_modulus > MIN_TESTED_MODULUS.ln());
        multipliers.map(ProductEigenvalue::value).chain(self.eigenvalues.iter().copied()).collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (Complex, Complex)> {
        let values = self.values();
        let count = values.len();
        let places = (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)));
        places.map(move |(i, j)| (values[i], values[j]))
    }

    /// How far the multipliers that matter have moved from those of another solution, relative to their size.
    pub(super) fn distance_to(&self, other: &Spectrum) -> f64 {
        if !self.eigenvalues.is_empty() {
            return 0.0;
        }
        let others = other.values();
        let nearest = |value: &Complex| {
            let away = others.iter().map(|other| (value - other).norm() / (1.0 + value.norm()));
            away.fold(f64::INFINITY, f64::min)
        };
        let all = self.values();
        // the smallest ones come and go without meaning
        all.iter().filter(|value| value.norm() > 0.1).map(nearest).fold(0.0, f64::max)
    }
}

/// Twice the angle of a multiplier; real ones stay exactly real.
fn doubled_argument(argument: f64) -> f64 {
    if argument == 0.0 || argument == PI {
        return 0.0;
    }
    let doubled = 2.0 * argument;
    doubled - TAU * (doubled / TAU).round()
}
