//! Native code for one state, or for several side by side, on x86-64 with fused multiply-adds.
//!
//! A program is a straight line, so that no compiler is needed: operations are scheduled, registers
//! are given out in one pass, and instructions are written as bytes.

mod allocate;
mod assembler;
mod inline_sine;
mod library;

use crate::list_schedule::list_schedule;
use crate::program::{Operation, Program};
use crate::schedule;
use allocate::{MachineCode, Sines};
use catena_linear::Aligned;
use memmap2::{Mmap, MmapOptions};
use std::cell::RefCell;
use std::sync::OnceLock;

pub(crate) use assembler::Width;

/// A compiled program. Shared between threads; each brings its own scratch memory.
#[derive(Debug)]
pub(crate) struct Native {
    code: Code,
    /// The same with sines and cosines of any angle, where those of `code` have a limited reach: compiled when an angle was
    /// beyond it, and run from then on, because others will follow.
    far: Option<Far>,
}

/// Code that is rarely needed, and what it is made from.
#[derive(Debug)]
struct Far {
    program: Program,
    width: Width,
    code: OnceLock<Code>,
}

thread_local! {
    /// Scratch memory of code for far angles.
    static FAR_SCRATCH: RefCell<Aligned> = RefCell::new(Aligned::zeros(0));
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
        let turned =
            |operation: &Operation| matches!(operation, Operation::Sine(_) | Operation::Cosine(_));
        // one state alone has its angles side by side in a call
        let inline = width != Width::One && program.operations.iter().any(turned);
        let (stages, sines) = match inline {
            true => (list_schedule(program), Sines::Inline),
            false => (schedule::schedule(program), Sines::Called),
        };
        let code = Code::new(allocate::translate(program, &stages, width, sines))?;
        let far = inline.then(|| Far { program: program.clone(), width, code: OnceLock::new() });
        Some(Native { code, far })
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
            let stages = schedule::schedule(&self.program);
            let code = allocate::translate(&self.program, &stages, self.width, Sines::Called);
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
