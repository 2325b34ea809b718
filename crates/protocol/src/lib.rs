//! The protocol: one request is one JSON object, one reply is another, and on the way there may be events. A server, a
//! worker in a browser and a program at the end of a pipe carry it; nothing here knows which one does.
//!
//! ```
//! use catena_protocol::{Host, Workbench};
//!
//! let mut workbench = Workbench::default();
//! let reply = workbench.answer(r#"{"do":"ask","question":"modes","model":{"name":"double-pendulum"}}"#, &Host::ALONE);
//! assert_eq!(reply["answer"]["result"]["modes"].as_array().map(Vec::len), Some(2));
//! ```

mod about;
mod ask;
mod catalogue;
mod derive;
mod fault;
mod file;
mod film;
mod host;
mod mechanism;
mod model;
mod numbers;
mod outline;
mod pose;
mod request;
mod run;
mod words;

pub use fault::{Fault, FaultKind};
pub use host::{Event, Host, Limits};

use request::Request;
use serde_json::Value;

/// The version of the protocol. Requests may name it, and another one is refused.
pub const VERSION: u64 = 1;

/// Answers a request.
type Verb = fn(&mut Workbench, Request, &Host<'_>) -> Result<Value, Fault>;

/// Everything that can be asked for, by the value of `do`.
const VERBS: &[(&str, Verb)] = &[
    ("catalogue", catalogue::catalogue),
    ("model", model::model),
    ("derive", derive::derive),
    ("run", run::run),
    ("ask", ask::ask),
    ("pose", pose::pose),
    ("file", file::file),
];

/// The names of everything that can be asked for.
pub fn verbs() -> impl Iterator<Item = &'static str> + Clone {
    VERBS.iter().map(|(name, _)| *name)
}

/// Answers requests one after the other.
#[derive(Default)]
pub struct Workbench {
    read: request::ReadModels,
    dragged: pose::Dragged,
}

impl Workbench {
    /// Answers one request: what was asked for, or an object with `error`.
    pub fn answer(&mut self, request: &str, host: &Host<'_>) -> Value {
        let parsed = serde_json::from_str::<Value>(request);
        let asked = match parsed {
            Ok(object) => Request::new(object),
            Err(error) => Err(Fault::of_request(
                format!("the request is not JSON: {error}"),
                "send one JSON object, as {\"do\": \"catalogue\"}",
            )),
        };
        let reply = asked.and_then(|request| self.reply(request, host));
        reply.unwrap_or_else(|fault| fault.to_json())
    }

    fn reply(&mut self, mut request: Request, host: &Host<'_>) -> Result<Value, Fault> {
        let version = request.take_version()?;
        if version != VERSION {
            return Err(Fault::of_request(
                format!("this is version {VERSION} of the protocol, not {version}"),
                "leave out `catena`, or ask a program of that version",
            ));
        }
        let name = request.take_text("do")?;
        let verb = VERBS.iter().find(|(known, _)| *known == name);
        let (_, verb) = verb
            .ok_or_else(|| Fault::unknown("nothing can be done that is called", &name, verbs()))?;
        verb(self, request, host)
    }
}
