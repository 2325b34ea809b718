//! Native code for one state, or for several side by side, on x86-64 with fused multiply-adds and on aarch64.
//!
//! A program is a straight line, so that no compiler is needed: operations are scheduled, registers
//! are given out in one pass, and instructions are written as bytes. Each processor has a folder for what it
//! does in its own way.

#[cfg(any(target_arch = "aarch64", test))]
mod aarch64;
mod allocate;
#[cfg(all(target_os = "macos", target_arch = "aarch64"))]
mod apple_memory;
mod library;
#[cfg(not(all(target_os = "macos", target_arch = "aarch64")))]
mod memory;
mod processor;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::program::Program;
use crate::schedule;
use catena_linear::Aligned;

#[cfg(target_arch = "aarch64")]
use aarch64 as machine;
#[cfg(all(target_os = "macos", target_arch = "aarch64"))]
use apple_memory::ExecutableMemory;
#[cfg(not(all(target_os = "macos", target_arch = "aarch64")))]
use memory::ExecutableMemory;
#[cfg(target_arch = "x86_64")]
use x86_64 as machine;

pub(crate) use machine::Width;

/// A compiled program. Shared between threads; each brings its own scratch memory.
#[derive(Debug)]
pub(crate) struct Native {
    code: ExecutableMemory,
    constants: Aligned,
    scratch_len: usize,
}

#[cfg(target_arch = "x86_64")]
type EntryPoint = unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64, *const f64);
#[cfg(target_arch = "aarch64")]
type EntryPoint = unsafe extern "C" fn(*const f64, *mut f64, *mut f64, *const f64);

impl Native {
    /// Compiles a fused program; `None` if this machine cannot run the code.
    pub(crate) fn compile(program: &Program, width: Width) -> Option<Native> {
        if !width.is_available() {
            return None;
        }
        let stages = schedule::schedule(program);
        let code = allocate::translate::<machine::Assembler>(program, &stages, width);
        Some(Native {
            code: ExecutableMemory::holding(&code.bytes)?,
            constants: Aligned::from(code.constants.as_slice()),
            scratch_len: code.scratch_len,
        })
    }

    /// How many numbers of scratch memory a run needs.
    pub(crate) fn scratch_len(&self) -> usize {
        self.scratch_len
    }

    /// Computes the outputs; lengths were checked by the caller.
    ///
    /// # Safety
    /// The slices have at least the lengths that the program states.
    pub(crate) unsafe fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        // SAFETY: the memory holds a function of this type, made by `translate`
        let entry = unsafe { std::mem::transmute::<*const u8, EntryPoint>(self.code.as_ptr()) };
        let constants = self.constants.as_ptr();
        // SAFETY: the code reads and writes only inside the lengths the caller vouches for
        unsafe { entry(inputs.as_ptr(), outputs.as_mut_ptr(), scratch.as_mut_ptr(), constants) };
    }
}
