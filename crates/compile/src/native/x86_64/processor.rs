//! How instructions of x86-64 take their operands, and how functions are called (System V). The last operand may be in
//! memory; a fused multiply-add writes over one of its operands.

use super::assembler::{Assembler, Instruction, Width};
use crate::native::allocate::Translator;
use crate::native::processor::{AddressRegister, Binary, Fused, Operand, Processor};

/// vzeroupper
const ZERO_UPPER: [u8; 3] = [0xc5, 0xf8, 0x77];

impl Processor for Assembler {
    type Width = Width;

    /// The sign bit, in both halves of a register, and what has no value.
    const CONSTANTS: &[f64] = &[-0.0, -0.0, f64::NAN];

    fn new(width: Width) -> Assembler {
        Assembler { code: Vec::new(), width }
    }

    fn lanes(&self) -> usize {
        self.width.lanes()
    }

    fn registers(&self) -> usize {
        match self.width {
            Width::One | Width::Four => 16,
            Width::Eight => 32,
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        self.code
    }

    /// Saves the registers that calls preserve and keeps the four addresses in them.
    fn prologue(&mut self) {
        self.code.extend([0x53, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57]); // push rbx, r13, r14, r15
        self.code.extend([0x48, 0x83, 0xec, 0x08]); // sub rsp, 8: calls need a stack on 16 bytes
        self.code.extend([0x48, 0x89, 0xfb]); // mov rbx, rdi
        self.code.extend([0x49, 0x89, 0xf5]); // mov r13, rsi
        self.code.extend([0x49, 0x89, 0xd6]); // mov r14, rdx
        self.code.extend([0x49, 0x89, 0xcf]); // mov r15, rcx
    }

    fn epilogue(&mut self) {
        self.code.extend([0x48, 0x83, 0xc4, 0x08]); // add rsp, 8
        self.code.extend([0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x5b]); // pop r15, r14, r13, rbx
        self.code.extend(ZERO_UPPER);
        self.code.push(0xc3); // ret
    }

    fn load(&mut self, register: u8, from: Operand) {
        match from {
            Operand::Register(other) if other == register => {}
            Operand::Register(_) => self.arithmetic(Instruction::MOVE, register, 0, from),
            // a scalar load has no second operand, which is written as register 0
            Operand::Memory(..) => self.arithmetic(Instruction::LOAD, register, 0, from),
        }
    }

    fn store(&mut self, register: u8, base: AddressRegister, offset: i32) {
        self.arithmetic(Instruction::STORE, register, 0, Operand::Memory(base, offset));
    }

    /// Of several numbers it has no second operand, which is written as register 0.
    fn square_root(&mut self, register: u8, of: u8) {
        let second = if self.width == Width::One { of } else { 0 };
        self.arithmetic(Instruction::SQUARE_ROOT, register, second, Operand::Register(of));
    }

    fn binary(
        translator: &mut Translator<'_, Self>,
        operation: Binary,
        a: u32,
        b: u32,
        result: u32,
    ) {
        let (instruction, commutative) = match operation {
            Binary::Add => (Instruction::ADD, true),
            Binary::Multiply => (Instruction::MULTIPLY, true),
            Binary::Subtract => (Instruction::SUBTRACT, false),
            Binary::Divide => (Instruction::DIVIDE, false),
        };
        let in_memory = |value| matches!(translator.operand(value), Operand::Memory(..));
        let swap = commutative && in_memory(a) && !in_memory(b);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let first = translator.in_register(a, &[]);
        let second = register_or_memory(translator, b, &[first]);
        translator.finish(&[a, b], result, |assembler, register| {
            assembler.arithmetic(instruction, register, first, second);
        });
    }

    fn negate(translator: &mut Translator<'_, Self>, a: u32, result: u32) {
        let a_register = translator.in_register(a, &[]);
        let sign_at = translator.offset(translator.program.constants.len());
        let sign = Operand::Memory(AddressRegister::Constants, sign_at);
        translator.finish(&[a], result, |assembler, register| {
            assembler.arithmetic(Instruction::XOR, register, a_register, sign);
        });
    }

    fn fused(
        translator: &mut Translator<'_, Self>,
        operation: Fused,
        [a, b, c]: [u32; 3],
        result: u32,
    ) {
        let kind = match operation {
            Fused::MultiplyAdd => 0,
            Fused::MultiplySubtract => 1,
            Fused::NegatedMultiplyAdd => 2,
        };
        let in_register = |value| matches!(translator.operand(value), Operand::Register(_));
        let (a, b) = if !in_register(a) && in_register(b) { (b, a) } else { (a, b) };
        let first = translator.in_register(a, &[]);
        let c_in_register = matches!(translator.operand(c), Operand::Register(_));
        if c != a && c != b && translator.dies(c) && c_in_register {
            let third = translator.in_register(c, &[first]);
            let second = register_or_memory(translator, b, &[first, third]);
            let instruction = Instruction::FUSED_231[kind];
            translator.assembler.arithmetic(instruction, third, first, second);
            translator.overwritten(&[a, b, c], result, third);
            return;
        }
        let second = translator.in_register(b, &[first]);
        let third = register_or_memory(translator, c, &[first, second]);
        let instruction = Instruction::FUSED_213[kind];
        let third_register = match third {
            Operand::Register(register) => register,
            Operand::Memory(..) => first,
        };
        let target = if translator.dies(a) && a != b && a != c {
            first
        } else {
            let target = translator.free_register(&[first, second, third_register]);
            translator.assembler.load(target, Operand::Register(first));
            target
        };
        translator.assembler.arithmetic(instruction, target, second, third);
        translator.overwritten(&[a, b, c], result, target);
    }

    fn guard(translator: &mut Translator<'_, Self>, [a, b, c]: [u32; 3], result: u32) {
        let first = translator.in_register(a, &[]);
        let third = translator.in_register(c, &[first]);
        let second = register_or_memory(translator, b, &[first, third]);
        let second_register = match second {
            Operand::Register(register) => register,
            Operand::Memory(..) => first,
        };
        let register = translator.free_register(&[first, third, second_register]);
        let undefined_at = translator.offset(translator.program.constants.len() + 2);
        let undefined = Operand::Memory(AddressRegister::Constants, undefined_at);
        translator.assembler.guard(register, (first, second), third, undefined);
        translator.overwritten(&[a, b, c], result, register);
    }

    /// Code for several numbers leaves no upper halves of registers behind, which would slow down a library that computes
    /// with the lower ones.
    fn call(&mut self, function: usize) {
        if self.width != Width::One {
            self.code.extend(ZERO_UPPER);
        }
        self.code.extend([0x48, 0xb8]); // mov rax, function
        self.code.extend((function as u64).to_le_bytes());
        self.code.extend([0xff, 0xd0]); // call rax
    }

    fn first_address(&mut self, address: usize) {
        self.code.extend([0x48, 0xbf]); // mov rdi, address
        self.code.extend((address as u64).to_le_bytes());
    }

    fn fifth_address(&mut self, address: usize) {
        self.code.extend([0x49, 0xb8]); // mov r8, address
        self.code.extend((address as u64).to_le_bytes());
    }

    fn scratch_arguments(&mut self, offsets: [i32; 3], count: u32) {
        // lea rdi / rsi / rdx, [r14 + offset]
        for (register, offset) in [0xbe, 0xb6, 0x96].into_iter().zip(offsets) {
            self.code.extend([0x49, 0x8d, register]);
            self.code.extend(offset.to_le_bytes());
        }
        self.code.push(0xb9); // mov ecx, count
        self.code.extend(count.to_le_bytes());
    }
}

/// A register for a value that is used again soon, memory for one that is not.
fn register_or_memory(
    translator: &mut Translator<'_, Assembler>,
    value: u32,
    keep: &[u8],
) -> Operand {
    match translator.operand(value) {
        memory @ Operand::Memory(..) if translator.is_used_last(value) => memory,
        _ => Operand::Register(translator.in_register(value, keep)),
    }
}
