//! What the user describes: coordinates, energies and constraints, or bodies and joints, or a chain of
//! links; the model files in which it is written, and clear words for what is wrong with them.

mod builder;
mod chain;
mod context;
mod dimension;
mod draft;
mod generated;
mod mechanism;
mod names;
mod options;
mod problem;
mod read;
pub mod run_settings;
mod settings;
mod source;
mod system;
mod validate;
pub mod wildcard;

pub use builder::{ModelBuilder, Table, Value};
pub use chain::{Chain, Shape};
pub use dimension::{Dimension, Dimensions};
pub use mechanism::{
    Body, End, FreeAxes, JOINTS, Joint, JointType, Key, Mechanism, MechanismProblem, Placement,
    Point, Quantity, TreeNode,
};
pub use names::{Names, Role};
pub use options::{Kind, OptionError, OptionRow, OptionValue, Options};
pub use problem::{Problem, ProblemKind, Problems};
pub use run_settings::{RUN_OPTIONS, RunOption, RunSettings};
pub use settings::Setting;
pub use source::{Place, Source};
pub use system::{
    Coordinate, CoordinateSet, Drawing, Event, Model, NamedFormula, Parameter, System,
};

/// A model file may have this many bytes.
pub const MAX_FILE_SIZE: usize = 4 << 20;
