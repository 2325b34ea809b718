//! Whether two sweeps are the same, and in what they differ.

use crate::check_sum::check_sum;
use catena_ensemble::{Chunk, Description, SweptAxis};

/// Everything that determines the numbers as names and values, for people and for comparison.
fn facts(description: &Description) -> Vec<(String, String)> {
    let mut facts = description.settings.clone();
    for (i, axis) in description.axes.iter().enumerate() {
        facts.push((axis_name(i), axis_in_words(axis)));
    }
    facts.push(("measures".to_owned(), description.measures.join(", ")));
    facts.push(("cells of a block".to_owned(), description.blocks.size.to_string()));
    facts
}

fn axis_name(position: usize) -> String {
    format!("axis {}", position + 1)
}

fn axis_in_words(axis: &SweptAxis) -> String {
    let sum = check_sum(axis.values.iter().map(|value| value.to_le_bytes()));
    let [first, last] =
        [axis.values.first(), axis.values.last()].map(|value| value.copied().unwrap_or(f64::NAN));
    let count = axis.values.len();
    format!("{}, {count} values from {first:?} to {last:?} ({sum:08x})", axis.name)
}

/// The first fact in which another sweep differs: its name, its value in this one, its value in the other.
pub(crate) fn difference(this: &Description, other: &Description) -> Option<[String; 3]> {
    let (mine, others) = (facts(this), facts(other));
    let value = |facts: &[(String, String)], name: &str| {
        facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    for (name, _) in mine.iter().chain(&others) {
        let (before, now) = (value(&mine, name), value(&others, name));
        if before != now {
            let shown = |value: Option<String>| value.map_or("absent".to_owned(), |v| short(&v));
            return Some([name.clone(), shown(before), shown(now)]);
        }
    }
    // axes whose check sums agree by chance
    let pairs = this.axes.iter().zip(&other.axes);
    let position = pairs.clone().position(|(a, b)| a.values != b.values)?;
    let [before, now] = [this, other].map(|sweep| axis_in_words(&sweep.axes[position]));
    Some([axis_name(position), before, now])
}

/// Differs when anything of the description, or the part of the sweep that a file is for, does.
pub(crate) fn description_check_sum(description: &Description, chunk: Chunk) -> u32 {
    let scales = description.axes.iter().map(|axis| format!("{:?}", axis.spacing));
    let facts = facts(description).into_iter().flat_map(|(name, value)| [name, value]);
    let texts = [description.title.clone(), chunk.name()].into_iter().chain(scales).chain(facts);
    // an end that no text has: two texts do not run into one
    check_sum(texts.map(|text| text + "\0"))
}

/// A long text by its check sum.
fn short(text: &str) -> String {
    match text {
        "" => "nothing".to_owned(),
        text if text.lines().count() > 1 || text.len() > 120 => {
            format!("{} bytes ({:08x})", text.len(), check_sum([text]))
        }
        text => text.to_owned(),
    }
}
