//! The motion of as many states as there are lanes, each with its own parameters.

use crate::engine::Shared;
use crate::lane_function::LaneFunction;
use catena_compile::InstructionSet;
use catena_formulation::pivot_is_sound;
use catena_integrator::LaneSystem;
use std::sync::Arc;

/// The rate of a formulation's state: ẏ, pivots, and the entries they were left of.
pub(crate) struct LaneMotion {
    pub(crate) function: LaneFunction,
    /// Power series of an order.
    series: Option<(usize, LaneFunction)>,
    all_sound: fn(&[f64], &[f64]) -> bool,
    /// The most that counts of the magnitudes of the coordinates.
    magnitude_bounds: Arc<[f64]>,
}

/// Whether all pivots are sound: without a branch for each, nearly always the answer is yes.
#[inline(always)]
fn all_sound(pivots: &[f64], entries: &[f64]) -> bool {
    let unsound = |(&pivot, &entry): (&f64, &f64)| u64::from(!pivot_is_sound(pivot, entry));
    pivots.iter().zip(entries).map(unsound).sum::<u64>() == 0
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn all_sound_avx512(pivots: &[f64], entries: &[f64]) -> bool {
    all_sound(pivots, entries)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn all_sound_avx2(pivots: &[f64], entries: &[f64]) -> bool {
    all_sound(pivots, entries)
}

/// The same, compiled for an instruction set that this machine has.
pub(crate) fn all_sound_with(set: InstructionSet) -> fn(&[f64], &[f64]) -> bool {
    match set {
        // SAFETY: the processor has the features
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => |pivots, entries| unsafe { all_sound_avx512(pivots, entries) },
        // SAFETY: the processor has the features
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => |pivots, entries| unsafe { all_sound_avx2(pivots, entries) },
        _ => all_sound,
    }
}

impl LaneMotion {
    pub(crate) fn new(shared: &Shared) -> LaneMotion {
        LaneMotion {
            all_sound: all_sound_with(shared.kernels.set),
            function: LaneFunction::new(shared.kernels.clone()),
            series: shared
                .series
                .clone()
                .map(|(order, kernels)| (order, LaneFunction::new(kernels))),
            magnitude_bounds: shared.magnitude_bounds.clone(),
        }
    }

    /// Gives a lane its parameters.
    pub(crate) fn set_parameters(&mut self, lane: usize, parameters: &[f64]) {
        self.function.set_parameters(lane, parameters);
        if let Some((_, series)) = &mut self.series {
            series.set_parameters(lane, parameters);
        }
    }
}

impl LaneSystem for LaneMotion {
    fn len(&self) -> usize {
        self.function.kernels().len
    }

    fn magnitude_bound(&self, component: usize) -> f64 {
        self.magnitude_bounds.get(component).copied().unwrap_or(f64::INFINITY)
    }

    fn instruction_set(&self) -> InstructionSet {
        self.function.kernels().set
    }

    fn inputs(&mut self) -> (&mut [f64], &mut [f64]) {
        self.function.inputs()
    }

    fn series_order(&self) -> Option<usize> {
        self.series.as_ref().map(|(order, _)| *order)
    }

    fn series(&mut self, coefficients: &mut [f64]) {
        let Some((_, series)) = &mut self.series else { return };
        let (times, states) = self.function.inputs();
        let (series_times, series_states) = series.inputs();
        series_times.copy_from_slice(times);
        series_states.copy_from_slice(states);
        series.evaluate_into(coefficients);
    }

    fn evaluate(&mut self, rate: &mut [f64]) {
        self.function.evaluate();
        let (rates, pivots) = self.function.outputs.split_at(rate.len());
        rate.copy_from_slice(rates);
        let (pivots, entries) = pivots.split_at(pivots.len() / 2);
        if (self.all_sound)(pivots, entries) {
            return;
        }
        let width = self.function.width();
        let broken = (0..pivots.len()).filter(|&at| !pivot_is_sound(pivots[at], entries[at]));
        for at in broken {
            rate.iter_mut().skip(at % width).step_by(width).for_each(|rate| *rate = f64::NAN);
        }
    }
}
