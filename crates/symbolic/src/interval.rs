//! Intervals of numbers: what a formula can be while its variables range over intervals.
//!
//! Every operation returns an interval that contains all results of the operation on members of its operands, rounding
//! included. What has no bound, or no value for some members, is the whole line: an interval may be too wide, never too
//! narrow.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// All numbers from one to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The smallest; −∞ if there is none.
    pub lower: f64,
    /// The largest; +∞ if there is none.
    pub upper: f64,
}

/// Functions of the library are right to this part of their value.
const FUNCTION_ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Interval {
    /// Every number.
    pub const WHOLE: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// A single number; the whole line if it is none.
    pub fn point(value: f64) -> Interval {
        Interval::checked(value, value)
    }

    /// From one end to the other, which need not be in order; the whole line if one is not a number.
    pub fn between(a: f64, b: f64) -> Interval {
        Interval::checked(a.min(b), if a.is_nan() { a } else { a.max(b) })
    }

    fn checked(lower: f64, upper: f64) -> Interval {
        match lower <= upper {
            true => Interval { lower, upper },
            false => Interval::WHOLE,
        }
    }

    /// The ends moved outward by a part of their size: exact zeros stay.
    fn rounded(lower: f64, upper: f64, part: f64) -> Interval {
        Interval::checked(lower - part * lower.abs(), upper + part * upper.abs())
    }

    /// A function that grows with its argument.
    pub(crate) fn rising(self, function: fn(f64) -> f64) -> Interval {
        Interval::rounded(function(self.lower), function(self.upper), FUNCTION_ROUNDING)
    }

    /// A function that falls as its argument grows.
    pub(crate) fn falling(self, function: fn(f64) -> f64) -> Interval {
        Interval::rounded(function(self.upper), function(self.lower), FUNCTION_ROUNDING)
    }

    /// The smallest interval with the members of both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// The members of both; the first where there are none.
    pub(crate) fn meet(self, other: Interval) -> Interval {
        let (lower, upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        if lower <= upper { Interval { lower, upper } } else { self }
    }

    /// The distance of its ends.
    pub fn width(self) -> f64 {
        self.upper - self.lower
    }

    /// Whether a number is a member.
    pub fn contains(self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// Both ends moved outward.
    pub fn widened(self, by: f64) -> Interval {
        Interval::checked(self.lower - by, self.upper + by)
    }

    /// |x|
    #[must_use]
    pub fn abs(self) -> Interval {
        let largest = self.upper.max(-self.lower);
        match self.contains(0.0) {
            true => Interval { lower: 0.0, upper: largest },
            false => Interval { lower: self.lower.max(-self.upper), upper: largest },
        }
    }

    /// x², narrower than x·x.
    #[must_use]
    pub fn square(self) -> Interval {
        let Interval { lower, upper } = self.abs();
        Interval::rounded(lower * lower, upper * upper, f64::EPSILON)
    }

    /// √x; what is negative has no root, and counts as 0 where other members have one.
    #[must_use]
    pub fn sqrt(self) -> Interval {
        match self.upper >= 0.0 {
            true => Interval { lower: self.lower.max(0.0), ..self }.rising(f64::sqrt),
            false => Interval::WHOLE,
        }
    }

    /// xʸ for a positive x; for others only whole y.
    #[must_use]
    pub fn power(self, exponent: Interval) -> Interval {
        if exponent.lower == exponent.upper && exponent.lower.fract() == 0.0 {
            return self.whole_power(exponent.lower);
        }
        let negative = self.lower < 0.0;
        let Interval { lower, upper } = self;
        if negative || (lower == 0.0 && exponent.lower < 0.0) {
            return Interval::WHOLE;
        }
        let corners = [lower, upper].map(|base| {
            [exponent.lower, exponent.upper].map(|exponent| Interval::point(base.powf(exponent)))
        });
        let [[a, b], [c, d]] = corners;
        let Interval { lower, upper } = a.hull(b).hull(c.hull(d));
        Interval::rounded(lower, upper, FUNCTION_ROUNDING)
    }

    fn whole_power(self, exponent: f64) -> Interval {
        let even = exponent % 2.0 == 0.0;
        let size = if even { self.abs() } else { self };
        if exponent < 0.0 {
            return Interval::point(1.0) / self.whole_power(-exponent);
        }
        let (lower, upper) = (size.lower.powf(exponent), size.upper.powf(exponent));
        Interval::rounded(lower, upper, FUNCTION_ROUNDING)
    }

    /// sin x
    #[must_use]
    pub fn sin(self) -> Interval {
        let whole = Interval { lower: -1.0, upper: 1.0 };
        if self.width() >= TAU || !self.width().is_finite() {
            return whole;
        }
        // far from zero the place in the period is known to some digits only
        let margin = FUNCTION_ROUNDING * (1.0 + self.lower.abs().max(self.upper.abs()));
        let ends = Interval::between(self.lower.sin(), self.upper.sin()).widened(margin);
        let has = |angle: f64| {
            let turns = ((self.lower - margin - angle) / TAU).ceil();
            angle + turns * TAU <= self.upper + margin
        };
        let lower = if has(-FRAC_PI_2) { -1.0 } else { ends.lower };
        let upper = if has(FRAC_PI_2) { 1.0 } else { ends.upper };
        Interval { lower, upper }.meet(whole)
    }

    /// cos x
    #[must_use]
    pub fn cos(self) -> Interval {
        (self + Interval::point(FRAC_PI_2)).sin()
    }

    /// tan x; the whole line where a pole is a member.
    #[must_use]
    pub fn tan(self) -> Interval {
        let pole = ((self.lower - FRAC_PI_2) / PI).ceil() * PI + FRAC_PI_2;
        match self.width() < PI && pole > self.upper {
            true => self.rising(f64::tan),
            false => Interval::WHOLE,
        }
    }
}

impl Neg for Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        Interval { lower: -self.upper, upper: -self.lower }
    }
}

impl Add for Interval {
    type Output = Interval;

    fn add(self, other: Interval) -> Interval {
        Interval::rounded(self.lower + other.lower, self.upper + other.upper, f64::EPSILON)
    }
}

impl Sub for Interval {
    type Output = Interval;

    fn sub(self, other: Interval) -> Interval {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Interval;

    fn mul(self, other: Interval) -> Interval {
        // zero times an unbounded member is zero: every member is a number
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let (a, b) = (product(self.lower, other.lower), product(self.lower, other.upper));
        let (c, d) = (product(self.upper, other.lower), product(self.upper, other.upper));
        Interval::rounded(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)), f64::EPSILON)
    }
}

impl Div for Interval {
    type Output = Interval;

    fn div(self, other: Interval) -> Interval {
        if other.contains(0.0) {
            return Interval::WHOLE;
        }
        let (lower, upper) = (1.0 / other.upper, 1.0 / other.lower);
        self * Interval::rounded(lower, upper, f64::EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Function, Rules};

    /// Ends of the intervals that functions are tried on.
    const PIECES: [[f64; 2]; 9] = [
        [-7.0, -5.5],
        [-2.0, 1.0],
        [-0.3, 0.4],
        [0.0, 0.5],
        [0.2, 0.9],
        [1.2, 1.9],
        [0.5, 7.0],
        [3.0, 3.2],
        [100.0, 103.0],
    ];

    fn members([lower, upper]: [f64; 2]) -> impl Iterator<Item = f64> + Clone {
        (0..=60).map(move |k| lower + (upper - lower) * f64::from(k) / 60.0)
    }

    #[test]
    fn every_function_stays_in_its_range() {
        for function in Function::all() {
            for piece in PIECES {
                let x = Interval::between(piece[0], piece[1]);
                match &function.row().rules {
                    Rules::One(rules) => {
                        let range = (rules.range)(x);
                        for value in members(piece).map(rules.value).filter(|value| !value.is_nan())
                        {
                            assert!(
                                range.contains(value),
                                "{function:?}({piece:?}): {range:?}, {value}"
                            );
                        }
                    }
                    Rules::Two(rules) => {
                        let y = Interval::between(-0.7, 1.3);
                        let range = (rules.range)(x, y);
                        for (x, y) in
                            members(piece).flat_map(|x| members([-0.7, 1.3]).map(move |y| (x, y)))
                        {
                            let value = (rules.value)(x, y);
                            assert!(
                                value.is_nan() || range.contains(value),
                                "{function:?}: {range:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn ranges_of_monotonous_and_periodic_functions_are_tight() {
        let piece = Interval::between(0.2, 0.9);
        for (range, [lower, upper]) in [
            (piece.sin(), [0.2_f64.sin(), 0.9_f64.sin()]),
            (piece.cos(), [0.9_f64.cos(), 0.2_f64.cos()]),
            (piece.square(), [0.04, 0.81]),
            (Interval::between(1.0, 2.0).sin(), [1.0_f64.sin(), 1.0]),
            (Interval::between(-2.0, 1.0).square(), [0.0, 4.0]),
        ] {
            assert!(
                (range.lower - lower).abs() < 1e-14 && (range.upper - upper).abs() < 1e-14,
                "{range:?}"
            );
        }
    }

    #[test]
    fn nothing_is_lost_by_a_division_through_zero() {
        let through = Interval::between(-1.0, 1.0);
        assert_eq!(Interval::point(1.0) / through, Interval::WHOLE);
        assert_eq!(Interval::point(0.0) * Interval::WHOLE, Interval::point(0.0));
        assert_eq!(Interval::between(1.5, 1.7).tan(), Interval::WHOLE);
    }
}
