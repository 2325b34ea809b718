//! A moving resonance peak as an answer.

use super::Answer;
use super::response::{curves_json, error, peak_json, settings};
use catena_analysis::RESONANCE;
use catena_analysis::resonance::{PeakChoice, Resonance, ResonanceTrack};
use catena_analysis::response::ResponseRequest;
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::Model;
use catena_simulation::Table;
use serde_json::{Value, json};

/// How a peak of the response of a model moves.
pub fn resonance_answer(model: &Model, request: &ResponseRequest, resonance: &Resonance) -> Answer {
    let peak = match resonance.choice {
        PeakChoice::Highest => json!("highest"),
        PeakChoice::Number(number) => json!(number),
    };
    let mut settings = settings(request, &resonance.response);
    settings["peak"] = peak;
    let tracks: Vec<Value> = resonance.tracks.iter().map(track_json).collect();
    Answer {
        question: RESONANCE.name,
        title: model.title.clone(),
        settings,
        result: json!({ "tracks": tracks, "curves": curves_json(&resonance.response) }),
        error_estimate: error(&resonance.response),
        table: table(resonance),
        figure: figure(&model.title, resonance),
    }
}

fn track_json(track: &ResonanceTrack) -> Value {
    let rows = track.rows.iter();
    let rows =
        rows.map(|row| json!({ "value": row.value, "peak": row.peak.as_ref().map(peak_json) }));
    json!({
        "output": track.output,
        "rows": rows.collect::<Vec<_>>(),
        "slopes": track.slopes(),
        "shift": track.shift.map(|fit| json!({
            "slope": fit.slope,
            "slope_error": fit.slope_error,
            "intercept": fit.intercept,
            "r_squared": fit.r_squared,
            "points": fit.points,
        })),
        "decay": track.decay.map(|fit| json!({
            "rate": fit.rate,
            "rate_error": fit.rate_error,
            "prefactor": fit.prefactor,
            "r_squared": fit.r_squared,
            "points": fit.points,
        })),
    })
}

/// A row for each value of the parameter; where there is no peak its columns are NaN, and what is true is 1.
fn table(resonance: &Resonance) -> Table {
    let kinds = ["frequency", "frequency_error", "amplitude", "amplitude_error", "settled", "jump"];
    let mut names = vec![resonance.parameter.clone()];
    for track in &resonance.tracks {
        names.extend(kinds.map(|kind| format!("{}_{kind}", track.output)));
    }
    let rows = resonance.tracks.first().map_or(0, |track| track.rows.len());
    let mut table = Table::new(names, rows);
    for at in 0..rows {
        let value = resonance.tracks[0].rows[at].value;
        let numbers = resonance.tracks.iter().flat_map(|track| match &track.rows[at].peak {
            None => [f64::NAN; 6],
            Some(peak) => [
                peak.frequency,
                peak.frequency_error,
                peak.amplitude,
                peak.amplitude_error,
                f64::from(u8::from(peak.settled)),
                f64::from(u8::from(peak.jump)),
            ],
        });
        let row = std::iter::once(value).chain(numbers);
        table.push(row);
    }
    table
}

/// Frequency and amplitude of the peak against the parameter, a curve for each output with its fit.
fn figure(title: &str, resonance: &Resonance) -> Figure {
    let frequency = &resonance.response.frequency;
    let unit = frequency.unit.symbol();
    let label = format!("{} of the peak, {unit}", frequency.name);
    let x = || Axis::linear(resonance.parameter.as_str());
    let mut shift = Panel::new(title, x(), Axis::linear(label));
    let mut decay = Panel::new("", x(), Axis::logarithmic("amplitude of the peak"));
    for track in &resonance.tracks {
        let values: Vec<f64> = track.rows.iter().map(|row| row.value).collect();
        let column = |of: fn(&catena_analysis::response::Peak) -> f64| -> Vec<f64> {
            track.rows.iter().map(|row| row.peak.as_ref().map_or(f64::NAN, of)).collect()
        };
        let name = track.output.as_str();
        let frequencies = column(|peak| peak.frequency);
        let amplitudes = column(|peak| peak.amplitude);
        shift = shift.with(Series::line_and_marks(name, values.clone(), frequencies));
        decay = decay.with(Series::line_and_marks(name, values.clone(), amplitudes));
        if let Some(fit) = track.shift {
            let line: Vec<f64> = values.iter().map(|x| fit.intercept + fit.slope * x).collect();
            let name = format!("{name}: slope {:.3}", fit.slope);
            shift = shift.with(Series::line(name, values.clone(), line));
        }
        if let Some(fit) = track.decay {
            let line: Vec<f64> =
                values.iter().map(|x| fit.prefactor * (-fit.rate * x).exp()).collect();
            let name = format!("{name}: rate {:.3}", fit.rate);
            decay = decay.with(Series::line(name, values, line));
        }
    }
    Figure::new("").with(shift).with(decay)
}
