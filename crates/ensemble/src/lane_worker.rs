//! Cells in lanes: whenever a trajectory ends, the next cell takes its place.

use crate::cell::{Cells, Times};
use crate::crossing::CrossingSearch;
use crate::engine::{Engine, Shared};
use crate::lane_balance::{LaneBalance, Parts};
use crate::lane_motion::LaneMotion;
use crate::rows::Rows;
use crate::tangents::{Tangents, patternless};
use crate::workload::{Task, Workload};
use catena_compile::Evaluator;
use catena_integrator::{Lanes, Options};
use catena_simulation::{Prepared, row_time};

/// Attempts at steps between two checks whether the sweep was cancelled.
const ATTEMPTS_BETWEEN_CHECKS: usize = 256;

/// A thread's own workspace.
pub(crate) struct LaneWorker<'a> {
    engine: &'a Engine,
    cells: Cells,
    motion: LaneMotion,
    lanes: Lanes,
    rows: Rows,
    /// Looks for crossings; absent where no section is watched.
    crossings: Option<CrossingSearch>,
    /// Absent where none are carried along.
    tangents: Option<Tangents>,
    /// Looks at energies and constraints.
    evaluator: Evaluator,
    /// Knows how long steps may be, and solves for what a start does not give.
    prepared: Prepared,
    trajectories: Vec<Option<Trajectory>>,
    /// How the trajectory of each lane began.
    balances: Vec<LaneBalance>,
    parts: Parts,
    /// The time of the next row of each lane.
    next_rows: Vec<f64>,
    task: Task,
    y: Vec<f64>,
    /// The columns of a lane.
    row: Vec<f64>,
}

/// What runs in a lane.
struct Trajectory {
    times: Times,
    next_row: u64,
    /// The time of the last row.
    recorded: f64,
    /// Where a crossing ended it; infinite as long as none has.
    ended_at: f64,
}

impl Trajectory {
    fn next_time(&self) -> f64 {
        let Times { t_start, t_end, every, .. } = self.times;
        row_time(self.next_row, every, [t_start, t_end])
    }
}

impl<'a> LaneWorker<'a> {
    pub(crate) fn new(engine: &'a Engine, shared: &Shared) -> LaneWorker<'a> {
        let options = &engine.options;
        let motion = LaneMotion::new(shared);
        let method = options.integrator.lanes().expect("the engine found that it runs in lanes");
        let lanes = Lanes::new(method, &options.lane_options(), &motion)
            .expect("the options were checked when the engine was made");
        let cells = engine.cells();
        let prepared = engine.prepared.clone();
        let len = prepared.state_len();
        let tangents = || Tangents::new(engine.tangents, len, lanes.width());
        LaneWorker {
            tangents: (engine.tangents > 0).then(tangents),
            evaluator: prepared.input().evaluator.clone(),
            prepared,
            trajectories: (0..lanes.width()).map(|_| None).collect(),
            balances: vec![LaneBalance::default(); lanes.width()],
            parts: Parts::default(),
            next_rows: vec![f64::INFINITY; lanes.width()],
            rows: Rows::new(shared.columns.clone()),
            crossings: shared
                .sections
                .clone()
                .map(|kernels| CrossingSearch::new(kernels, &engine.directions)),
            task: Task::default(),
            y: Vec::new(),
            row: Vec::new(),
            engine,
            cells,
            motion,
            lanes,
        }
    }

    /// Whether a trajectory has a rate in lanes, if it has a start.
    pub(crate) fn can_begin(&mut self, task: &Task) -> bool {
        self.task.clone_from(task);
        self.begin(0).is_err() || self.lanes.failure(0).is_none()
    }

    /// Runs until nothing is left; false if it was cancelled before.
    pub(crate) fn run(
        &mut self,
        workload: &mut dyn Workload,
        cancelled: &dyn Fn() -> bool,
    ) -> bool {
        for lane in 0..self.lanes.width() {
            self.refill(lane, workload);
        }
        let mut attempts = 0;
        let mut under_way = self.trajectories.iter().any(Option::is_some);
        while under_way {
            attempts += 1;
            if attempts % ATTEMPTS_BETWEEN_CHECKS == 0 && cancelled() {
                self.trajectories.fill_with(|| None);
                return false;
            }
            let mut stopped = self.lanes.step(&mut self.motion);
            let ended = self.cross(workload);
            let rows = self.lanes.times().iter().zip(&self.next_rows);
            if rows.fold(false, |due, (time, next)| due | (time >= next)) {
                self.look(workload);
            }
            for lane in (0..self.lanes.width()).filter(|lane| ended & (1 << lane) != 0) {
                self.lanes.stop(lane);
                stopped = true;
            }
            if let Some(tangents) = &mut self.tangents {
                for lane in 0..self.lanes.width() {
                    if self.lanes.moved(lane) {
                        tangents.step(lane, &mut self.lanes);
                    }
                }
            }
            if !stopped {
                continue;
            }
            for lane in 0..self.lanes.width() {
                if self.trajectories[lane].is_some() && !self.lanes.is_running(lane) {
                    self.conclude(lane, workload);
                    self.refill(lane, workload);
                }
            }
            under_way = self.trajectories.iter().any(Option::is_some);
        }
        true
    }

    /// Starts the next trajectories that can be started, until one is under way in this lane.
    fn refill(&mut self, lane: usize, workload: &mut dyn Workload) {
        while workload.next(lane, &mut self.task) {
            match self.begin(lane) {
                Ok(times) => {
                    let t = times.t_start;
                    let ended_at = f64::INFINITY;
                    let begun = Trajectory { times, next_row: 1, recorded: t, ended_at };
                    self.trajectories[lane] = Some(begun);
                    self.next_rows[lane] = times.first_row();
                    if times.after <= t {
                        self.rows.set_state(lane, t, &self.y);
                        self.rows.function.evaluate();
                        self.gather(lane, t, workload);
                    }
                    if self.lanes.is_running(lane) {
                        return;
                    }
                    self.conclude(lane, workload);
                }
                Err(reason) => workload.end(lane, Err(reason)),
            }
        }
    }

    /// Puts the task into a lane.
    fn begin(&mut self, lane: usize) -> Result<Times, String> {
        self.cells.set(&self.task)?;
        self.cells.assemble(&mut self.prepared)?;
        let Cells { start, times, .. } = &self.cells;
        let (times, parameters) = (*times, self.cells.parameters());
        let len = self.prepared.state_len();
        self.y.resize(self.lanes.len(), 0.0);
        self.prepared.pack(&start.q, &start.v, &start.states, &mut self.y[..len]);
        if let Some(tangents) = &mut self.tangents {
            let (vectors, sum) = self.y[len..].split_at_mut(self.engine.tangents * len);
            sum.fill(0.0);
            match self.task.start.as_ref().map(|start| &start[len..]) {
                Some(given) if given.len() == vectors.len() => vectors.copy_from_slice(given),
                _ => vectors.iter_mut().zip(patternless()).for_each(|(entry, part)| *entry = part),
            }
            tangents.begin(lane, vectors);
        }
        self.motion.set_parameters(lane, &parameters);
        self.rows.function.set_parameters(lane, &parameters);
        if let Some(crossings) = &mut self.crossings {
            crossings.begin(lane, times.t_start, &self.y, &parameters);
        }
        let integration = &self.engine.options.integration;
        let step = times.step.or(integration.step);
        let options = self.prepared.bounded(integration, &parameters, [times.t_start, times.t_end]);
        let options = Options { step, ..options };
        self.lanes.begin(&mut self.motion, lane, (times.t_start, &self.y, times.t_end), &options);
        let model = (&self.prepared, &mut self.evaluator);
        let state = (times.t_start, &self.y[..len]);
        self.balances[lane].begin(model, &mut self.parts, state, parameters);
        Ok(times)
    }

    /// Hands the row of a lane over.
    fn gather(&mut self, lane: usize, t: f64, workload: &mut dyn Workload) {
        self.row.clear();
        self.row.extend(self.rows.of_lane(lane));
        if let Some(tangents) = &mut self.tangents {
            let tail = self.rows.state(lane).skip(self.prepared.state_len());
            tangents.append(lane, tail, &mut self.row);
        }
        workload.row(lane, t, &self.row);
    }

    /// Hands the crossings of the steps that were just made over; a bit for each lane whose trajectory ends at one.
    fn cross(&mut self, workload: &mut dyn Workload) -> u32 {
        let Some(mut crossings) = self.crossings.take() else { return 0 };
        let crossed = crossings.look(&self.lanes);
        let mut ended = 0;
        for lane in (0..self.lanes.width()).filter(|lane| crossed & (1 << lane) != 0) {
            let Some(trajectory) = &mut self.trajectories[lane] else { continue };
            let after = trajectory.times.after;
            crossings.search(lane, after, &mut self.lanes, &mut self.motion);
            for &crossing in &crossings.found {
                self.lanes.interpolate(&mut self.motion, lane, crossing.time, &mut self.y);
                self.rows.set_state(lane, crossing.time, &self.y);
                self.rows.function.evaluate();
                self.row.clear();
                self.row.extend(self.rows.of_lane(lane));
                if !workload.crossing(lane, crossing, &self.row) {
                    trajectory.ended_at = crossing.time;
                    ended |= 1 << lane;
                    break;
                }
            }
        }
        self.crossings = Some(crossings);
        ended
    }

    /// All rows of the steps that were just made: one of every lane at a time.
    fn look(&mut self, workload: &mut dyn Workload) {
        loop {
            let mut found = 0_u32;
            let (times, _) = self.rows.function.inputs();
            times.copy_from_slice(self.lanes.times());
            for lane in 0..self.lanes.width() {
                let Some(trajectory) = &mut self.trajectories[lane] else { continue };
                if !self.lanes.moved(lane) {
                    continue;
                }
                let (mut t, to) = (trajectory.next_time(), self.lanes.time(lane));
                // rows that do not count are not computed
                while t < trajectory.times.after && t <= to && t < trajectory.times.t_end {
                    trajectory.next_row += 1;
                    t = trajectory.next_time();
                }
                self.next_rows[lane] = t;
                let counts = t >= trajectory.times.after && t < trajectory.ended_at;
                if t > to || t <= trajectory.recorded || !counts {
                    continue;
                }
                trajectory.next_row += 1;
                trajectory.recorded = t;
                times[lane] = t;
                found |= 1 << lane;
            }
            if found == 0 {
                return;
            }
            self.rows.interpolate(&mut self.lanes, &mut self.motion);
            self.rows.function.evaluate();
            for lane in (0..self.lanes.width()).filter(|lane| found & (1 << lane) != 0) {
                let t = self.trajectories[lane].as_ref().map_or(0.0, |one| one.recorded);
                self.gather(lane, t, workload);
            }
        }
    }

    /// Reports what became of a lane's trajectory.
    fn conclude(&mut self, lane: usize, workload: &mut dyn Workload) {
        if self.trajectories[lane].take().is_some() {
            self.next_rows[lane] = f64::INFINITY;
            let failure = self.lanes.failure(lane).map(ToString::to_string);
            let failure = failure.or_else(|| {
                let t = self.lanes.time(lane);
                self.lanes.interpolate(&mut self.motion, lane, t, &mut self.y);
                let model = (&self.prepared, &mut self.evaluator);
                self.balances[lane].wrong(model, &mut self.parts, t, &self.y)
            });
            workload.end(lane, failure.map_or(Ok(()), Err));
        }
    }
}
