//! The response of small motions: complex transfer functions from the drive.

use super::column_units::with_units;
use super::response::{COLUMNS, ranges, refused};
use super::response_figure::PEAK_COLOUR;
use crate::family::Family;
use crate::quantity::with_unit;
use crate::words::{Words, fixed, plain};
use crate::{
    Answer, Complex, LinearCurve, LinearPeak, LinearResponse, LinearResponseError,
    LinearResponseRequest, Question, Refusal, ResponseError, TransferError, linear_response,
};
use catena_figure::{Axis, Colour, Figure, Panel, Series};
use catena_model::Model;
use catena_simulation::Table;
use catena_symbolic::figure_label;
use serde_json::{Map, Value, json};

/// Part of a turn by which half a turn may fall short of it.
const HALF_TURN_TOLERANCE: f64 = 1e-9;
/// The largest number of rows that are written out in words.
const MAX_WRITTEN_ROWS: usize = 40;
/// The largest number of outputs side by side in them.
const MAX_WRITTEN_OUTPUTS: usize = 6;

/// Answers the question `response` for small motions.
pub(super) fn ask(
    question: &Question<'_>,
    input: Option<&str>,
    name: &'static str,
) -> Result<Answer, Refusal> {
    let (frequency, parameter) = ranges(question)?;
    let request = LinearResponseRequest {
        frequency: Some(frequency.name),
        values: frequency.values,
        parameter,
        input: input.map(str::to_owned),
        outputs: question.options.words(&COLUMNS).to_vec(),
    };
    let found = linear_response(question.model, &request).map_err(no_response)?;
    let curves = found.curves.iter().map(|curve| curve_json(&found, curve));
    let mut answer = Answer::new(name, &question.model.title);
    answer.settings = settings(&found);
    answer.result = json!({ "frequencies": found.values, "curves": curves.collect::<Vec<_>>() });
    answer.error_estimate = Some(found.error());
    answer.table = table(question.model, &found);
    answer.figure = figure(&question.model.title, &found);
    say(&mut answer.words, &found);
    Ok(answer)
}

fn no_response(error: LinearResponseError) -> Refusal {
    let message = error.to_string();
    match error {
        LinearResponseError::Request(error) => refused(&error),
        LinearResponseError::Rest(error) => error.into(),
        LinearResponseError::Transfer(TransferError::NoDrive) => refused(&ResponseError::NoDrive),
        LinearResponseError::Transfer(TransferError::Unknown { name, known }) => Refusal {
            message,
            ..Refusal::unknown("column", &name, known.iter().map(String::as_str))
        },
        LinearResponseError::Resonance { .. } => Refusal::of_model(
            message,
            "add damping, or choose frequencies near it: peaks are found between them",
        ),
        LinearResponseError::Transfer(TransferError::FrequencyAtRest { .. }) => {
            Refusal::of_question(message, "give the drive a parameter of its own for its frequency")
        }
        LinearResponseError::NoParameter { meant: Some(meant), .. } => {
            Refusal::of_question(message, format!("did you mean `{meant}`?"))
        }
        LinearResponseError::NoParameter { known, .. } => {
            Refusal::of_question(message, format!("parameters: {}", known.join(", ")))
        }
        LinearResponseError::NamelessInput => Refusal::of_question(
            message,
            "write the drive as a definition, such as push = \"F*cos(omega*t)\"",
        ),
        LinearResponseError::SeveralInputs { candidates } => Refusal::of_question(
            message,
            format!("name the input, as in {{input}} {}", candidates[0]),
        ),
        LinearResponseError::StillInput { candidates, .. } if !candidates.is_empty() => {
            let help = format!("what depends on time alone: {}", candidates.join(", "));
            Refusal::of_question(message, help)
        }
        _ => Refusal::of_question(message, "{check} says more about the model"),
    }
}

/// The peaks of every curve, and its responses if they can be read.
fn say(words: &mut Words, found: &LinearResponse) {
    words.say(format!("small motions, relative to the amplitude of {}", found.input));
    words.say("");
    for curve in &found.curves {
        if let (Some(name), Some(value)) = (&found.varied, curve.value) {
            words.say(format!("{name} = {}", plain(value)));
        }
        say_responses(words, found, curve);
        say_peaks(words, found, curve);
        words.say("");
    }
    words.say(format!("responses accurate to {:.1e} of the largest", found.error()));
}

fn frequency_label(found: &LinearResponse) -> String {
    match found.unit {
        Some(unit) => format!("{}, {}", found.frequency, unit.symbol()),
        None => found.frequency.clone(),
    }
}

fn say_responses(words: &mut Words, found: &LinearResponse, curve: &LinearCurve) {
    if found.values.len() > MAX_WRITTEN_ROWS || found.outputs.len() > MAX_WRITTEN_OUTPUTS {
        words.say("the table has the responses");
        return;
    }
    let headings = std::iter::once(frequency_label(found)).chain(found.outputs.iter().cloned());
    let row = |(at, frequency): (usize, &f64)| {
        let cells = curve.responses.iter().map(|column| polar(&column[at]));
        std::iter::once(fixed(*frequency, 6)).chain(cells).collect()
    };
    words.table(headings, found.values.iter().enumerate().map(row).collect());
    words.say("");
}

fn polar(response: &Complex) -> String {
    format!("{} ∠ {}°", magnitude(response), fixed(degrees(response), 1))
}

fn magnitude(response: &Complex) -> String {
    let size = response.norm();
    if (1e-3..1e6).contains(&size) || size == 0.0 {
        format!("{size:.6}")
    } else {
        format!("{size:.6e}")
    }
}

fn say_peaks(words: &mut Words, found: &LinearResponse, curve: &LinearCurve) {
    let row = |name: &String, peak: &LinearPeak| {
        let unbounded = || ["∞".to_owned(), "nothing damps it".to_owned()];
        let [height, phase] = peak.response.as_ref().map_or_else(unbounded, |response| {
            [magnitude(response), format!("{}°", fixed(degrees(response), 1))]
        });
        let place = [format!("{:.9}", peak.frequency), format!("{:.1e}", peak.frequency_error)];
        [vec![name.clone()], place.to_vec(), vec![height, phase]].concat()
    };
    let all = found.outputs.iter().zip(&curve.peaks);
    let rows: Vec<Vec<String>> =
        all.flat_map(|(name, peaks)| peaks.iter().map(|peak| row(name, peak))).collect();
    match rows.is_empty() {
        true => words.say("no peak between these frequencies"),
        false => {
            let label = frequency_label(found);
            words.table(["peak of", label.as_str(), "±", "magnitude", "phase"], rows);
        }
    }
}

fn settings(response: &LinearResponse) -> Value {
    json!({
        "linear": true,
        "frequency": response.frequency,
        "unit": response.unit.map(|unit| unit.symbol()),
        "hertz_per_unit": response.hertz_per_unit,
        "parameter": response.varied,
        "input": response.input,
        "outputs": response.outputs,
    })
}

fn curve_json(response: &LinearResponse, curve: &LinearCurve) -> Value {
    let outputs: Map<String, Value> = response
        .outputs
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let list = |part: fn(&Complex) -> f64| -> Vec<f64> {
                curve.responses[at].iter().map(part).collect()
            };
            let entry = json!({
                "real": list(|response| response.re),
                "imaginary": list(|response| response.im),
                "magnitude": list(|response| response.norm()),
                "phase": list(degrees),
                "error": curve.errors[at],
                "peaks": curve.peaks[at].iter().map(peak_json).collect::<Vec<_>>(),
            });
            (name.clone(), entry)
        })
        .collect();
    json!({ "value": curve.value, "outputs": outputs })
}

fn peak_json(peak: &LinearPeak) -> Value {
    json!({
        "frequency": peak.frequency,
        "frequency_error": peak.frequency_error,
        "magnitude": peak.response.map(|response| response.norm()),
        "phase": peak.response.as_ref().map(degrees),
        "bounded": peak.response.is_some(),
    })
}

/// The phase of a response, from −180 to 180.
fn degrees(response: &Complex) -> f64 {
    response.arg().to_degrees()
}

/// A row for each frequency: real and imaginary part, magnitude and phase in degrees of every output.
fn table(model: &Model, response: &LinearResponse) -> Table {
    let mut names: Vec<String> = response.varied.iter().cloned().collect();
    names.push(response.frequency.clone());
    for output in &response.outputs {
        let parts = ["real", "imaginary", "magnitude", "phase"];
        names.extend(parts.map(|part| format!("{output}_{part}")));
    }
    let mut table = Table::new(names, 0);
    for curve in &response.curves {
        for (at, &frequency) in response.values.iter().enumerate() {
            let parts = curve.responses.iter().flat_map(|column| {
                let response = &column[at];
                [response.re, response.im, response.norm(), degrees(response)]
            });
            let row = curve.value.into_iter().chain([frequency]).chain(parts);
            table.push(row);
        }
    }
    let unit = response.unit.map_or("", |unit| unit.symbol());
    let phases: Vec<String> = response.outputs.iter().map(|name| format!("{name}_phase")).collect();
    let phases = phases.iter().map(|name| (name.as_str(), "deg"));
    let given: Vec<_> = [(response.frequency.as_str(), unit)].into_iter().chain(phases).collect();
    with_units(table, model, &given, &[])
}

/// Magnitudes with their peaks, and phases below them.
fn figure(title: &str, response: &LinearResponse) -> Figure {
    let unit = response.unit.map_or("", |unit| unit.symbol());
    let label = with_unit(&figure_label(&response.frequency), unit);
    let over = |y: Axis, title: &str| Panel::new(title, Axis::linear(label.as_str()), y);
    let magnitude = format!("magnitude, relative to {}", figure_label(&response.input));
    let mut magnitudes = over(Axis::logarithmic(magnitude), title);
    let mut phases = over(Axis::linear("phase, degrees"), "");
    let family = family(response);
    let (mut peak_places, mut peak_heights) = (Vec::new(), Vec::new());
    for curve in &response.curves {
        for output in 0..response.outputs.len() {
            let points = drawn(response, curve, output);
            let x: Vec<f64> = points.iter().map(|(frequency, _)| *frequency).collect();
            let heights: Vec<f64> = points.iter().map(|(_, response)| response.norm()).collect();
            let drawn = |y: Vec<f64>| family.curve(curve.value, output, x.clone(), y);
            magnitudes = magnitudes.with(drawn(heights));
            phases = phases.with(drawn(unwrapped(&points)));
            for peak in &curve.peaks[output] {
                if let Some(response) = peak.response {
                    peak_places.push(peak.frequency);
                    peak_heights.push(response.norm());
                }
            }
        }
    }
    let (mut magnitudes, phases) = (family.explained(magnitudes), family.explained(phases));
    if !peak_places.is_empty() {
        let peaks = Series::marks("peaks", peak_places, peak_heights);
        magnitudes = magnitudes.with(peaks.coloured(Colour::Number(PEAK_COLOUR)));
    }
    Figure::new("").with(magnitudes).with(phases)
}

/// The responses of an output with those at its peaks, which lie between the frequencies.
fn drawn(response: &LinearResponse, curve: &LinearCurve, output: usize) -> Vec<(f64, Complex)> {
    let asked = response.values.iter().copied().zip(curve.responses[output].iter().copied());
    let peaks = curve.peaks[output].iter();
    let peaks = peaks.filter_map(|peak| peak.response.map(|response| (peak.frequency, response)));
    let mut points: Vec<(f64, Complex)> = asked.chain(peaks).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// Phases in degrees that go on where they would jump by a turn. Half a turn, as on either side of a
/// resonance that nothing damps, is a lag.
fn unwrapped(points: &[(f64, Complex)]) -> Vec<f64> {
    let mut phases: Vec<f64> = points.iter().map(|(_, response)| degrees(response)).collect();
    for at in 1..phases.len() {
        let turns = ((phases[at] - phases[at - 1]) / 360.0 + 0.5 + HALF_TURN_TOLERANCE).floor();
        phases[at] -= 360.0 * turns;
    }
    phases
}

/// Colours tell the varied parameter, dashes the output.
fn family(response: &LinearResponse) -> Family {
    let values = response.curves.iter().filter_map(|curve| curve.value);
    let outputs = response.outputs.iter().map(|output| figure_label(output)).collect();
    Family::new(response.varied.as_deref(), values, outputs)
}
