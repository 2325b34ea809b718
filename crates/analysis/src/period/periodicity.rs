//! Whether the equations are the same again after a time, found out with their values.

use super::drive_rates::DriveRates;
use catena_compile::Evaluator;
use catena_derivation::rotations;
use catena_model::Model;

/// Functions that differ by less than this, relative to the largest, are equal.
const PERIODICITY_TOLERANCE: f64 = 1e-8;
/// Times at which functions are compared, s: without a common period, and where no simple wave changes its sign.
const PROBE_TIMES: [f64; 5] = [0.113, 0.377, 1.618, 4.669, 11.31];
/// Distances, s, after which functions of time have other values: without a common period.
const PROBE_DISTANCES: [f64; 2] = [0.1234, 1.0 / 3.0];

/// All functions of the equations at one state, as time goes on.
pub(crate) struct Periodicity {
    evaluator: Evaluator,
    is_rotation: Vec<bool>,
    /// Coordinates, velocities and states.
    state: [Vec<f64>; 3],
}

impl Periodicity {
    pub(crate) fn new(model: &Model) -> Periodicity {
        let evaluator = Evaluator::derived(model, &model.own);
        let is_rotation = rotations(evaluator.equations(), model, &model.own);
        let (n, states) = (evaluator.sizes().coordinates, evaluator.sizes().states);
        // a generic state: nothing vanishes there by symmetry
        let list = |count: usize, phase: f64| -> Vec<f64> {
            (0..count).map(|at| 0.4 * (phase + 1.3 * at as f64).sin()).collect()
        };
        Periodicity {
            is_rotation,
            evaluator,
            state: [list(n, 0.5), list(n, 2.0), list(states, 3.1)],
        }
    }

    /// The rates at which time enters them.
    pub(super) fn rates(&self) -> DriveRates {
        DriveRates::new(self.evaluator.equations(), &self.is_rotation)
    }

    /// Whether time changes anything, for any of these values of the parameters.
    pub(crate) fn depend_on_time(&mut self, parameters: &[Vec<f64>]) -> bool {
        self.evaluator.equations().depends_on_time()
            && parameters.iter().any(|values| {
                PROBE_DISTANCES.iter().any(|&distance| !self.repeat_after(values, distance, &[]))
            })
    }

    /// Whether all functions have the same values again after this time, s, in which some coordinates go on at these rates.
    pub(crate) fn repeat_after(
        &mut self,
        parameters: &[f64],
        period: f64,
        turning: &[(usize, f64)],
    ) -> bool {
        self.evaluator.set_parameters(parameters);
        PROBE_TIMES.iter().all(|&t| {
            let (now, then) = (self.at(t, 0.0, turning), self.at(t + period, period, turning));
            let scale = now.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            let pairs = now.iter().zip(&then);
            // where a function has no value nothing can be said about it
            let mut known = pairs.filter(|(now, then)| now.is_finite() && then.is_finite());
            known.all(|(now, then)| (now - then).abs() <= PERIODICITY_TOLERANCE * scale)
        })
    }

    fn at(&mut self, t: f64, since: f64, turning: &[(usize, f64)]) -> Vec<f64> {
        let [q, v, states] = &self.state;
        let mut q = q.clone();
        for &(at, rate) in turning {
            q[at] += rate * since;
        }
        let values = self.evaluator.values_at(t, &q, v, states);
        let lists = [
            values.mass_matrix,
            values.forces,
            values.constraints,
            values.constraint_jacobian,
            values.constraint_rate,
            values.gamma,
            values.state_rates,
        ];
        lists.concat()
    }
}
