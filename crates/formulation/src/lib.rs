//! How constraints enter the equations of motion: each formulation a file and a catalogue row.

mod first_order;
mod methods;
mod options;
mod solvers;
mod state;
mod tree;

pub use catena_integrator::{Breakdown, Tangent};
pub use first_order::FirstOrder;
pub use options::{OptionEntry, OptionValues};
pub use solvers::rhs_program::RhsProgram;
pub use solvers::unrolled::pivot_is_sound;

use catena_compile::{Evaluator, Functions};
use catena_derivation::Equations;
use catena_model::{CoordinateSet, Model};
use std::collections::HashMap;
use std::sync::Arc;

/// The equations of motion as a first-order system of its own state y.
pub trait Formulation: Send + Sync {
    /// Ready for another motion with these parameters, in the order of the model: exactly as if it had just been
    /// built for them.
    fn begin(&mut self, parameters: &[f64]);

    /// The same for another thread: compiled functions are shared, everything else is copied.
    fn boxed_clone(&self) -> Box<dyn Formulation>;

    /// The length of y.
    fn state_len(&self) -> usize;

    /// Names of the coordinates that y begins with, their rates behind them, where these are not the
    /// coordinates of the model.
    fn own_coordinates(&self) -> Option<&[String]> {
        None
    }

    /// y from coordinates, velocities and first-order states.
    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]);

    /// Coordinates, velocities and first-order states from y.
    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]);

    /// ẏ; keeps the accelerations and multipliers it found.
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown>;

    /// ∂ẏ/∂y, row by row, from the graph.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown>;

    /// Corrects a state, at the end of a step or between; returns whether it changed.
    fn after_step(&mut self, _t: f64, _y: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }

    /// Accelerations of the last [`Formulation::derivative`].
    fn accelerations(&self) -> &[f64];

    /// Multipliers of the last [`Formulation::derivative`].
    fn multipliers(&self) -> &[f64];

    /// What was unusual so far, in words.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The functions of the system, whose state anybody may change.
    fn evaluator(&mut self) -> &mut Evaluator;
}

impl Clone for Box<dyn Formulation> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// What a formulation is built from.
#[derive(Clone)]
pub struct FormulationInput {
    /// The functions with the parameters of this run.
    pub evaluator: Evaluator,
    /// Names of the coordinates, for messages.
    pub coordinates: Vec<String>,
    /// Names of the constraints, for messages.
    pub constraints: Vec<String>,
    /// Names of the first-order states, for messages.
    pub states: Vec<String>,
    /// What the user says about the formulation's options.
    pub options: OptionValues,
    /// Where all of it comes from. The parameters of a motion are those of the evaluator.
    pub model: Arc<Model>,
    /// The places of parameters by their names.
    places: Arc<HashMap<String, usize>>,
}

impl FormulationInput {
    /// Derives the equations of a model in the coordinates of a formulation.
    pub fn new(entry: &Entry, model: &Model, options: OptionValues) -> FormulationInput {
        let system = model.system(entry.coordinates);
        let parameters: Vec<f64> = model.parameter_values();
        let equations = match entry.needs_mass_matrix {
            true => Equations::derive(model, system),
            false => Equations::derive_without_mass_matrix(model, system),
        };
        let functions = Arc::new(Functions::new(equations));
        let names = model.parameters.iter().map(|parameter| parameter.entry.name.clone());
        FormulationInput {
            evaluator: Evaluator::new(functions, &parameters),
            coordinates: system.coordinates.iter().map(|c| c.name.clone()).collect(),
            constraints: system.constraints.iter().map(|c| c.name.clone()).collect(),
            states: system.states.iter().map(|state| state.name.clone()).collect(),
            options,
            model: Arc::new(model.clone()),
            places: Arc::new(names.zip(0..).collect()),
        }
    }

    /// The value of a parameter in this motion.
    fn parameter(&self, name: &str) -> Option<f64> {
        self.places.get(name).map(|&place| self.evaluator.parameters()[place])
    }

    /// The same motion by another formulation, whose options have their defaults.
    fn rebuilt(&self, entry: &Entry) -> Box<dyn Formulation> {
        let mut other =
            (entry.build)(FormulationInput::new(entry, &self.model, OptionValues::default()));
        other.begin(self.evaluator.parameters());
        other
    }

    /// The value of an option that has a default.
    fn option(&self, entry: &OptionEntry) -> f64 {
        self.options.get(entry).unwrap_or(f64::NAN)
    }

    /// Names the first acceleration or rate that is infinite or undefined.
    fn check_finite(&self, accelerations: &[f64], state_rates: &[f64]) -> Result<(), Breakdown> {
        let broken = not_finite(accelerations, &self.coordinates, "the acceleration of")
            .or_else(|| not_finite(state_rates, &self.states, "the rate of"));
        broken.map_or(Ok(()), Err)
    }
}

/// A row of the catalogue.
pub struct Entry {
    /// The name that commands take.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// The coordinates of a chain it works in.
    pub coordinates: CoordinateSet,
    /// Whether it solves with M; deriving it for nothing would cost n² for a chain of n links.
    pub needs_mass_matrix: bool,
    /// Numbers it reads besides the model.
    pub options: &'static [OptionEntry],
    /// Tangents it has for Newton's method.
    pub tangents: &'static [Tangent],
    /// Why it cannot take a model, if so.
    pub refuses: fn(&Model) -> Option<String>,
    /// The rate of its state without loops and branches, for many states at once; none where the system is too
    /// large, or its state has to be corrected after each step.
    pub rhs_program: fn(&FormulationInput) -> Option<RhsProgram>,
    /// Makes one for a run.
    pub build: fn(FormulationInput) -> Box<dyn Formulation>,
}

/// Every formulation. The command line, the book's table and the conformance tests read this list.
pub static FORMULATIONS: &[&Entry] = &[
    &methods::minimal::ENTRY,
    &methods::recursive::ENTRY,
    &methods::multipliers::ENTRY,
    &methods::baumgarte::ENTRY,
    &methods::projection::ENTRY,
    &methods::ggl::ENTRY,
    &methods::coordinate_partitioning::ENTRY,
    &methods::null_space::ENTRY,
    &methods::augmented_lagrangian::ENTRY,
    &methods::penalty::ENTRY,
    &methods::penalty_damped::ENTRY,
];

/// The formulation of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    FORMULATIONS.iter().copied().find(|entry| entry.name == name)
}

/// The formulation that a model gets when nothing is said.
pub fn default_for(model: &Model) -> &'static Entry {
    if model.own.constraints.is_empty() {
        &methods::minimal::ENTRY
    } else {
        &methods::multipliers::ENTRY
    }
}

/// The reason of formulations that are about constraints.
fn needs_constraints(model: &Model) -> Option<String> {
    let system = model.system(CoordinateSet::Absolute);
    system.constraints.is_empty().then(|| "the model has no constraints".to_owned())
}

/// The first name whose value is not finite.
fn not_finite(values: &[f64], names: &[String], what: &str) -> Option<Breakdown> {
    let at = values.iter().position(|value| !value.is_finite())?;
    Some(Breakdown::NotFinite { quantity: format!("{what} `{}`", names[at]) })
}
