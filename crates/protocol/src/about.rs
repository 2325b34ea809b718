//! What a model consists of, and what would be taken to move it.

use catena::model::{NamedFormula, Parameter};
use catena::simulation::RunPlan;
use catena::symbolic::primed;
use catena::{CoordinateSet, Model, RunSettings};
use serde_json::{Value, json};

/// Names and values that sliders, completions and lists are made of.
pub(crate) fn about(model: &Model) -> Value {
    let system = &model.own;
    let names = |formulas: &[NamedFormula]| -> Vec<String> {
        formulas.iter().map(|formula| formula.name.clone()).collect()
    };
    let parameter = |parameter: &Parameter| {
        let follows = parameter.entry.formula.names().next().is_some();
        json!({ "name": parameter.entry.name, "value": parameter.value, "follows": follows })
    };
    let coordinates = system.coordinates.iter().map(|coordinate| {
        json!({ "name": coordinate.name, "text": coordinate.text, "angle": coordinate.angle })
    });
    let given = |formula: &NamedFormula| {
        let known = |name: &str, _: usize| model.parameter(name).unwrap_or(f64::NAN);
        let value = formula.formula.evaluate(known);
        json!({ "name": primed(&formula.name, formula.primes), "value": value })
    };
    let kind = match (&model.mechanism, &model.chain) {
        (Some(_), _) => "mechanism",
        (None, Some(_)) => "chain",
        (None, None) => "equations",
    };
    let distinguishes =
        [CoordinateSet::Joint, CoordinateSet::Absolute].map(|set| model.distinguishes(set));
    json!({
        "title": model.title,
        "description": model.description,
        "hash": format!("{:016x}", model.hash()),
        "kind": kind,
        "coordinateSets": { "joint": distinguishes[0], "absolute": distinguishes[1] },
        "parameters": model.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "coordinates": coordinates.collect::<Vec<_>>(),
        "initial": system.initial.iter().map(given).collect::<Vec<_>>(),
        "guess": system.guess.iter().map(given).collect::<Vec<_>>(),
        "states": names(&system.states),
        "definitions": names(&system.definitions),
        "constraints": names(&system.constraints),
        "outputs": names(&system.outputs),
        "quantities": names(&system.quantities),
        "events": system.events.iter().map(|event| &event.entry.name).collect::<Vec<_>>(),
        "run": { "t_start": model.run.t_start, "t_end": model.run.t_end, "every": model.run.every },
    })
}

/// What is taken where nobody names a method, and why.
pub(crate) fn methods(model: &Model) -> Value {
    match RunPlan::new(model, &RunSettings::default(), &model.run) {
        Ok(plan) => json!({
            "formulation": plan.formulation.entry.name,
            "integrator": plan.options.integrator.name,
            "why": [plan.options.automatic.formulation, plan.options.automatic.integrator],
            "t_start": plan.options.t_start,
            "t_end": plan.options.t_end,
            "every": plan.options.every,
        }),
        Err(failure) => json!({ "message": failure.to_string(), "help": failure.help() }),
    }
}
