//! Long work: a progress that Python is told, and Ctrl-C, which only the thread that called can see.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often Python is asked whether to go on, and told how far the work is.
const PERIOD: Duration = Duration::from_millis(50);

/// While calls come faster than this, not each of them looks at the clock, which takes as long as a short step ...
const SHORT_STEP: Duration = Duration::from_micros(100);
/// ... but one of so many.
const MOST_CALLS_UNSEEN: u32 = 31;

/// Asks Python now and then whether work on the thread that called is to go on.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    asked: Instant,
    looked: Instant,
    /// Calls between two looks at the clock, and how many of them are left.
    unseen: u32,
    left: u32,
    /// Why the work ends, if it does.
    ended: Option<PyErr>,
}

impl Watch {
    /// `progress` is called with the part of the work that is done, from 0 to 1.
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Watch {
        let now = Instant::now();
        Watch { progress, asked: now, looked: now, unseen: 0, left: 0, ended: None }
    }

    /// Whether the work is to end.
    pub(crate) fn step(&mut self, part: f64) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return self.ended.is_some();
        }
        let now = Instant::now();
        let is_quick = now - self.looked < SHORT_STEP * (self.unseen + 1);
        self.unseen = if is_quick { (2 * self.unseen + 1).min(MOST_CALLS_UNSEEN) } else { 0 };
        (self.looked, self.left) = (now, self.unseen);
        if self.ended.is_none() && now - self.asked >= PERIOD {
            self.asked = now;
            self.ended = Python::attach(|py| told(py, self.progress.as_ref(), part)).err();
        }
        self.ended.is_some()
    }

    /// What Python raised in the meantime.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.ended.map_or(Ok(()), Err)
    }
}

/// Tells Python how far the work is; an error ends the work.
fn told(py: Python<'_>, progress: Option<&Py<PyAny>>, part: f64) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(py, (part,))?;
    }
    Ok(())
}

/// Does work on a thread of its own, which asks `stop` with the part that is done, while the thread that called looks
/// after Python.
pub(crate) fn beside<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&(dyn Fn(f64) -> bool + Sync)) -> T + Send,
) -> PyResult<T> {
    let is_over = AtomicBool::new(false);
    let part_done = AtomicU64::new(0);
    let stop = |part: f64| {
        part_done.store(part.to_bits(), Ordering::Relaxed);
        is_over.load(Ordering::Relaxed)
    };
    let mut ended = Ok(());
    let result = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            let stop = &stop;
            let worker = scope.spawn(move || {
                let result = work(stop);
                // the other side waits until something comes
                let _ = send.send(());
                result
            });
            while let Err(RecvTimeoutError::Timeout) = receive.recv_timeout(PERIOD) {
                let part = f64::from_bits(part_done.load(Ordering::Relaxed));
                if ended.is_ok() {
                    ended = Python::attach(|py| told(py, progress.as_ref(), part));
                }
                is_over.store(ended.is_err(), Ordering::Relaxed);
            }
            worker.join()
        })
    });
    ended?;
    // a panic is passed on as one, which Python sees as an exception
    Ok(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}
