//! The few x86-64 instructions that straight-line arithmetic needs, as bytes.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.

use crate::native::processor::{AddressRegister, Operand};
use catena_linear::InstructionSet;

/// How many numbers an instruction works on, and with which of the processor's instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// The low number of a register, AVX2 with FMA.
    One,
    /// Four, AVX2 with FMA.
    Four,
    /// Eight, AVX-512.
    Eight,
}

impl Width {
    pub(crate) fn lanes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Four => 4,
            Width::Eight => 8,
        }
    }

    /// The one of an instruction set.
    pub(crate) fn of(set: InstructionSet) -> Option<Width> {
        match set {
            InstructionSet::Avx512 | InstructionSet::Avx512Pairs => Some(Width::Eight),
            InstructionSet::Avx2 | InstructionSet::Avx2Pairs => Some(Width::Four),
            InstructionSet::Neon | InstructionSet::Portable => None,
        }
    }

    /// Whether this machine has the instructions.
    pub(crate) fn is_available(self) -> bool {
        let short = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        short
            && (self != Width::Eight
                || (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")))
    }
}

/// The general register of an address.
fn number(base: AddressRegister) -> u8 {
    match base {
        AddressRegister::Inputs => 3,     // rbx
        AddressRegister::Outputs => 13,   // r13
        AddressRegister::Scratch => 14,   // r14
        AddressRegister::Constants => 15, // r15
    }
}

/// An instruction on vector registers, in its form for one number and for several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// 1: 0F, 2: 0F 38, 3: 0F 3A
    map: u8,
    /// For one number; 1: 66, 3: F2. For several it is always 66.
    prefix: u8,
    /// Whether the form for one number has the W bit.
    wide: bool,
    opcode: u8,
    /// For several numbers.
    packed: u8,
}

const fn scalar(opcode: u8) -> Instruction {
    Instruction { map: 1, prefix: 3, wide: false, opcode, packed: opcode }
}

/// Without a form of its own for one number.
const fn bits(opcode: u8) -> Instruction {
    Instruction { map: 1, prefix: 1, wide: false, opcode, packed: opcode }
}

const fn fused(opcode: u8) -> Instruction {
    Instruction { map: 2, prefix: 1, wide: true, opcode, packed: opcode - 1 }
}

impl Instruction {
    pub(super) const ADD: Instruction = scalar(0x58);
    pub(super) const MULTIPLY: Instruction = scalar(0x59);
    pub(super) const SUBTRACT: Instruction = scalar(0x5c);
    pub(super) const DIVIDE: Instruction = scalar(0x5e);
    pub(super) const SQUARE_ROOT: Instruction = scalar(0x51);
    pub(super) const LOAD: Instruction = scalar(0x10);
    pub(super) const STORE: Instruction = scalar(0x11);
    pub(super) const MOVE: Instruction =
        Instruction { map: 1, prefix: 1, wide: false, opcode: 0x28, packed: 0x28 };
    const MAXIMUM: Instruction = scalar(0x5f);
    /// Of bits; as the instructions of whole numbers, which the first AVX-512 has too.
    pub(super) const XOR: Instruction = bits(0xef);
    const AND: Instruction = bits(0xdb);
    const OR: Instruction = bits(0xeb);
    const SHIFT: Instruction = bits(0x73);
    const COMPARE: Instruction = scalar(0xc2);
    /// AVX2: the third where the sign of a fourth is set, else the second.
    const BLEND_BY_SIGN: Instruction = Instruction { map: 3, ..bits(0x4b) };
    /// AVX-512: the third where a bit of the mask is set, else the second.
    const BLEND_BY_MASK: Instruction = Instruction { map: 2, ..bits(0x65) };
    /// AVX-512: the smaller or greater of two, or of their magnitudes, with a choice of sign.
    const RANGE: Instruction = Instruction { map: 3, ..bits(0x50) };
    /// AVX-512: a mask of where second and third have bits in common.
    const TEST: Instruction = Instruction { map: 2, ..bits(0x27) };
    /// AVX-512: any function of three bits.
    const TERNARY: Instruction = Instruction { map: 3, ..bits(0x25) };
    /// first = second · first + third, and with other signs
    pub(super) const FUSED_213: [Instruction; 3] = [fused(0xa9), fused(0xab), fused(0xad)];
    /// first = second · third + first, and with other signs
    pub(super) const FUSED_231: [Instruction; 3] = [fused(0xb9), fused(0xbb), fused(0xbd)];
    /// first = −second · third − first
    pub(super) const NEGATED_FUSED_231: Instruction = fused(0xbf);
}

/// The mask register of AVX-512 that this code uses; with 0 in its place there is none.
const MASK: u8 = 1;
/// The greater of two magnitudes, without a sign; NaN does not count.
const GREATER_MAGNITUDE: u8 = 0xb;
/// The comparison that holds where the first is not greater than the second, or one of them is NaN.
const NOT_GREATER: u8 = 0x1a;
/// The comparison that holds where the first is greater than the second.
const GREATER: u8 = 0x1e;
/// a ^ (b & c) as a table of bits.
const XOR_OF_AND: u8 = 0x78;

/// A bit that is 0 if set.
fn clear(set: bool, place: u8) -> u8 {
    u8::from(!set) << place
}

/// Machine code under construction.
pub(in crate::native) struct Assembler {
    pub(super) code: Vec<u8>,
    pub(super) width: Width,
}

impl Assembler {
    /// `first = second ∘ third`
    pub(super) fn arithmetic(
        &mut self,
        instruction: Instruction,
        first: u8,
        second: u8,
        third: Operand,
    ) {
        self.masked(instruction, first, second, third, 0);
    }

    /// The same where a mask register says so; 0 for everywhere.
    fn masked(
        &mut self,
        instruction: Instruction,
        first: u8,
        second: u8,
        third: Operand,
        mask: u8,
    ) {
        match self.width {
            Width::One | Width::Four => self.short_prefix(instruction, first, second, third),
            Width::Eight => self.long_prefix(instruction, first, second, third, mask),
        }
        let opcode = if self.width == Width::One { instruction.opcode } else { instruction.packed };
        self.code.push(opcode);
        let register = (first & 7) << 3;
        match third {
            Operand::Register(third) => self.code.push(0xc0 | register | (third & 7)),
            Operand::Memory(base, offset) => self.address(register, number(base) & 7, offset),
        }
    }

    /// The prefix of AVX: three bytes. Registers are written with their bits turned round.
    fn short_prefix(&mut self, instruction: Instruction, first: u8, second: u8, third: Operand) {
        let extended = match third {
            Operand::Register(register) => register >= 8,
            Operand::Memory(base, _) => number(base) >= 8,
        };
        self.code.push(0xc4);
        self.code
            .push(clear(first >= 8, 7) | clear(false, 6) | clear(extended, 5) | instruction.map);
        let second = (!second & 15) << 3;
        let (wide, long, prefix) = match self.width {
            Width::One => (instruction.wide, 0, instruction.prefix),
            _ => (instruction.wide, 4, 1),
        };
        self.code.push(u8::from(wide) << 7 | second | long | prefix);
    }

    /// The prefix of AVX-512: four bytes, a fifth bit for each register.
    fn long_prefix(
        &mut self,
        instruction: Instruction,
        first: u8,
        second: u8,
        third: Operand,
        mask: u8,
    ) {
        let (eighth, sixteenth) = match third {
            Operand::Register(register) => (register & 8 != 0, register & 16 != 0),
            Operand::Memory(base, _) => (number(base) >= 8, false),
        };
        self.code.push(0x62);
        self.code.push(
            clear(first & 8 != 0, 7)
                | clear(sixteenth, 6)
                | clear(eighth, 5)
                | clear(first & 16 != 0, 4)
                | instruction.map,
        );
        // numbers of 64 bits, prefix 66
        self.code.push(0x80 | (!second & 15) << 3 | 4 | 1);
        // 512 bits
        self.code.push(0x40 | clear(second & 16 != 0, 3) | mask);
    }

    /// A short offset counts in whole registers under the prefix of AVX-512, in bytes otherwise.
    fn short_offset(&self, offset: i32) -> Option<i8> {
        let unit = if self.width == Width::Eight { 64 } else { 1 };
        i8::try_from(offset / unit).ok().filter(|_| offset % unit == 0)
    }

    /// The bytes behind the opcode for an address; none of our bases needs an index byte.
    fn address(&mut self, register: u8, base: u8, offset: i32) {
        match self.short_offset(offset) {
            Some(short) => {
                self.code.push(0x40 | register | base);
                self.code.push(short as u8);
            }
            None => {
                self.code.push(0x80 | register | base);
                self.code.extend(offset.to_le_bytes());
            }
        }
    }

    /// `to = from << count`, as whole numbers of 64 bits.
    pub(super) fn shift_left(&mut self, to: u8, from: u8, count: u8) {
        // the place of the first operand says which shift it is
        self.arithmetic(Instruction::SHIFT, 6, to, Operand::Register(from));
        self.code.push(count);
    }

    /// `largest` becomes the greater of itself and the magnitude of `x`, if that is a number; `spare` is lost.
    pub(super) fn watch_magnitude(
        &mut self,
        largest: u8,
        x: u8,
        (spare, magnitude): (u8, Operand),
    ) {
        if self.width == Width::Eight {
            self.arithmetic(Instruction::RANGE, largest, largest, Operand::Register(x));
            self.code.push(GREATER_MAGNITUDE);
        } else {
            self.arithmetic(Instruction::AND, spare, x, magnitude);
            self.arithmetic(Instruction::MAXIMUM, largest, spare, Operand::Register(largest));
        }
    }

    /// `register ^= bits & mask`; `bits` is lost.
    pub(super) fn xor_masked(&mut self, register: u8, bits: u8, mask: Operand) {
        if self.width == Width::Eight {
            self.arithmetic(Instruction::TERNARY, register, bits, mask);
            self.code.push(XOR_OF_AND);
        } else {
            self.arithmetic(Instruction::AND, bits, bits, mask);
            self.arithmetic(Instruction::XOR, register, register, Operand::Register(bits));
        }
    }

    /// `first = a` and `second = b`, or the other way round where the lowest bit of `by` is set; `by` is kept, `spare` lost.
    pub(super) fn exchange_if_odd(
        &mut self,
        [first, second]: [u8; 2],
        [a, b]: [u8; 2],
        by: u8,
        (spare, one): (u8, Operand),
    ) {
        let pairs = [(first, a, b), (second, b, a)];
        if self.width == Width::Eight {
            self.arithmetic(Instruction::TEST, MASK, by, one);
            for (to, even, odd) in pairs {
                let odd = Operand::Register(odd);
                self.masked(Instruction::BLEND_BY_MASK, to, even, odd, MASK);
            }
        } else {
            self.shift_left(spare, by, 63);
            for (to, even, odd) in pairs {
                self.arithmetic(Instruction::BLEND_BY_SIGN, to, even, Operand::Register(odd));
                self.code.push(spare << 4);
            }
        }
    }

    /// `register = third` where `first > second`, else NaN; `register` is none of the others.
    pub(super) fn guard(
        &mut self,
        register: u8,
        (first, second): (u8, Operand),
        third: u8,
        undefined: Operand,
    ) {
        if self.width == Width::Eight {
            self.arithmetic(Instruction::COMPARE, MASK, first, second);
            self.code.push(NOT_GREATER);
            self.masked(Instruction::BLEND_BY_MASK, register, third, undefined, MASK);
        } else {
            // where it does not hold all bits are set, which is a NaN
            self.arithmetic(Instruction::COMPARE, register, first, second);
            self.code.push(NOT_GREATER);
            self.arithmetic(Instruction::OR, register, register, Operand::Register(third));
        }
    }

    /// Returns from the code, in eax whether a number of this register is greater; the register is lost.
    pub(super) fn answer_greater(&mut self, register: u8, than: Operand) {
        if self.width == Width::Eight {
            self.arithmetic(Instruction::COMPARE, MASK, register, than);
            self.code.push(GREATER);
            self.code.extend([0xc5, 0xf8, 0x93, 0xc0 | MASK]); // kmovw eax, k1
        } else {
            self.arithmetic(Instruction::COMPARE, register, register, than);
            self.code.push(GREATER);
            // vmovmskpd eax, register
            self.code.extend([0xc4, 0xe1 & !(clear(register < 8, 5)), 0x7d, 0x50]);
            self.code.push(0xc0 | (register & 7));
        }
    }
}
