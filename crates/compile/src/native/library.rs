//! Functions that compiled code calls, with their addresses.
//!
//! Code knows the calling convention of this file alone: a function of formulas is passed to it as an argument, so that
//! it can be any function of Rust.

use crate::sine_cosine::sines_and_cosines_at;

type Unary = fn(f64) -> f64;
type Binary = fn(f64, f64) -> f64;

/// A function that compiled code calls.
#[derive(Clone, Copy)]
pub(super) enum Called {
    Unary(Unary),
    Binary(Binary),
}

impl Called {
    /// The function itself.
    pub(super) fn address(self) -> usize {
        match self {
            Called::Unary(function) => function as usize,
            Called::Binary(function) => function as usize,
        }
    }

    /// What calls it with numbers in registers; its address is the argument that is no number.
    pub(super) fn with_registers(self) -> usize {
        match self {
            Called::Unary(_) => unary as *const () as usize,
            Called::Binary(_) => binary as *const () as usize,
        }
    }

    /// What calls it with arrays of numbers, in which results stand behind the arguments; its address is the last
    /// argument.
    pub(super) fn with_lanes(self) -> usize {
        match self {
            Called::Unary(_) => unary_of_lanes as *const () as usize,
            Called::Binary(_) => binary_of_lanes as *const () as usize,
        }
    }
}

/// The address of the batch of sines and cosines.
pub(super) fn batch() -> usize {
    sines_and_cosines_of_scratch as *const () as usize
}

/// The functions with the calling convention of the code.
macro_rules! functions {
    ($convention:literal) => {
        #[expect(improper_ctypes_definitions, reason = "the function comes from this program")]
        extern $convention fn unary(x: f64, function: Unary) -> f64 {
            function(x)
        }

        #[expect(improper_ctypes_definitions, reason = "the function comes from this program")]
        extern $convention fn binary(x: f64, y: f64, function: Binary) -> f64 {
            function(x, y)
        }

        /// z = f(x), lane by lane.
        ///
        /// # Safety
        /// `x` and `z` point to `count` numbers each.
        #[expect(improper_ctypes_definitions, reason = "the function comes from this program")]
        unsafe extern $convention fn unary_of_lanes(
            x: *const f64,
            _: *const f64,
            z: *mut f64,
            count: usize,
            function: Unary,
        ) {
            for lane in 0..count {
                // SAFETY: the compiled code passes parts of its scratch memory
                unsafe { *z.add(lane) = function(*x.add(lane)) };
            }
        }

        /// z = f(x, y), lane by lane.
        ///
        /// # Safety
        /// The addresses point to `count` numbers each.
        #[expect(improper_ctypes_definitions, reason = "the function comes from this program")]
        unsafe extern $convention fn binary_of_lanes(
            x: *const f64,
            y: *const f64,
            z: *mut f64,
            count: usize,
            function: Binary,
        ) {
            for lane in 0..count {
                // SAFETY: the compiled code passes parts of its scratch memory
                unsafe { *z.add(lane) = function(*x.add(lane), *y.add(lane)) };
            }
        }

        /// # Safety
        /// The three addresses point to `count` numbers each, which do not overlap.
        unsafe extern $convention fn sines_and_cosines_of_scratch(
            angles: *const f64,
            sines: *mut f64,
            cosines: *mut f64,
            count: usize,
        ) {
            // SAFETY: the compiled code passes three parts of its scratch memory
            unsafe { sines_and_cosines_at(angles, sines, cosines, count) };
        }
    };
}

// as on Unix, on Windows too
#[cfg(target_arch = "x86_64")]
functions!("sysv64");
#[cfg(target_arch = "aarch64")]
functions!("C");
