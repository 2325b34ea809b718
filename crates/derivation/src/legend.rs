//! What the letters of a derivation mean: coordinates, first-order states and parameters, with values and units.

use crate::{Equations, angles};
use catena_model::{Dimensions, Model, System};
use catena_symbolic::{FormulaNode, Notation};

/// A letter and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendRow {
    /// As the model names it.
    pub name: String,
    /// What it is, in words; empty where nobody says.
    pub meaning: String,
    /// The value of a parameter.
    pub value: Option<f64>,
    /// The formula of a parameter that follows from others.
    pub formula: Option<Notation>,
    /// Empty where the model does not say.
    pub unit: &'static str,
}

/// Coordinates and states, this many of each at most.
pub(crate) fn coordinates(system: &System, equations: &Equations, most: usize) -> Vec<LegendRow> {
    let dimensions = Dimensions::new(system, &angles(equations, system));
    let row = |name: &str, meaning: &str| LegendRow {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
        value: None,
        formula: None,
        unit: dimensions.unit(name),
    };
    let coordinates = system.coordinates.iter().take(most);
    let mut rows: Vec<LegendRow> = coordinates.map(|c| row(&c.name, &c.text)).collect();
    rows.extend(system.states.iter().take(most).map(|state| row(&state.name, "first-order state")));
    rows
}

/// All parameters.
pub(crate) fn parameters(model: &Model, system: &System) -> Vec<LegendRow> {
    let dimensions = Dimensions::new(system, &[]);
    let row = |parameter: &catena_model::Parameter| {
        let (name, formula) = (&parameter.entry.name, &parameter.entry.formula);
        let is_number = formula.nodes().iter().all(|node| {
            matches!(node, FormulaNode::Number(_) | FormulaNode::Negate(_) | FormulaNode::Pi)
        });
        LegendRow {
            name: name.clone(),
            meaning: meaning(model, name).unwrap_or_default(),
            value: Some(parameter.value),
            formula: (!is_number).then(|| Notation::of_formula(formula)),
            unit: dimensions.unit(name),
        }
    };
    model.parameters.iter().map(row).collect()
}

/// What a chain or a mechanism uses a parameter for.
fn meaning(model: &Model, name: &str) -> Option<String> {
    let is_generated = model.chain.is_some() || model.mechanism.is_some();
    if is_generated && name == "g" {
        return Some("acceleration of gravity".to_owned());
    }
    if let Some(chain) = &model.chain {
        let kinds = [
            (&chain.mass, "mass"),
            (&chain.length, "length"),
            (&chain.friction, "friction in the joint"),
        ];
        return kinds.into_iter().find_map(|(names, what)| {
            let links: Vec<usize> =
                (1..=names.len()).filter(|link| names[link - 1] == name).collect();
            match links.as_slice() {
                [] => None,
                [link] => Some(format!("{what} of link {link}")),
                links if links.len() == names.len() => Some(format!("{what} of each link")),
                _ => Some(format!("{what} of some links")),
            }
        });
    }
    let bodies = &model.mechanism.as_ref()?.bodies;
    let of = |what: &str, has: &dyn Fn(&catena_model::Body) -> bool| {
        let names: Vec<&str> =
            bodies.iter().filter(|body| has(body)).map(|body| body.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{what} of {}", names.join(", ")))
    };
    of("mass", &|body| body.mass == name)
        .or_else(|| of("moment of inertia", &|body| body.inertia == name))
        .or_else(|| of("length", &|body| format!("{}_length", body.name) == name))
}
