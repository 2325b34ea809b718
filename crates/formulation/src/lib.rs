//! How constraints enter the equations of motion: each formulation a file and a catalogue row.

mod breakdown;
mod minimal;
mod multipliers;

pub use breakdown::Breakdown;

use catena_compile::Evaluator;
use catena_model::{CoordinateSet, Model};

/// The equations of motion as a first-order system of its own state y.
pub trait Formulation {
    /// The length of y.
    fn state_len(&self) -> usize;

    /// y from coordinates, velocities and first-order states.
    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]);

    /// Coordinates, velocities and first-order states from y.
    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]);

    /// ẏ; keeps the accelerations and multipliers it found.
    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown>;

    /// ∂ẏ/∂y, row by row, from the graph.
    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<(), Breakdown>;

    /// Accelerations of the last [`Formulation::derivative`].
    fn accelerations(&self) -> &[f64];

    /// Multipliers of the last [`Formulation::derivative`].
    fn multipliers(&self) -> &[f64];

    /// The functions of the system, whose state anybody may change.
    fn evaluator(&mut self) -> &mut Evaluator;

    /// The functions with the accelerations and multipliers found last written down in them.
    fn with_reactions(&mut self) -> &mut Evaluator;
}

/// What a formulation is built from.
pub struct Subject {
    /// The compiled functions with the parameters of this run.
    pub evaluator: Evaluator,
    /// Names of the coordinates, for messages.
    pub coordinates: Vec<String>,
    /// Names of the constraints, for messages.
    pub constraints: Vec<String>,
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
    /// Why it cannot take a model, if so.
    pub refuses: fn(&Model) -> Option<String>,
    /// Makes one for a run.
    pub build: fn(Subject) -> Box<dyn Formulation>,
}

/// Every formulation.
pub static FORMULATIONS: &[&Entry] = &[&minimal::ENTRY, &multipliers::ENTRY];

/// The formulation of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    FORMULATIONS.iter().copied().find(|entry| entry.name == name)
}

/// The formulation that a model gets when nothing is said.
pub fn default_for(model: &Model) -> &'static Entry {
    if model.joint.constraints.is_empty() { &minimal::ENTRY } else { &multipliers::ENTRY }
}

/// y = (q, v, z), the state of formulations that add nothing to it.
mod plain_state {
    use catena_compile::Sizes;

    pub(crate) fn len(sizes: Sizes) -> usize {
        2 * sizes.coordinates + sizes.states
    }

    pub(crate) fn pack(q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        let n = q.len();
        y[..n].copy_from_slice(q);
        y[n..2 * n].copy_from_slice(v);
        y[2 * n..2 * n + states.len()].copy_from_slice(states);
    }

    /// The rows of ∂ẏ/∂y that need no solution: q̇ = v and ż.
    pub(crate) fn fill_jacobian(n: usize, size: usize, states: &[f64], jacobian: &mut [f64]) {
        jacobian[..n * size].fill(0.0);
        for row in 0..n {
            jacobian[row * size + n + row] = 1.0;
        }
        jacobian[2 * n * size..][..states.len()].copy_from_slice(states);
    }

    pub(crate) fn unpack(y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        let (n, k) = (q.len(), states.len());
        q.copy_from_slice(&y[..n]);
        v.copy_from_slice(&y[n..2 * n]);
        states.copy_from_slice(&y[2 * n..2 * n + k]);
    }
}

/// The first name whose value is not finite.
fn not_finite(values: &[f64], names: &[String], what: &str) -> Option<Breakdown> {
    let at = values.iter().position(|value| !value.is_finite())?;
    let name = names.get(at).map_or("", String::as_str);
    Some(Breakdown::NotFinite { quantity: format!("{what} {name}").trim_end().to_owned() })
}
