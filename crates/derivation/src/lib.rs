//! From a model to its equations of motion: derived on the graph, explained as numbered steps,
//! checked against numerical differentiation.

mod angles;
mod check;
mod equations;
mod explain;
mod extent;
mod legend;
mod present;
mod quantities;
mod rotations;
mod scope;
mod shorten;
mod statements;
mod steps;
mod terms;
mod undriven;
mod write;

pub use angles::angles;
pub use check::{Agreement, CheckError, Random, Thoroughness, check};
pub use equations::Equations;
pub use explain::explain;
pub use extent::Extent;
pub use legend::LegendRow;
pub use quantities::Quantities;
pub use rotations::rotations;
pub use scope::expressions;
pub use steps::{Derivation, Statement, Step};
pub use write::{Format, latex_words};
