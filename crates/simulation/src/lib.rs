//! The start of a motion: assembling it, and saying in words what is wrong with a model.

mod assembly;
mod diagnosis;
mod start;

pub use assembly::{Assembly, AssemblyError, Level, assemble};
pub use diagnosis::{Diagnosis, Finding, FindingKind, diagnose};
pub use start::Start;
