//! From a scheduled program to a module, in one pass.
//!
//! The code is straight: a value is read from memory when it is first used, kept in a local until its last use, and
//! written to the outputs where it is one. Long programs are cut into functions, because browsers take more than twice
//! the time for twice the length; what a later function needs goes through the scratch memory.

use super::library;
use super::module::{Address, Arithmetic, Body, Signature, module};
use crate::program::{Operation, Program};
use crate::schedule::{SineCosine, Stage};

/// Stages of a function.
const MAX_STAGES_OF_A_PIECE: usize = 1000;

/// A module with what it needs at run time.
pub(super) struct Module {
    pub(super) bytes: Vec<u8>,
    pub(super) scratch_len: usize,
}

/// How many numbers of scratch memory the module of a fused program needs at most.
pub(super) fn max_scratch_len(program: &Program) -> usize {
    let is_turned =
        |operation: &&Operation| matches!(operation, Operation::Sine(_) | Operation::Cosine(_));
    program.operations.len() + 2 * program.operations.iter().filter(is_turned).count()
}

/// Translates a fused program.
pub(super) fn translate(program: &Program, stages: &[Stage]) -> Module {
    let mut pieces: Vec<&[Stage]> = stages.chunks(MAX_STAGES_OF_A_PIECE).collect();
    if pieces.is_empty() {
        pieces.push(&[]);
    }
    let mut translator = Translator::new(program, &pieces);
    let mut bodies = Vec::with_capacity(pieces.len() + 1);
    for (number, piece) in pieces.iter().enumerate() {
        translator.begin(number, piece);
        for stage in *piece {
            match stage {
                Stage::One(position) => translator.operation(*position),
                Stage::SineCosineBatch(batch) => translator.sines_and_cosines(batch),
            }
        }
        if number + 1 == pieces.len() {
            translator.store_plain_outputs();
        }
        bodies.push(std::mem::take(&mut translator.body));
    }
    Module { bytes: module(bodies), scratch_len: translator.scratch_len as usize }
}

struct Translator<'a> {
    program: &'a Program,
    body: Body,
    /// The number of the piece that is written.
    piece: usize,
    /// For each value how often the piece still uses it.
    uses: Vec<u32>,
    /// For each value the last piece that uses it.
    last_piece: Vec<usize>,
    /// For each value the outputs it must be stored to.
    outputs: Vec<Vec<u32>>,
    /// For each value the local that keeps it.
    local_of: Vec<Option<u32>>,
    /// For each value where it lies in memory.
    memory_of: Vec<Option<(Address, u32)>>,
    scratch_len: u32,
    /// Locals whose values are not needed any more.
    free: Vec<u32>,
}

/// The values that a stage uses.
fn operands(program: &Program, stage: &Stage) -> Vec<u32> {
    match stage {
        Stage::One(position) => program.operations[*position].operands().collect(),
        Stage::SineCosineBatch(batch) => batch.iter().map(|member| member.angle).collect(),
    }
}

impl<'a> Translator<'a> {
    fn new(program: &'a Program, pieces: &[&[Stage]]) -> Self {
        let (inputs, values) = (program.input_len(), program.value_len());
        let mut last_piece = vec![0; values];
        for (number, piece) in pieces.iter().enumerate() {
            for operand in piece.iter().flat_map(|stage| operands(program, stage)) {
                last_piece[operand as usize] = number;
            }
        }
        let mut outputs = vec![Vec::new(); values];
        let all = program.outputs.iter().flat_map(|group| &group.values);
        for (place, &value) in (0..).zip(all) {
            outputs[value as usize].push(place);
        }
        let memory = |value: usize| (value < inputs).then_some((Address::Inputs, value as u32));
        Translator {
            program,
            body: Body::default(),
            piece: 0,
            uses: vec![0; values],
            last_piece,
            outputs,
            local_of: vec![None; values],
            memory_of: (0..values).map(memory).collect(),
            scratch_len: 0,
            free: Vec::new(),
        }
    }

    /// The next piece: no local keeps anything yet.
    fn begin(&mut self, number: usize, piece: &[Stage]) {
        self.piece = number;
        self.free.clear();
        self.local_of.fill(None);
        for operand in piece.iter().flat_map(|stage| operands(self.program, stage)) {
            self.uses[operand as usize] += 1;
        }
    }

    fn constant(&self, value: u32) -> Option<f64> {
        let at = (value as usize).checked_sub(self.program.input_len())?;
        self.program.constants.get(at).copied()
    }

    fn result_value(&self, position: usize) -> u32 {
        (self.program.input_len() + self.program.constants.len() + position) as u32
    }

    fn take_local(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| self.body.new_local())
    }

    fn new_scratch(&mut self, count: usize) -> u32 {
        let first = self.scratch_len;
        self.scratch_len += count as u32;
        first
    }

    /// Puts a value on the stack, for one of its uses.
    fn read(&mut self, value: u32) {
        let at = value as usize;
        self.uses[at] -= 1;
        let is_last = self.uses[at] == 0;
        if let Some(constant) = self.constant(value) {
            self.body.number(constant);
        } else if let Some(local) = self.local_of[at] {
            self.body.get(local);
            if is_last {
                self.local_of[at] = None;
                self.free.push(local);
            }
        } else {
            let (array, place) = self.memory_of[at].expect("a value is kept until its last use");
            self.body.load(array, place);
            if !is_last {
                let local = self.take_local();
                self.body.tee(local);
                self.local_of[at] = Some(local);
            }
        }
    }

    /// Keeps the number on the stack as a value, and writes it where it is needed.
    fn define(&mut self, value: u32) {
        let at = value as usize;
        let local = self.take_local();
        self.body.set(local);
        for place in std::mem::take(&mut self.outputs[at]) {
            self.body.store(Address::Outputs, place, local);
        }
        if self.last_piece[at] > self.piece {
            let place = self.new_scratch(1);
            self.body.store(Address::Scratch, place, local);
            self.memory_of[at] = Some((Address::Scratch, place));
        }
        if self.uses[at] > 0 {
            self.local_of[at] = Some(local);
        } else {
            self.free.push(local);
        }
    }

    fn operation(&mut self, position: usize) {
        let operation = self.program.operations[position];
        match operation {
            Operation::Add(a, b) => self.pair(a, b, Arithmetic::Add),
            Operation::Subtract(a, b) => self.pair(a, b, Arithmetic::Subtract),
            Operation::Multiply(a, b) => self.pair(a, b, Arithmetic::Multiply),
            Operation::Divide(a, b) => self.pair(a, b, Arithmetic::Divide),
            Operation::MultiplyAdd(a, b, c) => {
                self.pair(a, b, Arithmetic::Multiply);
                self.read(c);
                self.body.arithmetic(Arithmetic::Add);
            }
            Operation::MultiplySubtract(a, b, c) => {
                self.pair(a, b, Arithmetic::Multiply);
                self.read(c);
                self.body.arithmetic(Arithmetic::Subtract);
            }
            Operation::NegatedMultiplyAdd(a, b, c) => {
                self.read(c);
                self.pair(a, b, Arithmetic::Multiply);
                self.body.arithmetic(Arithmetic::Subtract);
            }
            Operation::Guard(a, b, c) => {
                self.read(c);
                self.body.number(f64::NAN);
                self.pair(a, b, Arithmetic::Greater);
                self.body.arithmetic(Arithmetic::Select);
            }
            Operation::Negate(a) => {
                self.read(a);
                self.body.arithmetic(Arithmetic::Negate);
            }
            Operation::SquareRoot(a) => {
                self.read(a);
                self.body.arithmetic(Arithmetic::SquareRoot);
            }
            Operation::Power(a, b) => self.call_of_two(a, b, f64::powf),
            Operation::Call2(function, a, b) => self.call_of_two(a, b, function.binary().value),
            Operation::Call(function, a) => {
                self.read(a);
                self.body.index(library::place_of_unary(function.unary().value));
                self.body.call(library::unary_caller(), Signature::Unary);
            }
            Operation::Sine(_) | Operation::Cosine(_) => {
                unreachable!("sines and cosines are scheduled in batches")
            }
        }
        self.define(self.result_value(position));
    }

    fn pair(&mut self, a: u32, b: u32, operation: Arithmetic) {
        self.read(a);
        self.read(b);
        self.body.arithmetic(operation);
    }

    fn call_of_two(&mut self, a: u32, b: u32, function: library::Binary) {
        self.read(a);
        self.read(b);
        self.body.index(library::place_of_binary(function));
        self.body.call(library::binary_caller(), Signature::Binary);
    }

    /// Sines and cosines of a batch: angles and results lie side by side in the scratch memory.
    fn sines_and_cosines(&mut self, batch: &[SineCosine]) {
        let count = batch.len() as u32;
        let angles = self.new_scratch(3 * batch.len());
        for (place, member) in (angles..).zip(batch) {
            self.read(member.angle);
            let local = self.take_local();
            self.body.set(local);
            self.body.store(Address::Scratch, place, local);
            self.free.push(local);
        }
        for block in 0..3 {
            self.body.address(Address::Scratch, angles + block * count);
        }
        self.body.index(count);
        self.body.call(library::batch(), Signature::Batch);
        for (place, member) in (angles..).zip(batch) {
            let results = [(member.sine, count), (member.cosine, 2 * count)];
            for (position, block) in results {
                let Some(position) = position else { continue };
                let value = self.result_value(position) as usize;
                self.memory_of[value] = Some((Address::Scratch, place + block));
                self.store_outputs(value);
            }
        }
    }

    /// Stores a value that lies in memory, or a constant, to the outputs that it is.
    fn store_outputs(&mut self, value: usize) {
        for place in std::mem::take(&mut self.outputs[value]) {
            self.uses[value] += 1;
            self.read(value as u32);
            let local = self.take_local();
            self.body.set(local);
            self.body.store(Address::Outputs, place, local);
            self.free.push(local);
        }
    }

    /// Outputs that are inputs or constants.
    fn store_plain_outputs(&mut self) {
        (0..self.outputs.len()).for_each(|value| self.store_outputs(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::{crowded_program, program};
    use crate::schedule::schedule;
    use crate::web::random_program::random_program;
    use wasmparser::{Payload, Validator};

    /// A module that browsers accept, with how many functions it has.
    fn functions_of(program: &Program) -> usize {
        let fused = program.fused();
        let module = translate(&fused, &schedule(&fused));
        assert!(module.scratch_len <= max_scratch_len(&fused));
        Validator::new().validate_all(&module.bytes).expect("the module is valid");
        let payloads = wasmparser::Parser::new(0).parse_all(&module.bytes);
        payloads.filter(|payload| matches!(payload, Ok(Payload::CodeSectionEntry(_)))).count()
    }

    #[test]
    fn every_operation_and_function_becomes_valid_code() {
        let (_, _, program) = program();
        assert_eq!(functions_of(&program), 1);
        assert_eq!(functions_of(&crowded_program()), 1);
        assert_eq!(functions_of(&Program::default()), 1);
    }

    #[test]
    fn random_programs_become_valid_modules() {
        for seed in 0..60 {
            functions_of(&random_program(seed, 1 + 7 * seed as usize));
        }
    }

    #[test]
    fn long_programs_are_cut_into_functions_of_bounded_length() {
        let program = random_program(7, 20_000);
        // the pieces and the function that calls them
        assert!(functions_of(&program) > 3, "{}", functions_of(&program));
    }
}
