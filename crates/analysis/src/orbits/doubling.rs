//! Period doublings, between values of the parameter.

use super::periodic_orbit::{Guess, PeriodicOrbit};
use super::{Orbit, OrbitBranch, OrbitDriver, PeriodDoubling};
use crate::{Branch, Refusal};
use catena_ensemble::{DeviceChoice, Engine};

/// Values without a known multiple that may lie between an orbit of m points and one of 2m: near a doubling motions settle
/// slowly. A part of all values, and at least so many.
const MAX_UNKNOWN_PART: f64 = 0.02;
const MIN_UNKNOWN: usize = 4;
/// Steps along the orbit in which its stability is looked for a change, each longer than the one before.
const MAX_STEPS: usize = 24;
const STEP_GROWTH: f64 = 1.4;
/// Steps of the search for the doubling itself.
const MAX_ITERATIONS: usize = 40;
/// The search ends in an interval of this length, relative to the distance of values.
const VALUE_TOLERANCE: f64 = 1e-6;
/// Doublings that are nearer to each other than this part of the distance of values are one, seen on two branches.
const SAME_DOUBLING: f64 = 0.05;
/// Tolerances for orbits whose derivatives are found by differences, relative to those of the diagram, and the differences,
/// relative to the size of the components: first those that count, then those that tell how far they may be off.
const SHARPNESS: [(f64, f64); 2] = [(1e-4, 5e-6), (1e-2, 1.5e-5)];
/// How far the orbits on both sides of a doubling may be apart, relative to the size of their components, when the search
/// has ended: what is farther apart are two orbits.
const SAME_ORBIT: f64 = 1e-4;

/// All doublings between neighbouring values, and whether none is left out because `stop` ended the search.
pub(super) fn find(
    driver: &OrbitDriver<'_>,
    branches: &[OrbitBranch],
    stop: &dyn Fn(f64) -> bool,
) -> Result<(Vec<PeriodDoubling>, bool), Refusal> {
    let mut candidates: Vec<(Branch, &Orbit, &Orbit)> = Vec::new();
    for branch in branches {
        candidates.extend(pairs(&branch.orbits).into_iter().map(|(a, b)| (branch.branch, a, b)));
    }
    let mut found: Vec<PeriodDoubling> = Vec::new();
    if candidates.is_empty() {
        return Ok((found, true));
    }
    // a few motions at a time: nothing for a device
    let engine = |which: usize| driver.engine(SHARPNESS[which].0, DeviceChoice::Processor);
    let engines = [engine(0)?, engine(1)?];
    let at = |which: usize| (&engines[which], SHARPNESS[which].1);
    let values = &driver.request.parameter.values;
    let distance = (values[values.len() - 1] - values[0]) / (values.len() - 1).max(1) as f64;
    let count = candidates.len() as f64;
    for (number, (branch, simple, doubled)) in candidates.into_iter().enumerate() {
        if stop(number as f64 / count) {
            return Ok((found, false));
        }
        let Some(value) = locate(driver, at(0), simple, doubled, distance)? else { continue };
        let multiple = simple.multiple.unwrap_or(1);
        let is_same = |it: &&mut PeriodDoubling| {
            it.multiple == multiple && (it.value - value).abs() <= SAME_DOUBLING * distance
        };
        if let Some(same) = found.iter_mut().find(is_same) {
            if !same.branches.contains(&branch) {
                same.branches.push(branch);
            }
            continue;
        }
        let coarser = locate(driver, at(1), simple, doubled, distance)?;
        let error = coarser.map_or(distance, |coarser| (coarser - value).abs());
        let error = error + VALUE_TOLERANCE * distance;
        found.push(PeriodDoubling { value, error, multiple, branches: vec![branch] });
    }
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok((found, true))
}

/// Orbits of m and of 2m points between which a doubling may be, the one of m points first.
fn pairs(orbits: &[Orbit]) -> Vec<(&Orbit, &Orbit)> {
    let most = MIN_UNKNOWN.max((MAX_UNKNOWN_PART * orbits.len() as f64) as usize);
    let known: Vec<(usize, u64)> = orbits
        .iter()
        .enumerate()
        .filter_map(|(at, orbit)| orbit.multiple.map(|multiple| (at, multiple)))
        .collect();
    let mut found = Vec::new();
    for pair in known.windows(2) {
        let [(first, m), (second, n)] = [pair[0], pair[1]];
        if second - first > most + 1 {
            continue;
        }
        if n == 2 * m {
            found.push((&orbits[first], &orbits[second]));
        } else if m == 2 * n {
            found.push((&orbits[second], &orbits[first]));
        }
    }
    found
}

/// Where the orbit of m points loses its stability to one of 2m, from a known orbit on either side; none where it does not.
fn locate(
    driver: &OrbitDriver<'_>,
    (engine, difference): (&Engine, f64),
    simple: &Orbit,
    doubled: &Orbit,
    distance: f64,
) -> Result<Option<f64>, Refusal> {
    let multiple = simple.multiple.unwrap_or(1);
    let shortest = simple.shortest_return;
    let at = |value: f64, from: &PeriodicOrbit| {
        let guess = Guess { state: &from.state, time: simple.time, multiple, shortest, difference };
        driver.periodic_orbit(engine, value, &guess)
    };
    let guess = Guess { state: &simple.state, time: simple.time, multiple, shortest, difference };
    let Some(mut near) = driver.periodic_orbit(engine, simple.value, &guess)? else {
        return Ok(None);
    };
    // it may have doubled by so little already that nobody has seen it
    let towards = (doubled.value - simple.value).signum();
    let mut step = if near.doubling_test > 0.0 { towards } else { -towards } * distance;
    let mut far = None;
    for _ in 0..MAX_STEPS {
        let Some(next) = at(near.value + step, &near)? else {
            // orbits that change fast are followed in smaller steps
            step *= 0.25;
            continue;
        };
        if next.doubling_test * near.doubling_test <= 0.0 {
            far = Some(next);
            break;
        }
        (near, step) = (next, STEP_GROWTH * step);
    }
    let Some(mut far) = far else { return Ok(None) };
    // the Illinois method, on the parameter
    let [mut f_near, mut f_far] = [near.doubling_test, far.doubling_test];
    for iteration in 0..MAX_ITERATIONS {
        if (far.value - near.value).abs() <= VALUE_TOLERANCE * distance {
            break;
        }
        let part = f_near / (f_near - f_far);
        let part = if part.is_finite() && iteration % 5 < 4 { part } else { 0.5 };
        let value = near.value + part.clamp(0.0, 1.0) * (far.value - near.value);
        let Some(here) = at(value, &near)? else { return Ok(None) };
        if here.doubling_test == 0.0 {
            return Ok(Some(value));
        }
        if here.doubling_test * near.doubling_test > 0.0 {
            (f_near, f_far) = (here.doubling_test, 0.5 * f_far);
            near = here;
        } else {
            (f_far, f_near) = (here.doubling_test, 0.5 * f_near);
            far = here;
        }
    }
    let apart = near.state.iter().zip(&far.state).map(|(a, b)| (a - b).abs() / a.abs().max(1.0));
    if apart.fold(0.0, f64::max) > SAME_ORBIT {
        return Ok(None);
    }
    let (f_near, f_far) = (near.doubling_test, far.doubling_test);
    let part = f_near / (f_near - f_far);
    Ok(Some(near.value + part.clamp(0.0, 1.0) * (far.value - near.value)))
}
