//! Answers to questions about a model: a table, a picture and a JSON object each.

mod equilibrium;
mod kinematics;
mod linear_response;
mod linearize;
mod modes;
mod phase;
mod resonance;
mod response;
mod spectrum;

pub use equilibrium::equilibrium_answer;
pub use kinematics::kinematics_answer;
pub use linear_response::linear_response_answer;
pub use linearize::linearize_answer;
pub use modes::modes_answer;
pub use phase::phase_answer;
pub use resonance::resonance_answer;
pub use response::{curve_name, response_answer};
pub use spectrum::spectrum_answer;

use catena_analysis::{Complex, RestError};
use catena_figure::Figure;
use catena_simulation::{Column, Table, Values};
use serde_json::{Map, Value, json};

/// What a question found, ready for every edge.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The name of the analysis.
    pub question: &'static str,
    /// The title of the model.
    pub title: String,
    /// What was asked, with everything that was left open filled in.
    pub settings: Value,
    /// What was found.
    pub result: Value,
    /// How far the figures may be off; what it means is said by the analysis.
    pub error_estimate: Option<f64>,
    /// What is kept in a file.
    pub table: Table,
    /// What is drawn.
    pub figure: Figure,
}

impl Answer {
    /// Everything as one JSON object; numbers have all their digits.
    pub fn to_json(&self) -> Value {
        json!({
            "question": self.question,
            "model": self.title,
            "version": env!("CARGO_PKG_VERSION"),
            "settings": self.settings,
            "result": self.result,
            "error_estimate": self.error_estimate,
        })
    }
}

/// What the user can do when a system does not rest.
pub fn rest_help(error: &RestError) -> String {
    match error {
        RestError::Start(_) => "`catena check` says more about the start".to_owned(),
        RestError::Equilibrium(error) => {
            error.remainder()
                + "start elsewhere with --set, or search with `catena analyze equilibrium --all`"
        }
        _ => "`catena check` says more about the model".to_owned(),
    }
}

/// Values by their names.
fn by_name<'a>(names: impl Iterator<Item = &'a String>, values: &[f64]) -> Value {
    Value::Object(names.cloned().zip(values.iter().map(|value| json!(value))).collect())
}

/// Amplitudes and phases by name.
fn shape_json<'a>(names: impl Iterator<Item = &'a String>, shape: &[Complex]) -> Value {
    let entry = |x: &Complex| json!({ "amplitude": x.norm(), "phase": x.arg() });
    Value::Object(names.cloned().zip(shape.iter().map(entry)).collect::<Map<_, _>>())
}

/// Columns of a table as lists.
fn columns_json(table: &Table) -> Value {
    let values = |column: &Column| match &column.values {
        Values::Numbers(numbers) => json!(numbers),
        Values::Words(words) => json!(words),
    };
    let columns = table.columns.iter();
    Value::Object(columns.map(|column| (column.name.clone(), values(column))).collect())
}
