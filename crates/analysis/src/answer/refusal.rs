//! Why a question has no answer, and what can be done about it.

use crate::RestError;
use catena_ensemble::DeviceError;
use catena_simulation::{RunError, RunFailure};
use catena_symbolic::nearest;

/// Why a question has no answer. Options stand in the help by their key in braces, as in `{t_end}`, so that every edge
/// can name them its own way; so do the deeds `{check}` (a diagnosis of the model), `{set}` (changing a value of the
/// model) and `{equilibrium}` (a search from random starts).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is wrong, in words.
    pub message: String,
    /// What can be done about it.
    pub help: Option<String>,
    /// Whether the question is to blame, not the model.
    pub is_usage: bool,
    /// The failure of a run, where that is the reason.
    pub run: Option<Box<RunFailure>>,
}

impl Refusal {
    /// The question makes no sense.
    pub fn of_question(message: impl Into<String>, help: impl Into<String>) -> Refusal {
        let (message, help) = (message.into(), Some(help.into()));
        Refusal { message, help, is_usage: true, run: None }
    }

    /// Something is to be varied that a setting gives one value; `option` is what varies it.
    pub(crate) fn set_and_varied(name: &str, setting: &str, option: &str) -> Refusal {
        Refusal::of_question(
            format!("`{name}` is varied, and `{setting}` gives it one value"),
            format!("leave out {{set}} {setting}, or {option}"),
        )
    }

    /// The model has no answer to it.
    pub fn of_model(message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { is_usage: false, ..Refusal::of_question(message, help) }
    }

    /// A device has given up.
    pub(crate) fn of_device(error: &DeviceError) -> Refusal {
        Refusal::of_model(error.to_string(), "without {device} the processor computes")
    }

    /// A name that is not known.
    pub fn unknown<'a>(
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Refusal {
        let help = match nearest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
        };
        Refusal::of_question(format!("there is no {what} `{name}`"), help)
    }

    /// The help, with options named as an edge names them.
    pub fn help_naming(&self, option: impl Fn(&str) -> String) -> Option<String> {
        let help = self.help.as_ref()?;
        let mut text = String::with_capacity(help.len());
        let mut rest = help.as_str();
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((key, after)) = behind.split_once('}') else { break };
            text += before;
            text += &option(key);
            rest = after;
        }
        Some(text + rest)
    }
}

impl From<RunFailure> for Refusal {
    fn from(failure: RunFailure) -> Refusal {
        Refusal {
            message: failure.to_string(),
            help: failure.help(),
            is_usage: failure.is_usage(),
            run: Some(Box::new(failure)),
        }
    }
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Refusal {
        RunFailure::Run(error).into()
    }
}

impl From<RestError> for Refusal {
    fn from(error: RestError) -> Refusal {
        let help = match &error {
            RestError::Start(_) => "{check} says more about the start".to_owned(),
            RestError::Equilibrium(error) => {
                error.remainder() + "start elsewhere with {set}, or search with {equilibrium}"
            }
            _ => "{check} says more about the model".to_owned(),
        };
        Refusal::of_model(error.to_string(), help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_names_options_its_own_way() {
        let refusal = Refusal::of_question("too short", "run longer with {t_end}, or from {after}");
        assert_eq!(
            refusal.help_naming(|key| format!("--{key}")).as_deref(),
            Some("run longer with --t_end, or from --after")
        );
    }
}
