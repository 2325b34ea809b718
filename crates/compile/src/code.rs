//! A program made ready to run, by whichever reader.

use crate::interpreter::Interpreter;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::native::{Native, Width};
use crate::program::Program;
#[cfg(target_arch = "wasm32")]
use crate::web::Web;
use catena_linear::InstructionSet;

const PORTABLE_LANES: usize = InstructionSet::PORTABLE_LANES;

/// A program with its reader: what [`crate::Kernel`] and [`crate::LaneKernel`] have in common. Both sides of
/// `f(inputs) → outputs` are the groups of the program one after the other, each value once for every lane.
#[derive(Debug)]
pub struct Code {
    reader: Reader,
    input_len: usize,
    output_len: usize,
    lanes: usize,
}

#[derive(Debug)]
enum Reader {
    One(Interpreter<1>),
    Several(Interpreter<PORTABLE_LANES>),
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    Native(Native),
    #[cfg(target_arch = "wasm32")]
    Web(Web),
}

impl Code {
    fn new(program: &Program, reader: Reader, lanes: usize) -> Code {
        let outputs: usize = program.outputs.iter().map(|group| group.values.len()).sum();
        Code { reader, input_len: program.input_len() * lanes, output_len: outputs * lanes, lanes }
    }

    /// Machine code of a fused program, for as many registers of states as these lanes fill; `None` on a machine that cannot
    /// run it.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub(crate) fn native(program: &Program, width: Width, lanes: usize) -> Option<Code> {
        let native = Native::compile(program, width, lanes)?;
        Some(Code::new(program, Reader::Native(native), lanes))
    }

    /// A module that the browser compiles once it is worth it.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn web(program: &Program) -> Code {
        Code::new(program, Reader::Web(Web::new(program.clone())), 1)
    }

    /// The interpreter of a fused program for one state.
    pub(crate) fn interpreted(program: &Program) -> Code {
        Code::new(program, Reader::One(Interpreter::new(program)), 1)
    }

    /// The interpreter for [`PORTABLE_LANES`] states.
    pub(crate) fn interpreted_in_lanes(program: &Program) -> Code {
        let reader = Reader::Several(Interpreter::new(program));
        Code::new(program, reader, PORTABLE_LANES)
    }

    /// Whether the code is native, or a module that a browser makes so.
    pub fn is_native(&self) -> bool {
        !matches!(self.reader, Reader::One(_) | Reader::Several(_))
    }

    /// How many states are computed at once.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many numbers go in, all lanes counted.
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// How many numbers come out, all lanes counted.
    pub fn output_len(&self) -> usize {
        self.output_len
    }

    /// How many numbers of scratch memory a run needs.
    pub fn scratch_len(&self) -> usize {
        match &self.reader {
            Reader::One(interpreter) => interpreter.scratch_len(),
            Reader::Several(interpreter) => interpreter.scratch_len(),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            Reader::Native(native) => native.scratch_len(),
            #[cfg(target_arch = "wasm32")]
            Reader::Web(web) => web.scratch_len(),
        }
    }

    /// Computes the outputs. Allocates nothing.
    ///
    /// # Panics
    /// If a slice is shorter than the code needs.
    pub fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        let inputs = &inputs[..self.input_len];
        let outputs = &mut outputs[..self.output_len];
        let scratch = &mut scratch[..self.scratch_len()];
        match &self.reader {
            Reader::One(interpreter) => interpreter.run(inputs, outputs, scratch),
            Reader::Several(interpreter) => interpreter.run(inputs, outputs, scratch),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            // SAFETY: the slices have the lengths of the program
            Reader::Native(native) => unsafe { native.run(inputs, outputs, scratch) },
            #[cfg(target_arch = "wasm32")]
            // SAFETY: the slices have the lengths of the program
            Reader::Web(web) => unsafe { web.run(inputs, outputs, scratch) },
        }
    }
}
