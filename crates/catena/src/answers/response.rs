//! A frequency response as an answer.

use super::Answer;
use catena_analysis::RESPONSE;
use catena_analysis::response::{Branch, Curve, Peak, Point, Response, ResponseRequest};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::Model;
use catena_simulation::Table;
use serde_json::{Map, Value, json};

/// Amplitudes that differ by more than this factor are drawn on a logarithmic axis.
const DECADES: f64 = 50.0;

/// The response of a model.
pub fn response_answer(model: &Model, request: &ResponseRequest, response: &Response) -> Answer {
    Answer {
        question: RESPONSE.name,
        title: model.title.clone(),
        settings: settings(request, response),
        result: json!({ "curves": curves_json(response) }),
        error_estimate: error(response),
        table: table(response),
        figure: figure(&model.title, response),
    }
}

/// What was asked, with everything that was left open filled in.
pub(super) fn settings(request: &ResponseRequest, response: &Response) -> Value {
    let settling = &request.settling;
    json!({
        "frequency": response.frequency.name,
        "unit": response.frequency.unit.symbol(),
        "parameter": response.varied,
        "outputs": response.outputs,
        "branches": request.branches.iter().map(|branch| branch.name()).collect::<Vec<_>>(),
        "settling": {
            "tolerance": settling.tolerance,
            "e_folds": settling.e_folds,
            "legs": settling.legs,
            "most_periods": settling.most_periods,
            "rows": settling.rows,
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
    let curve = |curve: &Curve| {
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

fn points_json(response: &Response, points: &[Point]) -> Value {
    Value::Array(points.iter().map(|point| point_json(response, point)).collect())
}

fn point_json(response: &Response, point: &Point) -> Value {
    json!({
        "frequency": point.frequency,
        "amplitude": by_output(response, point.amplitudes.iter().map(|value| json!(value))),
        "largest": by_output(response, point.largest.iter().map(|value| json!(value))),
        "settled": point.settled,
        "repeats_after": point.repeats_after,
        "residual": point.residual,
        "error": point.error,
        "time": point.time,
        "failure": point.failure,
    })
}

pub(super) fn peak_json(peak: &Peak) -> Value {
    json!({
        "frequency": peak.frequency,
        "frequency_error": peak.frequency_error,
        "amplitude": peak.amplitude,
        "amplitude_error": peak.amplitude_error,
        "jump": peak.jump,
        "settled": peak.settled,
    })
}

/// The largest error of a settled amplitude, beside its size: what is left of the transient, and of the integration.
pub(super) fn error(response: &Response) -> Option<f64> {
    let errors = response.curves.iter().flat_map(|curve| {
        let settled = curve.points.iter().filter(|point| point.settled);
        settled.map(|point| point.error).chain(curve.integration_error)
    });
    errors.reduce(f64::max)
}

/// A row for each point. Branches are numbered: 0 from rest, 1 up, 2 down; what is true is 1.
fn table(response: &Response) -> Table {
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
    table
}

/// A panel for each output: curves where the response has settled, marks where it has not, and the peaks.
fn figure(title: &str, response: &Response) -> Figure {
    let panels = (0..response.outputs.len()).map(|output| {
        // the panels stand below one another: one title is enough
        panel(if output == 0 { title } else { "" }, response, output)
    });
    panels.fold(Figure::new(""), Figure::with)
}

fn panel(title: &str, response: &Response, output: usize) -> Panel {
    let frequency = &response.frequency;
    let x = Axis::linear(format!("{}, {}", frequency.name, frequency.unit.symbol()));
    let label = format!("amplitude of {}", response.outputs[output]);
    let all = response.curves.iter().flat_map(Curve::all_points);
    let heights = all.map(|point| point.amplitudes[output]).filter(|height| *height > 0.0);
    let (low, high) = heights.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), height| {
        (low.min(height), high.max(height))
    });
    let y = if high > DECADES * low { Axis::logarithmic(label) } else { Axis::linear(label) };
    let mut panel = Panel::new(title, x, y);
    for curve in &response.curves {
        let points = curve.all_points();
        let frequencies: Vec<f64> = points.iter().map(|point| point.frequency).collect();
        let shown = |settled: bool| -> Vec<f64> {
            let height = |point: &&Point| {
                if point.settled == settled { point.amplitudes[output] } else { f64::NAN }
            };
            points.iter().map(height).collect()
        };
        let name = curve_name(response, curve);
        panel = panel.with(Series::line(name.as_str(), frequencies.clone(), shown(true)));
        if points.iter().any(|point| !point.settled && point.failure.is_none()) {
            let name = format!("{name}, unsettled");
            panel = panel.with(Series::marks(name, frequencies, shown(false)));
        }
    }
    let peaks = response.curves.iter().flat_map(|curve| &curve.peaks[output]);
    let (x, y): (Vec<f64>, Vec<f64>) = peaks.map(|peak| (peak.frequency, peak.amplitude)).unzip();
    if x.is_empty() { panel } else { panel.with(Series::marks("peaks", x, y)) }
}

/// As in a legend: `R = 0.1, up`, or what tells the curves apart.
pub fn curve_name(response: &Response, curve: &Curve) -> String {
    let branch = curve.branch.name();
    let one_branch = response.curves.iter().all(|other| other.branch == curve.branch);
    match (&response.varied, curve.value) {
        (Some(name), Some(value)) if one_branch => format!("{name} = {value}"),
        (Some(name), Some(value)) => format!("{name} = {value}, {branch}"),
        _ => branch.to_owned(),
    }
}
