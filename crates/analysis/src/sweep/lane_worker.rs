//! Cells in lanes: whenever a trajectory ends, the next cell takes its place.

use super::cell::{Cells, Times};
use super::lane_motion::LaneMotion;
use super::measure::Gathered;
use super::rows::Rows;
use super::{Block, Shared, Sweep};
use catena_compile::Dynamics;
use catena_formulation::Formulation;
use catena_integrator::{Lanes, Options};
use std::ops::Range;

/// Attempts between two looks at whether the sweep was cancelled.
const ATTEMPTS_BETWEEN_LOOKS: usize = 256;

/// A thread's own workspace.
pub struct LaneWorker<'a> {
    sweep: &'a Sweep,
    cells: Cells,
    motion: LaneMotion,
    lanes: Lanes,
    rows: Rows,
    /// Knows how a start becomes a state.
    formulation: Box<dyn Formulation>,
    /// Solves for what a start does not give; none without constraints.
    dynamics: Option<Dynamics>,
    trajectories: Vec<Option<Trajectory>>,
    /// When each lane is to be looked at next.
    next_rows: Vec<f64>,
    values: Vec<f64>,
    y: Vec<f64>,
}

/// What runs in a lane.
struct Trajectory {
    cell: u64,
    times: Times,
    next_row: u64,
    /// The time of the last row.
    recorded: f64,
    gathered: Vec<Gathered>,
}

impl Trajectory {
    fn next_time(&self) -> f64 {
        (self.next_row as f64 * self.times.every).min(self.times.t_end)
    }
}

impl<'a> LaneWorker<'a> {
    pub(super) fn new(sweep: &'a Sweep, shared: &Shared) -> LaneWorker<'a> {
        let options = &sweep.options;
        let motion = LaneMotion::new(shared.kernels.clone());
        let method = options.integrator.lanes.expect("the sweep found that it runs in lanes");
        let lanes = Lanes::new(method, &options.lane_options(), &motion)
            .expect("the options were checked when the sweep was made");
        let equations = &shared.subject.evaluator.functions().equations;
        let cells = sweep.cells();
        LaneWorker {
            formulation: (options.formulation.build)(shared.subject.clone()),
            dynamics: (!equations.constraints.is_empty())
                .then(|| Dynamics::new(equations, &cells.parameters)),
            trajectories: (0..lanes.width()).map(|_| None).collect(),
            next_rows: vec![f64::INFINITY; lanes.width()],
            rows: Rows::new(shared.columns.clone()),
            values: Vec::new(),
            y: Vec::new(),
            sweep,
            cells,
            motion,
            lanes,
        }
    }

    /// Whether the first cell has a rate in lanes, if it has a start.
    pub(super) fn can_begin(&mut self) -> bool {
        self.begin(0, 0).is_err() || self.lanes.failure(0).is_none()
    }

    /// Runs some cells; none if it was cancelled before all of them were done.
    pub(super) fn run(&mut self, range: Range<u64>, cancelled: &dyn Fn() -> bool) -> Option<Block> {
        let mut block = Block::new(range.clone(), self.sweep.measures.len());
        let mut waiting = range;
        for lane in 0..self.lanes.width() {
            self.refill(lane, &mut waiting, &mut block);
        }
        let mut attempts = 0;
        let mut under_way = self.trajectories.iter().any(Option::is_some);
        while under_way {
            attempts += 1;
            if attempts % ATTEMPTS_BETWEEN_LOOKS == 0 && cancelled() {
                self.trajectories.fill_with(|| None);
                return None;
            }
            let stopped = self.lanes.step(&mut self.motion);
            let rows = self.lanes.times().iter().zip(&self.next_rows);
            if rows.fold(false, |due, (time, next)| due | (time >= next)) {
                self.look();
            }
            if !stopped {
                continue;
            }
            for lane in 0..self.lanes.width() {
                if self.trajectories[lane].is_some() && !self.lanes.is_running(lane) {
                    self.conclude(lane, &mut block);
                    self.refill(lane, &mut waiting, &mut block);
                }
            }
            under_way = self.trajectories.iter().any(Option::is_some);
        }
        block.failures.sort_by_key(|(cell, _)| *cell);
        Some(block)
    }

    /// Starts the next cells that can be started, until one is under way in this lane.
    fn refill(&mut self, lane: usize, waiting: &mut Range<u64>, block: &mut Block) {
        for cell in waiting.by_ref() {
            match self.begin(lane, cell) {
                Ok(()) if self.lanes.is_running(lane) => return,
                Ok(()) => self.conclude(lane, block),
                Err(reason) => block.failures.push((cell, reason)),
            }
        }
    }

    fn begin(&mut self, lane: usize, cell: u64) -> Result<(), String> {
        self.sweep.grid.cell(cell, &mut self.values);
        self.cells.set(&self.values)?;
        if let Some(dynamics) = &mut self.dynamics {
            self.cells.assemble(dynamics)?;
        }
        let Cells { start, parameters, times, .. } = &self.cells;
        let times = *times;
        self.y.resize(self.formulation.state_len(), 0.0);
        self.formulation.pack(&start.q, &start.v, &start.states, &mut self.y);
        self.motion.function.set_parameters(lane, parameters);
        self.rows.function.set_parameters(lane, parameters);
        let integration = &self.sweep.options.integration;
        let options = Options { step: times.step.or(integration.step), ..integration.clone() };
        self.lanes.begin(&mut self.motion, lane, (0.0, &self.y, times.t_end), &options);
        let gathered = vec![Gathered::NOTHING; self.sweep.measures.len()];
        self.trajectories[lane] =
            Some(Trajectory { cell, times, next_row: 1, recorded: 0.0, gathered });
        self.next_rows[lane] = times.first_row();
        if times.after <= 0.0 {
            self.rows.set_state(lane, 0.0, &self.y);
            self.rows.function.evaluate();
            self.gather(lane);
        }
        Ok(())
    }

    /// Adds the row of a lane.
    fn gather(&mut self, lane: usize) {
        if let Some(trajectory) = &mut self.trajectories[lane] {
            for (gathered, value) in trajectory.gathered.iter_mut().zip(self.rows.of_lane(lane)) {
                gathered.add(value);
            }
        }
    }

    /// All rows of the steps that were just made: one of every lane at a time.
    fn look(&mut self) {
        loop {
            let mut found = 0_u32;
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
                if t > to || t <= trajectory.recorded || t < trajectory.times.after {
                    continue;
                }
                trajectory.next_row += 1;
                trajectory.recorded = t;
                self.lanes.interpolate(&mut self.motion, lane, t, &mut self.y);
                self.rows.set_state(lane, t, &self.y);
                found |= 1 << lane;
            }
            if found == 0 {
                return;
            }
            self.rows.function.evaluate();
            for lane in (0..self.lanes.width()).filter(|lane| found & (1 << lane) != 0) {
                self.gather(lane);
            }
        }
    }

    /// Writes what became of a lane's cell.
    fn conclude(&mut self, lane: usize, block: &mut Block) {
        let Some(trajectory) = self.trajectories[lane].take() else { return };
        self.next_rows[lane] = f64::INFINITY;
        if let Some(failure) = self.lanes.failure(lane) {
            block.failures.push((trajectory.cell, failure.to_string()));
            return;
        }
        let measures = &self.sweep.measures;
        let places = block.of_cell(trajectory.cell, measures.len()).iter_mut();
        for ((place, gathered), measure) in places.zip(&trajectory.gathered).zip(measures) {
            *place = gathered.result(measure.statistic);
        }
    }
}
