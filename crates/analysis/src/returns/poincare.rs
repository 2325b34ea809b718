//! The points of motions on a section, or once in a period.

use super::{
    AddPoint, Chain, Circle, Link, ReturnMap, Returns, SeenSoFar, add_point, never_crossed,
};
use crate::Refusal;
use crate::live::{Gathered, Show};
use catena_ensemble::{Axis, Engine, Grid, SweepError, SweepOptions, Task};
use catena_model::Model;
use catena_simulation::{RunFailure, RunPlan};

/// How many of the first points of each motion are computed a second time, more exactly.
const CHECKED_POINTS: u64 = 20;

/// What is asked of motions.
#[derive(Clone)]
pub struct PoincareRequest {
    /// When motions are looked at.
    pub map: ReturnMap,
    /// What is varied: a motion for each combination.
    pub over: Vec<Axis>,
    /// The columns of the points.
    pub columns: Vec<String>,
    /// Points of each motion that are left out at its beginning.
    pub transient: u64,
    /// Points of each motion that are kept then, if it is that long.
    pub points: u64,
    /// Points before this are left out as well, s.
    pub after: f64,
    /// How motions are computed, when they begin and when they end at the latest.
    pub run: RunPlan,
    /// How many threads may compute.
    pub threads: usize,
}

/// The points of one motion.
#[derive(Clone, Debug, PartialEq)]
pub struct PoincareMotion {
    /// The values of what is varied.
    pub values: Vec<f64>,
    /// When, s.
    pub times: Vec<f64>,
    /// For each column its values, angles in (−π, π].
    pub columns: Vec<Vec<f64>>,
    /// Why the motion failed, if it did.
    pub failure: Option<String>,
}

/// The points of all motions.
#[derive(Clone, Debug)]
pub struct Poincare {
    /// In the order of the grid, the last axis fastest.
    pub motions: Vec<PoincareMotion>,
    /// Whether a column is an angle, for each of them.
    pub on_circle: Vec<bool>,
    /// What is left of the first points when they are computed more exactly; none where steps are fixed by the integrator.
    pub check: Option<PoincareCheck>,
    /// Whether all that was asked for is there.
    pub complete: bool,
}

/// The same points with tolerances a hundred times smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoincareCheck {
    /// How far the first point of any motion is off, relative to what its column spans.
    pub error: f64,
    /// How many points of each motion were compared.
    pub compared: u64,
    /// How many of them all motions have in common with the more exact ones, but for a thousandth of the span: chaos
    /// leaves few.
    pub agreed: u64,
}

/// The change of a point, relative to the span, up to which it counts as the same.
const AGREEMENT_TOLERANCE: f64 = 1e-3;

/// The part of the work, as it is reported, that the motions themselves are.
const PROGRESS_AT_POINTS: f64 = 0.97;

/// Finds the points of motions.
pub fn poincare(
    model: &Model,
    request: &PoincareRequest,
    stop: &(dyn Fn(f64) -> bool + Sync),
) -> Result<Poincare, Refusal> {
    poincare_shown(model, request, stop, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn poincare_shown(
    model: &Model,
    request: &PoincareRequest,
    stop: &(dyn Fn(f64) -> bool + Sync),
    show: Option<&Show<'_, Poincare>>,
) -> Result<Poincare, Refusal> {
    let set = request.run.formulation.entry.coordinates;
    let circle = Circle::new(model, set, &request.columns);
    let chains = chains(model, request, request.transient, request.points)?;
    let progress = |part: f64| stop(PROGRESS_AT_POINTS * part);
    let so_far = |seen: &SeenSoFar| motions(request, &circle, &chains, seen);
    let seen: SeenSoFar = chains.iter().map(|_| Vec::new()).collect();
    let gathered = show.map(|show| Gathered::new(seen, &so_far, show));
    let add = |place: [usize; 2], t: f64, columns: &[f64]| {
        if let Some(gathered) = &gathered {
            gathered.add(|seen| add_point(seen, place, t, columns));
        }
    };
    let add: Option<&AddPoint<'_>> = show.is_some().then_some(&add);
    let (seen, complete) = run(model, request, (1.0, &circle), &chains, &progress, add)?;
    let mut found = motions(request, &circle, &chains, &seen);
    if complete && found.motions.iter().all(|motion| motion.times.is_empty()) {
        return Err(nothing_seen(model, request, &found.motions));
    }
    found.complete = complete;
    found.check = if complete { checked(model, request, &circle, stop)? } else { None };
    Ok(found)
}

/// The motions of which something was seen.
fn motions(
    request: &PoincareRequest,
    circle: &Circle,
    chains: &[Chain],
    seen: &SeenSoFar,
) -> Poincare {
    let width = request.columns.len();
    let motions = seen
        .iter()
        .zip(chains)
        .filter_map(|(seen, chain)| Some((seen.first()?, chain)))
        .map(|(points, chain)| PoincareMotion {
            values: chain.links[0].values.clone(),
            times: points.times.clone(),
            columns: (0..width)
                .map(|column| {
                    let values = points.columns.iter().skip(column).step_by(width);
                    values.map(|&value| circle.wrapped(column, value)).collect()
                })
                .collect(),
            failure: points.failure.clone(),
        })
        .collect();
    let on_circle = (0..width).map(|column| circle.has(column)).collect();
    Poincare { motions, on_circle, check: None, complete: false }
}

/// Why there is no point at all.
fn nothing_seen(model: &Model, request: &PoincareRequest, motions: &[PoincareMotion]) -> Refusal {
    if let Some(reason) = motions.iter().find_map(|motion| motion.failure.as_ref()) {
        return Refusal::of_model(
            format!("no motion came to its first point: {reason}"),
            "{check} says more about the model",
        );
    }
    let mut model = model.clone();
    if let Some(motion) = motions.first() {
        let names: Vec<String> =
            model.parameters.iter().map(|parameter| parameter.entry.name.clone()).collect();
        let axes: Vec<&str> = request.over.iter().map(|axis| axis.name.as_str()).collect();
        model.change_parameters(|at| {
            let axis = axes.iter().position(|axis| *axis == names[at]);
            axis.map(|axis| motion.values[axis])
        });
    }
    let formulation = &request.run.formulation;
    never_crossed(
        &model,
        (formulation.entry, &formulation.options),
        &request.run.options,
        &request.map,
        "run longer with {t_end}",
    )
}

/// A chain of one motion for each combination of values.
fn chains(
    model: &Model,
    request: &PoincareRequest,
    skip: u64,
    keep: u64,
) -> Result<Vec<Chain>, Refusal> {
    let grid = Grid { axes: request.over.clone() };
    let cells = match request.over.is_empty() {
        true => 1,
        false => grid.checked_len().unwrap_or(u64::MAX),
    };
    let varied: Vec<String> = request.over.iter().map(|axis| axis.name.clone()).collect();
    let mut cell = model.clone();
    let run = &request.run.options;
    let mut chains = Vec::new();
    for number in 0..cells {
        let mut values = Vec::new();
        grid.cell(number, &mut values);
        let mut link = Link {
            t_start: run.t_start,
            skip,
            keep,
            after: (request.after - run.t_start).max(0.0),
            longest: run.duration(),
            values,
            period: None,
        };
        if let ReturnMap::Period(period) = &request.map {
            let period = period.of_cell(&mut cell, &varied, &link.values)?;
            // as many periods as there are until the end, but for rounding
            let whole = (run.duration() / period * (1.0 + 1e-12)).floor() as u64;
            link.keep = keep.min(whole.saturating_sub(skip));
            link.period = Some(period);
            if link.keep == 0 {
                return Err(Refusal::of_question(
                    format!("the motion ends before point {}: a period is {period:.6} s", skip + 1),
                    "run longer with {t_end}, or leave out fewer points with {transient}",
                ));
            }
        }
        chains.push(Chain { start: None, links: vec![link] });
    }
    Ok(chains)
}

fn run(
    model: &Model,
    request: &PoincareRequest,
    (factor, circle): (f64, &Circle),
    chains: &[Chain],
    stop: &(dyn Fn(f64) -> bool + Sync),
    add: Option<&AddPoint<'_>>,
) -> Result<(SeenSoFar, bool), Refusal> {
    let varied: Vec<String> = request.over.iter().map(|axis| axis.name.clone()).collect();
    let first = Task { values: chains[0].links[0].values.clone(), ..Task::default() };
    let names = (varied, request.columns.clone());
    let options = engine_options(&request.run, factor);
    let engine = Engine::with_sections(model, names, options, request.map.sections(), &first);
    let engine = engine.map_err(refused)?;
    let returns = Returns {
        engine: &engine,
        map: &request.map,
        state_len: 0,
        circle,
        threads: request.threads,
        add,
    };
    Ok(returns.run(chains, stop))
}

/// How much the first points change when they are computed more exactly.
fn checked(
    model: &Model,
    request: &PoincareRequest,
    circle: &Circle,
    stop: &(dyn Fn(f64) -> bool + Sync),
) -> Result<Option<PoincareCheck>, Refusal> {
    let integration = &request.run.options.integration;
    if !request.run.options.integrator.adaptive && integration.step.is_none() {
        return Ok(None);
    }
    let keep = CHECKED_POINTS.min(request.points.saturating_add(request.transient));
    let request = PoincareRequest { after: request.run.options.t_start, ..request.clone() };
    let chains = chains(model, &request, 0, keep)?;
    let progress = |part: f64| stop(PROGRESS_AT_POINTS + (1.0 - PROGRESS_AT_POINTS) * part);
    let (usual, _) = run(model, &request, (1.0, circle), &chains, &progress, None)?;
    let (finer, complete) = run(model, &request, (0.01, circle), &chains, &progress, None)?;
    if !complete {
        return Ok(None);
    }
    Ok(Some(compared(&usual, &finer, request.columns.len(), circle)))
}

fn compared(
    usual: &[Vec<super::ReturnPoints>],
    finer: &[Vec<super::ReturnPoints>],
    width: usize,
    circle: &Circle,
) -> PoincareCheck {
    let mut spans = vec![[f64::INFINITY, f64::NEG_INFINITY]; width];
    let all = finer.iter().flatten().flat_map(|points| points.columns.iter().enumerate());
    for (at, value) in all {
        let value = circle.wrapped(at % width, *value);
        let [low, high] = &mut spans[at % width];
        (*low, *high) = (low.min(value), high.max(value));
    }
    let span = |at: usize| {
        let [low, high] = spans[at];
        (high - low).max(low.abs()).max(high.abs()).max(f64::MIN_POSITIVE)
    };
    let mut check = PoincareCheck { error: 0.0, compared: 0, agreed: u64::MAX };
    for (usual, finer) in usual.iter().flatten().zip(finer.iter().flatten()) {
        let pairs = usual.columns.chunks_exact(width).zip(finer.columns.chunks_exact(width));
        let off = pairs.map(|(a, b)| {
            let off = |at: usize| circle.difference(at, a[at], b[at]).abs() / span(at);
            (0..width).map(off).fold(0.0, f64::max)
        });
        let off: Vec<f64> = off.collect();
        let agreed = off.iter().take_while(|off| **off <= AGREEMENT_TOLERANCE).count() as u64;
        check.error = check.error.max(off.first().copied().unwrap_or(0.0));
        check.compared = check.compared.max(off.len() as u64);
        if agreed < off.len() as u64 {
            check.agreed = check.agreed.min(agreed);
        }
    }
    check.agreed = check.agreed.min(check.compared);
    check
}

/// How an engine computes a planned run, with tolerances times a factor.
pub(crate) fn engine_options(run: &RunPlan, factor: f64) -> SweepOptions {
    let formulation = (run.formulation.entry, run.formulation.options.clone());
    let integration = run.options.integration.clone();
    let options = SweepOptions::for_tasks(formulation, run.options.integrator, integration);
    if factor == 1.0 { options } else { options.with_tolerances_times(factor) }
}

/// Why the motions cannot be run.
pub(crate) fn refused(error: SweepError) -> Refusal {
    let message = error.to_string();
    match error {
        SweepError::Run(error) => RunFailure::Run(error).into(),
        SweepError::UnknownAxis { meant: Some(meant), .. } => {
            Refusal::of_question(message, format!("did you mean `{meant}`?"))
        }
        SweepError::UnknownAxis { known, .. } => {
            Refusal::of_question(message, format!("known: {}", known.join(", ")))
        }
        SweepError::Device(error) => Refusal::of_device(&error),
        SweepError::Section(bad) => Refusal::of_question(message, bad.cure),
        _ => Refusal::of_question(message, "{check} says more about the model"),
    }
}
