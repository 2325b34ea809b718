//! Equilibria: where a system rests when its drive is off, and whether it stays there.
//!
//! The one nearest the start is found by following Newton's path. With several starts, spread at
//! random over the circle for angles and around the start for everything else, the others are found
//! too: never all of them for certain, but each of those listed is one.
//!
//! # Equations
//! With the drive off and $v = 0$, $\dot z = 0$
//! $$Q(q,z) - \Phi_q^T\lambda = 0,\qquad \Phi(q) = 0,\qquad \dot z(q,z) = 0$$
//! is solved by Newton's method with the shortest steps, so that what nothing determines stays where it is. Whether the system stays
//! there is said by the modes of its linear model.
//!
//! # When to choose it
//! First of all: linear models, modes and linear responses are about one of these. `--set` starts the search elsewhere, `--all` finds
//! what else there is.
//!
//! # Reference
//! P. Deuflhard, *Newton Methods for Nonlinear Problems*, 2004 (damping)

use super::linear_model::LinearModel;
use super::modes::Modes;
use super::{Rest, RestError, Search};
use catena_derivation::{Random, angles};
use catena_model::{CoordinateSet, Model};
use catena_simulation::{Assembly, Start};
use std::f64::consts::{PI, TAU};

/// States of rest closer than this, relative to their size, are one.
const DISTINCTNESS_TOLERANCE: f64 = 1e-6;

/// A state of rest and its modes.
#[derive(Clone, Debug)]
pub struct Resting<'a> {
    /// The system at the equilibrium.
    pub rest: Rest<'a>,
    /// Its modes there; the reason if they cannot be computed.
    pub modes: Result<Modes, RestError>,
}

/// The equilibrium nearest the start of a model.
pub fn nearest_equilibrium(model: &Model) -> Result<Resting<'_>, RestError> {
    Rest::nearest(model).map(examined)
}

/// The distinct equilibria reached from the start of a model and from `starts` random ones.
pub fn equilibria(model: &Model, starts: usize, seed: u64) -> Result<Vec<Resting<'_>>, RestError> {
    equilibria_watched(model, starts, seed, &|_| false)
}

/// The same; `stop` is told before each random start how many were tried, and ends the search with `true`.
pub fn equilibria_watched<'a>(
    model: &'a Model,
    starts: usize,
    seed: u64,
    stop: &dyn Fn(usize) -> bool,
) -> Result<Vec<Resting<'a>>, RestError> {
    let mut search = Search::new(model);
    let given = Start::new(model, CoordinateSet::Own);
    let is_angle = angles(search.equations(), search.system);
    let first = search.assembled(&given).map_err(RestError::from);
    let first = first.and_then(|start| search.from(&start));
    let mut reached = vec![first];
    let mut random = Random::new(seed);
    for tried in 0..starts {
        if stop(tried) {
            break;
        }
        let start = random_start(&mut random, &given, &is_angle);
        let Ok(assembly) = search.assembled_nearby(&start) else { continue };
        let still = Assembly { v: vec![0.0; given.v.len()], ..assembly };
        reached.push(search.from(&still).map(|rest| unwound(rest, &is_angle)));
    }
    let mut distinct: Vec<Rest<'_>> = Vec::new();
    let mut failure = None;
    for rest in reached {
        match rest {
            Ok(rest) if distinct.iter().any(|other| are_same(other, &rest, &is_angle)) => {}
            Ok(rest) => distinct.push(rest),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) if distinct.is_empty() => Err(error),
        _ => Ok(distinct.into_iter().map(examined).collect()),
    }
}

/// The same with angles within half a turn of zero.
fn unwound<'a>(mut rest: Rest<'a>, is_angle: &[bool]) -> Rest<'a> {
    let angles = rest.equilibrium.q.iter_mut().zip(is_angle).filter(|(_, angle)| **angle);
    for (q, _) in angles.filter(|(q, _)| q.abs() > PI) {
        *q = wrapped(*q);
    }
    rest
}

/// Between −π and π.
fn wrapped(angle: f64) -> f64 {
    (angle + PI).rem_euclid(TAU) - PI
}

fn examined(rest: Rest<'_>) -> Resting<'_> {
    let modes = LinearModel::new(rest.clone()).and_then(|linear| Modes::new(&linear));
    Resting { rest, modes }
}

fn are_same(a: &Rest<'_>, b: &Rest<'_>, is_angle: &[bool]) -> bool {
    let coordinates = a.equilibrium.q.iter().zip(&b.equilibrium.q).zip(is_angle);
    let states = a.equilibrium.states.iter().zip(&b.equilibrium.states);
    coordinates.into_iter().all(|((a, b), &angle)| {
        let apart = match angle {
            true => wrapped(a - b),
            false => a - b,
        };
        apart.abs() <= DISTINCTNESS_TOLERANCE * a.abs().max(1.0)
    }) && states
        .into_iter()
        .all(|(a, b)| (a - b).abs() <= DISTINCTNESS_TOLERANCE * a.abs().max(1.0))
}

/// Anywhere on the circle, or as far from the start as the start is large.
fn random_start(random: &mut Random, given: &Start, is_angle: &[bool]) -> Start {
    let size = given.q.iter().chain(&given.states).fold(1.0_f64, |a, b| a.max(b.abs()));
    let mut around = |value: &f64| value + random.between(-2.0 * size, 2.0 * size);
    let states: Vec<f64> = given.states.iter().map(&mut around).collect();
    let mut q: Vec<f64> = given.q.iter().map(around).collect();
    for (q, _) in q.iter_mut().zip(is_angle).filter(|(_, angle)| **angle) {
        *q = random.between(-PI, PI);
    }
    let n = q.len();
    Start {
        t: given.t,
        q,
        v: vec![0.0; n],
        states,
        q_given: vec![false; n],
        v_given: vec![false; n],
    }
}
