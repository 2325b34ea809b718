//! What the user describes: coordinates, energies and constraints, or bodies and joints, or a chain of
//! links; the model files in which it is written, and clear words for what is wrong with them.

mod added_event;
mod builder;
mod chain;
mod context;
mod decimal;
mod dimension;
mod draft;
mod drawing_reader;
mod elsewhere;
mod generated;
mod language;
mod lazy_system;
mod mechanism;
mod names;
mod number;
mod options;
mod problem;
mod read;
pub mod run_settings;
mod same_equations;
mod settings;
mod sketch;
mod source;
mod system;
mod turns;
mod validate;
pub mod wildcard;

pub use builder::{ModelBuilder, Table, Value};
pub use chain::{Chain, Shape};
pub use decimal::{fixed, plain, plain_above, plain_to, power_of_ten, scientific};
pub use dimension::{Dimension, Dimensions};
pub use language::{Section, sections};
pub use lazy_system::LazySystem;
pub use mechanism::{
    Body, Elements, End, Force, FreeAxes, JOINTS, Joint, JointType, Key, Mechanism,
    MechanismProblem, Motor, Placement, Point, Quantity, Spring, Torque, TorsionSpring, TreeNode,
};
pub use names::{Names, Role};
pub use number::{AllowedUnit, NumberError, read_number, split_list};
pub use options::{BadText, Kind, OptionError, OptionRow, OptionValue, Options};
pub use problem::{Problem, ProblemKind, Problems};
pub use run_settings::{RUN_OPTIONS, RunOption, RunSettings};
pub use settings::Setting;
pub use sketch::{
    Anchor, Carrier, DRAWING_STYLES, DrawingStyle, Film, Part, Shape as PartShape, Sketch, Track,
};
pub use source::{Place, Source};
pub use system::{
    Coordinate, CoordinateSet, Drawing, Event, Model, NamedFormula, Parameter, System,
};

/// A model file may have this many bytes.
pub const MAX_FILE_SIZE: usize = 4 << 20;
