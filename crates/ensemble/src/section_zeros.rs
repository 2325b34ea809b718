//! Zeros of a section's function along a step, from its values and its exact slopes.
//!
//! A piece of a step at whose ends the function has two signs has a zero, which is found by the Illinois method (Dowell and
//! Jarratt 1971) to the rounding of time. A piece at whose ends it has one sign may hide two: where the function comes nearer
//! to zero at the beginning and leaves it at the end, and the tangents meet on the other side of zero, its extreme value is
//! looked for. What bends one way only lies on one side of its tangents, so that nothing is missed in such a piece.

/// A function with its slope along the motion, at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) t: f64,
    pub(crate) value: f64,
    /// Its total derivative by time.
    pub(crate) slope: f64,
}

/// Pieces into which a step is divided that may have a zero.
pub(crate) const PIECES_PER_STEP: usize = 8;
/// Steps of a search that converges in far fewer.
pub(crate) const MAX_ITERATIONS: usize = 100;
/// A function that has grown by this factor where it changes its sign has no zero there but a pole.
pub(crate) const GROWTH_AT_POLE: f64 = 10.0;

impl Sample {
    /// The sign just behind this place: that of the value, or of the slope where the value is 0; 0 where neither tells.
    pub(crate) fn side(&self) -> f64 {
        let sign = |x: f64| if x > 0.0 { 1.0 } else { -1.0 };
        match (self.value, self.slope) {
            (0.0, 0.0) => 0.0,
            (0.0, slope) => sign(slope),
            (value, _) => sign(value),
        }
    }
}

/// Whether the function may have a zero between two places, at the first of which it is on this side.
pub(crate) fn may_vanish(a: &Sample, b: &Sample, side: f64) -> bool {
    b.side() == -side || may_turn_behind_zero(a, b, side)
}

/// Whether the tangents at both ends meet on the other side of zero.
fn may_turn_behind_zero(a: &Sample, b: &Sample, side: f64) -> bool {
    if !(side * a.slope < 0.0 && side * b.slope > 0.0) {
        return false;
    }
    let until = (b.value - a.value - b.slope * (b.t - a.t)) / (a.slope - b.slope);
    side * (a.value + a.slope * until) < 0.0
}

/// Passes all zeros in (a, b] on, each with the sign behind it; `side` is the one behind a. Returns that behind b.
pub(crate) fn zeros(
    [a, b]: [Sample; 2],
    mut side: f64,
    sample: &mut dyn FnMut(f64) -> Sample,
    found: &mut dyn FnMut(f64, i8),
) -> f64 {
    let mut left = a;
    for piece in 1..=PIECES_PER_STEP {
        let right = match piece {
            PIECES_PER_STEP => b,
            _ => sample(a.t + (b.t - a.t) * piece as f64 / PIECES_PER_STEP as f64),
        };
        let behind = right.side();
        let mut cross = |from, to, side: f64, sample: &mut dyn FnMut(f64) -> Sample| {
            if let Some(t) = zero(from, to, side, sample) {
                found(t, -side as i8);
            }
        };
        if side != 0.0 && behind == -side {
            cross(left, right, side, sample);
        } else if side != 0.0
            && may_turn_behind_zero(&left, &right, side)
            && let Some(turn) = other_side(left, right, side, sample)
        {
            cross(left, turn, side, sample);
            cross(turn, right, -side, sample);
        }
        side = if behind == 0.0 { side } else { behind };
        left = right;
    }
    side
}

/// A place between a and b where the function is not on the side of both, if there is one.
fn other_side(
    mut a: Sample,
    mut b: Sample,
    side: f64,
    sample: &mut dyn FnMut(f64) -> Sample,
) -> Option<Sample> {
    for _ in 0..MAX_ITERATIONS {
        let part = (a.slope / (a.slope - b.slope)).clamp(0.1, 0.9);
        let middle = a.t + part * (b.t - a.t);
        if middle <= a.t || middle >= b.t {
            return None;
        }
        let here = sample(middle);
        if side * here.value < 0.0 {
            return Some(here);
        }
        if side * here.slope < 0.0 {
            a = here;
        } else {
            b = here;
        }
        if !may_turn_behind_zero(&a, &b, side) {
            return None;
        }
    }
    None
}

/// The first time behind the zero between a, on this side, and b, on the other; `None` at a pole.
fn zero(
    mut a: Sample,
    mut b: Sample,
    side: f64,
    sample: &mut dyn FnMut(f64) -> Sample,
) -> Option<f64> {
    let [first_a, first_b] = [a.value.abs(), b.value.abs()];
    let rounding = f64::EPSILON * a.t.abs().max(b.t.abs());
    // as the Illinois method weighs them: halved at the end that stays
    let (mut at_a, mut at_b) = (a.value, b.value);
    let mut stayed = 0_i8;
    for iteration in 0..MAX_ITERATIONS {
        if b.t - a.t <= 2.0 * rounding {
            break;
        }
        let part = at_a / (at_a - at_b);
        let part = if part.is_finite() && iteration % 4 < 3 { part } else { 0.5 };
        let t = (a.t + part * (b.t - a.t)).clamp(a.t + rounding, b.t - rounding);
        let here = sample(t);
        if side * here.value > 0.0 {
            (a, at_a) = (here, here.value);
            at_b *= if stayed == 1 { 0.5 } else { 1.0 };
            stayed = 1;
        } else {
            (b, at_b) = (here, here.value);
            at_a *= if stayed == -1 { 0.5 } else { 1.0 };
            stayed = -1;
        }
    }
    let (at_a, at_b) = (a.value.abs(), b.value.abs());
    let has_grown = at_a.min(at_b) > GROWTH_AT_POLE * first_a.max(first_b);
    // a pole at an end, where nothing can grow: slopes point away from zero on both sides
    let slopes = [side * a.slope, side * b.slope];
    let points_away = slopes.iter().all(|&slope| slope >= 0.0) && slopes != [0.0; 2];
    let is_pole = has_grown || (points_away && at_a >= first_a && at_b >= first_b);
    (!is_pole).then_some(b.t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    /// All zeros of a function in (from, to], with the signs behind them, and the number of evaluations.
    fn found(
        from: f64,
        to: f64,
        value: impl Fn(f64) -> f64,
        slope: impl Fn(f64) -> f64,
    ) -> (Vec<(f64, i8)>, usize) {
        let mut evaluations = 0;
        let mut sample = |t: f64| {
            evaluations += 1;
            Sample { t, value: value(t), slope: slope(t) }
        };
        let ends = [from, to].map(&mut sample);
        let mut all = Vec::new();
        zeros(ends, ends[0].side(), &mut sample, &mut |t, sign| all.push((t, sign)));
        (all, evaluations)
    }

    #[test]
    fn a_zero_is_found_to_the_last_digits_of_time_with_few_evaluations() {
        let (all, evaluations) = found(100.0, 101.5, |t| (t - 100.3).sin(), |t| (t - 100.3).cos());
        assert_eq!(all.len(), 1);
        assert!((all[0].0 - 100.3).abs() < 3e-14, "{}", all[0].0 - 100.3);
        assert_eq!(all[0].1, 1);
        assert!(evaluations < 30, "{evaluations}");
    }

    #[test]
    fn two_zeros_in_one_piece_are_not_lost() {
        let parabola = |least: f64| {
            found(0.0, 1.0, move |t| (t - 0.42).powi(2) - least, |t| 2.0 * (t - 0.42)).0
        };
        let crossed = parabola(1e-8);
        assert_eq!(crossed.iter().map(|zero| zero.1).collect::<Vec<_>>(), [-1, 1]);
        assert!((crossed[0].0 - 0.4199).abs() < 1e-10 && (crossed[1].0 - 0.4201).abs() < 1e-10);
        assert!(parabola(-1e-8).is_empty(), "it turns before zero");
    }

    #[test]
    fn all_zeros_of_a_step_come_in_order() {
        let (all, _) = found(0.1, 10.0, f64::sin, f64::cos);
        let times: Vec<f64> = all.iter().map(|zero| zero.0).collect();
        let expected = [1.0, 2.0, 3.0].map(|n| n * std::f64::consts::PI);
        assert_eq!(times.len(), 3);
        assert!(times.iter().zip(expected).all(|(t, n)| (t - n).abs() < 1e-14), "{times:?}");
        assert_eq!(all.iter().map(|zero| zero.1).collect::<Vec<_>>(), [-1, 1, -1]);
    }

    #[test]
    fn a_pole_is_no_zero_and_a_start_on_the_section_no_crossing() {
        let slope = |t: f64| 1.0 + t.tan().powi(2);
        let (all, _) = found(0.5, 3.3, f64::tan, slope);
        assert_eq!(all.len(), 1, "{all:?}");
        assert!((all[0].0 - std::f64::consts::PI).abs() < 1e-14);
        assert!(found(FRAC_PI_2, 2.0, f64::tan, slope).0.is_empty(), "it begins at a pole");
        assert!(found(0.0, 1.0, |t| t, |_| 1.0).0.is_empty());
        assert_eq!(found(-1.0, 0.0, |t| t, |_| 1.0).0, [(0.0, 1)]);
    }
}
