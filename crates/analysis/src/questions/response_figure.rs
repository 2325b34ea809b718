//! The figure of a response: amplitudes over the frequency, a panel for each output.

use crate::family::Family;
use crate::quantity::with_unit;
use crate::{Branch, Response, ResponseCurve, ResponsePoint};
use catena_figure::{Axis, Colour, Figure, Panel, Series};
use catena_symbolic::figure_label;

/// Amplitudes that differ by more than this factor are drawn on a logarithmic axis.
const MAX_LINEAR_RATIO: f64 = 50.0;

/// A panel for each output: curves where the response has settled, marks where it has not, and the peaks.
pub(super) fn figure(title: &str, response: &Response) -> Figure {
    let panels = (0..response.outputs.len()).map(|output| {
        // the panels stand below one another: one title is enough
        panel(if output == 0 { title } else { "" }, response, output)
    });
    panels.fold(Figure::new(""), Figure::with)
}

fn panel(title: &str, response: &Response, output: usize) -> Panel {
    let frequency = &response.frequency;
    let x = Axis::linear(with_unit(&figure_label(&frequency.name), frequency.unit.symbol()));
    let label = format!("amplitude of {}", figure_label(&response.outputs[output]));
    let all = response.curves.iter().flat_map(ResponseCurve::all_points);
    let heights = all.map(|point| point.amplitudes[output]).filter(|height| *height > 0.0);
    let (low, high) = heights.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), height| {
        (low.min(height), high.max(height))
    });
    let y =
        if high > MAX_LINEAR_RATIO * low { Axis::logarithmic(label) } else { Axis::linear(label) };
    let family = family(response);
    let mut panel = Panel::new(title, x, y);
    let mut unsettled = Vec::new();
    for curve in &response.curves {
        let points = curve.all_points();
        let frequencies: Vec<f64> = points.iter().map(|point| point.frequency).collect();
        let shown = |settled: bool| -> Vec<f64> {
            let height = |point: &&ResponsePoint| {
                if point.settled == settled { point.amplitudes[output] } else { f64::NAN }
            };
            points.iter().map(height).collect()
        };
        let kind = kinds(response).position(|branch| branch == curve.branch).unwrap_or(0);
        panel = panel.with(family.curve(curve.value, kind, frequencies.clone(), shown(true)));
        if points.iter().any(|point| !point.settled && point.failure.is_none()) {
            unsettled.push(family.marks("unsettled", curve.value, kind, frequencies, shown(false)));
        }
    }
    panel = unsettled.into_iter().fold(family.explained(panel), Panel::with);
    let peaks = response.curves.iter().flat_map(|curve| &curve.peaks[output]);
    let (x, y): (Vec<f64>, Vec<f64>) = peaks.map(|peak| (peak.frequency, peak.amplitude)).unzip();
    let peaks = Series::marks("peaks", x, y).coloured(Colour::Number(PEAK_COLOUR));
    if peaks.x.is_empty() { panel } else { panel.with(peaks) }
}

/// Peaks have a colour of their own, behind those of curves.
pub(super) const PEAK_COLOUR: usize = 6;

/// Colours tell the varied parameter, dashes the branch.
fn family(response: &Response) -> Family {
    let values = response.curves.iter().filter_map(|curve| curve.value);
    let branches = kinds(response).map(|branch| branch.name().to_owned()).collect();
    Family::new(response.varied.as_deref(), values, branches)
}

/// The branches that there are, in their usual order.
fn kinds(response: &Response) -> impl Iterator<Item = Branch> {
    let has = |wanted: Branch| response.curves.iter().any(move |curve| curve.branch == wanted);
    Branch::ALL.into_iter().map(|(_, branch)| branch).filter(move |branch| has(*branch))
}
