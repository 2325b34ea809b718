//! The equations of motion and how they come about.

use crate::request::Request;
use crate::{Fault, Host, Workbench};
use catena::{CoordinateSet, Derivation, Extent, Format, Model};
use serde_json::{Value, json};

/// Which coordinates a request names.
pub(crate) fn take_coordinates(request: &mut Request) -> Result<Option<CoordinateSet>, Fault> {
    match request.take_text_or("coordinates")?.as_deref() {
        None => Ok(None),
        Some("joint") => Ok(Some(CoordinateSet::Joint)),
        Some("absolute") => Ok(Some(CoordinateSet::Absolute)),
        Some(other) => Err(Fault::unknown(
            "there are no coordinates",
            other,
            ["joint", "absolute"].into_iter(),
        )),
    }
}

/// The set that was named, where the model has it.
pub(crate) fn known_set(
    model: &Model,
    named: Option<CoordinateSet>,
) -> Result<CoordinateSet, Fault> {
    let set = named.unwrap_or_default();
    if model.distinguishes(set) {
        return Ok(set);
    }
    let help = "only chains and mechanisms have two sets: leave out `coordinates`";
    Err(Fault::of_request("this model does not have these coordinates", help))
}

/// Derives a model, or says why its derivation cannot be trusted.
pub(crate) fn derived(
    model: &Model,
    set: CoordinateSet,
    extent: Extent,
) -> Result<Derivation, Fault> {
    catena::derive_as_far(model, set, extent).map_err(|error| {
        let help = "are all formulas smooth and finite around the start?";
        Fault::refused(error.to_string(), Some(help.to_owned()))
    })
}

pub(crate) fn derive(
    workbench: &mut Workbench,
    mut request: Request,
    host: &Host<'_>,
) -> Result<Value, Fault> {
    let set = take_coordinates(&mut request)?;
    let model = workbench.read.take(&mut request, host)?;
    request.finish()?;
    let derivation = derived(model, known_set(model, set)?, Extent::Readable)?;
    let steps = derivation.steps.iter().map(|step| {
        let statements = step.statements.iter().map(|statement| {
            json!({
                "intro": statement.text,
                "text": statement.notation.to_text(),
                "latex": statement.notation.to_latex(),
                "mathml": statement.notation.to_mathml(),
            })
        });
        json!({
            "number": step.number,
            "title": step.title,
            "explanation": step.explanation,
            "statements": statements.collect::<Vec<_>>(),
        })
    });
    let check = derivation.agreement.as_ref().map(|agreement| {
        let figures = agreement.figures().into_iter();
        let figures = figures.map(|(name, figure)| json!({ "name": name, "difference": figure }));
        json!({ "states": agreement.states, "figures": figures.collect::<Vec<_>>() })
    });
    Ok(json!({
        "title": derivation.title,
        "steps": steps.collect::<Vec<_>>(),
        "check": check,
        "latex": derivation.write(Format::Latex),
    }))
}
