//! From a scheduled program to machine code, one pass. A value is one number, or one for each lane
//! side by side.
//!
//! Every value has at most one register and one place in memory. Since the code is straight, it is
//! known when each value is used next: a register is taken from the value whose next use is
//! farthest away.

use super::assembler::{AddressRegister, Assembler, Instruction, Operand, Width};
use super::inline_sine;
use super::library::{self, Called};
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

/// How sines and cosines are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sines {
    /// By a call for each batch.
    Called,
    /// By the code itself, which answers whether an angle was beyond its reach.
    Inline,
}

/// Translates a program.
pub(super) fn translate(
    program: &Program,
    stages: &[Stage],
    width: Width,
    sines: Sines,
) -> MachineCode {
    let mut translator = Translator::new(program, stages, width, sines);
    translator.assembler.prologue();
    if sines == Sines::Inline {
        translator.begin_angles();
    }
    for (time, stage) in stages.iter().enumerate() {
        translator.time = time;
        translator.free.append(&mut translator.freed);
        match stage {
            Stage::One(position) => translator.operation(*position),
            Stage::SineCosineBatch(batch) => match sines {
                Sines::Called => translator.sines_and_cosines(batch),
                Sines::Inline => {
                    batch.iter().for_each(|one| translator.inline_sine_and_cosine(one))
                }
            },
        }
    }
    translator.store_plain_outputs();
    if sines == Sines::Inline {
        translator.answer_angles();
    }
    translator.assembler.epilogue();
    let lanes = width.lanes();
    let constants = translator.constants.iter().flat_map(|&constant| vec![constant; lanes]);
    MachineCode {
        constants: constants.collect(),
        scratch_len: translator.scratch_len * lanes,
        bytes: translator.assembler.code,
    }
}

/// Where a value of an array is, in bytes.
fn place(index: usize, width: Width) -> i32 {
    i32::try_from(index * width.lanes() * 8).expect("a program has fewer than 2²⁵ values")
}

pub(super) struct Translator<'a> {
    program: &'a Program,
    pub(super) assembler: Assembler,
    /// Position in the schedule.
    time: usize,
    /// For each value the times of its uses, the next one last.
    uses: Vec<Vec<usize>>,
    /// For each value the outputs it must be stored to.
    outputs: Vec<Vec<usize>>,
    register_of: Vec<Option<u8>>,
    value_in: Vec<Option<u32>>,
    memory_of: Vec<Option<(AddressRegister, i32)>>,
    constants: Vec<f64>,
    scratch_len: usize,
    sines: Sines,
    /// Places in the scratch memory whose values are not needed any more.
    free: Vec<i32>,
    /// Those that the present stage may still read.
    freed: Vec<i32>,
}

impl<'a> Translator<'a> {
    fn new(program: &'a Program, stages: &[Stage], width: Width, sines: Sines) -> Self {
        let (inputs, values) = (program.input_len(), program.value_len());
        let first_result = inputs + program.constants.len();
        let mut uses = vec![Vec::new(); values];
        for (time, stage) in stages.iter().enumerate().rev() {
            match stage {
                Stage::One(position) => {
                    for operand in program.operations[*position].operands() {
                        uses[operand as usize].push(time);
                    }
                }
                Stage::SineCosineBatch(batch) => {
                    for member in batch {
                        uses[member.angle as usize].push(time);
                    }
                }
            }
        }
        let mut outputs = vec![Vec::new(); values];
        let all = program.outputs.iter().flat_map(|group| &group.values);
        for (place, &value) in all.enumerate() {
            outputs[value as usize].push(place);
        }
        let memory = |value: usize| {
            if value < inputs {
                Some((AddressRegister::Inputs, place(value, width)))
            } else if value < first_result {
                Some((AddressRegister::Constants, place(value - inputs, width)))
            } else {
                None
            }
        };
        let mut constants = program.constants.clone();
        let mut registers = width.registers();
        if sines == Sines::Inline {
            constants.extend(inline_sine::constants());
            // the last one holds the largest angle
            registers -= 1;
        }
        constants.push(f64::NAN);
        // at the end the sign bit, in both halves of a register
        constants.extend([-0.0, -0.0]);
        Translator {
            program,
            assembler: Assembler::new(width),
            time: 0,
            uses,
            outputs,
            register_of: vec![None; values],
            value_in: vec![None; registers],
            memory_of: (0..values).map(memory).collect(),
            constants,
            scratch_len: 0,
            sines,
            free: Vec::new(),
            freed: Vec::new(),
        }
    }

    /// Where a value of an array is, in bytes.
    fn offset(&self, index: usize) -> i32 {
        place(index, self.assembler.width)
    }

    pub(super) fn result_value(&self, position: usize) -> u32 {
        (self.program.input_len() + self.program.constants.len() + position) as u32
    }

    /// A constant behind those of the program.
    pub(super) fn own_constant(&self, index: usize) -> Operand {
        let place = self.offset(self.program.constants.len() + index);
        Operand::Memory(AddressRegister::Constants, place)
    }

    /// The register of the largest angle met, where sines are inline.
    pub(super) fn largest_angle(&self) -> u8 {
        self.value_in.len() as u8
    }

    fn new_scratch(&mut self, count: usize) -> usize {
        self.scratch_len += count;
        self.scratch_len - count
    }

    fn next_use(&self, value: u32) -> usize {
        self.uses[value as usize].last().copied().unwrap_or(NEVER_USED_AGAIN)
    }

    /// The use at the present time is over.
    pub(super) fn consume(&mut self, value: u32) {
        let uses = &mut self.uses[value as usize];
        while uses.last() == Some(&self.time) {
            uses.pop();
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
        self.uses[value as usize].first().is_none_or(|&last| last <= self.time)
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

    fn operand(&self, value: u32) -> Operand {
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

    /// A register for a value that is used again soon, memory for one that is not.
    fn register_or_memory(&mut self, value: u32, keep: &[u8]) -> Operand {
        match self.operand(value) {
            memory @ Operand::Memory(..) if self.dies(value) => memory,
            _ => Operand::Register(self.in_register(value, keep)),
        }
    }

    fn operation(&mut self, position: usize) {
        let result = self.result_value(position);
        match self.program.operations[position] {
            Operation::Add(a, b) => self.commutative(Instruction::ADD, a, b, result),
            Operation::Multiply(a, b) => self.commutative(Instruction::MULTIPLY, a, b, result),
            Operation::Subtract(a, b) => self.binary(Instruction::SUBTRACT, a, b, result),
            Operation::Divide(a, b) => self.binary(Instruction::DIVIDE, a, b, result),
            Operation::Negate(a) => {
                let a_register = self.in_register(a, &[]);
                let sign = Operand::Memory(
                    AddressRegister::Constants,
                    self.offset(self.constants.len() - 2),
                );
                self.finish(&[a], result, |assembler, register| {
                    assembler.arithmetic(Instruction::XOR, register, a_register, sign);
                });
            }
            Operation::SquareRoot(a) => {
                let a_register = self.in_register(a, &[]);
                self.finish(&[a], result, |assembler, register| {
                    assembler.square_root(register, a_register);
                });
            }
            Operation::MultiplyAdd(a, b, c) => self.fused(0, a, b, c, result),
            Operation::MultiplySubtract(a, b, c) => self.fused(1, a, b, c, result),
            Operation::NegatedMultiplyAdd(a, b, c) => self.fused(2, a, b, c, result),
            Operation::Guard(a, b, c) => self.guard(a, b, c, result),
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
        match self.assembler.width {
            Width::One => self.call_with_registers(called, arguments, result),
            Width::Four | Width::Eight => self.call_with_lanes(called, arguments, result),
        }
    }

    fn commutative(&mut self, instruction: Instruction, a: u32, b: u32, result: u32) {
        let in_register = |value: u32| self.register_of[value as usize].is_some();
        let (a, b) = if !in_register(a) && in_register(b) { (b, a) } else { (a, b) };
        self.binary(instruction, a, b, result);
    }

    fn binary(&mut self, instruction: Instruction, a: u32, b: u32, result: u32) {
        let first = self.in_register(a, &[]);
        let second = self.register_or_memory(b, &[first]);
        self.finish(&[a, b], result, |assembler, register| {
            assembler.arithmetic(instruction, register, first, second);
        });
    }

    /// Ends the use of the operands, finds a register for the result, writes the instruction.
    fn finish(&mut self, operands: &[u32], result: u32, write: impl FnOnce(&mut Assembler, u8)) {
        for &operand in operands {
            self.consume(operand);
        }
        // operands are read before the result is written, so that a dying one lends its register;
        // an operand that lives on must not be evicted by its own instruction's result
        let keep: Vec<u8> =
            operands.iter().filter_map(|&operand| self.register_of[operand as usize]).collect();
        let register = self.free_register(&keep);
        write(&mut self.assembler, register);
        self.define(result, register);
    }

    /// The result is in this register: stored if it is an output, kept if it is used again.
    pub(super) fn define(&mut self, result: u32, register: u8) {
        for place in std::mem::take(&mut self.outputs[result as usize]) {
            self.assembler.store(register, AddressRegister::Outputs, self.offset(place));
            self.memory_of[result as usize] = Some((AddressRegister::Outputs, self.offset(place)));
        }
        if self.next_use(result) != NEVER_USED_AGAIN {
            self.place(result, register);
        }
    }

    /// a·b + c, a·b − c or c − a·b: one of the three operands is overwritten.
    fn fused(&mut self, kind: usize, a: u32, b: u32, c: u32, result: u32) {
        let first = self.in_register(a, &[]);
        if c != a && c != b && self.dies(c) && self.register_of[c as usize].is_some() {
            let third = self.in_register(c, &[first]);
            let second = self.register_or_memory(b, &[first, third]);
            let instruction = Instruction::FUSED_231[kind];
            self.assembler.arithmetic(instruction, third, first, second);
            self.overwritten(&[a, b, c], result, third);
            return;
        }
        let second = self.in_register(b, &[first]);
        let third = self.register_or_memory(c, &[first, second]);
        let instruction = Instruction::FUSED_213[kind];
        let third_register = match third {
            Operand::Register(register) => register,
            Operand::Memory(..) => first,
        };
        let target = if self.dies(a) && a != b && a != c {
            first
        } else {
            let target = self.free_register(&[first, second, third_register]);
            self.assembler.load(target, Operand::Register(first));
            target
        };
        self.assembler.arithmetic(instruction, target, second, third);
        self.overwritten(&[a, b, c], result, target);
    }

    fn guard(&mut self, a: u32, b: u32, c: u32, result: u32) {
        let first = self.in_register(a, &[]);
        let third = self.in_register(c, &[first]);
        let second = self.register_or_memory(b, &[first, third]);
        let mut keep = vec![first, third];
        keep.extend(match second {
            Operand::Register(register) => Some(register),
            Operand::Memory(..) => None,
        });
        let register = self.free_register(&keep);
        let undefined =
            Operand::Memory(AddressRegister::Constants, self.offset(self.constants.len() - 3));
        self.assembler.guard(register, (first, second), third, undefined);
        self.overwritten(&[a, b, c], result, register);
    }

    fn overwritten(&mut self, operands: &[u32], result: u32, register: u8) {
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
        let lanes = self.assembler.width.lanes() as u32;
        let angle = (self.sines == Sines::Inline).then(|| {
            let scratch = self.new_scratch(1);
            (self.largest_angle(), self.offset(scratch))
        });
        if let Some((largest, place)) = angle {
            self.assembler.store(largest, AddressRegister::Scratch, place);
        }
        self.assembler.scratch_arguments([first, second, found], lanes);
        self.assembler.fifth_address(called.address());
        self.assembler.call(called.with_lanes());
        if let Some((largest, place)) = angle {
            self.assembler.load(largest, Operand::Memory(AddressRegister::Scratch, place));
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
        let count = (count * self.assembler.width.lanes()) as u32;
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
                if !self.outputs[value as usize].is_empty() {
                    self.assembler.load(0, Operand::Memory(AddressRegister::Scratch, place));
                    for output in std::mem::take(&mut self.outputs[value as usize]) {
                        self.assembler.store(0, AddressRegister::Outputs, self.offset(output));
                    }
                }
            }
        }
    }

    /// Outputs that are inputs or constants.
    fn store_plain_outputs(&mut self) {
        for value in 0..self.outputs.len() {
            for place in std::mem::take(&mut self.outputs[value]) {
                let operand = self.operand(value as u32);
                self.assembler.load(0, operand);
                self.assembler.store(0, AddressRegister::Outputs, self.offset(place));
            }
        }
    }
}
