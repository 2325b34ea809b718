//! The rows of the catalogue of formulations.

use crate::methods::{self, FORMULATIONS};
use crate::{Formulation, FormulationInput, OptionEntry, RhsProgram, Tangent};
use catena_model::{CoordinateSet, Model};

/// Whether the accelerations of a formulation are those of the constrained system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approximation {
    /// They are exactly those.
    None,
    /// Springs take the place of constraints: the error is of the order 1/α, and the frequencies of the springs,
    /// which grow like √α, limit the step.
    StiffSprings,
    /// Springs with masses and dashpots: the error is of the order 1/α, the step is not limited.
    DampedSprings,
}

/// A row of the catalogue.
pub struct Entry {
    /// The name that commands take.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Author, year and place of the publication its equations are taken from.
    pub reference: &'static str,
    /// The coordinates it works in, where a model has several sets.
    pub coordinates: CoordinateSet,
    /// Whether it solves with M; deriving it for nothing would cost n² for a chain of n links.
    pub needs_mass_matrix: bool,
    /// What its motion is worth.
    pub approximation: Approximation,
    /// Numbers it reads in addition to the model.
    pub options: &'static [OptionEntry],
    /// Tangents it has for Newton's method.
    pub tangents: &'static [Tangent],
    /// Why it cannot take a model, if so.
    pub refuses: fn(&Model) -> Option<String>,
    /// Whether states return to the constraints after each step: those of many trajectories side by side do not.
    pub corrects_states: bool,
    /// The right-hand side without loops and branches, for many states at once and for power series; `None` where the
    /// system is too large, or is solved in loops.
    pub rhs_program: fn(&FormulationInput) -> Option<RhsProgram>,
    /// Makes one for a run.
    pub build: fn(FormulationInput) -> Box<dyn Formulation>,
}

impl Entry {
    /// The right-hand side of many trajectories side by side, where they can be moved so.
    pub fn lane_program(&self, input: &FormulationInput) -> Option<RhsProgram> {
        if self.corrects_states { None } else { (self.rhs_program)(input) }
    }

    /// Whether its accelerations are those of the constrained system.
    pub fn is_exact(&self) -> bool {
        self.approximation == Approximation::None
    }
}

/// The formulation of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    FORMULATIONS.iter().copied().find(|entry| entry.name == name)
}

/// The formulation in whose coordinates a structural integrator advances the model.
pub fn structural_base(model: &Model) -> &'static Entry {
    if model.own.constraints.is_empty() {
        &methods::minimal::ENTRY
    } else {
        &methods::multipliers::ENTRY
    }
}

/// The formulations that others are compared with, those to be preferred first: exact, without drift, in joint
/// coordinates where the model has them, because these are smooth however fast a body turns. Every model has
/// constraints or none, so that there is always one.
pub fn references_for(model: &Model) -> Vec<&'static Entry> {
    let ordered: [&'static Entry; 4] = [
        &methods::recursive::ENTRY,
        &methods::minimal::ENTRY,
        &methods::projection::ENTRY,
        &methods::null_space::ENTRY,
    ];
    ordered.into_iter().filter(|entry| (entry.refuses)(model).is_none()).collect()
}

/// The formulation that keeps positions and velocities on rigid constraints, in the coordinates of those that put
/// springs in their place.
pub fn rigid() -> &'static Entry {
    &methods::projection::ENTRY
}

/// The reason of formulations that are about constraints.
pub(crate) fn needs_constraints(model: &Model) -> Option<String> {
    let system = model.system(CoordinateSet::Absolute);
    system.constraints.is_empty().then(|| "the model has no constraints".to_owned())
}
