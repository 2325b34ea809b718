//! Functions that a module calls, by their places in the table of functions, which in WebAssembly are their addresses.
//!
//! A module knows the calling convention of this file alone: a function of formulas is passed to it as an argument, so
//! that it can be any function of Rust.

use crate::sine_cosine::sines_and_cosines_at;

pub(super) type Unary = fn(f64) -> f64;
pub(super) type Binary = fn(f64, f64) -> f64;

/// The place of a function of formulas.
pub(super) fn place_of_unary(function: Unary) -> u32 {
    function as usize as u32
}

/// The place of a function of formulas.
pub(super) fn place_of_binary(function: Binary) -> u32 {
    function as usize as u32
}

/// The place of what calls a function of one argument.
pub(super) fn unary_caller() -> u32 {
    unary as *const () as usize as u32
}

/// The place of what calls a function of two arguments.
pub(super) fn binary_caller() -> u32 {
    binary as *const () as usize as u32
}

/// The place of the batch of sines and cosines.
pub(super) fn batch() -> u32 {
    sines_and_cosines_of_scratch as *const () as usize as u32
}

#[expect(improper_ctypes_definitions, reason = "the function comes from this program")]
extern "C" fn unary(x: f64, function: Unary) -> f64 {
    function(x)
}

#[expect(improper_ctypes_definitions, reason = "the function comes from this program")]
extern "C" fn binary(x: f64, y: f64, function: Binary) -> f64 {
    function(x, y)
}

/// # Safety
/// The three addresses point to `count` numbers each, which do not overlap.
unsafe extern "C" fn sines_and_cosines_of_scratch(
    angles: *const f64,
    sines: *mut f64,
    cosines: *mut f64,
    count: usize,
) {
    // SAFETY: the module passes three parts of its scratch memory
    unsafe { sines_and_cosines_at(angles, sines, cosines, count) };
}
