//! What is kept of a trajectory: numbers that are gathered while it runs.

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
}

impl Statistic {
    /// Each with the name that commands take.
    pub const ALL: [(&'static str, Statistic); 7] = [
        ("last", Statistic::Last),
        ("max", Statistic::Max),
        ("min", Statistic::Min),
        ("maxabs", Statistic::MaxAbs),
        ("amplitude", Statistic::Amplitude),
        ("mean", Statistic::Mean),
        ("rms", Statistic::Rms),
    ];

    /// The name that commands take.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, statistic)| *statistic == self).map_or("", |(name, _)| name)
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
    /// Of which column.
    pub column: String,
}

impl Measure {
    /// As in the header of a table: `max:theta1`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.statistic.name(), self.column)
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

    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        self.last = value;
        self.smallest = self.smallest.min(value);
        self.largest = self.largest.max(value);
        self.sum += value;
        self.squares += value * value;
    }

    /// NaN if there was no row.
    pub(crate) fn result(&self, statistic: Statistic) -> f64 {
        let count = self.count as f64;
        match statistic {
            _ if self.count == 0 => f64::NAN,
            Statistic::Last => self.last,
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
        let expected = [2.0, 2.0, -4.0, 4.0, 3.0, -1.0 / 3.0, 7.0_f64.sqrt()];
        for ((name, statistic), expected) in Statistic::ALL.into_iter().zip(expected) {
            assert_eq!(gathered.result(statistic), expected, "{name}");
            assert_eq!(name.parse(), Ok(statistic));
        }
    }
}
