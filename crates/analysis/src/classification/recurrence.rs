//! Recurrence of a section: after how many periods states repeat.
//!
//! # Equations
//! States $y_n$ after whole periods that approach an orbit of m periods are $y_n = y^*_n + c\,\mu^n$, so that the residual
//! $r_m(n) = |y_n - y_{n-m}|$ falls geometrically, by $|\mu|^m$ in m periods, and leaves the error
//! $|y_n - y^*_n| \le r_m / (1 - |\mu|^m)$. The section repeats where that error is small, or where the fall is clear.

use super::phase_space::PhaseSpace;

/// The largest multiple of the period that is looked for.
const MAX_MULTIPLE: usize = 64;
/// The largest multiple of an orbit that is only approached.
const MAX_APPROACHED_MULTIPLE: usize = 8;
/// Pairs of states that are compared at each place, at least.
const MIN_PAIRS: usize = 4;
/// Orbits are the same where states differ by less, relative to their scale.
const REPEAT_TOLERANCE: f64 = 1e-4;
/// Residuals below this multiple of the integrator's tolerance are its noise.
const NOISE_TO_TOLERANCE: f64 = 100.0;
/// A shorter multiple whose residual is less than this many errors is the multiple.
const ERRORS_OF_DIVISOR: f64 = 10.0;
/// A residual must fall by this logarithm over the window to show that it falls.
const MIN_FALL: f64 = 1.5;
/// How far the middle of a fall may be from a straight line of logarithms, relative to the whole fall.
const MAX_BEND: f64 = 0.35;

/// How the states of a section repeat.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recurrence {
    /// After how many periods they do; none where they do not.
    pub(crate) multiple: Option<u32>,
    /// The distance of states that many periods apart, relative to the scales; of neighbours where they do not repeat.
    pub(crate) residual: f64,
    /// How far the last state is from the orbit, at most, relative to the scales; infinite where they do not repeat.
    pub(crate) error: f64,
    /// The logarithm by which the residual falls in a period, if it is seen to fall.
    pub(crate) fall: Option<f64>,
    /// Whether the residual is still falling and not small yet, so that the exponent has to agree.
    pub(crate) approaching: bool,
    /// Whole turns of each coordinate in so many periods.
    pub(crate) turns: Vec<i64>,
    /// The multiple after which states come nearest on the average, whether they repeat or not: chaos may visit bands in
    /// turn.
    pub(crate) nearest: usize,
}

/// Places of the window at which residuals are compared.
const PLACES: usize = 5;

/// The residual after a number of periods, at places of the window that follow each other evenly.
struct Fall {
    residuals: [f64; PLACES],
    /// Periods between the first and the last place.
    periods: f64,
}

impl Fall {
    fn last(&self) -> f64 {
        self.residuals[PLACES - 1]
    }

    /// The logarithm by which the residual falls in a period.
    fn rate(&self) -> f64 {
        (self.residuals[0] / self.last()).ln() / self.periods
    }

    /// Whether it falls clearly, and as a geometric sequence does.
    fn is_geometric(&self) -> bool {
        let logarithms = self.residuals.map(f64::ln);
        let fall = logarithms[0] - logarithms[PLACES - 1];
        let bends = (0..PLACES).map(|at| {
            let straight = logarithms[0] - fall * at as f64 / (PLACES - 1) as f64;
            (logarithms[at] - straight).abs()
        });
        fall >= MIN_FALL
            && bends.fold(0.0, f64::max) <= MAX_BEND * fall
            && logarithms.windows(2).all(|pair| pair[1] < pair[0])
    }
}

/// The largest residual in each of even parts of the window: a transient of several modes beats.
fn envelope(residual: impl Fn(usize) -> f64, first: usize, count: usize) -> Fall {
    let end = |at: usize| first + (count - first) * at / PLACES;
    let largest =
        |at: usize| (end(at)..end(at + 1)).map(&residual).fold(f64::MIN_POSITIVE, f64::max);
    let periods = (count - first) as f64 * (PLACES - 1) as f64 / PLACES as f64;
    Fall { residuals: std::array::from_fn(largest), periods }
}

/// States one after the other, flat, a period apart.
pub(crate) fn recurrence(
    space: &PhaseSpace,
    scales: &[f64],
    states: &[f64],
    rtol: f64,
) -> Recurrence {
    let size = space.len();
    let count = states.len() / size;
    let state = |at: usize| &states[at * size..(at + 1) * size];
    // the largest distance of states m periods apart among some pairs that end here
    let residual = |multiple: usize, end: usize| -> f64 {
        let pairs = multiple.max(MIN_PAIRS).min(end - multiple);
        let distance = |at: usize| space.distance(scales, state(at - multiple), state(at));
        (0..pairs).map(|back| distance(end - 1 - back)).fold(0.0, f64::max)
    };
    let multiples = (1..=MAX_MULTIPLE).take_while(|multiple| fits(*multiple, count));
    let nearest = multiples.clone().map(|multiple| (multiple, residual(multiple, count)));
    let nearest = nearest.reduce(|best, other| if 0.5 * best.1 > other.1 { other } else { best });
    let noise = NOISE_TO_TOLERANCE * rtol;
    let found = |multiple: usize, fall: &Fall, error: f64, approaching: bool| Recurrence {
        multiple: Some(multiple as u32),
        residual: fall.last(),
        error,
        fall: Some(fall.rate()).filter(|rate| *rate > 0.0 && fall.last() > noise),
        approaching,
        turns: space.turns(state(count - 1 - multiple), state(count - 1)),
        nearest: multiple,
    };
    for multiple in multiples {
        let first = multiple + multiple.max(MIN_PAIRS);
        let place = |at: usize| first + (count - first) * at / (PLACES - 1);
        let residuals = std::array::from_fn(|at| residual(multiple, place(at)));
        let residuals = residuals.map(|residual: f64| residual.max(f64::MIN_POSITIVE));
        let fall = Fall { residuals, periods: (count - first) as f64 };
        let last = fall.last();
        let kept = 1.0 - (-fall.rate() * multiple as f64).exp();
        let error = match (last <= noise, kept > 0.0) {
            (true, _) => last,
            (false, true) => last / kept,
            (false, false) => f64::INFINITY,
        };
        if error <= REPEAT_TOLERANCE {
            let is_same = |divisor: &usize| {
                multiple.is_multiple_of(*divisor)
                    && residual(*divisor, count) <= ERRORS_OF_DIVISOR * error.max(noise)
            };
            let shortest = (1..=multiple).find(is_same).unwrap_or(multiple);
            return found(shortest, &fall, error, false);
        }
        if multiple <= MAX_APPROACHED_MULTIPLE {
            let step = |at: usize| space.distance(scales, state(at - multiple), state(at));
            let fall = envelope(step, multiple, count);
            if fall.is_geometric() {
                return found(multiple, &fall, error, true);
            }
        }
    }
    Recurrence {
        multiple: None,
        residual: if count > 1 { residual(1, count) } else { f64::NAN },
        error: f64::INFINITY,
        fall: None,
        approaching: false,
        turns: vec![0; space.is_angle.len()],
        nearest: nearest.map_or(1, |(multiple, _)| multiple),
    }
}

/// Whether so many states are enough to see them repeat after so many periods.
fn fits(multiple: usize, count: usize) -> bool {
    2 * (multiple + multiple.max(MIN_PAIRS)) <= count
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn oscillator() -> PhaseSpace {
        PhaseSpace { is_angle: vec![true], states: 0 }
    }

    fn of(count: usize, state: impl Fn(f64) -> [f64; 2]) -> Recurrence {
        let states: Vec<f64> = (0..count).flat_map(|n| state(n as f64)).collect();
        recurrence(&oscillator(), &[1.0, 1.0], &states, 1e-9)
    }

    #[test]
    fn orbits_of_several_periods_are_found_with_their_multiple() {
        assert_eq!(of(32, |_| [0.3, 1.0]).multiple, Some(1));
        let third = |n: f64| [(TAU * n / 3.0).sin(), (TAU * n / 3.0).cos()];
        assert_eq!(of(32, third).multiple, Some(3));
        let faint = |n: f64| [0.3 + 1e-3 * (TAU * n / 2.0).cos(), 1.0];
        assert_eq!(of(32, faint).multiple, Some(2), "a doubling that has just begun");
        assert_eq!(of(12, |n| [(TAU * n / 7.0).sin(), 0.0]).multiple, None, "too few states");
    }

    #[test]
    fn rotations_repeat_on_the_circle_and_their_turns_are_counted() {
        let turning = of(32, |n| [0.3 - TAU * n, 1.0]);
        assert_eq!((turning.multiple, turning.turns), (Some(1), vec![-1]));
        let slow = of(32, |n| [0.3 + TAU * n / 2.0, 1.0]);
        assert_eq!((slow.multiple, slow.turns), (Some(2), vec![1]));
    }

    #[test]
    fn a_transient_that_dies_out_is_seen_before_it_is_gone() {
        // spirals in with 1/40 per period
        let spiral = of(128, |n| {
            let (size, phase) = (0.2 * (-n / 40.0).exp(), 1.3 * n);
            [0.5 + size * phase.cos(), size * phase.sin()]
        });
        assert_eq!(spiral.multiple, Some(1));
        assert!(spiral.approaching, "{spiral:?}");
        let fall = spiral.fall.expect("a fall");
        assert!((fall - 1.0 / 40.0).abs() < 2e-3, "{fall}");
        // a multiplier close to −1 is no doubling
        let flip = of(64, |n| [0.5 + 1e-5 * (-0.9_f64).powf(n), 1.0]);
        assert_eq!(flip.multiple, Some(1));
    }

    #[test]
    fn what_never_repeats_has_no_multiple() {
        let golden = 0.5 * (5_f64.sqrt() - 1.0);
        let torus = of(256, |n| [(TAU * golden * n).sin(), (TAU * golden * n).cos()]);
        assert_eq!(torus.multiple, None);
        assert!(torus.residual > 0.5);
        let mut x = 0.3;
        let mut chaos = Vec::new();
        for _ in 0..256 {
            x = 3.9 * x * (1.0 - x);
            chaos.extend([x, 1.0 - x]);
        }
        assert_eq!(recurrence(&oscillator(), &[0.5, 0.5], &chaos, 1e-9).multiple, None);
    }
}
