//! Whether runs tell the truth about their errors: over the zoo, the reference systems and random models of all kinds,
//! at three tolerances, what a run reports relative to what it really makes.
//!
//! `cargo bench -p catena-benches --bench honesty [-- [--json] [--quick] [--only=NAME] [--seed=N] [--keep=DIR] [TABLE ...]]`
//!
//! `--quick` takes every tenth model, `--only=NAME` those with this in their names, `--seed=N` other random ones;
//! `--keep=DIR` writes the models of the worst cases there.

use catena::simulation::{Grade, StopReason};
use catena::{Model, RunSettings, Source};
use catena_benches::command::{self, Measure};
use catena_benches::random_models::Character;
use catena_benches::studied_models::{StudiedModel, studied_models};
use catena_benches::table::{Cell, Table};
use catena_benches::true_error::{Reference, TrueError};
use std::sync::LazyLock;
use std::time::Instant;

const RANDOM_MODELS: usize = 200;
const SEED: u64 = 20_260_114;
/// Relative and absolute tolerance.
const TOLERANCES: [(f64, f64); 3] = [(1e-4, 1e-7), (1e-6, 1e-9), (1e-9, 1e-12)];
/// With `--quick` one model of so many is run; it has no divisor in common with the number of kinds, so that as many kinds
/// as possible are met.
const QUICK_STRIDE: usize = 10;
const DEFAULT_TOLERANCE: usize = 1;
/// Longer motions of the zoo are cut, s.
const LONGEST: f64 = 10.0;
/// Steps after which a run is given up: it has told by then.
const MAX_STEPS: u64 = 200_000;
/// The true error is at most this many times the reported one ...
const UNDERSTATED: f64 = 2.0;
/// ... which is at most this many times the true one.
const OVERSTATED: f64 = 20.0;
/// A true error beyond this part of the motion is never good ...
const MOST_OF_GOOD: f64 = 0.01;
/// ... and beyond this part it is wrong.
const MOST_OF_DOUBTFUL: f64 = 0.3;
const WORST: usize = 10;
/// Models that take longer are named on standard error while they are waited for, s.
const SLOW: f64 = 3.0;

/// Every table: the name that the command line and `--json` use, and how it is measured.
const TABLES: [(&str, Measure); 8] = [
    ("honesty", honesty),
    ("verdicts", verdicts),
    ("misjudged", misjudged),
    ("doubted", doubted),
    ("kinds", kinds),
    ("understated", understated),
    ("overstated", overstated),
    ("unjudged", unjudged),
];

fn main() {
    command::main(&TABLES, Vec::new);
    if let Some(folder) = option("--keep=") {
        keep(&folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    }
}

fn option(start: &str) -> Option<String> {
    std::env::args().find_map(|argument| argument.strip_prefix(start).map(str::to_owned))
}

/// A run at a tolerance, or why there is none.
struct Case {
    /// Its number among the models.
    model: usize,
    tolerance: usize,
    outcome: Result<Judged, String>,
}

/// A run that could be judged.
struct Judged {
    rtol: f64,
    reported: f64,
    reason: String,
    valid_until: f64,
    diverged: bool,
    verdict: Grade,
    /// The true error relative to the motion, up to where the verdict is meant.
    part_of_motion: f64,
    methods: String,
    evaluations: f64,
    error: TrueError,
}

impl Judged {
    /// True error over reported error; both 0 are as they should be.
    fn ratio(&self) -> f64 {
        if self.error.largest == 0.0 && self.reported == 0.0 {
            1.0
        } else {
            self.error.largest / self.reported
        }
    }

    /// Whether it certainly says less than it makes.
    fn is_understated(&self) -> bool {
        self.error.at_least > UNDERSTATED * self.reported || self.error.largest.is_nan()
    }

    /// Whether it certainly says far more than it makes.
    fn is_overstated(&self) -> bool {
        self.reported > OVERSTATED * self.error.at_most
    }
}

static MODELS: LazyLock<Vec<StudiedModel>> = LazyLock::new(models);
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let timed = |model: usize| {
        let began = Instant::now();
        let cases = cases(model);
        let seconds = began.elapsed().as_secs_f64();
        if seconds > SLOW {
            eprintln!("{}: {seconds:.1} s", MODELS[model].name);
        }
        cases
    };
    (0..MODELS.len()).flat_map(timed).collect()
});

/// Those that the command line asks for.
fn models() -> Vec<StudiedModel> {
    let seed = option("--seed=").map_or(SEED, |seed| seed.parse().expect("a whole number"));
    let quick = std::env::args().any(|argument| argument == "--quick");
    let only = option("--only=");
    studied_models(RANDOM_MODELS, seed)
        .into_iter()
        .step_by(if quick { QUICK_STRIDE } else { 1 })
        .filter(|model| only.as_ref().is_none_or(|part| model.name.contains(part)))
        .collect()
}

fn read(studied: &StudiedModel, text: &str) -> Model {
    catena::read(Source::new("model.toml", text), &studied.settings)
        .unwrap_or_else(|error| panic!("{}: {error}\n{text}", studied.name))
}

/// A model at all tolerances.
fn cases(number: usize) -> Vec<Case> {
    let known = &MODELS[number];
    let model = read(known, &known.text);
    let t_end = known.t_end.or(model.run.t_end).unwrap_or(LONGEST);
    let t_end = if known.kind == "zoo" { t_end.min(LONGEST) } else { t_end };
    let every = model.run.every.unwrap_or(t_end / 200.0);
    let easier = known.equivalent.as_ref().map(|text| read(known, text));
    let reference = Reference::new(easier.as_ref().unwrap_or(&model), t_end, every);
    let case = |tolerance: usize| {
        let outcome = match &reference {
            Ok(reference) => judge(&model, reference, tolerance, t_end),
            Err(reasons) => Err(format!("no reference: {reasons}")),
        };
        Case { model: number, tolerance, outcome }
    };
    (0..TOLERANCES.len()).map(case).collect()
}

/// Runs a model with everything but tolerance and end left to its defaults.
fn judge(
    model: &Model,
    reference: &Reference,
    tolerance: usize,
    t_end: f64,
) -> Result<Judged, String> {
    let (rtol, atol) = TOLERANCES[tolerance];
    let settings = RunSettings {
        rtol: Some(rtol),
        atol: Some(atol),
        t_end: Some(t_end),
        max_steps: Some(MAX_STEPS),
        ..RunSettings::default()
    };
    let run = catena::run(model, &settings).map_err(|error| error.to_string())?;
    let certificate = &run.certificate;
    if let StopReason::Failed { message } = &certificate.stop {
        return Err(format!("failed: {message}"));
    }
    let estimate = certificate.estimate.ok_or("no estimate")?;
    let error = reference.error_of(model, &run, estimate.error, estimate.valid_until);
    if error.judged_until == 0.0 && estimate.valid_until > 0.0 {
        return Err(format!("references differ; {:.1e} is reported", estimate.error));
    }
    let judged_until = if estimate.chaotic { estimate.valid_until } else { t_end };
    Ok(Judged {
        rtol,
        reported: estimate.error,
        reason: certificate.verdict.reason.clone(),
        valid_until: estimate.valid_until,
        diverged: estimate.diverged,
        verdict: certificate.verdict.grade,
        part_of_motion: reference.part_of_motion(model, &run, judged_until),
        methods: format!("{}, {}", certificate.formulation, certificate.integrator),
        evaluations: certificate.statistics.evaluations as f64,
        error,
    })
}

fn judged(filter: impl Fn(&Case) -> bool) -> Vec<&'static Judged> {
    CASES.iter().filter(|case| filter(case)).filter_map(|case| case.outcome.as_ref().ok()).collect()
}

fn honesty() -> Table {
    let mut rows = Vec::new();
    for (at, (rtol, _)) in TOLERANCES.iter().enumerate() {
        rows.push(summary(&format!("{rtol:.0e}"), &|case| case.tolerance == at));
    }
    rows.push(summary("all", &|_| true));
    Table {
        title: "true error over reported error: cases, those judged, those of which the reference ends before the estimate; \
                quantiles; shares that are honest and that are not timid",
        columns: &[
            "rtol",
            "cases",
            "judged",
            "cut",
            "5 %",
            "50 %",
            "95 %",
            "98 %",
            "largest",
            "true <= 2 reported, %",
            "reported <= 20 true, %",
            "largest where good",
        ],
        rows,
    }
}

fn summary(name: &str, filter: &dyn Fn(&Case) -> bool) -> Vec<Cell> {
    let cases = CASES.iter().filter(|case| filter(case)).count() as f64;
    let judged = judged(filter);
    let mut ratios: Vec<f64> = judged.iter().map(|judged| judged.ratio()).collect();
    ratios.sort_by(f64::total_cmp);
    let quantile = |part: f64| match ratios.len() {
        0 => f64::NAN,
        count => ratios[((count - 1) as f64 * part).round() as usize],
    };
    let share = |count: usize| 100.0 * count as f64 / judged.len() as f64;
    let cut = judged.iter().filter(|judged| judged.error.judged_until < judged.valid_until).count();
    let honest = judged.iter().filter(|judged| !judged.is_understated()).count();
    let not_timid = judged.iter().filter(|judged| !judged.is_overstated()).count();
    let good = judged
        .iter()
        .filter(|judged| judged.verdict == Grade::Good)
        .map(|judged| judged.error.at_least / judged.reported);
    let figures = [
        cases,
        judged.len() as f64,
        cut as f64,
        quantile(0.05),
        quantile(0.5),
        quantile(0.95),
        quantile(0.98),
        quantile(1.0),
        share(honest),
        share(not_timid),
        good.fold(f64::NAN, f64::max),
    ];
    Cell::row(name, &figures)
}

fn verdicts() -> Table {
    let row = |at: usize| {
        let here = |case: &Case| case.tolerance == at;
        let count =
            |word: Grade| judged(here).iter().filter(|judged| judged.verdict == word).count();
        let failed = CASES.iter().filter(|case| here(case) && case.outcome.is_err()).count();
        let regular =
            |case: &Case| here(case) && MODELS[case.model].character == Character::Regular;
        let all = CASES.iter().filter(|case| regular(case)).count();
        let good = judged(regular).iter().filter(|judged| judged.verdict == Grade::Good).count();
        let counts = [Grade::Good, Grade::Doubtful, Grade::Wrong].map(|word| count(word) as f64);
        let last = [failed as f64, 100.0 * good as f64 / all as f64];
        Cell::row(&format!("{:.0e}", TOLERANCES[at].0), &[&counts[..], &last].concat())
    };
    Table {
        title: "verdicts; of the regular models 80 % are to be good at the default tolerance, 1e-6",
        columns: &["rtol", "good", "doubtful", "wrong", "no run", "good of regular, %"],
        rows: (0..TOLERANCES.len()).map(row).collect(),
    }
}

/// Verdicts that a true error forbids.
fn misjudged() -> Table {
    let forbidden = |judged: &Judged| {
        (judged.verdict == Grade::Good && judged.part_of_motion > MOST_OF_GOOD)
            || (judged.verdict != Grade::Wrong && judged.part_of_motion > MOST_OF_DOUBTFUL)
    };
    Table {
        title: "good beyond 1 % of the motion, or not wrong beyond 30 %",
        columns: &VERDICT_COLUMNS,
        rows: with_verdicts(&forbidden),
    }
}

/// Regular models that are not good at the default tolerance.
fn doubted() -> Table {
    Table {
        title: "not good, at the default tolerance",
        columns: &VERDICT_COLUMNS,
        rows: with_verdicts(&|judged| {
            judged.rtol == TOLERANCES[DEFAULT_TOLERANCE].0 && judged.verdict != Grade::Good
        }),
    }
}

static VERDICT_COLUMNS: [&str; 7] =
    ["model", "rtol", "verdict", "part of motion", "reported", "valid to s", "reason"];

fn with_verdicts(filter: &dyn Fn(&Judged) -> bool) -> Vec<Vec<Cell>> {
    let row = |case: &Case| {
        let judged = case.outcome.as_ref().ok().filter(|judged| filter(judged))?;
        let text = |text: &str| Cell::Text(text.to_owned());
        Some(vec![
            text(&MODELS[case.model].name),
            text(&format!("{:.0e}", judged.rtol)),
            text(judged.verdict.name()),
            text(&format!("{:.1e}", judged.part_of_motion)),
            text(&format!("{:.1e}", judged.reported)),
            Cell::Number(judged.valid_until),
            text(&judged.reason),
        ])
    };
    CASES.iter().filter_map(row).collect()
}

fn kinds() -> Table {
    let mut names: Vec<&str> = MODELS.iter().map(|model| model.kind).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    let row = |name: &&str| {
        let here = |case: &Case| MODELS[case.model].kind == *name;
        let judged = judged(here);
        let mut ratios: Vec<f64> = judged.iter().map(|judged| judged.ratio()).collect();
        ratios.sort_by(f64::total_cmp);
        let figures = [
            CASES.iter().filter(|case| here(case)).count() as f64,
            judged.len() as f64,
            judged.iter().filter(|judged| judged.is_understated()).count() as f64,
            judged.iter().filter(|judged| judged.is_overstated()).count() as f64,
            judged.iter().filter(|judged| judged.diverged).count() as f64,
            ratios.first().copied().unwrap_or(f64::NAN),
            ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN),
            ratios.last().copied().unwrap_or(f64::NAN),
        ];
        Cell::row(name, &figures)
    };
    Table {
        title: "by kind: cases, judged, understated, overstated, diverged; smallest, median and largest ratio",
        columns: &[
            "kind",
            "cases",
            "judged",
            "understated",
            "overstated",
            "diverged",
            "smallest",
            "median",
            "largest",
        ],
        rows: names.iter().map(row).collect(),
    }
}

fn understated() -> Table {
    Table {
        title: "worst, true error over reported error",
        columns: &LISTED,
        rows: worst(
            |judged| judged.error.at_least / judged.reported,
            |judged| judged.is_understated(),
        ),
    }
}

fn overstated() -> Table {
    Table {
        title: "most timid, reported error over true error",
        columns: &LISTED,
        rows: worst(
            |judged| judged.reported / judged.error.at_most,
            |judged| judged.is_overstated(),
        ),
    }
}

static LISTED: [&str; 11] = [
    "model",
    "rtol",
    "ratio",
    "reported",
    "true",
    "at s",
    "column",
    "judged to s",
    "valid to s",
    "evaluations",
    "methods",
];

/// Cases in descending order of a figure, at least ten and all that are beyond their bound.
fn ranked(
    figure: fn(&Judged) -> f64,
    beyond: fn(&Judged) -> bool,
) -> Vec<(&'static Case, &'static Judged)> {
    let mut all: Vec<(&Case, &Judged)> =
        CASES.iter().filter_map(|case| Some((case, case.outcome.as_ref().ok()?))).collect();
    all.sort_by(|a, b| figure(b.1).total_cmp(&figure(a.1)));
    let count = all.iter().filter(|(_, judged)| beyond(judged)).count().max(WORST);
    all.truncate(count);
    all
}

fn worst(figure: fn(&Judged) -> f64, beyond: fn(&Judged) -> bool) -> Vec<Vec<Cell>> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let row = |(case, judged): &(&Case, &Judged)| {
        vec![
            text(&MODELS[case.model].name),
            text(&format!("{:.0e}", TOLERANCES[case.tolerance].0)),
            Cell::Number(figure(judged)),
            text(&format!("{:.1e}", judged.reported)),
            text(&format!("{:.1e}", judged.error.largest)),
            Cell::Number(judged.error.time),
            text(&judged.error.column),
            Cell::Number(judged.error.judged_until),
            Cell::Number(judged.valid_until),
            Cell::Number(judged.evaluations),
            text(&judged.methods),
        ]
    };
    ranked(figure, beyond).iter().map(row).collect()
}

fn unjudged() -> Table {
    let row = |case: &Case| {
        let reason = case.outcome.as_ref().err()?;
        Some(vec![
            Cell::Text(MODELS[case.model].name.clone()),
            Cell::Text(format!("{:.0e}", TOLERANCES[case.tolerance].0)),
            Cell::Text(reason.clone()),
        ])
    };
    Table {
        title: "cases without a run, or without a reference",
        columns: &["model", "rtol", "reason"],
        rows: CASES.iter().filter_map(row).collect(),
    }
}

/// Writes the models of the worst cases.
fn keep(folder: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let low = ranked(|judged| judged.error.at_least / judged.reported, Judged::is_understated);
    let high = ranked(|judged| judged.reported / judged.error.at_most, Judged::is_overstated);
    let failed = CASES.iter().filter(|case| case.outcome.is_err());
    let cases = low.iter().chain(&high).map(|(case, _)| *case).chain(failed);
    for case in cases {
        let model = &MODELS[case.model];
        let name = model.name.replace(' ', "_");
        std::fs::write(format!("{folder}/{name}.toml"), &model.text)?;
    }
    Ok(())
}
