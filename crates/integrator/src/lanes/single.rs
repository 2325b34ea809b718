//! One lane seen as a system of its own, for what happens once in a trajectory.

use super::LaneSystem;
use crate::breakdown::Breakdown;
use crate::system::{FirstOrderSystem, Partition};
use crate::tangent::Tangent;

/// One lane; the others stay where they are.
pub(super) struct SingleLane<'a> {
    system: &'a mut dyn LaneSystem,
    lane: usize,
    rates: Vec<f64>,
}

impl<'a> SingleLane<'a> {
    /// Writes the other lanes down once.
    pub(super) fn new(system: &'a mut dyn LaneSystem, lane: usize, t: &[f64], y: &[f64]) -> Self {
        let (times, states) = system.inputs();
        times.copy_from_slice(t);
        states.copy_from_slice(y);
        let rates = vec![0.0; y.len()];
        SingleLane { system, lane, rates }
    }

    pub(super) fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) {
        let (times, states) = self.system.inputs();
        let width = times.len();
        times[self.lane] = t;
        for (i, &value) in y.iter().enumerate() {
            states[i * width + self.lane] = value;
        }
        self.system.evaluate(&mut self.rates);
        for (i, rate) in rate.iter_mut().enumerate() {
            *rate = self.rates[i * width + self.lane];
        }
    }
}

impl FirstOrderSystem for SingleLane<'_> {
    fn len(&self) -> usize {
        self.system.len()
    }

    fn magnitude_bound(&self, component: usize) -> f64 {
        self.system.magnitude_bound(component)
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.rate(t, y, rate);
        Ok(())
    }

    fn jacobian(
        &mut self,
        _t: f64,
        _y: &[f64],
        _tangent: Tangent,
        _jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        unreachable!("explicit methods ask for no derivative of the rate")
    }

    fn after_step(&mut self, _t: f64, _y: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }

    fn partition(&self) -> Option<Partition> {
        None
    }
}
