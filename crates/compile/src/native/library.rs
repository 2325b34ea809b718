//! Functions that compiled code calls, with their addresses.

use crate::sine_cosine::sines_and_cosines;
use catena_symbolic::Function;

type Unary = extern "sysv64" fn(f64) -> f64;
type Binary = extern "sysv64" fn(f64, f64) -> f64;
type Turns = unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64, usize);

macro_rules! unary {
    ($($function:ident),*) => {
        /// The address of a function of one argument.
        pub(super) fn unary(function: Function) -> usize {
            let function: Unary = match function {
                $(Function::$function => {
                    extern "sysv64" fn call(x: f64) -> f64 {
                        Function::$function.evaluate(x, 0.0)
                    }
                    call
                })*
                other => unreachable!("{} is not a call of one argument", other.name()),
            };
            function as usize
        }
    };
}

unary!(Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Abs, Sign);

macro_rules! binary {
    ($($function:ident),*) => {
        /// The address of a function of two arguments.
        pub(super) fn binary(function: Function) -> usize {
            let function: Binary = match function {
                $(Function::$function => {
                    extern "sysv64" fn call(x: f64, y: f64) -> f64 {
                        Function::$function.evaluate(x, y)
                    }
                    call
                })*
                other => unreachable!("{} is not a call of two arguments", other.name()),
            };
            function as usize
        }
    };
}

binary!(Atan2, Min, Max);

/// The address of the general power.
pub(super) fn power() -> usize {
    extern "sysv64" fn call(x: f64, y: f64) -> f64 {
        x.powf(y)
    }
    call as Binary as usize
}

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
