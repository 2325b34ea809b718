//! The few aarch64 instructions that straight-line arithmetic needs, as words of 32 bits.
//!
//! Source: Arm Architecture Reference Manual for A-profile, chapters C6 and C7.

use crate::native::processor::Fused;

/// How many numbers an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// The low number of a register.
    One,
    /// Both numbers of a register.
    Two,
}

impl Width {
    pub(crate) fn lanes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two => 2,
        }
    }
}

#[cfg(target_arch = "aarch64")]
impl Width {
    /// The one of an instruction set.
    pub(crate) fn of(set: catena_linear::InstructionSet) -> Option<Width> {
        (set == catena_linear::InstructionSet::Neon).then_some(Width::Two)
    }

    /// Whether this machine has the instructions: all have them.
    pub(crate) fn is_available(self) -> bool {
        true
    }
}

/// A general register, x0 to x30; 31 is the stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct General(pub(super) u8);

impl General {
    /// Where calls expect their arguments that are no numbers.
    pub(super) const ARGUMENTS: [General; 5] =
        [General(0), General(1), General(2), General(3), General(4)];
    /// What no function keeps, and no argument is in.
    pub(super) const TEMPORARY: General = General(16);
    pub(super) const FRAME: General = General(29);
    pub(super) const LINK: General = General(30);
    pub(super) const STACK: General = General(31);
}

/// An instruction on vector registers, in its form for one number and for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    one: u32,
    two: u32,
}

const fn instruction(one: u32, two: u32) -> Instruction {
    Instruction { one, two }
}

impl Instruction {
    pub(super) const ADD: Instruction = instruction(0x1e60_2800, 0x4e60_d400);
    pub(super) const SUBTRACT: Instruction = instruction(0x1e60_3800, 0x4ee0_d400);
    pub(super) const MULTIPLY: Instruction = instruction(0x1e60_0800, 0x6e60_dc00);
    pub(super) const DIVIDE: Instruction = instruction(0x1e60_1800, 0x6e60_fc00);
    /// All bits where the first is greater, else none.
    pub(super) const GREATER: Instruction = instruction(0x7ee0_e400, 0x6ee0_e400);
    /// The bits of the first, and those that the second does not have.
    pub(super) const OR_NOT: Instruction = instruction(0x4ee0_1c00, 0x4ee0_1c00);
    pub(super) const NEGATE: Instruction = instruction(0x1e61_4000, 0x6ee0_f800);
    pub(super) const SQUARE_ROOT: Instruction = instruction(0x1e61_c000, 0x6ee1_f800);
    /// With an offset in the instruction, counted in registers.
    const LOAD: Instruction = instruction(0xfd40_0000, 0x3dc0_0000);
    const STORE: Instruction = instruction(0xfd00_0000, 0x3d80_0000);
    /// With an offset in a register, in bytes.
    const LOAD_FAR: Instruction = instruction(0xfc60_6800, 0x3ce0_6800);
    const STORE_FAR: Instruction = instruction(0xfc20_6800, 0x3ca0_6800);
}

/// The largest number of an instruction that counts offsets.
const MAX_NEAR_OFFSET: u32 = 0xfff;

/// The number of a vector register. A function keeps v8 to v15 for its caller; the code does without them.
fn vector(register: u8) -> u32 {
    u32::from(if register < 8 { register } else { register + 8 })
}

/// Machine code under construction.
pub(in crate::native) struct Assembler {
    pub(super) code: Vec<u8>,
    pub(super) width: Width,
}

impl Assembler {
    /// How many vector registers it writes to.
    pub(super) const VECTOR_REGISTERS: usize = 24;

    fn word(&mut self, word: u32) {
        self.code.extend(word.to_le_bytes());
    }

    fn form(&self, instruction: Instruction) -> u32 {
        match self.width {
            Width::One => instruction.one,
            Width::Two => instruction.two,
        }
    }

    /// `target = ∘ of`
    pub(super) fn unary(&mut self, instruction: Instruction, target: u8, of: u8) {
        self.word(self.form(instruction) | vector(of) << 5 | vector(target));
    }

    /// `target = first ∘ second`
    pub(super) fn arithmetic(
        &mut self,
        instruction: Instruction,
        target: u8,
        first: u8,
        second: u8,
    ) {
        let operands = vector(second) << 16 | vector(first) << 5;
        self.word(self.form(instruction) | operands | vector(target));
    }

    /// `target = a·b + c`, or with other signs, of one number
    pub(super) fn fused_of_one(&mut self, operation: Fused, target: u8, [a, b, c]: [u8; 3]) {
        let word = match operation {
            Fused::MultiplyAdd => 0x1f40_0000,        // fmadd
            Fused::MultiplySubtract => 0x1f60_8000,   // fnmsub
            Fused::NegatedMultiplyAdd => 0x1f40_8000, // fmsub
        };
        self.word(word | vector(b) << 16 | vector(c) << 10 | vector(a) << 5 | vector(target));
    }

    /// `target = a·b + c`, or with other signs, of two numbers; the target is neither a nor b.
    pub(super) fn fused_of_two(&mut self, operation: Fused, target: u8, [a, b, c]: [u8; 3]) {
        match operation {
            // before the sum: a zero that is left has its sign from there
            Fused::MultiplySubtract => self.unary(Instruction::NEGATE, target, c),
            _ if target == c => {}
            _ => self.copy(target, c),
        }
        let word = match operation {
            Fused::MultiplyAdd | Fused::MultiplySubtract => 0x4e60_cc00, // fmla
            Fused::NegatedMultiplyAdd => 0x4ee0_cc00,                    // fmls
        };
        self.word(word | vector(b) << 16 | vector(a) << 5 | vector(target));
    }

    /// `target = of`
    pub(super) fn copy(&mut self, target: u8, of: u8) {
        let of = vector(of);
        self.word(match self.width {
            Width::One => 0x1e60_4000 | of << 5 | vector(target), // fmov
            Width::Two => 0x4ea0_1c00 | of << 16 | of << 5 | vector(target), // mov
        });
    }

    pub(super) fn load_from(&mut self, register: u8, base: General, offset: u32) {
        self.transfer(Instruction::LOAD, Instruction::LOAD_FAR, register, base, offset);
    }

    pub(super) fn store_to(&mut self, register: u8, base: General, offset: u32) {
        self.transfer(Instruction::STORE, Instruction::STORE_FAR, register, base, offset);
    }

    fn transfer(
        &mut self,
        near: Instruction,
        far: Instruction,
        register: u8,
        base: General,
        offset: u32,
    ) {
        let registers = u32::from(base.0) << 5 | vector(register);
        let count = offset / (8 * self.width.lanes() as u32);
        if count <= MAX_NEAR_OFFSET {
            self.word(self.form(near) | count << 10 | registers);
        } else {
            self.number(General::TEMPORARY, offset.into());
            self.word(self.form(far) | u32::from(General::TEMPORARY.0) << 16 | registers);
        }
    }

    /// `target = number`, by as many instructions as there are pieces of 16 bits that are not zero.
    pub(super) fn number(&mut self, target: General, number: u64) {
        let mut instruction = 0xd280_0000; // movz, then movk
        for piece in 0..4 {
            let bits = (number >> (16 * piece)) as u32 & 0xffff;
            if bits != 0 || (piece == 0 && number == 0) {
                self.word(instruction | piece << 21 | bits << 5 | u32::from(target.0));
                instruction = 0xf280_0000;
            }
        }
    }

    /// `target = base + offset`; of the stack pointer too.
    pub(super) fn address(&mut self, target: General, base: General, offset: u32) {
        let registers = u32::from(base.0) << 5 | u32::from(target.0);
        if offset <= MAX_NEAR_OFFSET {
            self.word(0x9100_0000 | offset << 10 | registers); // add
        } else {
            self.number(General::TEMPORARY, offset.into());
            self.word(0x8b00_0000 | u32::from(General::TEMPORARY.0) << 16 | registers); // add
        }
    }

    /// Stores two general registers on the stack, at a multiple of 8.
    pub(super) fn store_pair(&mut self, first: General, second: General, offset: u32) {
        self.pair(0xa900_0000, first, second, offset as i32);
    }

    /// Loads them from there.
    pub(super) fn load_pair(&mut self, first: General, second: General, offset: u32) {
        self.pair(0xa940_0000, first, second, offset as i32);
    }

    /// Makes room on the stack and stores two general registers there.
    pub(super) fn push_pair(&mut self, first: General, second: General, room: u32) {
        self.pair(0xa980_0000, first, second, -(room as i32));
    }

    /// Loads two general registers from the stack and gives the room back.
    pub(super) fn pop_pair(&mut self, first: General, second: General, room: u32) {
        self.pair(0xa8c0_0000, first, second, room as i32);
    }

    fn pair(&mut self, word: u32, first: General, second: General, offset: i32) {
        let count = (offset / 8) as u32 & 0x7f;
        let registers = [second.0, General::STACK.0, first.0].map(u32::from);
        self.word(word | count << 15 | registers[0] << 10 | registers[1] << 5 | registers[2]);
    }

    /// Calls the function at an address.
    pub(super) fn call_register(&mut self, address: General) {
        self.word(0xd63f_0000 | u32::from(address.0) << 5); // blr
    }

    pub(super) fn ret(&mut self) {
        self.word(0xd65f_03c0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the assembler writes, as instructions in GNU's notation with the words that `as` makes of them. Register 9 is
    /// v17.
    #[test]
    fn instructions_are_those_of_another_assembler() {
        let (x0, x4, x16, x19, x20, x21) =
            (General(0), General(4), General(16), General(19), General(20), General(21));
        let (x29, x30) = (General::FRAME, General::LINK);
        let operands = [2, 3, 9];
        let mut one = Assembler { code: Vec::new(), width: Width::One };
        one.arithmetic(Instruction::ADD, 1, 2, 9);
        one.arithmetic(Instruction::SUBTRACT, 1, 2, 9);
        one.arithmetic(Instruction::MULTIPLY, 1, 2, 9);
        one.arithmetic(Instruction::DIVIDE, 1, 2, 9);
        one.arithmetic(Instruction::GREATER, 1, 2, 9);
        one.arithmetic(Instruction::OR_NOT, 1, 2, 9);
        one.unary(Instruction::NEGATE, 1, 9);
        one.unary(Instruction::SQUARE_ROOT, 1, 9);
        one.copy(1, 9);
        one.fused_of_one(Fused::MultiplyAdd, 1, operands);
        one.fused_of_one(Fused::MultiplySubtract, 1, operands);
        one.fused_of_one(Fused::NegatedMultiplyAdd, 1, operands);
        one.load_from(9, x19, 32_760);
        one.store_to(9, x19, 8);
        one.load_from(9, x19, 32_768);
        one.store_to(9, x19, 0x1_0008);
        one.number(x4, 0);
        one.number(x4, 0x1234);
        one.number(x4, 0xdef0_9abc_5678_0000);
        one.address(x0, x21, 4095);
        one.address(x0, x21, 32_768);
        one.address(x29, General::STACK, 0);
        one.push_pair(x29, x30, 48);
        one.store_pair(x19, x20, 16);
        one.load_pair(x19, x20, 16);
        one.pop_pair(x29, x30, 48);
        one.call_register(x16);
        one.ret();
        assert_words(
            &one,
            &[
                ("fadd d1, d2, d17", 0x1e71_2841),
                ("fsub d1, d2, d17", 0x1e71_3841),
                ("fmul d1, d2, d17", 0x1e71_0841),
                ("fdiv d1, d2, d17", 0x1e71_1841),
                ("fcmgt d1, d2, d17", 0x7ef1_e441),
                ("orn v1.16b, v2.16b, v17.16b", 0x4ef1_1c41),
                ("fneg d1, d17", 0x1e61_4221),
                ("fsqrt d1, d17", 0x1e61_c221),
                ("fmov d1, d17", 0x1e60_4221),
                ("fmadd d1, d2, d3, d17", 0x1f43_4441),
                ("fnmsub d1, d2, d3, d17", 0x1f63_c441),
                ("fmsub d1, d2, d3, d17", 0x1f43_c441),
                ("ldr d17, [x19, #32760]", 0xfd7f_fe71),
                ("str d17, [x19, #8]", 0xfd00_0671),
                ("movz x16, #32768", 0xd290_0010),
                ("ldr d17, [x19, x16]", 0xfc70_6a71),
                ("movz x16, #8", 0xd280_0110),
                ("movk x16, #1, lsl #16", 0xf2a0_0030),
                ("str d17, [x19, x16]", 0xfc30_6a71),
                ("movz x4, #0", 0xd280_0004),
                ("movz x4, #0x1234", 0xd282_4684),
                ("movz x4, #0x5678, lsl #16", 0xd2aa_cf04),
                ("movk x4, #0x9abc, lsl #32", 0xf2d3_5784),
                ("movk x4, #0xdef0, lsl #48", 0xf2fb_de04),
                ("add x0, x21, #4095", 0x913f_fea0),
                ("movz x16, #32768", 0xd290_0010),
                ("add x0, x21, x16", 0x8b10_02a0),
                ("add x29, sp, #0", 0x9100_03fd),
                ("stp x29, x30, [sp, #-48]!", 0xa9bd_7bfd),
                ("stp x19, x20, [sp, #16]", 0xa901_53f3),
                ("ldp x19, x20, [sp, #16]", 0xa941_53f3),
                ("ldp x29, x30, [sp], #48", 0xa8c3_7bfd),
                ("blr x16", 0xd63f_0200),
                ("ret", 0xd65f_03c0),
            ],
        );
        let mut two = Assembler { code: Vec::new(), width: Width::Two };
        two.arithmetic(Instruction::ADD, 1, 2, 9);
        two.arithmetic(Instruction::SUBTRACT, 1, 2, 9);
        two.arithmetic(Instruction::MULTIPLY, 1, 2, 9);
        two.arithmetic(Instruction::DIVIDE, 1, 2, 9);
        two.arithmetic(Instruction::GREATER, 1, 2, 9);
        two.unary(Instruction::NEGATE, 1, 9);
        two.unary(Instruction::SQUARE_ROOT, 1, 9);
        two.fused_of_two(Fused::MultiplyAdd, 1, operands);
        two.fused_of_two(Fused::MultiplySubtract, 1, operands);
        two.fused_of_two(Fused::NegatedMultiplyAdd, 9, operands);
        two.load_from(9, x19, 65_520);
        two.store_to(9, x19, 16);
        two.load_from(9, x19, 65_536);
        two.store_to(9, x19, 65_536);
        assert_words(
            &two,
            &[
                ("fadd v1.2d, v2.2d, v17.2d", 0x4e71_d441),
                ("fsub v1.2d, v2.2d, v17.2d", 0x4ef1_d441),
                ("fmul v1.2d, v2.2d, v17.2d", 0x6e71_dc41),
                ("fdiv v1.2d, v2.2d, v17.2d", 0x6e71_fc41),
                ("fcmgt v1.2d, v2.2d, v17.2d", 0x6ef1_e441),
                ("fneg v1.2d, v17.2d", 0x6ee0_fa21),
                ("fsqrt v1.2d, v17.2d", 0x6ee1_fa21),
                ("mov v1.16b, v17.16b", 0x4eb1_1e21),
                ("fmla v1.2d, v2.2d, v3.2d", 0x4e63_cc41),
                ("fneg v1.2d, v17.2d", 0x6ee0_fa21),
                ("fmla v1.2d, v2.2d, v3.2d", 0x4e63_cc41),
                ("fmls v17.2d, v2.2d, v3.2d", 0x4ee3_cc51),
                ("ldr q17, [x19, #65520]", 0x3dff_fe71),
                ("str q17, [x19, #16]", 0x3d80_0671),
                ("movz x16, #1, lsl #16", 0xd2a0_0030),
                ("ldr q17, [x19, x16]", 0x3cf0_6a71),
                ("movz x16, #1, lsl #16", 0xd2a0_0030),
                ("str q17, [x19, x16]", 0x3cb0_6a71),
            ],
        );
    }

    fn assert_words(assembler: &Assembler, expected: &[(&str, u32)]) {
        let (words, rest) = assembler.code.as_chunks::<4>();
        assert!(rest.is_empty());
        assert_eq!(words.len(), expected.len());
        for (&word, &(text, expected)) in words.iter().zip(expected) {
            let word = u32::from_le_bytes(word);
            assert_eq!(word, expected, "{text}: {word:08x} and {expected:08x}");
        }
    }
}
