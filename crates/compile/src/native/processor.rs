//! What the translation asks of a processor: instructions, the forms of their operands, and how functions are called.

use super::allocate::Translator;

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A vector register.
    Register(u8),
    /// A value at an address plus an offset in bytes.
    Memory(AddressRegister, i32),
}

/// General registers that hold the addresses of a run; calls preserve them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressRegister {
    Inputs,
    Outputs,
    Scratch,
    Constants,
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// A product and a sum, rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fused {
    /// a·b + c
    MultiplyAdd,
    /// a·b − c
    MultiplySubtract,
    /// c − a·b
    NegatedMultiplyAdd,
}

/// Writes the machine code of a processor. Vector registers are numbered from 0; no call preserves them, and the first two
/// hold the numbers that a function is called with, the first one its result.
pub(super) trait Processor: Sized {
    /// How many numbers an instruction works on.
    type Width: Copy;

    /// Numbers that instructions read, behind the constants of the program.
    const CONSTANTS: &[f64];

    fn new(width: Self::Width) -> Self;

    /// The numbers side by side in a register.
    fn lanes(&self) -> usize;

    /// How many vector registers can hold values.
    fn registers(&self) -> usize;

    /// The code that was written.
    fn into_bytes(self) -> Vec<u8>;

    /// Begins a function of the addresses of inputs, outputs, scratch memory and constants, which stay in their registers.
    fn prologue(&mut self);

    fn epilogue(&mut self);

    fn load(&mut self, register: u8, from: Operand);

    fn store(&mut self, register: u8, base: AddressRegister, offset: i32);

    fn square_root(&mut self, register: u8, of: u8);

    /// Writes an operation on two values, wherever they are.
    fn binary(
        translator: &mut Translator<'_, Self>,
        operation: Binary,
        a: u32,
        b: u32,
        result: u32,
    );

    /// Writes −a.
    fn negate(translator: &mut Translator<'_, Self>, a: u32, result: u32);

    /// Writes a fused operation on three values, wherever they are.
    fn fused(
        translator: &mut Translator<'_, Self>,
        operation: Fused,
        values: [u32; 3],
        result: u32,
    );

    /// Writes c where a > b, else NaN.
    fn guard(translator: &mut Translator<'_, Self>, values: [u32; 3], result: u32);

    /// Calls a function whose arguments are in place.
    fn call(&mut self, function: usize);

    /// Puts the address of a function where a call expects its first argument that is no number.
    fn first_address(&mut self, address: usize);

    /// Puts the address of a function behind the four arguments in the scratch memory.
    fn fifth_address(&mut self, address: usize);

    /// Puts three addresses in the scratch memory and a count where a call expects them.
    fn scratch_arguments(&mut self, offsets: [i32; 3], count: u32);
}
