//! What a carrier brings: a clock, an end, somebody who is told, and bounds.

use serde_json::Value;

/// What is told on the way to a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// This part of the work is done, from 0 to 1.
    Progress(f64),
    /// Something that is known before the rest.
    Part(Value),
}

/// How large things may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a model's text.
    pub model_bytes: usize,
    /// Rows of a run, times its columns.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { model_bytes: 1 << 20, values: 4_000_000 }
    }
}

/// The world outside, as a request sees it.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// Seconds since some fixed moment.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// Whether the work is to end.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Takes what is known on the way.
    pub tell: &'a (dyn Fn(Event) + Sync),
    /// How many threads may compute.
    pub threads: usize,
    /// How large things may become.
    pub limits: Limits,
}

impl Host<'_> {
    /// Nobody looks and nobody waits.
    pub const ALONE: Host<'static> = Host {
        clock: &|| 0.0,
        stop: &|| false,
        tell: &|_| {},
        threads: 1,
        limits: Limits { model_bytes: 1 << 20, values: 4_000_000 },
    };

    /// Told which part of the work is done; whether it is to end there.
    pub(crate) fn step(&self, part: f64) -> bool {
        (self.tell)(Event::Progress(part));
        (self.stop)()
    }
}
