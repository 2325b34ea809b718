//! A crew: a lane of jobs and the workers that do them. A worker does one job at a time, is kept warm for the next one, and is
//! replaced when it has failed, grown or not been needed for long.

use crate::Limits;
use crate::event::Event;
use crate::job::Job;
use crate::lane::{Full, Lane, Turn};
use crate::supervision::{Cut, Ending, supervise};
use crate::worker::{Worker, WorkerCommand};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The name of a job's work that stays quick: dragging and typing wait for it. Everything else goes to the other crew.
const QUICK_WORK: [&str; 3] = ["catalogue", "model", "pose"];

/// Both crews: work of moments never waits behind work of minutes.
pub(crate) struct Crews {
    quick: Arc<Crew>,
    long: Arc<Crew>,
}

impl Crews {
    pub(crate) fn new(command: &WorkerCommand, limits: &Arc<Limits>) -> Crews {
        let crew = |places, run_time, threads| Crew {
            lane: Lane::new(places, limits.queue),
            idle: Mutex::default(),
            run_time,
            command: command.limited(limits, run_time, threads),
            limits: Arc::clone(limits),
        };
        Crews {
            quick: Arc::new(crew(1, limits.quick_run_time.min(limits.run_time), 1)),
            long: Arc::new(crew(limits.workers, limits.run_time, limits.workers)),
        }
    }

    /// The crew for what a request wants done.
    pub(crate) fn for_work(&self, work: &str) -> &Arc<Crew> {
        if QUICK_WORK.contains(&work) { &self.quick } else { &self.long }
    }

    /// Ends workers that have not been needed for long; never returns.
    pub(crate) async fn dismiss_idle(&self, idle_time: Duration) {
        loop {
            tokio::time::sleep(idle_time / 4).await;
            for crew in [&self.quick, &self.long] {
                for worker in crew.idle_longer_than(idle_time) {
                    worker.kill().await;
                }
            }
        }
    }
}

pub(crate) struct Crew {
    lane: Lane,
    idle: Mutex<Vec<(Worker, Instant)>>,
    run_time: Duration,
    command: WorkerCommand,
    limits: Arc<Limits>,
}

impl Crew {
    /// A place in the queue of this crew.
    pub(crate) fn enter(&self) -> Result<Turn, Full> {
        self.lane.enter()
    }

    /// Waits for the turn of a job, has a worker do it, and tells its events up to the last one.
    pub(crate) async fn see_through(&self, mut turn: Turn, job: Job) {
        let ending = self.attempt(&mut turn, &job).await;
        // the place is free before a client that reads slowly has taken the reply
        drop(turn);
        tokio::select! {
            // who has gone does not hear the end
            _ = job.events.send(ending.event(&self.limits, self.run_time)) => {}
            () = job.events.closed() => {}
        }
    }

    async fn attempt(&self, turn: &mut Turn, job: &Job) -> Ending {
        loop {
            let position = turn.position();
            if position == 0 {
                break;
            }
            // who reads slowly misses some positions
            let _ = job.events.try_send(Event::queued(position));
            tokio::select! {
                () = turn.moved() => {}
                () = job.cancelled() => return Ending::Cut(Cut::Cancelled),
            }
        }
        match self.take() {
            Ok(worker) => {
                let (ending, worker) = supervise(worker, job, &self.limits, self.run_time).await;
                if let Some(worker) = worker {
                    self.keep(worker).await;
                }
                ending
            }
            Err(error) => Ending::NotStarted(error),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(Worker, Instant)>> {
        self.idle.lock().expect("nobody panics with the idle workers")
    }

    fn take(&self) -> std::io::Result<Worker> {
        while let Some((mut worker, _)) = self.idle().pop() {
            if worker.is_fit() {
                return Ok(worker);
            }
        }
        Worker::start(&self.command)
    }

    /// Keeps a worker for the next job, unless the last one has left too much in it.
    async fn keep(&self, worker: Worker) {
        if worker.memory().is_some_and(|memory| memory > self.limits.idle_memory) {
            worker.kill().await;
        } else {
            self.idle().push((worker, Instant::now()));
        }
    }

    fn idle_longer_than(&self, time: Duration) -> Vec<Worker> {
        let mut idle = self.idle();
        let (leaving, staying) =
            std::mem::take(&mut *idle).into_iter().partition(|(_, since)| since.elapsed() >= time);
        *idle = staying;
        let leaving: Vec<(Worker, Instant)> = leaving;
        leaving.into_iter().map(|(worker, _)| worker).collect()
    }
}
