//! Whether a trajectory in a lane kept its energy and its constraints, from its two ends: lanes carry nothing along that
//! could tell more, and what is lost by so much is lost for good.

use catena_compile::Evaluator;
use catena_simulation::{CONSTRAINTS, ENERGY, Prepared};

/// The beginning of a trajectory.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneBalance {
    /// Of its cell.
    parameters: Vec<f64>,
    /// h at the start, J.
    energy: f64,
    /// |T| + |V| at the start, J.
    size: f64,
}

/// Why the end of a trajectory is wrong, if it is: from h and |T| + |V| at its start, and h, |T| + |V|, the largest |Φ| and the
/// largest of 1 and |q| at its end.
pub(crate) fn wrong_end(
    conservative: bool,
    [first, first_size]: [f64; 2],
    [energy, size, missed, reach]: [f64; 4],
) -> Option<String> {
    let residual = (energy - first).abs();
    if conservative && residual > ENERGY.wrong * size.max(first_size) {
        let [first, residual] = [first, residual].map(|value| format!("{value:.1e} J"));
        return Some(format!("wrong: the energy was {first} and changed by {residual}"));
    }
    (missed > CONSTRAINTS.wrong * reach)
        .then(|| format!("wrong: the constraints are missed by {missed:.1e}"))
}

/// Coordinates, velocities and first-order states.
#[derive(Default)]
pub(crate) struct Parts {
    q: Vec<f64>,
    v: Vec<f64>,
    states: Vec<f64>,
}

impl LaneBalance {
    /// Takes the energy at the start of a trajectory.
    pub(crate) fn begin(
        &mut self,
        (prepared, evaluator): (&Prepared, &mut Evaluator),
        parts: &mut Parts,
        (t, y): (f64, &[f64]),
        parameters: Vec<f64>,
    ) {
        self.parameters = parameters;
        let [energy, size, _] = self.look((prepared, evaluator), parts, t, y);
        (self.energy, self.size) = (energy, size);
    }

    /// Why the end of the trajectory is wrong, if it is.
    pub(crate) fn wrong(
        &self,
        (prepared, evaluator): (&Prepared, &mut Evaluator),
        parts: &mut Parts,
        t: f64,
        y: &[f64],
    ) -> Option<String> {
        let [energy, size, missed] = self.look((prepared, &mut *evaluator), parts, t, y);
        let conservative = evaluator.functions().conservative;
        let reach = parts.q.iter().fold(1.0, |reach: f64, q| reach.max(q.abs()));
        wrong_end(conservative, [self.energy, self.size], [energy, size, missed, reach])
    }

    /// h, |T| + |V| and the largest |Φ| of a state.
    fn look(
        &self,
        (prepared, evaluator): (&Prepared, &mut Evaluator),
        parts: &mut Parts,
        t: f64,
        y: &[f64],
    ) -> [f64; 3] {
        let sizes = evaluator.sizes();
        let Parts { q, v, states } = parts;
        q.resize(sizes.coordinates, 0.0);
        v.resize(sizes.coordinates, 0.0);
        states.resize(sizes.states, 0.0);
        prepared.unpack(y, q, v, states);
        evaluator.set_parameters(&self.parameters);
        evaluator.set_state(t, q, v, states);
        let energies = evaluator.energies();
        let size = energies.kinetic.abs() + energies.potential.abs();
        let missed = evaluator.drift().values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        [energies.energy, size, missed]
    }
}
