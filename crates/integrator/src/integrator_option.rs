//! The options that methods read, as rows of data: lists print them, commands set them by key.

use crate::options::Options;

/// An option of an integrator.
#[derive(Clone, Copy, Debug)]
pub struct IntegratorOption {
    /// The name that commands take, as in `--with KEY=VALUE`.
    pub key: &'static str,
    /// One line for lists, with what happens where the option is absent and has no default.
    pub meaning: &'static str,
    /// The unit of the number, `s`; empty for pure numbers and words.
    pub unit: &'static str,
    /// The number that is taken where the option is absent.
    pub default: Option<f64>,
    /// What it can be set to, and where that is written.
    pub value: OptionKind,
}

/// What an option can be set to.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// A number for a field of [`Options`].
    Number {
        /// Where it must lie.
        range: NumberRange,
        /// Writes the field.
        set: fn(&mut Options, f64),
    },
    /// A number that one method alone reads, written to [`Options::own`].
    Own {
        /// Where it must lie.
        range: NumberRange,
    },
    /// A [`Norm`](crate::Norm) by name, `rms` or `max`.
    Norm,
    /// A [`Tangent`](crate::Tangent) by name, one of those that the formulation has.
    Tangent,
}

/// Where a number must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRange {
    /// Above 0.
    Positive,
    /// From 0 up.
    NotNegative,
    /// A count, from 1 up.
    Count,
}

impl NumberRange {
    /// Whether a number lies in the range; infinity and NaN lie in none.
    pub fn contains(self, number: f64) -> bool {
        let in_range = match self {
            NumberRange::Positive => number > 0.0,
            NumberRange::NotNegative => number >= 0.0,
            NumberRange::Count => number >= 1.0,
        };
        in_range && number.is_finite()
    }

    /// The range in words, to follow "it takes".
    pub fn in_words(self) -> &'static str {
        match self {
            NumberRange::Positive => "a number above 0",
            NumberRange::NotNegative => "a number from 0 up",
            NumberRange::Count => "a whole number from 1 up",
        }
    }
}

impl IntegratorOption {
    const fn number(
        key: &'static str,
        meaning: &'static str,
        range: NumberRange,
        set: fn(&mut Options, f64),
    ) -> IntegratorOption {
        let value = OptionKind::Number { range, set };
        IntegratorOption { key, meaning, unit: "", default: None, value }
    }

    /// A pure number that one method alone reads.
    pub(crate) const fn own(
        key: &'static str,
        meaning: &'static str,
        default: f64,
    ) -> IntegratorOption {
        let value = OptionKind::Own { range: NumberRange::NotNegative };
        IntegratorOption { key, meaning, unit: "", default: Some(default), value }
    }

    const fn in_seconds(self) -> IntegratorOption {
        IntegratorOption { unit: "s", ..self }
    }

    const fn or(self, default: f64) -> IntegratorOption {
        IntegratorOption { default: Some(default), ..self }
    }

    /// The same option with what it means to one method.
    pub(crate) const fn meaning(self, meaning: &'static str) -> IntegratorOption {
        IntegratorOption { meaning, ..self }
    }
}

pub(crate) const RTOL: IntegratorOption = IntegratorOption::number(
    "rtol",
    "relative tolerance of a step",
    NumberRange::Positive,
    |options, number| options.rtol = number,
)
.or(1e-6);

pub(crate) const ATOL: IntegratorOption = IntegratorOption::number(
    "atol",
    "absolute tolerance of a step, in the unit of each component",
    NumberRange::Positive,
    |options, number| options.atol = number,
)
.or(1e-9);

pub(crate) const NORM: IntegratorOption = IntegratorOption {
    key: "norm",
    meaning: "rms or max over the components; rms if absent",
    unit: "",
    default: None,
    value: OptionKind::Norm,
};

pub(crate) const FIRST_STEP: IntegratorOption = IntegratorOption::number(
    "first_step",
    "first step; estimated if absent",
    NumberRange::Positive,
    |options, number| options.first_step = Some(number),
)
.in_seconds();

pub(crate) const MAX_STEP: IntegratorOption = IntegratorOption::number(
    "max_step",
    "longest step; the interval if absent",
    NumberRange::Positive,
    |options, number| options.max_step = Some(number),
)
.in_seconds();

pub(crate) const MAX_STEPS: IntegratorOption = IntegratorOption::number(
    "max_steps",
    "bound on the number of steps, accepted and rejected",
    NumberRange::Count,
    |options, number| options.max_steps = number as u64,
)
.or(1e7);

/// The step of methods that take no other.
pub(crate) const STEP: IntegratorOption = IntegratorOption::number(
    "step",
    "step; a thousandth of the interval if absent",
    NumberRange::Positive,
    |options, number| options.step = Some(number),
)
.in_seconds();

/// The same for methods that control their step where it is absent.
pub(crate) const FIXED_STEP: IntegratorOption =
    STEP.meaning("a fixed step; with it nothing is controlled");

pub(crate) const NEWTON: IntegratorOption = IntegratorOption {
    key: "newton",
    meaning: "the tangent of Newton's method: full, gauss-newton or paper; the formulation says which it has",
    unit: "",
    default: None,
    value: OptionKind::Tangent,
};

pub(crate) const NEWTON_TOL: IntegratorOption = IntegratorOption::number(
    "newton_tol",
    "Newton's method stops when its change is this small relative to the solution",
    NumberRange::Positive,
    |options, number| options.newton_tol = number,
)
.or(1e-10);

/// What a fixed-step method reads.
pub(crate) const FIXED_OPTIONS: &[IntegratorOption] = &[STEP, MAX_STEPS];

/// What a fixed-step method with Newton's method inside reads.
pub(crate) const NEWTON_OPTIONS: &[IntegratorOption] = &[STEP, MAX_STEPS, NEWTON, NEWTON_TOL];

/// What an adaptive method reads.
pub(crate) const ADAPTIVE_OPTIONS: &[IntegratorOption] =
    &[RTOL, ATOL, NORM, FIRST_STEP, MAX_STEP, MAX_STEPS, FIXED_STEP];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::INTEGRATORS;

    #[test]
    fn every_default_is_what_is_taken_where_nothing_is_said() {
        for option in INTEGRATORS.iter().flat_map(|entry| entry.options) {
            let Some(default) = option.default else { continue };
            let range = match option.value {
                OptionKind::Number { range, set } => {
                    let mut options = Options::default();
                    set(&mut options, 7.0);
                    assert_ne!(options, Options::default(), "{}", option.key);
                    set(&mut options, default);
                    assert_eq!(options, Options::default(), "{}", option.key);
                    range
                }
                OptionKind::Own { range } => {
                    assert_eq!(Options::default().own_number(option), default);
                    let own = vec![(option.key, 7.0)];
                    assert_eq!(Options { own, ..Options::default() }.own_number(option), 7.0);
                    range
                }
                OptionKind::Norm | OptionKind::Tangent => panic!("{} is a word", option.key),
            };
            assert!(range.contains(default), "{}", option.key);
        }
    }

    #[test]
    fn what_is_no_number_lies_in_no_range() {
        for range in [NumberRange::Positive, NumberRange::NotNegative, NumberRange::Count] {
            assert!(range.contains(1.0) && !range.contains(-1.0));
            assert!(!range.contains(f64::NAN) && !range.contains(f64::INFINITY));
        }
        assert!(NumberRange::NotNegative.contains(0.0) && !NumberRange::Positive.contains(0.0));
        assert!(!NumberRange::Count.contains(0.5));
    }
}
