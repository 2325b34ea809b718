//! Zeros of event functions inside a step.
//!
//! A piece of a step in which a function provably has no zero is passed over. Where its sign changes in a piece that shows
//! nothing but a smooth passage, there is one zero. Every other piece is halved, so that neither many zeros in one step
//! nor two close together are missed.

use catena_symbolic::Interval;

/// Intervals into which a step is divided before anything is known.
pub(crate) const INTERVALS_PER_STEP: usize = 12;
/// A zero is located to this part of an interval, or to the last bit of the time.
const ZERO_TOLERANCE: f64 = 1e-13;
/// An interval is halved this often at most.
const MAX_HALVINGS: usize = 30;
/// How many pieces of an interval are looked at.
const MAX_PIECES: usize = 4000;
/// How many of them may show nothing but a smooth passage: two zeros close together are found with fewer.
const MAX_SMOOTH_PIECES: usize = 120;
/// Towards a pole every halving makes a function larger by this factor or more.
const GROWTH_TOWARDS_POLE: f64 = 1.1;
/// The part of the halvings that has to, of those that change it: the last ones are lost in rounding.
const GROWING_PART: f64 = 1.0 / 3.0;

/// A zero: its time and the sign of the crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Zero {
    pub(crate) time: f64,
    pub(crate) direction: i8,
}

/// What is known of a function along a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behaviour {
    /// Where its values are.
    pub(crate) range: Interval,
    /// Whether it may turn back and forth in there.
    pub(crate) is_wild: bool,
}

/// A function along the pieces of a step.
pub(crate) trait EventFunction {
    /// Its value at a time.
    fn value(&mut self, t: f64) -> f64;

    /// What it does between two times.
    fn behaviour(&mut self, piece: [f64; 2]) -> Behaviour;

    /// Whether anything is known between the places that were looked at.
    fn is_known(&self) -> bool {
        true
    }
}

/// Pieces of an interval that are still to be looked at, the next one last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces(Vec<Piece>);

/// A piece, with the values at its ends.
#[derive(Clone, Copy, Debug)]
struct Piece {
    times: [f64; 2],
    values: [f64; 2],
    halvings: usize,
    /// Whether it was cut out of one that turned back and forth.
    of_wild: bool,
}

/// Passes all zeros of a function in the half-open interval (from, to] on, given its values at the ends.
pub(crate) fn zeros(
    times: [f64; 2],
    values: [f64; 2],
    function: &mut impl EventFunction,
    Pieces(ahead): &mut Pieces,
    mut found: impl FnMut(Zero),
) {
    let known = function.is_known();
    let mut smooth_pieces = 0;
    ahead.clear();
    ahead.push(Piece { times, values, halvings: 0, of_wild: true });
    for _ in 0..MAX_PIECES {
        let Some(piece) = ahead.pop() else { return };
        let Piece { times: [a, b], values: [at_a, at_b], halvings, of_wild } = piece;
        let Behaviour { range, is_wild } = function.behaviour(piece.times);
        if !range.contains(0.0) {
            continue;
        }
        let middle = a + 0.5 * (b - a);
        smooth_pieces = if of_wild { 0 } else { smooth_pieces + 1 };
        let at_rest = at_a == 0.0 && at_b == 0.0;
        let enough = !known || at_rest || smooth_pieces > MAX_SMOOTH_PIECES;
        let is_last = enough || halvings >= MAX_HALVINGS || middle <= a || middle >= b;
        let crosses = at_a * at_b < 0.0 || (at_b == 0.0 && at_a != 0.0);
        if crosses && (is_last || !is_wild) {
            if let Some(zero) = refine(piece, |t| function.value(t)) {
                found(zero);
            }
        } else if !is_last {
            let at_middle = function.value(middle);
            let halves = [([a, middle], [at_a, at_middle]), ([middle, b], [at_middle, at_b])];
            let halves = halves.map(|(times, values)| Piece {
                times,
                values,
                halvings: halvings + 1,
                of_wild: is_wild,
            });
            ahead.extend(halves.into_iter().rev());
        }
    }
}

/// Bisection on a change of sign; `None` at a pole. Next to a jump a function does not grow for long.
fn refine(piece: Piece, mut value: impl FnMut(f64) -> f64) -> Option<Zero> {
    let Piece { times: [mut a, mut b], values: [at_a, at_b], .. } = piece;
    let direction = if at_a < 0.0 { 1 } else { -1 };
    let tolerance = ZERO_TOLERANCE * (b - a);
    let (mut before, mut behind) = (at_a, at_b);
    let (mut halvings, mut growing) = (0.0, 0.0);
    while b - a > tolerance {
        let middle = a + (b - a) / 2.0;
        if middle <= a || middle >= b {
            break;
        }
        let here = value(middle);
        let is_before = here * at_a > 0.0;
        let (end, side) = if is_before { (&mut a, &mut before) } else { (&mut b, &mut behind) };
        halvings += f64::from(here != *side);
        growing += f64::from(here.abs() > GROWTH_TOWARDS_POLE * side.abs());
        (*end, *side) = (middle, here);
    }
    let has_grown = before.abs() >= at_a.abs() && behind.abs() >= at_b.abs();
    let is_pole = has_grown && growing > GROWING_PART * halvings;
    (!is_pole).then_some(Zero { time: b, direction })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function with its range.
    struct Formula<F, R>(F, R);

    impl<F: Fn(f64) -> f64, R: Fn(Interval) -> Interval> EventFunction for Formula<F, R> {
        fn value(&mut self, t: f64) -> f64 {
            (self.0)(t)
        }

        /// Wild as long as it may pass more than half a period of anything.
        fn behaviour(&mut self, [from, to]: [f64; 2]) -> Behaviour {
            let range = (self.1)(Interval::between(from, to));
            Behaviour { range, is_wild: to - from > 0.01 }
        }
    }

    fn zeros(
        from: f64,
        to: f64,
        value: impl Fn(f64) -> f64,
        range: impl Fn(Interval) -> Interval,
    ) -> Vec<Zero> {
        let mut found = Vec::new();
        let ends = [from, to].map(&value);
        let function = &mut Formula(value, range);
        super::zeros([from, to], ends, function, &mut Pieces::default(), |zero| found.push(zero));
        found
    }

    fn number(value: f64) -> Interval {
        Interval::point(value)
    }

    #[test]
    fn zeros_are_found_in_order_with_their_directions() {
        let cubic = |x: f64| x * x * x + 6.0 * x * x - 4.0 * x - 24.0;
        let range = |x: Interval| (x + number(6.0)) * (x + number(2.0)) * (x - number(2.0));
        let found = zeros(-8.0, 4.0, cubic, range);
        let times: Vec<f64> = found.iter().map(|zero| zero.time).collect();
        let directions: Vec<i8> = found.iter().map(|zero| zero.direction).collect();
        for (time, expected) in times.iter().zip([-6.0, -2.0, 2.0]) {
            assert!((time - expected).abs() < 1e-11, "{times:?}");
        }
        assert_eq!(directions, [1, -1, 1]);
    }

    #[test]
    fn two_zeros_between_two_samples_are_not_missed() {
        let near = |shift: f64| move |x: Interval| (x - number(0.42)).square() + number(shift);
        let found = zeros(0.0, 1.0, |x| (x - 0.42).powi(2) - 1e-8, near(-1e-8));
        assert_eq!(found.len(), 2);
        assert!((found[0].time - 0.4199).abs() < 1e-10 && (found[1].time - 0.4201).abs() < 1e-10);
        assert!(zeros(0.0, 1.0, |x| (x - 0.42).powi(2) + 1e-8, near(1e-8)).is_empty());
    }

    #[test]
    fn many_zeros_in_one_step_are_all_found() {
        let found = zeros(0.0, 5.0, |x| (200.0 * x).sin(), |x| (number(200.0) * x).sin());
        assert_eq!(found.len(), 318);
        assert!(found.windows(2).all(|pair| pair[0].direction == -pair[1].direction));
    }

    #[test]
    fn a_pole_is_no_zero() {
        let found = zeros(0.5, 6.0, f64::tan, Interval::tan);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].time - std::f64::consts::PI).abs() < 1e-12);
        let at_pole = std::f64::consts::FRAC_PI_2;
        assert!(zeros(at_pole, 2.0, f64::tan, Interval::tan).is_empty(), "it begins at one");
    }

    #[test]
    fn a_jump_through_zero_is_no_pole_however_much_larger_it_is_than_what_is_around_it() {
        // both are monotonic on either side of 0.3
        fn range(x: Interval, value: impl Fn(f64) -> f64) -> Interval {
            match x.contains(0.3) {
                true => Interval::WHOLE,
                false => Interval::between(value(x.lower), value(x.upper)),
            }
        }
        for slope in [0.1, 0.17, 0.1733] {
            let jump = |x: f64| (x - 0.3).signum() * (0.052 - slope * (x - 0.3).abs());
            assert_eq!(zeros(0.0, 0.6, jump, |x| range(x, jump)).len(), 1, "{slope}");
        }
        for power in [0.2, 1.0, 3.0] {
            let pole = |x: f64| (x - 0.3).signum() / (x - 0.3).abs().powf(power);
            for [from, to] in [[0.0, 0.6], [0.3, 0.6], [0.3 - 1e-9, 0.7], [-2.0, 0.3]] {
                let found = zeros(from, to, pole, |x| range(x, pole));
                assert!(found.is_empty(), "{power}, from {from} to {to}: {found:?}");
            }
        }
    }

    #[test]
    fn a_zero_at_the_beginning_belongs_to_the_step_before() {
        assert!(zeros(0.0, 1.0, |x| x, |x| x).is_empty());
        assert_eq!(zeros(-1.0, 0.0, |x| x, |x| x).len(), 1);
    }
}
