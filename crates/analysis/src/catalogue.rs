//! The questions that can be asked about a model, one row each.

use crate::{equilibria, kinematics, linear_file, modes, phase, resonance, response, spectrum};

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Its name, as in `catena analyze NAME`.
    pub name: &'static str,
    /// What it answers.
    pub summary: &'static str,
    /// What a model must have for it.
    pub needs: &'static str,
}

/// Every question. The command line and the book's table read this list.
pub static ANALYSES: &[&Analysis] = &[
    &kinematics::KINEMATICS,
    &kinematics::INVERSE,
    &equilibria::EQUILIBRIUM,
    &linear_file::LINEARIZE,
    &modes::MODES,
    &spectrum::SPECTRUM,
    &phase::PHASE,
    &response::RESPONSE,
    &resonance::RESONANCE,
];
