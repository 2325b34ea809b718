//! Growth of tangent vectors over time becomes exponents with errors.

use super::Exponent;
use super::gathering::Trajectory;

/// Into how many blocks of equal length a motion is divided; their means tell how much an exponent varies. Half as many, twice
/// as long, are looked at too: neighbouring blocks may depend on each other.
const BLOCKS: [usize; 2] = [20, 10];

/// Exponents that are farther below zero than so many times the growth of regular motions belong to vectors that shrink.
const REGULAR_GROWTHS: f64 = 3.0;
/// The transient counts as at least this part of the motion behind it.
const LEAST_TRANSIENT_PART: f64 = 0.01;

/// The growth of one or several copies of a motion, at common times.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    /// s
    times: Vec<f64>,
    /// For each copy and vector the logarithms at the times, 0 at the first.
    logarithms: Vec<Vec<Vec<f64>>>,
    /// Mean of ∫ div ẏ dt over the copies, from the first time to the last.
    divergence: f64,
    /// When the vectors began, s: before the first of the times.
    begun: f64,
}

impl Growth {
    /// From trajectories with rows at the same times; of those that were stopped only the times that all have reached count.
    pub(super) fn of(trajectories: &[Trajectory], begun: f64) -> Growth {
        let reached = trajectories.iter().map(|trajectory| trajectory.times.len()).min();
        let rows = reached.unwrap_or(0);
        let mut divergences = Vec::new();
        let copies = trajectories.iter().map(|trajectory| {
            let k = trajectory.vectors;
            let at = |row: usize, vector: usize| trajectory.logarithms[row * k + vector];
            if let (Some(first), Some(last)) =
                (trajectory.divergence.first(), trajectory.divergence[..rows].last())
            {
                divergences.push(last - first);
            }
            let series =
                |vector: usize| (0..rows).map(|row| at(row, vector) - at(0, vector)).collect();
            (0..k).map(series).collect()
        });
        let logarithms: Vec<Vec<Vec<f64>>> = copies.collect();
        let times =
            trajectories.first().map_or_else(Vec::new, |first| first.times[..rows].to_vec());
        Growth { times, logarithms, divergence: mean(&divergences), begun }
    }

    /// The times at which growth is known, s.
    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// The first and the last of the times, s.
    pub(super) fn span(&self) -> [f64; 2] {
        let end = |time: Option<&f64>| time.copied().unwrap_or(0.0);
        [end(self.times.first()), end(self.times.last())]
    }

    fn duration(&self) -> f64 {
        let [from, to] = self.span();
        to - from
    }

    /// The mean divergence of the flow, 1/s; NaN where it is not known.
    pub(super) fn divergence(&self) -> f64 {
        self.divergence / self.duration()
    }

    /// Σ |ln R₁₁|: by how many factors e the first vector of a copy was stretched and shrunk, one after the other.
    pub(super) fn stretching(&self) -> f64 {
        let of_copy = |copy: &Vec<Vec<f64>>| {
            let first = copy.first().map_or(&[][..], |series| series);
            first.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>()
        };
        let all: Vec<f64> = self.logarithms.iter().map(of_copy).collect();
        mean(&all)
    }

    fn vectors(&self) -> usize {
        self.logarithms.first().map_or(0, Vec::len)
    }

    /// The mean over all copies of the growth of a vector up to each of the times.
    fn mean_growth(&self, vector: usize) -> Vec<f64> {
        let copies = self.logarithms.len() as f64;
        let sum = |row: usize| self.logarithms.iter().map(|copy| copy[vector][row]).sum::<f64>();
        (0..self.times.len()).map(|row| sum(row) / copies).collect()
    }

    /// For each vector its exponent up to each of the times but the first.
    pub(super) fn convergence(&self) -> Vec<Vec<f64>> {
        let from = self.span()[0];
        let series = |vector: usize| -> Vec<f64> {
            let growth = self.mean_growth(vector);
            growth.iter().zip(&self.times).map(|(growth, t)| growth / (t - from)).collect()
        };
        (0..self.vectors()).map(series).collect()
    }

    /// The exponents with their errors, in the order of the vectors: by the growth from beginning to end, or by straight lines
    /// through the growth, whichever are known better. Vectors that turn with the motion grow and shrink, which a line does not
    /// mind, and a line through chaos is a little less certain. All are found in the same way, so that their sum is that of the
    /// volume.
    pub(super) fn exponents(&self) -> Vec<Exponent> {
        let [ends, lines] = [by_ends as Estimate, by_line].map(|estimate| -> Vec<Exponent> {
            (0..self.vectors()).map(|vector| self.estimated(vector, estimate)).collect()
        });
        let total = |list: &[Exponent]| list.iter().map(|exponent| exponent.error).sum::<f64>();
        let best = if total(&lines) < total(&ends) { lines } else { ends };
        let bias = self.regular_growth();
        let with_bias = |exponent: Exponent| {
            // vectors that shrink do so exponentially, and have no such bias
            let may_be_regular = exponent.value > -REGULAR_GROWTHS * bias;
            let error = if may_be_regular { exponent.error.max(bias) } else { exponent.error };
            Exponent { error, ..exponent }
        };
        best.into_iter().map(with_bias).collect()
    }

    /// The sum of all exponents from beginning to end, 1/s: what the mean divergence is compared with.
    pub(super) fn sum(&self) -> f64 {
        (0..self.vectors()).map(|vector| by_ends(&self.times, &self.mean_growth(vector))).sum()
    }

    /// What a vector that grows in proportion to time, as those of regular motions do, would have for an exponent, 1/s.
    fn regular_growth(&self) -> f64 {
        let [from, to] = self.span();
        let before = (from - self.begun).max(LEAST_TRANSIENT_PART * (to - from));
        ((to - from + before) / before).ln() / (to - from)
    }

    fn estimated(&self, vector: usize, estimate: Estimate) -> Exponent {
        let growth = self.mean_growth(vector);
        let rows = self.times.len();
        let value = estimate(&self.times, &growth);
        let half = rows.div_ceil(2);
        let early = estimate(&self.times[..half], &growth[..half]);
        let errors = BLOCKS.map(|blocks| self.standard_error(vector, blocks, estimate));
        let drift = if early.is_finite() { (value - early).abs() } else { f64::INFINITY };
        Exponent { value, error: errors.into_iter().fold(drift, f64::max) }
    }

    /// The standard error of the mean over blocks, 1/s.
    fn standard_error(&self, vector: usize, blocks: usize, estimate: Estimate) -> f64 {
        let rows = self.times.len().saturating_sub(1);
        if rows < 2 * blocks {
            return f64::INFINITY;
        }
        // of the mean over all copies: they need not be independent of each other
        let growth = self.mean_growth(vector);
        let means: Vec<f64> = (0..blocks)
            .map(|block| {
                let [a, b] = [block, block + 1].map(|edge| edge * rows / blocks);
                estimate(&self.times[a..=b], &growth[a..=b])
            })
            .collect();
        let (count, centre) = (means.len() as f64, mean(&means));
        let variance =
            means.iter().map(|mean| (mean - centre).powi(2)).sum::<f64>() / (count - 1.0);
        (variance / count).sqrt()
    }
}

/// A rate of growth, 1/s, from times and logarithms.
type Estimate = fn(&[f64], &[f64]) -> f64;

fn by_ends(times: &[f64], growth: &[f64]) -> f64 {
    let (Some(last), Some(end)) = (growth.last(), times.last()) else { return f64::NAN };
    (last - growth[0]) / (end - times[0])
}

fn by_line(times: &[f64], growth: &[f64]) -> f64 {
    let (centre, level) = (mean(times), mean(growth));
    let (mut product, mut square) = (0.0, 0.0);
    for (t, growth) in times.iter().zip(growth) {
        product += (t - centre) * (growth - level);
        square += (t - centre).powi(2);
    }
    product / square
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trajectory(growth: impl Fn(f64) -> f64) -> Trajectory {
        let times: Vec<f64> = (0..=400).map(|row| 100.0 + 0.5 * f64::from(row)).collect();
        Trajectory {
            logarithms: times.iter().map(|&t| growth(t)).collect(),
            divergence: times.iter().map(|&t| -2.0 * t).collect(),
            times,
            vectors: 1,
            failure: None,
        }
    }

    #[test]
    fn steady_growth_has_only_the_error_that_regular_growth_would_bring() {
        let growth =
            Growth::of(&[trajectory(|t| 7.0 + 0.25 * t), trajectory(|t| 0.25 * t - 3.0)], 0.0);
        let exponent = growth.exponents()[0];
        let bias = 3.0_f64.ln() / 200.0;
        assert!((exponent.value - 0.25).abs() < 1e-12 && (exponent.error - bias).abs() < 1e-12);
        assert!((growth.divergence() + 2.0).abs() < 1e-12);
        assert!((growth.stretching() - 50.0).abs() < 1e-9);
    }

    #[test]
    fn growth_that_slows_down_has_an_error_as_large_as_itself() {
        let growth = Growth::of(&[trajectory(|t| (t - 99.0).ln())], 99.0);
        let Exponent { value, error } = growth.exponents()[0];
        assert!(error > 0.4 * value && value > 0.0, "{value} ± {error}");
    }

    /// A vector that turns about a focus: the line through its growth knows the rate far better than the ends do.
    #[test]
    fn growth_that_swings_has_a_small_error() {
        let swings = |t: f64| -0.02 * t + 0.8 * (3.0 * t).sin();
        let Exponent { value, error } = Growth::of(&[trajectory(swings)], 0.0).exponents()[0];
        assert!((value + 0.02).abs() < 1e-4 && error < 1e-2, "{value} ± {error}");
    }

    /// However many they are, copies that do the same thing know no more than one of them.
    #[test]
    fn copies_that_are_alike_have_the_error_of_one() {
        let one = || trajectory(|t| -t + 0.3 * (0.11 * t).sin() + (0.019 * t).cos());
        let [alone, many] = [vec![one()], vec![one(), one(), one(), one()]]
            .map(|copies| Growth::of(&copies, 0.0).exponents()[0]);
        assert!((alone.error - many.error).abs() < 1e-12 && alone.error > 0.0);
    }
}
