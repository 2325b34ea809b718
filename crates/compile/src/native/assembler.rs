//! The few x86-64 instructions that straight-line arithmetic needs, as bytes.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A vector register.
    Register(u8),
    /// Eight bytes at a base register plus an offset.
    Memory(Base, i32),
}

/// General registers that hold the addresses of a run; calls preserve them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// rbx
    Inputs = 3,
    /// r13
    Outputs = 13,
    /// r14
    Scratch = 14,
    /// r15
    Constants = 15,
}

/// An arithmetic instruction on the low double of vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// 1: 0F, 2: 0F 38
    map: u8,
    /// 0: none, 1: 66, 3: F2
    prefix: u8,
    wide: bool,
    opcode: u8,
}

const fn scalar(opcode: u8) -> Instruction {
    Instruction { map: 1, prefix: 3, wide: false, opcode }
}

const fn fused(opcode: u8) -> Instruction {
    Instruction { map: 2, prefix: 1, wide: true, opcode }
}

impl Instruction {
    pub(super) const ADD: Instruction = scalar(0x58);
    pub(super) const MULTIPLY: Instruction = scalar(0x59);
    pub(super) const SUBTRACT: Instruction = scalar(0x5c);
    pub(super) const DIVIDE: Instruction = scalar(0x5e);
    pub(super) const SQUARE_ROOT: Instruction = scalar(0x51);
    const LOAD: Instruction = scalar(0x10);
    const STORE: Instruction = scalar(0x11);
    const MOVE: Instruction = Instruction { map: 1, prefix: 1, wide: false, opcode: 0x28 };
    pub(super) const XOR: Instruction =
        Instruction { map: 1, prefix: 1, wide: false, opcode: 0x57 };
    /// first = second · first + third, and with other signs
    pub(super) const FUSED_213: [Instruction; 3] = [fused(0xa9), fused(0xab), fused(0xad)];
    /// first = second · third + first, and with other signs
    pub(super) const FUSED_231: [Instruction; 3] = [fused(0xb9), fused(0xbb), fused(0xbd)];
}

/// Machine code under construction.
#[derive(Default)]
pub(super) struct Assembler {
    pub(super) code: Vec<u8>,
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
        let extended = match third {
            Operand::Register(register) => register >= 8,
            Operand::Memory(base, _) => base as u8 >= 8,
        };
        let bit = |set: bool, place: u8| u8::from(!set) << place;
        self.code.push(0xc4);
        self.code.push(bit(first >= 8, 7) | bit(false, 6) | bit(extended, 5) | instruction.map);
        let second = (!second & 15) << 3;
        self.code.push(u8::from(instruction.wide) << 7 | second | instruction.prefix);
        self.code.push(instruction.opcode);
        let register = (first & 7) << 3;
        match third {
            Operand::Register(third) => self.code.push(0xc0 | register | (third & 7)),
            Operand::Memory(base, offset) => self.address(register, base as u8 & 7, offset),
        }
    }

    /// The bytes behind the opcode for an address; none of our bases needs an index byte.
    fn address(&mut self, register: u8, base: u8, offset: i32) {
        match i8::try_from(offset) {
            Ok(short) => {
                self.code.push(0x40 | register | base);
                self.code.push(short as u8);
            }
            Err(_) => {
                self.code.push(0x80 | register | base);
                self.code.extend(offset.to_le_bytes());
            }
        }
    }

    pub(super) fn load(&mut self, register: u8, from: Operand) {
        match from {
            Operand::Register(other) if other == register => {}
            Operand::Register(_) => self.arithmetic(Instruction::MOVE, register, 0, from),
            // a scalar load has no second operand, which is written as register 0
            Operand::Memory(..) => self.arithmetic(Instruction::LOAD, register, 0, from),
        }
    }

    pub(super) fn store(&mut self, register: u8, base: Base, offset: i32) {
        self.arithmetic(Instruction::STORE, register, 0, Operand::Memory(base, offset));
    }

    /// Saves the registers that calls preserve and keeps the four addresses in them.
    pub(super) fn prologue(&mut self) {
        self.code.extend([0x53, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57]); // push rbx, r13, r14, r15
        self.code.extend([0x48, 0x83, 0xec, 0x08]); // sub rsp, 8: calls need a stack on 16 bytes
        self.code.extend([0x48, 0x89, 0xfb]); // mov rbx, rdi
        self.code.extend([0x49, 0x89, 0xf5]); // mov r13, rsi
        self.code.extend([0x49, 0x89, 0xd6]); // mov r14, rdx
        self.code.extend([0x49, 0x89, 0xcf]); // mov r15, rcx
    }

    pub(super) fn epilogue(&mut self) {
        self.code.extend([0x48, 0x83, 0xc4, 0x08]); // add rsp, 8
        self.code.extend([0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x5b]); // pop r15, r14, r13, rbx
        self.code.extend([0xc5, 0xf8, 0x77]); // vzeroupper
        self.code.push(0xc3); // ret
    }

    /// Calls a function whose arguments are in place.
    pub(super) fn call(&mut self, function: usize) {
        self.code.extend([0x48, 0xb8]); // mov rax, function
        self.code.extend((function as u64).to_le_bytes());
        self.code.extend([0xff, 0xd0]); // call rax
    }

    /// Puts three addresses in the scratch memory and a count where a call expects them.
    pub(super) fn scratch_arguments(&mut self, offsets: [i32; 3], count: u32) {
        // lea rdi / rsi / rdx, [r14 + offset]
        for (register, offset) in [0xbe, 0xb6, 0x96].into_iter().zip(offsets) {
            self.code.extend([0x49, 0x8d, register]);
            self.code.extend(offset.to_le_bytes());
        }
        self.code.push(0xb9); // mov ecx, count
        self.code.extend(count.to_le_bytes());
    }
}
