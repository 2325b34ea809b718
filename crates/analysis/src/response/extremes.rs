//! The largest and the smallest value of a column, between its rows too.

/// A column, fed row by row. Rows are equally spaced; where one is higher or lower than both neighbours, the top of the
/// quartic through it and two rows to each side counts as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extremes {
    /// Rows seen so far, counted up to 5.
    seen: u8,
    /// The last rows, the latest last.
    last: [f64; 5],
    pub(crate) smallest: f64,
    pub(crate) largest: f64,
}

impl Extremes {
    pub(crate) const EMPTY: Extremes =
        Extremes { seen: 0, last: [0.0; 5], smallest: f64::INFINITY, largest: f64::NEG_INFINITY };

    pub(crate) fn add(&mut self, value: f64) {
        self.last.rotate_left(1);
        self.last[4] = value;
        self.seen = (self.seen + 1).min(5);
        self.reach(value);
        let [_, before, middle, after, _] = self.last;
        if self.seen == 5 && (middle - before) * (after - middle) <= 0.0 {
            self.reach(top_of_quartic(self.last));
        }
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

/// The value where the slope of the quartic through five equally spaced values vanishes, next to the middle one; that one
/// itself where it does not.
fn top_of_quartic([a, b, c, d, e]: [f64; 5]) -> f64 {
    /// Steps of Newton's method, which begins near its end.
    const STEPS: usize = 4;
    let slope = (a - 8.0 * b + 8.0 * d - e) / 12.0;
    let bend = (-a + 16.0 * b - 30.0 * c + 16.0 * d - e) / 24.0;
    let third = (-a + 2.0 * b - 2.0 * d + e) / 12.0;
    let fourth = (a - 4.0 * b + 6.0 * c - 4.0 * d + e) / 24.0;
    let mut t = 0.0;
    for _ in 0..STEPS {
        let rate = slope + t * (2.0 * bend + t * (3.0 * third + t * 4.0 * fourth));
        t -= rate / (2.0 * bend + t * (6.0 * third + t * 12.0 * fourth));
    }
    match t.abs() <= 1.0 {
        true => c + t * (slope + t * (bend + t * (third + t * fourth))),
        false => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Through rows that stand h apart, the quartic misses the top of a cosine by less than h⁶/100.
    #[test]
    fn a_cosine_is_known_better_than_its_rows() {
        let h = std::f64::consts::TAU / 128.0;
        let bound = 3.0 * h.powi(6) / 100.0 + 1e-14;
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
