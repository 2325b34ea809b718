//! Axes, measures and chunks as commands write them.

use super::{Chunk, SweepFailure, SweptAxis};
use catena_ensemble::{Measure, RangeError, read_axis, read_measure};
use catena_figure::Scale;

/// `NAME=FROM:TO:COUNT`, `NAME=FROM:TO:COUNT:log` or `NAME=VALUE,VALUE,...`.
pub fn swept_axis(text: &str) -> Result<SweptAxis, SweepFailure> {
    let written = read_axis(text)?;
    let scale = if written.logarithmic { Scale::Logarithmic } else { Scale::Linear };
    Ok(SweptAxis { name: written.axis.name, scale, values: written.axis.values })
}

/// `STATISTIC:COLUMN`.
pub(super) fn measure(text: &str) -> Result<Measure, SweepFailure> {
    Ok(read_measure(text)?)
}

impl From<RangeError> for SweepFailure {
    fn from(error: RangeError) -> SweepFailure {
        match error {
            RangeError::BadAxis { text, reason, cure } => {
                SweepFailure::BadAxis { text, reason, cure }
            }
            RangeError::TooManyValues { name, count } => {
                SweepFailure::TooManyValues { name, count }
            }
            RangeError::BadMeasure { text, cure } => SweepFailure::BadMeasure { text, cure },
            other => SweepFailure::BadAxis {
                text: String::new(),
                reason: other.to_string(),
                cure: other.help(),
            },
        }
    }
}

impl std::str::FromStr for Chunk {
    type Err = SweepFailure;

    /// `I/N` with 1 ≤ I ≤ N.
    fn from_str(text: &str) -> Result<Chunk, SweepFailure> {
        let parts = text.split_once('/');
        let numbers =
            parts.and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match numbers {
            Some((number, of)) if 1 <= number && number <= of => Ok(Chunk { number, of }),
            _ => Err(SweepFailure::BadChunk(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_count_from_one() {
        assert_eq!("2/4".parse::<Chunk>().ok(), Some(Chunk { number: 2, of: 4 }));
        for text in ["0/4", "5/4", "a/b", "1", "1/0", "-1/4", "1/4/2", ""] {
            assert!(text.parse::<Chunk>().is_err(), "{text}");
        }
    }
}
