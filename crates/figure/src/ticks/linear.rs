//! Ticks at multiples of 1, 2 or 5 times a power of ten.
//!
//! Ticks are counted in integers: a tick is `number` × 10^`exponent`, and only its place on the axis is rounded to a
//! floating-point number. Labels are therefore exact, and share their decimals.
//!
//! Labels stay short by what they have in common: beyond a few digits a common part is taken out (`+ 9.80665`), and
//! large or tiny labels share a factor (`×10⁻⁶`). Both stand in the note.

use super::{Tick, Ticks};
use crate::label::{decimal, leading_exponent, shortest, times_power_of_ten};
use crate::range::Range;

/// Labels with more significant digits than this have their common part taken out.
const MAX_LABEL_DIGITS: i32 = 5;

/// Exponents of the first digit for which labels are written without a common factor.
const PLAIN_EXPONENTS: std::ops::Range<i32> = -3..5;

pub(super) fn choose(range: Range, most: usize) -> Ticks {
    let Some((numbers, exponent)) = multiples(range, most) else {
        return Ticks::default();
    };
    let common = common_part(&numbers, exponent);
    let largest = numbers.iter().map(|number| (number - common).abs()).max().unwrap_or(0);
    let leading = leading_exponent(largest, exponent);
    let factor = if largest == 0 || PLAIN_EXPONENTS.contains(&leading) { 0 } else { leading };
    let major = numbers
        .iter()
        .map(|number| Tick {
            place: value(*number, exponent),
            label: decimal(number - common, exponent - factor),
        })
        .collect();
    Ticks { major, minor: Vec::new(), note: note(factor, common, exponent) }
}

/// The ticks as integers, with their common exponent; `None` if no nice number lies inside.
fn multiples(range: Range, most: usize) -> Option<(Vec<i64>, i32)> {
    let finest = ((range.high - range.low) / most as f64).log10().floor() as i32;
    (finest..finest + 4)
        .flat_map(|exponent| [1, 2, 5].map(|mantissa| (mantissa, exponent)))
        .map(|(mantissa, exponent)| (multiples_of(mantissa, exponent, range), exponent))
        .find(|(numbers, _)| (1..=most).contains(&numbers.clone().count()))
        .map(|(numbers, exponent)| (numbers.collect(), exponent))
}

/// All multiples of the step `mantissa` × 10^`exponent` inside the range, counted in 10^`exponent`.
fn multiples_of(mantissa: i64, exponent: i32, range: Range) -> impl Iterator<Item = i64> + Clone {
    let step = value(mantissa, exponent);
    let (low, high) = (range.low / step, range.high / step);
    // An end of the range that is a multiple up to rounding counts as inside.
    let slack = 1e-9 + 4.0 * f64::EPSILON * low.abs().max(high.abs());
    let (first, last) = ((low - slack).ceil() as i64, (high + slack).floor() as i64);
    (first..=last).map(move |multiple| multiple * mantissa)
}

/// The correctly rounded value of `number` × 10^`exponent`; multiplying by a power of ten would round twice.
fn value(number: i64, exponent: i32) -> f64 {
    format!("{number}e{exponent}").parse().expect("an integer and an exponent are a number")
}

/// What to subtract from all labels so that they become short; 0 where they are short enough.
fn common_part(numbers: &[i64], exponent: i32) -> i64 {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return 0 };
    let largest = first.abs().max(last.abs());
    if leading_exponent(largest, exponent) - exponent < MAX_LABEL_DIGITS {
        return 0;
    }
    let mut unit = 1;
    while unit <= last - first {
        unit *= 10;
    }
    let middle = first + (last - first) / 2;
    (middle + unit / 2).div_euclid(unit) * unit
}

fn note(factor: i32, common: i64, exponent: i32) -> String {
    let factor = if factor == 0 { String::new() } else { times_power_of_ten(factor) };
    let common = match common {
        0 => String::new(),
        1.. => format!("+ {}", shortest(common, exponent)),
        _ => format!("− {}", shortest(-common, exponent)),
    };
    [factor, common].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::labels;
    use super::*;

    fn between(low: f64, high: f64, most: usize) -> Ticks {
        choose(Range { low, high }, most)
    }

    #[test]
    fn a_range_of_ten_is_marked_in_twos() {
        let ticks = between(0.0, 10.0, 6);
        assert_eq!(labels(&ticks), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(ticks.major[3].place, 6.0);
        assert_eq!(ticks.note, "");
    }

    #[test]
    fn negative_numbers_have_a_true_minus_sign_and_equal_decimals() {
        assert_eq!(labels(&between(-1.08, 1.08, 6)), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(&between(-75.0, -22.0, 4)), ["−60", "−40"]);
    }

    #[test]
    fn places_are_the_nearest_floating_point_numbers() {
        let ticks = between(0.0, 0.65, 8);
        assert_eq!(ticks.major[3].place, 0.3);
        assert_eq!(ticks.major[6].place, 0.6);
    }

    #[test]
    fn tiny_and_huge_ranges_share_a_factor() {
        let tiny = between(0.0, 4.1e-7, 5);
        assert_eq!(labels(&tiny), ["0", "1", "2", "3", "4"]);
        assert_eq!(tiny.note, "×10⁻⁷");
        let huge = between(-1e300, 1e300, 5);
        assert_eq!(labels(&huge), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(huge.note, "×10³⁰⁰");
    }

    #[test]
    fn a_narrow_range_far_from_zero_shows_the_difference() {
        let ticks = between(9.806_65, 9.806_654_1, 5);
        assert_eq!(labels(&ticks), ["0", "1", "2", "3", "4"]);
        assert_eq!(ticks.note, "×10⁻⁶ + 9.80665");
        let ticks = between(-12345.9, -12344.9, 6);
        assert_eq!(labels(&ticks), ["−0.8", "−0.6", "−0.4", "−0.2", "0.0"]);
        assert_eq!(ticks.note, "− 12345");
    }

    #[test]
    fn there_are_never_more_ticks_than_asked_for() {
        for most in 1..12 {
            for (low, high) in [(0.0, 1.0), (-3.3, 17.0), (99.0, 101.0), (-1e-9, 3e-9)] {
                assert!(between(low, high, most).major.len() <= most);
            }
        }
    }

    #[test]
    fn with_room_for_six_there_are_at_least_two() {
        for width in 1..500 {
            let width = 0.01 * f64::from(width);
            let count = between(0.37, 0.37 + width, 6).major.len();
            assert!((2..=6).contains(&count), "{count} ticks on a width of {width}");
        }
    }
}
