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
    /// The client asked for that, or went away.
    Cancelled,
    /// It ran longer than allowed.
    OutOfTime,
    /// It held more memory than allowed.
    OutOfMemory,
    /// It answered with more than is passed on.
    TooLong,
    /// The worker's process ended.
    WorkerEnded(WorkerEnd),
    /// The worker said what is not of the protocol.
    Garbled,
    /// There is no worker.
    NotStarted(std::io::Error),
}

/// Has a worker do a job. The worker comes back if it can do another one.
pub(crate) async fn supervise(
    mut worker: Worker,
    job: &Job,
    limits: &Limits,
    run_time: Duration,
) -> (Ending, Option<Worker>) {
    let process = worker.process_id();
    let ending = tokio::select! {
        ending = converse(&mut worker, job, limits.reply) => ending,
        () = job.cancelled() => Conversation::Cancelled,
        () = sleep(run_time) => Conversation::OutOfTime,
        () = outgrown(process, limits.memory) => Conversation::OutOfMemory,
    };
    match ending {
        Conversation::Done(event) => (Ending::Done(event), Some(worker)),
        Conversation::Cancelled => (Ending::Cancelled, called_off(worker, limits).await),
        Conversation::OutOfTime => (Ending::OutOfTime, called_off(worker, limits).await),
        Conversation::OutOfMemory => {
            worker.kill().await;
            (Ending::OutOfMemory, None)
        }
        Conversation::TooLong => {
            worker.kill().await;
            (Ending::TooLong, None)
        }
        Conversation::Garbled => {
            worker.kill().await;
            (Ending::Garbled, None)
        }
        Conversation::WorkerEnded => (Ending::WorkerEnded(worker.end().await), None),
    }
}

/// How the exchange with a worker came to its end.
enum Conversation {
    Done(Event),
    Cancelled,
    OutOfTime,
    OutOfMemory,
    TooLong,
    Garbled,
    WorkerEnded,
}

/// Hands the request over and the events on, up to the last one.
async fn converse(worker: &mut Worker, job: &Job, longest: usize) -> Conversation {
    if worker.ask(&job.request).await.is_err() {
        return Conversation::WorkerEnded;
    }
    loop {
        let line = match worker.next_line(longest).await {
            Ok(line) => line,
            Err(NoLine::Ended) => return Conversation::WorkerEnded,
            Err(NoLine::TooLong) => return Conversation::TooLong,
        };
        let Some(event) = Event::from_worker(line.into()) else { return Conversation::Garbled };
        match event.name {
            EventName::Done => return Conversation::Done(event),
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
            Ending::Cancelled => ErrorReply::cancelled(),
            Ending::OutOfTime => out_of_time(run_time),
            Ending::OutOfMemory => out_of_memory(limits),
            Ending::TooLong => {
                let longest = bytes_in_words(limits.reply as u64);
                ErrorReply::new("limit", format!("the answer is longer than {longest}"))
                    .help("ask for fewer rows or columns, or use the command line")
            }
            Ending::WorkerEnded(end) if end.is_for_memory() => out_of_memory(limits),
            Ending::WorkerEnded(end) => crashed(&end),
            Ending::Garbled => {
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
