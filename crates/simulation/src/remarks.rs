//! Remarks on a run and on what stopped it, as they stand in its certificate.

use crate::RunOptions;
use crate::table::{Column, Table};
use catena_integrator::{IntegrationError, Options, Statistics, for_stiff_systems};

/// What to say of tolerances that let errors as large as the motion pass, where they may have led to what stopped it.
pub(crate) fn loose_tolerance(error: &IntegrationError, options: &RunOptions) -> Option<String> {
    /// Errors of a motion of ordinary size that nobody would call small.
    const LOOSE_TOLERANCE: f64 = 0.05;
    let may_mislead =
        matches!(error, IntegrationError::StepTooSmall { .. } | IntegrationError::StepLimit { .. });
    if !may_mislead || options.has_fixed_steps() {
        return None;
    }
    let (given, standard) = (&options.integration, Options::default());
    let tolerances = [("rtol", given.rtol, standard.rtol), ("atol", given.atol, standard.atol)];
    let (key, loose, usual) = tolerances.into_iter().find(|(_, it, _)| *it >= LOOSE_TOLERANCE)?;
    Some(format!(
        "; errors that `{key}` {loose} lets pass may have led there: take {usual:e} first"
    ))
}

/// A remark on columns that have no value in some rows.
pub(crate) fn undefined(table: &Table) -> Option<String> {
    let missing =
        |column: &Column| column.numbers().iter().filter(|value| !value.is_finite()).count();
    let columns =
        table.columns.iter().map(|column| (format!("`{}`", column.name), missing(column)));
    let (names, missing): (Vec<String>, Vec<usize>) =
        columns.filter(|(_, missing)| *missing > 0).unzip();
    let (most, rows) = (missing.iter().max()?, table.len());
    let verb = if names.len() == 1 { "is" } else { "are" };
    Some(format!("{} {verb} not finite in {most} of {rows} rows", names.join(", ")))
}

/// A remark on rows that could not be brought onto the constraints.
pub(crate) fn uncorrected(rows: u64) -> Option<String> {
    (rows > 0).then(|| {
        format!("{rows} rows could not be corrected onto the constraints: they are as interpolated")
    })
}

/// The remark of a run that stability made long.
pub(crate) fn stiffness(statistics: &Statistics) -> Option<String> {
    let Statistics { steps, stiff_steps, .. } = statistics;
    statistics.mostly_stiff().then(|| {
        let better = for_stiff_systems(true);
        format!(
            "stiff: stability, not accuracy, limited {stiff_steps} of {steps} steps; {better} takes longer ones"
        )
    })
}
