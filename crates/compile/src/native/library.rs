//! Functions that compiled code calls, with their addresses.

use crate::sine_cosine::sines_and_cosines;
use catena_symbolic::Function;

type Unary = extern "sysv64" fn(f64) -> f64;
type Binary = extern "sysv64" fn(f64, f64) -> f64;
type Turns = unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64, usize);
type Lanes = unsafe extern "sysv64" fn(*const f64, *const f64, *mut f64, usize);

/// A function that compiled code calls.
#[derive(Clone, Copy)]
pub(super) enum Called {
    Unary(Function),
    Binary(Function),
    Power,
}

impl Called {
    /// For numbers in registers.
    pub(super) fn address(self) -> usize {
        match self {
            Called::Unary(function) => unary(function).0 as usize,
            Called::Binary(function) => binary(function).0 as usize,
            Called::Power => power as Binary as usize,
        }
    }

    /// For arrays of numbers, in which results stand behind the arguments.
    pub(super) fn address_for_lanes(self) -> usize {
        match self {
            Called::Unary(function) => unary(function).1 as usize,
            Called::Binary(function) => binary(function).1 as usize,
            Called::Power => {
                unsafe extern "sysv64" fn call(
                    x: *const f64,
                    y: *const f64,
                    z: *mut f64,
                    count: usize,
                ) {
                    // SAFETY: the compiled code passes three parts of its scratch memory
                    unsafe { each(x, y, z, count, |x, y| x.powf(y)) };
                }
                call as Lanes as usize
            }
        }
    }
}

extern "sysv64" fn power(x: f64, y: f64) -> f64 {
    x.powf(y)
}

/// z = f(x, y), lane by lane.
///
/// # Safety
/// The addresses point to `count` numbers each.
unsafe fn each(
    x: *const f64,
    y: *const f64,
    z: *mut f64,
    count: usize,
    f: impl Fn(f64, f64) -> f64,
) {
    for lane in 0..count {
        // SAFETY: the caller vouches for the lengths
        unsafe { *z.add(lane) = f(*x.add(lane), *y.add(lane)) };
    }
}

/// The function for arrays.
macro_rules! lanes {
    ($function:ident) => {{
        unsafe extern "sysv64" fn call(x: *const f64, y: *const f64, z: *mut f64, count: usize) {
            // SAFETY: the compiled code passes three parts of its scratch memory
            unsafe { each(x, y, z, count, |x, y| Function::$function.evaluate(x, y)) };
        }
        call as Lanes
    }};
}

macro_rules! unary {
    ($($function:ident),*) => {
        fn unary(function: Function) -> (Unary, Lanes) {
            match function {
                $(Function::$function => {
                    extern "sysv64" fn call(x: f64) -> f64 {
                        Function::$function.evaluate(x, 0.0)
                    }
                    (call as Unary, lanes!($function))
                })*
                other => unreachable!("{} is not a call of one argument", other.name()),
            }
        }
    };
}

unary!(Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Abs, Sign);

macro_rules! binary {
    ($($function:ident),*) => {
        fn binary(function: Function) -> (Binary, Lanes) {
            match function {
                $(Function::$function => {
                    extern "sysv64" fn call(x: f64, y: f64) -> f64 {
                        Function::$function.evaluate(x, y)
                    }
                    (call as Binary, lanes!($function))
                })*
                other => unreachable!("{} is not a call of two arguments", other.name()),
            }
        }
    };
}

binary!(Atan2, Min, Max);

/// The address of the batch of sines and cosines.
pub(super) fn turns() -> usize {
    /// # Safety
    /// The three addresses point to `count` numbers each, which do not overlap.
    unsafe extern "sysv64" fn call(
        angles: *const f64,
        sines: *mut f64,
        cosines: *mut f64,
        count: usize,
    ) {
        // SAFETY: the compiled code passes three parts of its scratch memory
        let (angles, sines, cosines) = unsafe {
            (
                std::slice::from_raw_parts(angles, count),
                std::slice::from_raw_parts_mut(sines, count),
                std::slice::from_raw_parts_mut(cosines, count),
            )
        };
        sines_and_cosines(angles, sines, cosines);
    }
    call as Turns as usize
}
