//! A derivation that can be read: numbered steps, each with a sentence and what it yields.

use crate::{Agreement, LegendRow};
use catena_symbolic::Notation;

/// A line of mathematics, with words before it where they help.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Words that introduce it; empty for none.
    pub text: String,
    /// The mathematics, usually an equation.
    pub notation: Notation,
}

/// One step of the derivation.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Counted from 1.
    pub number: usize,
    /// What it finds.
    pub title: String,
    /// What was done and why, for a reader who has never seen it.
    pub explanation: String,
    /// What it yields.
    pub statements: Vec<Statement>,
}

/// The equations of motion with the way to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// The model's title.
    pub title: String,
    /// The model's description.
    pub description: String,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// What coordinates and first-order states mean, as far as [`crate::Extent`] has them written out.
    pub coordinate_legend: Vec<LegendRow>,
    /// What the parameters mean, with their values.
    pub parameter_legend: Vec<LegendRow>,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// M; as far as [`crate::Extent`] has it written out, like the others below.
    pub mass_matrix: Vec<Vec<Notation>>,
    /// Q
    pub forces: Vec<Notation>,
    /// Names of the constraints.
    pub constraint_names: Vec<String>,
    /// Φ
    pub constraints: Vec<Notation>,
    /// Φq
    pub constraint_jacobian: Vec<Vec<Notation>>,
    /// Φt
    pub constraint_rate: Vec<Notation>,
    /// γ
    pub gamma: Vec<Notation>,
    /// Names and rates of the first-order states.
    pub states: Vec<(String, Notation)>,
    /// How well the independent check agrees; absent if there is nothing to check.
    pub agreement: Option<Agreement>,
}
