//! Amplitudes of the three angles against frequency, from any of the routes, with their peaks.

use super::angles::COLUMNS;
use crate::{Laboratory, StudyError};
use catena::analysis::Refusal;
use catena::{Answer, Model, Source};
use serde_json::Value;

/// Amplitudes at one friction.
#[derive(Clone, Debug)]
pub(super) struct ResponseCurve {
    /// N m s
    pub(super) friction: f64,
    /// Hz, rising.
    pub(super) frequencies: Vec<f64>,
    /// For each angle, rad.
    pub(super) amplitudes: [Vec<f64>; 3],
    /// For each angle, from low to high frequencies.
    pub(super) peaks: [Vec<Peak>; 3],
    /// How many motions have not settled; 0 for transfer functions.
    pub(super) unsettled: usize,
}

/// A local maximum of an amplitude over the frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peak {
    /// Hz
    pub(super) frequency: f64,
    /// rad
    pub(super) height: f64,
}

/// The frequencies of a response, as the text of an option.
pub(super) fn frequency_range(from: f64, to: f64, points: usize) -> String {
    format!("f={from}:{to}:{points}")
}

fn friction_list(friction: &[f64]) -> String {
    let list: Vec<String> = friction.iter().map(f64::to_string).collect();
    format!("R={}", list.join(","))
}

/// Settled motions of the full model, each from rest.
pub(super) fn settled(
    lab: &Laboratory<'_>,
    model: &Model,
    frequencies: &str,
    friction: &[f64],
    refinements: usize,
) -> Result<Vec<ResponseCurve>, StudyError> {
    let (friction, refinements) = (friction_list(friction), refinements.to_string());
    let options =
        [("over", frequencies), ("over", friction.as_str()), ("refinements", refinements.as_str())];
    Ok(of_motions(&lab.ask("response", model, &options)?))
}

/// Settled motions of the linear model that Catena writes for one friction, which is that of the model.
pub(super) fn of_linear_model(
    lab: &Laboratory<'_>,
    model: &Model,
    frequencies: &str,
    friction: f64,
) -> Result<ResponseCurve, StudyError> {
    let answer = lab.ask("linearize", model, &[])?;
    let none = || Refusal::of_model("the linear model has no file", "");
    let text = answer.file.ok_or_else(none)?.text?;
    let linear = catena::read(Source::new("linear model", text), &[])
        .map_err(|problems| StudyError::Load(problems.into()))?;
    let answer = lab.ask("response", &linear, &[("over", frequencies)])?;
    let curve = of_motions(&answer).pop().ok_or_else(none)?;
    Ok(ResponseCurve { friction, ..curve })
}

/// The transfer function times the amplitude of the pivot, m.
pub(super) fn transfer_function(
    lab: &Laboratory<'_>,
    model: &Model,
    frequencies: &str,
    friction: &[f64],
    amplitude: f64,
) -> Result<Vec<ResponseCurve>, StudyError> {
    let friction = friction_list(friction);
    let options = [("over", frequencies), ("over", friction.as_str()), ("linear", "true")];
    let answer = lab.ask("response", model, &options)?;
    let frequencies = numbers(&answer.result["frequencies"]);
    let curve = |curve: &Value| {
        let output = |angle: usize| &curve["outputs"][COLUMNS[angle]];
        let scaled = |angle: usize| {
            numbers(&output(angle)["magnitude"]).into_iter().map(|h| amplitude * h).collect()
        };
        let peak = |peak: &Value| Peak {
            frequency: number(&peak["frequency"]),
            height: amplitude * number(&peak["magnitude"]),
        };
        let peaks = |angle: usize| list(&output(angle)["peaks"]).iter().map(peak).collect();
        ResponseCurve {
            friction: number(&curve["value"]),
            frequencies: frequencies.clone(),
            amplitudes: std::array::from_fn(scaled),
            peaks: std::array::from_fn(peaks),
            unsettled: 0,
        }
    };
    Ok(list(&answer.result["curves"]).iter().map(curve).collect())
}

fn of_motions(answer: &Answer) -> Vec<ResponseCurve> {
    let curve = |curve: &Value| {
        let mut points: Vec<&Value> = list(&curve["points"]).iter().collect();
        points.extend(list(&curve["refined"]));
        points.sort_by(|a, b| number(&a["frequency"]).total_cmp(&number(&b["frequency"])));
        // peaks of several angles may be refined at the same frequencies
        points.dedup_by_key(|point| number(&point["frequency"]).to_bits());
        let amplitudes = |angle: usize| {
            points.iter().map(|point| number(&point["amplitude"][COLUMNS[angle]])).collect()
        };
        let peak = |peak: &Value| Peak {
            frequency: number(&peak["frequency"]),
            height: number(&peak["amplitude"]),
        };
        let peaks = |angle: usize| list(&curve["peaks"][COLUMNS[angle]]).iter().map(peak).collect();
        ResponseCurve {
            friction: number(&curve["value"]),
            frequencies: points.iter().map(|point| number(&point["frequency"])).collect(),
            amplitudes: std::array::from_fn(amplitudes),
            peaks: std::array::from_fn(peaks),
            unsettled: points.iter().filter(|point| point["settled"] != true).count(),
        }
    };
    list(&answer.result["curves"]).iter().map(curve).collect()
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What is not known is not a number.
pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}
