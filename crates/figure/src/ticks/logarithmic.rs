//! Ticks on a logarithmic axis: decades where there are several, and finer numbers where there are not.

use super::{Tick, Ticks, linear};
use crate::label::{power_of_ten, shortest};
use crate::range::Range;

/// How many decades lie between labelled ones; wide ranges take the later entries.
const STRIDES: [i32; 12] = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500];

/// Which multiples of each decade are labelled on a short range, from fine to coarse.
const MULTIPLES: [&[i64]; 3] = [&[1, 2, 3, 5], &[1, 2, 5], &[1, 3]];

/// Beyond this number, unlabelled ticks would only darken the axis.
const MAX_MINOR_TICKS: usize = 90;

pub(super) fn choose(range: Range, most: usize) -> Ticks {
    if decades(range).count() >= 2 {
        return by_decades(range, most);
    }
    MULTIPLES
        .iter()
        .find_map(|labelled| by_multiples(range, most, labelled))
        .unwrap_or_else(|| by_values(range, most))
}

fn decades(range: Range) -> std::ops::RangeInclusive<i32> {
    // The margin of data that end exactly at a decade keeps rounding harmless here.
    range.low.ceil() as i32..=range.high.floor() as i32
}

fn by_decades(range: Range, most: usize) -> Ticks {
    let labelled = |stride: i32| decades(range).filter(move |decade| decade % stride == 0);
    let stride =
        STRIDES.into_iter().find(|stride| labelled(*stride).count() <= most).unwrap_or(1000);
    let major = labelled(stride)
        .map(|decade| Tick { place: f64::from(decade), label: power_of_ten(decade) })
        .collect();
    let minor: Vec<f64> = if stride == 1 {
        multiples(range, &[2, 3, 4, 5, 6, 7, 8, 9])
            .map(|(multiple, decade)| place(multiple, decade))
            .collect()
    } else {
        decades(range).filter(|decade| decade % stride != 0).map(f64::from).collect()
    };
    Ticks {
        major,
        minor: if minor.len() <= MAX_MINOR_TICKS { minor } else { Vec::new() },
        note: String::new(),
    }
}

/// Ticks at some multiples of the decades; `None` if these are too many, or fewer than the two that show the scale.
fn by_multiples(range: Range, most: usize, labelled: &[i64]) -> Option<Ticks> {
    let major: Vec<Tick> = multiples(range, labelled)
        .map(|(multiple, decade)| Tick {
            place: place(multiple, decade),
            label: shortest(multiple, decade),
        })
        .collect();
    let minor = multiples(range, &[1, 2, 3, 4, 5, 6, 7, 8, 9])
        .filter(|(multiple, _)| !labelled.contains(multiple))
        .map(|(multiple, decade)| place(multiple, decade))
        .collect();
    (2..=most).contains(&major.len()).then_some(Ticks { major, minor, note: String::new() })
}

/// Ticks as on a linear axis: over so short a range the two hardly differ.
fn by_values(range: Range, most: usize) -> Ticks {
    let values = Range { low: 10f64.powf(range.low), high: 10f64.powf(range.high) };
    let mut ticks = linear::choose(values, most);
    for tick in &mut ticks.major {
        tick.place = tick.place.log10();
    }
    // A range may begin below its first value by the rounding of the power alone, which a place of zero would betray.
    ticks.major.retain(|tick| tick.place.is_finite());
    ticks
}

/// All `multiple` × 10^`decade` inside the range, from low to high.
fn multiples(range: Range, wanted: &[i64]) -> impl Iterator<Item = (i64, i32)> {
    (range.low.floor() as i32..=range.high.floor() as i32)
        .flat_map(move |decade| wanted.iter().map(move |multiple| (*multiple, decade)))
        .filter(move |(multiple, decade)| range.contains(place(*multiple, *decade)))
}

fn place(multiple: i64, decade: i32) -> f64 {
    f64::from(decade) + (multiple as f64).log10()
}

#[cfg(test)]
mod tests {
    use super::super::labels;
    use super::*;

    fn between(low: f64, high: f64, most: usize) -> Ticks {
        choose(Range { low: low.log10(), high: high.log10() }, most)
    }

    #[test]
    fn decades_are_labelled_with_powers() {
        let ticks = between(0.55e-3, 2.5, 6);
        assert_eq!(labels(&ticks), ["10⁻³", "10⁻²", "10⁻¹", "10⁰"]);
        assert_eq!(ticks.major[0].place, -3.0);
        // 6, 7, 8, 9 below 10⁻³, eight in each of the three decades, and 2 at the end.
        assert_eq!(ticks.minor.len(), 4 + 3 * 8 + 1);
    }

    #[test]
    fn many_decades_are_labelled_with_a_stride() {
        let ticks = between(1e-15, 1.5, 6);
        assert_eq!(labels(&ticks), ["10⁻¹⁵", "10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"]);
        assert_eq!(ticks.minor.len(), 10);
    }

    #[test]
    fn about_one_decade_is_labelled_with_small_multiples() {
        assert_eq!(labels(&between(1.5, 60.0, 6)), ["2", "5", "10", "20", "50"]);
        assert_eq!(labels(&between(1.5e-8, 6e-8, 6)), ["2×10⁻⁸", "3×10⁻⁸", "5×10⁻⁸"]);
    }

    #[test]
    fn a_short_range_is_labelled_as_if_linear() {
        let ticks = between(1.01, 1.05, 6);
        assert_eq!(labels(&ticks), ["1.01", "1.02", "1.03", "1.04", "1.05"]);
        assert!((ticks.major[1].place - 1.02f64.log10()).abs() < 1e-15);
    }

    #[test]
    fn the_whole_range_of_numbers_is_labelled() {
        let ticks = choose(Range { low: -324.0, high: 324.0 }, 7);
        assert_eq!(
            labels(&ticks),
            ["10⁻³⁰⁰", "10⁻²⁰⁰", "10⁻¹⁰⁰", "10⁰", "10¹⁰⁰", "10²⁰⁰", "10³⁰⁰"]
        );
    }
}
