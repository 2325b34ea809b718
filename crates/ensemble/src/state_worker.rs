//! A thread's own workspace for a function of many states.

use crate::lane_function::LaneFunction;
use crate::state_function::{Reactions, StateFunction, States};
use catena_compile::Sizes;
use catena_formulation::{Breakdown, Formulation};

pub(crate) struct StateWorker {
    /// Those of the last evaluation; empty before the first.
    parameters: Vec<f64>,
    is_new: bool,
    lanes: Option<LaneFunction>,
    /// Made where somebody needs it.
    formulation: Option<Box<dyn Formulation>>,
    /// Whether the state of the formulation is another one than (q, v, z).
    has_own_state: bool,
    /// The state of the formulation, and its rate.
    y: Vec<f64>,
    rate: Vec<f64>,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    /// Lanes without a sound pivot.
    unsound: Vec<usize>,
}

impl StateWorker {
    pub(crate) fn new(function: &StateFunction) -> StateWorker {
        let mut worker = StateWorker {
            parameters: Vec::new(),
            is_new: true,
            lanes: function.lanes.clone().map(LaneFunction::new),
            formulation: None,
            has_own_state: false,
            y: Vec::new(),
            rate: Vec::new(),
            accelerations: vec![0.0; function.sizes.coordinates],
            multipliers: vec![0.0; function.sizes.constraints],
            unsound: Vec::new(),
        };
        if function.reactions.is_some() {
            let own = function.prepared.model().parameter_values();
            let formulation = function.prepared.built(&own);
            worker.y = vec![0.0; formulation.state_len()];
            worker.rate = worker.y.clone();
            worker.has_own_state = has_own_state(&*formulation, function.sizes);
            worker.formulation = Some(formulation);
        }
        worker
    }

    /// Takes these parameters.
    pub(crate) fn begin(&mut self, function: &StateFunction, parameters: &[f64]) {
        let same = |(one, other): (&f64, &f64)| one.to_bits() == other.to_bits();
        if !self.is_new && self.parameters.iter().zip(parameters).all(same) {
            return;
        }
        self.is_new = false;
        self.parameters.clear();
        self.parameters.extend_from_slice(&parameters[..function.sizes.parameters]);
        if let Some(lanes) = &mut self.lanes {
            (0..lanes.width()).for_each(|lane| lanes.set_parameters(lane, &self.parameters));
        }
        if let Some(formulation) = &mut self.formulation {
            formulation.begin(&self.parameters);
        }
    }

    /// Writes the results of neighbouring states, beginning with this one.
    pub(crate) fn fill(
        &mut self,
        function: &StateFunction,
        states: &States<'_>,
        first: usize,
        out: &mut [f64],
    ) {
        let len = function.len();
        if self.lanes.is_none() {
            for (place, out) in out.chunks_mut(len).enumerate() {
                self.fill_one(function, states, first + place, out);
            }
            return;
        }
        let width = function.lanes();
        for (block, out) in out.chunks_mut(width * len).enumerate() {
            let first = first + block * width;
            self.load(function.sizes, states, first, out.len() / len);
            self.compute(function, out);
            while let Some(lane) = self.unsound.pop() {
                if let Some(out) = out.chunks_mut(len).nth(lane) {
                    self.fill_one(function, states, first + lane, out);
                }
            }
        }
    }

    /// Writes states into the lanes; those without one have that of the last.
    fn load(&mut self, sizes: Sizes, states: &States<'_>, first: usize, count: usize) {
        let Some(lanes) = &mut self.lanes else { return };
        let width = lanes.width();
        let (times, y) = lanes.inputs();
        let Sizes { coordinates: n, states: k, .. } = sizes;
        for lane in 0..width {
            let state = first + lane.min(count - 1);
            times[lane] = states.time(state);
            let parts = [
                states.coordinates.of(state, n),
                states.velocities.of(state, n),
                states.states.of(state, k),
            ];
            if let (true, Some(formulation)) = (self.has_own_state, &self.formulation) {
                let [q, v, z] = parts;
                formulation.pack(q, v, z, &mut self.y);
                spread(&self.y, y.chunks_exact_mut(width), lane);
                continue;
            }
            let (q, rest) = y.split_at_mut(n * width);
            let (v, z) = rest.split_at_mut(n * width);
            for (values, part) in parts.into_iter().zip([q, v, z]) {
                spread(values, part.chunks_exact_mut(width), lane);
            }
        }
    }

    /// Computes the states in the lanes, and finds those that have no result there.
    fn compute(&mut self, function: &StateFunction, out: &mut [f64]) {
        let Some(lanes) = &mut self.lanes else { return };
        lanes.evaluate();
        let (width, len) = (lanes.width(), function.len());
        let (values, defects) = lanes.outputs.split_at(function.computed * width);
        match &function.places {
            None => {
                for (lane, out) in out.chunks_exact_mut(len).enumerate() {
                    for (out, values) in out.iter_mut().zip(values.chunks_exact(width)) {
                        *out = values[lane];
                    }
                }
            }
            Some(places) => {
                for (lane, out) in out.chunks_exact_mut(len).enumerate() {
                    out.fill(0.0);
                    places.iter().for_each(|&(at, number)| out[at] = values[number * width + lane]);
                }
            }
        }
        let is_unsound = |&(_, defect): &(usize, &f64)| *defect != 0.0;
        self.unsound.extend(defects.iter().enumerate().filter(is_unsound).map(|(lane, _)| lane));
    }

    /// Asks the formulation, as if it had never been asked before.
    fn fill_one(
        &mut self,
        function: &StateFunction,
        states: &States<'_>,
        state: usize,
        out: &mut [f64],
    ) {
        if self.try_one(function, states, state, out).is_err() {
            out.fill(f64::NAN);
        }
    }

    fn try_one(
        &mut self,
        function: &StateFunction,
        states: &States<'_>,
        state: usize,
        out: &mut [f64],
    ) -> Result<(), Breakdown> {
        let (Some(formulation), Some(reactions)) = (&mut self.formulation, &function.reactions)
        else {
            return Ok(());
        };
        let Sizes { coordinates: n, states: k, .. } = function.sizes;
        let t = states.time(state);
        let (q, v) = (states.coordinates.of(state, n), states.velocities.of(state, n));
        let z = states.states.of(state, k);
        let Self { y, rate, accelerations, multipliers, .. } = self;
        formulation.begin(&self.parameters);
        formulation.pack(q, v, z, y);
        formulation.derivative(t, y, rate)?;
        match reactions {
            Reactions::Rate if !self.has_own_state => out.copy_from_slice(rate),
            Reactions::Rate => {
                out[..n].copy_from_slice(v);
                out[n..2 * n].copy_from_slice(formulation.accelerations());
                out[2 * n..].copy_from_slice(&rate[rate.len() - k..]);
            }
            Reactions::Accelerations => out.copy_from_slice(formulation.accelerations()),
            Reactions::Multipliers => out.copy_from_slice(formulation.multipliers()),
            Reactions::Columns(kernel) => {
                accelerations.copy_from_slice(formulation.accelerations());
                multipliers.copy_from_slice(formulation.multipliers());
                let evaluator = formulation.evaluator();
                evaluator.set_state(t, q, v, z);
                evaluator.set_reactions(accelerations, multipliers);
                out.copy_from_slice(evaluator.run(kernel));
            }
        }
        Ok(())
    }
}

/// Writes numbers into a lane.
fn spread<'a>(values: &[f64], lanes: impl Iterator<Item = &'a mut [f64]>, lane: usize) {
    for (&value, lanes) in values.iter().zip(lanes) {
        lanes[lane] = value;
    }
}

/// Whether the state of a formulation is another one than (q, v, z).
fn has_own_state(formulation: &dyn Formulation, sizes: Sizes) -> bool {
    let (n, k) = (sizes.coordinates, sizes.states);
    if formulation.own_coordinates().is_some() || formulation.state_len() != 2 * n + k {
        return true;
    }
    let joined: Vec<f64> = (1..=2 * n + k).map(|at| at as f64).collect();
    let mut packed = vec![0.0; joined.len()];
    formulation.pack(&joined[..n], &joined[n..2 * n], &joined[2 * n..], &mut packed);
    packed != joined
}
