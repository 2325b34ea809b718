//! aarch64: one number in a register, or two (NEON). Both are part of every such processor.
//!
//! In tests it is compiled everywhere, so that each machine checks its words.

mod assembler;
#[cfg(all(test, target_arch = "x86_64"))]
mod emulator;
mod processor;

#[cfg(target_arch = "aarch64")]
use super::allocate::MachineCode;
#[cfg(target_arch = "aarch64")]
use crate::program::Program;

#[cfg(target_arch = "aarch64")]
pub(super) use assembler::Assembler;
#[cfg(target_arch = "aarch64")]
pub(crate) use assembler::Width;

/// Sines and cosines are called here.
#[cfg(target_arch = "aarch64")]
pub(super) fn with_inline_sines(_: &Program, _: Width, _: usize) -> Option<MachineCode> {
    None
}
