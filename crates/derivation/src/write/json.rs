//! For programs: the steps, and the matrices as formulas in the syntax of model files.

use crate::Derivation;
use catena_symbolic::Notation;
use serde_json::{Value, json};

pub(super) fn write(derivation: &Derivation) -> String {
    let steps: Vec<Value> = derivation
        .steps
        .iter()
        .map(|step| {
            let statements: Vec<Value> = step
                .statements
                .iter()
                .map(|statement| {
                    json!({
                        "intro": statement.text,
                        "text": statement.notation.to_text(),
                        "latex": statement.notation.to_latex(),
                    })
                })
                .collect();
            json!({
                "number": step.number,
                "title": step.title,
                "explanation": step.explanation,
                "statements": statements,
            })
        })
        .collect();
    let states: serde_json::Map<String, Value> = derivation
        .states
        .iter()
        .map(|(name, rate)| (name.clone(), Value::from(rate.to_formula())))
        .collect();
    let check = derivation.agreement.as_ref().map(|agreement| {
        let figures: serde_json::Map<String, Value> = agreement
            .figures()
            .into_iter()
            .map(|(name, figure)| (name.to_owned(), Value::from(figure)))
            .collect();
        json!({ "states": agreement.states, "largest_relative_difference": figures })
    });
    let document = json!({
        "title": derivation.title,
        "description": derivation.description,
        "coordinates": derivation.coordinates,
        "mass_matrix": matrix(&derivation.mass_matrix),
        "forces": vector(&derivation.forces),
        "constraint_names": derivation.constraint_names,
        "constraints": vector(&derivation.constraints),
        "constraint_jacobian": matrix(&derivation.constraint_jacobian),
        "constraint_rate": vector(&derivation.constraint_rate),
        "gamma": vector(&derivation.gamma),
        "states": states,
        "steps": steps,
        "check": check,
    });
    format!("{document:#}\n")
}

fn vector(entries: &[Notation]) -> Vec<String> {
    entries.iter().map(Notation::to_formula).collect()
}

fn matrix(rows: &[Vec<Notation>]) -> Vec<Vec<String>> {
    rows.iter().map(|row| vector(row)).collect()
}
