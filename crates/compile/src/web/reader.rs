//! The reader of programs in WebAssembly.
//!
//! To compile a module takes a fraction of a millisecond, and more than the interpreter needs for a few evaluations: a
//! program is interpreted until it has been evaluated often enough. Where the host declines, the interpreter stays.

use super::translate;
use crate::interpreter::Interpreter;
use crate::program::Program;
use crate::schedule::schedule;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Operations that are interpreted before a program is compiled: to interpret so many takes some 0.4 ms, as long as to
/// compile a module.
const INTERPRETED_OPERATIONS: usize = 100_000;
/// Operations of the longest program that is compiled.
const MAX_COMPILED_OPERATIONS: usize = 200_000;

// What the host does for us.
#[link(wasm_import_module = "catena")]
unsafe extern "C" {
    /// Compiles a module and puts its function into the table, at the index it answers; −1 if it does not.
    safe fn instantiate(bytes: *const u8, len: usize) -> i32;
    /// Takes a function out of the table.
    safe fn release(index: i32);
}

/// A program that is compiled when it turns out to be worth it.
#[derive(Debug)]
pub(crate) struct Web {
    program: Program,
    interpreter: Interpreter<1>,
    /// Operations interpreted so far.
    interpreted: AtomicUsize,
    compiled: OnceLock<Option<Function>>,
}

/// A function of a module, in the table of functions as long as it is needed.
#[derive(Debug)]
struct Function {
    index: i32,
}

type EntryPoint = unsafe extern "C" fn(*const f64, *mut f64, *mut f64);

impl Web {
    /// Takes a fused program.
    pub(crate) fn new(program: Program) -> Web {
        let interpreter = Interpreter::new(&program);
        Web { program, interpreter, interpreted: AtomicUsize::new(0), compiled: OnceLock::new() }
    }

    /// How many numbers of scratch memory a run needs, with either reader.
    pub(crate) fn scratch_len(&self) -> usize {
        self.interpreter.scratch_len().max(translate::max_scratch_len(&self.program))
    }

    /// Computes the outputs.
    ///
    /// # Safety
    /// The slices have at least the lengths that the program states.
    pub(crate) unsafe fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        match self.compiled.get() {
            // SAFETY: as for this function
            Some(Some(function)) => unsafe { function.run(inputs, outputs, scratch) },
            Some(None) => self.interpreter.run(inputs, outputs, scratch),
            None => {
                self.interpreter.run(inputs, outputs, scratch);
                let operations = self.program.operations.len().max(1);
                let before = self.interpreted.fetch_add(operations, Ordering::Relaxed);
                if before + operations >= INTERPRETED_OPERATIONS {
                    self.compiled.get_or_init(|| Function::compile(&self.program));
                }
            }
        }
    }
}

impl Function {
    fn compile(program: &Program) -> Option<Function> {
        if program.operations.len() > MAX_COMPILED_OPERATIONS {
            return None;
        }
        let module = translate::translate(program, &schedule(program));
        debug_assert!(module.scratch_len <= translate::max_scratch_len(program));
        let index = instantiate(module.bytes.as_ptr(), module.bytes.len());
        (index >= 0).then(|| Function { index })
    }

    /// # Safety
    /// The slices have at least the lengths that the program states.
    unsafe fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        // SAFETY: addresses of functions are places in the table, where the host has put one of this type
        let entry = unsafe { std::mem::transmute::<usize, EntryPoint>(self.index as usize) };
        // SAFETY: the code reads and writes only inside the lengths the caller vouches for
        unsafe { entry(inputs.as_ptr(), outputs.as_mut_ptr(), scratch.as_mut_ptr()) };
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        release(self.index);
    }
}
