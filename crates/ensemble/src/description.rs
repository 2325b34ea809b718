//! Everything that determines the numbers of a sweep.

use crate::Blocks;
use catena_model::plain_to;

/// How the values of an axis are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Equal differences, or values that were listed.
    Linear,
    /// Equal ratios.
    Logarithmic,
}

/// A quantity that is varied, with its values in the order of the cells.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptAxis {
    /// A parameter or a value at the start.
    pub name: String,
    /// Whether equal differences or equal ratios separate the values.
    pub spacing: Spacing,
    /// In the order of the cells.
    pub values: Vec<f64>,
}

/// What two sweeps must have in common to be the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Title of the model.
    pub title: String,
    /// Names and values of everything except axes and measures, in a fixed order.
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
    pub fn places(&self, mut number: u64) -> Vec<usize> {
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
            format!("{} = {}", axis.name, plain_to(value, 6))
        });
        pairs.collect::<Vec<_>>().join(", ")
    }
}
