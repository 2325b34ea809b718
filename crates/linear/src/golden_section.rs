//! Golden-section search for the smallest value of a function with one minimum in an interval.
//!
//! # Equations
//! Two inner points divide $[a,b]$ in the ratio $g=(\sqrt5-1)/2$ from either side. The end next to the larger value is given
//! up; since $g^2=1-g$, one inner point of the shorter interval is known already, and each section costs one value.
//!
//! # Reference
//! J. Kiefer, "Sequential minimax search for a maximum", 1953

/// (√5 − 1)/2
const GOLDEN_RATIO_INVERSE: f64 = 0.618_033_988_749_894_9;

/// An interval around a minimum.
#[derive(Clone, Copy, Debug)]
pub struct GoldenSection {
    ends: [f64; 2],
    inner: [f64; 2],
    values: [f64; 2],
}

impl GoldenSection {
    /// The interval from a to b, with two values inside it.
    pub fn new(a: f64, b: f64, function: &mut impl FnMut(f64) -> f64) -> GoldenSection {
        let inner = [b - GOLDEN_RATIO_INVERSE * (b - a), a + GOLDEN_RATIO_INVERSE * (b - a)];
        GoldenSection { ends: [a, b], inner, values: inner.map(function) }
    }

    /// Shortens the interval by the golden ratio.
    pub fn narrow(&mut self, function: &mut impl FnMut(f64) -> f64) {
        let Self { ends: [a, b], inner, values } = self;
        if values[0] < values[1] {
            *b = inner[1];
            *inner = [*b - GOLDEN_RATIO_INVERSE * (*b - *a), inner[0]];
            *values = [function(inner[0]), values[0]];
        } else {
            *a = inner[0];
            *inner = [inner[1], *a + GOLDEN_RATIO_INVERSE * (*b - *a)];
            *values = [values[1], function(inner[1])];
        }
    }

    /// The middle of the interval.
    pub fn middle(&self) -> f64 {
        0.5 * (self.ends[0] + self.ends[1])
    }

    /// The inner point with the smaller value.
    pub fn best(&self) -> f64 {
        if self.values[0] < self.values[1] { self.inner[0] } else { self.inner[1] }
    }

    /// The smaller value of the two inner points.
    pub fn smallest(&self) -> f64 {
        self.values[0].min(self.values[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minimum_is_found_to_the_root_of_rounding() {
        let mut calls = 0;
        let mut function = |x: f64| {
            calls += 1;
            (x - 0.3).powi(2) + 7.0
        };
        let mut section = GoldenSection::new(-2.0, 5.0, &mut function);
        (0..40).for_each(|_| section.narrow(&mut function));
        assert!((section.middle() - 0.3).abs() < 1e-7 && (section.best() - 0.3).abs() < 1e-7);
        assert!((section.smallest() - 7.0).abs() < 1e-14);
        assert_eq!(calls, 42);
    }

    #[test]
    fn a_minimum_at_an_end_is_approached() {
        let mut section = GoldenSection::new(0.0, 1.0, &mut |x| x);
        (0..30).for_each(|_| section.narrow(&mut |x| x));
        assert!(section.best() < 1e-5 && section.best() > 0.0);
    }
}
