//! Crossings of sections by the trajectories in lanes.
//!
//! The functions of all sections and their total time derivatives, which the graph gives exactly, are one more program over
//! all lanes. It is evaluated at the end of each step, and half way by the cubic through both ends; where a sign says that a
//! section was crossed, or slopes say that it may have been twice, the step's dense output is searched.

use crate::lane_function::{LaneFunction, LaneKernels};
use crate::lane_motion::LaneMotion;
use crate::section_zeros::{Sample, may_vanish, zeros};
use catena_compile::InstructionSet;
use catena_formulation::{FormulationInput, RhsProgram};
use catena_integrator::Lanes;
use catena_symbolic::{Expr, Number};

/// A section was crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which one, in the order in which the engine got them.
    pub section: usize,
    /// 1 from below zero, −1 from above.
    pub direction: i8,
    /// When, s.
    pub time: f64,
}

/// The functions of all sections, then their total time derivatives, as one function over lanes.
pub(crate) fn section_kernels(
    input: &FormulationInput,
    rhs: &mut RhsProgram,
    count: usize,
    set: InstructionSet,
) -> LaneKernels {
    let columns = section_columns(input, rhs, count);
    let len = rhs.state_len();
    LaneKernels::new(&rhs.column_program(&columns), set, len)
}

/// The same as expressions. Sections are the last `count` events of the equations.
pub(crate) fn section_columns(
    input: &FormulationInput,
    rhs: &mut RhsProgram,
    count: usize,
) -> Vec<Expr> {
    let e = &input.evaluator.functions().equations;
    let mut columns: Vec<Expr> = e.events[e.events.len() - count..].to_vec();
    let graph = rhs.graph_mut();
    let mut motion = vec![(e.time, graph.number(Number::ONE))];
    motion.extend(e.coordinates.iter().copied().zip(e.velocities.iter().copied()));
    motion.extend(e.velocities.iter().copied().zip(e.accelerations.iter().copied()));
    motion.extend(e.states.iter().copied().zip(e.state_rates.iter().copied()));
    columns.extend(graph.directional(&columns.clone(), &motion));
    columns
}

/// How far a start may be off the section by rounding, relative to the components of the state: a start on a section is no
/// crossing.
pub(crate) const ROUNDING_OF_START: f64 = 8.0 * f64::EPSILON;

/// A thread's own workspace: what the sections show of the trajectories in lanes.
pub(crate) struct CrossingSearch {
    function: LaneFunction,
    /// Of each section: the sign of the crossings that count, 0 for both.
    directions: Vec<i8>,
    /// Of each section and lane the sign behind the last step.
    sides: Vec<f64>,
    /// Values and slopes as the function gives them: where the last step began, half way, where it ended.
    before: Vec<f64>,
    middle: Vec<f64>,
    behind: Vec<f64>,
    y: Vec<f64>,
    /// Of the lane that was searched last, in the order of time.
    pub(crate) found: Vec<Crossing>,
}

impl CrossingSearch {
    pub(crate) fn new(kernels: LaneKernels, directions: &[i8]) -> CrossingSearch {
        let (width, len) = (kernels.set.lanes(), kernels.len);
        let values = || vec![0.0; 2 * directions.len() * width];
        CrossingSearch {
            function: LaneFunction::new(kernels),
            sides: vec![0.0; directions.len() * width],
            directions: directions.to_vec(),
            before: values(),
            middle: values(),
            behind: values(),
            y: vec![0.0; len],
            found: Vec::with_capacity(8),
        }
    }

    /// Takes the start of a lane's trajectory.
    pub(crate) fn begin(&mut self, lane: usize, t: f64, y: &[f64], parameters: &[f64]) {
        self.function.set_parameters(lane, parameters);
        evaluate(&mut self.function, lane, t, y);
        let width = self.function.width();
        for at in (lane..self.before.len()).step_by(width) {
            self.before[at] = self.function.outputs[at];
        }
        for section in 0..self.directions.len() {
            let mut start = self.sample(&self.before, section, lane, t);
            if self.is_on_section(section, lane, t, y) {
                start.value = 0.0;
            }
            self.sides[section * width + lane] = start.side();
        }
    }

    /// Looks at the steps that all lanes just made; a bit for each lane in which a section may have been crossed.
    pub(crate) fn look(&mut self, lanes: &Lanes) -> u32 {
        let (times, states) = self.function.inputs();
        lanes.middles(times, states);
        self.function.evaluate();
        self.middle.copy_from_slice(&self.function.outputs);
        let (times, states) = self.function.inputs();
        times.copy_from_slice(lanes.times());
        states.copy_from_slice(lanes.states());
        self.function.evaluate();
        self.behind.copy_from_slice(&self.function.outputs);
        let mut crossed = 0;
        for lane in (0..lanes.width()).filter(|&lane| lanes.moved(lane)) {
            let may = (0..self.directions.len()).any(|section| {
                let [a, m, b] = self.samples(section, lane, lanes);
                let side = self.sides[section * lanes.width() + lane];
                may_vanish(&a, &m, side) || may_vanish(&m, &b, side)
            });
            crossed |= u32::from(may) << lane;
            if !may {
                self.go_on(lane, lanes);
            }
        }
        crossed
    }

    /// Whether roundings of a start decide on which side of a section it is.
    fn is_on_section(&mut self, section: usize, lane: usize, t: f64, y: &[f64]) -> bool {
        let at = section * self.function.width() + lane;
        let side = self.before[at].signum();
        // all components in one direction, and every other one in the opposite direction
        [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]].into_iter().any(|signs| {
            for (i, (out, value)) in self.y.iter_mut().zip(y).enumerate() {
                *out = value * (1.0 + signs[i % 2] * ROUNDING_OF_START);
            }
            evaluate(&mut self.function, lane, t, &self.y);
            side * self.function.outputs[at] <= 0.0
        })
    }

    /// Finds the crossings of a lane in the step that it just made, from a time on.
    pub(crate) fn search(
        &mut self,
        lane: usize,
        after: f64,
        lanes: &mut Lanes,
        motion: &mut LaneMotion,
    ) {
        self.found.clear();
        for section in 0..self.directions.len() {
            let [a, _, b] = self.samples(section, lane, lanes);
            if b.t < after {
                continue;
            }
            let side = self.sides[section * lanes.width() + lane];
            let (width, count) = (lanes.width(), self.directions.len());
            let Self { function, y, found, directions, .. } = self;
            let mut sample = |t: f64| {
                lanes.interpolate(motion, lane, t, y);
                evaluate(function, lane, t, y);
                let at = section * width + lane;
                let (value, slope) = (function.outputs[at], function.outputs[count * width + at]);
                Sample { t, value, slope }
            };
            let wanted = directions[section];
            zeros([a, b], side, &mut sample, &mut |time, direction| {
                if time >= after && (wanted == 0 || wanted == direction) {
                    found.push(Crossing { section, direction, time });
                }
            });
        }
        self.found
            .sort_unstable_by(|a, b| a.time.total_cmp(&b.time).then(a.section.cmp(&b.section)));
        self.go_on(lane, lanes);
    }

    /// The end of a lane's step is the beginning of the next one.
    fn go_on(&mut self, lane: usize, lanes: &Lanes) {
        let width = lanes.width();
        for at in (lane..self.before.len()).step_by(width) {
            self.before[at] = self.behind[at];
        }
        for section in 0..self.directions.len() {
            let behind = self.sample(&self.behind, section, lane, 0.0).side();
            if behind != 0.0 {
                self.sides[section * width + lane] = behind;
            }
        }
    }

    /// At the beginning of a lane's step, half way, and at its end.
    fn samples(&self, section: usize, lane: usize, lanes: &Lanes) -> [Sample; 3] {
        let (from, to) = (lanes.previous_time(lane), lanes.time(lane));
        [
            self.sample(&self.before, section, lane, from),
            self.sample(&self.middle, section, lane, 0.5 * (from + to)),
            self.sample(&self.behind, section, lane, to),
        ]
    }

    fn sample(&self, values: &[f64], section: usize, lane: usize, t: f64) -> Sample {
        let (count, width) = (self.directions.len(), self.function.width());
        let at = section * width + lane;
        Sample { t, value: values[at], slope: values[count * width + at] }
    }
}

/// The outputs of one lane at a state; those of the others are not touched by it.
fn evaluate(function: &mut LaneFunction, lane: usize, t: f64, y: &[f64]) {
    let width = function.width();
    let (times, states) = function.inputs();
    times[lane] = t;
    for (i, &value) in y.iter().enumerate() {
        states[i * width + lane] = value;
    }
    function.evaluate();
}
