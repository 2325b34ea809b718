//! The model as read: everything named, parsed and checked, nothing derived yet.

use crate::{
    Chain, Dimension, DrawingStyle, LazySystem, Mechanism, Names, Place, Problem, RunSettings,
    Source,
};
use catena_symbolic::Formula;
use std::sync::Arc;

/// A formula with the name it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFormula {
    /// Its name; in [`System::initial`] and [`System::guess`] without primes.
    pub name: String,
    /// Primes behind the name.
    pub primes: usize,
    /// The formula as the user wrote it, parsed.
    pub formula: Formula,
    /// Where the name stands; places inside the formula are in the same source.
    pub place: Place,
}

/// A number of the model that can be changed without deriving again.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name and formula of earlier parameters.
    pub entry: NamedFormula,
    /// The value of the formula, or the one it was given since.
    pub value: f64,
}

/// A coordinate of a system; its velocity has the same name with a prime.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Unique in the system; a prime behind it is the velocity.
    pub name: String,
    /// What it measures, for people.
    pub text: String,
    /// Whether it is an angle, if the user says so.
    pub angle: Option<bool>,
    /// Where it was named.
    pub place: Place,
}

/// Something to be noticed when it happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name and the formula whose zero it is.
    pub entry: NamedFormula,
    /// Sign of the crossing: 1 upwards, −1 downwards, 0 both.
    pub direction: i8,
    /// Whether the run ends there.
    pub terminal: bool,
}

/// Something to draw, as `[draw]` says it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Its key under `[draw]`.
    pub name: String,
    /// Its points in the world, x and y.
    pub points: Vec<[Formula; 2]>,
    /// What they stand for.
    pub style: DrawingStyle,
    /// Of discs, m.
    pub radius: Option<Formula>,
    /// Where it was named.
    pub place: Place,
}

/// Which coordinates describe a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoordinateSet {
    /// As the model is written: the angles of a chain's links; position and angle of every body of a
    /// mechanism; whatever the user chose for everything else.
    #[default]
    Own,
    /// What the joints of a chain or mechanism leave free.
    Joint,
    /// Position and angle of every body, tied together by constraints.
    Absolute,
}

/// Everything that a model states in one set of coordinates.
#[derive(Clone, Debug)]
pub struct System {
    /// In the order of q.
    pub coordinates: Vec<Coordinate>,
    /// Each may use the ones before it.
    pub definitions: Vec<NamedFormula>,
    /// For each definition the highest order of its time derivative that a column can show, up to 2.
    pub definition_rates: Vec<usize>,
    /// T, absent if there are only states.
    pub kinetic: Option<NamedFormula>,
    /// V
    pub potential: Option<NamedFormula>,
    /// Rayleigh's function.
    pub dissipation: Option<NamedFormula>,
    /// Generalised forces, named by their coordinate.
    pub forces: Vec<NamedFormula>,
    /// First-order states with their rates.
    pub states: Vec<NamedFormula>,
    /// Each stays 0.
    pub constraints: Vec<NamedFormula>,
    /// Values that are kept at the start.
    pub initial: Vec<NamedFormula>,
    /// Where the assembly begins for the others.
    pub guess: Vec<NamedFormula>,
    /// What is noticed.
    pub events: Vec<Event>,
    /// Columns of a run in addition to positions, velocities, states, multipliers and energies.
    pub outputs: Vec<NamedFormula>,
    /// Columns that are computed only where they are asked for: resultants of forces, powers of what drives and brakes.
    pub quantities: Vec<NamedFormula>,
    /// What a chain or a mechanism measures its names in; of other models nothing is known beforehand.
    pub dimensions: Vec<(String, Dimension)>,
    /// What the file draws; [`Model::sketch`] has everything.
    pub drawings: Vec<Drawing>,
    /// What every name stands for.
    pub names: Names,
}

/// A model: what the file says, with the settings applied. Clones share their descriptions until one is changed.
#[derive(Clone, Debug)]
pub struct Model {
    /// One line for headings, empty if the file has none.
    pub title: String,
    /// What the model is about, empty if the file has none.
    pub description: String,
    /// In the order of the file.
    pub parameters: Vec<Parameter>,
    /// The description in the coordinates it is written in; for a chain, the angles; for a mechanism, x, y
    /// and angle of every body.
    pub own: Arc<System>,
    /// The description in absolute coordinates where `own` is another: a chain's.
    pub absolute: Option<LazySystem>,
    /// The description in joint coordinates where `own` is another: a mechanism's, for derivations. One whose
    /// joints leave nothing free has none.
    pub joint: Option<Arc<System>>,
    /// The chain, if the model is one.
    pub chain: Option<Chain>,
    /// The bodies and joints, if the model is made of them.
    pub mechanism: Option<Mechanism>,
    /// Suggestions for a run.
    pub run: RunSettings,
    /// What is doubtful but not wrong.
    pub warnings: Vec<Problem>,
    /// The file, then the settings.
    pub sources: Vec<Source>,
}

impl Model {
    /// The description in a set of coordinates; where the model has one description only, that one.
    pub fn system(&self, set: CoordinateSet) -> &System {
        let other = match set {
            CoordinateSet::Own => None,
            CoordinateSet::Joint => self.joint.as_deref(),
            CoordinateSet::Absolute => self.absolute.as_deref(),
        };
        other.unwrap_or(&self.own)
    }

    /// [`Model::system`], to be changed.
    pub fn system_mut(&mut self, set: CoordinateSet) -> &mut System {
        let other = match set {
            CoordinateSet::Own => None,
            CoordinateSet::Joint => self.joint.as_mut().map(Arc::make_mut),
            CoordinateSet::Absolute => self.absolute.as_mut().map(LazySystem::make_mut),
        };
        other.unwrap_or_else(|| Arc::make_mut(&mut self.own))
    }

    /// Whether [`Model::system`] is known to be of this set: only chains and mechanisms tell joint from absolute
    /// coordinates.
    pub fn distinguishes(&self, set: CoordinateSet) -> bool {
        match set {
            CoordinateSet::Own => true,
            CoordinateSet::Joint => self.chain.is_some() || self.joint.is_some(),
            CoordinateSet::Absolute => self.chain.is_some() || self.mechanism.is_some(),
        }
    }

    /// A number that is equal for equal files and settings (FNV-1a, Fowler, Noll and Vo 1991).
    pub fn hash(&self) -> u64 {
        let bytes = self.sources.iter().flat_map(|source| source.text.bytes().chain([0]));
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// The values of all parameters, in their order.
    pub fn parameter_values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// Gives parameters new values; those that are formulas of others follow, plain numbers stay what they are.
    pub fn change_parameters(&mut self, chosen: impl Fn(usize) -> Option<f64>) {
        for at in 0..self.parameters.len() {
            let formula = &self.parameters[at].entry.formula;
            let known = |name: &str, _: usize| self.parameter(name).unwrap_or(f64::NAN);
            let follows = || match formula.names().next() {
                Some(_) => formula.evaluate(known),
                None => self.parameters[at].value,
            };
            let value = chosen(at).unwrap_or_else(follows);
            self.parameters[at].value = value;
        }
    }

    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<f64> {
        let parameter = self.parameters.iter().find(|parameter| parameter.entry.name == name);
        parameter.map(|parameter| parameter.value)
    }
}
