//! How instructions of aarch64 take their operands, and how functions are called (AAPCS64). All operands are in registers; a
//! fused multiply-add of one number has a register of its own for the result, one of two numbers adds to it.

use super::assembler::{Assembler, General, Instruction, Width};
use crate::native::allocate::Translator;
use crate::native::processor::{AddressRegister, Binary, Fused, Operand, Processor};

/// The bytes of a frame: where the caller was, and what its four registers held that the addresses are in.
const FRAME_LEN: u32 = 48;

/// What the four arguments are.
const ADDRESSES: [AddressRegister; 4] = [
    AddressRegister::Inputs,
    AddressRegister::Outputs,
    AddressRegister::Scratch,
    AddressRegister::Constants,
];

/// The general register of an address.
fn general(base: AddressRegister) -> General {
    General(match base {
        AddressRegister::Inputs => 19,
        AddressRegister::Outputs => 20,
        AddressRegister::Scratch => 21,
        AddressRegister::Constants => 22,
    })
}

impl Processor for Assembler {
    type Width = Width;

    const CONSTANTS: &[f64] = &[];

    fn new(width: Width) -> Assembler {
        Assembler { code: Vec::new(), width }
    }

    fn lanes(&self) -> usize {
        self.width.lanes()
    }

    fn registers(&self) -> usize {
        Assembler::VECTOR_REGISTERS
    }

    fn into_bytes(self) -> Vec<u8> {
        self.code
    }

    fn prologue(&mut self) {
        self.push_pair(General::FRAME, General::LINK, FRAME_LEN);
        self.address(General::FRAME, General::STACK, 0);
        let [inputs, outputs, scratch, constants] = ADDRESSES.map(general);
        self.store_pair(inputs, outputs, 16);
        self.store_pair(scratch, constants, 32);
        for (address, argument) in ADDRESSES.into_iter().zip(General::ARGUMENTS) {
            self.address(general(address), argument, 0);
        }
    }

    fn epilogue(&mut self) {
        let [inputs, outputs, scratch, constants] = ADDRESSES.map(general);
        self.load_pair(inputs, outputs, 16);
        self.load_pair(scratch, constants, 32);
        self.pop_pair(General::FRAME, General::LINK, FRAME_LEN);
        self.ret();
    }

    fn load(&mut self, register: u8, from: Operand) {
        match from {
            Operand::Register(other) if other == register => {}
            Operand::Register(other) => self.copy(register, other),
            Operand::Memory(base, offset) => self.load_from(register, general(base), offset as u32),
        }
    }

    fn store(&mut self, register: u8, base: AddressRegister, offset: i32) {
        self.store_to(register, general(base), offset as u32);
    }

    fn square_root(&mut self, register: u8, of: u8) {
        self.unary(Instruction::SQUARE_ROOT, register, of);
    }

    fn binary(
        translator: &mut Translator<'_, Self>,
        operation: Binary,
        a: u32,
        b: u32,
        result: u32,
    ) {
        let instruction = match operation {
            Binary::Add => Instruction::ADD,
            Binary::Subtract => Instruction::SUBTRACT,
            Binary::Multiply => Instruction::MULTIPLY,
            Binary::Divide => Instruction::DIVIDE,
        };
        let first = translator.in_register(a, &[]);
        let second = translator.in_register(b, &[first]);
        translator.finish(&[a, b], result, |assembler, register| {
            assembler.arithmetic(instruction, register, first, second);
        });
    }

    fn negate(translator: &mut Translator<'_, Self>, a: u32, result: u32) {
        let of = translator.in_register(a, &[]);
        translator.finish(&[a], result, |assembler, register| {
            assembler.unary(Instruction::NEGATE, register, of);
        });
    }

    fn fused(
        translator: &mut Translator<'_, Self>,
        operation: Fused,
        [a, b, c]: [u32; 3],
        result: u32,
    ) {
        let first = translator.in_register(a, &[]);
        let second = translator.in_register(b, &[first]);
        let third = translator.in_register(c, &[first, second]);
        match translator.assembler.width {
            Width::One => translator.finish(&[a, b, c], result, |assembler, register| {
                assembler.fused_of_one(operation, register, [first, second, third]);
            }),
            Width::Two => {
                let target = if c != a && c != b && translator.dies(c) {
                    third
                } else {
                    translator.free_register(&[first, second, third])
                };
                translator.assembler.fused_of_two(operation, target, [first, second, third]);
                translator.overwritten(&[a, b, c], result, target);
            }
        }
    }

    /// Where it does not hold all bits are set, which is a NaN.
    fn guard(translator: &mut Translator<'_, Self>, [a, b, c]: [u32; 3], result: u32) {
        let first = translator.in_register(a, &[]);
        let second = translator.in_register(b, &[first]);
        let third = translator.in_register(c, &[first, second]);
        let target = translator.free_register(&[first, second, third]);
        translator.assembler.arithmetic(Instruction::GREATER, target, first, second);
        translator.assembler.arithmetic(Instruction::OR_NOT, target, third, target);
        translator.overwritten(&[a, b, c], result, target);
    }

    fn call(&mut self, function: usize) {
        self.number(General::TEMPORARY, function as u64);
        self.call_register(General::TEMPORARY);
    }

    fn first_address(&mut self, address: usize) {
        self.number(General::ARGUMENTS[0], address as u64);
    }

    fn fifth_address(&mut self, address: usize) {
        self.number(General::ARGUMENTS[4], address as u64);
    }

    fn scratch_arguments(&mut self, offsets: [i32; 3], count: u32) {
        for (argument, offset) in General::ARGUMENTS.into_iter().zip(offsets) {
            self.address(argument, general(AddressRegister::Scratch), offset as u32);
        }
        self.number(General::ARGUMENTS[3], count.into());
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::emulator::Emulator;
    use super::*;
    use crate::kernel::tests::{crowded_program, outputs, program};
    use crate::native::allocate::translate;
    use crate::program::{Operation, Program, ValueGroup};
    use crate::schedule::schedule;
    use crate::web::random_program::random_program;
    use crate::{Aligned, Kernel};

    /// Runs the code of a program on the emulator; every lane must have the interpreter's bits.
    fn assert_bits_of_the_interpreter(program: &Program, width: Width) {
        let fused = program.fused();
        let code = translate::<Assembler>(&fused, &schedule(&fused), width, width.lanes());
        let interpreted = Kernel::interpreted(program);
        let (lanes, inputs) = (width.lanes(), interpreted.input_len());
        let point = |lane: usize| -> Vec<f64> {
            (0..inputs).map(|i| 0.1 + 0.37 * ((lane * 7 + i * 3) % 11) as f64).collect()
        };
        let points: Vec<Vec<f64>> = (0..lanes).map(point).collect();
        let side_by_side: Vec<f64> =
            (0..inputs * lanes).map(|at| points[at % lanes][at / lanes]).collect();
        let mut found = Aligned::zeros(interpreted.output_len() * lanes);
        let mut scratch = Aligned::zeros(code.scratch_len);
        let constants = code.constants.as_ptr();
        let (found_at, scratch_at) = (found.as_mut_ptr(), scratch.as_mut_ptr());
        // SAFETY: the arrays have the lengths that the code was written for
        unsafe {
            Emulator::call(&code.bytes, [side_by_side.as_ptr(), found_at, scratch_at, constants]);
        }
        for (lane, point) in points.iter().enumerate() {
            for (i, expected) in outputs(&interpreted, point).into_iter().enumerate() {
                let found = found[i * lanes + lane];
                let same = found.to_bits() == expected.to_bits();
                assert!(same || (found.is_nan() && expected.is_nan()), "{i}: {found}, {expected}");
            }
        }
    }

    fn program_of(inputs: u32, operations: Vec<Operation>, outputs: Vec<u32>) -> Program {
        let group = |values| vec![ValueGroup { name: String::new(), values }];
        let inputs = group((0..inputs).collect());
        Program { inputs, constants: Vec::new(), operations, outputs: group(outputs) }
    }

    #[test]
    fn code_computes_the_bits_of_the_interpreter() {
        for width in [Width::One, Width::Two] {
            assert_bits_of_the_interpreter(&program().2, width);
            assert_bits_of_the_interpreter(&crowded_program(), width);
            for seed in 0..60 {
                assert_bits_of_the_interpreter(&random_program(seed, 1 + 7 * seed as usize), width);
            }
        }
    }

    /// Fused operations on inputs, which live on, and on differences of them, which do not.
    #[test]
    fn operands_may_be_one_value() {
        const KINDS: [fn(u32, u32, u32) -> Operation; 3] =
            [Operation::MultiplyAdd, Operation::MultiplySubtract, Operation::NegatedMultiplyAdd];
        let (mut operations, mut outputs) = (Vec::new(), Vec::new());
        for (kind, number) in (0..81).map(|at| (KINDS[at as usize / 27], at % 27)) {
            let choice = [number % 3, number / 3 % 3, number / 9];
            for lives_on in [true, false] {
                let [a, b, c] = if lives_on {
                    choice
                } else {
                    let first = 3 + operations.len() as u32;
                    operations.extend((0..3).map(|i| Operation::Subtract(i, (i + 1) % 3)));
                    choice.map(|operand| first + operand)
                };
                outputs.push(3 + operations.len() as u32);
                operations.push(kind(a, b, c));
            }
        }
        let program = program_of(3, operations, outputs);
        for width in [Width::One, Width::Two] {
            assert_bits_of_the_interpreter(&program, width);
        }
    }

    #[test]
    fn what_is_guarded_has_no_value_where_the_guard_does_not_hold() {
        let guards = [[0, 1, 2], [1, 0, 2], [0, 0, 1], [2, 1, 2]];
        let operations = guards.map(|[a, b, c]| Operation::Guard(a, b, c)).to_vec();
        let program = program_of(3, operations, vec![3, 4, 5, 6]);
        for width in [Width::One, Width::Two] {
            assert_bits_of_the_interpreter(&program, width);
        }
    }

    /// Inputs, outputs and scratch memory beyond the offsets that an instruction holds.
    #[test]
    fn values_far_away_are_reached() {
        const COUNT: u32 = 10_000;
        // all sines are computed before they are used: they wait in the scratch memory
        let sines = (0..COUNT).map(Operation::Sine);
        let sums = (0..COUNT).map(|i| Operation::MultiplySubtract(i, 2 * COUNT - 1, COUNT + i));
        let operations = sines.chain(sums).collect();
        let program = program_of(COUNT, operations, (2 * COUNT..3 * COUNT).collect());
        for width in [Width::One, Width::Two] {
            assert_bits_of_the_interpreter(&program, width);
        }
    }
}
