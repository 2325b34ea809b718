//! The part of an axis that is shown.
//!
//! All arithmetic on positions happens in *places*: the value itself on a linear axis, its decimal logarithm on a
//! logarithmic one. There both scales are alike, and nothing overflows.

use crate::axis::Scale;

/// Values beyond this size are treated as infinite. The distance from the limit of `f64` leaves room for margins.
const MAX_MAGNITUDE: f64 = 1e300;

/// The smallest positive value with a place on a logarithmic axis, and about the smallest difference shown.
const MIN_MAGNITUDE: f64 = 1e-300;

/// What is added at both ends, as a part of the width of the data, so that nothing touches the frame.
const MARGIN_FRACTION: f64 = 0.04;

/// Differences of this part of the magnitude of a quantity are what is left of rounding after many operations.
const ROUNDING_NOISE: f64 = 1e-9;

/// How much to show on either side of constant data, as a part of their size.
const SHOWN_AROUND_CONSTANTS: f64 = 0.1;

impl Scale {
    /// Where a value lies on the axis; `None` where it cannot be drawn.
    pub(crate) fn place(self, value: f64) -> Option<f64> {
        match self {
            Scale::Linear => (value.abs() <= MAX_MAGNITUDE).then_some(value),
            Scale::Logarithmic => {
                (MIN_MAGNITUDE..=MAX_MAGNITUDE).contains(&value).then(|| value.log10())
            }
        }
    }
}

/// An interval of places, never empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    /// The range that shows all `places` with a margin. On a linear axis differences that are rounding errors of
    /// something of this `magnitude` do not count. Constant data lie in the middle; no data give a unit range.
    pub(crate) fn around(scale: Scale, magnitude: f64, places: impl Iterator<Item = f64>) -> Range {
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
            (low.min(place), high.max(place))
        });
        if low > high {
            return Range { low: 0.0, high: 1.0 };
        }
        let width = high - low;
        let noise = match scale {
            Scale::Linear if magnitude > 0.0 => ROUNDING_NOISE * magnitude.min(MAX_MAGNITUDE),
            _ => 0.0,
        };
        let middle = 0.5 * low + 0.5 * high;
        let margin = if width > resolution(scale, low, high).max(noise) {
            MARGIN_FRACTION * width
        } else if noise > 0.0 && middle.abs() <= noise {
            // What is zero but for rounding is shown as small as it is.
            SHOWN_AROUND_CONSTANTS * magnitude.min(MAX_MAGNITUDE)
        } else {
            half_width_around(scale, middle)
        };
        Range { low: low - margin, high: high + margin }
    }

    /// The range between two values, if ticks inside it can be told apart.
    pub(crate) fn between(scale: Scale, [low, high]: [f64; 2]) -> Option<Range> {
        let (low, high) = (scale.place(low)?, scale.place(high)?);
        (high - low > resolution(scale, low, high)).then_some(Range { low, high })
    }

    /// How far along the range a place lies: 0 at the low end, 1 at the high end.
    pub(crate) fn fraction(&self, place: f64) -> f64 {
        (place - self.low) / (self.high - self.low)
    }

    /// The place at a part of the range.
    pub(crate) fn at(&self, part: f64) -> f64 {
        self.low + part * (self.high - self.low)
    }

    pub(crate) fn contains(&self, place: f64) -> bool {
        (self.low..=self.high).contains(&place)
    }
}

/// The width up to which data count as constant. Below it, ticks could not be told apart in double precision.
fn resolution(scale: Scale, low: f64, high: f64) -> f64 {
    match scale {
        Scale::Linear => (1e-13 * low.abs().max(high.abs())).max(1e10 * MIN_MAGNITUDE),
        Scale::Logarithmic => 1e-9,
    }
}

/// How much to show on either side of constant data.
fn half_width_around(scale: Scale, place: f64) -> f64 {
    match scale {
        Scale::Linear if place.abs() > 1e10 * MIN_MAGNITUDE => SHOWN_AROUND_CONSTANTS * place.abs(),
        Scale::Linear => 1.0,
        Scale::Logarithmic => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(scale: Scale, values: &[f64]) -> Range {
        Range::around(scale, 0.0, values.iter().filter_map(|value| scale.place(*value)))
    }

    #[test]
    fn data_get_a_small_margin() {
        assert_eq!(around(Scale::Linear, &[0.0, 100.0]), Range { low: -4.0, high: 104.0 });
    }

    #[test]
    fn constant_data_lie_in_the_middle() {
        let range = around(Scale::Linear, &[5.0, 5.0]);
        assert_eq!((range.low, range.high), (4.5, 5.5));
        assert_eq!(around(Scale::Linear, &[0.0]), Range { low: -1.0, high: 1.0 });
        assert_eq!(around(Scale::Logarithmic, &[100.0]), Range { low: 1.5, high: 2.5 });
    }

    #[test]
    fn rounding_noise_counts_as_constant() {
        let range = around(Scale::Linear, &[1.0, 1.0 + f64::EPSILON]);
        assert!((range.fraction(1.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn noise_relative_to_the_magnitude_counts_as_constant() {
        let of = |values: &[f64], magnitude| {
            Range::around(Scale::Linear, magnitude, values.iter().copied())
        };
        let energy = of(&[22.19263, 22.19263 + 1e-12], 22.0);
        assert!(energy.low < 20.0 && energy.high > 24.0, "{energy:?}");
        let standing = of(&[-1e-17, 3e-17], 2.0);
        assert!(standing.low < -0.1 && standing.high > 0.1, "{standing:?}");
        let small = of(&[0.0, 1e-6], 2.0);
        assert!(small.high < 2e-6, "what is no rounding fills the axis: {small:?}");
    }

    #[test]
    fn values_without_a_place_are_left_out() {
        let values = [f64::NAN, 1.0, f64::INFINITY, 1000.0, -3.0, 0.0];
        let range = around(Scale::Logarithmic, &values);
        assert!((range.low + 0.12).abs() < 1e-12 && (range.high - 3.12).abs() < 1e-12);
    }

    #[test]
    fn the_largest_and_smallest_numbers_give_a_finite_range() {
        for values in [&[-1e300, 1e300][..], &[f64::MAX, f64::MIN], &[5e-324, 0.0], &[1e300, 1e300]]
        {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let range = around(scale, values);
                assert!(
                    range.low < range.high && (range.high - range.low).is_finite(),
                    "{values:?} gave {range:?}"
                );
            }
        }
    }
}
