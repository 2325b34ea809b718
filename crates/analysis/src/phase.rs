//! Phase portrait: one column of a motion against another, after its transient.

use crate::catalogue::Analysis;
use catena_simulation::Table;

/// The row of the catalogue.
pub static PHASE: Analysis = Analysis {
    name: "phase",
    summary: "one column of a run against another, such as an angle and its rate",
    needs: "a run",
};

/// Why there is no portrait.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PhaseError {
    /// No column of this name.
    #[error("there is no column `{name}`")]
    UnknownColumn {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The transient takes it all.
    #[error("the run ends at {end} s: nothing is left after {after} s")]
    Nothing {
        /// The end of the rows, s.
        end: f64,
        /// Where the portrait would begin, s.
        after: f64,
    },
}

/// The rows of t and two columns from a time on.
pub fn phase_portrait(table: &Table, columns: [&str; 2], after: f64) -> Result<Table, PhaseError> {
    let names: Vec<String> = ["t", columns[0], columns[1]].map(str::to_owned).to_vec();
    let mut portrait = table.select(&names).map_err(|name| PhaseError::UnknownColumn {
        name,
        known: table.names().map(str::to_owned).collect(),
    })?;
    let times = portrait.columns[0].numbers();
    let first = times.iter().position(|&t| t >= after);
    let end = times.last().copied().unwrap_or(0.0);
    let Some(first) = first else { return Err(PhaseError::Nothing { end, after }) };
    portrait.skip_rows(first);
    Ok(portrait)
}
