//! How fast neighbouring motions part: the Lyapunov exponents of a motion.

use super::lyapunov_map::ERRORS_OF_A_SIGN;
use super::phase::AFTER;
use super::{Analysis, lyapunov_map, over};
use crate::live::with_x_range;
use crate::lyapunov::{SpectrumSoFar, lyapunov_shown};
use crate::words::{Words, plain};
use crate::{
    Answer, Exponent, LyapunovError, LyapunovRequest, LyapunovSpectrum, Question, Refusal, Watch,
};
use catena_ensemble::SweepError;
use catena_figure::{Axis, Figure, Panel, Series};
use catena_integrator::for_exact_motions;
use catena_model::run_settings::{
    ATOL, FORMULATION, INTEGRATOR, MAX_STEP, MAX_STEPS, RTOL, T_END, T_START, WITH,
};
use catena_model::{Kind, OptionRow, RunOption, RunSettings};
use catena_simulation::{FlowError, FormulationChoice, RunFailure, RunPlan, Table, TangentFlow};
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static LYAPUNOV: Analysis = Analysis {
    name: "lyapunov",
    summary: "how fast neighbouring motions part: the spectrum of Lyapunov exponents, with errors and checks",
    needs: "smooth equations",
    run_options: TANGENT_RUN,
    run_defaults: TANGENT_DEFAULTS,
    options: &[&OVER, &AFTER_TRANSIENT, &EXPONENTS, &COPIES],
    example: "double-pendulum --to 2000",
    parallel: true,
    ..Analysis::answered_by(ask)
};

/// What can be told about motions that carry tangent vectors along.
static TANGENT_RUN: &[&RunOption] =
    &[&FORMULATION, &INTEGRATOR, &RTOL, &ATOL, &MAX_STEP, &MAX_STEPS, &T_START, &T_END, &WITH];
/// Relative and absolute tolerance.
const TOLERANCES: [f64; 2] = [1e-9, 1e-12];
static TANGENT_DEFAULTS: &[(&str, &str)] = &[
    ("formulation", "minimal, or projection where there are constraints"),
    ("integrator", "dop853"),
    ("rtol", "1e-9"),
    ("atol", "1e-12"),
    ("max_steps", "no bound"),
    ("t_end", "2000 periods of the drive, or 100 times as long as a run"),
];
static OVER: OptionRow = OptionRow::new(
    "over",
    Kind::Repeated,
    "A motion for each value of a parameter or a start, or of two: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or \
     NAME=VALUE,VALUE,...; the largest exponent alone unless more are asked for",
)
.value_name("NAME=RANGE");
static AFTER_TRANSIENT: OptionRow = OptionRow { default: "a tenth of the motion", ..AFTER };
static EXPONENTS: OptionRow =
    OptionRow::new("exponents", Kind::Count(1), "How many exponents, the largest ones")
        .value_name("K")
        .default("all, of large systems 12");
static COPIES: OptionRow = OptionRow::new(
    "copies",
    Kind::Count(1),
    "How many motions that begin 1e-9 apart are run and averaged: in chaos they are soon independent of each other",
)
.value_name("N")
.default("16, or 4 with constraints");

/// The first of so many parts of the convergence is not drawn.
const NOT_DRAWN: usize = 20;

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let request = request(question, watch)?;
    let axes = over::axes(question, question.options.words(&OVER), 2)?;
    if !axes.is_empty() {
        if question.options.is_given(&COPIES) {
            return Err(Refusal::of_question(
                "a cell of a map is one motion, and has no copies",
                "leave out {copies}",
            ));
        }
        return lyapunov_map::ask(question, &request, &axes, watch);
    }
    let title = &question.model.title;
    let show = |so_far: &dyn Fn() -> SpectrumSoFar| {
        watch.draw(|| match so_far() {
            (Some(found), t_end) => {
                // what will not be drawn in the end is not drawn before
                let from = found.span[0];
                let first = from + (t_end - from) / NOT_DRAWN as f64;
                let first = found.convergence.times.partition_point(|&t| t <= first);
                with_x_range(figure(title, &found, first + 2), &[from, t_end])
            }
            (None, _) => Figure::new(""),
        });
    };
    let found = lyapunov_shown(question.model, &request, watch.stop, watch.looked_at(&show));
    let found = found.map_err(|error| refused(&error))?;
    let mut answer = Answer::new(LYAPUNOV.name, &question.model.title);
    answer.settings = json!({
        "after": found.span[0],
        "to": found.span[1],
        "copies": found.copies,
        "formulation": request.formulation.name,
        "integrator": request.integrator.name,
        "rtol": request.integration.rtol,
        "atol": request.integration.atol,
    });
    answer.result = facts(&found);
    answer.error_estimate = found.exponents.first().map(|largest| largest.error);
    answer.table = table(&found);
    // means over very short times would set the scale
    let first = 1 + found.convergence.times.len() / NOT_DRAWN;
    answer.figure = figure(title, &found, first);
    say(&mut answer.words, &found);
    if !found.complete {
        let reached = plain(found.span[1]);
        answer
            .note_interruption(format!("the exponents are those of the motion up to {reached} s"));
    }
    Ok(answer)
}

/// What is left out about the motion is not taken from the model's `[run]`, but chosen for motions that are long.
fn request(question: &Question<'_>, watch: &Watch<'_>) -> Result<LyapunovRequest, Refusal> {
    let (model, said, options) = (question.model, question.run, question.options);
    let defaults = RunSettings {
        integrator: Some(for_exact_motions().name.to_owned()),
        rtol: Some(TOLERANCES[0]),
        atol: Some(TOLERANCES[1]),
        max_steps: Some(u64::MAX),
        t_start: model.run.t_start,
        t_end: model.run.t_start.map(|start| start + 1.0),
        ..RunSettings::default()
    };
    let plan = RunPlan::new(model, said, &defaults)?;
    if !plan.options.integrator.adaptive || plan.options.integrator.lanes().is_none() {
        let name = plan.options.integrator.name;
        return Err(Refusal::of_question(
            format!(
                "`{name}` does not carry tangent vectors: explicit methods with step control do"
            ),
            "leave out {integrator}, or take dop853",
        ));
    }
    let is_made_of_joints = model.mechanism.is_some() || !model.own.constraints.is_empty();
    let formulation = match said.formulation.is_none() && is_made_of_joints {
        true => FormulationChoice::new(TangentFlow::formulation_of(model)),
        false => plan.formulation,
    };
    let (integrator, integration) = (plan.options.integrator, plan.options.integration);
    Ok(LyapunovRequest {
        exponents: options.count(&EXPONENTS).map(|count| count as usize),
        copies: options.count(&COPIES).map(|count| count as usize),
        after: options.number(&AFTER_TRANSIENT),
        t_start: plan.options.t_start,
        t_end: said.t_end,
        threads: watch.threads,
        ..LyapunovRequest::new(model, formulation, integrator, integration)
    })
}

pub(super) fn refused(error: &LyapunovError) -> Refusal {
    match error {
        LyapunovError::Sweep(SweepError::Run(error)) => RunFailure::Run(error.clone()).into(),
        LyapunovError::TooMany { dimension, .. } => {
            Refusal::of_question(error.to_string(), format!("write {{exponents}} {dimension}"))
        }
        LyapunovError::Prescribed => {
            Refusal::of_model(error.to_string(), "such a motion repeats as its drive does")
        }
        LyapunovError::NothingAfter { .. } => Refusal::of_question(
            error.to_string(),
            "run longer with {t_end}, or count from earlier with {after}",
        ),
        LyapunovError::TooShort { needed, .. } => Refusal::of_question(
            error.to_string(),
            format!("{{t_end}} {:.0} is long enough", round_up(*needed)),
        ),
        LyapunovError::Sweep(SweepError::Flow(FlowError::Jump { .. })) => Refusal::of_model(
            error.to_string(),
            "write the jump as a steep smooth function, as in tanh(v/0.01) for sign(v)",
        ),
        LyapunovError::Sweep(SweepError::Flow(_)) => Refusal::of_question(
            error.to_string(),
            "leave out {formulation}: one that has tangent vectors is then taken",
        ),
        _ => Refusal::of_model(error.to_string(), "{check} says more about the model"),
    }
}

/// To two digits.
fn round_up(value: f64) -> f64 {
    let unit = 10.0_f64.powf(value.log10().floor() - 1.0).max(1.0);
    (value / unit).ceil() * unit
}

fn facts(found: &LyapunovSpectrum) -> Value {
    let exponents: Vec<f64> = found.exponents.iter().map(|exponent| exponent.value).collect();
    let errors: Vec<f64> = found.exponents.iter().map(|exponent| exponent.error).collect();
    json!({
        "exponents": exponents,
        "errors": errors,
        "dimension": found.dimension,
        "kaplan_yorke": found.kaplan_yorke,
        "drive_period": found.period,
        "phase_counted": false,
        "logarithm": "natural",
        "checks": {
            "zero_along_flow": found.checks.zero,
            "mean_divergence": found.checks.divergence,
            "sum_minus_divergence": found.checks.sum,
            "pairs": found.checks.pairs,
        },
    })
}

fn say(words: &mut Words, found: &LyapunovSpectrum) {
    let [from, to] = found.span.map(|time| catena_model::plain_to(time, 6));
    let copies = match found.copies {
        1 => String::new(),
        copies => format!(", {copies} copies that began 1e-9 apart"),
    };
    words.say(format!("Growth from {from} s to {to} s{copies}, natural logarithm, per second"));
    let rows = found.exponents.iter().enumerate().map(|(at, exponent)| {
        let digits = digits(exponent.error);
        vec![
            format!("λ{}", subscript(at + 1)),
            format!("{:+.digits$}", exponent.value),
            format!("{:.1e}", exponent.error),
        ]
    });
    words.table(["", "1/s", "±"], rows.collect());
    if found.exponents.len() < found.dimension {
        words.say(format!("the largest {} of {}", found.exponents.len(), found.dimension));
    }
    if let Some(largest) = found.exponents.first() {
        words.say(match () {
            () if largest.value > ERRORS_OF_A_SIGN * largest.error => format!(
                "chaotic: neighbouring motions part by a factor e every {} s",
                plain_to(1.0 / largest.value)
            ),
            () if shrinks(largest) => format!(
                "attracted: neighbouring motions meet, by a factor e every {} s",
                plain_to(-1.0 / largest.value)
            ),
            () => "neighbouring motions part no faster than the error can tell: regular, or not followed long enough".to_owned(),
        });
    }
    say_checks(words, found);
}

/// Three digits are enough for what is only told.
pub(super) fn plain_to(value: f64) -> String {
    catena_model::plain_to(value, 3)
}

/// As many decimal places as an error leaves meaning.
fn digits(error: f64) -> usize {
    (1.0 - error.log10().floor()).clamp(3.0, 9.0) as usize
}

fn subscript(number: usize) -> String {
    let digit = |digit: char| char::from_u32('₀' as u32 + digit as u32 - '0' as u32);
    number.to_string().chars().filter_map(digit).collect()
}

/// Whether neighbouring motions certainly meet.
fn shrinks(largest: &Exponent) -> bool {
    largest.value < -ERRORS_OF_A_SIGN * largest.error
}

fn say_checks(words: &mut Words, found: &LyapunovSpectrum) {
    let checks = &found.checks;
    match found.period {
        Some(period) => words.say(format!(
            "the drive has the period {} s; the exponent zero of its phase is not counted",
            plain_to(period)
        )),
        None => {
            let comes_to_rest = found.exponents.first().is_some_and(shrinks);
            if comes_to_rest {
                words.say("no exponent is zero along the flow: the motion comes to rest");
            } else if let Some(zero) = checks.zero {
                words.say(format!("zero along the flow: the nearest exponent is {zero:+.1e}"));
            }
        }
    }
    if let (Some(sum), Some(divergence)) = (checks.sum, checks.divergence) {
        words.say(format!(
            "sum of all: {:+.9}, the mean divergence {divergence:+.9}; they differ by {:.1e}",
            sum + divergence,
            sum.abs()
        ));
    }
    if let Some(pairs) = checks.pairs {
        words.say(format!("pairs ±λ, as energy is conserved: they differ by {pairs:.1e}"));
    }
    if let Some(dimension) = found.kaplan_yorke {
        let of = if found.period.is_some() { " of the section" } else { "" };
        words.say(format!("dimension{of} after Kaplan and Yorke: {dimension:.4}"));
    }
}

/// The exponents up to each time.
fn table(found: &LyapunovSpectrum) -> Table {
    let times = found.convergence.times.get(1..).unwrap_or_default();
    let mut table = Table::default().with_numbers("t", "s", times.to_vec());
    for (at, series) in found.convergence.exponents.iter().enumerate() {
        table = table.with_numbers(
            format!("lambda_{}", at + 1),
            "1/s",
            series.get(1..).unwrap_or_default().to_vec(),
        );
    }
    table
}

/// The running means from a row on.
fn figure(title: &str, found: &LyapunovSpectrum, first: usize) -> Figure {
    let times = found.convergence.times.get(first..).unwrap_or_default();
    let y = Axis::linear("exponent, 1/s");
    let mut panel = Panel::new(title, Axis::linear("time, s"), y);
    for (at, series) in found.convergence.exponents.iter().enumerate() {
        let name = format!("$λ_{{{}}}$", at + 1);
        let drawn = series.get(first..).unwrap_or_default();
        panel = panel.with(Series::line(name, times.to_vec(), drawn.to_vec()));
    }
    Figure::from(panel)
}
