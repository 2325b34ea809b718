//! What is varied: a grid over parameters and initial values.

/// One quantity and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// A parameter, a coordinate or state at the start, or a velocity at the start (`theta1'`).
    pub name: String,
    /// In the order of the cells.
    pub values: Vec<f64>,
}

impl Axis {
    /// Evenly spread from one value to another, both included.
    pub fn linear(name: &str, from: f64, to: f64, count: usize) -> Axis {
        let last = count.saturating_sub(1).max(1) as f64;
        let value = |i: usize| match i {
            0 => from,
            i if i + 1 == count => to,
            i => from + (to - from) * (i as f64 / last),
        };
        Axis { name: name.to_owned(), values: (0..count).map(value).collect() }
    }
}

/// All combinations of the values of some axes; the last axis changes fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// The first changes slowest.
    pub axes: Vec<Axis>,
}

impl Grid {
    /// How many combinations there are; `None` if that overflows.
    pub fn checked_len(&self) -> Option<u64> {
        let counts = self.axes.iter().map(|axis| axis.values.len() as u64);
        counts.into_iter().try_fold(1_u64, u64::checked_mul)
    }

    /// The values of a combination, one for each axis.
    pub fn cell(&self, mut number: u64, values: &mut Vec<f64>) {
        values.clear();
        for axis in self.axes.iter().rev() {
            let count = axis.values.len() as u64;
            values.push(axis.values[(number % count) as usize]);
            number /= count;
        }
        values.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_all_combinations_and_the_last_axis_changes_fastest() {
        let grid =
            Grid { axes: vec![Axis::linear("a", 0.0, 1.0, 2), Axis::linear("b", 3.0, 5.0, 3)] };
        assert_eq!(grid.checked_len(), Some(6));
        let mut values = Vec::new();
        let mut all = Vec::new();
        for number in 0..6 {
            grid.cell(number, &mut values);
            all.push([values[0], values[1]]);
        }
        let expected = [[0.0, 3.0], [0.0, 4.0], [0.0, 5.0], [1.0, 3.0], [1.0, 4.0], [1.0, 5.0]];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_range_ends_exactly_where_it_should() {
        let axis = Axis::linear("a", 0.1, 0.7, 31);
        assert_eq!((axis.values[0], axis.values[30]), (0.1, 0.7));
        assert_eq!(Axis::linear("a", 2.0, 9.0, 1).values, [2.0]);
        assert!(Axis::linear("a", 2.0, 9.0, 0).values.is_empty());
    }
}
