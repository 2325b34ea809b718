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
mod lists;
#[cfg(not(all(target_os = "macos", target_arch = "aarch64")))]
mod memory;
mod processor;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::program::Program;
use crate::schedule;
use allocate::MachineCode;
use catena_linear::Aligned;
use std::cell::RefCell;
use std::sync::OnceLock;

#[cfg(target_arch = "aarch64")]
use aarch64 as machine;
#[cfg(all(target_os = "macos", target_arch = "aarch64"))]
use apple_memory::ExecutableMemory;
#[cfg(not(all(target_os = "macos", target_arch = "aarch64")))]
use memory::ExecutableMemory;
#[cfg(target_arch = "x86_64")]
use x86_64 as machine;

pub(crate) use machine::Width;

/// Longer programs are not translated for several registers of states at a time: their code would outgrow the cache of
/// instructions.
const MAX_OPERATIONS_SIDE_BY_SIDE: usize = 600;

/// A compiled program. Shared between threads; each brings its own scratch memory.
#[derive(Debug)]
pub(crate) struct Native {
    code: Code,
    /// The same with sines and cosines of any angle, where those of `code` have a limited reach: compiled when an angle was
    /// beyond it, and run from then on, because others will follow.
    far: Option<Far>,
    /// How often the code runs, each time for the next states.
    passes: usize,
    /// How many states a register holds.
    states: usize,
}

/// Code that is rarely needed, and what it is made from.
#[derive(Debug)]
struct Far {
    program: Program,
    width: Width,
    stride: usize,
    code: OnceLock<Code>,
}

thread_local! {
    /// Scratch memory of code for far angles.
    static FAR_SCRATCH: RefCell<Aligned> = RefCell::new(Aligned::zeros(0));
}

/// Machine code with its constants.
#[derive(Debug)]
struct Code {
    code: ExecutableMemory,
    constants: Aligned,
    scratch_len: usize,
}

#[cfg(target_arch = "x86_64")]
type EntryPoint = unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64, *const f64) -> u32;
#[cfg(target_arch = "aarch64")]
type EntryPoint = unsafe extern "C" fn(*const f64, *mut f64, *mut f64, *const f64) -> u32;

fn with_called_sines(program: &Program, width: Width, stride: usize) -> MachineCode {
    allocate::translate::<machine::Assembler>(program, &schedule::schedule(program), width, stride)
}

impl Native {
    /// Compiles a fused program for so many states; `None` if this machine cannot run the code.
    pub(crate) fn compile(program: &Program, width: Width, lanes: usize) -> Option<Native> {
        if !width.is_available() {
            return None;
        }
        let registers = lanes / width.lanes();
        if registers > 1 && program.operations.len() <= MAX_OPERATIONS_SIDE_BY_SIDE {
            return Native::compile_passes(&program.side_by_side(registers), width, 1);
        }
        Native::compile_passes(program, width, registers)
    }

    fn compile_passes(program: &Program, width: Width, passes: usize) -> Option<Native> {
        let stride = passes * width.lanes();
        let (code, far) = match machine::with_inline_sines(program, width, stride) {
            Some(code) => {
                let (program, far) = (program.clone(), OnceLock::new());
                (code, Some(Far { program, width, stride, code: far }))
            }
            None => (with_called_sines(program, width, stride), None),
        };
        Some(Native { code: Code::new(code)?, far, passes, states: width.lanes() })
    }

    /// How many numbers of scratch memory a run needs.
    pub(crate) fn scratch_len(&self) -> usize {
        self.code.scratch_len
    }

    /// Computes the outputs; lengths were checked by the caller.
    ///
    /// # Safety
    /// The slices have at least the lengths that the program states.
    pub(crate) unsafe fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        for pass in 0..self.passes {
            let first = pass * self.states;
            let Some(outputs) = outputs.get_mut(first..) else { return };
            let inputs = inputs.get(first..).unwrap_or_default();
            // SAFETY: as the caller promises, with the states from the first on
            unsafe { self.run_pass(inputs, outputs, scratch) };
        }
    }

    /// # Safety
    /// The slices have at least the lengths that the program states, less what earlier passes are for.
    #[inline]
    unsafe fn run_pass(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        if self.far.as_ref().is_none_or(|far| far.code.get().is_none()) {
            // SAFETY: as the caller promises
            let beyond_reach = unsafe { self.code.run(inputs, outputs, scratch) };
            if beyond_reach == 0 || self.far.is_none() {
                return;
            }
        }
        if let Some(far) = &self.far {
            // SAFETY: as the caller promises
            unsafe { far.run(inputs, outputs) };
        }
    }
}

impl Far {
    /// # Safety
    /// The slices have at least the lengths that the program states.
    #[cold]
    unsafe fn run(&self, inputs: &[f64], outputs: &mut [f64]) {
        let code = self.code.get_or_init(|| {
            let code = with_called_sines(&self.program, self.width, self.stride);
            Code::new(code).expect("there was memory for other code of this program")
        });
        FAR_SCRATCH.with_borrow_mut(|scratch| {
            if scratch.len() < code.scratch_len {
                *scratch = Aligned::zeros(code.scratch_len);
            }
            // SAFETY: as the caller promises
            unsafe { code.run(inputs, outputs, scratch) };
        });
    }
}

impl Code {
    /// `None` if the machine does not let code be written.
    fn new(code: MachineCode) -> Option<Code> {
        Some(Code {
            code: ExecutableMemory::holding(&code.bytes)?,
            constants: Aligned::from(code.constants.as_slice()),
            scratch_len: code.scratch_len,
        })
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
