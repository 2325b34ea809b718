//! The largest and the smallest value of a column, between its rows too.

/// A column, fed row by row. Rows are equally spaced; where one is higher or lower than both neighbours, the vertex of the
/// parabola through the three counts as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extremes {
    /// Rows seen so far, counted up to 2.
    seen: u8,
    before: f64,
    middle: f64,
    pub(crate) smallest: f64,
    pub(crate) largest: f64,
}

impl Extremes {
    pub(crate) const EMPTY: Extremes = Extremes {
        seen: 0,
        before: 0.0,
        middle: 0.0,
        smallest: f64::INFINITY,
        largest: f64::NEG_INFINITY,
    };

    pub(crate) fn add(&mut self, value: f64) {
        let Extremes { before, middle, .. } = *self;
        let bend = before - 2.0 * middle + value;
        let turned = (middle - before) * (value - middle) <= 0.0;
        if self.seen == 2 && turned && bend != 0.0 {
            self.reach(middle - (value - before).powi(2) / (8.0 * bend));
        }
        self.reach(value);
        (self.before, self.middle) = (middle, value);
        self.seen = (self.seen + 1).min(2);
    }

    fn reach(&mut self, value: f64) {
        self.smallest = self.smallest.min(value);
        self.largest = self.largest.max(value);
    }

    /// Half the peak-to-peak value.
    pub(crate) fn amplitude(&self) -> f64 {
        0.5 * (self.largest - self.smallest)
    }

    /// The largest absolute value.
    pub(crate) fn max_abs(&self) -> f64 {
        self.largest.abs().max(self.smallest.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Through rows that stand h apart, the parabola misses the top of a cosine by 3h⁴/128 at most.
    #[test]
    fn a_cosine_is_known_better_than_its_rows() {
        let h = std::f64::consts::TAU / 128.0;
        let bound = 3.0 * 1.01 * 3.0 * h.powi(4) / 128.0;
        for phase in [0.0, 0.3, 0.5, 0.9] {
            let mut extremes = Extremes::EMPTY;
            for row in 0..=256 {
                extremes.add(2.0 + 3.0 * ((f64::from(row) + phase) * h).cos());
            }
            assert!((extremes.amplitude() - 3.0).abs() < bound, "{}", extremes.amplitude());
            assert!((extremes.max_abs() - 5.0).abs() < bound);
        }
    }
}
