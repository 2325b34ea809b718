//! The defect of rows: how well what lies between the ends of steps obeys the equations.

use crate::motion::Motion;
use catena_integrator::{FirstOrderSystem, Integrator};

/// The largest difference between the rate of the dense output and that of the equations, over rows.
#[derive(Clone, Debug)]
pub(crate) struct Defect {
    /// Whether the equations are asked at rows for it alone.
    pub(crate) asks: bool,
    /// Largest |ẏ − f|, over velocities and states.
    difference: f64,
    /// Largest |f|.
    rate: f64,
    rows: u64,
    /// Evaluations on its account.
    pub(crate) evaluations: u64,
    dense_rate: Vec<f64>,
}

impl Defect {
    /// Nothing measured yet; `asks` where the equations may hide something that is worth an evaluation at every row.
    pub(crate) fn new(asks: bool, len: usize) -> Defect {
        let dense_rate = vec![0.0; len];
        Defect { asks, difference: 0.0, rate: 0.0, rows: 0, evaluations: 0, dense_rate }
    }

    /// Measures a row with this state; `rate` is that of the equations where it is known, else they are asked.
    pub(crate) fn measure(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
        (t, y): (f64, &[f64]),
        (rate, is_known): (&mut [f64], bool),
    ) {
        // at the end of a step the two are the same
        let between = t > integrator.previous_time() && t < integrator.time();
        if !between || motion.is_imposed() {
            return;
        }
        if !is_known {
            self.evaluations += 1;
            if motion.derivative(t, y, rate).is_err() {
                return;
            }
        }
        if !integrator.interpolate_rate(t, &mut self.dense_rate) {
            return;
        }
        let positions = motion.partition().map_or(0, |partition| partition.positions);
        for component in positions..motion.controlled_len() {
            let (dense, exact) = (self.dense_rate[component], rate[component]);
            self.difference = self.difference.max((dense - exact).abs());
            self.rate = self.rate.max(exact.abs());
        }
        self.rows += 1;
    }

    /// The largest difference relative to the largest rate; `None` where no row was measured.
    pub(crate) fn largest(&self) -> Option<f64> {
        let defect = if self.rate > 0.0 { self.difference / self.rate } else { self.difference };
        (self.rows > 0).then_some(defect)
    }
}
