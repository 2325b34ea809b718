//! What a formulation is built from.

use crate::solvers::structural_rank::StructuralRank;
use crate::{Breakdown, Entry, Formulation, OptionEntry, OptionValues};
use catena_compile::{Evaluator, Functions};
use catena_derivation::{Equations, rotations};
use catena_model::Model;
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The equations of a model in the coordinates of a formulation, with the parameters of a motion.
#[derive(Clone)]
pub struct FormulationInput {
    /// The functions with the parameters of this motion.
    pub evaluator: Evaluator,
    /// Names of the coordinates, for messages.
    pub coordinates: Vec<String>,
    /// For each coordinate whether it is an angle of rotation.
    pub rotations: Arc<[bool]>,
    /// Names of the constraints, for messages.
    pub constraints: Vec<String>,
    /// Names of the first-order states, for messages.
    pub states: Vec<String>,
    /// Options of the formulation that the user has set.
    pub options: OptionValues,
    /// Where all of it comes from. The parameters of a motion are those of the evaluator.
    pub model: Arc<Model>,
    /// The places of parameters by their names.
    places: Arc<HashMap<String, usize>>,
    /// What M and Φq have in common at all states of this motion, once somebody had a reason to ask.
    rank: Option<Arc<StructuralRank>>,
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
        let rotations = rotations(&equations, model, system).into();
        let functions = Arc::new(Functions::new(equations));
        let names = model.parameters.iter().map(|parameter| parameter.entry.name.clone());
        FormulationInput {
            evaluator: Evaluator::new(functions, &parameters),
            coordinates: system.coordinates.iter().map(|c| c.name.clone()).collect(),
            rotations,
            constraints: system.constraints.iter().map(|c| c.name.clone()).collect(),
            states: system.states.iter().map(|state| state.name.clone()).collect(),
            options,
            model: Arc::new(model.clone()),
            places: Arc::new(names.zip(0..).collect()),
            rank: None,
        }
    }

    /// The most that counts of the magnitude of each coordinate where a tolerance is relative.
    pub fn magnitude_bounds(&self) -> Vec<f64> {
        magnitude_bounds(&self.rotations)
    }

    /// Other parameters: another motion.
    pub(crate) fn begin(&mut self, parameters: &[f64]) {
        self.evaluator.set_parameters(parameters);
        self.rank = None;
    }

    /// What was found out about the rank of M and Φq; nothing is singular until somebody asks.
    pub(crate) fn known_rank(&self) -> Option<&Arc<StructuralRank>> {
        self.rank.as_ref()
    }

    /// Finds it out anew, around the state written down.
    pub(crate) fn reconsider_rank(&mut self) {
        self.rank = None;
        self.structural_rank();
    }

    /// The rank of M and Φq in this motion, found out where it is first asked for, around the state written down.
    pub(crate) fn structural_rank(&mut self) -> Arc<StructuralRank> {
        let Self { rank, evaluator, .. } = self;
        rank.get_or_insert_with(|| Arc::new(StructuralRank::around(evaluator))).clone()
    }

    /// The place of a parameter in the order of the model.
    pub(crate) fn parameter_place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The value of a parameter in this motion.
    pub(crate) fn parameter(&self, name: &str) -> Option<f64> {
        self.parameter_place(name).map(|place| self.evaluator.parameters()[place])
    }

    /// The same motion by another formulation, whose options have their defaults.
    pub(crate) fn rebuilt(&self, entry: &Entry) -> Box<dyn Formulation> {
        let options = OptionValues::default();
        let mut other = (entry.build)(FormulationInput::new(entry, &self.model, options));
        other.begin(self.evaluator.parameters());
        other
    }

    /// The value of an option that has a default.
    pub(crate) fn option(&self, entry: &OptionEntry) -> f64 {
        self.options.get(entry).unwrap_or(f64::NAN)
    }

    /// Names the first acceleration or rate that is infinite or undefined.
    pub(crate) fn check_finite(
        &self,
        accelerations: &[f64],
        state_rates: &[f64],
    ) -> Result<(), Breakdown> {
        let broken = not_finite(accelerations, &self.coordinates, "the acceleration of")
            .or_else(|| not_finite(state_rates, &self.states, "the rate of"));
        broken.map_or(Ok(()), Err)
    }
}

/// A full turn, rad, for angles of rotation: after a thousand turns an error of a degree is still one of a degree.
pub(crate) fn magnitude_bounds(rotations: &[bool]) -> Vec<f64> {
    rotations.iter().map(|&turns| if turns { TAU } else { f64::INFINITY }).collect()
}

/// The first name whose value is not finite.
pub(crate) fn not_finite(values: &[f64], names: &[String], what: &str) -> Option<Breakdown> {
    let at = values.iter().position(|value| !value.is_finite())?;
    Some(Breakdown::NotFinite { quantity: format!("{what} `{}`", names[at]) })
}
