//! What is to be said about a model while it is written: what is wrong and where, what it consists of, whether it can
//! run, and what it looks like at the start.

use crate::about::{about, methods};
use crate::film::pose;
use crate::mechanism::mechanism;
use crate::outline::outline;
use crate::request::Request;
use crate::{Fault, Host, Workbench};
use catena::Source;
use catena::model::{Place, Problem};
use serde_json::{Value, json};

/// A wrong model is no fault here: saying what is wrong is the answer.
pub(crate) fn model(
    workbench: &mut Workbench,
    mut request: Request,
    host: &Host<'_>,
) -> Result<Value, Fault> {
    let text = request.take_model(host)?;
    let is_full = request.take_switch("full", true)?;
    request.finish()?;
    let outline = outline(&text.text);
    let model = match workbench.read.read(text) {
        Ok(model) => model,
        Err(wrong) => {
            return Ok(json!({
                "problems": problems(&wrong.problems, &wrong.sources),
                "warnings": [],
                "outline": outline,
            }));
        }
    };
    let (film, unassembled) = catena::film_of_start(model, model.run.t_start.unwrap_or(0.0));
    let mut about = about(model);
    about["mechanism"] = mechanism(model, &film);
    let mut reply = json!({
        "problems": [],
        "warnings": problems(&model.warnings, &model.sources),
        "outline": outline,
        "about": about,
        "methods": methods(model),
        "film": pose(&model.title, film),
        "open": unassembled.map(|error| error.to_string()),
    });
    if is_full {
        reply["diagnosis"] = catena::diagnosis_json(&model.title, &catena::diagnose(model));
    }
    Ok(reply)
}

/// What is wrong or doubtful, each with its place.
pub(crate) fn problems(problems: &[Problem], sources: &[Source]) -> Value {
    let one = |problem: &Problem| {
        json!({
            "message": problem.kind.to_string(),
            "help": problem.kind.help(),
            "place": place(&problem.place, sources),
        })
    };
    Value::Array(problems.iter().map(one).collect())
}

/// A place in the model's text or in a value that was set, counted as JavaScript counts: in units of UTF-16.
fn place(Place { source, span }: &Place, sources: &[Source]) -> Value {
    let text = sources.get(*source).map_or("", |source| source.text.as_str());
    let units = |to: usize| text.get(..to).map_or(0, |before| before.encode_utf16().count());
    let before = text.get(..span.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({
        "source": if *source == 0 { "model" } else { text },
        "from": units(span.start),
        "to": units(span.end),
        "line": before.matches('\n').count() + 1,
        "column": text[line_start..span.start.max(line_start)].chars().count() + 1,
    })
}
