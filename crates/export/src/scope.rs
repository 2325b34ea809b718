//! What everything is called in a language: the names of the model as identifiers, and ours around them.

use crate::exported_model::ExportedModel;
use crate::identifiers::Identifiers;
use crate::routine::{Group, KINDS, Routine};
use crate::straight_line::InputNames;
use crate::syntax::Syntax;
use catena_symbolic::primed;

/// Identifiers of a model in one language.
pub(crate) struct Scope {
    /// Of everything that functions read, by group.
    pub(crate) names: InputNames,
    /// Of the arguments that bring them, by group.
    arguments: [String; 7],
    /// Of the results, by the kind of function.
    results: Vec<String>,
    /// All that is taken.
    pub(crate) taken: Identifiers,
}

impl Scope {
    /// Names of the model come first, so that they stay what they are; ours give way.
    pub(crate) fn new(exported: &ExportedModel<'_>, syntax: &Syntax) -> Scope {
        let system = exported.system;
        let mut taken = Identifiers::reserving(syntax.reserved.split_whitespace());
        let time = taken.take("t");
        let mut take = |names: Vec<String>| -> Vec<String> {
            names.iter().map(|name| taken.take(name)).collect()
        };
        let coordinate_names = |primes: usize| {
            system.coordinates.iter().map(|c| primed(&c.name, primes)).collect::<Vec<_>>()
        };
        let parameters =
            take(exported.model.parameters.iter().map(|p| p.entry.name.clone()).collect());
        let coordinates = take(coordinate_names(0));
        let states = take(system.states.iter().map(|state| state.name.clone()).collect());
        let [velocities, accelerations] = [1, 2].map(|primes| take(coordinate_names(primes)));
        let multipliers =
            take(system.constraints.iter().map(|c| format!("lambda_{}", c.name)).collect());
        let names = [
            vec![time.clone()],
            coordinates,
            velocities,
            states,
            accelerations,
            multipliers,
            parameters,
        ];
        let arguments = [
            time,
            taken.take_first(&["q", "positions"]),
            taken.take_first(&["v", "velocities"]),
            taken.take_first(&["z", "states"]),
            taken.take_first(&["a", "accelerations"]),
            taken.take_first(&["lambda", "lam", "multipliers"]),
            taken.take_first(&["p", "parameters"]),
        ];
        let result = |kind: &crate::routine::RoutineKind| {
            // no two results meet in one function
            taken.clone().take_first(&[kind.result, &format!("{}_out", kind.result)])
        };
        let results: Vec<String> = KINDS.iter().map(result).collect();
        for name in &results {
            taken.take(name);
        }
        Scope { names, arguments, results, taken }
    }

    /// The argument that brings a group.
    pub(crate) fn argument(&self, group: Group) -> &str {
        &self.arguments[group as usize]
    }

    /// The result of a function.
    pub(crate) fn result(&self, routine: &Routine) -> &str {
        let at = KINDS.iter().position(|kind| kind.name == routine.kind.name);
        at.map_or("", |at| &self.results[at])
    }
}
