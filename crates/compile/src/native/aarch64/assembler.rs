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
