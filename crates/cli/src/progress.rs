//! How far a long job has come, on a terminal; and whether a signal ends it, which keeps what it has.

use crate::signals;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Jobs shorter than this show nothing.
const SHOW_AFTER: Duration = Duration::from_millis(500);
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);
/// The clock is read once in this many calls: steps may take less than a microsecond.
const CALLS_PER_CLOCK_READING: u32 = 256;
/// Characters of the bar.
const BAR_WIDTH: usize = 30;

/// A bar on standard error.
pub(crate) struct Progress {
    visible: bool,
    began: Instant,
    shown: Option<Instant>,
    calls: u32,
    /// Whether the job has asked whether it is to end, and signals are left to it since.
    asked: bool,
    interrupted: bool,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        let visible = std::io::stderr().is_terminal();
        let began = Instant::now();
        Progress { visible, began, shown: None, calls: 0, asked: false, interrupted: false }
    }

    /// Whether the job was told to end.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.interrupted
    }

    fn is_to_end(&mut self) -> bool {
        if !self.asked {
            signals::catch();
            self.asked = true;
        }
        self.interrupted |= signals::received();
        self.interrupted
    }

    /// Told which part of the job is done; answers whether it is to end.
    pub(crate) fn step(&mut self, done: f64) -> bool {
        self.calls = self.calls.wrapping_add(1);
        if self.visible && self.calls.is_multiple_of(CALLS_PER_CLOCK_READING) {
            let elapsed = self.began.elapsed().as_secs_f64();
            return self.tell(done, &|| match done {
                0.0 => String::new(),
                done => format!("{:.0} s left", elapsed * (1.0 - done) / done),
            });
        }
        self.is_to_end()
    }

    /// The same for a job that calls rarely and has its own words for what is left.
    pub(crate) fn tell(&mut self, done: f64, words: &dyn Fn() -> String) -> bool {
        let since = self.shown.map_or(self.began + SHOW_AFTER, |shown| shown + REFRESH_INTERVAL);
        if self.visible && Instant::now() >= since {
            self.show(done.clamp(0.0, 1.0), &words());
        }
        self.is_to_end()
    }

    fn show(&mut self, done: f64, words: &str) {
        let full = (done * BAR_WIDTH as f64) as usize;
        let (bar, rest) = ("█".repeat(full), "░".repeat(BAR_WIDTH - full));
        let mut stderr = std::io::stderr();
        // a terminal that went away is no reason to stop
        let _ = write!(stderr, "\r{bar}{rest} {:3.0} %  {words}\x1b[K", done * 100.0);
        let _ = stderr.flush();
        self.shown = Some(Instant::now());
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
