//! A spectrum as an answer.

use super::Answer;
use catena_analysis::{Peak, SPECTRUM, Spectrum, Window};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::Model;
use catena_simulation::{Run, Table};
use serde_json::{Value, json};

/// The spectrum of a column of a run.
pub fn spectrum_answer(
    model: &Model,
    run: &Run,
    column: &str,
    window: Window,
    after: f64,
    found: &Spectrum,
) -> Answer {
    let window = match window {
        Window::Hann => "hann",
        Window::None => "none",
        Window::BlackmanHarris => "blackman-harris",
    };
    let c = &run.certificate;
    Answer {
        question: SPECTRUM.name,
        title: model.title.clone(),
        settings: json!({
            "column": column,
            "window": window,
            "after": after,
            "to": c.time,
            "formulation": c.formulation,
            "integrator": c.integrator,
        }),
        result: json!({
            "peaks": found.peaks.iter().map(peak).collect::<Vec<_>>(),
            "mean": found.mean,
            "resolution_hz": found.resolution,
            "unexplained_rms": found.rest,
            "frequencies": found.frequencies,
            "amplitudes": found.amplitudes,
        }),
        // what the peaks leave bounds the error of their amplitudes
        error_estimate: Some(found.rest),
        table: Table::default()
            .with_numbers("frequency", "Hz", found.frequencies.clone())
            .with_numbers(column, "", found.amplitudes.clone()),
        figure: Figure::from(panel(model, column, found)),
    }
}

fn peak(peak: &Peak) -> Value {
    json!({ "frequency": peak.frequency, "amplitude": peak.amplitude, "phase": peak.phase })
}

fn panel(model: &Model, column: &str, found: &Spectrum) -> Panel {
    let (x, y): (Vec<f64>, Vec<f64>) =
        found.peaks.iter().map(|peak| (peak.frequency, peak.amplitude)).unzip();
    Panel::new(model.title.as_str(), Axis::linear("f, Hz"), Axis::logarithmic("amplitude"))
        .with(Series::line(column, found.frequencies.clone(), found.amplitudes.clone()))
        .with(Series::marks("peaks", x, y))
}
