//! An aarch64 that knows the instructions of the code and nothing else, so that other machines can run it in tests. It
//! reads words by the tables of the manual, whatever wrote them.

use crate::native::library::{self, Called};

type WithRegisters = extern "sysv64" fn(f64, usize) -> f64;
type WithTwoRegisters = extern "sysv64" fn(f64, f64, usize) -> f64;
type WithLanes = unsafe extern "sysv64" fn(u64, u64, u64, u64, u64);

/// What a function may leave behind in any register that it does not keep.
const RUBBISH: u64 = 0xdead_dead_dead_dead;

/// The state of the processor. Addresses are those of this process; the stack is one of its own.
pub(super) struct Emulator {
    general: [u64; 32],
    vector: [[f64; 2]; 32],
    stack: Vec<u64>,
}

impl Emulator {
    /// Calls the code as a function of four addresses.
    ///
    /// # Safety
    /// The code reads and writes only what the addresses lead to.
    pub(super) unsafe fn call(code: &[u8], arguments: [*const f64; 4]) {
        let stack = vec![RUBBISH; 32];
        let mut machine = Emulator { general: [RUBBISH; 32], vector: [[f64::NAN; 2]; 32], stack };
        for (register, address) in machine.general.iter_mut().zip(arguments) {
            *register = address.addr() as u64;
        }
        machine.general[31] = machine.stack.as_ptr_range().end.addr() as u64;
        // what the code has to keep: x18, x19 to x31 and v8 to v15
        for register in 18..31 {
            machine.general[register] = 100 + register as u64;
        }
        for register in 8..16 {
            machine.vector[register] = [register as f64; 2];
        }
        let (general, vector) = (machine.general, machine.vector);
        let (words, _) = code.as_chunks::<4>();
        for (at, word) in words.iter().enumerate() {
            // SAFETY: as the caller promises
            let returned = unsafe { machine.run(u32::from_le_bytes(*word)) };
            assert_eq!(returned, at + 1 == words.len(), "the last instruction returns");
        }
        assert_eq!(machine.general[18..], general[18..]);
        assert_eq!(machine.vector[8..16], vector[8..16]);
    }

    /// Runs one instruction; whether it returns to the caller.
    ///
    /// # Safety
    /// As for [`Emulator::call`].
    unsafe fn run(&mut self, word: u32) -> bool {
        let field = |first: u32, len: u32| (word >> first & ((1 << len) - 1)) as usize;
        let (d, n, m, a) = (field(0, 5), field(5, 5), field(16, 5), field(10, 5));
        let [first, second, third, target] = [n, m, a, d].map(|register| self.vector[register]);
        // one number: the upper half of the register becomes zero
        let one = |value: f64| Some([value, 0.0]);
        let two = |f: &dyn Fn(usize) -> f64| Some([f(0), f(1)]);
        let bits = |set: bool| f64::from_bits(if set { u64::MAX } else { 0 });
        let or_not = |a: f64, b: f64| f64::from_bits(a.to_bits() | !b.to_bits());
        let computed = match word & 0xffe0_fc00 {
            0x7ee0_e400 => one(bits(first[0] > second[0])),
            0x6ee0_e400 => two(&|lane| bits(first[lane] > second[lane])),
            0x4ee0_1c00 => two(&|lane| or_not(first[lane], second[lane])),
            0x1e60_2800 => one(first[0] + second[0]),
            0x1e60_3800 => one(first[0] - second[0]),
            0x1e60_0800 => one(first[0] * second[0]),
            0x1e60_1800 => one(first[0] / second[0]),
            0x4e60_d400 => two(&|lane| first[lane] + second[lane]),
            0x4ee0_d400 => two(&|lane| first[lane] - second[lane]),
            0x6e60_dc00 => two(&|lane| first[lane] * second[lane]),
            0x6e60_fc00 => two(&|lane| first[lane] / second[lane]),
            0x4e60_cc00 => two(&|lane| first[lane].mul_add(second[lane], target[lane])),
            0x4ee0_cc00 => two(&|lane| (-first[lane]).mul_add(second[lane], target[lane])),
            0x4ea0_1c00 if n == m => Some(first),
            _ => match (word & 0xffe0_8000, word & 0xffff_fc00) {
                (0x1f40_0000, _) => one(first[0].mul_add(second[0], third[0])),
                (0x1f40_8000, _) => one((-first[0]).mul_add(second[0], third[0])),
                (0x1f60_8000, _) => one(first[0].mul_add(second[0], -third[0])),
                (_, 0x1e61_4000) => one(-first[0]),
                (_, 0x1e61_c000) => one(first[0].sqrt()),
                (_, 0x1e60_4000) => one(first[0]),
                (_, 0x6ee0_f800) => two(&|lane| -first[lane]),
                (_, 0x6ee1_f800) => two(&|lane| first[lane].sqrt()),
                _ => None,
            },
        };
        if let Some(value) = computed {
            self.vector[d] = value;
            return false;
        }
        let near = |unit: usize| self.general[n] + (unit * field(10, 12)) as u64;
        let far = || self.general[n] + self.general[m];
        let transfer = match (word & 0xffc0_0000, word & 0xffe0_fc00) {
            (0xfd00_0000 | 0xfd40_0000, _) => Some((near(8), 1, word & 0x0040_0000 != 0)),
            (0x3d80_0000 | 0x3dc0_0000, _) => Some((near(16), 2, word & 0x0040_0000 != 0)),
            (_, 0xfc20_6800 | 0xfc60_6800) => Some((far(), 1, word & 0x0040_0000 != 0)),
            (_, 0x3ca0_6800 | 0x3ce0_6800) => Some((far(), 2, word & 0x0040_0000 != 0)),
            _ => None,
        };
        if let Some((address, lanes, is_load)) = transfer {
            let memory = address as *mut f64;
            for lane in 0..lanes {
                // SAFETY: as the caller promises
                unsafe {
                    match is_load {
                        true => self.vector[d][lane] = *memory.add(lane),
                        false => *memory.add(lane) = self.vector[d][lane],
                    }
                }
            }
            return false;
        }
        let piece = 16 * field(21, 2);
        let bits = (field(5, 16) as u64) << piece;
        match word & 0xff80_0000 {
            0xd280_0000 => self.general[d] = bits,
            0xf280_0000 => self.general[d] = self.general[d] & !(0xffff << piece) | bits,
            0x9100_0000 => self.general[d] = self.general[n] + field(10, 12) as u64,
            0x8b00_0000 => self.general[d] = self.general[n] + self.general[m],
            _ if word == 0xd65f_03c0 => return true,
            _ if word & 0xffff_fc1f == 0xd63f_0000 => unsafe { self.branch(self.general[n]) },
            _ => self.pair(word),
        }
        false
    }

    /// Pairs of registers on the stack: before, behind or at an offset.
    fn pair(&mut self, word: u32) {
        let kind = word & 0xffc0_0000;
        assert!([0xa900_0000, 0xa940_0000, 0xa980_0000, 0xa8c0_0000].contains(&kind), "{word:08x}");
        assert_eq!(word >> 5 & 31, 31, "the stack");
        let offset = i64::from((word << 10) as i32 >> 25) * 8;
        let moved = self.general[31].wrapping_add_signed(offset);
        let address = if kind == 0xa8c0_0000 { self.general[31] } else { moved };
        let at = (address - self.stack.as_ptr().addr() as u64) as usize / 8;
        for (place, register) in [word & 31, word >> 10 & 31].into_iter().enumerate() {
            match kind {
                0xa940_0000 | 0xa8c0_0000 => {
                    self.general[register as usize] = self.stack[at + place]
                }
                _ => self.stack[at + place] = self.general[register as usize],
            }
        }
        if kind == 0xa980_0000 || kind == 0xa8c0_0000 {
            assert_eq!(offset % 16, 0, "the stack stays on 16 bytes");
            self.general[31] = moved;
        }
    }

    /// Calls a function of the library by its address.
    ///
    /// # Safety
    /// Its arguments are in place.
    unsafe fn branch(&mut self, address: u64) {
        use std::mem::transmute;
        let (unary, binary) = (Called::Unary(f64::sqrt), Called::Binary(f64::powf));
        let entry = address as *const ();
        let [x0, x1, x2, x3, x4] = [0, 1, 2, 3, 4].map(|register| self.general[register]);
        let [x, y] = [self.vector[0][0], self.vector[1][0]];
        let address = address as usize;
        // SAFETY: the addresses are those of functions of these types
        let result = unsafe {
            if address == unary.with_registers() {
                transmute::<*const (), WithRegisters>(entry)(x, x0 as usize)
            } else if address == binary.with_registers() {
                transmute::<*const (), WithTwoRegisters>(entry)(x, y, x0 as usize)
            } else {
                let lanes = [unary.with_lanes(), binary.with_lanes(), library::batch()];
                assert!(lanes.contains(&address), "no function of the library");
                transmute::<*const (), WithLanes>(entry)(x0, x1, x2, x3, x4);
                f64::NAN
            }
        };
        self.general[..18].fill(RUBBISH);
        self.general[30] = RUBBISH;
        self.vector[..8].fill([f64::NAN; 2]);
        self.vector[16..].fill([f64::NAN; 2]);
        self.vector[0][0] = result;
    }
}
