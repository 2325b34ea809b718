//! Axes and measures as people write them.

use crate::{Axis, Measure, Spacing, Statistic, SweptAxis};
use catena_model::{AllowedUnit, read_number, split_list};
use catena_symbolic::nearest;

/// What is written is no axis, or no measure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeError {
    /// An axis that cannot be read.
    #[error("`{text}` is no axis: {reason}")]
    BadAxis {
        /// What was written.
        text: String,
        /// What is wrong with it.
        reason: String,
        /// What to write instead, one sentence without a full stop.
        cure: String,
    },
    /// More values than an axis may have.
    #[error("`{name}` would take {count:e} values")]
    TooManyValues {
        /// Name of the axis.
        name: String,
        /// Number of values that were asked for.
        count: f64,
    },
    /// A measure that cannot be read.
    #[error("`{text}` is no measure")]
    BadMeasure {
        /// What was written.
        text: String,
        /// What to write instead, one sentence without a full stop.
        cure: String,
    },
}

impl RangeError {
    /// What to write instead, one sentence without a full stop.
    pub fn help(&self) -> String {
        match self {
            RangeError::BadAxis { cure, .. } | RangeError::BadMeasure { cure, .. } => cure.clone(),
            RangeError::TooManyValues { .. } => {
                format!("an axis takes at most {MAX_VALUES:e} values; vary several things together")
            }
        }
    }
}

/// More values of one axis than this are refused before they are made.
const MAX_VALUES: f64 = 1e7;

/// Digits of values between the ends of a logarithmic range: few enough that every machine finds the same ones.
const LOGARITHMIC_DIGITS: usize = 13;

/// What may stand where a value is missing.
const FORMULAS: &str = "write numbers, or formulas of them such as pi/2 or 60 deg";

/// `NAME=FROM:TO:COUNT`, `NAME=FROM:TO:COUNT:log` or `NAME=VALUE,VALUE,...`.
pub fn read_axis(text: &str) -> Result<SweptAxis, RangeError> {
    let bad = |reason: String, cure: &str| RangeError::BadAxis {
        text: text.to_owned(),
        reason,
        cure: cure.to_owned(),
    };
    let form = "write NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...";
    let Some((name, range)) = text.split_once('=') else {
        return Err(bad("it has no equals sign".into(), form));
    };
    let (name, range) = (name.trim(), range.trim());
    if name.is_empty() || range.is_empty() {
        return Err(bad("a name or a range is missing".into(), form));
    }
    let value =
        |text: &str| number(text, AllowedUnit::Any).map_err(|(reason, cure)| bad(reason, &cure));
    let count_of =
        |text: &str| number(text, AllowedUnit::In("")).map_err(|(reason, cure)| bad(reason, &cure));
    let parts = split_list(range, ':');
    let [from, to, count, rest @ ..] = parts.as_slice() else {
        if parts.len() > 1 {
            return Err(bad("a range has three or four parts".into(), form));
        }
        let values = split_list(range, ',').into_iter().map(value).collect::<Result<_, _>>()?;
        return Ok(SweptAxis { name: name.to_owned(), spacing: Spacing::Linear, values });
    };
    let spacing = match rest {
        [] => Spacing::Linear,
        ["log"] => Spacing::Logarithmic,
        _ => return Err(bad("only `log` may follow the number of values".into(), form)),
    };
    let (low, high, points) = (value(from)?, value(to)?, count_of(count)?);
    if !(points >= 1.0 && points.fract() == 0.0) {
        let reason = format!("it asks for {count} values");
        return Err(bad(reason, "the number of values is a whole number from 1 up"));
    }
    if points > MAX_VALUES {
        return Err(RangeError::TooManyValues { name: name.to_owned(), count: points });
    }
    if low > high {
        let cure = format!("write {name}={to}:{from}:{}", parts[2..].join(":"));
        return Err(bad("the range runs backwards".into(), &cure));
    }
    if (points == 1.0) != (low == high) {
        let reason = match points == 1.0 {
            true => "one value cannot have two ends",
            false => "both ends are the same",
        };
        return Err(bad(reason.into(), &format!("write {name}={from} for one value")));
    }
    if spacing == Spacing::Logarithmic && low <= 0.0 {
        return Err(bad("a logarithmic range has positive ends".into(), "take FROM above 0"));
    }
    let values = match spacing {
        Spacing::Linear => Axis::linear(name, low, high, points as usize).values,
        Spacing::Logarithmic => logarithmic(low, high, points as usize),
    };
    Ok(SweptAxis { name: name.to_owned(), spacing, values })
}

/// Equal ratios from one value to another, both included.
fn logarithmic(from: f64, to: f64, count: usize) -> Vec<f64> {
    let between = Axis::linear("", from.ln(), to.ln(), count).values;
    let last = between.len().saturating_sub(1);
    let value = |(i, logarithm): (usize, f64)| match i {
        0 => from,
        i if i == last => to,
        _ => {
            let value = logarithm.exp();
            format!("{value:.LOGARITHMIC_DIGITS$e}").parse().unwrap_or(value)
        }
    };
    between.into_iter().enumerate().map(value).collect()
}

/// `STATISTIC:COLUMN`, or `time:EVENT` with the name of an event or a formula.
pub fn read_measure(text: &str) -> Result<Measure, RangeError> {
    let names = || Statistic::ALL.map(|(name, _)| name);
    let (statistic, column) = text.split_once(':').unwrap_or((text, ""));
    let (statistic, column) = (statistic.trim(), column.trim());
    let of_columns = Statistic::ALL.iter().filter(|(_, statistic)| *statistic != Statistic::Time);
    let of_columns: Vec<&str> = of_columns.map(|(name, _)| *name).collect();
    let form = format!(
        "write STATISTIC:COLUMN, where STATISTIC is {}, or time:EVENT",
        of_columns.join(", ")
    );
    let bad = |cure: String| RangeError::BadMeasure { text: text.to_owned(), cure };
    match statistic.parse() {
        Ok(statistic) if !column.is_empty() => Ok(Measure { statistic, column: column.to_owned() }),
        Err(()) if !column.is_empty() => Err(bad(match nearest(statistic, names()) {
            Some(near) => format!("did you mean `{near}:{column}`?"),
            None => form,
        })),
        _ => Err(bad(form)),
    }
}

/// A number, and what to write where it is none.
fn number(text: &str, allowed: AllowedUnit) -> Result<f64, (String, String)> {
    match read_number(text, allowed) {
        _ if text.is_empty() => Err(("a value is missing".to_owned(), FORMULAS.to_owned())),
        Ok(value) => Ok(value),
        Err(error) => Err((error.to_string(), error.help())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        read_axis(text).unwrap_or_else(|error| panic!("{text}: {error}")).values
    }

    #[test]
    fn ranges_and_lists_take_formulas() {
        assert_eq!(values("f=0.2, 0.3 ,1/2"), [0.2, 0.3, 0.5]);
        assert_eq!(values("theta1'=0:1:5"), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(values("a=0:pi/2:2"), [0.0, std::f64::consts::FRAC_PI_2]);
        assert_eq!(values("a=max(1,2),60 deg"), [2.0, std::f64::consts::PI / 3.0]);
        assert_eq!(values("a=-2:-1:1e1").len(), 10);
        assert_eq!(values("f=0.5 Hz:1:2"), [0.5, 1.0]);
        assert_eq!(values("L=5 mm,2 cm,1 m"), [0.005, 0.02, 1.0]);
        assert_eq!(values("a=0 deg:180 deg:2"), [0.0, std::f64::consts::PI]);
    }

    #[test]
    fn logarithmic_ranges_have_equal_ratios_and_exact_decades() {
        assert_eq!(values("a=1e-3:1e3:7:log"), [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3]);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in [
            "f",
            "f=",
            "=1",
            "f=1:0:10",
            "f=0:1:0",
            "f=0:1:2.5",
            "f=0:1",
            "f=0:1:3:lin",
            "f=1,,2",
            "f=g",
            "f=0:1:-3",
            "f=0:1:1",
            "f=1:1:2",
            "f=0:1:3:log",
            "f=1/0",
            "f=0:1:3:log:4",
            "f=0:1:3 s",
            "f=1 sec",
        ] {
            assert!(matches!(read_axis(text), Err(RangeError::BadAxis { .. })), "{text}");
        }
        let huge = read_axis("f=0:1:1e15");
        assert!(matches!(huge, Err(RangeError::TooManyValues { .. })), "{huge:?}");
    }
}
