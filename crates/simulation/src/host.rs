//! What a run is given of the world outside: the core itself touches no clock, file or thread.

use crate::Run;

/// Takes rows, each in the order of the columns.
pub type RowSink<'a> = &'a mut dyn FnMut(&[f64]);

/// Takes events: the number in the model, the sign of the crossing and the row there; `false` ends the run there.
pub type EventSink<'a> = &'a mut dyn FnMut(usize, i8, &[f64]) -> bool;

/// What a run is given of the world outside.
pub struct Host<'a> {
    /// Seconds since some fixed moment.
    pub clock: &'a mut dyn FnMut() -> f64,
    /// Told after every step which part of the work is done, from 0 to 1; `true` ends the run.
    pub cancelled: &'a mut dyn FnMut(f64) -> bool,
    /// Takes every row as it is made, in the place of the table, which then stays empty: for runs too long to keep.
    pub rows: Option<RowSink<'a>>,
    /// Takes every event as it is found, in the place of the table of events: for runs with too many to keep, and for
    /// those that end at one of them.
    pub events: Option<EventSink<'a>>,
    /// Told what the run found before its error is known: estimating it takes several times as long. A run without an
    /// estimate is told here too.
    pub first: Option<&'a mut dyn FnMut(&Run)>,
}

impl<'a> Host<'a> {
    /// A host that keeps rows in the table.
    pub fn new(
        clock: &'a mut dyn FnMut() -> f64,
        cancelled: &'a mut dyn FnMut(f64) -> bool,
    ) -> Host<'a> {
        Host { clock, cancelled, rows: None, events: None, first: None }
    }
}
