//! Work and precision: what an error costs by each method.

use super::chain::{
    Bench, Conditions, GRIDS, INTEGRATOR, Method, STABILISED_OMEGA, Steps, T_END, chain, figure,
    median, range, settings,
};
use super::times::printed_slower;
use super::truth::{EVERY, Truth};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::simulation::{Host, StopReason, Table};
use catena::{Run, RunFailure, RunPlan, RunSettings};

/// Tip errors at which methods are compared, as parts of the chain's length: 20 cm, 2 cm and 2 mm of 20 m.
const ERRORS: [f64; 3] = [1e-2, 1e-3, 1e-4];
/// The recursive method is the more efficient one if it needs less than this part of the other's evaluations.
const FEWER: f64 = 0.8;
/// The tightest tolerance, as a power of ten.
const TIGHTEST: f64 = 8.0;

/// What the runs of a method at one tolerance came to.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// m
    error: f64,
    evaluations: f64,
    /// Of the motion alone, s.
    seconds: f64,
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let truth = Truth::find(lab, &conditions)?;
    let mut section = Section::default();
    section.text(
        "Methods are not comparable at equal tolerance: the same tolerance on joint angles and on places of rods is not the same \
         demand. They are at equal error. Each point below is a run for 5 s at one tolerance; its error is that of the tip at the end, the \
         median over the four grids of the study as first steps, since single errors at loose tolerances are chance. What stands further left \
         and further down is better. \"Defaults\" are what Catena takes for the chain when it is told nothing but the tolerance.",
    );
    let methods = [
        Method::recursive(),
        conditions.augmented(),
        conditions.stabilised(),
        Method::plain("projection"),
    ];
    let exponents: Vec<f64> = match lab.quick {
        true => (1..=TIGHTEST as usize).map(|power| power as f64).collect(),
        false => (2..=2 * TIGHTEST as usize).map(|half| 0.5 * half as f64).collect(),
    };
    let tolerances: Vec<f64> = exponents.iter().map(|power| 10f64.powf(-power)).collect();
    let mut curves: Vec<(String, Vec<Point>)> = Vec::new();
    for (at, method) in methods.iter().enumerate() {
        // told twice, a method is one curve
        if curves.iter().any(|(label, _)| *label == method.label) {
            continue;
        }
        let part = lab.part(0.2 * at as f64..0.2 * (at + 1) as f64);
        curves.push((
            method.label.clone(),
            measured(&part, &conditions, method, &tolerances, &truth)?,
        ));
    }
    curves.push((
        "defaults".to_owned(),
        defaults(&lab.part(0.8..1.0), &conditions, &tolerances, &truth)?,
    ));
    section.figure(
        "work-precision",
        "Error of the tip at 5 s against evaluations, and against time on this machine.",
        Figure::new("").with(panel(&curves, "evaluations", |point| point.evaluations)).with(panel(
            &curves,
            "time, ms",
            |point| 1e3 * point.seconds,
        )),
    );
    let astray: Vec<String> = curves
        .iter()
        .flat_map(|(label, points)| {
            let ended =
                points.iter().zip(&tolerances).filter(|(point, _)| !point.error.is_finite());
            ended.map(move |(_, tolerance)| {
                format!("{label} at a tolerance of {}", figure(*tolerance))
            })
        })
        .collect();
    if !astray.is_empty() {
        section.text(format!(
            "Not drawn, since they did not reach 5 s and said so: {}.",
            astray.join(", ")
        ));
    }
    section.table(
        "work-precision",
        "Evaluations that each method needs for an error of the tip, by interpolation between its runs; and the time of one \
         evaluation on this machine.",
        table(&curves, conditions.length()),
    );
    let find = |label: &str| curves.iter().find(|curve| curve.0 == label).map(|curve| &*curve.1);
    let [recursive, own, stabilised] =
        [0, 1, 2].map(|at| find(&methods[at].label).unwrap_or_default());
    section.claim(claim(&conditions, recursive, own, stabilised));
    Ok(section)
}

/// Runs of a method at all tolerances.
fn measured(
    lab: &Laboratory<'_>,
    conditions: &Conditions,
    method: &Method,
    tolerances: &[f64],
    truth: &Truth,
) -> Result<Vec<Point>, StudyError> {
    let mut bench = Bench::new(lab, conditions.links, method)?.with_integrator(INTEGRATOR);
    let mut points = Vec::new();
    for (at, &tolerance) in tolerances.iter().enumerate() {
        lab.reached(at as f64 / tolerances.len() as f64)?;
        let (mut errors, mut evaluations) = (Vec::new(), Vec::new());
        for first in GRIDS {
            let trial = bench.trial(lab, Steps { tolerance, first, every: T_END })?;
            errors.push(trial.tip_error(&truth.trial).max(truth.error));
            evaluations.push(trial.evaluations as f64);
        }
        let steps = Steps { tolerance, first: EVERY, every: T_END };
        let [seconds, _] = bench.seconds(lab, steps, &["tip_x".to_owned()])?;
        let [error, evaluations] = [median(&errors), median(&evaluations)];
        points.push(Point { error, evaluations, seconds });
    }
    Ok(points)
}

/// What Catena takes by itself.
fn defaults(
    lab: &Laboratory<'_>,
    conditions: &Conditions,
    tolerances: &[f64],
    truth: &Truth,
) -> Result<Vec<Point>, StudyError> {
    let model = chain(lab, conditions.links)?;
    let mut points = Vec::new();
    for (at, &tolerance) in tolerances.iter().enumerate() {
        lab.reached(at as f64 / tolerances.len() as f64)?;
        let settings = RunSettings {
            rtol: Some(tolerance),
            atol: Some(tolerance),
            every: Some(T_END),
            columns: vec!["tip_x".to_owned(), "tip_y".to_owned()],
            ..settings(&Method::plain("auto"), "auto")
        };
        let plan = RunPlan::new(&model, &settings, &model.run)?;
        let mut prepared = plan.formulation.prepare(&model).map_err(RunFailure::from)?;
        let mut point = Point { error: f64::NAN, evaluations: f64::NAN, seconds: f64::INFINITY };
        for _ in 0..lab.quick_or(3, 12) {
            let (mut clock, mut stop) = (|| lab.clock(), |_| lab.reached(0.0).is_err());
            let run = prepared.run(&plan.options, &mut Host::new(&mut clock, &mut stop));
            let Run { table, certificate, .. } = run.map_err(RunFailure::from)?;
            if certificate.stop != StopReason::Finished {
                break;
            }
            let last = |name: &str| table.column(name).and_then(<[f64]>::last).copied();
            let ([x, y], exact) = (["tip_x", "tip_y"].map(last), truth.trial.tip());
            let apart = |a: Option<f64>, b: f64| a.unwrap_or(f64::NAN) - b;
            point.error = apart(x, exact[0]).hypot(apart(y, exact[1])).max(truth.error);
            point.evaluations = certificate.statistics.evaluations as f64;
            point.seconds = point.seconds.min(certificate.seconds);
        }
        points.push(point);
    }
    Ok(points)
}

fn panel(curves: &[(String, Vec<Point>)], label: &str, work: fn(&Point) -> f64) -> Panel {
    let mut panel =
        Panel::new("", Axis::logarithmic(label), Axis::logarithmic("error of the tip, m"));
    for (name, points) in curves {
        let x: Vec<f64> = points.iter().map(work).collect();
        let y: Vec<f64> = points.iter().map(|point| point.error).collect();
        panel = panel.with(Series::line_and_marks(name.clone(), x, y));
    }
    panel
}

/// Evaluations from which on all runs have a smaller error, interpolated between powers; NaN if none has.
fn evaluations_for(error: f64, points: &[Point]) -> f64 {
    let reached = points.iter().rev().take_while(|point| point.error < error).count();
    if reached == 0 {
        return f64::NAN;
    }
    let first = points.len() - reached;
    let after = points[first];
    let before = first.checked_sub(1).map(|at| points[at]).filter(|point| point.error.is_finite());
    let Some(before) = before else { return after.evaluations };
    let part = (before.error / error).ln() / (before.error / after.error).ln();
    before.evaluations * (after.evaluations / before.evaluations).powf(part)
}

/// The time of an evaluation in the longest run, µs.
fn cost(points: &[Point]) -> f64 {
    points.last().map_or(f64::NAN, |last| 1e6 * last.seconds / last.evaluations)
}

fn table(curves: &[(String, Vec<Point>)], length: f64) -> Table {
    let mut table =
        Table::default().with_words("method", curves.iter().map(|curve| curve.0.clone()).collect());
    for part in ERRORS {
        let error = part * length;
        let column = curves.iter().map(|curve| evaluations_for(error, &curve.1).round()).collect();
        table = table.with_numbers(format!("for {} m", figure(error)), "", column);
    }
    table.with_numbers("an evaluation", "µs", curves.iter().map(|curve| cost(&curve.1)).collect())
}

fn claim(
    conditions: &Conditions,
    recursive: &[Point],
    own: &[Point],
    stabilised: &[Point],
) -> Claim {
    let errors = ERRORS.map(|part| part * conditions.length());
    let needed = |points: &[Point]| errors.map(|error| evaluations_for(error, points));
    let [sweep, own_needs, best] = [recursive, own, stabilised].map(needed);
    let text = |values: &[f64]| {
        values.iter().map(|value| figure(value.round())).collect::<Vec<_>>().join(", ")
    };
    let ratios: Vec<f64> = sweep.iter().zip(&best).map(|(sweep, other)| sweep / other).collect();
    let fewer = ratios.iter().all(|ratio| *ratio < FEWER);
    let [slower, cells] = printed_slower();
    let measured = format!(
        "evaluations for tip errors of {} m: recursive {}; augmented Lagrangian {} with ω = {}, {} with ω = {STABILISED_OMEGA}: the recursive \
         method needs {} times as many as the last. An evaluation takes {} and {} µs on this machine",
        errors.map(figure).join(", "),
        text(&sweep),
        text(&own_needs),
        figure(conditions.omega),
        text(&best),
        range(&ratios),
        figure(cost(recursive)),
        figure(cost(stabilised)),
    );
    let verdict = match fewer {
        true => Verdict::Holds,
        false => Verdict::HoldsIf(format!(
            "an evaluation of the sweep is cheaper by more than the {} times that it needs more of them",
            range(&ratios)
        )),
    };
    let why = match fewer {
        true => {
            "At equal error the recursive method needs clearly fewer evaluations than the augmented Lagrangian with its constraints held."
        }
        false => {
            "It does not follow from the printed tables, which compare times at equal tolerance and not at equal error. At equal error and \
             with its constraints held the augmented Lagrangian needs no more evaluations than the recursive method; only drift makes \
             it need more. What is left is the cost of an evaluation, which belongs to a program and a machine."
        }
    };
    Claim::new("A9", "so the recursive method is the more efficient one for large open chains")
        .published(format!("slower in {slower} of {cells} cells of its own Table 1"))
        .measured(measured, verdict)
        .because(why)
}
