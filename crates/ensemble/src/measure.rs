//! What is kept of a trajectory: numbers that are gathered while it runs.

use crate::section::DIRECTIONS;
use std::str::FromStr;

/// How the values of a column in all rows become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The value of the last row.
    Last,
    /// The largest value.
    Max,
    /// The smallest value.
    Min,
    /// The largest absolute value.
    MaxAbs,
    /// Half the peak-to-peak value.
    Amplitude,
    /// The arithmetic mean.
    Mean,
    /// The root of the mean square.
    Rms,
    /// Not of a column: the time at which an event happens first, or a formula is zero, s; NaN where that is never.
    Time,
}

impl Statistic {
    /// Each with the name that commands take.
    pub const ALL: [(&'static str, Statistic); 8] = [
        ("last", Statistic::Last),
        ("max", Statistic::Max),
        ("min", Statistic::Min),
        ("maxabs", Statistic::MaxAbs),
        ("amplitude", Statistic::Amplitude),
        ("mean", Statistic::Mean),
        ("rms", Statistic::Rms),
        ("time", Statistic::Time),
    ];

    /// The name that commands take.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, statistic)| *statistic == self).map_or("", |(name, _)| name)
    }

    /// Whether rows before the last one count.
    pub(crate) fn is_of_many_rows(self) -> bool {
        !matches!(self, Statistic::Last | Statistic::Time)
    }
}

impl FromStr for Statistic {
    type Err = ();

    fn from_str(text: &str) -> Result<Statistic, ()> {
        Self::ALL.iter().find(|(name, _)| *name == text).map(|&(_, statistic)| statistic).ok_or(())
    }
}

/// A number of a trajectory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// How rows become a number.
    pub statistic: Statistic,
    /// Of which column; of a time, the event or the formula, behind which `:up` or `:down` may stand.
    pub column: String,
}

impl Measure {
    /// As in the header of a table: `max:theta1`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.statistic.name(), self.column)
    }

    /// The event or formula whose first zero is measured, and the direction if one is given; none for statistics of columns.
    pub(crate) fn section(&self) -> Option<(&str, Option<i8>)> {
        if self.statistic != Statistic::Time {
            return None;
        }
        let known = |word: &str| DIRECTIONS.iter().find(|(name, _)| *name == word.trim());
        let (text, direction) = match self.column.rsplit_once(':') {
            Some((text, word)) => (text, known(word)),
            None => (self.column.as_str(), None),
        };
        match direction {
            Some((_, direction)) => Some((text.trim(), Some(*direction))),
            None => Some((self.column.as_str(), None)),
        }
    }
}

/// A measure under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered {
    count: u64,
    last: f64,
    smallest: f64,
    largest: f64,
    sum: f64,
    squares: f64,
}

impl Gathered {
    pub(crate) const NOTHING: Gathered = Gathered {
        count: 0,
        last: f64::NAN,
        smallest: f64::INFINITY,
        largest: f64::NEG_INFINITY,
        sum: 0.0,
        squares: 0.0,
    };

    /// As a device has it: how many, the last, the smallest, the largest, the sum and that of the squares.
    pub(crate) fn of_numbers(
        &[count, last, smallest, largest, sum, squares]: &[f64; 6],
    ) -> Gathered {
        Gathered { count: count as u64, last, smallest, largest, sum, squares }
    }

    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        self.last = value;
        self.smallest = self.smallest.min(value);
        self.largest = self.largest.max(value);
        self.sum += value;
        self.squares += value * value;
    }

    /// Whether there was a row.
    pub(crate) fn is_known(&self) -> bool {
        self.count > 0
    }

    /// NaN if there was no row.
    pub(crate) fn result(&self, statistic: Statistic) -> f64 {
        let count = self.count as f64;
        match statistic {
            _ if self.count == 0 => f64::NAN,
            Statistic::Last | Statistic::Time => self.last,
            Statistic::Max => self.largest,
            Statistic::Min => self.smallest,
            Statistic::MaxAbs => self.largest.abs().max(self.smallest.abs()),
            Statistic::Amplitude => 0.5 * (self.largest - self.smallest),
            Statistic::Mean => self.sum / count,
            Statistic::Rms => (self.squares / count).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_few_numbers() {
        let mut gathered = Gathered::NOTHING;
        assert!(gathered.result(Statistic::Max).is_nan());
        [1.0, -4.0, 2.0].into_iter().for_each(|value| gathered.add(value));
        let expected = [2.0, 2.0, -4.0, 4.0, 3.0, -1.0 / 3.0, 7.0_f64.sqrt(), 2.0];
        for ((name, statistic), expected) in Statistic::ALL.into_iter().zip(expected) {
            assert_eq!(gathered.result(statistic), expected, "{name}");
            assert_eq!(name.parse(), Ok(statistic));
        }
    }

    #[test]
    fn a_time_names_an_event_or_a_formula_and_perhaps_a_direction() {
        let section = |statistic, column: &str| {
            let measure = Measure { statistic, column: column.to_owned() };
            measure.section().map(|(text, direction)| (text.to_owned(), direction))
        };
        assert_eq!(section(Statistic::Time, "top"), Some(("top".to_owned(), None)));
        assert_eq!(section(Statistic::Time, "q = 1 : down"), Some(("q = 1".to_owned(), Some(-1))));
        assert_eq!(section(Statistic::Max, "top"), None);
    }
}
