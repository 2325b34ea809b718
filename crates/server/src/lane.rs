//! A lane: some places to work, a bounded queue in front of them, and everybody in it knows the position.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::watch;

/// Cheap to clone: all clones are one lane.
#[derive(Clone)]
pub(crate) struct Lane {
    state: Arc<Mutex<LaneState>>,
    longest_queue: usize,
}

struct LaneState {
    free_places: usize,
    waiting: VecDeque<Waiting>,
    next_ticket: u64,
}

struct Waiting {
    ticket: u64,
    /// Jobs in front of it and itself; 0 once it may work.
    position: watch::Sender<usize>,
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// The position that the job would have had.
    pub(crate) position: usize,
}

/// A place in the queue and then a place to work; given back when dropped.
pub(crate) struct Turn {
    lane: Lane,
    ticket: u64,
    position: watch::Receiver<usize>,
}

impl Lane {
    pub(crate) fn new(places: usize, longest_queue: usize) -> Lane {
        let state = LaneState { free_places: places, waiting: VecDeque::new(), next_ticket: 0 };
        Lane { state: Arc::new(Mutex::new(state)), longest_queue }
    }

    fn lock(&self) -> MutexGuard<'_, LaneState> {
        self.state.lock().expect("nobody panics with the queue")
    }

    /// Takes a place to work if one is free, or the last position of the queue.
    pub(crate) fn enter(&self) -> Result<Turn, Full> {
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        let position = if state.free_places > 0 {
            state.free_places -= 1;
            0
        } else {
            state.waiting.len() + 1
        };
        if position > self.longest_queue {
            return Err(Full { position });
        }
        let (sender, receiver) = watch::channel(position);
        if position > 0 {
            state.waiting.push_back(Waiting { ticket, position: sender });
        }
        Ok(Turn { lane: self.clone(), ticket, position: receiver })
    }
}

impl LaneState {
    fn tell_positions(&mut self) {
        for (at, waiting) in self.waiting.iter().enumerate() {
            waiting.position.send_if_modified(|position| {
                let moved = *position != at + 1;
                *position = at + 1;
                moved
            });
        }
    }
}

impl Turn {
    /// The position now; 0 when it is time to work.
    pub(crate) fn position(&mut self) -> usize {
        *self.position.borrow_and_update()
    }

    /// Waits until the position is another one.
    pub(crate) async fn moved(&mut self) {
        if self.position.changed().await.is_err() {
            // nobody is left to tell: only one that may work already can get here
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.lane.lock();
        let place = state.waiting.iter().position(|waiting| waiting.ticket == self.ticket);
        if let Some(place) = place {
            state.waiting.remove(place);
        } else if let Some(next) = state.waiting.pop_front() {
            next.position.send_replace(0);
        } else {
            state.free_places += 1;
        }
        state.tell_positions();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_work_in_the_order_in_which_they_came() {
        let lane = Lane::new(1, 3);
        let mut turns: Vec<Turn> = (0..4).map(|_| lane.enter().expect("a place")).collect();
        assert_eq!(lane.enter().err(), Some(Full { position: 4 }));
        let positions =
            |turns: &mut [Turn]| turns.iter_mut().map(Turn::position).collect::<Vec<_>>();
        assert_eq!(positions(&mut turns), [0, 1, 2, 3]);
        turns.remove(0);
        assert_eq!(positions(&mut turns), [0, 1, 2]);
        // one that gives up lets the others move up
        turns.remove(1);
        assert_eq!(positions(&mut turns), [0, 1]);
        turns.clear();
        assert_eq!(lane.enter().expect("a place").position(), 0);
    }

    #[test]
    fn a_lane_without_a_queue_has_its_places_all_the_same() {
        let lane = Lane::new(2, 0);
        let first = lane.enter().expect("a place");
        let _second = lane.enter().expect("a place");
        assert_eq!(lane.enter().err(), Some(Full { position: 1 }));
        drop(first);
        assert!(lane.enter().is_ok());
    }
}
