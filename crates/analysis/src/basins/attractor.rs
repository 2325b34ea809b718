//! Attractors as sets of states of the section, and whether a motion has come to one.

use crate::classification::PhaseSpace;

/// The largest distance, relative to the scales, at which a motion counts as having come to a periodic orbit.
const MAX_ORBIT_DISTANCE: f64 = 0.02;
/// The same as a part of the distance to the nearest other orbit.
const PART_OF_SEPARATION: f64 = 0.2;
/// States in succession that must be near those of an orbit.
const MIN_HITS: usize = 4;
/// Two orbits that settled are the same one where they are nearer than this.
const SAME_ORBIT_DISTANCE: f64 = 2e-3;
/// States of a motion that are compared with those of an attractor that never repeats.
const COMPARED_STATES: usize = 48;
/// How much farther apart than its own states those of a motion on an attractor may be, on the median.
const MAX_MEDIAN_RATIO: f64 = 3.0;

/// Where motions end: states of the section.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attractor {
    /// The states, one after the other, in the order in which an orbit visits them.
    pub(crate) states: Vec<f64>,
    /// Whether they repeat in this order.
    pub(crate) is_periodic: bool,
    /// Whole turns of each coordinate while it visits all of them; zeros where they do not repeat.
    pub(crate) turns: Vec<i64>,
    /// The cell whose motion came to it first.
    pub(crate) first_cell: usize,
    /// The largest distance of a motion that has come to it.
    reach: f64,
}

/// Attractors that are known, with the scales on which they are told apart.
#[derive(Clone, Debug)]
pub(crate) struct Attractors {
    pub(crate) space: PhaseSpace,
    pub(crate) scales: Vec<f64>,
    pub(crate) list: Vec<Attractor>,
}

impl Attractors {
    pub(crate) fn new(space: PhaseSpace, scales: Vec<f64>) -> Attractors {
        Attractors { space, scales, list: Vec::new() }
    }

    fn distance(&self, one: &[f64], other: &[f64]) -> f64 {
        self.space.distance(&self.scales, one, other)
    }

    fn states<'a>(&self, states: &'a [f64]) -> std::slice::ChunksExact<'a, f64> {
        states.chunks_exact(self.space.len())
    }

    /// The distance of a state from the nearest of some.
    fn nearest(&self, state: &[f64], among: &[f64]) -> f64 {
        self.states(among).map(|other| self.distance(state, other)).fold(f64::INFINITY, f64::min)
    }

    /// The attractor that a motion has come to, from its last states of the section.
    pub(crate) fn reached(&self, section: &[f64]) -> Option<usize> {
        (0..self.list.len()).find(|&at| match self.list[at].is_periodic {
            true => self.follows(&self.list[at], section),
            false => self.belongs(&self.list[at].states, section),
        })
    }

    /// Whether the last states follow an orbit in its order.
    fn follows(&self, orbit: &Attractor, section: &[f64]) -> bool {
        let (size, count) = (self.space.len(), section.len() / self.space.len());
        let multiple = orbit.states.len() / size;
        let hits = MIN_HITS.max(multiple);
        if count < hits {
            return false;
        }
        let state = |at: usize| &section[at * size..(at + 1) * size];
        let point = |at: usize| &orbit.states[at * size..(at + 1) * size];
        (0..multiple).any(|phase| {
            (0..hits).all(|back| {
                let place = (phase + (multiple - 1) * back) % multiple;
                self.distance(state(count - 1 - back), point(place)) <= orbit.reach
            })
        })
    }

    /// Whether the last states lie among those of an attractor that never repeats.
    fn belongs(&self, cloud: &[f64], section: &[f64]) -> bool {
        let count = section.len() / self.space.len();
        if count < COMPARED_STATES {
            return false;
        }
        let last = &section[(count - COMPARED_STATES) * self.space.len()..];
        let from_cloud = self.states(last).map(|state| self.nearest(state, cloud)).collect();
        median(from_cloud) <= MAX_MEDIAN_RATIO * self.spacing(cloud)
    }

    /// The median distance of a state of a cloud from the nearest other one.
    fn spacing(&self, cloud: &[f64]) -> f64 {
        let all: Vec<&[f64]> = self.states(cloud).collect();
        let step = (all.len() / COMPARED_STATES).max(1);
        let nearest = |at: usize| {
            let others = (0..all.len()).filter(|other| *other != at);
            others.map(|other| self.distance(all[at], all[other])).fold(f64::INFINITY, f64::min)
        };
        median((0..all.len()).step_by(step).map(nearest).collect())
    }

    /// Adds where a motion ended unless it is known: its number either way.
    pub(crate) fn add(&mut self, cell: usize, end: End) -> usize {
        let known = (0..self.list.len()).find(|&at| {
            let attractor = &self.list[at];
            match (attractor.is_periodic, end.is_periodic) {
                (true, true) => {
                    let first = &end.states[..self.space.len()];
                    attractor.states.len() == end.states.len()
                        && self.nearest(first, &attractor.states) <= SAME_ORBIT_DISTANCE
                }
                (false, false) => {
                    self.belongs(&attractor.states, &end.states)
                        || self.belongs(&end.states, &attractor.states)
                }
                _ => false,
            }
        });
        known.unwrap_or_else(|| {
            let End { states, is_periodic, turns } = end;
            let first_cell = cell;
            self.list.push(Attractor { states, is_periodic, turns, first_cell, reach: 0.0 });
            self.separate();
            self.list.len() - 1
        })
    }

    /// How near a motion must come follows from how far attractors are apart.
    fn separate(&mut self) {
        for at in 0..self.list.len() {
            let own = &self.list[at];
            let others = self.list.iter().enumerate().filter(|(other, _)| *other != at);
            let distance = |states: &[f64]| {
                let nearest = self.states(&own.states).map(|state| self.nearest(state, states));
                nearest.fold(f64::INFINITY, f64::min)
            };
            let separation =
                others.map(|(_, other)| distance(&other.states)).fold(f64::INFINITY, f64::min);
            let reach = (PART_OF_SEPARATION * separation).min(MAX_ORBIT_DISTANCE);
            self.list[at].reach = reach.max(SAME_ORBIT_DISTANCE);
        }
    }
}

/// Where a motion ended that has come to no known attractor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct End {
    /// States of the section: an orbit, or the last ones of a motion that never repeats.
    pub(crate) states: Vec<f64>,
    pub(crate) is_periodic: bool,
    pub(crate) turns: Vec<i64>,
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn attractors() -> Attractors {
        Attractors::new(PhaseSpace { is_angle: vec![true], states: 0 }, vec![1.0, 1.0])
    }

    fn orbit(states: &[f64]) -> End {
        End { states: states.to_vec(), is_periodic: true, turns: vec![0] }
    }

    #[test]
    fn orbits_are_known_again_at_any_phase_and_on_the_circle() {
        let mut known = attractors();
        assert_eq!(known.add(3, orbit(&[0.1, 1.0, 0.5, -1.0])), 0);
        assert_eq!(known.add(4, orbit(&[0.5 + TAU, -1.0, 0.1 - TAU, 1.0])), 0);
        assert_eq!(known.add(5, orbit(&[-0.1, -1.0, -0.5, 1.0])), 1, "its mirror image is another");
        let section = [9.0, 9.0, 0.1, 1.0, 0.501, -1.0, 0.1, 1.0, 0.5 + TAU, -1.001];
        assert_eq!(known.reached(&section), Some(0));
        let reversed = [0.1, 1.0, 0.1, 1.0, 0.1, 1.0, 0.5, -1.0];
        assert_eq!(known.reached(&reversed), None, "not in its order");
        assert_eq!(known.reached(&section[..6]), None, "too few states");
    }

    #[test]
    fn close_orbits_are_told_apart_by_coming_closer() {
        let mut known = attractors();
        known.add(0, orbit(&[0.0, 0.0]));
        known.add(1, orbit(&[0.03, 0.0]));
        let at = |x: f64| [x, 0.0].repeat(MIN_HITS);
        assert_eq!(known.reached(&at(0.015)), None);
        assert_eq!(known.reached(&at(0.004)), Some(0));
        assert_eq!(known.reached(&at(0.026)), Some(1));
    }

    #[test]
    fn clouds_are_known_by_their_neighbours() {
        let ring = |phase: f64, radius: f64| -> Vec<f64> {
            let point = |n: usize| radius * (phase + 2.399_963 * n as f64).cos();
            let other = |n: usize| radius * (phase + 2.399_963 * n as f64).sin();
            (0..200).flat_map(|n| [point(n), other(n)]).collect()
        };
        let cloud = |states: Vec<f64>| End { states, is_periodic: false, turns: vec![0] };
        let mut known = attractors();
        assert_eq!(known.add(0, cloud(ring(0.0, 1.0))), 0);
        assert_eq!(known.add(1, cloud(ring(0.7, 1.0))), 0);
        assert_eq!(known.add(2, cloud(ring(0.7, 0.6))), 1);
        assert_eq!(known.reached(&ring(0.2, 0.6)), Some(1));
        assert_eq!(known.reached(&ring(0.2, 0.8)), None);
    }
}
