//! `catena analyze response --linear`

use super::driven::refused;
use super::not_at_rest;
use crate::output::table;
use crate::{FAILED, WRONG_USAGE, report};
use catena::Model;
use catena::analysis::linear_response::{
    LinearCurve, LinearPeak, LinearResponse, LinearResponseError, LinearResponseRequest,
    linear_response,
};
use catena::analysis::response::ResponseError;
use catena::analysis::{Complex, TransferError};
use catena_symbolic::nearest;
use std::process::ExitCode;

/// More rows than this, or more outputs, are not read in a terminal.
const MOST_ROWS: usize = 40;
const MOST_OUTPUTS: usize = 6;

/// The response, or why there is none, in words.
pub(super) fn find(
    model: &Model,
    request: &LinearResponseRequest,
) -> Result<LinearResponse, ExitCode> {
    linear_response(model, request).map_err(|error| no_response(&error))
}

fn no_response(error: &LinearResponseError) -> ExitCode {
    let (code, help) = match error {
        LinearResponseError::Request(error) => return refused(error),
        LinearResponseError::Rest(error) => return not_at_rest(error),
        LinearResponseError::Transfer(TransferError::NoDrive) => {
            return refused(&ResponseError::NoDrive);
        }
        LinearResponseError::Transfer(TransferError::Unknown { name, known }) => {
            let help = match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known: {}", known.join(", ")),
            };
            (WRONG_USAGE, help)
        }
        LinearResponseError::Resonance { .. } => (
            FAILED,
            "add damping, or choose frequencies beside it: peaks are found between them".to_owned(),
        ),
        LinearResponseError::Transfer(TransferError::FrequencyAtRest { .. }) => {
            (WRONG_USAGE, "give the drive a parameter of its own for its frequency".to_owned())
        }
        LinearResponseError::NoParameter { meant: Some(meant), .. } => {
            (WRONG_USAGE, format!("did you mean `{meant}`?"))
        }
        LinearResponseError::NoParameter { known, .. } => {
            (WRONG_USAGE, format!("parameters: {}", known.join(", ")))
        }
        LinearResponseError::NamelessInput => (
            WRONG_USAGE,
            "write the drive as a definition, such as push = \"F*cos(omega*t)\"".to_owned(),
        ),
        LinearResponseError::SeveralInputs { candidates } => {
            (WRONG_USAGE, format!("name the input, as in --input {}", candidates[0]))
        }
        LinearResponseError::StillInput { candidates, .. } if !candidates.is_empty() => {
            (WRONG_USAGE, format!("what depends on time alone: {}", candidates.join(", ")))
        }
        _ => (WRONG_USAGE, "`catena check` says more about the model".to_owned()),
    };
    report::error(&error.to_string(), Some(&help));
    ExitCode::from(code)
}

/// The peaks of every curve, and its responses if they can be read.
pub(super) fn written(found: &LinearResponse) -> String {
    let mut text = format!("small motions, over the amplitude of {}\n\n", found.input);
    for curve in &found.curves {
        if let (Some(name), Some(value)) = (&found.varied, curve.value) {
            text += &format!("{name} = {value}\n");
        }
        text += &responses(found, curve);
        text += &peaks(found, curve);
        text += "\n";
    }
    text + &format!("responses right to {:.1e} of the largest\n", found.error())
}

fn frequency_label(found: &LinearResponse) -> String {
    match found.unit {
        Some(unit) => format!("{}, {}", found.frequency, unit.symbol()),
        None => found.frequency.clone(),
    }
}

fn responses(found: &LinearResponse, curve: &LinearCurve) -> String {
    if found.values.len() > MOST_ROWS || found.outputs.len() > MOST_OUTPUTS {
        return "-o FILE.csv keeps the responses\n".to_owned();
    }
    let label = frequency_label(found);
    let mut headings = vec![label.as_str()];
    headings.extend(found.outputs.iter().map(String::as_str));
    let row = |(at, frequency): (usize, &f64)| {
        let cells = curve.responses.iter().map(|column| polar(&column[at]));
        std::iter::once(format!("{frequency:.6}")).chain(cells).collect()
    };
    table(&headings, &found.values.iter().enumerate().map(row).collect::<Vec<_>>()) + "\n"
}

fn polar(response: &Complex) -> String {
    format!("{} ∠ {:.1}°", magnitude(response), response.arg().to_degrees())
}

fn magnitude(response: &Complex) -> String {
    let size = response.norm();
    if (1e-3..1e6).contains(&size) || size == 0.0 {
        format!("{size:.6}")
    } else {
        format!("{size:.6e}")
    }
}

fn peaks(found: &LinearResponse, curve: &LinearCurve) -> String {
    let label = frequency_label(found);
    let row = |name: &String, peak: &LinearPeak| {
        let unbounded = || ["∞".to_owned(), "nothing damps it".to_owned()];
        let [height, phase] = peak.response.as_ref().map_or_else(unbounded, |response| {
            [magnitude(response), format!("{:.1}°", response.arg().to_degrees())]
        });
        let place = [format!("{:.9}", peak.frequency), format!("{:.1e}", peak.frequency_error)];
        [vec![name.clone()], place.to_vec(), vec![height, phase]].concat()
    };
    let all = found.outputs.iter().zip(&curve.peaks);
    let rows: Vec<Vec<String>> =
        all.flat_map(|(name, peaks)| peaks.iter().map(|peak| row(name, peak))).collect();
    match rows.is_empty() {
        true => "no peak between these frequencies\n".to_owned(),
        false => table(&["peak of", &label, "±", "magnitude", "phase"], &rows),
    }
}
