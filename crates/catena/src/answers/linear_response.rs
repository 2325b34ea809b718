//! A linear frequency response as an answer.

use super::Answer;
use catena_analysis::linear_response::{LinearCurve, LinearPeak, LinearResponse};
use catena_analysis::{Complex, RESPONSE};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::Model;
use catena_simulation::Table;
use serde_json::{Map, Value, json};

/// Part of a turn by which half a turn may fall short of it.
const HALF_TURN: f64 = 1e-9;

/// The linear response of a model.
pub fn linear_response_answer(model: &Model, response: &LinearResponse) -> Answer {
    Answer {
        question: RESPONSE.name,
        title: model.title.clone(),
        settings: settings(response),
        result: json!({
            "frequencies": response.values,
            "curves": response.curves.iter().map(|curve| curve_json(response, curve)).collect::<Vec<_>>(),
        }),
        error_estimate: Some(response.error()),
        table: table(response),
        figure: figure(&model.title, response),
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
fn table(response: &LinearResponse) -> Table {
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
    table
}

/// Magnitudes with their peaks, and phases below them.
fn figure(title: &str, response: &LinearResponse) -> Figure {
    let label = match response.unit {
        Some(unit) => format!("{}, {}", response.frequency, unit.symbol()),
        None => response.frequency.clone(),
    };
    let over = |y: Axis, title: &str| Panel::new(title, Axis::linear(label.as_str()), y);
    let magnitude = format!("magnitude, over {}", response.input);
    let mut magnitudes = over(Axis::logarithmic(magnitude), title);
    let mut phases = over(Axis::linear("phase, degrees"), "");
    let (mut peak_places, mut peak_heights) = (Vec::new(), Vec::new());
    for curve in &response.curves {
        for output in 0..response.outputs.len() {
            let points = drawn(response, curve, output);
            let x: Vec<f64> = points.iter().map(|(frequency, _)| *frequency).collect();
            let heights: Vec<f64> = points.iter().map(|(_, response)| response.norm()).collect();
            let name = curve_name(response, curve, output);
            magnitudes = magnitudes.with(Series::line(name.as_str(), x.clone(), heights));
            phases = phases.with(Series::line(name, x, unwrapped(&points)));
            for peak in &curve.peaks[output] {
                if let Some(response) = peak.response {
                    peak_places.push(peak.frequency);
                    peak_heights.push(response.norm());
                }
            }
        }
    }
    if !peak_places.is_empty() {
        magnitudes = magnitudes.with(Series::marks("peaks", peak_places, peak_heights));
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

/// Phases in degrees that go on where they would jump by a turn. Half a turn, as beside a resonance that nothing damps, is
/// a lag.
fn unwrapped(points: &[(f64, Complex)]) -> Vec<f64> {
    let mut phases: Vec<f64> = points.iter().map(|(_, response)| degrees(response)).collect();
    for at in 1..phases.len() {
        let turns = ((phases[at] - phases[at - 1]) / 360.0 + 0.5 + HALF_TURN).floor();
        phases[at] -= 360.0 * turns;
    }
    phases
}

/// As in a legend: `theta1, R = 0.1`.
fn curve_name(response: &LinearResponse, curve: &LinearCurve, output: usize) -> String {
    let output = &response.outputs[output];
    match (&response.varied, curve.value) {
        (Some(name), Some(value)) => format!("{output}, {name} = {value}"),
        _ => output.clone(),
    }
}
