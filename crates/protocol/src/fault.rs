//! Why there is no answer.

use catena::symbolic::nearest;
use catena::{Refusal, RunFailure};
use serde_json::{Value, json};

/// Who or what is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The request makes no sense.
    Request,
    /// The model is wrong.
    Model,
    /// The question has no answer for this model and these options.
    Refused,
    /// Something would become too large.
    Limit,
    /// The caller ended the work.
    Cancelled,
}

impl FaultKind {
    fn name(self) -> &'static str {
        match self {
            FaultKind::Request => "request",
            FaultKind::Model => "model",
            FaultKind::Refused => "refused",
            FaultKind::Limit => "limit",
            FaultKind::Cancelled => "cancelled",
        }
    }
}

/// Why there is no answer, in words.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Who or what is to blame.
    pub kind: FaultKind,
    /// What is wrong.
    pub message: String,
    /// What can be done about it.
    pub help: Option<String>,
    /// What is wrong with the model, each with its place.
    pub problems: Option<Box<Value>>,
}

impl Fault {
    fn new(kind: FaultKind, message: impl Into<String>, help: Option<String>) -> Fault {
        Fault { kind, message: message.into(), help, problems: None }
    }

    /// The request makes no sense.
    pub fn of_request(message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Request, message, Some(help.into()))
    }

    /// Something would become too large.
    pub(crate) fn of_size(message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Limit, message, Some(help.into()))
    }

    /// There is no answer.
    pub(crate) fn refused(message: impl Into<String>, help: Option<String>) -> Fault {
        Fault::new(FaultKind::Refused, message, help)
    }

    /// The caller ended the work before anything was found.
    pub(crate) fn cancelled() -> Fault {
        Fault::new(FaultKind::Cancelled, "cancelled before anything was found", None)
    }

    /// A model that cannot be read.
    pub(crate) fn of_model(
        message: impl Into<String>,
        help: Option<String>,
        problems: Value,
    ) -> Fault {
        Fault { problems: Some(Box::new(problems)), ..Fault::new(FaultKind::Model, message, help) }
    }

    /// A name that is not known.
    pub(crate) fn unknown<'a>(
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Fault {
        let help = match nearest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are: {}", known.collect::<Vec<_>>().join(", ")),
        };
        Fault::of_request(format!("{what} `{name}`"), help)
    }

    /// As the reply that takes the place of an answer.
    pub fn to_json(&self) -> Value {
        let mut error = json!({ "kind": self.kind.name(), "message": self.message });
        if let Some(help) = &self.help {
            error["help"] = json!(help);
        }
        if let Some(problems) = &self.problems {
            error["problems"] = Value::clone(problems);
        }
        json!({ "error": error })
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        // deeds and options are named as a page names them
        let help = refusal.help_naming(|key| match key {
            "check" => "the diagnosis of the model".to_owned(),
            "set" => "the value of".to_owned(),
            "equilibrium" => "the question `equilibrium` with `all`".to_owned(),
            key => format!("`{key}`"),
        });
        Fault::refused(refusal.message, help)
    }
}

impl From<RunFailure> for Fault {
    fn from(failure: RunFailure) -> Fault {
        let help = failure.help();
        Fault::refused(failure.to_string(), help)
    }
}
