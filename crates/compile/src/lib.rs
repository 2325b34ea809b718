//! Expressions become programs: straight lines of operations, with readers that run them.

// random programs are made by a file that is shared with an example
#[cfg(test)]
extern crate self as catena_compile;

mod builder;
mod code;
mod device;
mod evaluator;
mod functions;
mod fuse;
mod guard;
mod hoist;
mod interpreter;
mod interval_reader;
mod kernel;
mod lane_kernel;
#[cfg(target_arch = "x86_64")]
mod list_schedule;
mod lower;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod native;
mod program;
mod prune;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32"))]
mod schedule;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod side_by_side;
mod sine_cosine;
mod solved_rate;
mod step_program;
mod taylor;
#[cfg(any(target_arch = "wasm32", all(test, target_arch = "x86_64")))]
mod web;
mod whole_step;

pub use catena_linear::{Aligned, InstructionSet};
pub use code::Code;
pub use device::{device_number, device_prelude};
pub use evaluator::{Drift, Energies, Evaluator, MotionFunctions, Pose, Values};
pub use functions::{Functions, Sizes};
pub use interval_reader::{Cubic, IntervalReader};
pub use kernel::Kernel;
pub use lane_kernel::LaneKernel;
pub use program::{Operation, Program, ValueGroup};
pub use sine_cosine::{sine_and_cosine, sines_and_cosines};
pub use step_program::StageSums;
pub use whole_step::{StepKernels, WholeStep};
