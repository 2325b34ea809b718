//! Zeros of event functions inside a step.
//!
//! The dense output of a step is sampled; a change of sign brackets a zero, and a sample that comes
//! near zero without crossing is looked at closely, so that two zeros in one step are not missed.

use catena_linear::GoldenSection;

/// Intervals into which a step is divided: two zeros closer than one are found by their extremum.
const INTERVALS_PER_STEP: usize = 12;
/// A zero is located to this part of an interval, or to the last bit of the time.
const ZERO_TOLERANCE: f64 = 1e-13;
/// Golden sections in the search for two zeros close together.
const MAX_SECTIONS: usize = 60;

/// A zero: its time and the sign of the crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Zero {
    pub(crate) time: f64,
    pub(crate) direction: i8,
}

/// Passes all zeros of a function in the half-open interval (from, to] on.
pub(crate) fn zeros(
    from: f64,
    to: f64,
    mut value: impl FnMut(f64) -> f64,
    mut found: impl FnMut(Zero),
) {
    let times: [f64; INTERVALS_PER_STEP + 1] = std::array::from_fn(|sample| match sample {
        INTERVALS_PER_STEP => to,
        sample => from + (to - from) * sample as f64 / INTERVALS_PER_STEP as f64,
    });
    let values = times.map(&mut value);
    for k in 0..INTERVALS_PER_STEP {
        let (a, b) = (times[k], times[k + 1]);
        let (at_a, at_b) = (values[k], values[k + 1]);
        if at_a * at_b < 0.0 || (at_b == 0.0 && at_a != 0.0) {
            found(refine(a, b, at_a, &mut value));
            continue;
        }
        // an extremum that points at zero may reach beyond it
        let approaches = k > 0 && at_a * at_b > 0.0 && {
            let before = values[k - 1];
            before.abs() >= at_a.abs() && at_b.abs() >= at_a.abs() && before * at_a > 0.0
        };
        if approaches {
            let (left, right) = (times[k - 1], b);
            let extremum = nearest_to_zero(left, right, at_a.signum(), &mut value);
            let at_extremum = value(extremum);
            if at_extremum * at_a < 0.0 {
                found(refine(left, extremum, values[k - 1], &mut value));
                found(refine(extremum, right, at_extremum, &mut value));
            }
        }
    }
}

/// Bisection on a change of sign.
fn refine(mut a: f64, mut b: f64, at_a: f64, value: &mut impl FnMut(f64) -> f64) -> Zero {
    let direction = if at_a < 0.0 { 1 } else { -1 };
    let tolerance = ZERO_TOLERANCE * (b - a);
    while b - a > tolerance {
        let middle = a + (b - a) / 2.0;
        if middle <= a || middle >= b {
            break;
        }
        if value(middle) * at_a > 0.0 {
            a = middle;
        } else {
            b = middle;
        }
    }
    Zero { time: b, direction }
}

/// Where a function of one sign comes closest to zero, by golden sections.
fn nearest_to_zero(a: f64, b: f64, sign: f64, value: &mut impl FnMut(f64) -> f64) -> f64 {
    let mut size = |time: f64| sign * value(time);
    let mut section = GoldenSection::new(a, b, &mut size);
    for _ in 0..MAX_SECTIONS {
        section.narrow(&mut size);
        if section.smallest() < 0.0 {
            break;
        }
    }
    section.best()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros(from: f64, to: f64, value: impl Fn(f64) -> f64) -> Vec<Zero> {
        let mut found = Vec::new();
        super::zeros(from, to, value, |zero| found.push(zero));
        found.sort_by(|a, b| a.time.total_cmp(&b.time));
        found
    }

    #[test]
    fn zeros_are_found_in_order_with_their_directions() {
        let found = zeros(-8.0, 4.0, |x| x * x * x + 6.0 * x * x - 4.0 * x - 24.0);
        let times: Vec<f64> = found.iter().map(|zero| zero.time).collect();
        let directions: Vec<i8> = found.iter().map(|zero| zero.direction).collect();
        for (time, expected) in times.iter().zip([-6.0, -2.0, 2.0]) {
            assert!((time - expected).abs() < 1e-11, "{times:?}");
        }
        assert_eq!(directions, [1, -1, 1]);
    }

    #[test]
    fn two_zeros_between_two_samples_are_not_missed() {
        let found = zeros(0.0, 1.0, |x| (x - 0.42).powi(2) - 1e-8);
        assert_eq!(found.len(), 2);
        assert!((found[0].time - 0.4199).abs() < 1e-10 && (found[1].time - 0.4201).abs() < 1e-10);
        assert!(zeros(0.0, 1.0, |x| (x - 0.42).powi(2) + 1e-8).is_empty());
    }

    #[test]
    fn a_zero_at_the_beginning_belongs_to_the_step_before() {
        assert!(zeros(0.0, 1.0, |x| x).is_empty());
        assert_eq!(zeros(-1.0, 0.0, |x| x).len(), 1);
    }
}
