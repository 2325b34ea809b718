//! How much of a function a step may pass at once.
//!
//! The argument of a function is turned into its *level*: equal distances between levels are comparable changes of the
//! function. A step has seen a function if no level inside it lies far beyond those at its ends.

use catena_symbolic::Interval;

/// A level this far beyond those at both ends is a feature that nobody has seen: four e-foldings.
pub(super) const MAX_EXCESS: f64 = 4.0;
/// Exponentials below e to this power do not count.
const NEGLIGIBLE_LOGARITHM: f64 = -40.0;
/// Powers from here on are as steep as exponentials.
pub(super) const STEEP_POWER: f64 = 8.0;

/// How a function depends on its argument u.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// It repeats every 2π.
    Period,
    /// exp u
    Growth,
    /// exp |u|
    GrowthBothWays,
    /// From one level to another, `total` away.
    Step { value: fn(f64) -> f64, total: f64 },
    /// u to a negative power, or to a steep one.
    Power(f64),
}

impl Shape {
    /// The levels of arguments.
    pub(super) fn levels(&self, u: Interval) -> Interval {
        let significant = |levels: Interval| Interval {
            lower: levels.lower.max(NEGLIGIBLE_LOGARITHM),
            upper: levels.upper.max(NEGLIGIBLE_LOGARITHM),
        };
        match *self {
            // half a period is as much as a step may pass
            Shape::Period => scaled(u, MAX_EXCESS / std::f64::consts::PI),
            Shape::Growth => significant(u),
            Shape::GrowthBothWays => u.abs(),
            Shape::Step { value, total } => {
                let passed = Interval { lower: value(u.lower), upper: value(u.upper) };
                // to half-way and back is hidden
                scaled(passed, 2.2 * MAX_EXCESS / total)
            }
            Shape::Power(exponent) => {
                let size = u.abs();
                let logarithms = Interval::between(size.lower.ln(), size.upper.ln());
                significant(scaled(logarithms, exponent))
            }
        }
    }

    /// The level of one argument.
    pub(super) fn level(&self, u: f64) -> f64 {
        self.levels(Interval::point(u)).upper
    }

    /// Whether levels between two ends may hide something from who knows the ends.
    pub(super) fn hides(&self, levels: Interval, ends: [f64; 2]) -> bool {
        let above = levels.upper - ends[0].max(ends[1]) > MAX_EXCESS;
        let below = ends[0].min(ends[1]) - levels.lower > MAX_EXCESS;
        match self {
            Shape::Period => levels.width() > MAX_EXCESS * (1.0 + 1e-6),
            Shape::Growth | Shape::GrowthBothWays => above || below,
            // from nearly one level to nearly the other, or there and back
            Shape::Step { .. } => above || below || levels.width() > 1.9 * MAX_EXCESS,
            Shape::Power(_) => above,
        }
    }

    /// Whether the ends of a step are so far apart that the step knows little of what is between them.
    pub(super) fn leaps(&self, ends: [f64; 2]) -> bool {
        (ends[1] - ends[0]).abs() > 2.0 * MAX_EXCESS
    }

    /// How far a step may go from its first level into what it has not seen: at least, so that it is seen, and at most.
    pub(super) fn departure(&self) -> [f64; 2] {
        match self {
            Shape::Period => [0.5 * MAX_EXCESS, MAX_EXCESS],
            Shape::Growth | Shape::GrowthBothWays => [MAX_EXCESS, 6.0 * MAX_EXCESS],
            Shape::Step { .. } => [0.05 * MAX_EXCESS, 0.5 * MAX_EXCESS],
            Shape::Power(_) => [MAX_EXCESS, 2.0 * MAX_EXCESS],
        }
    }
}

/// Multiplied by a number, without a bound where there was none.
fn scaled(levels: Interval, factor: f64) -> Interval {
    Interval::between(levels.lower * factor, levels.upper * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hides(shape: Shape, inside: [f64; 2], ends: [f64; 2]) -> bool {
        let ends = ends.map(|end| shape.level(end));
        shape.hides(shape.levels(Interval::between(inside[0], inside[1])), ends)
    }

    #[test]
    fn a_pulse_between_two_ends_is_hidden_and_a_flank_is_not() {
        assert!(hides(Shape::Growth, [-900.0, 0.0], [-900.0, -400.0]));
        assert!(!hides(Shape::Growth, [-900.0, 0.0], [-900.0, -1.0]));
        assert!(!hides(Shape::Growth, [-900.0, -60.0], [-900.0, -400.0]), "too small to matter");
        assert!(hides(Shape::Growth, [-50.0, 0.0], [0.0, -1.0]), "a hole");
    }

    #[test]
    fn a_step_is_hidden_unless_an_end_lies_in_it() {
        let step = Shape::Step { value: f64::tanh, total: 2.0 };
        assert!(hides(step, [-70.0, 90.0], [-70.0, 90.0]));
        assert!(hides(step, [-70.0, 0.0], [-70.0, -30.0]));
        assert!(!hides(step, [-70.0, 0.5], [-70.0, 0.5]));
        assert!(!hides(step, [20.0, 90.0], [90.0, 20.0]));
    }

    #[test]
    fn a_pole_is_hidden_where_no_end_comes_near_it() {
        assert!(hides(Shape::Power(-2.0), [-1.0, 1.0], [-1.0, 1.0]));
        assert!(hides(Shape::Power(-1.0), [0.01, 1.0], [1.0, 0.9]));
        assert!(!hides(Shape::Power(-1.0), [0.3, 1.0], [1.0, 0.9]));
        assert!(!hides(Shape::Power(-1.0), [0.01, 1.0], [1.0, 0.01]));
    }
}
