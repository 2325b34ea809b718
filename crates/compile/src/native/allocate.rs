//! From a scheduled program to machine code, one pass. A value is one number, or one for each lane
//! side by side.
//!
//! Every value has at most one register and one place in memory. Since the code is straight, it is
//! known when each value is used next: a register is taken from the value whose next use is
//! farthest away.

use super::library::{self, Called};
use super::lists::Lists;
use super::processor::{AddressRegister, Binary, Fused, Operand, Processor};
use crate::program::{Operation, Program};
use crate::schedule::{SineCosine, Stage};

/// The time of the next use of a value that is not used again.
const NEVER_USED_AGAIN: usize = usize::MAX;

/// Machine code with what it needs at run time.
pub(super) struct MachineCode {
    pub(super) bytes: Vec<u8>,
    pub(super) constants: Vec<f64>,
    pub(super) scratch_len: usize,
}

/// Translates a program for a processor, with sines and cosines by a call for each batch.
pub(super) fn translate<P: Processor>(
    program: &Program,
    stages: &[Stage],
    width: P::Width,
    stride: usize,
) -> MachineCode {
    let mut translator = Translator::new(program, stages, P::new(width), stride);
    translator.assembler.prologue();
    translator.write(stages, Translator::sines_and_cosines);
    translator.end()
}

/// Where a value of an array is, in bytes.
fn place(index: usize, lanes: usize) -> i32 {
    i32::try_from(index * lanes * 8).expect("a program has fewer than 2²⁵ values")
}

pub(super) struct Translator<'a, P> {
    pub(super) program: &'a Program,
    pub(super) assembler: P,
    /// Position in the schedule.
    time: usize,
    /// For each value the times of its uses.
    uses: Lists,
    /// For each value how many of its uses are over.
    used: Vec<u32>,
    /// For each value the outputs it must be stored to.
    outputs: Lists,
    register_of: Vec<Option<u8>>,
    value_in: Vec<Option<u32>>,
    memory_of: Vec<Option<(AddressRegister, i32)>>,
    pub(super) constants: Vec<f64>,
    scratch_len: usize,
    /// How many numbers lie from one input or output to the next.
    stride: usize,
    /// A register that no value of the program is given: what it holds outlasts calls.
    pub(super) reserved: Option<u8>,
    /// Places in the scratch memory whose values are not needed any more.
    free: Vec<i32>,
    /// Those that the present stage may still read.
    freed: Vec<i32>,
}

impl<'a, P: Processor> Translator<'a, P> {
    pub(super) fn new(program: &'a Program, stages: &[Stage], assembler: P, stride: usize) -> Self {
        let lanes = assembler.lanes();
        let (inputs, values) = (program.input_len(), program.value_len());
        let first_result = inputs + program.constants.len();
        let uses = stages.iter().enumerate().flat_map(|(time, stage)| {
            let (operation, batch) = match stage {
                Stage::One(position) => (Some(&program.operations[*position]), None),
                Stage::SineCosineBatch(batch) => (None, Some(batch)),
            };
            let operands = operation.into_iter().flat_map(|operation| operation.operands());
            let angles = batch.into_iter().flatten().map(|member| member.angle);
            operands.chain(angles).map(move |value| (value, time))
        });
        let outputs = program.outputs.iter().flat_map(|group| group.values.iter().copied());
        let outputs = outputs.enumerate().map(|(place, value)| (value, place));
        let memory = |value: usize| {
            if value < inputs {
                Some((AddressRegister::Inputs, place(value, stride)))
            } else if value < first_result {
                Some((AddressRegister::Constants, place(value - inputs, lanes)))
            } else {
                None
            }
        };
        Translator {
            program,
            time: 0,
            uses: Lists::new(values, uses),
            used: vec![0; values],
            outputs: Lists::new(values, outputs),
            register_of: vec![None; values],
            value_in: vec![None; assembler.registers()],
            memory_of: (0..values).map(memory).collect(),
            constants: [program.constants.as_slice(), P::CONSTANTS].concat(),
            scratch_len: 0,
            stride,
            reserved: None,
            free: Vec::new(),
            freed: Vec::new(),
            assembler,
        }
    }

    /// Takes the last register out of use, before anything is written.
    pub(super) fn reserve_register(&mut self) -> u8 {
        self.value_in.pop();
        let register = self.value_in.len() as u8;
        self.reserved = Some(register);
        register
    }

    /// Writes all operations, batches of sines and cosines as the caller does.
    pub(super) fn write(&mut self, stages: &[Stage], batch: fn(&mut Self, &[SineCosine])) {
        for (time, stage) in stages.iter().enumerate() {
            self.time = time;
            self.free.append(&mut self.freed);
            match stage {
                Stage::One(position) => self.operation(*position),
                Stage::SineCosineBatch(members) => batch(self, members),
            }
        }
        self.store_plain_outputs();
    }

    /// Returns to the caller of the code.
    pub(super) fn end(mut self) -> MachineCode {
        self.assembler.epilogue();
        let lanes = self.assembler.lanes();
        let constants = self.constants.iter().flat_map(|&constant| vec![constant; lanes]);
        MachineCode {
            constants: constants.collect(),
            scratch_len: self.scratch_len * lanes,
            bytes: self.assembler.into_bytes(),
        }
    }

    /// Where an output is, in bytes.
    fn output_place(&self, index: usize) -> i32 {
        place(index, self.stride)
    }

    /// Where a constant or a value of the scratch memory is, in bytes.
    pub(super) fn offset(&self, index: usize) -> i32 {
        place(index, self.assembler.lanes())
    }

    pub(super) fn result_value(&self, position: usize) -> u32 {
        (self.program.input_len() + self.program.constants.len() + position) as u32
    }

    fn new_scratch(&mut self, count: usize) -> usize {
        self.scratch_len += count;
        self.scratch_len - count
    }

    /// The times of the uses that are not over.
    fn coming_uses(&self, value: u32) -> &[u32] {
        &self.uses.of(value)[self.used[value as usize] as usize..]
    }

    fn next_use(&self, value: u32) -> usize {
        self.coming_uses(value).first().map_or(NEVER_USED_AGAIN, |&time| time as usize)
    }

    /// The use at the present time is over.
    pub(super) fn consume(&mut self, value: u32) {
        while self.next_use(value) == self.time {
            self.used[value as usize] += 1;
        }
        if self.next_use(value) != NEVER_USED_AGAIN {
            return;
        }
        if let Some(register) = self.register_of[value as usize].take() {
            self.value_in[register as usize] = None;
        }
        if let Some((AddressRegister::Scratch, place)) = self.memory_of[value as usize] {
            self.memory_of[value as usize] = None;
            self.freed.push(place);
        }
    }

    /// Whether the value is not needed after the present operation.
    pub(super) fn dies(&self, value: u32) -> bool {
        self.coming_uses(value).last().is_none_or(|&last| last as usize <= self.time)
    }

    /// A register that is free, or becomes so; those in `keep` stay.
    pub(super) fn free_register(&mut self, keep: &[u8]) -> u8 {
        if let Some(free) = (0..self.value_in.len())
            .find(|&r| self.value_in[r].is_none() && !keep.contains(&(r as u8)))
        {
            return free as u8;
        }
        let candidates = (0..self.value_in.len() as u8).filter(|register| !keep.contains(register));
        let farthest = candidates.max_by_key(|&register| {
            self.value_in[register as usize].map_or(NEVER_USED_AGAIN, |value| self.next_use(value))
        });
        let register = farthest.expect("fewer registers are kept than there are");
        self.evict(register);
        register
    }

    fn evict(&mut self, register: u8) {
        if let Some(value) = self.value_in[register as usize].take() {
            self.register_of[value as usize] = None;
            if self.memory_of[value as usize].is_none() && self.next_use(value) != NEVER_USED_AGAIN
            {
                let place = self.free.pop().unwrap_or_else(|| {
                    let scratch = self.new_scratch(1);
                    self.offset(scratch)
                });
                self.assembler.store(register, AddressRegister::Scratch, place);
                self.memory_of[value as usize] = Some((AddressRegister::Scratch, place));
            }
        }
    }

    fn place(&mut self, value: u32, register: u8) {
        self.value_in[register as usize] = Some(value);
        self.register_of[value as usize] = Some(register);
    }

    pub(super) fn operand(&self, value: u32) -> Operand {
        match (self.register_of[value as usize], self.memory_of[value as usize]) {
            (Some(register), _) => Operand::Register(register),
            (None, Some((base, offset))) => Operand::Memory(base, offset),
            (None, None) => unreachable!("a value is computed before it is used"),
        }
    }

    /// The register of a value, loaded if it is not there.
    pub(super) fn in_register(&mut self, value: u32, keep: &[u8]) -> u8 {
        match self.operand(value) {
            Operand::Register(register) => register,
            memory => {
                let register = self.free_register(keep);
                self.assembler.load(register, memory);
                self.place(value, register);
                register
            }
        }
    }

    /// Whether every value that is in a register now is used again before this one.
    pub(super) fn is_used_last(&self, value: u32) -> bool {
        let mut again = self.coming_uses(value).iter().map(|&time| time as usize);
        let again = again.find(|&time| time > self.time).unwrap_or(NEVER_USED_AGAIN);
        let sooner = |held: &Option<u32>| held.is_some_and(|held| self.next_use(held) < again);
        again == NEVER_USED_AGAIN || self.value_in.iter().all(sooner)
    }

    fn operation(&mut self, position: usize) {
        let result = self.result_value(position);
        match self.program.operations[position] {
            Operation::Add(a, b) => P::binary(self, Binary::Add, a, b, result),
            Operation::Multiply(a, b) => P::binary(self, Binary::Multiply, a, b, result),
            Operation::Subtract(a, b) => P::binary(self, Binary::Subtract, a, b, result),
            Operation::Divide(a, b) => P::binary(self, Binary::Divide, a, b, result),
            Operation::Negate(a) => P::negate(self, a, result),
            Operation::SquareRoot(a) => {
                let a_register = self.in_register(a, &[]);
                self.finish(&[a], result, |assembler, register| {
                    assembler.square_root(register, a_register);
                });
            }
            Operation::MultiplyAdd(a, b, c) => {
                P::fused(self, Fused::MultiplyAdd, [a, b, c], result);
            }
            Operation::MultiplySubtract(a, b, c) => {
                P::fused(self, Fused::MultiplySubtract, [a, b, c], result);
            }
            Operation::NegatedMultiplyAdd(a, b, c) => {
                P::fused(self, Fused::NegatedMultiplyAdd, [a, b, c], result);
            }
            Operation::Guard(a, b, c) => P::guard(self, [a, b, c], result),
            Operation::Call(function, a) => {
                self.call(Called::Unary(function.unary().value), &[a], result);
            }
            Operation::Call2(function, a, b) => {
                self.call(Called::Binary(function.binary().value), &[a, b], result);
            }
            Operation::Power(a, b) => self.call(Called::Binary(f64::powf), &[a, b], result),
            // the schedule has batches of them; one alone is a batch too
            Operation::Sine(angle) => {
                let alone = SineCosine { angle, sine: Some(position), cosine: None };
                self.sines_and_cosines(&[alone]);
            }
            Operation::Cosine(angle) => {
                let alone = SineCosine { angle, sine: None, cosine: Some(position) };
                self.sines_and_cosines(&[alone]);
            }
        }
    }

    fn call(&mut self, called: Called, arguments: &[u32], result: u32) {
        match self.assembler.lanes() {
            1 => self.call_with_registers(called, arguments, result),
            _ => self.call_with_lanes(called, arguments, result),
        }
    }

    /// Ends the use of the operands, finds a register for the result, writes the instruction.
    pub(super) fn finish(&mut self, operands: &[u32], result: u32, write: impl FnOnce(&mut P, u8)) {
        for &operand in operands {
            self.consume(operand);
        }
        // operands are read before the result is written, so that a dying one lends its register;
        // an operand that lives on must not be evicted by its own instruction's result
        let mut keep = [0; 3];
        let mut kept = 0;
        for register in operands.iter().filter_map(|&operand| self.register_of[operand as usize]) {
            keep[kept] = register;
            kept += 1;
        }
        let register = self.free_register(&keep[..kept]);
        write(&mut self.assembler, register);
        self.define(result, register);
    }

    /// The result is in this register: stored if it is an output, kept if it is used again.
    pub(super) fn define(&mut self, result: u32, register: u8) {
        for &place in self.outputs.of(result) {
            let place = self.output_place(place as usize);
            self.assembler.store(register, AddressRegister::Outputs, place);
            self.memory_of[result as usize] = Some((AddressRegister::Outputs, place));
        }
        if self.next_use(result) != NEVER_USED_AGAIN {
            self.place(result, register);
        }
    }

    /// Ends the use of the operands; the result is in this register, over one of them or over a free one.
    pub(super) fn overwritten(&mut self, operands: &[u32], result: u32, register: u8) {
        for &operand in operands {
            self.consume(operand);
        }
        self.define(result, register);
    }

    /// All values that live on are in memory: a call keeps no vector register.
    fn clear_registers(&mut self) {
        for register in 0..self.value_in.len() as u8 {
            self.evict(register);
        }
    }

    fn call_with_registers(&mut self, called: Called, arguments: &[u32], result: u32) {
        self.clear_registers();
        for (register, &argument) in arguments.iter().enumerate() {
            let operand = self.operand(argument);
            self.assembler.load(register as u8, operand);
        }
        self.assembler.first_address(called.address());
        self.assembler.call(called.with_registers());
        for &argument in arguments {
            self.consume(argument);
        }
        self.define(result, 0);
    }

    /// One call for all lanes: arguments and results lie in the scratch memory.
    fn call_with_lanes(&mut self, called: Called, arguments: &[u32], result: u32) {
        let [first, second, found] = {
            let first = self.new_scratch(3);
            [first, first + 1, first + 2].map(|at| self.offset(at))
        };
        for (&argument, place) in arguments.iter().zip([first, second]) {
            let register = self.in_register(argument, &[]);
            self.assembler.store(register, AddressRegister::Scratch, place);
        }
        self.clear_registers();
        let lanes = self.assembler.lanes() as u32;
        let kept = self.reserved.map(|register| {
            let scratch = self.new_scratch(1);
            (register, self.offset(scratch))
        });
        if let Some((register, place)) = kept {
            self.assembler.store(register, AddressRegister::Scratch, place);
        }
        self.assembler.scratch_arguments([first, second, found], lanes);
        self.assembler.fifth_address(called.address());
        self.assembler.call(called.with_lanes());
        if let Some((register, place)) = kept {
            self.assembler.load(register, Operand::Memory(AddressRegister::Scratch, place));
        }
        for &argument in arguments {
            self.consume(argument);
        }
        self.assembler.load(0, Operand::Memory(AddressRegister::Scratch, found));
        self.define(result, 0);
    }

    /// Sines and cosines of a batch: angles and results lie side by side in the scratch memory.
    fn sines_and_cosines(&mut self, batch: &[SineCosine]) {
        let count = batch.len();
        let angles = self.new_scratch(3 * count);
        for (at, member) in batch.iter().enumerate() {
            let register = self.in_register(member.angle, &[]);
            self.assembler.store(register, AddressRegister::Scratch, self.offset(angles + at));
        }
        self.clear_registers();
        let offsets = [angles, angles + count, angles + 2 * count].map(|at| self.offset(at));
        let count = (count * self.assembler.lanes()) as u32;
        self.assembler.scratch_arguments(offsets, count);
        self.assembler.call(library::batch());
        let count = batch.len();
        for (at, member) in batch.iter().enumerate() {
            self.consume(member.angle);
            let results = [(member.sine, count), (member.cosine, 2 * count)];
            for (position, block) in results {
                let Some(position) = position else { continue };
                let value = self.result_value(position);
                let place = self.offset(angles + block + at);
                self.memory_of[value as usize] = Some((AddressRegister::Scratch, place));
                if !self.outputs.of(value).is_empty() {
                    self.assembler.load(0, Operand::Memory(AddressRegister::Scratch, place));
                    for &output in self.outputs.of(value) {
                        let output = self.output_place(output as usize);
                        self.assembler.store(0, AddressRegister::Outputs, output);
                    }
                }
            }
        }
    }

    /// Outputs that are inputs or constants.
    fn store_plain_outputs(&mut self) {
        for value in 0..self.result_value(0) {
            for &place in self.outputs.of(value) {
                let operand = self.operand(value);
                self.assembler.load(0, operand);
                let place = self.output_place(place as usize);
                self.assembler.store(0, AddressRegister::Outputs, place);
            }
        }
    }
}
