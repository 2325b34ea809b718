//! The motion of as many states as there are lanes, each with its own parameters.

use crate::engine::Shared;
use crate::lane_function::LaneFunction;
use crate::lane_step::LaneStep;
use catena_compile::InstructionSet;
use catena_integrator::{LaneSystem, WholeAttempts};
use std::sync::Arc;

/// The rate of a formulation's state: ẏ, and for each lane a defect that is NaN where it has none.
pub(crate) struct LaneMotion {
    pub(crate) function: LaneFunction,
    /// Power series of an order.
    series: Option<(usize, LaneFunction)>,
    /// Whole steps; absent where they are made stage by stage.
    step: Option<LaneStep>,
    /// The most that counts of the magnitudes of the coordinates.
    magnitude_bounds: Arc<[f64]>,
}

impl LaneMotion {
    pub(crate) fn new(shared: &Shared) -> LaneMotion {
        LaneMotion {
            function: LaneFunction::new(shared.kernels.clone()),
            series: shared
                .series
                .clone()
                .map(|(order, kernels)| (order, LaneFunction::new(kernels))),
            step: shared.step.clone().map(LaneStep::new),
            magnitude_bounds: shared.magnitude_bounds.clone(),
        }
    }

    /// Gives a lane its parameters.
    pub(crate) fn set_parameters(&mut self, lane: usize, parameters: &[f64]) {
        self.function.set_parameters(lane, parameters);
        if let Some((_, series)) = &mut self.series {
            series.set_parameters(lane, parameters);
        }
        if let Some(step) = &mut self.step {
            step.whole.set_parameters(lane, parameters);
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
        let (rates, defects) = self.function.outputs.split_at(rate.len());
        rate.copy_from_slice(rates);
        if defects.iter().fold(true, |sound, &defect| sound & (defect == 0.0)) {
            return;
        }
        for (lane, _) in defects.iter().enumerate().filter(|(_, defect)| **defect != 0.0) {
            let rates = rate.iter_mut().skip(lane).step_by(defects.len());
            rates.for_each(|rate| *rate = f64::NAN);
        }
    }

    fn whole_attempts(&self) -> Option<WholeAttempts<'_>> {
        let step = self.step.as_ref()?;
        Some(WholeAttempts { method: step.method, tail: step.whole.tail() })
    }

    fn attempt(&mut self, from: &[f64], to: &mut [f64]) {
        let step = self.step.as_mut().expect("asked only where there are whole steps");
        step.whole.run(from, to);
    }
}
