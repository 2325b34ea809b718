//! Several states side by side: the vector instructions of this machine, and memory that suits them.

mod aligned;
mod instruction_set;
mod processor;

pub use aligned::Aligned;
pub use instruction_set::InstructionSet;
pub use processor::processor;
