//! Keeps the places of a device filled: whenever enough trajectories have stopped, what is known of them is taken and the next
//! tasks take their places.

use super::layout::{CHECKS, Number, STATISTICS, Status};
use super::packing::{Packer, pack_all};
use super::shared::DeviceShared;
use super::{DeviceError, DeviceMemory};
use crate::Crossing;
use crate::engine::Engine;
use crate::lane_balance::wrong_end;
use crate::measure::Gathered;
use crate::workload::{Task, Workload};
use catena_integrator::LaneFailure;
use std::time::Instant;

/// Attempts at steps of the first launch.
const FIRST_ATTEMPTS: u32 = 64;
/// How long a launch is to take, s: displays are driven by the same devices, and who cancels does not want to wait.
const LAUNCH: f64 = 0.15;
/// The part of the places that may stand still before they are filled again.
const IDLE_PART: f64 = 0.125;

/// Work whose rows are reduced on the device.
pub(crate) trait MeasuredWorkload: Workload {
    /// What was gathered of the columns of a trajectory, and when it crossed each section first, s; NaN where it never did.
    fn measured(&mut self, place: usize, columns: &[Gathered], first_crossings: &[f64]);
}

/// What a worker is to do.
pub(crate) enum DeviceWork<'a> {
    /// Every row is handed over.
    Rows(&'a mut dyn Workload),
    /// What the device has made of them is.
    Measures(&'a mut dyn MeasuredWorkload),
}

impl DeviceWork<'_> {
    fn workload(&mut self) -> &mut dyn Workload {
        match self {
            DeviceWork::Rows(workload) => *workload,
            DeviceWork::Measures(workload) => *workload,
        }
    }
}

/// A thread that feeds a device.
pub(crate) struct DeviceWorker<'a> {
    shared: &'a DeviceShared,
    packers: Vec<Packer>,
    /// What the memory of the device held last, or is to hold next.
    numbers: Vec<f64>,
    /// Places in use.
    count: usize,
    /// Whether a trajectory is under way in a place.
    active: Vec<bool>,
}

impl<'a> DeviceWorker<'a> {
    /// With so many threads to pack starts.
    pub(crate) fn new(engine: &'a Engine, shared: &'a DeviceShared, threads: usize) -> Self {
        let packers = (0..threads.max(1)).map(|_| Packer::new(engine)).collect();
        DeviceWorker { shared, packers, numbers: Vec::new(), count: 0, active: Vec::new() }
    }

    /// Runs until nothing is left; false if it was cancelled before.
    pub(crate) fn run(
        &mut self,
        work: &mut DeviceWork<'_>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<bool, DeviceError> {
        let mut tasks = Vec::new();
        for place in 0..self.shared.places {
            let mut task = Task::default();
            if !work.workload().next(place, &mut task) {
                break;
            }
            tasks.push((place, task));
        }
        self.count = tasks.len();
        self.active = vec![true; self.count];
        self.numbers = vec![0.0; self.shared.layout.numbers() * self.count];
        self.fill(tasks, work);
        if !self.active.contains(&true) {
            return Ok(true);
        }
        let mut memory = self.shared.kernel.memory(self.shared.layout.numbers(), self.count)?;
        let mut attempts = FIRST_ATTEMPTS;
        while self.active.contains(&true) {
            memory.write(&self.numbers)?;
            if !self.advance(memory.as_mut(), &mut attempts, cancelled)? {
                return Ok(false);
            }
            memory.read(0, &mut self.numbers)?;
            let stopped = self.unload(work);
            let mut tasks = Vec::new();
            for place in stopped {
                let mut task = Task::default();
                self.active[place] = work.workload().next(place, &mut task);
                if self.active[place] {
                    tasks.push((place, task));
                }
            }
            self.fill(tasks, work);
        }
        Ok(true)
    }

    /// The same where a device that fails ends every trajectory; the engine knows why.
    pub(crate) fn run_or_give_up(
        &mut self,
        mut work: DeviceWork<'_>,
        cancelled: &dyn Fn() -> bool,
    ) -> bool {
        let error = match self.run(&mut work, cancelled) {
            Ok(completed) => return completed,
            Err(error) => error,
        };
        let (workload, reason) = (work.workload(), error.to_string());
        for place in (0..self.count).filter(|&place| self.active[place]) {
            workload.end(place, Err(reason.clone()));
            while workload.next(place, &mut Task::default()) {
                workload.end(place, Err(reason.clone()));
            }
        }
        let _ = self.shared.failure.set(error);
        true
    }

    /// Launches until many trajectories have stopped; false if it was cancelled.
    fn advance(
        &self,
        memory: &mut dyn DeviceMemory,
        attempts: &mut u32,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<bool, DeviceError> {
        let mut statuses = vec![0.0; self.count];
        loop {
            if cancelled() {
                return Ok(false);
            }
            let began = Instant::now();
            memory.advance(*attempts)?;
            memory.read(Number::Status as usize * self.count, &mut statuses)?;
            let is_running = |status: &&f64| **status == Status::Runs.number();
            let running = statuses.iter().filter(is_running).count();
            let active = self.active.iter().filter(|active| **active).count();
            // how long a launch of trajectories takes that go on is not learnt from those that have stopped
            let most = if 2 * running >= self.count { 4.0 } else { 1.0 };
            let factor = (LAUNCH / began.elapsed().as_secs_f64().max(1e-9)).clamp(0.25, most);
            *attempts = (f64::from(*attempts) * factor).clamp(1.0, 1e6) as u32;
            if running == 0 || (active - running) as f64 >= IDLE_PART * self.count as f64 {
                return Ok(true);
            }
        }
    }

    fn number(&self, at: usize, place: usize) -> f64 {
        self.numbers[at * self.count + place]
    }

    fn set_status(&mut self, place: usize, status: Status) {
        self.numbers[Number::Status as usize * self.count + place] = status.number();
    }

    /// So many numbers of a place, from one on.
    fn list(&self, first: usize, len: usize, place: usize) -> Vec<f64> {
        (first..first + len).map(|at| self.number(at, place)).collect()
    }

    /// Takes what is known of the trajectories that have stopped; the places that wait for others.
    fn unload(&mut self, work: &mut DeviceWork<'_>) -> Vec<usize> {
        let mut free = Vec::new();
        for place in 0..self.count {
            let status = Status::of_number(self.number(Number::Status as usize, place));
            if !self.active[place] {
                continue;
            }
            let ended = self.hand_rows_over(place, work);
            self.numbers[Number::Waiting as usize * self.count + place] = 0.0;
            if !ended && matches!(status, Status::Runs | Status::IsFull) {
                self.set_status(place, Status::Runs);
                continue;
            }
            self.set_status(place, Status::Arrived);
            let outcome = self.outcome(if ended { Status::Arrived } else { status }, place);
            if let DeviceWork::Measures(workload) = work {
                let layout = &self.shared.layout;
                let gathered =
                    self.list(layout.first("GATHERED"), STATISTICS * layout.columns, place);
                let gathered: Vec<Gathered> =
                    gathered.as_chunks().0.iter().map(Gathered::of_numbers).collect();
                let crossings = self.list(layout.first("FIRST_CROSSING"), layout.sections, place);
                workload.measured(place, &gathered, &crossings);
            }
            work.workload().end(place, outcome);
            free.push(place);
        }
        free
    }

    /// Rows and crossings that wait, in their order; whether a crossing ended the trajectory.
    fn hand_rows_over(&self, place: usize, work: &mut DeviceWork<'_>) -> bool {
        let DeviceWork::Rows(workload) = work else { return false };
        let (first, columns) = (self.shared.layout.first("ROWS"), self.shared.layout.columns);
        let waiting = self.number(Number::Waiting as usize, place) as usize;
        let mut ended_at = f64::INFINITY;
        for row in 0..waiting {
            let at = first + row * (columns + 2);
            let [what, t] = [0, 1].map(|i| self.number(at + i, place));
            let columns = self.list(at + 2, columns, place);
            if t >= ended_at {
                continue;
            }
            if what < 0.0 {
                workload.row(place, t, &columns);
                continue;
            }
            let (section, direction) = (what as usize / 4, (what as usize % 4) as i8 - 1);
            if !workload.crossing(place, Crossing { section, direction, time: t }, &columns) {
                ended_at = t;
            }
        }
        ended_at < f64::INFINITY
    }

    /// What became of a trajectory.
    fn outcome(&self, status: Status, place: usize) -> Result<(), String> {
        let at = |number: Number| self.number(number as usize, place);
        let time = at(Number::Time);
        let failure = match status {
            Status::Arrived => None,
            Status::NotFinite => Some(LaneFailure::NotFinite { time }),
            Status::StepTooSmall => Some(LaneFailure::StepTooSmall { time }),
            _ => {
                let steps = (at(Number::Done) + at(Number::Rejected)) as u64;
                Some(LaneFailure::StepLimit { time, steps })
            }
        };
        if let Some(failure) = failure {
            return Err(failure.to_string());
        }
        if !self.shared.checked {
            return Ok(());
        }
        let checks = self.list(self.shared.layout.first("CHECKS"), CHECKS, place);
        let start = [at(Number::Energy), at(Number::Size)];
        let end = [checks[0], checks[1], checks[2], checks[3]];
        wrong_end(self.shared.conservative, start, end).map_or(Ok(()), Err)
    }

    /// Puts tasks into their places; those without a start are told so, and others take their places.
    fn fill(&mut self, mut tasks: Vec<(usize, Task)>, work: &mut DeviceWork<'_>) {
        while !tasks.is_empty() {
            let (places, alone): (Vec<usize>, Vec<Task>) = tasks.drain(..).unzip();
            let packed = pack_all(&mut self.packers, &alone, self.shared);
            for (place, packed) in places.into_iter().zip(packed) {
                match packed {
                    Ok(numbers) => {
                        for (at, number) in numbers.into_iter().enumerate() {
                            self.numbers[at * self.count + place] = number;
                        }
                    }
                    Err(reason) => {
                        work.workload().end(place, Err(reason));
                        let mut task = Task::default();
                        self.active[place] = work.workload().next(place, &mut task);
                        match self.active[place] {
                            true => tasks.push((place, task)),
                            false => self.set_status(place, Status::Arrived),
                        }
                    }
                }
            }
        }
    }
}
