//! `catena analyze`: one file for each question, with its own flags.

mod driven;
mod equilibrium;
mod kinematics;
mod linear_response;
mod linearize;
mod modes;
mod phase;
mod presentation;
mod resonance;
mod response;
mod spectrum;

use crate::{FAILED, WRONG_USAGE, report};
use catena::analysis::{self, RestError};
use catena_symbolic::nearest;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Analyze {
    #[command(subcommand)]
    question: Question,
}

#[derive(clap::Subcommand)]
enum Question {
    #[command(about = analysis::KINEMATICS.summary)]
    Kinematics(Box<kinematics::Kinematics>),
    #[command(about = analysis::INVERSE.summary)]
    Inverse(Box<kinematics::Kinematics>),
    #[command(about = analysis::EQUILIBRIUM.summary)]
    Equilibrium(equilibrium::Equilibrium),
    #[command(about = analysis::LINEARIZE.summary)]
    Linearize(linearize::Linearize),
    #[command(about = analysis::MODES.summary)]
    Modes(modes::Modes),
    #[command(about = analysis::SPECTRUM.summary)]
    Spectrum(Box<spectrum::Spectrum>),
    #[command(about = analysis::PHASE.summary)]
    Phase(Box<phase::Phase>),
    #[command(about = analysis::RESPONSE.summary)]
    Response(Box<response::Response>),
    #[command(about = analysis::RESONANCE.summary)]
    Resonance(Box<resonance::Resonance>),
}

impl Analyze {
    pub(crate) fn run(self) -> ExitCode {
        let answered = match self.question {
            Question::Kinematics(question) => question.attempt(&analysis::KINEMATICS),
            Question::Inverse(question) => question.attempt(&analysis::INVERSE),
            Question::Equilibrium(question) => question.attempt(),
            Question::Linearize(question) => question.attempt(),
            Question::Modes(question) => question.attempt(),
            Question::Spectrum(question) => question.attempt(),
            Question::Phase(question) => question.attempt(),
            Question::Response(question) => question.attempt(),
            Question::Resonance(question) => question.attempt(),
        };
        answered.unwrap_or_else(|code| code)
    }
}

/// Says that there is no such column.
fn no_column(name: &str, known: &[String]) -> ExitCode {
    let help = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("columns: {}", known.join(", ")),
    };
    report::error(&format!("there is no column `{name}`"), Some(&help));
    ExitCode::from(WRONG_USAGE)
}

/// Says why nothing is known about a system at rest.
fn not_at_rest(error: &RestError) -> ExitCode {
    report::error(&error.to_string(), Some(&catena::rest_help(error)));
    ExitCode::from(FAILED)
}

/// The name of the first coordinate, or of the first state where there is none.
fn first_column(model: &catena::Model) -> Option<String> {
    let system = &model.own;
    let coordinate = system.coordinates.first().map(|coordinate| coordinate.name.clone());
    coordinate.or_else(|| system.states.first().map(|state| state.name.clone()))
}

/// Says that there is nothing to look at.
fn nothing_moves() -> ExitCode {
    report::error("nothing in the model moves", Some("`catena check` says more about the model"));
    ExitCode::from(FAILED)
}

/// Refuses a time that is none.
fn check_after(after: f64) -> Result<(), ExitCode> {
    if after.is_finite() && after >= 0.0 {
        return Ok(());
    }
    report::error(&format!("`after` must be 0 or more, not {after}"), Some("write --after 10"));
    Err(ExitCode::from(WRONG_USAGE))
}
