//! What is seen of a motion in a block of periods: its section, the growth of its tangent vectors, its extent.

use super::alignment::falls_exponentially;
use super::growth::growth_rate;
use super::phase_space::PhaseSpace;
use super::recurrence::recurrence;
use super::spectral_lines::spectral_lines;
use super::vote::Evidence;
use super::zero_one_test::zero_one_test;
use catena_ensemble::TangentRow;

/// Blocks that the growth of a block of periods is divided into, at most: more says nothing about its error.
const GROWTH_BLOCKS: usize = 64;
/// The rate of change of volumes, relative to the beat, below which they are kept.
const VOLUME_TOLERANCE: f64 = 1e-6;
/// What moves by less than this multiple of the integrator's tolerance stands still.
const STILLNESS_TO_TOLERANCE: f64 = 1e3;

/// What is seen of a motion in a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Observation {
    /// States of the section, one after the other.
    pub(super) section: Vec<f64>,
    /// How many there are.
    states: usize,
    /// The logarithm of the growth of the first tangent vector, beat by beat.
    growths: Vec<f64>,
    /// GALI₂, beat by beat.
    alignments: Vec<f64>,
    /// The integral of the divergence at the last beat.
    divergence: f64,
    /// The smallest and largest value of each component.
    pub(super) extents: Vec<[f64; 2]>,
}

impl Observation {
    /// A row between states of the section.
    pub(super) fn widen(&mut self, state: &[f64]) {
        if self.extents.is_empty() {
            self.extents.extend(state.iter().map(|&value| [value, value]));
        }
        for (extent, &value) in self.extents.iter_mut().zip(state) {
            *extent = [extent[0].min(value), extent[1].max(value)];
        }
    }

    /// A state of the section.
    pub(super) fn add_state(&mut self, state: &[f64]) {
        self.section.extend_from_slice(state);
        self.states += 1;
    }

    /// The tangent vectors at the end of a beat.
    pub(super) fn add_beat(&mut self, row: &TangentRow<'_>) {
        self.growths.push(row.logarithms[0]);
        self.alignments.push(row.alignment);
        self.divergence = row.divergence;
    }

    /// How many states of the section there are.
    pub(super) fn len(&self) -> usize {
        self.states
    }

    /// Forgets everything and keeps its room.
    pub(super) fn clear(&mut self) {
        self.section.clear();
        self.states = 0;
        self.growths.clear();
        self.alignments.clear();
        self.extents.clear();
    }

    /// The mean square of the steps of the section on scales of its own, by which blocks are compared.
    pub(super) fn size(&self, space: &PhaseSpace, scales: &[f64]) -> f64 {
        let states: Vec<&[f64]> = self.section.chunks_exact(space.len()).collect();
        let square = |pair: &[&[f64]]| -> f64 {
            let part = |at: usize| space.difference(at, pair[0][at], pair[1][at]) / scales[at];
            (0..space.len()).map(|at| part(at).powi(2)).sum()
        };
        let sum: f64 = states.windows(2).map(square).sum();
        (sum / states.len().max(2) as f64).sqrt()
    }

    /// The scales of the components.
    pub(super) fn scales(&self, space: &PhaseSpace, atol: f64) -> Vec<f64> {
        space.scales(&self.extents, STILLNESS_TO_TOLERANCE * atol)
    }

    /// What the indicators say about the states from some place on; `drift` relative to the block before.
    pub(super) fn evidence(
        &self,
        space: &PhaseSpace,
        seen: &Seen,
        [rtol, atol]: [f64; 2],
    ) -> Evidence {
        let skip = |count: usize| if seen.is_transient { count / 2 } else { 0 };
        let (skipped, beats) = (skip(self.states), skip(self.growths.len()));
        let scales = self.scales(space, atol);
        let section = &self.section[skipped * space.len()..];
        let periods = self.states - skipped;
        let recurrence = recurrence(space, &scales, section, rtol);
        // only the beat of a drive repeats with the section
        let multiple = recurrence.multiple.filter(|_| seen.is_driven);
        let multiple = multiple.map_or(1, |multiple| multiple as usize);
        let (growths, step) = block_growths(&self.growths[beats..], multiple);
        // indicators of what does not repeat are not asked where it does
        let series: Vec<f64> = match recurrence.multiple.is_some() && !recurrence.approaching {
            true => Vec::new(),
            false => {
                let states = section.chunks_exact(space.len());
                let series = states.map(|state| space.observable(&scales, state)).collect();
                within_bands(series, recurrence.nearest)
            }
        };
        let moving = self.extents.iter().map(|extent| extent[1] - extent[0]).fold(0.0, f64::max);
        let contraction = self.divergence / self.growths.len().max(1) as f64;
        // on constraints nobody counts volumes
        let keeps_volumes = contraction.is_finite().then(|| contraction.abs() <= VOLUME_TOLERANCE);
        Evidence {
            recurrence,
            exponent: growth_rate(&growths, step as f64 * seen.beat),
            zero_one: zero_one_test(&series),
            lines: spectral_lines(&series),
            aligns: falls_exponentially(&self.alignments[beats..])
                .filter(|_| keeps_volumes == Some(true)),
            drift: seen.drift,
            periods: periods as u64,
            period: seen.period,
            keeps_volumes,
            is_driven: seen.is_driven,
            is_still: moving <= STILLNESS_TO_TOLERANCE * atol,
        }
    }
}

/// What is known about a block besides its rows.
pub(super) struct Seen {
    /// Whether its first half does not count.
    pub(super) is_transient: bool,
    /// The time between two looks at tangent vectors, s.
    pub(super) beat: f64,
    /// The mean time between states of the section, s.
    pub(super) period: f64,
    /// How much the size of the section differs from that of the block before.
    pub(super) drift: f64,
    pub(super) is_driven: bool,
}

/// The growth over equal numbers of periods, from its sum at each, and how many periods that are: whole multiples of those
/// after which the motion repeats, since its growth does so, too.
fn block_growths(sums: &[f64], multiple: usize) -> (Vec<f64>, usize) {
    let step = sums.len().saturating_sub(1).div_ceil(GROWTH_BLOCKS * multiple).max(1) * multiple;
    let ends: Vec<f64> = sums.iter().rev().step_by(step).copied().collect();
    (ends.windows(2).rev().map(|pair| pair[0] - pair[1]).collect(), step)
}

/// The series without the mean of each of so many bands that it visits in turn: order among bands hides chaos in them.
fn within_bands(mut series: Vec<f64>, bands: usize) -> Vec<f64> {
    for band in 0..bands.min(series.len()) {
        let values = || series.iter().skip(band).step_by(bands);
        let mean = values().sum::<f64>() / values().count() as f64;
        series.iter_mut().skip(band).step_by(bands).for_each(|value| *value -= mean);
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_blocked_by_whole_orbits() {
        // three periods with other growth each: blocks of three are all alike
        let sums: Vec<f64> =
            (0..40).map(|n| [0.0, 2.0, -3.0][n % 3] - 0.5 * (n / 3) as f64).collect();
        let (growths, step) = block_growths(&sums, 3);
        assert_eq!((growths, step), (vec![-0.5; 13], 3));
        let (growths, step) = block_growths(&[0.0; 1025], 1);
        assert_eq!((growths.len(), step), (64, 16));
    }

    #[test]
    fn chaos_in_bands_is_chaos_for_the_other_indicators() {
        // four bands of the logistic map, which are visited in turn
        let mut x = 0.37;
        let series: Vec<f64> = (0..1100)
            .map(|_| {
                x = 3.58 * x * (1.0 - x);
                x
            })
            .skip(100)
            .collect();
        let plain = zero_one_test(&series).expect("a number");
        let within = zero_one_test(&within_bands(series, 4)).expect("a number");
        assert!(plain < 0.7 && within > 0.9, "{plain}, {within}");
    }
}
