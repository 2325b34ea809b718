//! x86-64: AVX2 with fused multiply-adds for one number or four, AVX-512 for eight.

mod assembler;
mod inline_sine;
mod processor;

pub(super) use assembler::Assembler;
pub(crate) use assembler::Width;
pub(super) use inline_sine::with_inline_sines;
