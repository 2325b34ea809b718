//! How wrong a run is, by a second one that is more exact.
//!
//! The second run has a hundredth of the tolerance, or half the step for methods that choose none: what
//! separates the two is the error of the first, up to the little that the second has itself. Where the
//! two have drifted apart the difference only shows that nothing is known any more.

use crate::Table;

/// Runs whose values differ by more than this, relative to max(1, |value|), have diverged.
const MAX_RELATIVE_DIFFERENCE: f64 = 1e-2;

/// The error of a run, estimated with a more exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorEstimate {
    /// The largest error of a coordinate or velocity up to `valid_until`, relative to max(1, |value|).
    pub error: f64,
    /// The time of the last row up to which the two runs agree, s.
    pub valid_until: f64,
    /// Whether they diverge later.
    pub diverged: bool,
}

impl ErrorEstimate {
    /// Compares the first `columns` columns behind the time. `order` is that of a method whose step was
    /// halved: the second run still has a part of the first one's error, which is counted back in.
    pub fn new(run: &Table, exact: &Table, columns: usize, order: Option<u32>) -> ErrorEstimate {
        let remaining = order.map_or(0.0, |order| 0.5_f64.powi(order as i32));
        let mut estimate = ErrorEstimate { error: 0.0, valid_until: 0.0, diverged: false };
        for row in 0..run.len().min(exact.len()) {
            let error = |column: usize| {
                let [a, b] = [run, exact].map(|table| table.columns[column].numbers()[row]);
                (a - b).abs() / b.abs().max(1.0) / (1.0 - remaining)
            };
            // what is not a number is not together
            let together = (1..=columns).all(|column| error(column) <= MAX_RELATIVE_DIFFERENCE);
            let [time, exact_time] = [run, exact].map(|table| table.columns[0].numbers()[row]);
            if !together || time != exact_time {
                estimate.diverged = true;
                break;
            }
            estimate.error = (1..=columns).map(error).fold(estimate.error, f64::max);
            estimate.valid_until = time;
        }
        estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(values: &[f64]) -> Table {
        let times = (0..values.len()).map(|i| i as f64).collect();
        Table::default().with_numbers("t", "s", times).with_numbers("x", "", values.to_vec())
    }

    #[test]
    fn the_largest_difference_counts_until_the_runs_diverge() {
        let (run, exact) = (table(&[0.0, 1.001, 2.0, 7.0]), table(&[0.0, 1.0, 2.0, 5.0]));
        let estimate = ErrorEstimate::new(&run, &exact, 1, None);
        assert!((estimate.error - 1e-3).abs() < 1e-12);
        assert_eq!(estimate.valid_until, 2.0);
    }

    #[test]
    fn half_a_step_leaves_a_known_part_of_the_error() {
        // errors 4e-4 and 1e-4 of a method of order 2
        let (run, exact) = (table(&[1.0004]), table(&[1.0001]));
        assert!((ErrorEstimate::new(&run, &exact, 1, Some(2)).error - 4e-4).abs() < 1e-7);
    }

    #[test]
    fn what_is_not_a_number_is_no_agreement() {
        let (run, exact) = (table(&[0.0, f64::NAN]), table(&[0.0, 1.0]));
        assert_eq!(ErrorEstimate::new(&run, &exact, 1, None).valid_until, 0.0);
    }
}
