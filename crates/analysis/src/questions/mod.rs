//! The questions that can be asked about a model, one row each.

mod bench;
mod compare;
mod equilibrium;
mod kinematics;
mod linear_response;
mod linearize;
mod modes;
mod penalty;
mod phase;
mod resonance;
mod response;
mod spectrum;

use crate::{Answer, Question, Refusal, Watch};
use catena_model::{OptionRow, Options, RunOption, RunSettings};
use std::fmt;

/// A question: what it is called, what it can be told, and what answers it.
pub struct Analysis {
    /// Its name, as in `catena analyze NAME`.
    pub name: &'static str,
    /// What it answers.
    pub summary: &'static str,
    /// What a model must have for it.
    pub needs: &'static str,
    /// What it can be told about the motion it makes; nothing if it makes none.
    pub run_options: &'static [&'static RunOption],
    /// What else it can be told.
    pub options: &'static [&'static OptionRow],
    /// The arguments of a command that shows what it is good for; empty if a model is enough.
    pub example: &'static str,
    /// The ready system that is meant when no model is named; empty if one must be.
    pub default_model: &'static str,
    /// The ending of a file that the answer can be, besides a table: see [`crate::AnswerFile`].
    pub file_ending: Option<&'static str>,
    /// Whether several threads share its work.
    pub parallel: bool,
    /// Answers it.
    pub ask: fn(&Question<'_>, &Watch<'_>) -> Result<Answer, Refusal>,
}

impl fmt::Debug for Analysis {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_tuple("Analysis").field(&self.name).finish()
    }
}

impl Analysis {
    /// Asks with everything left open.
    pub fn ask_plainly(&self, model: &catena_model::Model) -> Result<Answer, Refusal> {
        let (run, options) = (RunSettings::default(), Options::new(self.options));
        (self.ask)(&Question { model, run: &run, options: &options }, &Watch::UNSEEN)
    }
}

/// Every question. The command line and the conformance tests read this list.
pub static ANALYSES: &[&Analysis] = &[
    &kinematics::KINEMATICS,
    &kinematics::INVERSE,
    &equilibrium::EQUILIBRIUM,
    &linearize::LINEARIZE,
    &modes::MODES,
    &spectrum::SPECTRUM,
    &phase::PHASE,
    &response::RESPONSE,
    &resonance::RESONANCE,
    &compare::COMPARE,
    &bench::BENCH,
    &penalty::PENALTY,
];

/// The question of this name.
pub fn find(name: &str) -> Option<&'static Analysis> {
    ANALYSES.iter().copied().find(|analysis| analysis.name == name)
}
