//! Native code for one state, or for several side by side, on x86-64 with fused multiply-adds.
//!
//! A program is a straight line, so that no compiler is needed: operations are scheduled, registers
//! are given out in one pass, and instructions are written as bytes.

mod allocate;
mod assembler;
mod inline_sine;
mod library;

use crate::list_schedule::list_schedule;
use crate::program::Program;
use crate::schedule::{self, Stage};
use allocate::{MachineCode, Sines};
use catena_linear::Aligned;
use memmap2::{Mmap, MmapOptions};
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use assembler::Width;

/// A compiled program. Shared between threads; each brings its own scratch memory.
#[derive(Debug)]
pub(crate) struct Native {
    code: Code,
    /// The same with sines and cosines of any angle, where those of `code` have a limited reach.
    far: Option<Code>,
    /// Whether an angle was beyond it; others will follow.
    went_far: AtomicBool,
}

/// Machine code with its constants.
#[derive(Debug)]
struct Code {
    code: Mmap,
    constants: Aligned,
    scratch_len: usize,
}

type EntryPoint = unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64, *const f64) -> u32;

impl Native {
    /// Compiles a fused program; `None` if this machine cannot run the code.
    pub(crate) fn compile(program: &Program, width: Width) -> Option<Native> {
        if !width.is_available() {
            return None;
        }
        let stages = schedule::schedule(program);
        let turned = |stage: &Stage| matches!(stage, Stage::SineCosineBatch(_));
        // one state alone has its angles side by side in a call
        let inline = width != Width::One && stages.iter().any(turned);
        let called = Code::new(allocate::translate(program, &stages, width, Sines::Called))?;
        let (code, far) = if inline {
            let stages = list_schedule(program);
            let code = allocate::translate(program, &stages, width, Sines::Inline);
            (Code::new(code)?, Some(called))
        } else {
            (called, None)
        };
        Some(Native { code, far, went_far: AtomicBool::new(false) })
    }

    /// How many numbers of scratch memory a run needs.
    pub(crate) fn scratch_len(&self) -> usize {
        let far = self.far.as_ref().map_or(0, |far| far.scratch_len);
        self.code.scratch_len.max(far)
    }

    /// Computes the outputs; lengths were checked by the caller.
    ///
    /// # Safety
    /// The slices have at least the lengths that the program states.
    pub(crate) unsafe fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        let Some(far) = &self.far else {
            // SAFETY: as the caller promises
            unsafe { self.code.run(inputs, outputs, scratch) };
            return;
        };
        if !self.went_far.load(Ordering::Relaxed) {
            // SAFETY: as the caller promises
            let beyond_reach = unsafe { self.code.run(inputs, outputs, scratch) };
            if beyond_reach == 0 {
                return;
            }
            self.went_far.store(true, Ordering::Relaxed);
        }
        // SAFETY: as the caller promises
        unsafe { far.run(inputs, outputs, scratch) };
    }
}

impl Code {
    /// `None` if the machine does not let code be written.
    fn new(code: MachineCode) -> Option<Code> {
        let mut memory = MmapOptions::new().len(code.bytes.len()).map_anon().ok()?;
        memory.copy_from_slice(&code.bytes);
        let memory = memory.make_exec().ok()?;
        let constants = Aligned::from(code.constants.as_slice());
        Some(Code { code: memory, constants, scratch_len: code.scratch_len })
    }

    /// The answer of the code.
    ///
    /// # Safety
    /// The slices have at least the lengths that the program states.
    #[inline]
    unsafe fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) -> u32 {
        // SAFETY: the memory holds a function of this type, made by `translate`
        let entry = unsafe { std::mem::transmute::<*const u8, EntryPoint>(self.code.as_ptr()) };
        let constants = self.constants.as_ptr();
        // SAFETY: the code reads and writes only inside the lengths the caller vouches for
        unsafe { entry(inputs.as_ptr(), outputs.as_mut_ptr(), scratch.as_mut_ptr(), constants) }
    }
}
