//! What a question found, ready for every edge: facts, tables, panels and words.

pub(crate) mod facts;
pub(crate) mod family;
mod films;
pub(crate) mod panels;
mod plot_style;
pub(crate) mod quantity;
mod refusal;
pub(crate) mod words;

pub use films::{AnswerFilm, AnswerFilms, frames_to_watch};
pub use panels::{run_description, run_figure, table_figure};
pub use plot_style::{BadPlotStyle, PLOT_OPTIONS, PlotStyle};
pub use refusal::Refusal;
pub use words::{Line, Tone, Words, duration, fixed};

use catena_figure::Figure;
use catena_simulation::{StopReason, Table};
use facts::units_json;
use serde_json::{Value, json};

/// What a question found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The name of the analysis.
    pub question: &'static str,
    /// The title of the model.
    pub title: String,
    /// What was asked, with everything that was left open filled in.
    pub settings: Value,
    /// What was found, as JSON.
    pub result: Value,
    /// How far the figures may be off; what it means is said by the analysis.
    pub error_estimate: Option<f64>,
    /// The table that is written to files.
    pub table: Table,
    /// The panels that are drawn.
    pub figure: Figure,
    /// What people read, in a terminal or on a page.
    pub words: Words,
    /// The answer as a text of another kind than a table, if there is one.
    pub file: Option<AnswerFile>,
    /// What moves, if the question was asked to show it.
    pub films: Option<AnswerFilms>,
    /// What the device is that has computed, or why the processor has, if a device was asked for.
    pub device: Option<String>,
    /// Why the answer is not whole, if it is not: a motion that stopped early, a mechanism that locked.
    pub shortfall: Option<String>,
}

/// An answer that is a text of its own, like a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerFile {
    /// What stands in it, or why nothing can.
    pub text: Result<String, Refusal>,
    /// What it is, as the beginning of a sentence: "the linear model".
    pub what: &'static str,
}

impl Answer {
    /// An answer of facts alone.
    pub fn new(question: &'static str, title: &str) -> Answer {
        Answer {
            question,
            title: title.to_owned(),
            settings: Value::Null,
            result: Value::Null,
            error_estimate: None,
            table: Table::default(),
            figure: Figure::new(""),
            words: Words::default(),
            file: None,
            films: None,
            device: None,
            shortfall: None,
        }
    }

    /// Says that the motion behind the answer stopped early, if it did.
    pub fn note_stop(&mut self, stop: &StopReason) {
        match stop {
            StopReason::Failed { message } => {
                self.words.failure("stopped", message);
                self.shortfall = Some(message.clone());
            }
            StopReason::Cancelled => self.note_interruption("this is what the rows so far say"),
            _ => {}
        }
    }

    /// Says what a device has done, or why it has not, if one was asked for.
    pub(crate) fn note_device(&mut self, device: Option<String>) {
        if let Some(device) = &device {
            self.words.remark("device", device.as_str());
        }
        self.device = device;
    }

    /// Says that the caller ended the work early, and what there is all the same.
    pub fn note_interruption(&mut self, known: impl Into<String>) {
        let known = known.into();
        self.words.failure("interrupted", known.as_str());
        self.shortfall = Some(format!("interrupted: {known}"));
    }

    /// Where its figure comes from: model, question and everything that was set.
    pub fn description(&self) -> String {
        let settings = self.settings.as_object().into_iter().flatten();
        let said: Vec<String> = settings
            .filter_map(|(name, value)| match value {
                Value::String(text) => Some(format!("{name} {text}")),
                Value::Number(number) => Some(format!("{name} {number}")),
                _ => None,
            })
            .collect();
        let error = self.error_estimate.map(|error| format!("error {error:.1e}"));
        let all: Vec<String> = said.into_iter().chain(error).collect();
        format!("{}: {}; {}", self.title, self.question, all.join(", "))
            .trim_end_matches("; ")
            .to_owned()
    }

    /// Everything as one JSON object; numbers have all their digits.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "question": self.question,
            "model": self.title,
            "version": env!("CARGO_PKG_VERSION"),
            "settings": self.settings,
            "result": self.result,
            "error_estimate": self.error_estimate,
            "units": units_json(&self.table),
        });
        if let Some(device) = &self.device {
            object["device"] = json!(device);
        }
        if let Some(shortfall) = &self.shortfall {
            object["shortfall"] = json!(shortfall);
        }
        object
    }
}
