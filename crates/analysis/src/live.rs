//! Pictures of results that are not complete yet, for whoever looks on.

use crate::Watch;
use catena_figure::Figure;
use std::sync::Mutex;

/// The shortest time between two pictures, s.
const SHORTEST_PAUSE: f64 = 0.1;
/// Pictures take no more than one in so many parts of the time.
const PARTS_FOR_WORK: f64 = 10.0;

/// Somebody who looks at the picture of an answer while it fills: at most ten times a second, and less often where a picture
/// takes long. Results do not depend on whether somebody looks.
pub struct LivePicture<'a> {
    show: &'a (dyn Fn(&Figure) + Sync),
    /// When the next picture is due, by the clock of the watch, s.
    due: Mutex<f64>,
}

impl<'a> LivePicture<'a> {
    /// Hands pictures to a function, one after the other, from any thread.
    pub fn new(show: &'a (dyn Fn(&Figure) + Sync)) -> LivePicture<'a> {
        LivePicture { show, due: Mutex::new(f64::NEG_INFINITY) }
    }
}

/// Told that there is more of a result, with a way to put together what there is.
pub(crate) type Show<'a, R> = dyn Fn(&dyn Fn() -> R) + Sync + 'a;

impl Watch<'_> {
    /// Draws what is known, if somebody looks and it is time to.
    pub(crate) fn draw(&self, figure: impl FnOnce() -> Figure) {
        let Some(picture) = self.picture else { return };
        // while another thread draws, this one goes on
        let Ok(mut due) = picture.due.try_lock() else { return };
        let began = (self.clock)();
        if began < *due {
            return;
        }
        (picture.show)(&figure());
        let ended = (self.clock)();
        *due = ended + SHORTEST_PAUSE.max(PARTS_FOR_WORK * (ended - began));
    }

    /// The same function, if somebody looks.
    pub(crate) fn looked_at<'s, R>(&self, show: &'s Show<'s, R>) -> Option<&'s Show<'s, R>> {
        self.picture.map(|_| show)
    }
}

/// What is known of a result, gathered from all threads.
pub(crate) struct Gathered<'a, T, R> {
    known: Mutex<T>,
    result: &'a (dyn Fn(&T) -> R + Sync),
    show: &'a Show<'a, R>,
}

impl<'a, T, R> Gathered<'a, T, R> {
    /// From what is known at first; `result` puts together what there is then.
    pub(crate) fn new(
        known: T,
        result: &'a (dyn Fn(&T) -> R + Sync),
        show: &'a Show<'a, R>,
    ) -> Gathered<'a, T, R> {
        Gathered { known: Mutex::new(known), result, show }
    }

    /// Takes in what is new, and shows it.
    pub(crate) fn add(&self, change: impl FnOnce(&mut T)) {
        if let Ok(mut known) = self.known.lock() {
            change(&mut known);
        }
        (self.show)(&|| {
            let known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            (self.result)(&known)
        });
    }
}

/// A figure whose panels all show this range, with something to spare, from the first picture on.
pub(crate) fn with_x_range(mut figure: Figure, values: &[f64]) -> Figure {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low < high {
        for panel in figure.panels.iter_mut().filter(|panel| panel.x.range.is_none()) {
            panel.x.range = Some([low, high]);
        }
    }
    figure
}
