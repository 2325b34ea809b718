//! Units that may stand behind a number.

use crate::Number;

/// A unit and what it is in SI units.
#[derive(Debug, PartialEq)]
pub struct Unit {
    /// As it is written.
    pub name: &'static str,
    /// What is measured by it, in a word or two: `length`.
    pub quantity: &'static str,
    /// The SI unit of that.
    pub si: &'static str,
    /// The SI value of one of it is this fraction, numerator and denominator…
    ratio: (i64, i64),
    /// …or this many times π.
    of_pi: bool,
}

/// The units of formulas, directly behind a number literal. The list is closed, and none of them is a letter that
/// formulas use for something else.
pub static UNITS: &[Unit] = &[
    Unit::new("mm", "length", "m", (1, 1000)),
    Unit::new("cm", "length", "m", (1, 100)),
    Unit::new("km", "length", "m", (1000, 1)),
    Unit::new("ms", "time", "s", (1, 1000)),
    Unit::new("min", "time", "s", (60, 1)),
    Unit { of_pi: true, ..Unit::new("rpm", "angular velocity", "rad/s", (1, 30)) },
    Unit::new("Hz", "frequency", "1/s", (1, 1)),
    Unit::new("kN", "force", "N", (1000, 1)),
];

/// Degrees, which may follow a closing parenthesis too.
pub static DEGREES: Unit = Unit { of_pi: true, ..Unit::new("deg", "angle", "rad", (1, 180)) };

/// SI units, which may end a whole value of the command line. In formulas `m` and `s` are names.
pub static SI_UNITS: &[Unit] = &[
    Unit::new("m", "length", "m", (1, 1)),
    Unit::new("s", "time", "s", (1, 1)),
    Unit::new("kg", "mass", "kg", (1, 1)),
    Unit::new("N", "force", "N", (1, 1)),
    Unit::new("rad", "angle", "rad", (1, 1)),
];

impl Unit {
    const fn new(
        name: &'static str,
        quantity: &'static str,
        si: &'static str,
        ratio: (i64, i64),
    ) -> Unit {
        Unit { name, quantity, si, ratio, of_pi: false }
    }

    /// The unit of this name that a formula may have.
    pub(super) fn of_formula(name: &str) -> Option<&'static Unit> {
        UNITS.iter().find(|unit| unit.name == name)
    }

    /// The SI unit of this name that may end a whole value.
    pub(super) fn of_value(name: &str) -> Option<&'static Unit> {
        SI_UNITS.iter().find(|unit| unit.name == name)
    }

    /// A number of these in SI units, exactly, and whether it is to be multiplied by π; `None` if it is too large.
    pub(super) fn convert(&self, number: Number) -> Option<(Number, bool)> {
        let (numerator, denominator) = self.ratio;
        let value = number.checked_mul(Number::fraction(numerator, denominator))?;
        Some((value, self.of_pi))
    }
}
