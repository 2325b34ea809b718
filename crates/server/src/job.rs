//! Jobs that wait or run, by their identifiers: who knows one can cancel it.

use crate::event::Event;
use crate::token;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::{mpsc, watch};

/// Events that may wait for a client; then the worker waits, too.
const WAITING_EVENTS: usize = 8;

/// A job as its supervisor sees it.
pub(crate) struct Job {
    pub(crate) id: String,
    /// The request, one line of JSON.
    pub(crate) request: Vec<u8>,
    pub(crate) events: mpsc::Sender<Event>,
    jobs: Jobs,
    cancelled: watch::Receiver<bool>,
}

/// All jobs that have not ended.
#[derive(Clone, Default)]
pub(crate) struct Jobs {
    cancels: Arc<Mutex<HashMap<String, watch::Sender<bool>>>>,
}

impl Jobs {
    /// A new job, and where its events come out.
    pub(crate) fn add(
        &self,
        request: Vec<u8>,
    ) -> Result<(Job, mpsc::Receiver<Event>), getrandom::Error> {
        let id = token::random()?;
        let (cancel, cancelled) = watch::channel(false);
        let (events, receiver) = mpsc::channel(WAITING_EVENTS);
        self.cancels.lock().expect("nobody panics with it").insert(id.clone(), cancel);
        Ok((Job { id, request, events, jobs: self.clone(), cancelled }, receiver))
    }

    /// Cancels a job; false if none of this name waits or runs.
    pub(crate) fn cancel(&self, id: &str) -> bool {
        let cancels = self.cancels.lock().expect("nobody panics with it");
        cancels.get(id).is_some_and(|cancel| cancel.send(true).is_ok())
    }
}

impl Job {
    /// Waits until the job is cancelled, or nobody is left who would hear of it.
    pub(crate) async fn cancelled(&self) {
        let mut cancelled = self.cancelled.clone();
        tokio::select! {
            _ = cancelled.wait_for(|cancelled| *cancelled) => {}
            () = self.events.closed() => {}
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.jobs.cancels.lock().expect("nobody panics with it").remove(&self.id);
    }
}
