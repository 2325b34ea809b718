//! Programs as source for devices: CUDA C that NVRTC compiles at run time, and C++ that any compiler takes.
//!
//! Each operation is a line, in the order of the program, fused multiply-adds as calls of `fma`, sines and cosines by the
//! formulas of [`crate::sine_and_cosine`]. In double precision a device differs from the other readers where its library
//! rounds a function differently, and nowhere else.

mod specialise;

use crate::program::{Operation, Program, ValueGroup};
use crate::sine_cosine::{COSINE, HALF_PI, MAX_REDUCED_ANGLE, SINE};
use std::fmt::Write;

/// What every source begins with: the type `real`, and the functions that programs call. Where `SINGLE` is defined before it,
/// numbers have single precision.
pub fn device_prelude() -> String {
    let mut text = String::new();
    let mut define = |name: &str, value: f64| {
        let _ = writeln!(text, "#define {name} ({value:e})");
    };
    define("TWO_OVER_PI", std::f64::consts::FRAC_2_PI);
    define("HALF_PI_HIGH", HALF_PI[0]);
    define("HALF_PI_LOW", HALF_PI[1]);
    define("LARGEST_ANGLE", MAX_REDUCED_ANGLE);
    for (i, (sine, cosine)) in SINE.into_iter().zip(COSINE).enumerate() {
        define(&format!("SINE_{}", i + 1), sine);
        define(&format!("COSINE_{}", i + 1), cosine);
    }
    text + include_str!("functions.cu")
}

/// A number as source.
pub fn device_number(value: f64) -> String {
    match value {
        value if value.is_nan() => "(real)NOT_A_NUMBER".to_owned(),
        f64::INFINITY => "(real)ENDLESS".to_owned(),
        f64::NEG_INFINITY => "(real)-ENDLESS".to_owned(),
        value => format!("(real){value:e}"),
    }
}

impl Program {
    /// A function of this name whose arguments are the groups of inputs, then those of outputs, each as a pointer to its
    /// numbers. A program that is not fused stays so. It is written into its callers if `inline`.
    pub fn device_function(&self, name: &str, inline: bool) -> String {
        let arguments = |groups: &[ValueGroup], kind: &str| -> Vec<String> {
            groups.iter().map(|group| format!("{kind} *{}", group.name)).collect()
        };
        let mut all = arguments(&self.inputs, "const real");
        all.extend(arguments(&self.outputs, "real"));
        let linkage = if inline { "DEVICE" } else { "LARGE" };
        let mut lines = format!("{linkage} void {name}({})\n{{\n", all.join(", "));
        let values = self.device_lines(&mut lines);
        for group in &self.outputs {
            for (i, &value) in group.values.iter().enumerate() {
                let _ = writeln!(lines, "    {}[{i}] = {};", group.name, values[value as usize]);
            }
        }
        lines + "}\n"
    }

    /// Writes all operations down; the text of each value.
    fn device_lines(&self, lines: &mut String) -> Vec<String> {
        let mut values: Vec<String> = vec![String::new(); self.input_len()];
        for group in &self.inputs {
            for (i, &value) in group.values.iter().enumerate() {
                values[value as usize] = format!("{}[{i}]", group.name);
            }
        }
        values.extend(self.constants.iter().map(|&constant| device_number(constant)));
        let mut turned = vec![false; self.value_len()];
        for &operation in &self.operations {
            if let Operation::Sine(angle) | Operation::Cosine(angle) = operation
                && !std::mem::replace(&mut turned[angle as usize], true)
            {
                let x = &values[angle as usize];
                let _ = writeln!(
                    lines,
                    "    real s{angle}, c{angle}; sine_and_cosine({x}, s{angle}, c{angle});"
                );
            }
            let number = values.len();
            let _ = writeln!(lines, "    real v{number} = {};", formula(operation, &values));
            values.push(format!("v{number}"));
        }
        values
    }
}

fn formula(operation: Operation, values: &[String]) -> String {
    let at = |value: u32| values[value as usize].as_str();
    match operation {
        Operation::Add(a, b) => format!("{} + {}", at(a), at(b)),
        Operation::Subtract(a, b) => format!("{} - {}", at(a), at(b)),
        Operation::Multiply(a, b) => format!("{}*{}", at(a), at(b)),
        Operation::Divide(a, b) => format!("{}/{}", at(a), at(b)),
        Operation::Negate(a) => format!("-{}", at(a)),
        Operation::Power(a, b) => format!("pow({}, {})", at(a), at(b)),
        Operation::SquareRoot(a) => format!("sqrt({})", at(a)),
        Operation::Sine(a) => format!("s{a}"),
        Operation::Cosine(a) => format!("c{a}"),
        Operation::Call(function, a) => format!("{}({})", called(function.name()), at(a)),
        Operation::Call2(function, a, b) => {
            format!("{}({}, {})", called(function.name()), at(a), at(b))
        }
        Operation::MultiplyAdd(a, b, c) => format!("fma({}, {}, {})", at(a), at(b), at(c)),
        Operation::MultiplySubtract(a, b, c) => format!("fma({}, {}, -{})", at(a), at(b), at(c)),
        Operation::NegatedMultiplyAdd(a, b, c) => format!("fma(-{}, {}, {})", at(a), at(b), at(c)),
        Operation::Guard(a, b, c) => format!("guard({}, {}, {})", at(a), at(b), at(c)),
    }
}

/// The name of a function in the prelude, or in the library of the device.
fn called(name: &'static str) -> &'static str {
    match name {
        "abs" => "magnitude",
        "min" => "smaller",
        "max" => "larger",
        "tan" => "tangent",
        name => name,
    }
}
