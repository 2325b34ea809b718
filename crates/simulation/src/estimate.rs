//! How wrong a run is, by a second one that is more exact.
//!
//! What separates the two is the error of the first, up to the little that the second has itself. Where the two have
//! drifted apart the difference only shows that nothing is known any more: exponentially in a chaotic motion, which no
//! method can follow for long, or like a power of the time where a tighter tolerance would have helped.

use crate::Table;
use crate::verdict::ERROR;

/// Runs whose values differ by more than this, relative to max(1, |value|), have diverged.
pub(crate) const MAX_RELATIVE_DIFFERENCE: f64 = 1e-2;
/// A column that hardly moves is measured against this part of the largest motion of its kind.
const LEAST_MOTION: f64 = 1e-2;
/// What a column covers between rows counts by this part: rows may all show one place of a period, but a peak that none of them
/// shows makes no error small.
const PART_BETWEEN_ROWS: f64 = 0.1;
/// A state whose values change by no more than this, relative to max(1, |value|), rests: no error is a part of its motion.
const REST: f64 = 1e-9;
/// A run rests where the state does if it leaves it by no more than so many times its tolerance.
const TOLERANCES_AT_REST: f64 = 10.0;
/// Levels of the difference, each √10 below the next, at whose times its growth is read.
const GROWTH_LEVELS: i32 = 7;
/// The errors of regular motions grow like the time or its square; what grows like a higher power is on its way to
/// growing exponentially.
const MAX_POWER_OF_TIME: f64 = 3.0;

/// How much the errors of a chaotic motion have grown while the motion was still good: with less it is the method that
/// lets them pass, and chaos is no excuse.
const LEAST_AMPLIFICATION: f64 = 10.0;

/// The error of a run, estimated with a more exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorEstimate {
    /// The largest error of a coordinate, velocity or first-order state on the rows up to `valid_until`, relative to
    /// max(1, |value|). Never 0: rounding is always there.
    pub error: f64,
    /// The time of the last row, or of the last state between rows where these are few, up to which the two runs agree, s.
    pub valid_until: f64,
    /// Whether they diverge later.
    pub diverged: bool,
    /// Whether they do so exponentially, as two chaotic motions do however exact they are.
    pub chaotic: bool,
    /// The largest error of a column relative to the motion it covers, on the rows up to `judged_until`.
    pub part_of_motion: f64,
    /// The end of the rows of both runs, s; of a chaotic motion, which is lost sooner or later, the end of those that are
    /// good.
    pub judged_until: f64,
    /// The part of the run's time that lies before it.
    pub judged_share: f64,
    /// How far the event that ended both runs is off, s.
    pub event_time: Option<f64>,
    /// Whether the model rests, and the run does to within its tolerance.
    pub rests: bool,
}

impl ErrorEstimate {
    /// Compares the first `columns` columns behind the time with a table that is more exact. `order` is that of a method
    /// whose step was halved there.
    pub fn new(run: &Table, exact: &Table, columns: usize, order: Option<u32>) -> ErrorEstimate {
        let (tables, groups) = ([run, exact], [columns, 0, 0]);
        Comparison {
            tables,
            covered: &[],
            groups,
            order,
            steps: 0,
            event_time: None,
            failed: false,
            may_be_chaotic: true,
            tolerance: 0.0,
        }
        .estimate()
    }
}

/// What is compared.
pub(crate) struct Comparison<'a> {
    /// The run whose error is asked for, and the one that is more exact.
    pub(crate) tables: [&'a Table; 2],
    /// How far each of these columns went in the run that is more exact, at the ends of its steps too.
    pub(crate) covered: &'a [f64],
    /// Columns of coordinates, velocities and first-order states behind the time, in this order.
    pub(crate) groups: [usize; 3],
    /// The order of a method whose step was halved: the second run still has a part of the first one's error, which is
    /// counted back in.
    pub(crate) order: Option<u32>,
    /// Steps of the first run: each rounds.
    pub(crate) steps: u64,
    /// How far apart in time the event is that ended both runs, s, so that their last rows have times of their own.
    pub(crate) event_time: Option<f64>,
    /// Whether the first run could not go on: its last state is not compared.
    pub(crate) failed: bool,
    /// Whether a motion of the model can be chaotic.
    pub(crate) may_be_chaotic: bool,
    /// The tolerance of the first run, relative to max(1, |value|).
    pub(crate) tolerance: f64,
}

impl Comparison<'_> {
    /// The error of the first run.
    pub(crate) fn estimate(&self) -> ErrorEstimate {
        let [run, exact] = self.tables;
        let columns = self.groups.iter().sum::<usize>();
        let mut rows = run.len().min(exact.len());
        if self.failed {
            rows = rows.min(run.len().saturating_sub(1));
        }
        let last = run.columns[0].numbers().last();
        let event_time = self.event_time;
        if event_time.is_some() {
            rows = rows.saturating_sub(1);
        }
        let differences: Vec<f64> = (0..rows)
            .map(|row| {
                (1..=columns).fold(0.0, |most, column| larger(most, self.error(row, column)))
            })
            .collect();
        let agrees = |row: usize| {
            differences[row] <= MAX_RELATIVE_DIFFERENCE
                && self.time(run, row) == self.time(exact, row)
        };
        let together = (0..rows).take_while(|&row| agrees(row)).count();
        let diverged =
            together < rows || (run.len() > rows && event_time.is_none() && !self.failed);
        let error = differences[..together].iter().copied().fold(self.rounding(), f64::max);
        let begins = self.begins();
        let valid_until = if together == 0 { begins } else { self.time(run, together - 1) };
        // a second run that did not go on past the divergence tells nothing about its kind
        let good_parts = (self.may_be_chaotic && together < rows && rows == run.len())
            .then(|| self.good_parts_of_chaos(&differences, together))
            .flatten();
        let chaotic = good_parts.is_some();
        let rests = self.rests(&differences);
        let parts = match rests {
            true => vec![0.0; rows],
            false => good_parts.unwrap_or_else(|| self.parts_of_motion(rows)),
        };
        let judged_until = match parts.len() {
            0 => begins,
            judged => self.time(run, judged - 1),
        };
        let duration = last.map_or(0.0, |last| last - begins).max(f64::MIN_POSITIVE);
        ErrorEstimate {
            error,
            valid_until,
            diverged,
            chaotic,
            part_of_motion: parts.iter().copied().fold(0.0, larger),
            judged_until,
            judged_share: (judged_until - begins) / duration,
            event_time,
            rests,
        }
    }

    /// Whether nothing moves in the more exact run, and the other one does not leave that state.
    fn rests(&self, differences: &[f64]) -> bool {
        let columns = 1..=self.groups.iter().sum::<usize>();
        let rows = differences.len();
        let still = |column: usize| {
            let values = &self.tables[1].columns[column].numbers()[..rows];
            let size = values.iter().fold(1.0, |size: f64, value| size.max(value.abs()));
            self.range(column, rows) <= REST * size
        };
        let most = TOLERANCES_AT_REST * self.tolerance;
        rows > 1 && differences.iter().all(|difference| *difference <= most) && { columns }
            .all(still)
    }

    /// The time of the first row.
    fn begins(&self) -> f64 {
        self.tables[0].columns[0].numbers().first().copied().unwrap_or(0.0)
    }

    fn time(&self, table: &Table, row: usize) -> f64 {
        table.columns[0].numbers()[row]
    }

    /// |a − b| of a value, with the part that a halved step leaves.
    fn difference(&self, row: usize, column: usize) -> f64 {
        let remaining = self.order.map_or(0.0, |order| 0.5_f64.powi(order as i32));
        let [a, b] = self.tables.map(|table| table.columns[column].numbers()[row]);
        (a - b).abs() / (1.0 - remaining)
    }

    /// The same relative to max(1, |b|).
    fn error(&self, row: usize, column: usize) -> f64 {
        let size = self.tables[1].columns[column].numbers()[row].abs().max(1.0);
        self.difference(row, column) / size
    }

    /// What rounding alone makes of so many steps.
    fn rounding(&self) -> f64 {
        f64::EPSILON * (1.0 + (self.steps as f64).sqrt())
    }

    /// The largest difference of a column relative to the range of its values, on each of the first rows.
    fn parts_of_motion(&self, rows: usize) -> Vec<f64> {
        let mut parts = vec![0.0; rows];
        let mut first = 1;
        for group in self.groups {
            let columns = first..first + group;
            first += group;
            let ranges: Vec<f64> = columns.clone().map(|column| self.range(column, rows)).collect();
            let least = LEAST_MOTION * ranges.iter().copied().fold(0.0, f64::max);
            for (column, range) in columns.zip(ranges) {
                let values = &self.tables[1].columns[column].numbers()[..rows];
                let size = values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
                // what stands still but for rounding covers no motion, and has no error to speak of
                let floor = self.rounding() * size.max(1.0);
                let motion = range.max(least).max(f64::MIN_POSITIVE);
                for (row, part) in parts.iter_mut().enumerate() {
                    let difference = self.difference(row, column);
                    if difference > floor || difference.is_nan() {
                        *part = larger(*part, difference / motion);
                    }
                }
            }
        }
        parts
    }

    /// The greatest less the least value of a column of the more exact run, on the first rows; where these are all, with what lies
    /// between.
    fn range(&self, column: usize, rows: usize) -> f64 {
        let is_all = rows == self.tables[0].len();
        let between = self.covered.get(column - 1).filter(|_| is_all).copied().unwrap_or(0.0);
        let values = &self.tables[1].columns[column].numbers()[..rows];
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (greatest - least).max(PART_BETWEEN_ROWS * between)
    }

    /// The parts of the motion that runs differ by on the rows up to which a chaotic motion is good; `None` if it is not
    /// chaotic. The two stay together on so many rows.
    fn good_parts_of_chaos(&self, differences: &[f64], together: usize) -> Option<Vec<f64>> {
        let rate = self.exponential_growth(differences)?;
        let mut parts = self.parts_of_motion(together);
        parts.truncate(parts.iter().take_while(|part| **part <= ERROR.good).count());
        let good_until = self.time(self.tables[0], parts.len().checked_sub(1)?);
        let amplified = rate * (good_until - self.begins());
        (amplified >= LEAST_AMPLIFICATION.ln()).then_some(parts)
    }

    /// The λ, 1/s, of a difference that grew like exp(λt) rather than like a low power of t: by the times at which it first
    /// passed levels up to the one that counts as divergence.
    fn exponential_growth(&self, differences: &[f64]) -> Option<f64> {
        let mut passed = Vec::new();
        for level in (0..GROWTH_LEVELS).rev() {
            let size = MAX_RELATIVE_DIFFERENCE * 10.0_f64.powf(-0.5 * f64::from(level));
            let row = differences.iter().position(|difference| *difference >= size)?;
            let time = self.time(self.tables[0], row) - self.begins();
            // what is passed at once, before the motion had time, says nothing
            if time > 0.0 && passed.last().is_none_or(|&(before, _)| time > before) {
                passed.push((time, size.ln()));
            }
        }
        let times: Vec<f64> = passed.iter().map(|(time, _)| *time).collect();
        let logarithms: Vec<f64> = times.iter().map(|time| time.ln()).collect();
        let sizes: Vec<f64> = passed.iter().map(|(_, size)| *size).collect();
        if passed.len() < 3 {
            return None;
        }
        let (by_exponential, by_power) = (line(&times, &sizes), line(&logarithms, &sizes));
        let grows = by_exponential.misfit < by_power.misfit || by_power.slope > MAX_POWER_OF_TIME;
        grows.then_some(by_exponential.slope)
    }
}

/// The larger of two, and what is not a number is largest.
fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { if b.is_nan() { f64::INFINITY } else { b } } else { a }
}

/// The best straight line through points.
struct Line {
    slope: f64,
    /// What it leaves, as a sum of squares relative to that of y.
    misfit: f64,
}

fn line(x: &[f64], y: &[f64]) -> Line {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (x_mean, y_mean) = (mean(x), mean(y));
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| f(x - x_mean, y - y_mean)).sum()
    };
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    Line { slope: xy / xx, misfit: 1.0 - xy * xy / (xx * yy) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(values: &[f64]) -> Table {
        let times = (0..values.len()).map(|i| i as f64).collect();
        Table::default().with_numbers("t", "s", times).with_numbers("x", "", values.to_vec())
    }

    fn estimate(run: &[f64], exact: &[f64], order: Option<u32>) -> ErrorEstimate {
        let tables = [&table(run), &table(exact)];
        let groups = [1, 0, 0];
        Comparison {
            tables,
            covered: &[],
            groups,
            order,
            steps: 100,
            event_time: None,
            failed: false,
            may_be_chaotic: true,
            tolerance: 1e-6,
        }
        .estimate()
    }

    #[test]
    fn the_largest_difference_counts_until_the_runs_diverge() {
        let estimate = estimate(&[0.0, 1.001, 2.0, 7.0], &[0.0, 1.0, 2.0, 5.0], None);
        assert!((estimate.error - 1e-3).abs() < 1e-12);
        assert_eq!(estimate.valid_until, 2.0);
        assert!(estimate.diverged && !estimate.chaotic);
        assert!((estimate.part_of_motion - 0.4).abs() < 1e-12);
    }

    #[test]
    fn half_a_step_leaves_a_known_part_of_the_error() {
        // errors 4e-4 and 1e-4 of a method of order 2
        assert!((estimate(&[1.0004], &[1.0001], Some(2)).error - 4e-4).abs() < 1e-7);
    }

    #[test]
    fn what_is_not_a_number_is_no_agreement() {
        let estimate = estimate(&[0.0, f64::NAN], &[0.0, 1.0], None);
        assert_eq!(estimate.valid_until, 0.0);
        assert!(estimate.diverged && estimate.part_of_motion.is_infinite());
    }

    #[test]
    fn an_estimate_is_never_below_rounding() {
        let estimate = estimate(&[0.0, 1.0], &[0.0, 1.0], None);
        assert!(estimate.error > 1e-15 && estimate.error < 1e-14);
        assert_eq!(estimate.part_of_motion, 0.0);
    }

    #[test]
    fn a_second_run_that_ends_early_confirms_nothing_beyond() {
        let estimate = estimate(&[0.0, 1.0, 2.0], &[0.0, 1.0], None);
        assert_eq!(estimate.valid_until, 1.0);
        assert!(estimate.diverged);
    }

    #[test]
    fn what_rests_has_no_part_of_a_motion_to_be_wrong_by() {
        let resting = |error: f64| estimate(&[1.0, 1.0 + error, 1.0], &[1.0, 1.0, 1.0], None);
        assert!(resting(1e-7).rests && resting(1e-7).part_of_motion == 0.0);
        assert!(!resting(1e-3).rests && resting(1e-3).part_of_motion > 1.0);
        assert!(!estimate(&[1.0, 2.0], &[1.0, 2.0], None).rests);
    }

    #[test]
    fn exponential_growth_is_told_from_powers() {
        let motion: Vec<f64> = (0..200).map(|i| f64::from(i).sin()).collect();
        let chaotic = |error: &dyn Fn(f64) -> f64| {
            let run: Vec<f64> =
                motion.iter().zip(0..).map(|(x, i)| x + error(f64::from(i))).collect();
            estimate(&run, &motion, None).chaotic
        };
        assert!(chaotic(&|t| 1e-8 * (0.12 * t).exp()));
        assert!(chaotic(&|t| 1e-5 * (0.06 * t).exp()));
        assert!(!chaotic(&|t| 1e-4 * t));
        assert!(!chaotic(&|t| 2e-6 * t * t));
        assert!(chaotic(&|t| 1e-10 * t.powi(4)));
        assert!(!chaotic(&|t| if t > 100.0 { 1.0 } else { 0.0 }));
    }
}
