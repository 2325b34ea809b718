//! Chains of several lengths by several methods: time against tolerance, links and error.

use super::Analysis;
use super::compare::{
    FORMULATIONS, INTEGRATORS, TOLERANCES, comparison_table, methods, outcome_json,
};
use crate::methods::bench_shown;
use crate::words::duration;
use crate::{
    Answer, BenchCell, BenchError, BenchOutcome, BenchRequest, BenchResult, Question, Refusal,
    Watch, bench_tables,
};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::power_of_ten;
use catena_model::run_settings::{T_END, WITH};
use catena_model::{Kind, OptionRow};
use catena_simulation::Table;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static BENCH: Analysis = Analysis {
    name: "bench",
    summary: "chains of several lengths by several methods: time against tolerance, links and error",
    needs: "a chain of links",
    run_options: &[&T_END, &WITH],
    run_defaults: &[("t_end", "5")],
    options: &[&LINKS, &FORMULATIONS, &INTEGRATORS, &TOLERANCES, &EVERY],
    example: "pendulum-chain --links 2,4,8",
    default_model: "chain",
    ..Analysis::answered_by(ask)
};

static LINKS: OptionRow = OptionRow::new("links", Kind::Numbers, "Numbers of links")
    .value_name("N,N,...")
    .default("2,4,8,16,20,40");
static EVERY: OptionRow = OptionRow::new("every", Kind::Numbers, "Distances of rows, s")
    .value_name("DT,DT,...")
    .unit("s")
    .default("0.01");

/// What is measured when nothing is said.
const DEFAULT_LINKS: [u64; 6] = [2, 4, 8, 16, 20, 40];
const DEFAULT_FORMULATIONS: [&str; 5] =
    ["recursive", "minimal", "multipliers", "baumgarte", "augmented-lagrangian"];
const DEFAULT_TOLERANCES: [f64; 4] = [1e-2, 1e-4, 1e-6, 1e-8];
const DEFAULT_END: f64 = 5.0;

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let model = question.model;
    let request = request(question)?;
    let show = |so_far: &dyn Fn() -> BenchResult| watch.draw(|| figure(&so_far().outcomes));
    let BenchResult { outcomes: found, complete } =
        bench_shown(model, &request, watch, watch.looked_at(&show)).map_err(refused)?;
    let mut answer = Answer::new(BENCH.name, &model.title);
    answer.settings = json!({
        "links": request.links,
        "every": request.every,
        "formulations": request.methods.formulations,
        "integrators": request.methods.integrators,
        "tolerances": request.methods.tolerances,
        "t_end": request.methods.run.t_end,
    });
    answer.result = json!({ "outcomes": found.iter().map(one).collect::<Vec<_>>() });
    let links = found.iter().map(|o| o.links as f64).collect();
    let mut table = Table::default().with_numbers("links", "", links);
    table.columns.extend(comparison_table(found.iter().map(|o| &o.outcome)).columns);
    answer.table = table;
    answer.figure = figure(&found);
    for (title, rows) in bench_tables(&found) {
        let cells = rows.rows.iter().map(|row| row.iter().map(cell).collect());
        answer.words.say(title);
        answer.words.say("");
        answer.words.table(rows.headings.iter().map(String::as_str), cells.collect());
        answer.words.say("");
    }
    if !complete {
        let known = found.len();
        answer.note_interruption(format!("{known} ways and lengths are measured, others are not"));
    }
    Ok(answer)
}

fn request(question: &Question<'_>) -> Result<BenchRequest, Refusal> {
    if let Some(setting) = question.model.setting_of("links") {
        return Err(Refusal::set_and_varied("links", setting, "name it with {links}"));
    }
    let whole = |links: &f64| match links.fract() == 0.0 && *links >= 1.0 {
        true => Ok(*links as u64),
        false => Err(Refusal::of_question(
            format!("a chain cannot have {links} links"),
            "write {links} 2,4,8",
        )),
    };
    let links = match question.options.numbers(&LINKS) {
        [] => DEFAULT_LINKS.to_vec(),
        given => given.iter().map(whole).collect::<Result<_, _>>()?,
    };
    let every = match question.options.numbers(&EVERY) {
        [] => vec![0.01],
        given => given.to_vec(),
    };
    let mut methods = methods(question);
    methods.run.t_end = methods.run.t_end.or(Some(DEFAULT_END));
    if methods.formulations.is_empty() {
        methods.formulations = DEFAULT_FORMULATIONS.map(str::to_owned).to_vec();
    }
    if methods.tolerances.is_empty() {
        methods.tolerances = DEFAULT_TOLERANCES.to_vec();
    }
    Ok(BenchRequest { links, every, methods })
}

fn refused(error: BenchError) -> Refusal {
    match error {
        BenchError::Run(failure) => failure.into(),
        BenchError::Model(problems) => {
            let message = format!("the length cannot be changed: {problems}");
            Refusal::of_question(message, "name a chain, such as `chain` or `pendulum-chain`")
        }
    }
}

fn one(found: &BenchOutcome) -> Value {
    let mut object = json!({ "links": found.links });
    if let (Some(object), Value::Object(rest)) =
        (object.as_object_mut(), outcome_json(&found.outcome))
    {
        object.extend(rest);
    }
    object
}

fn cell(cell: &BenchCell) -> String {
    match cell {
        BenchCell::Text(text) => text.clone(),
        BenchCell::Seconds(value) => duration(*value),
        BenchCell::Error(value) => format!("{value:.1e}"),
        BenchCell::Exponent(value) => format!("{value:.2}"),
        BenchCell::None => "–".to_owned(),
    }
}

/// Time against links, tolerance and error.
fn figure(outcomes: &[BenchOutcome]) -> Figure {
    let tightest = outcomes.iter().map(|o| o.outcome.tolerance).fold(f64::INFINITY, f64::min);
    let longest = outcomes.iter().map(|o| o.links).max().unwrap_or(0);
    let finest = outcomes.iter().map(|o| o.outcome.every).fold(f64::INFINITY, f64::min);
    let panel = |title: String,
                 label: &str,
                 x: fn(&BenchOutcome) -> f64,
                 wanted: &dyn Fn(&BenchOutcome) -> bool| {
        let mut panel = Panel::new(title, Axis::logarithmic(label), Axis::logarithmic("time, s"));
        let mut names: Vec<&str> = Vec::new();
        for outcome in outcomes {
            if !names.contains(&outcome.outcome.formulation) {
                names.push(outcome.outcome.formulation);
            }
        }
        for name in names {
            let mut points: Vec<(f64, f64)> = outcomes
                .iter()
                .filter(|o| o.outcome.formulation == name && o.outcome.every == finest)
                .filter(|o| o.outcome.failure.is_none() && wanted(o))
                .map(|o| (x(o), o.outcome.seconds))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            panel = panel.with(Series::line_and_marks(name, x, y));
        }
        panel
    };
    Figure::new("Chains")
        .with(panel(
            format!("Time against links, tolerance {}", power_of_ten(tightest)),
            "links",
            |o| o.links as f64,
            &|o| o.outcome.tolerance == tightest,
        ))
        .with(panel(
            format!("Time against tolerance, {longest} links"),
            "tolerance",
            |o| o.outcome.tolerance,
            &|o| o.links == longest,
        ))
        .with(panel(
            format!("Time against error, {longest} links"),
            "largest error",
            |o| o.outcome.error.error,
            &|o| o.links == longest && o.outcome.is_whole(),
        ))
}
