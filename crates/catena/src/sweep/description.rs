//! Everything that determines the numbers of a sweep, as it stands in the result file.

use super::blocks::{Blocks, Chunk, check_sum};
use catena_figure::Scale;

/// A quantity that is varied, with its values in the order of the cells.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptAxis {
    /// A parameter or a value at the start.
    pub name: String,
    /// How the values are spread.
    pub scale: Scale,
    /// In the order of the cells.
    pub values: Vec<f64>,
}

impl SweptAxis {
    /// In words that differ when a value does.
    fn words(&self) -> String {
        let sum = check_sum(self.values.iter().flat_map(|value| value.to_le_bytes()));
        let [first, last] = [self.values.first(), self.values.last()]
            .map(|value| value.copied().unwrap_or(f64::NAN));
        let count = self.values.len();
        format!("{}, {count} values from {first:?} to {last:?} ({sum:016x})", self.name)
    }
}

/// What two sweeps must have in common to be the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Of the model.
    pub title: String,
    /// Names and values of everything besides axes and measures, in a fixed order.
    pub settings: Vec<(String, String)>,
    /// What is varied; the last one changes fastest.
    pub axes: Vec<SweptAxis>,
    /// What is kept, by name.
    pub measures: Vec<String>,
    /// How the cells are divided.
    pub blocks: Blocks,
}

impl Description {
    /// The values of a cell, one for each axis.
    pub fn cell(&self, number: u64) -> Vec<f64> {
        self.places(number).iter().zip(&self.axes).map(|(&at, axis)| axis.values[at]).collect()
    }

    /// Where a cell lies along each axis.
    pub(super) fn places(&self, mut number: u64) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let count = axis.values.len() as u64;
            places.push((number % count) as usize);
            number /= count;
        }
        places.reverse();
        places
    }

    /// The axes' values in words, as in `eta0 = 0.1, f = 0.3`.
    pub fn cell_in_words(&self, number: u64) -> String {
        let values = self.cell(number);
        let pairs = self.axes.iter().zip(values).map(|(axis, value)| {
            // six digits are enough to find a cell
            let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
            format!("{} = {rounded}", axis.name)
        });
        pairs.collect::<Vec<_>>().join(", ")
    }

    /// Everything as names and values, for people and for comparison.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let mut facts = self.settings.clone();
        for (i, axis) in self.axes.iter().enumerate() {
            facts.push((format!("axis {}", i + 1), axis.words()));
        }
        facts.push(("measures".to_owned(), self.measures.join(", ")));
        facts.push(("cells of a block".to_owned(), self.blocks.size.to_string()));
        facts
    }

    /// The first fact in which another sweep differs, with both values.
    pub(super) fn difference(&self, other: &Description) -> Option<[String; 3]> {
        let (mine, others) = (self.facts(), other.facts());
        let absent = || "absent".to_owned();
        let value = |facts: &[(String, String)], name: &str| {
            facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        let names = mine.iter().chain(&others).map(|(name, _)| name);
        for name in names {
            let (before, now) = (value(&mine, name), value(&others, name));
            if before != now {
                let shown = |value: Option<String>| value.map_or_else(absent, |text| short(&text));
                return Some([name.clone(), shown(before), shown(now)]);
            }
        }
        None
    }

    /// Differs when anything here, or the part of it that a file is for, does.
    pub(super) fn check_sum(&self, chunk: Chunk) -> u64 {
        let scales = self.axes.iter().map(|axis| format!("{:?}", axis.scale));
        let facts = self.facts().into_iter().flat_map(|(name, value)| [name, value]);
        let texts = [self.title.clone(), chunk.name()].into_iter().chain(scales).chain(facts);
        check_sum(texts.flat_map(|text| text.into_bytes().into_iter().chain([0])))
    }
}

/// A long text by its check sum.
fn short(text: &str) -> String {
    match text {
        "" => "nothing".to_owned(),
        text if text.lines().count() > 1 || text.len() > 120 => {
            format!("{} bytes ({:016x})", text.len(), check_sum(text.bytes()))
        }
        text => text.to_owned(),
    }
}
