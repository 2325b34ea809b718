//! What the server lends to those who ask: time, memory, places to wait. Nobody can take more, whatever is asked.

use std::time::Duration;

/// Bounds of requests, jobs and connections. The defaults serve one person on one machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest body of a request, bytes.
    pub body: usize,
    /// The longest line that a worker may answer with, bytes.
    pub reply: usize,
    /// How long a job may run.
    pub run_time: Duration,
    /// How long a job of the quick lane may run: what is asked while a hand drags or types.
    pub quick_run_time: Duration,
    /// The memory of one job, bytes.
    pub memory: u64,
    /// A worker that holds more than this between two jobs is replaced, bytes.
    pub idle_memory: u64,
    /// Jobs that run at once, without the quick ones.
    pub workers: usize,
    /// Jobs that may wait for a worker, in each lane.
    pub queue: usize,
    /// Connections that are served at once; more wait until one is closed.
    pub connections: usize,
    /// How long a client may take for the head of a request, and how long an unused connection stays open.
    pub head_timeout: Duration,
    /// How long a client may take to send the body of a request.
    pub body_timeout: Duration,
    /// How long a client may read nothing of an answer that is waiting for it.
    pub write_timeout: Duration,
    /// How long a job that was cancelled may take to end by itself before its worker is killed.
    pub cancel_timeout: Duration,
    /// How long a worker without a job is kept.
    pub idle_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            body: 5_000_000,
            reply: 64 << 20,
            run_time: Duration::from_secs(600),
            quick_run_time: Duration::from_secs(20),
            memory: 1 << 30,
            idle_memory: 256 << 20,
            workers: cores,
            queue: 32,
            connections: 256,
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            cancel_timeout: Duration::from_secs(1),
            idle_time: Duration::from_secs(180),
        }
    }
}
