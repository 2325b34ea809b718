//! The size of an error relative to the tolerance.

use crate::options::{Norm, Options};
use crate::system::FirstOrderSystem;
use std::sync::Arc;

/// What a component's error is measured against.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// atol + rtol · max(|y|, |y_new|)
    Sum,
    /// max(atol, rtol · |y|, rtol · |y_new|), as MATLAB does
    Larger,
}

/// The size of an error relative to the tolerance: 1 is just tolerable.
#[derive(Clone, Debug)]
pub(crate) struct ErrorNorm {
    pub(crate) kind: Norm,
    pub(crate) scale: Scale,
    pub(crate) rtol: f64,
    pub(crate) atol: f64,
    /// Components from here on are carried along.
    pub(crate) controlled: usize,
    /// What these are measured against; not at all if absent.
    pub(crate) carried: Option<f64>,
    /// The most that counts of the magnitude of each component; those behind have no bound.
    pub(crate) bounds: Arc<[f64]>,
}

impl ErrorNorm {
    /// With the options' tolerances; the components are known when the integration begins.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            kind: options.norm,
            scale: Scale::Sum,
            rtol: options.rtol,
            atol: options.atol,
            controlled: 0,
            carried: None,
            bounds: Arc::default(),
        }
    }

    /// For the components of a system.
    pub(crate) fn begin(&mut self, system: &dyn FirstOrderSystem) {
        self.controlled = system.controlled_len();
        self.carried = system.carried_size();
        self.bounds = (0..self.controlled).map(|i| system.magnitude_bound(i)).collect();
    }

    /// The tolerance of a component of this magnitude.
    #[inline]
    pub(crate) fn scale(&self, component: usize, magnitude: f64) -> f64 {
        self.scales(component, [magnitude])[0]
    }

    /// The same of W states side by side, without a branch for any.
    #[inline(always)]
    pub(crate) fn scales<const W: usize>(
        &self,
        component: usize,
        mut magnitudes: [f64; W],
    ) -> [f64; W] {
        let bound = self.bounds.get(component).copied().unwrap_or(f64::INFINITY);
        let larger = matches!(self.scale, Scale::Larger);
        // a loop, for closures over arrays are compiled without the instruction set of their caller
        for magnitude in &mut magnitudes {
            let counted = if *magnitude > bound { bound } else { *magnitude };
            let relative = self.rtol * counted;
            let larger_of_both = if self.atol > relative { self.atol } else { relative };
            *magnitude = if larger { larger_of_both } else { self.atol + relative };
        }
        magnitudes
    }

    /// The size of `error` between the states `y` and `y_new`; NaN if any part of it is.
    pub(crate) fn measure(&self, error: &[f64], y: &[f64], y_new: &[f64]) -> f64 {
        let mut squares = 0.0;
        let mut largest = 0.0;
        for i in 0..self.controlled {
            let magnitude = y[i].abs().max(y_new[i].abs());
            let scale = self.scale(i, magnitude);
            // A component that is exactly right is right even if its tolerance is zero.
            let ratio = if error[i] == 0.0 { 0.0 } else { error[i].abs() / scale };
            squares += ratio * ratio;
            // f64::max would lose a NaN.
            if ratio > largest || ratio.is_nan() {
                largest = ratio;
            }
        }
        let steering = match self.kind {
            _ if self.controlled == 0 => 0.0,
            Norm::Rms => (squares / self.controlled as f64).sqrt(),
            Norm::Max => largest,
        };
        let Some(size) = self.carried else { return steering };
        (self.controlled..error.len()).fold(steering, |largest, i| {
            let scale = self.scale(i, size.max(y[i].abs()).max(y_new[i].abs()));
            let ratio = if error[i] == 0.0 { 0.0 } else { error[i].abs() / scale };
            // f64::max would lose a NaN
            if ratio > largest || ratio.is_nan() { ratio } else { largest }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn norm(kind: Norm, controlled: usize) -> ErrorNorm {
        let (carried, bounds) = (None, Arc::default());
        ErrorNorm { kind, scale: Scale::Sum, rtol: 0.0, atol: 2.0, controlled, carried, bounds }
    }

    #[test]
    fn components_behind_the_controlled_ones_do_not_count() {
        assert_eq!(norm(Norm::Max, 2).measure(&[2.0, -4.0, 9.0], &[0.0; 3], &[0.0; 3]), 2.0);
        assert_eq!(norm(Norm::Rms, 1).measure(&[2.0, 9.0], &[0.0; 2], &[0.0; 2]), 1.0);
    }

    #[test]
    fn what_is_carried_along_counts_where_it_is_far_off_its_own_size() {
        let norm = ErrorNorm { rtol: 0.1, carried: Some(10.0), ..norm(Norm::Rms, 1) };
        let size = |error: f64| norm.measure(&[2.0, error], &[0.0; 2], &[0.0; 2]);
        assert_eq!(size(2.0), 1.0);
        assert_eq!(size(9.0), 3.0);
    }

    #[test]
    fn a_bound_is_the_most_that_counts_of_a_magnitude() {
        let norm = ErrorNorm { rtol: 0.5, bounds: Arc::new([6.0]), ..norm(Norm::Max, 2) };
        let size = |error: [f64; 2]| norm.measure(&error, &[1e3, -1e3], &[0.0; 2]);
        assert_eq!(size([5.0, 0.0]), 1.0);
        assert_eq!(size([0.0, 502.0]), 1.0);
        assert_eq!(norm.measure(&[4.0, 0.0], &[-4.0, 0.0], &[3.0, 0.0]), 1.0);
    }

    #[test]
    fn not_a_number_is_never_small() {
        for kind in [Norm::Rms, Norm::Max] {
            let size = norm(kind, 3).measure(&[f64::NAN, 1.0, 0.0], &[0.0; 3], &[0.0; 3]);
            assert!(size.is_nan());
        }
    }
}
