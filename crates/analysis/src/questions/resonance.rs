//! How a peak of the response moves and shrinks as a parameter changes.

use super::column_units::with_units;
use super::response::{
    COLUMNS, OVER, REFINEMENTS, RESPONSE_DEFAULTS, TOLERANCE, branch, curves_json, error,
    note_interruption, peak_json, peak_row, refused, request, settings,
};
use super::{Analysis, response_figure};
use crate::live::with_x_range;
use crate::quantity::with_unit;
use crate::response::resonance_shown;
use crate::words::{Words, fixed, plain};
use crate::{
    Answer, PeakChoice, Question, Refusal, Resonance, ResonanceError, ResonanceRow, ResonanceTrack,
    Response, ResponsePeak, Watch,
};
use catena_figure::{Axis, Colour, Figure, Panel, Series};
use catena_model::run_settings::METHODS_OF_MANY;
use catena_model::{Kind, Model, OptionRow};
use catena_simulation::Table;
use catena_symbolic::figure_label;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static RESONANCE: Analysis = Analysis {
    name: "resonance",
    summary: "how a peak of the response moves and shrinks as a parameter changes",
    needs: "a drive with a frequency among the parameters",
    run_options: METHODS_OF_MANY,
    run_defaults: RESPONSE_DEFAULTS,
    options: &[&OVER, &COLUMNS, &TOLERANCE, &REFINEMENTS, &BRANCH, &PEAK],
    example: "triple-pendulum --over f=0.66:0.84:19 --over R=0.2:0.5:7",
    parallel: true,
    ..Analysis::answered_by(ask)
};

static BRANCH: OptionRow = OptionRow::new(
    "branches",
    Kind::Choice(&["rest", "up", "down"]),
    "From rest, or each frequency from where the one before has settled",
)
.old_flag("branch")
.default("rest");
static PEAK: OptionRow =
    OptionRow::new("peak", Kind::Count(0), "The first, second, ... peak between these frequencies")
        .value_name("NUMBER")
        .default("the highest");

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let (model, options) = (question.model, question.options);
    let mut request = request(question, watch)?;
    request.branches = vec![branch(options.word(&BRANCH).unwrap_or("rest"))?];
    let number = options.count(&PEAK).map(|number| PeakChoice::Number(number as usize));
    let choice = number.unwrap_or(PeakChoice::Highest);
    // peaks are known in the end: until then it is the response that fills
    let show = |so_far: &dyn Fn() -> Response| {
        let title = &model.title;
        watch.draw(|| with_x_range(response_figure::figure(title, &so_far()), &request.values));
    };
    let found = resonance_shown(model, &request, choice, watch.stop, watch.looked_at(&show));
    let found = found.map_err(|error| no_peak(&error))?;
    let mut answer = Answer::new(RESONANCE.name, &model.title);
    answer.settings = settings(&request, &found.response);
    answer.settings["peak"] = match found.choice {
        PeakChoice::Highest => json!("highest"),
        PeakChoice::Number(number) => json!(number),
    };
    let tracks: Vec<Value> = found.tracks.iter().map(track_json).collect();
    answer.result = json!({ "tracks": tracks, "curves": curves_json(&found.response) });
    answer.error_estimate = error(&found.response);
    answer.table = table(model, &found);
    answer.figure = figure(&model.title, &found);
    say(&mut answer.words, &found);
    answer.note_device(found.response.device.clone());
    note_interruption(&mut answer, &request, &found.response);
    Ok(answer)
}

fn no_peak(error: &ResonanceError) -> Refusal {
    let help = match error {
        ResonanceError::Response(error) => return refused(error),
        ResonanceError::NoParameter => "add a second range, such as {over} R=0.1:0.5:5",
        ResonanceError::NoSuchPeak => "write {peak} 1 for the first",
        _ => "choose one with {branch}",
    };
    Refusal::of_question(error.to_string(), help)
}

fn say(words: &mut Words, found: &Resonance) {
    let frequency = &found.response.frequency;
    let (unit, parameter) = (frequency.unit.symbol(), found.parameter.as_str());
    let heading = format!("{}, {unit}", frequency.name);
    let missing = if found.response.complete { "no peak" } else { "no peak so far" };
    for track in &found.tracks {
        let slopes = std::iter::once(None).chain(track.slopes());
        let row = |(entry, slope): (&ResonanceRow, Option<f64>)| {
            let value = plain(entry.value);
            let mut cells = match &entry.peak {
                Some(peak) => peak_row(&value, peak),
                None => [value.as_str(), "", "", "", "", missing].map(str::to_owned).to_vec(),
            };
            cells.push(slope.map_or_else(String::new, |slope| fixed(slope, 4)));
            cells
        };
        let rows = track.rows.iter().zip(slopes).map(row).collect();
        words.say(track.output.as_str());
        words.table([parameter, heading.as_str(), "±", "amplitude", "±", "", "slope"], rows);
        say_laws(words, track, parameter);
        words.say("");
    }
}

fn say_laws(words: &mut Words, track: &ResonanceTrack, parameter: &str) {
    if let Some(fit) = track.shift {
        words.say(format!(
            "the peak moves by {}{} per unit of {parameter} (R² = {:.4}, {} peaks)",
            fixed(fit.slope, 4),
            plus_minus(fit.slope_error),
            fit.r_squared,
            fit.points
        ));
    }
    if let Some(fit) = track.decay {
        let law = match fit.rate < 0.0 {
            true => format!("it grows as exp({:.4} {parameter})", -fit.rate),
            false => format!("it shrinks as exp(−{:.4} {parameter})", fit.rate),
        };
        words.say(format!("{law}{} (R² = {:.4})", plus_minus(fit.rate_error), fit.r_squared));
    }
}

/// A standard error, which two points do not have.
fn plus_minus(error: f64) -> String {
    if error.is_nan() { String::new() } else { format!(" ± {error:.1e}") }
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
fn table(model: &Model, resonance: &Resonance) -> Table {
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
    let unit = resonance.response.frequency.unit.symbol();
    let frequencies: Vec<String> = table
        .names()
        .filter(|name| name.ends_with("_frequency") || name.ends_with("_frequency_error"))
        .map(str::to_owned)
        .collect();
    let given: Vec<_> = frequencies.iter().map(|name| (name.as_str(), unit)).collect();
    with_units(table, model, &given, &["_amplitude", "_amplitude_error"])
}

/// Frequency and amplitude of the peak against the parameter, a curve for each output with its fit.
fn figure(title: &str, resonance: &Resonance) -> Figure {
    let frequency = &resonance.response.frequency;
    let unit = frequency.unit.symbol();
    let label = with_unit(&format!("{} of the peak", figure_label(&frequency.name)), unit);
    let x = || Axis::linear(figure_label(&resonance.parameter));
    let mut shift = Panel::new(title, x(), Axis::linear(label));
    let mut decay = Panel::new("", x(), Axis::logarithmic("amplitude of the peak"));
    for (at, track) in resonance.tracks.iter().enumerate() {
        // data and their fit have one colour
        let colour = Colour::Number(at);
        let values: Vec<f64> = track.rows.iter().map(|row| row.value).collect();
        let column = |of: fn(&ResponsePeak) -> f64| -> Vec<f64> {
            track.rows.iter().map(|row| row.peak.as_ref().map_or(f64::NAN, of)).collect()
        };
        let name = figure_label(&track.output);
        let frequencies = column(|peak| peak.frequency);
        let amplitudes = column(|peak| peak.amplitude);
        shift =
            shift.with(Series::marks(name.as_str(), values.clone(), frequencies).coloured(colour));
        decay =
            decay.with(Series::marks(name.as_str(), values.clone(), amplitudes).coloured(colour));
        if let Some(fit) = track.shift {
            let line: Vec<f64> = values.iter().map(|x| fit.intercept + fit.slope * x).collect();
            let name = format!("{name}: slope {}", fixed(fit.slope, 3));
            shift = shift.with(Series::line(name, values.clone(), line).coloured(colour));
        }
        if let Some(fit) = track.decay {
            let line: Vec<f64> =
                values.iter().map(|x| fit.prefactor * (-fit.rate * x).exp()).collect();
            let name = format!("{name}: rate {}", fixed(fit.rate, 3));
            decay = decay.with(Series::line(name, values, line).coloured(colour));
        }
    }
    Figure::new("").with(shift).with(decay)
}
