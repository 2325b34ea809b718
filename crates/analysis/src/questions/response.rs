//! How far a driven system swings, against the frequency of its drive.

use super::column_units::with_units;
use super::{Analysis, linear_response, response_figure};
use crate::live::with_x_range;
use crate::response::response_shown;
use crate::words::{Words, fixed, plain};
use crate::{
    Answer, Branch, Question, Refusal, Response, ResponseCurve, ResponseError, ResponsePeak,
    ResponsePoint, ResponseRequest, Watch,
};
use catena_ensemble::{Axis as VariedAxis, DeviceChoice, SweepError, SweptAxis, read_axis};
use catena_model::run_settings::METHODS_OF_MANY;
use catena_model::{Kind, Model, OptionRow, RunSettings};
use catena_simulation::{RunFailure, RunPlan, Table};
use serde_json::{Map, Value, json};

/// The row of the catalogue.
pub(super) static RESPONSE: Analysis = Analysis {
    name: "response",
    summary: "amplitudes against the frequency of the drive: from rest, up and down, with peaks",
    needs: "a drive with a frequency among the parameters",
    run_options: METHODS_OF_MANY,
    run_defaults: RESPONSE_DEFAULTS,
    options: &[&OVER, &COLUMNS, &TOLERANCE, &REFINEMENTS, &BRANCHES, &LINEAR, &INPUT],
    example: "triple-pendulum --over f=0.05:2:79 --over R=0.5,1",
    parallel: true,
    ..Analysis::answered_by(ask)
};

/// Motions that are long and have to be exact; a test compares them with [`ResponseRequest::new`].
pub(super) static RESPONSE_DEFAULTS: &[(&str, &str)] =
    &[("integrator", "dop853"), ("rtol", "1e-9"), ("atol", "1e-12"), ("max_steps", "no bound")];

/// What is varied: the frequency first.
pub(super) static OVER: OptionRow = OptionRow::new(
    "over",
    Kind::Repeated,
    "The frequencies, then a parameter with a curve for each value: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or \
     NAME=VALUE,VALUE,...",
)
.value_name("NAME=RANGE");
/// The columns whose amplitudes are found.
pub(super) static COLUMNS: OptionRow =
    OptionRow::new("columns", Kind::Words, "Amplitudes of these columns")
        .value_name("A,B,...")
        .default("the coordinates and states");
/// When a motion has settled.
pub(super) static TOLERANCE: OptionRow = OptionRow::new(
    "tolerance",
    Kind::Number,
    "How far a settled motion may be from the steady one, relative to its amplitude",
)
.value_name("R")
.default("1e-5");
/// How peaks are found between the frequencies.
pub(super) static REFINEMENTS: OptionRow = OptionRow::new(
    "refinements",
    Kind::Count(0),
    "How many times the points around each peak are made four times as dense",
)
.value_name("N")
.default("2");
static BRANCHES: OptionRow = OptionRow::new(
    "branches",
    Kind::Words,
    "From rest, or each frequency from where the one before has settled: rest, up, down",
)
.value_name("A,B,...")
.old_flag("branch")
.default("rest");
static LINEAR: OptionRow = OptionRow::new(
    "linear",
    Kind::Switch,
    "Small motions about rest instead: the complex transfer function from the drive to the columns",
);
static INPUT: OptionRow = OptionRow::new(
    "input",
    Kind::Word,
    "What the drive moves, for small motions: a definition or output",
)
.value_name("NAME")
.default("found if only one depends on time alone");

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let options = question.options;
    if options.is_on(&LINEAR) {
        return ask_linear(question);
    }
    if options.is_given(&INPUT) {
        return Err(Refusal::of_question(
            "an input is named for small motions only",
            "add {linear}, or leave out {input}",
        ));
    }
    let mut request = request(question, watch)?;
    let branches = options.words(&BRANCHES).iter().map(|name| branch(name));
    let branches = branches.collect::<Result<Vec<_>, _>>()?;
    if !branches.is_empty() {
        request.branches = branches;
    }
    let title = &question.model.title;
    let show = |so_far: &dyn Fn() -> Response| {
        watch.draw(|| with_x_range(response_figure::figure(title, &so_far()), &request.values));
    };
    let found = response_shown(question.model, &request, watch.stop, watch.looked_at(&show));
    let found = found.map_err(|error| refused(&error))?;
    let mut answer = Answer::new(RESPONSE.name, &question.model.title);
    answer.settings = settings(&request, &found);
    answer.result = json!({ "curves": curves_json(&found) });
    answer.error_estimate = error(&found);
    answer.table = table(question.model, &found);
    answer.figure = response_figure::figure(&question.model.title, &found);
    say(&mut answer.words, &found);
    answer.note_device(found.device.clone());
    note_interruption(&mut answer, &request, &found);
    Ok(answer)
}

/// Says how much of a response is known, if it was stopped before all was.
pub(super) fn note_interruption(answer: &mut Answer, request: &ResponseRequest, found: &Response) {
    if !found.complete {
        let known: usize = found.curves.iter().map(|curve| curve.points.len()).sum();
        let asked = found.curves.len() * request.values.len();
        answer.note_interruption(match known == asked {
            true => format!("all {asked} points are known, and their peaks only roughly"),
            false => format!("{known} of {asked} points are known, and peaks between these only"),
        });
    }
}

fn ask_linear(question: &Question<'_>) -> Result<Answer, Refusal> {
    let options = question.options;
    if options.is_given(&BRANCHES) {
        return Err(Refusal::of_question(
            "branches make no sense for small motions: a linear response has one branch",
            "leave out one of {branches} and {linear}",
        ));
    }
    let about_motion = [&TOLERANCE, &REFINEMENTS].into_iter().find(|row| options.is_given(row));
    let method = METHODS_OF_MANY.iter().find(|option| option.get(question.run).is_some());
    if let Some(key) = about_motion.map(|row| row.key).or(method.map(|option| option.row.key)) {
        return Err(Refusal::of_question(
            format!("`{key}` is about a motion in time: a transfer function has none"),
            format!("leave out {{{key}}} or {{linear}}"),
        ));
    }
    linear_response::ask(question, options.word(&INPUT), RESPONSE.name)
}

/// The branch of this name.
pub(super) fn branch(name: &str) -> Result<Branch, Refusal> {
    let known = Branch::ALL.iter().find(|(known, _)| *known == name);
    let names = Branch::ALL.iter().map(|(name, _)| *name);
    known.map(|(_, branch)| *branch).ok_or_else(|| Refusal::unknown("branch", name, names))
}

/// The frequencies, and the parameter with a curve for each value.
pub(super) fn ranges(question: &Question<'_>) -> Result<(VariedAxis, Option<VariedAxis>), Refusal> {
    let texts = question.options.words(&OVER);
    let axes = texts.iter().map(|text| read_axis(text)).collect::<Result<Vec<_>, _>>();
    let axes = axes.map_err(|error| Refusal::of_question(error.to_string(), error.help()))?;
    for SweptAxis { name, .. } in &axes {
        if let Some(setting) = question.model.setting_of(name) {
            return Err(Refusal::set_and_varied(name, setting, "{over}"));
        }
    }
    let plain = |SweptAxis { name, values, .. }| VariedAxis { name, values };
    let mut axes = axes.into_iter().map(plain);
    match (axes.next(), axes.next(), axes.next()) {
        (Some(frequency), parameter, None) => Ok((frequency, parameter)),
        (None, ..) => Err(Refusal::of_question(
            "no frequencies are given",
            "name them with {over}, as in {over} f=0.1:2:100",
        )),
        _ => Err(Refusal::of_question(
            "there can be at most two ranges",
            "give {over} once for the frequency and once for a parameter",
        )),
    }
}

/// What is asked of the driven system. What is left out about its motion is not taken from the model's `[run]`, but
/// chosen for motions that are long and have to be exact.
pub(super) fn request(
    question: &Question<'_>,
    watch: &Watch<'_>,
) -> Result<ResponseRequest, Refusal> {
    let (model, options) = (question.model, question.options);
    let (frequency, parameter) = ranges(question)?;
    let standard = ResponseRequest::new(model, frequency.values);
    let defaults = RunSettings {
        formulation: model.run.formulation.clone(),
        integrator: Some(standard.integrator.name.to_owned()),
        rtol: Some(standard.integration.rtol),
        atol: Some(standard.integration.atol),
        max_steps: Some(standard.integration.max_steps),
        ..RunSettings::default()
    };
    let plan = RunPlan::new(model, question.run, &defaults)?;
    let mut request = ResponseRequest {
        frequency: Some(frequency.name),
        parameter,
        outputs: options.words(&COLUMNS).to_vec(),
        formulation: plan.formulation.entry,
        formulation_options: plan.formulation.options,
        integrator: plan.options.integrator,
        integration: plan.options.integration,
        device: DeviceChoice::of(question.run),
        threads: watch.threads,
        ..standard
    };
    if let Some(tolerance) = options.number(&TOLERANCE) {
        request.transient.tolerance = tolerance;
    }
    if let Some(refinements) = options.count(&REFINEMENTS) {
        request.refinements = refinements as usize;
    }
    Ok(request)
}

/// Why there is no response.
pub(super) fn refused(error: &ResponseError) -> Refusal {
    if let ResponseError::Sweep(SweepError::Run(run)) = error {
        return RunFailure::Run(run.clone()).into();
    }
    if let ResponseError::Sweep(SweepError::Device(device)) = error {
        return Refusal::of_device(device);
    }
    let help = match error {
        ResponseError::NoDrive => {
            "write a force, a definition or a constraint with a sine or cosine of t".to_owned()
        }
        ResponseError::UnknownFrequency { meant: Some(meant), .. }
        | ResponseError::Sweep(SweepError::UnknownAxis { meant: Some(meant), .. }) => {
            format!("did you mean `{meant}`?")
        }
        ResponseError::UnknownFrequency { .. } | ResponseError::NotPeriodic { .. } => {
            "the first {over} names the parameter f of cos(2*pi*f*t), or omega of cos(omega*t)"
                .to_owned()
        }
        ResponseError::BadFrequencies => "write {over} f=0.1:2:100".to_owned(),
        ResponseError::Twice { .. } => "let the second {over} name another parameter".to_owned(),
        ResponseError::Sweep(SweepError::UnknownAxis { known, .. }) => {
            format!("known: {}", known.join(", "))
        }
        ResponseError::BadSetting { .. } => "write another number".to_owned(),
        _ => "{check} says more about the model".to_owned(),
    };
    match error {
        ResponseError::NoDrive => Refusal::of_model(error.to_string(), help),
        _ => Refusal::of_question(error.to_string(), help),
    }
}

fn say(words: &mut Words, found: &Response) {
    let frequency = format!("{}, {}", found.frequency.name, found.frequency.unit.symbol());
    for curve in &found.curves {
        let peaks = found.outputs.iter().zip(&curve.peaks);
        let rows: Vec<Vec<String>> =
            peaks.flat_map(|(name, peaks)| peaks.iter().map(|peak| peak_row(name, peak))).collect();
        words.say(format!("{}: {}", curve_name(found, curve), settled(curve)));
        match rows.is_empty() {
            true if found.complete => words.say("no peak between these frequencies"),
            true => words.say("no peak between the points that are known"),
            false => {
                words.table(["peak of", frequency.as_str(), "±", "amplitude", "±", ""], rows);
            }
        }
        words.say("");
    }
}

/// A peak as a row of words.
pub(super) fn peak_row(name: &str, peak: &ResponsePeak) -> Vec<String> {
    let remark = match (peak.jump, peak.settled) {
        (true, true) => "jumps",
        (true, false) => "jumps, not settled",
        (false, true) => "",
        (false, false) => "not settled",
    };
    vec![
        name.to_owned(),
        fixed(peak.frequency, 6),
        format!("{:.1e}", peak.frequency_error),
        fixed(peak.amplitude, 6),
        match peak.amplitude_error.is_finite() {
            true => format!("{:.1e}", peak.amplitude_error),
            false => "unknown".to_owned(),
        },
        remark.to_owned(),
    ]
}

/// How good the points of a curve are.
fn settled(curve: &ResponseCurve) -> String {
    let points = curve.points.len();
    let settled = curve.points.iter().filter(|point| point.settled);
    let worst = settled.clone().map(|point| point.error).fold(0.0, f64::max);
    let mut text = format!("{} of {points} points settled to {worst:.1e}", settled.count());
    let unsettled = curve.refined.iter().filter(|point| !point.settled).count();
    if unsettled > 0 {
        let more = curve.refined.len();
        text += &format!("; of {more} more around peaks {unsettled} have not");
    }
    let resting = curve.points.iter().filter(|point| point.settled && point.noise >= 1.0).count();
    if resting > 0 {
        text += &format!("; {resting} come to rest");
    }
    let failures: Vec<&String> =
        curve.points.iter().filter_map(|point| point.failure.as_ref()).collect();
    let again = curve.points.iter().filter(|point| point.repeats_after > 1).count();
    if again > 0 {
        text += &format!("; {again} repeat after several periods of the drive");
    }
    if let Some(reason) = failures.first() {
        text += &format!("; {} failed: {reason}", failures.len());
    }
    if let Some(error) = curve.integration_error {
        text += &format!("; tighter tolerances change the highest amplitude by {error:.1e}");
    }
    text
}

/// What was asked, with everything that was left open filled in.
pub(super) fn settings(request: &ResponseRequest, response: &Response) -> Value {
    let transient = &request.transient;
    json!({
        "frequency": response.frequency.name,
        "unit": response.frequency.unit.symbol(),
        "parameter": response.varied,
        "outputs": response.outputs,
        "branches": request.branches.iter().map(|branch| branch.name()).collect::<Vec<_>>(),
        "settling": {
            "tolerance": transient.tolerance,
            "e_folds": transient.e_folds,
            "legs": transient.max_blocks,
            "most_periods": transient.max_periods,
            "rows": transient.rows,
        },
        "refinements": request.refinements,
        "prominence": request.prominence,
        "formulation": request.formulation.name,
        "integrator": request.integrator.name,
        "rtol": request.integration.rtol,
        "atol": request.integration.atol,
        "step": request.integration.step,
    })
}

/// Every curve with its points and peaks.
pub(super) fn curves_json(response: &Response) -> Value {
    let curve = |curve: &ResponseCurve| {
        json!({
            "branch": curve.branch.name(),
            "value": curve.value,
            "decay_rate": curve.decay_rate,
            "integration_error": curve.integration_error,
            "points": points_json(response, &curve.points),
            "refined": points_json(response, &curve.refined),
            "peaks": by_output(response, curve.peaks.iter().map(|peaks| {
                Value::Array(peaks.iter().map(peak_json).collect())
            })),
        })
    };
    Value::Array(response.curves.iter().map(curve).collect())
}

fn by_output(response: &Response, values: impl Iterator<Item = Value>) -> Value {
    Value::Object(response.outputs.iter().cloned().zip(values).collect::<Map<_, _>>())
}

fn points_json(response: &Response, points: &[ResponsePoint]) -> Value {
    Value::Array(points.iter().map(|point| point_json(response, point)).collect())
}

fn point_json(response: &Response, point: &ResponsePoint) -> Value {
    json!({
        "frequency": point.frequency,
        "amplitude": by_output(response, point.amplitudes.iter().map(|value| json!(value))),
        "largest": by_output(response, point.largest.iter().map(|value| json!(value))),
        "settled": point.settled,
        "repeats_after": point.repeats_after,
        "residual": point.residual,
        "error": point.error,
        "noise": point.noise,
        "time": point.time,
        "failure": point.failure,
    })
}

pub(super) fn peak_json(peak: &ResponsePeak) -> Value {
    json!({
        "frequency": peak.frequency,
        "frequency_error": peak.frequency_error,
        "amplitude": peak.amplitude,
        "amplitude_error": peak.amplitude_error,
        "jump": peak.jump,
        "settled": peak.settled,
    })
}

/// The largest error of a settled amplitude, relative to its size: what is left of the transient, and of the integration.
pub(super) fn error(response: &Response) -> Option<f64> {
    let errors = response.curves.iter().flat_map(|curve| {
        let settled = curve.points.iter().filter(|point| point.settled);
        settled.map(|point| point.error).chain(curve.integration_error)
    });
    errors.reduce(f64::max)
}

/// A row for each point. Branches are numbered: 0 from rest, 1 up, 2 down; what is true is 1.
fn table(model: &Model, response: &Response) -> Table {
    let mut names: Vec<String> = response.varied.iter().cloned().collect();
    names.extend(["branch".to_owned(), response.frequency.name.clone()]);
    names.extend(response.outputs.iter().cloned());
    names.extend(response.outputs.iter().map(|name| format!("{name}_largest")));
    names.extend(["settled", "repeats_after", "residual", "error", "time"].map(str::to_owned));
    let mut table = Table::new(names, 0);
    for curve in &response.curves {
        let branch = Branch::ALL.iter().position(|(_, branch)| *branch == curve.branch);
        for point in curve.all_points() {
            let row = curve
                .value
                .into_iter()
                .chain([branch.unwrap_or(0) as f64, point.frequency])
                .chain(point.amplitudes.iter().copied())
                .chain(point.largest.iter().copied())
                .chain([f64::from(u8::from(point.settled)), f64::from(point.repeats_after)])
                .chain([point.residual, point.error, point.time]);
            table.push(row);
        }
    }
    let frequency = &response.frequency;
    let given = [(frequency.name.as_str(), frequency.unit.symbol()), ("time", "s")];
    with_units(table, model, &given, &["_largest"])
}

/// As in a legend: `R = 0.1, up`, or what tells the curves apart.
fn curve_name(response: &Response, curve: &ResponseCurve) -> String {
    let branch = curve.branch.name();
    let one_branch = response.curves.iter().all(|other| other.branch == curve.branch);
    match (&response.varied, curve.value) {
        (Some(name), Some(value)) if one_branch => format!("{name} = {}", plain(value)),
        (Some(name), Some(value)) => format!("{name} = {}, {branch}", plain(value)),
        _ => branch.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::{Model, Source};

    #[test]
    fn the_defaults_that_help_texts_show_are_those_of_a_request() {
        let text = "coordinates = { x = \"\" }\nenergy.kinetic = \"x'^2\"";
        let model = Model::read(Source::new("test.toml", text), &[]).expect("it is a model");
        let request = ResponseRequest::new(&model, vec![1.0]);
        let shown = |key: &str| RESPONSE_DEFAULTS.iter().find(|(known, _)| *known == key);
        let number = |key: &str| shown(key).and_then(|(_, text)| text.parse().ok());
        assert_eq!(shown("integrator").map(|(_, name)| *name), Some(request.integrator.name));
        assert_eq!(number("rtol"), Some(request.integration.rtol));
        assert_eq!(number("atol"), Some(request.integration.atol));
        assert_eq!(request.integration.max_steps, u64::MAX);
    }
}
