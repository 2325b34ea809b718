//! The driver: the start of a motion is assembled, steps are taken, events found, rows recorded, and
//! the result says how good it is. Trouble is told in words.

mod approach;
mod assembly;
mod balance;
mod certificate;
mod columns;
mod diagnosis;
mod equilibrium;
mod estimate;
mod events;
mod freedom;
mod gaps;
mod linear;
mod motion;
mod newton_path;
mod pose_words;
mod poses;
mod recorder;
mod run;
mod shared_forces;
mod singular_pose;
mod start;
mod structural;
mod table;

pub use approach::Approach;
pub use assembly::{Assembly, AssemblyError, Level, assemble};
pub use certificate::{Certificate, StopReason};
pub use columns::column_expressions;
pub use diagnosis::{Diagnosis, Finding, FindingKind, diagnose};
pub use equilibrium::{Equilibrium, EquilibriumError, equilibrium};
pub use estimate::Estimate;
pub use freedom::{Freedom, RaisedFreedom};
pub use gaps::Gap;
pub use run::{Run, RunError, RunOptions, Surroundings, run};
pub use shared_forces::SharedForces;
pub use start::Start;
pub use table::{Column, Table, Values, with_time};
