//! Starts that look like degrees: a bare 90 for a coordinate that is an angle.

use crate::{Equations, angles};
use catena_model::{Model, NamedFormula, Place, Problem, ProblemKind, many_turns};

/// A warning for every angle whose start or guess is written as a bare number of more than a turn.
pub fn start_turns(model: &Model) -> Vec<Problem> {
    let system = &model.own;
    let entries = || system.initial.iter().chain(&system.guess);
    let suspicious: Vec<(&NamedFormula, f64, Place)> = entries()
        .filter(|entry| entry.primes == 0)
        .filter_map(|entry| {
            let value = many_turns(&entry.formula)?;
            let span = entry.formula.span(entry.formula.nodes().len() - 1);
            let place = Place { source: entry.place.source, span };
            // what the assembly guesses by itself nobody has written
            let text = model.sources.get(place.source)?.text.get(place.span.clone())?;
            let written = text.trim().trim_matches('"').trim().parse() == Ok(value);
            written.then_some((entry, value, place))
        })
        .collect();
    if suspicious.is_empty() {
        return Vec::new();
    }
    let is_angle = angles(&Equations::derive(model, system), system);
    let turns = |name: &str| {
        let mut coordinates = system.coordinates.iter().zip(&is_angle);
        coordinates.any(|(coordinate, angle)| coordinate.name == name && *angle)
    };
    suspicious
        .into_iter()
        .filter(|(entry, ..)| turns(&entry.name))
        .map(|(_, value, place)| Problem { kind: ProblemKind::ManyTurns { value }, place })
        .collect()
}
