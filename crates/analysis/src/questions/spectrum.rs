//! Which frequencies a motion is made of.

use super::Analysis;
use super::phase::AFTER;
use crate::quantity::with_unit;
use crate::words::{fixed, plain};
use crate::{
    Answer, FoldedLine, Question, Refusal, SpectralPeak, Spectrum, SpectrumError, Watch, Window,
    folded_line, spectrum,
};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::run_settings::ONE_RUN;
use catena_model::scientific;
use catena_model::{Kind, Model, OptionRow, RunSettings};
use catena_simulation::{Column, Table};
use catena_symbolic::figure_label;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static SPECTRUM: Analysis = Analysis {
    name: "spectrum",
    summary: "the frequencies that a column of a run is made of, with their amplitudes",
    needs: "a run of several periods",
    run_options: ONE_RUN,
    options: &[&COLUMN, &WINDOW, &AFTER, &PEAKS],
    ..Analysis::answered_by(ask)
};

static COLUMN: OptionRow =
    OptionRow::new("column", Kind::Word, "The column whose frequencies are found")
        .value_name("COLUMN")
        .default("the first coordinate");
static WINDOW: OptionRow = OptionRow::new(
    "window",
    Kind::Choice(&["hann", "none", "blackman-harris"]),
    "How rows are weighted: hann is the usual choice, none is for a whole number of periods, blackman-harris for small \
     peaks close to large ones",
)
.default("hann");
static PEAKS: OptionRow = OptionRow::new("peaks", Kind::Count(0), "The largest number of peaks")
    .value_name("N")
    .default("5");

/// How many times closer rows stand that are looked at for what lies above the Nyquist frequency.
const CLOSER_ROWS: f64 = 8.0;
/// The most such rows.
const MAX_CLOSER_ROWS: f64 = 2e6;
/// Amplitudes below this part of the largest are rounding, and drawn no lower.
const MIN_DRAWN_RATIO: f64 = 1e-9;

/// How many times as large as the valleys on both sides a peak is that is marked.
const MIN_PROMINENCE: f64 = 2.0;

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let (model, options) = (question.model, question.options);
    let column = match options.word(&COLUMN) {
        Some(name) => name.to_owned(),
        None => question.first_column()?,
    };
    let name = options.word(&WINDOW).unwrap_or("hann");
    let window = match name {
        "none" => Window::None,
        "blackman-harris" => Window::BlackmanHarris,
        _ => Window::Hann,
    };
    let most = options.count(&PEAKS).unwrap_or(5) as usize;
    let run = question.moved(vec!["t".to_owned(), column.clone()], watch)?;
    let after = options.number(&AFTER).unwrap_or(run.start.t);
    let [times, values] = [0, 1].map(|at| run.table.columns[at].numbers());
    let first = times.iter().position(|&t| t >= after).unwrap_or(times.len());
    let found = spectrum(&times[first..], &values[first..], window, most).map_err(refused)?;
    let every = times[first + 1] - times[first];
    let folded = folded(question, &column, (every, after), window, watch);
    let c = &run.certificate;
    let mut answer = Answer::new(SPECTRUM.name, &model.title);
    answer.settings = json!({
        "column": column,
        "window": name,
        "after": after,
        "to": c.time,
        "formulation": c.formulation,
        "integrator": c.integrator,
    });
    answer.result = json!({
        "peaks": found.peaks.iter().map(peak).collect::<Vec<_>>(),
        "mean": found.mean,
        "resolution_hz": found.resolution,
        "nyquist_hz": 0.5 / every,
        "folded": folded.map(|line| json!({
            "frequency": line.frequency,
            "amplitude": line.amplitude,
            "shows_at": line.shows_at,
        })),
        "unexplained_rms": found.rest,
        "frequencies": found.frequencies,
        "amplitudes": found.amplitudes,
    });
    // what the peaks leave bounds the error of their amplitudes
    answer.error_estimate = Some(found.rest);
    answer.table = Table::default()
        .with_numbers("frequency", "Hz", found.frequencies.clone())
        .with_numbers(column.as_str(), run.table.columns[1].unit.clone(), found.amplitudes.clone());
    answer.figure = Figure::from(panel(model, &run.table.columns[1], &found));
    say(&mut answer, &column, &run.table.columns[1].unit, &found);
    if let Some(line) = folded {
        answer.words.remark("aliasing", folded_words(&column, &line, every));
    }
    answer.note_stop(&c.stop);
    Ok(answer)
}

fn refused(error: SpectrumError) -> Refusal {
    let help = match error {
        SpectrumError::TooShort { .. } => "run longer with {t_end}, or take more rows with {every}",
        SpectrumError::NotFinite { .. } => "choose another column, or end earlier with {t_end}",
        _ => "take equally spaced rows with {every}",
    };
    Refusal::of_model(error.to_string(), help)
}

/// The largest line above the Nyquist frequency, by the same run with closer rows; none where they would be too many.
fn folded(
    question: &Question<'_>,
    column: &str,
    (every, after): (f64, f64),
    window: Window,
    watch: &Watch<'_>,
) -> Option<FoldedLine> {
    let closer = every / CLOSER_ROWS;
    let settings = RunSettings {
        columns: vec!["t".to_owned(), column.to_owned()],
        every: Some(closer),
        no_certify: true,
        ..question.run.clone()
    };
    let t_end = question.run.t_end.or(question.model.run.t_end).unwrap_or(0.0);
    if t_end / closer > MAX_CLOSER_ROWS {
        return None;
    }
    let run = question.moved_with(settings, watch).ok()?;
    let [times, values] = [0, 1].map(|at| run.table.columns[at].numbers());
    let first = times.iter().position(|&t| t >= after)?;
    folded_line(&times[first..], &values[first..], window, every).ok()?
}

fn folded_words(column: &str, line: &FoldedLine, every: f64) -> String {
    format!(
        "{column} has a line of about {:.1e} at {:.4} Hz, but rows every {} s show nothing above {:.4} Hz: it appears at \
         {:.4} Hz; take rows closer than {:.1e} s",
        line.amplitude,
        line.frequency,
        plain(every),
        0.5 / every,
        line.shows_at,
        0.4 / line.frequency
    )
}

fn say(answer: &mut Answer, column: &str, unit: &str, found: &Spectrum) {
    let row = |peak: &SpectralPeak| {
        vec![
            fixed(peak.frequency, 6),
            scientific(peak.amplitude, 6),
            fixed(peak.phase.to_degrees(), 1),
        ]
    };
    let rows: Vec<Vec<String>> = found.peaks.iter().map(row).collect();
    match rows.is_empty() {
        true => answer.words.say(format!("{column} does not oscillate")),
        false => {
            let amplitude = match unit {
                "" => "amplitude".to_owned(),
                unit => format!("amplitude, {unit}"),
            };
            answer.words.table(["f, Hz", &amplitude, "phase, °"], rows);
        }
    }
    answer.words.say(format!(
        "{column} about {}; lines closer than {:.3e} Hz are not told apart; the peaks leave {:.1e} (rms)",
        scientific(found.mean, 6),
        found.resolution,
        found.rest
    ));
}

fn peak(peak: &SpectralPeak) -> Value {
    json!({ "frequency": peak.frequency, "amplitude": peak.amplitude, "phase": peak.phase })
}

/// Whether the amplitude falls on both sides of a peak, by [`MIN_PROMINENCE`] at least, before it rises above it: what
/// stands on the shoulder of a larger one is none.
fn stands_out(found: &Spectrum, peak: &SpectralPeak) -> bool {
    let last = found.frequencies.len().saturating_sub(1);
    let Some(spacing) = found.frequencies.get(1).copied().filter(|spacing| *spacing > 0.0) else {
        return true;
    };
    let near = (peak.frequency / spacing).round() as usize;
    let around = near.saturating_sub(2).max(1)..=(near + 2).min(last);
    let Some(top) = around.max_by(|a, b| found.amplitudes[*a].total_cmp(&found.amplitudes[*b]))
    else {
        return true;
    };
    let height = found.amplitudes[top];
    let falls = |bins: &mut dyn Iterator<Item = usize>| {
        let valley = bins.map(|bin| found.amplitudes[bin]).take_while(|it| *it <= height);
        height >= MIN_PROMINENCE * valley.fold(height, f64::min)
    };
    falls(&mut (1..top).rev()) && falls(&mut (top + 1..=last))
}

fn panel(model: &Model, column: &Column, found: &Spectrum) -> Panel {
    let marked = found.peaks.iter().filter(|peak| stands_out(found, peak));
    let (x, y): (Vec<f64>, Vec<f64>) = marked.map(|peak| (peak.frequency, peak.amplitude)).unzip();
    let name = figure_label(&column.name);
    let label = with_unit(&format!("amplitude of {name}"), &column.unit);
    // the mean is taken from every row: its bin is rounding
    let frequencies: Vec<f64> = found.frequencies.iter().skip(1).copied().collect();
    let lowest = MIN_DRAWN_RATIO * found.amplitudes.iter().copied().fold(0.0, f64::max);
    let amplitudes: Vec<f64> =
        found.amplitudes.iter().skip(1).map(|amplitude| amplitude.max(lowest)).collect();
    let spectrum = Series::line(name, frequencies, amplitudes);
    let panel =
        Panel::new(model.title.as_str(), Axis::linear("frequency, Hz"), Axis::logarithmic(label))
            .with(spectrum);
    if x.is_empty() { panel } else { panel.with(Series::marks("peaks", x, y)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shoulder_is_not_marked_and_a_peak_is() {
        // a line at 10 Hz that falls by a fifth from bin to bin, flat from 14 Hz to 16 Hz; a line at 30 Hz; a ripple at 40 Hz
        let amplitude = |bin: i32| match bin {
            14..=16 => 0.8_f64.powi(4),
            30 => 0.5,
            29 | 31 => 0.1,
            40 => 1.5e-3,
            32.. => 1e-3,
            _ => 0.8_f64.powi((bin - 10).abs()),
        };
        let found = Spectrum {
            frequencies: (0..50).map(f64::from).collect(),
            amplitudes: (0..50).map(amplitude).collect(),
            peaks: Vec::new(),
            mean: 0.0,
            resolution: 1.0,
            rest: 0.0,
        };
        let marked = |frequency: f64| {
            stands_out(&found, &SpectralPeak { frequency, amplitude: 1.0, phase: 0.0 })
        };
        assert_eq!([10.0, 15.0, 30.0, 40.0].map(marked), [true, false, true, false]);
    }
}
