//! x86-64: AVX2 with fused multiply-adds for one number or four, AVX-512 for eight.

mod assembler;

pub(crate) use assembler::Width;
pub(super) use assembler::{AddressRegister, Assembler, Instruction, Operand};
