//! The driver: the start of a motion is assembled, steps are taken, events found, rows recorded, and
//! a certificate of the result is written. Trouble is explained in words.

mod approach;
mod assembly;
mod auto;
mod certificate;
mod certified;
mod chaos;
mod closure_error;
mod column_names;
mod columns;
mod defect;
mod diagnosis;
mod equilibrium;
mod equilibrium_conditions;
mod estimate;
mod events;
mod failure;
mod figures;
mod freedom;
mod host;
mod linear;
mod mass_columns;
mod mass_sign;
mod method_options;
mod motion;
mod newton_path;
mod other_starts;
mod plan;
mod pose_words;
mod poses;
mod prepared;
mod recorder;
mod remarks;
mod remedy;
mod run;
mod shared_forces;
mod short_features;
mod singular_pose;
mod start;
mod start_values;
mod stiff;
mod structural;
mod structure;
mod table;
mod verdict;

pub use approach::Approach;
pub use assembly::{Assembly, AssemblyError, assemble, assemble_nearby, check_finite};
pub use auto::{
    AUTO, Asked, Automatic, Choice, FORMULATION_RULES, INTEGRATOR_RULES, Rule,
    formulation_of_model, integrator_of_run,
};
pub use catena_formulation::ConstraintLevel;
pub use certificate::{Certificate, StopReason};
pub use certified::Certification;
pub use closure_error::ClosureError;
pub use column_names::expand_columns;
pub use columns::column_expressions;
pub use diagnosis::{Diagnosis, Finding, FindingKind, diagnose};
pub use equilibrium::{Equilibrium, EquilibriumError, equilibrium};
pub use estimate::ErrorEstimate;
pub use failure::RunFailure;
pub use freedom::{Freedom, RankDeficiency};
pub use host::{Host, RowSink};
pub use method_options::MethodOptionError;
pub use plan::{FormulationChoice, MAX_ROWS, RunPlan};
pub use prepared::Prepared;
pub use recorder::row_time;
pub use run::{Run, RunError, RunOptions};
pub use shared_forces::SharedForces;
pub use start::Start;
pub use start_values::StartValue;
pub use structure::Structure;
pub use table::{Column, ColumnValues, Table, with_time};
pub use verdict::{CONSTRAINTS, CRITERIA, Criterion, ENERGY, Grade, Verdict};
