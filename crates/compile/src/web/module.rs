//! The bytes of a WebAssembly module that shares memory and functions with the program that wrote it.
//!
//! # Reference
//! *WebAssembly Core Specification* 1.0, W3C 2019, chapter 5 (binary format).

/// The types of the functions in a module and of those it calls, in the order of the module.
#[derive(Clone, Copy)]
pub(super) enum Signature {
    /// Addresses of inputs, outputs and scratch memory.
    Program = 0,
    /// A number and the function of it that is called.
    Unary = 1,
    /// Two numbers and the function of them that is called.
    Binary = 2,
    /// Addresses of angles, sines and cosines, and how many there are.
    Batch = 3,
}

const SIGNATURES: [(&[u8], &[u8]); 4] = [
    (&[I32, I32, I32], &[]),
    (&[F64, I32], &[F64]),
    (&[F64, F64, I32], &[F64]),
    (&[I32, I32, I32, I32], &[]),
];

const I32: u8 = 0x7f;
const F64: u8 = 0x7c;
const FUNCTION_TYPE: u8 = 0x60;
const FUNCTION_REFERENCE: u8 = 0x70;
/// Limits of a table or a memory that may grow.
const WITHOUT_MAXIMUM: u8 = 0;
const OF_FUNCTION: u8 = 0;
const OF_TABLE: u8 = 1;
const OF_MEMORY: u8 = 2;
/// A number of eight bytes begins at a multiple of 2³.
const ALIGNMENT: u8 = 3;

/// Whose exports a module imports: the name that the host gives to the program.
const HOST: &str = "core";

/// What a function of a module begins with: its parameters.
pub(super) const PARAMETERS: u32 = 3;

/// A parameter of a function of a module.
#[derive(Clone, Copy)]
pub(super) enum Address {
    Inputs = 0,
    Outputs = 1,
    Scratch = 2,
}

/// An operation on the numbers on top of the stack.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Arithmetic {
    /// The second of three, or the first where the third is not zero.
    Select = 0x1b,
    Greater = 0x64,
    Negate = 0x9a,
    SquareRoot = 0x9f,
    Add = 0xa0,
    Subtract = 0xa1,
    Multiply = 0xa2,
    Divide = 0xa3,
}

/// The body of a function as it is written.
#[derive(Default)]
pub(super) struct Body {
    code: Vec<u8>,
    /// Numbers it keeps, behind its parameters.
    locals: u32,
}

impl Body {
    /// A place for one more number.
    pub(super) fn new_local(&mut self) -> u32 {
        self.locals += 1;
        PARAMETERS + self.locals - 1
    }

    pub(super) fn get(&mut self, local: u32) {
        self.code.push(0x20);
        unsigned(&mut self.code, local);
    }

    pub(super) fn set(&mut self, local: u32) {
        self.code.push(0x21);
        unsigned(&mut self.code, local);
    }

    /// Keeps a number and leaves it on the stack.
    pub(super) fn tee(&mut self, local: u32) {
        self.code.push(0x22);
        unsigned(&mut self.code, local);
    }

    pub(super) fn number(&mut self, value: f64) {
        self.code.push(0x44);
        self.code.extend(value.to_le_bytes());
    }

    fn whole(&mut self, value: i32) {
        self.code.push(0x41);
        signed(&mut self.code, value);
    }

    pub(super) fn arithmetic(&mut self, operation: Arithmetic) {
        self.code.push(operation as u8);
    }

    /// The number at a place of an array.
    pub(super) fn load(&mut self, array: Address, place: u32) {
        self.get(array as u32);
        self.code.extend([0x2b, ALIGNMENT]);
        unsigned(&mut self.code, bytes(place));
    }

    /// A number kept, into a place of an array.
    pub(super) fn store(&mut self, array: Address, place: u32, local: u32) {
        self.get(array as u32);
        self.get(local);
        self.code.extend([0x39, ALIGNMENT]);
        unsigned(&mut self.code, bytes(place));
    }

    /// The address of a place of an array.
    pub(super) fn address(&mut self, array: Address, place: u32) {
        self.get(array as u32);
        self.whole(bytes(place) as i32);
        self.code.push(0x6a);
    }

    /// A count, or the table index of a function.
    pub(super) fn index(&mut self, index: u32) {
        self.whole(index as i32);
    }

    /// Calls the function at an index of the table, with what is on the stack.
    pub(super) fn call(&mut self, index: u32, signature: Signature) {
        self.index(index);
        self.code.extend([0x11, signature as u8, 0]);
    }

    /// Calls another function of the module, with the same parameters.
    fn pass_on(&mut self, function: u32) {
        (0..PARAMETERS).for_each(|parameter| self.get(parameter));
        self.code.push(0x10);
        unsigned(&mut self.code, function);
    }

    /// The function as it stands in a module.
    fn finished(&self) -> Vec<u8> {
        let mut function = Vec::with_capacity(self.code.len() + 8);
        // one run of locals, all of them numbers
        function.push(1);
        unsigned(&mut function, self.locals);
        function.push(F64);
        function.extend(&self.code);
        function.push(0x0b);
        function
    }
}

/// The module whose export `run` calls these functions one after the other.
pub(super) fn module(mut pieces: Vec<Body>) -> Vec<u8> {
    let mut last = pieces.len() as u32 - 1;
    if last > 0 {
        let mut whole = Body::default();
        (0..=last).for_each(|piece| whole.pass_on(piece));
        pieces.push(whole);
        last += 1;
    }
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    let types = SIGNATURES.iter().map(|(parameters, results)| {
        let mut bytes = vec![FUNCTION_TYPE];
        vector(&mut bytes, parameters);
        vector(&mut bytes, results);
        bytes
    });
    section(&mut module, 1, types);
    section(&mut module, 2, imports().into_iter());
    section(&mut module, 3, pieces.iter().map(|_| vec![Signature::Program as u8]));
    let mut run = Vec::new();
    vector(&mut run, b"run");
    run.push(OF_FUNCTION);
    unsigned(&mut run, last);
    section(&mut module, 7, [run].into_iter());
    let functions = pieces.iter().map(|piece| {
        let mut bytes = Vec::new();
        vector(&mut bytes, &piece.finished());
        bytes
    });
    section(&mut module, 10, functions);
    module
}

/// The memory and the table of functions of the program itself.
fn imports() -> [Vec<u8>; 2] {
    let import = |name: &str, description: &[u8]| {
        let mut bytes = Vec::new();
        vector(&mut bytes, HOST.as_bytes());
        vector(&mut bytes, name.as_bytes());
        bytes.extend(description);
        bytes
    };
    [
        import("memory", &[OF_MEMORY, WITHOUT_MAXIMUM, 0]),
        import("table", &[OF_TABLE, FUNCTION_REFERENCE, WITHOUT_MAXIMUM, 0]),
    ]
}

fn section(module: &mut Vec<u8>, number: u8, items: impl ExactSizeIterator<Item = Vec<u8>>) {
    let mut bytes = Vec::new();
    unsigned(&mut bytes, items.len() as u32);
    bytes.extend(items.flatten());
    module.push(number);
    vector(module, &bytes);
}

/// Bytes behind their number.
fn vector(to: &mut Vec<u8>, bytes: &[u8]) {
    unsigned(to, bytes.len() as u32);
    to.extend(bytes);
}

/// Where a place of an array is, in bytes.
fn bytes(place: u32) -> u32 {
    place * size_of::<f64>() as u32
}

/// Seven bits a byte, the low ones first (LEB128).
fn unsigned(to: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// The same with a sign, which is the last bit but one of the last byte.
fn signed(to: &mut Vec<u8>, mut value: i32) {
    while !(-0x40..0x40).contains(&value) {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8 & 0x7f);
}
