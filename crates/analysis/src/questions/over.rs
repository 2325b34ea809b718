//! Ranges of what is varied, as they are given to questions about maps.

use crate::{Question, Refusal};
use catena_ensemble::{Axis, SweptAxis, read_axis};

/// The axes of these texts, `most` of them at most. What a setting gives one value cannot be varied.
pub(super) fn axes(
    question: &Question<'_>,
    texts: &[String],
    most: usize,
) -> Result<Vec<Axis>, Refusal> {
    let axes = texts.iter().map(|text| read_axis(text)).collect::<Result<Vec<_>, _>>();
    let axes = axes.map_err(|error| Refusal::of_question(error.to_string(), error.help()))?;
    for (at, SweptAxis { name, values, .. }) in axes.iter().enumerate() {
        if let Some(setting) = question.model.setting_of(name) {
            return Err(Refusal::set_and_varied(name, setting, "{over}"));
        }
        if axes[..at].iter().any(|other| other.name == *name) {
            return Err(Refusal::of_question(
                format!("`{name}` is varied twice"),
                "give {over} once for each name",
            ));
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(Refusal::of_question(
                format!("a value of `{name}` is not a finite number"),
                "write numbers, or formulas of them such as pi/2 or 60 deg",
            ));
        }
    }
    if axes.len() > most {
        return Err(Refusal::of_question(
            format!("{} ranges are given, and a map has two", axes.len()),
            "give {over} at most twice, and {set} for everything else",
        ));
    }
    let plain = |SweptAxis { name, values, .. }| Axis { name, values };
    Ok(axes.into_iter().map(plain).collect())
}
