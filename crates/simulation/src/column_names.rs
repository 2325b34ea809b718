//! The names of columns: what each stands for, and which ones a request means.

use crate::RunError;
use catena_derivation::{Equations, Quantities};
use catena_model::{System, wildcard};
use catena_symbolic::{Expr, Graph, primed};
use std::collections::HashMap;

/// Where a column comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Time,
    Coordinate(usize),
    Velocity(usize),
    Acceleration(usize),
    State(usize),
    StateRate(usize),
    Multiplier(usize),
    Kinetic,
    Potential,
    Energy,
    Output(usize),
    /// A definition, or its time derivative of this order.
    Definition(usize, usize),
    Quantity(usize),
}

/// A column by name.
pub(crate) type NamedOrigin = (String, Origin);

/// The columns of a run for which none are named.
pub(crate) fn usual_columns(system: &System) -> Vec<NamedOrigin> {
    let mut all = vec![("t".to_owned(), Origin::Time)];
    let coordinates = || system.coordinates.iter().map(|coordinate| &coordinate.name).enumerate();
    all.extend(coordinates().map(|(i, name)| (name.clone(), Origin::Coordinate(i))));
    all.extend(coordinates().map(|(i, name)| (primed(name, 1), Origin::Velocity(i))));
    let states = system.states.iter().enumerate();
    all.extend(states.map(|(i, state)| (state.name.clone(), Origin::State(i))));
    let constraints = system.constraints.iter().enumerate();
    all.extend(constraints.map(|(i, c)| (format!("lambda_{}", c.name), Origin::Multiplier(i))));
    let energies = [Origin::Kinetic, Origin::Potential, Origin::Energy];
    let names = ["kinetic", "potential", "energy"].map(str::to_owned);
    all.extend(names.into_iter().zip(energies));
    let outputs = system.outputs.iter().enumerate();
    all.extend(outputs.map(|(i, output)| (output.name.clone(), Origin::Output(i))));
    all
}

/// The columns that are there only for those who ask: accelerations, definitions and their rates, resultants and powers.
fn further_columns(system: &System) -> Vec<NamedOrigin> {
    let mut all = Vec::new();
    let coordinates = system.coordinates.iter().enumerate();
    all.extend(coordinates.map(|(i, c)| (primed(&c.name, 2), Origin::Acceleration(i))));
    let states = system.states.iter().enumerate();
    all.extend(states.map(|(i, state)| (primed(&state.name, 1), Origin::StateRate(i))));
    for (i, definition) in system.definitions.iter().enumerate() {
        let orders = 0..=system.definition_rates[i];
        all.extend(
            orders.map(|order| (primed(&definition.name, order), Origin::Definition(i, order))),
        );
    }
    let quantities = system.quantities.iter().enumerate();
    all.extend(quantities.map(|(i, quantity)| (quantity.name.clone(), Origin::Quantity(i))));
    all
}

/// The columns of these names, in this order.
pub(crate) fn choose(system: &System, wanted: &[String]) -> Result<Vec<NamedOrigin>, RunError> {
    let mut all = usual_columns(system);
    all.extend(further_columns(system));
    // of two of one name the first is meant
    let known: HashMap<&str, Origin> =
        all.iter().rev().map(|(name, origin)| (name.as_str(), *origin)).collect();
    let find = |name: &String| match known.get(name.as_str()) {
        Some(origin) => Ok((name.clone(), *origin)),
        None => {
            let known = all.iter().map(|(name, _)| name.clone()).collect();
            Err(RunError::UnknownColumn { name: name.clone(), known })
        }
    };
    wanted.iter().map(find).collect()
}

/// The names that are meant: a pattern stands for the columns of a whole run that match it, or, where there are none, for
/// those of the others that have as many primes as the pattern. Each name comes once.
pub fn expand_columns(system: &System, wanted: &[String]) -> Result<Vec<String>, RunError> {
    let mut names: Vec<String> = Vec::with_capacity(wanted.len());
    let mut add = |name: String| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    for pattern in wanted {
        if !wildcard::is_pattern(pattern) {
            add(pattern.clone());
            continue;
        }
        let usual = usual_columns(system);
        let others = further_columns(system);
        let fits = |(name, _): &&NamedOrigin| wildcard::matches(pattern, name);
        let as_primed = |(name, _): &&NamedOrigin| primes(name) == primes(pattern);
        let mut found: Vec<&NamedOrigin> = usual.iter().skip(1).filter(fits).collect();
        if found.is_empty() {
            found = others.iter().filter(fits).filter(as_primed).collect();
        }
        if found.is_empty() {
            let known = usual.into_iter().chain(others).map(|(name, _)| name).collect();
            return Err(RunError::NoMatchingColumn { pattern: pattern.clone(), known });
        }
        found.into_iter().for_each(|(name, _)| add(name.clone()));
    }
    Ok(names)
}

fn primes(name: &str) -> usize {
    name.len() - name.trim_end_matches('\'').len()
}

/// The column as an expression of t, q, v, states, accelerations, multipliers and parameters, where the equations have it.
pub(crate) fn derived(e: &Equations, origin: Origin) -> Option<Expr> {
    Some(match origin {
        Origin::Time => e.time,
        Origin::Coordinate(i) => e.coordinates[i],
        Origin::Velocity(i) => e.velocities[i],
        Origin::Acceleration(i) => e.accelerations[i],
        Origin::State(i) => e.states[i],
        Origin::StateRate(i) => e.state_rates[i],
        Origin::Multiplier(i) => e.multipliers[i],
        Origin::Kinetic => e.kinetic,
        Origin::Potential => e.potential,
        Origin::Output(i) => e.outputs[i],
        Origin::Definition(i, 0) => e.definitions[i],
        Origin::Energy | Origin::Definition(..) | Origin::Quantity(_) => return None,
    })
}

/// The same where it is built on top of the equations, in a graph that grew out of their own.
pub(crate) fn built(
    e: &Equations,
    quantities: &mut Quantities<'_>,
    graph: &mut Graph,
    origin: Origin,
) -> Expr {
    match origin {
        Origin::Energy => graph.add(e.kinetic, e.potential),
        Origin::Definition(i, order) => quantities.definition(graph, i, order),
        Origin::Quantity(i) => quantities.quantity(graph, i),
        origin => derived(e, origin).unwrap_or(e.time),
    }
}
