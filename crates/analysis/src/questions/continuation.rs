//! How periodic motions and equilibria change with a parameter: families followed through folds, with their stability.

use super::column_units::with_units;
use super::continuation_facts::{branches_json, table};
use super::{Analysis, continuation_figure, continuation_words};
use crate::continuation::continuation_shown;
use crate::live::with_x_range;
use crate::{
    Answer, ContinuationError, ContinuationRequest, FollowedKind, FollowedQuantity, MotionPoint,
    Question, Refusal, SolutionCurves, Watch,
};
use catena_model::run_settings::METHODS_ALONE;
use catena_model::{AllowedUnit, Kind, OptionRow, RunSettings, read_number};
use catena_simulation::{FlowError, RunPlan, TangentFlow};
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static CONTINUATION: Analysis = Analysis {
    name: "continuation",
    summary: "periodic motions and equilibria over a parameter, through folds: stability, multipliers, bifurcations",
    needs: "a drive, a limit cycle or an equilibrium",
    run_options: METHODS_ALONE,
    run_defaults: CONTINUATION_DEFAULTS,
    options: &[&OVER, &OF, &FROM, &COLUMNS, &MULTIPLE, &PERIOD, &DEPTH, &POINTS],
    example: "driven-pendulum --over drive=0.9:1.1",
    parallel: true,
    ..Analysis::answered_by(ask)
};

/// Motions that have to be exact; a test compares them with [`ContinuationRequest::new`].
static CONTINUATION_DEFAULTS: &[(&str, &str)] = &[
    ("formulation", "minimal, or projection with constraints"),
    ("integrator", "dop853"),
    ("rtol", "1e-10"),
    ("atol", "1e-12"),
    ("max_steps", "no bound"),
];

static OVER: OptionRow = OptionRow::new(
    "over",
    Kind::Word,
    "What is varied, from where the first motion is looked for to where it ends: NAME=FROM:TO, with a parameter, or \
     `period` or `amplitude` of a conservative model",
)
.value_name("NAME=FROM:TO");
static OF: OptionRow = OptionRow::new(
    "of",
    Kind::Choice(&["periodic", "equilibrium"]),
    "What is followed: periodic motions, or states of rest with the drive off",
)
.default("motions, or rest where nothing swings");
static FROM: OptionRow = OptionRow::new(
    "from",
    Kind::Choice(&["settled", "hopf"]),
    "Where motions begin: with the one the model settles to, or at the Hopf points of its equilibria",
)
.default("settled");
static COLUMNS: OptionRow =
    OptionRow::new("columns", Kind::Words, "Amplitudes of these columns, or their values at rest")
        .value_name("A,B,...")
        .default("the coordinates and states");
static MULTIPLE: OptionRow = OptionRow::new(
    "multiple",
    Kind::Count(1),
    "After how many periods of the drive the first motion repeats",
)
.value_name("N")
.default("1");
static PERIOD: OptionRow = OptionRow::new(
    "period",
    Kind::Word,
    "The period of the drive, s: a number or a formula of parameters",
)
.value_name("FORMULA")
.default("found from the equations");
static DEPTH: OptionRow = OptionRow::new(
    "depth",
    Kind::Count(0),
    "Branches that leave others, at period doublings and branch points, are followed so many times in a row",
)
.value_name("N")
.default("2");
static POINTS: OptionRow = OptionRow::new("points", Kind::Count(2), "Points of one branch at most")
    .value_name("N")
    .default("400");

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let model = question.model;
    let mut request = request(question, watch)?;
    let mut remark = None;
    let range = request.range;
    let show = |so_far: &dyn Fn() -> SolutionCurves| {
        watch.draw(|| {
            let found = so_far();
            let figure = continuation_figure::figure(&model.title, &found);
            // over the amplitude of a family it is not the axis that is asked for
            match found.followed {
                FollowedQuantity::Parameter(_) => with_x_range(figure, &range),
                _ => figure,
            }
        });
    };
    let show = watch.looked_at(&show);
    let mut found = continuation_shown(model, &request, watch, show);
    let is_free = !question.options.is_given(&OF) && !question.options.is_given(&FROM);
    if let Err(reason @ (ContinuationError::ComesToRest { .. } | ContinuationError::Conservative)) =
        &found
        && is_free
    {
        remark = Some(format!("{reason}, so that equilibria are followed"));
        request.kind = FollowedKind::Equilibria;
        found = continuation_shown(model, &request, watch, show);
    }
    let found = found.map_err(|error| refused(&error))?;
    let mut answer = Answer::new(CONTINUATION.name, &model.title);
    answer.settings = settings(&request);
    answer.result = json!({ "branches": branches_json(&found) });
    answer.error_estimate = found.integration_error;
    answer.table = with_units(table(&found), model, &[("period", "s")], &[]);
    answer.figure = continuation_figure::figure(&model.title, &found);
    if let Some(remark) = remark {
        answer.words.remark("note", remark);
    }
    continuation_words::say(&mut answer.words, &found);
    if !found.complete {
        let points: usize = found.branches.iter().map(|branch| branch.points.len()).sum();
        answer.note_interruption(format!("{points} points are known"));
    }
    Ok(answer)
}

/// What is asked. What is left out about the integration is not taken from the model's `[run]`, but chosen for motions that
/// have to be exact.
fn request(question: &Question<'_>, watch: &Watch<'_>) -> Result<ContinuationRequest, Refusal> {
    let (model, options) = (question.model, question.options);
    let (over, range) = followed(question)?;
    let from_hopf = options.word(&FROM) == Some("hopf");
    // a Hopf point at an end of the range is inside
    let widened = |[from, to]: [f64; 2]| {
        let beyond = HOPF_MARGIN * (to - from);
        [from - beyond, to + beyond]
    };
    let range = if from_hopf { widened(range) } else { range };
    let standard = ContinuationRequest::new(model, over, range);
    let defaults = RunSettings {
        formulation: Some(TangentFlow::formulation_of(model).name.to_owned()),
        integrator: Some(standard.integrator.name.to_owned()),
        rtol: Some(standard.integration.rtol),
        atol: Some(standard.integration.atol),
        max_steps: Some(standard.integration.max_steps),
        ..RunSettings::default()
    };
    let plan = RunPlan::new(model, question.run, &defaults)?;
    let wants_rest = options.word(&OF) == Some("equilibrium");
    if from_hopf && options.word(&OF) == Some("equilibrium") {
        return Err(Refusal::of_question(
            "motions that begin at Hopf points are periodic",
            "leave out {of}, or {from}",
        ));
    }
    let kind = match wants_rest || from_hopf {
        true => FollowedKind::Equilibria,
        false => FollowedKind::Motions,
    };
    let mut request = ContinuationRequest {
        kind,
        from_hopf,
        columns: options.words(&COLUMNS).to_vec(),
        multiple: options.count(&MULTIPLE).map(|count| count as u32),
        period: options.word(&PERIOD).map(str::to_owned),
        formulation: plan.formulation.entry,
        formulation_options: plan.formulation.options,
        integrator: plan.options.integrator,
        integration: plan.options.integration,
        threads: watch.threads,
        ..standard
    };
    if let Some(depth) = options.count(&DEPTH) {
        request.depth = depth as usize;
    }
    if let Some(points) = options.count(&POINTS) {
        request.max_points = points as usize;
    }
    Ok(request)
}

/// What is varied, and from where to where.
fn followed(question: &Question<'_>) -> Result<(FollowedQuantity, [f64; 2]), Refusal> {
    const FORM: &str = "write {over} NAME=FROM:TO, as in {over} drive=0.9:1.1";
    let Some(text) = question.options.word(&OVER) else {
        return Err(Refusal::of_question("nothing is varied", FORM));
    };
    let bad = |reason: &str| Refusal::of_question(format!("`{text}` is no range: {reason}"), FORM);
    let (name, range) = text.split_once('=').ok_or_else(|| bad("it has no equals sign"))?;
    let (name, parts) = (name.trim(), range.split(':').collect::<Vec<_>>());
    let [from, to] = match parts.as_slice() {
        [from, to] => [from, to].map(|text| read_number(text, AllowedUnit::Any)),
        [_, _, _] => {
            return Err(bad("a number of values has no meaning, for steps are chosen on the way"));
        }
        _ => return Err(bad("it needs two ends")),
    };
    let number = |value: Result<f64, _>| value.map_err(|_| bad("its ends are no numbers"));
    let range = [number(from)?, number(to)?];
    if range[0] == range[1] {
        return Err(bad("both ends are the same"));
    }
    if let Some(setting) = question.model.setting_of(name) {
        return Err(Refusal::set_and_varied(name, setting, "{over}"));
    }
    let is_parameter = question.model.parameter(name).is_some();
    let over = match name {
        "period" if !is_parameter => FollowedQuantity::Period,
        "amplitude" if !is_parameter => FollowedQuantity::Amplitude,
        name => FollowedQuantity::Parameter(name.to_owned()),
    };
    Ok((over, range))
}

/// Why nothing can be followed.
/// The part of the range that is looked at beyond its ends for Hopf points.
const HOPF_MARGIN: f64 = 1e-3;

fn refused(error: &ContinuationError) -> Refusal {
    let message = error.to_string();
    match error {
        ContinuationError::Period(period) => period.clone().into(),
        ContinuationError::Rest(rest) => rest.clone().into(),
        ContinuationError::Run(run) => run.clone().into(),
        ContinuationError::UnknownParameter { meant: Some(meant), .. } => {
            Refusal::of_question(message, format!("did you mean `{meant}`?"))
        }
        ContinuationError::UnknownParameter { known, .. } => {
            Refusal::of_question(message, format!("parameters: {}", known.join(", ")))
        }
        ContinuationError::NoDrive { .. } => Refusal::of_question(
            message,
            "leave out {multiple}: the period of a motion without a drive is found with it",
        ),
        ContinuationError::NotPeriodic { repeats: Some((periods, _)), .. } => Refusal::of_model(
            message,
            format!("try {{multiple}} {periods}, or begin {{over}} elsewhere"),
        ),
        ContinuationError::NotPeriodic { .. } => Refusal::of_model(
            message,
            "begin {over} where the motion settles to a periodic one, or start it elsewhere with {set}",
        ),
        ContinuationError::NoReturn { .. } => Refusal::of_model(
            message,
            "begin {over} or start the model with {set} where it is periodic, or follow equilibria with {of} equilibrium",
        ),
        ContinuationError::ComesToRest { .. } => Refusal::of_model(
            message,
            "follow equilibria with {of} equilibrium, motions from their Hopf points with {from} hopf, or begin {over} where \
             it swings",
        ),
        ContinuationError::NoSolution { .. } => {
            Refusal::of_model(message, "begin {over} elsewhere, or tighten {rtol}")
        }
        ContinuationError::NotIsolated { .. } => {
            Refusal::of_model(message, "hold it with a spring or a constraint")
        }
        ContinuationError::NoHopf => Refusal::of_model(
            message,
            "widen {over}, or start the model near another equilibrium with {set}",
        ),
        ContinuationError::Driven { .. } | ContinuationError::Damped { .. } => {
            Refusal::of_model(message, "name a parameter with {over}")
        }
        ContinuationError::OutsideRange { .. } => Refusal::of_question(
            message,
            "let {over} enclose it, or start the model elsewhere with {set}",
        ),
        ContinuationError::Conservative => Refusal::of_model(
            message,
            "follow the family itself with {over} period=FROM:TO or amplitude=FROM:TO, or {of} equilibrium",
        ),
        ContinuationError::Flow(FlowError::Jump { .. }) => Refusal::of_model(
            message,
            "write the jump as a steep smooth function, as in tanh(v/0.01) for sign(v)",
        ),
        ContinuationError::Flow(_) => {
            Refusal::of_model(message, "{check} says more about the model")
        }
    }
}

fn settings(request: &ContinuationRequest) -> Value {
    json!({
        "over": request.over.name(),
        "from": request.range[0],
        "to": request.range[1],
        "of": match request.kind {
            FollowedKind::Equilibria => "equilibrium",
            FollowedKind::Motions => "periodic",
        },
        "hopf": request.from_hopf,
        "multiple": request.multiple,
        "depth": request.depth,
        "formulation": request.formulation.name,
        "integrator": request.integrator.name,
        "rtol": request.integration.rtol,
        "atol": request.integration.atol,
    })
}

/// The value that is varied at a point.
pub(super) fn value_of(found: &SolutionCurves, point: &MotionPoint) -> f64 {
    match found.followed {
        FollowedQuantity::Parameter(_) => point.parameter,
        FollowedQuantity::Period => point.period,
        FollowedQuantity::Amplitude => point.amplitudes.first().copied().unwrap_or(f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::{Model, Source};

    #[test]
    fn the_defaults_that_help_texts_show_are_those_of_a_request() {
        let text = "parameters.k = 1\nstates.x = \"-k*x\"";
        let model = Model::read(Source::new("test.toml", text), &[]).expect("it is a model");
        let request = ContinuationRequest::new(&model, FollowedQuantity::Period, [1.0, 2.0]);
        let shown = |key: &str| CONTINUATION_DEFAULTS.iter().find(|(known, _)| *known == key);
        let number = |key: &str| shown(key).and_then(|(_, text)| text.parse().ok());
        assert_eq!(shown("integrator").map(|(_, name)| *name), Some(request.integrator.name));
        assert_eq!(number("rtol"), Some(request.integration.rtol));
        assert_eq!(number("atol"), Some(request.integration.atol));
        assert_eq!(request.integration.max_steps, u64::MAX);
        assert_eq!(DEPTH.default.parse(), Ok(request.depth));
        assert_eq!(POINTS.default.parse(), Ok(request.max_points));
    }
}
