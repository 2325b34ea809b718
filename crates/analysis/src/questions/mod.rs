//! The questions that can be asked about a model, one row each.

mod basins;
mod bench;
mod bifurcation;
mod class_map;
mod classify;
mod column_units;
mod compare;
mod continuation;
mod continuation_facts;
mod continuation_figure;
mod continuation_words;
mod equilibrium;
mod kinematics;
mod linear_response;
mod linearize;
mod lyapunov;
mod lyapunov_map;
mod mode_film;
mod modes;
mod over;
mod penalty;
mod phase;
mod poincare;
mod resonance;
mod response;
mod response_figure;
mod spectrum;

use crate::{Answer, Question, Refusal, Watch};
use catena_model::{OptionRow, RunOption};
use std::fmt;

/// A question: what it is called, what it can be told, and what answers it.
pub struct Analysis {
    /// Its name, as in `catena analyze NAME`.
    pub name: &'static str,
    /// What it answers, in one line.
    pub summary: &'static str,
    /// What a model must have for it.
    pub needs: &'static str,
    /// What it can be told about the motion it makes; nothing if it makes none.
    pub run_options: &'static [&'static RunOption],
    /// Defaults of its runs that are not those of `catena run`, by key, for people.
    pub run_defaults: &'static [(&'static str, &'static str)],
    /// What else it can be told.
    pub options: &'static [&'static OptionRow],
    /// The arguments of a command that shows what it is good for; empty if a model is enough.
    pub example: &'static str,
    /// The ready system that is meant when no model is named; empty if one must be.
    pub default_model: &'static str,
    /// The ending of a file that the answer can be, besides a table: see [`crate::AnswerFile`].
    pub file_ending: Option<&'static str>,
    /// Whether the answer can be seen moving.
    pub moves: bool,
    /// Whether several threads share its work.
    pub parallel: bool,
    /// Answers the question, or says why it cannot.
    pub ask: fn(&Question<'_>, &Watch<'_>) -> Result<Answer, Refusal>,
}

impl fmt::Debug for Analysis {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_tuple("Analysis").field(&self.name).finish()
    }
}

impl Analysis {
    /// A row that says nothing yet but how it is answered: `..Analysis::answered_by(ask)` fills in what a question has
    /// no need of.
    pub const fn answered_by(
        ask: fn(&Question<'_>, &Watch<'_>) -> Result<Answer, Refusal>,
    ) -> Analysis {
        Analysis {
            name: "",
            summary: "",
            needs: "",
            run_options: &[],
            run_defaults: &[],
            options: &[],
            example: "",
            default_model: "",
            file_ending: None,
            moves: false,
            parallel: false,
            ask,
        }
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
    &poincare::POINCARE,
    &bifurcation::BIFURCATION,
    &lyapunov::LYAPUNOV,
    &response::RESPONSE,
    &resonance::RESONANCE,
    &classify::CLASSIFY,
    &basins::BASINS,
    &continuation::CONTINUATION,
    &compare::COMPARE,
    &bench::BENCH,
    &penalty::PENALTY,
];

/// The question of this name.
pub fn find(name: &str) -> Option<&'static Analysis> {
    ANALYSES.iter().copied().find(|analysis| analysis.name == name)
}
