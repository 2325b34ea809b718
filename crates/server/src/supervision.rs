//! One job done by one worker under the limits of time, memory and length, until it ends, fails or is cancelled.

use crate::Limits;
use crate::event::{Event, EventName};
use crate::job::Job;
use crate::reply::{ErrorReply, bytes_in_words, seconds_in_words};
use crate::worker::{NoLine, Worker, WorkerEnd};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How often the memory of a worker is looked at.
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);

/// The most letters of a worker's last words that are passed on.
const MAX_LAST_WORDS: usize = 400;

/// How a job ended.
pub(crate) enum Ending {
    /// The worker replied.
    Done(Event),
    /// Somebody or something cut it off.
    Cut(Cut),
    /// The worker's process ended.
    WorkerEnded(WorkerEnd),
    /// There is no worker.
    NotStarted(std::io::Error),
}

/// What ends a job before its reply.
#[derive(Clone, Copy)]
pub(crate) enum Cut {
    /// The client asked for that, or went away.
    Cancelled,
    /// It ran longer than allowed.
    OutOfTime,
    /// It held more memory than allowed.
    OutOfMemory,
    /// It answered with more than is passed on.
    TooLong,
    /// The worker said what is not of the protocol.
    Garbled,
    /// The worker closed its pipes.
    Silence,
}

/// Has a worker do a job. The worker comes back if it can do another one.
pub(crate) async fn supervise(
    mut worker: Worker,
    job: &Job,
    limits: &Limits,
    run_time: Duration,
) -> (Ending, Option<Worker>) {
    let process = worker.process_id();
    let said = tokio::select! {
        said = converse(&mut worker, job, limits.reply) => said,
        () = job.cancelled() => Err(Cut::Cancelled),
        // a worker that keeps its time itself answers with what it has by then
        () = sleep(run_time + limits.cancel_timeout) => Err(Cut::OutOfTime),
        () = outgrown(process, limits.memory) => Err(Cut::OutOfMemory),
    };
    match said {
        Ok(event) => (Ending::Done(event), Some(worker)),
        Err(cut @ (Cut::Cancelled | Cut::OutOfTime)) => {
            (Ending::Cut(cut), called_off(worker, limits).await)
        }
        Err(Cut::Silence) => (Ending::WorkerEnded(worker.end().await), None),
        Err(cut) => {
            worker.kill().await;
            (Ending::Cut(cut), None)
        }
    }
}

/// Hands the request over and the events on, up to the last one.
async fn converse(worker: &mut Worker, job: &Job, longest: usize) -> Result<Event, Cut> {
    worker.ask(&job.request).await.map_err(|_| Cut::Silence)?;
    loop {
        let line = worker.next_line(longest).await.map_err(|no_line| match no_line {
            NoLine::Ended => Cut::Silence,
            NoLine::TooLong => Cut::TooLong,
        })?;
        let event = Event::from_worker(line.into()).ok_or(Cut::Garbled)?;
        match event.name {
            EventName::Done => return Ok(event),
            // who reads slowly misses some of these
            EventName::Progress => drop(job.events.try_send(event)),
            // a client that has gone cancels the job
            _ => drop(job.events.send(event).await),
        }
    }
}

/// Waits until a process holds more memory than allowed; for ever where the system does not tell.
async fn outgrown(process: Option<u32>, allowed: u64) {
    let Some(process) = process else { return std::future::pending().await };
    loop {
        sleep(MEMORY_INTERVAL).await;
        if crate::memory::resident(process).is_some_and(|memory| memory > allowed) {
            return;
        }
    }
}

/// Asks a worker to end its job, and kills it if it does not.
async fn called_off(mut worker: Worker, limits: &Limits) -> Option<Worker> {
    let ended = async {
        if !worker.cancel().await {
            return false;
        }
        while let Ok(line) = worker.next_line(limits.reply).await {
            match Event::from_worker(line.into()) {
                Some(event) if event.name == EventName::Done => return true,
                Some(_) => {}
                None => return false,
            }
        }
        false
    };
    if timeout(limits.cancel_timeout, ended).await.unwrap_or(false) {
        return Some(worker);
    }
    worker.kill().await;
    None
}

impl Ending {
    /// The last event of the job.
    pub(crate) fn event(self, limits: &Limits, run_time: Duration) -> Event {
        let error = match self {
            Ending::Done(event) => return event,
            Ending::Cut(Cut::Cancelled) => ErrorReply::new("cancelled", "the job was cancelled"),
            Ending::Cut(Cut::OutOfTime) => out_of_time(run_time),
            Ending::Cut(Cut::OutOfMemory) => out_of_memory(limits),
            Ending::Cut(Cut::TooLong) => {
                let longest = bytes_in_words(limits.reply as u64);
                ErrorReply::new("limit", format!("the answer is longer than {longest}"))
                    .help("ask for fewer rows or columns, or use the command line")
            }
            Ending::WorkerEnded(end) if end.is_for_memory() => out_of_memory(limits),
            Ending::WorkerEnded(end) => crashed(&end),
            Ending::Cut(Cut::Garbled | Cut::Silence) => {
                ErrorReply::new("failed", "the worker answered what nobody understands")
                    .help("is the program newer than the server that runs? start it again")
            }
            Ending::NotStarted(error) => {
                ErrorReply::new("failed", format!("no worker could be started: {error}"))
            }
        };
        Event::error(&error)
    }
}

fn out_of_time(run_time: Duration) -> ErrorReply {
    let allowed = seconds_in_words(run_time);
    ErrorReply::new("limit", format!("the job was ended after {allowed}"))
        .help("ask for less, or start the server with a larger `--seconds`")
}

fn out_of_memory(limits: &Limits) -> ErrorReply {
    let allowed = bytes_in_words(limits.memory);
    ErrorReply::new("limit", format!("the job needs more memory than {allowed}"))
        .help("ask for fewer rows or cells, or start the server with a larger `--memory`")
}

fn crashed(end: &WorkerEnd) -> ErrorReply {
    let how = end.status.map_or_else(String::new, |status| format!(" ({status})"));
    let words: String = end.last_words.trim().chars().take(MAX_LAST_WORDS).collect();
    ErrorReply::new("failed", format!("the job ended the process that computed it{how}")).help(
        format!("this is a fault in Catena; a report with the model helps to mend it. {words}")
            .trim_end(),
    )
}
