//! Expressions become programs: straight lines of operations, with readers that run them.

mod dynamics;
mod interpreter;
mod lower;
mod program;

pub use dynamics::{Dynamics, Values, dynamics_program, mass_and_forces_program};
pub use interpreter::Interpreter;
pub use program::{Block, Operation, Program};
