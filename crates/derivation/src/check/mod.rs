//! The check: derived functions against numerical differentiation.
//!
//! The derivation differentiates the graph by rules. Here no rule is used: the formulas of the
//! model are evaluated as they were written, in twice the usual precision, and differenced. With
//! about 32 digits a step of 2⁻²⁰ leaves some 12 good digits even of a second derivative. What the two routes share is the
//! text that was parsed: of a function's row the derivation reads the slopes, and the check the value in twice the precision.
//!
//! - M: `∂²T/∂vᵢ∂vⱼ`, a mixed difference of T
//! - Q: `Fᵢ − ∂D/∂vᵢ + ∂T/∂qᵢ − ∂V/∂qᵢ − ∂²T(q + s v, v, t + s)/∂vᵢ∂s`
//!   and for a force F on a definition D a difference of D in the place of Fᵢ: `F ∂D/∂qᵢ`
//! - Φq: differences of Φ; γ: `−d²Φ(q + s v, t + s)/ds²`

mod numeric;
mod random;

use crate::Equations;
use catena_model::{Model, Role, System};
use numeric::{Numeric, SamplePoint};
pub use random::Random;

/// A derivation must agree to this, relative to the largest entry of each object.
pub(crate) const AGREEMENT_TOLERANCE: f64 = 1e-9;
/// At most this many random states in a row may fall outside the domain of the formulas.
const MAX_MISSES: usize = 200;
/// Systems of at most this many coordinates are compared entry by entry even in a quick check.
const MAX_COORDINATES_BY_ENTRY: usize = 8;
/// How many random vectors stand for the entries of a larger system.
const RANDOM_DIRECTIONS: usize = 2;

/// How closely the two routes agree: largest difference, relative to the largest entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Random states compared.
    pub states: usize,
    /// M
    pub mass_matrix: f64,
    /// Q
    pub forces: f64,
    /// Φq and γ, if there are constraints.
    pub constraints: Option<[f64; 2]>,
    /// What is printed against what was derived.
    pub printed: f64,
}

impl Agreement {
    /// The figures with their names.
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        let mut figures = vec![("M", self.mass_matrix), ("Q", self.forces)];
        if let Some([jacobian, gamma]) = self.constraints {
            figures.extend([("Φq", jacobian), ("γ", gamma)]);
        }
        figures.push(("printed form", self.printed));
        figures
    }
}

/// How much is differenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// Every entry of M, Q, Φq and γ.
    Entries,
    /// Every entry of small systems; for larger ones the products of M, Q and Φq with a few random
    /// vectors, which a wrong entry changes just as surely.
    Quick,
}

/// Why a derivation cannot be trusted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The two routes differ.
    #[error(
        "the derived {object} differs from numerical differentiation by {difference:.1e} \
         (relative; at most {AGREEMENT_TOLERANCE:.0e} is accepted)"
    )]
    Disagreement {
        /// M, Q, Φq, γ or the printed form.
        object: &'static str,
        /// Largest relative difference.
        difference: f64,
    },
    /// No state could be compared.
    #[error("the energies or constraints are not finite at any of {MAX_MISSES} random states")]
    NowhereFinite,
}

/// Compares the derived functions with numerical differentiation at random states; the seed fixes
/// them. `None` if the model has no coordinates.
pub fn check(
    model: &Model,
    system: &System,
    equations: &Equations,
    states: usize,
    thoroughness: Thoroughness,
    seed: u64,
) -> Result<Option<Agreement>, CheckError> {
    if system.coordinates.is_empty() {
        return Ok(None);
    }
    let mut random = Random::new(seed);
    let constrained = !system.constraints.is_empty();
    let mut agreement = Agreement {
        states: 0,
        mass_matrix: 0.0,
        forces: 0.0,
        constraints: constrained.then_some([0.0, 0.0]),
        printed: 0.0,
    };
    let mut misses = 0;
    while agreement.states < states {
        match compare(model, system, equations, thoroughness, &mut random) {
            Some([mass_matrix, forces, jacobian, gamma]) => {
                misses = 0;
                agreement.states += 1;
                agreement.mass_matrix = agreement.mass_matrix.max(mass_matrix);
                agreement.forces = agreement.forces.max(forces);
                if let Some([j, g]) = &mut agreement.constraints {
                    (*j, *g) = (j.max(jacobian), g.max(gamma));
                }
            }
            None => misses += 1,
        }
        if misses == MAX_MISSES {
            return Err(CheckError::NowhereFinite);
        }
    }
    for (object, difference) in agreement.figures() {
        if difference > AGREEMENT_TOLERANCE {
            return Err(CheckError::Disagreement { object, difference });
        }
    }
    Ok(Some(agreement))
}

/// The four differences at one random state; `None` if something is not finite there.
fn compare(
    model: &Model,
    system: &System,
    equations: &Equations,
    thoroughness: Thoroughness,
    random: &mut Random,
) -> Option<[f64; 4]> {
    let point = SamplePoint::random(model, system, random);
    let parameters = random_parameters(model, random);
    let numeric = Numeric::new(system, &parameters);
    let n = system.coordinates.len();
    let directions: Vec<Vec<f64>> = match thoroughness {
        Thoroughness::Quick if n > MAX_COORDINATES_BY_ENTRY => {
            (0..RANDOM_DIRECTIONS).map(|_| random.several(n, -1.0, 1.0)).collect()
        }
        _ => (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect(),
    };

    let derived = Derived::at(equations, system, &point, &parameters);
    let (mut mass, mut forces, mut jacobian) =
        (Difference::default(), Difference::default(), Difference::default());
    for (position, a) in directions.iter().enumerate() {
        for b in &directions[position..] {
            let value = (0..n).map(|i| a[i] * dot(&derived.mass[i * n..(i + 1) * n], b)).sum();
            mass.compare(value, numeric.mass(&point, a, b));
        }
        let [force, size] = numeric.force(&point, a);
        forces.compare_terms(dot(&derived.forces, a), force, size);
        for (row, expected) in numeric.jacobian(&point, a).into_iter().enumerate() {
            let value = dot(&derived.jacobian[row * n..(row + 1) * n], a);
            jacobian.compare(value, expected);
        }
    }
    let mut gamma = Difference::default();
    for (value, [expected, size]) in derived.gamma.iter().zip(numeric.gamma(&point)) {
        gamma.compare_terms(*value, expected, size);
    }
    let [mass, forces, jacobian, gamma] = [mass, forces, jacobian, gamma].map(|d| d.relative());
    Some([mass?, forces?, jacobian?, gamma?])
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Parameters near those of the model; a zero becomes something, so that its terms count.
fn random_parameters(model: &Model, random: &mut Random) -> Vec<f64> {
    let vary = |value: f64, random: &mut Random| match value {
        0.0 => random.between(0.2, 1.2),
        value => value * random.between(0.7, 1.3),
    };
    model.parameters.iter().map(|parameter| vary(parameter.value, random)).collect()
}

/// Collects the largest difference and the largest entry.
#[derive(Default)]
struct Difference {
    largest: f64,
    scale: f64,
    not_finite: bool,
}

impl Difference {
    fn compare(&mut self, value: f64, expected: f64) {
        self.compare_terms(value, expected, expected.abs());
    }

    /// Compares values that are sums of terms of this size.
    fn compare_terms(&mut self, value: f64, expected: f64, size: f64) {
        // outside the domain of the formulas there is nothing to compare; a derived value that is
        // not finite inside of it is wrong
        self.not_finite |= !expected.is_finite();
        let difference = (value - expected).abs();
        self.largest =
            self.largest.max(if difference.is_nan() { f64::INFINITY } else { difference });
        self.scale = self.scale.max(size);
    }

    /// Relative to the largest entry; two zeros agree.
    fn relative(&self) -> Option<f64> {
        if self.not_finite {
            return None;
        }
        Some(if self.largest == 0.0 {
            0.0
        } else {
            self.largest / self.scale.max(f64::MIN_POSITIVE)
        })
    }
}

/// The derived functions at one state, dense and row by row.
struct Derived {
    mass: Vec<f64>,
    forces: Vec<f64>,
    jacobian: Vec<f64>,
    gamma: Vec<f64>,
}

impl Derived {
    fn at(
        equations: &Equations,
        system: &System,
        point: &SamplePoint,
        parameters: &[f64],
    ) -> Derived {
        let e = equations;
        let n = e.coordinates.len();
        let mut roots: Vec<_> = e.mass_matrix.iter().map(|&(_, _, entry)| entry).collect();
        roots.extend(&e.forces);
        roots.extend(e.constraint_jacobian.entries.iter().map(|&(_, _, entry)| entry));
        roots.extend(&e.gamma);
        let values = e.graph.evaluate(&roots, |name| {
            let bare = name.trim_end_matches('\'');
            match system.names.role(bare) {
                Some(Role::Time) => point.t,
                Some(Role::Parameter(at)) => parameters[at],
                Some(Role::Coordinate(at)) if bare == name => point.q[at],
                Some(Role::Coordinate(at)) => point.v[at],
                Some(Role::State(at)) => point.z[at],
                _ => f64::NAN,
            }
        });
        let mut values = values.into_iter();
        let mut mass = vec![0.0; n * n];
        for (&(i, j, _), value) in e.mass_matrix.iter().zip(values.by_ref()) {
            (mass[i * n + j], mass[j * n + i]) = (value, value);
        }
        let forces = values.by_ref().take(n).collect();
        let mut jacobian = vec![0.0; e.constraint_jacobian.rows * n];
        for (&(i, j, _), value) in e.constraint_jacobian.entries.iter().zip(values.by_ref()) {
            jacobian[i * n + j] = value;
        }
        Derived { mass, forces, jacobian, gamma: values.collect() }
    }
}
