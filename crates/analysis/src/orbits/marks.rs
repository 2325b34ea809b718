//! Jumps from one value to the next, and orbits that coexist.

use super::point_sets::distance;
use super::{Orbit, OrbitBranch};

/// Periodic orbits of neighbouring values that are farther apart than this part of the diagram's height may be two.
const MIN_JUMP: f64 = 0.05;
/// The same where an orbit is not periodic: its points are a sample.
const MIN_JUMP_OF_CHAOS: f64 = 0.2;
/// How many times farther than usual hereabouts they must be.
const JUMP_TO_USUAL: f64 = 6.0;
/// Values on either side that tell what is usual.
const NEIGHBOURS: usize = 6;
/// Periodic orbits of two branches that are farther apart than this part of the diagram's height are two.
const MIN_COEXISTENCE: f64 = 0.02;
/// An orbit whose two halves come closer to each other, while it is looked at, by more than this part is still on its way
/// to one that repeats twice as soon: next to a period doubling that takes long.
const SETTLED_ALTERNATION: f64 = 0.01;

/// Marks jumps along branches and orbits that differ between them.
pub(super) fn mark(branches: &mut [OrbitBranch], on_circle: bool) {
    let all = || branches.iter().flat_map(|branch| &branch.orbits).flat_map(|it| &it.points);
    let low = all().copied().fold(f64::INFINITY, f64::min);
    let high = all().copied().fold(f64::NEG_INFINITY, f64::max);
    let height = high - low;
    let sets: Vec<Vec<Vec<f64>>> =
        branches.iter().map(|branch| branch.orbits.iter().map(sorted).collect()).collect();
    for (branch, sets) in branches.iter_mut().zip(&sets) {
        mark_jumps(&mut branch.orbits, sets, height, on_circle);
    }
    for second in 1..branches.len() {
        for first in 0..second {
            let count = branches[first].orbits.len().min(branches[second].orbits.len());
            for at in 0..count {
                let pair = [&branches[first].orbits[at], &branches[second].orbits[at]];
                let apart = distance(&sets[first][at], &sets[second][at], on_circle);
                let settled = pair.iter().all(|orbit| !is_settling(orbit, on_circle));
                let are_two = apart > least(pair, MIN_COEXISTENCE) * height;
                if pair[0].value == pair[1].value && settled && are_two {
                    branches[first].orbits[at].coexists = true;
                    branches[second].orbits[at].coexists = true;
                }
            }
        }
    }
}

/// Whether an orbit that repeats after 2m points is becoming one that repeats after m.
fn is_settling(orbit: &Orbit, on_circle: bool) -> bool {
    let points = &orbit.points;
    let even = orbit.multiple.filter(|multiple| multiple % 2 == 0);
    let Some(whole) = even.map(|multiple| multiple as usize) else { return false };
    let half = whole / 2;
    if points.len() < 2 * whole {
        return false;
    }
    let alternation = |points: &[f64]| -> f64 {
        let pairs = points[..half].iter().zip(&points[half..whole]);
        pairs.map(|(a, b)| distance(&[*a], &[*b], on_circle)).sum()
    };
    let (first, last) = (alternation(points), alternation(&points[points.len() - whole..]));
    last < (1.0 - SETTLED_ALTERNATION) * first
}

fn sorted(orbit: &Orbit) -> Vec<f64> {
    let mut points = orbit.points.clone();
    points.sort_by(f64::total_cmp);
    points
}

/// How far two orbits must be apart to be two, as a part of the height.
fn least(pair: [&Orbit; 2], of_periodic: f64) -> f64 {
    match pair.iter().all(|orbit| orbit.multiple.is_some()) {
        true => of_periodic,
        false => MIN_JUMP_OF_CHAOS,
    }
}

fn mark_jumps(orbits: &mut [Orbit], sets: &[Vec<f64>], height: f64, on_circle: bool) {
    let steps: Vec<f64> =
        sets.windows(2).map(|pair| distance(&pair[0], &pair[1], on_circle)).collect();
    for at in 0..steps.len() {
        let from = at.saturating_sub(NEIGHBOURS);
        let mut near: Vec<f64> = (from..steps.len().min(at + NEIGHBOURS + 1))
            .filter(|other| *other != at && steps[*other].is_finite())
            .map(|other| steps[other])
            .collect();
        near.sort_by(f64::total_cmp);
        let usual = near.get(near.len() / 2).copied().unwrap_or(0.0);
        let pair = [&orbits[at], &orbits[at + 1]];
        let far = steps[at] > least(pair, MIN_JUMP) * height;
        orbits[at + 1].jump = far && steps[at] > JUMP_TO_USUAL * usual;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Branch;

    fn orbit(value: f64, points: Vec<f64>) -> Orbit {
        Orbit {
            value,
            multiple: Some(points.len() as u64),
            points,
            jump: false,
            coexists: false,
            state: Vec::new(),
            time: 0.0,
            shortest_return: 1.0,
            failure: None,
        }
    }

    #[test]
    fn an_alternation_that_dies_out_is_no_other_orbit() {
        let dying = |size: f64, rate: f64| {
            let at = |k: i32| size * rate.powi(k) * if k % 2 == 0 { 1.0 } else { -1.0 };
            let points = (0..40).map(at).collect();
            Orbit { multiple: Some(2), ..orbit(1.0, points) }
        };
        let marked = |rate: f64| {
            let both = [(Branch::Up, 0.1), (Branch::Down, 0.5)];
            let mut branches = both.map(|(branch, size)| {
                let orbits = vec![orbit(0.0, vec![0.0]), dying(size, rate), orbit(2.0, vec![1.0])];
                OrbitBranch { branch, orbits }
            });
            mark(&mut branches, false);
            branches[0].orbits[1].coexists
        };
        assert!(marked(1.0));
        assert!(!marked(0.998));
    }

    /// Up stays on the lower branch until 6, down on the upper one until 3: a loop of hysteresis.
    #[test]
    fn jumps_and_coexisting_orbits_of_a_hysteresis_are_marked() {
        let branch = |branch, jump: usize| {
            let at = |it: usize| it as f64 * 0.01 + if it >= jump { 1.0 } else { 0.0 };
            let orbits = (0..10).map(|it| orbit(it as f64, vec![at(it)])).collect();
            OrbitBranch { branch, orbits }
        };
        let mut branches = [branch(Branch::Up, 6), branch(Branch::Down, 3)];
        mark(&mut branches, false);
        let places = |orbits: &[Orbit], which: fn(&Orbit) -> bool| -> Vec<f64> {
            orbits.iter().filter(|orbit| which(orbit)).map(|orbit| orbit.value).collect()
        };
        assert_eq!(places(&branches[0].orbits, |it| it.jump), [6.0]);
        assert_eq!(places(&branches[1].orbits, |it| it.jump), [3.0]);
        for branch in &branches {
            assert_eq!(places(&branch.orbits, |it| it.coexists), [3.0, 4.0, 5.0]);
        }
    }
}
