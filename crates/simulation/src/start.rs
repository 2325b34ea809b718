//! The start as the model describes it: values that are kept and guesses for the others.

use catena_model::{Chain, CoordinateSet, Model, NamedFormula, Role, Shape, System};

/// Values at the start, in the order of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The time at which it is, s.
    pub t: f64,
    /// Coordinates: given, guessed, or 0.
    pub q: Vec<f64>,
    /// Velocities: given, guessed, or 0.
    pub v: Vec<f64>,
    /// First-order states.
    pub states: Vec<f64>,
    /// Which coordinates are given.
    pub q_given: Vec<bool>,
    /// Which velocities are given.
    pub v_given: Vec<bool>,
}

impl Start {
    /// Reads `[initial]` and `[guess]` of a set of coordinates.
    pub fn new(model: &Model, set: CoordinateSet) -> Start {
        Start::with(model, set, &model.system(set).initial)
    }

    /// The same with other entries in the place of those of `[initial]`.
    pub fn with(model: &Model, set: CoordinateSet, initial: &[NamedFormula]) -> Start {
        let system = model.system(set);
        let n = system.coordinates.len();
        let mut start = Start {
            t: model.run.t_start.unwrap_or(0.0),
            q: vec![0.0; n],
            v: vec![0.0; n],
            states: vec![0.0; system.states.len()],
            q_given: vec![false; n],
            v_given: vec![false; n],
        };
        if let Some(chain) = model.chain.as_ref().filter(|_| set == CoordinateSet::Absolute) {
            for entry in initial {
                start.set(model, system, entry, true);
            }
            start.hang(model, chain);
        }
        for entry in &system.guess {
            start.set(model, system, entry, false);
        }
        for entry in initial {
            start.set(model, system, entry, true);
        }
        start
    }

    /// Guesses where the links of a chain are from their angles, as if the pivot stood still: exact
    /// for most chains, and near for the others.
    fn hang(&mut self, model: &Model, chain: &Chain) {
        let ([mut x, mut y], [mut vx, mut vy]) = ([0.0; 2], [0.0; 2]);
        for i in 0..chain.links {
            let length = model.parameter(&chain.length[i]).unwrap_or(f64::NAN);
            let to_centre = if chain.shape == Shape::Rod { 0.5 } else { 1.0 };
            let (angle, rate) = (self.q[3 * i + 2], self.v[3 * i + 2]);
            let (sine, cosine) = angle.sin_cos();
            let half = to_centre * length;
            self.q[3 * i..3 * i + 2].copy_from_slice(&[x + half * sine, y - half * cosine]);
            let velocity = [vx + half * cosine * rate, vy + half * sine * rate];
            self.v[3 * i..3 * i + 2].copy_from_slice(&velocity);
            (x, y) = (x + length * sine, y - length * cosine);
            (vx, vy) = (vx + length * cosine * rate, vy + length * sine * rate);
        }
    }

    fn set(&mut self, model: &Model, system: &System, entry: &NamedFormula, given: bool) {
        let value = entry.formula.evaluate(|name, _| model.parameter(name).unwrap_or(f64::NAN));
        match (system.names.role(&entry.name), entry.primes) {
            (Some(Role::Coordinate(at)), 0) => {
                self.q[at] = value;
                self.q_given[at] = given;
            }
            (Some(Role::Coordinate(at)), _) => {
                self.v[at] = value;
                self.v_given[at] = given;
            }
            (Some(Role::State(at)), _) => self.states[at] = value,
            _ => {}
        }
    }
}
