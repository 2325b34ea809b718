//! Why a model is not written out.

use crate::exported_model::MAX_COORDINATES;
use catena_derivation::CheckError;
use catena_simulation::RunFailure;

/// Why a model is not written out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// More than anybody compiles.
    #[error(
        "{coordinates} coordinates are too many to be written out as source; up to {MAX_COORDINATES} are"
    )]
    TooLarge {
        /// How many the model has.
        coordinates: usize,
    },
    /// Something is wrong with the model.
    #[error("this model cannot move: {message}")]
    CannotRun {
        /// What is wrong.
        message: String,
        /// What can be done about it.
        help: String,
    },
    /// Constraints lose their independence exactly where the motion begins.
    #[error("the model starts in a singular pose, in which accelerations are not unique")]
    SingularStart,
    /// Functions of Octave and MATLAB are called as their files are.
    #[error(
        "a file `{name}.m` cannot be called: `{name}` is no free name of a function in Octave or MATLAB"
    )]
    NoFunctionName {
        /// What the file was to be called, without its ending.
        name: String,
        /// What it can be called.
        legal: String,
    },
    /// The derivation did not pass its check.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The settings of its run make no sense.
    #[error(transparent)]
    Run(Box<RunFailure>),
}

impl From<RunFailure> for ExportError {
    fn from(failure: RunFailure) -> ExportError {
        ExportError::Run(Box::new(failure))
    }
}

impl ExportError {
    /// What can be done about it.
    pub fn help(&self) -> Option<String> {
        match self {
            ExportError::TooLarge { .. } => {
                Some("take fewer links or bodies; `catena run` moves the model as it is".to_owned())
            }
            ExportError::CannotRun { help, .. } => Some(help.clone()),
            ExportError::SingularStart => Some(
                "start elsewhere with --set; `catena check` says which constraints meet".to_owned(),
            ),
            ExportError::NoFunctionName { legal, .. } => Some(format!("call it `{legal}.m`")),
            ExportError::Check(_) => {
                Some("are all formulas smooth and finite around the start?".to_owned())
            }
            ExportError::Run(failure) => failure.help(),
        }
    }

    /// Whether the command is to blame, not the model.
    pub fn is_usage(&self) -> bool {
        match self {
            ExportError::Run(failure) => failure.is_usage(),
            ExportError::NoFunctionName { .. } => true,
            _ => false,
        }
    }
}
