//! Rank as a property of a model: whether M is singular, and how many constraints follow from the others, wherever the
//! system goes.
//!
//! A single state cannot say it. In a singular pose constraints are dependent that are independent on both sides of it,
//! and off the constraints many are independent that follow from each other on them. So M is looked at in states
//! without a pattern, and Φq in poses on the constraints: the one at hand, brought back onto them, and others that are
//! reached from it along the directions that it leaves free. The largest rank counts. Every matrix that is regular at
//! all is so there by a wide margin, and what rounding leaves of zero is far below it.

use crate::solvers::structural_rank::probe::{ConstraintRank, Probe};
use catena_compile::Evaluator;
use catena_derivation::Random;
use catena_linear::ldlt;

mod probe;

/// A pivot of M below this part of its diagonal entry, in every state that was looked at, is zero.
const MASS_TOLERANCE: f64 = 1e-10;
/// How many states M is looked at in; it takes one that is regular.
const MASS_STATES: usize = 4;
/// States that were drawn where M is not defined are drawn again, up to this many in all.
const MAX_DRAWS: usize = 12;

/// ε is the square of an independence: that of the poses in which a constraint is left to inertia. So near a singular pose
/// that a system swings through it is for so short a time that it loses less than 10⁻⁷ of its energy, and errors of
/// positions that are as large as a tolerance do not yet decide on which branch it goes on.
const MAX_REGULARISATION: f64 = 3e-8;
/// Constraints that hold hardly everywhere have a smaller one: this part of the square of their independence.
const RELATIVE_REGULARISATION: f64 = 1e-4;

/// What a model's matrices have in common at all states of a motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructuralRank {
    /// Whether M is singular wherever it is looked at.
    pub(crate) mass_is_singular: bool,
    /// Numbers of constraints that follow from the others on the constraints.
    pub(crate) redundant: Vec<usize>,
    /// ε of systems that constraints nearly leave singular, relative to their diagonal.
    pub(crate) regularisation: f64,
}

impl StructuralRank {
    /// Looks around the state written down, which is kept.
    pub(crate) fn around(evaluator: &mut Evaluator) -> StructuralRank {
        let (t, home) = (evaluator.time(), evaluator.joined_state().to_vec());
        let mass_is_singular = mass_is_singular(evaluator, t, &home);
        let ConstraintRank { redundant, independence } =
            Probe::new(evaluator, t, &home).look_around();
        evaluator.set_joined_state(t, &home);
        let held = RELATIVE_REGULARISATION * independence * independence;
        let regularisation = held.min(MAX_REGULARISATION);
        StructuralRank { mass_is_singular, redundant, regularisation }
    }
}

/// Whether M is singular in all states without a pattern in which it is defined.
fn mass_is_singular(evaluator: &mut Evaluator, t: f64, home: &[f64]) -> bool {
    let n = evaluator.sizes().coordinates;
    if evaluator.equations().mass_matrix.is_empty() {
        return n > 0;
    }
    let (mut random, mut seen) = (Random::new(1), 0);
    let mut work = vec![0.0; n];
    let mut singular = true;
    for draw in 0..MAX_DRAWS {
        let mut y = home.to_vec();
        if draw > 0 {
            y.iter_mut()
                .for_each(|entry| *entry += random.between(-0.5, 0.5) * (1.0 + entry.abs()));
        }
        evaluator.set_joined_state(t, &y);
        let mut mass = evaluator.motion().mass_matrix.to_vec();
        if !mass.iter().all(|entry| entry.is_finite()) {
            continue;
        }
        seen += 1;
        singular = ldlt::smallest_pivot(&mut mass, n, &mut work) <= MASS_TOLERANCE;
        if !singular || seen == MASS_STATES {
            break;
        }
    }
    singular && seen > 0
}
