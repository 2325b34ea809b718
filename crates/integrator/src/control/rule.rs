//! The rules by which errors steer steps, and what they remember: numbers, so that those of several motions stand side by
//! side.

use super::foreseen;
use super::matlab;
use super::pi::PiGains;
use crate::method::Failure;

/// What a rule remembers of W motions side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory<const W: usize> {
    /// The longest step there may be, s.
    pub(crate) longest: [f64; W],
    /// The next one.
    pub(crate) step: [f64; W],
    /// A number of the rule's own.
    pub(crate) own: [f64; W],
    /// 1 where the last attempt was rejected, else 0.
    pub(crate) rejected: [f64; W],
}

/// How the error of a step decides on the next one: a file for each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// See [`super::pi`].
    Pi(PiGains),
    /// See [`super::matlab`].
    Matlab,
    /// See [`super::foreseen`]; the estimate behaves as h to the power p + 1.
    Foreseen { order: usize },
}

impl Rule {
    /// A step that comes as close to the end as this factor ends there.
    pub(crate) const fn stretch(self) -> f64 {
        match self {
            Rule::Pi(_) | Rule::Foreseen { .. } => 1.01,
            Rule::Matlab => 1.1,
        }
    }

    /// What is remembered once steps of lengths h > 0 with these errors were accepted.
    #[inline(always)]
    pub(crate) fn accepted<const W: usize>(
        self,
        h: [f64; W],
        errors: [f64; W],
        memory: Memory<W>,
    ) -> Memory<W> {
        match self {
            Rule::Pi(gains) => gains.accepted(h, errors, memory),
            Rule::Matlab => matlab::accepted(h, errors, memory),
            Rule::Foreseen { .. } => foreseen::accepted(h, memory),
        }
    }

    /// The same once a step of length h > 0 failed.
    pub(crate) fn rejected(self, h: f64, failure: &Failure, memory: &mut Memory<1>) {
        let again = memory.rejected[0] != 0.0;
        let shorter = failure.shortened(h, |error| match self {
            Rule::Pi(gains) => gains.after_error(h, error),
            Rule::Matlab => matlab::after_error(h, error, again),
            Rule::Foreseen { order } => foreseen::after_error(h, error, order),
        });
        (memory.step, memory.rejected) = ([shorter], [1.0]);
    }
}

impl<const W: usize> Memory<W> {
    /// No step is longer than the longest, and the last attempt was a step.
    #[inline(always)]
    pub(crate) fn with_steps(self, step: [f64; W], own: [f64; W]) -> Memory<W> {
        let mut bounded = [0.0; W];
        for i in 0..W {
            bounded[i] = smaller(step[i], self.longest[i]);
        }
        Memory { step: bounded, own, rejected: [0.0; W], ..self }
    }
}

/// The smaller of two numbers that are none of them NaN.
#[inline(always)]
pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
