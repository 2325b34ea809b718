//! What the candidates of a comparison are measured against, and how wrong that is itself.
//!
//! The reference is computed with `dop853` far more exactly than any candidate asks for, by a formulation that does not
//! drift. A second one checks it: by another formulation, whose own error cannot be the same, where one takes part; else
//! at another tolerance. What separates the two is the error of the reference, and no candidate is called better.

use super::comparison::{Candidate, SharedColumns};
use super::preparations::Preparations;
use catena_formulation::{Entry, references_for};
use catena_model::Model;
use catena_simulation::{ErrorEstimate, FormulationChoice, Host, Run, RunError, StopReason, Table};

/// The tolerance of the reference relative to that of the most exact candidate ...
const REFERENCE_FACTOR: f64 = 1e-3;
/// ... down to this.
const MIN_REFERENCE_TOLERANCE: f64 = 1e-13;
/// The tolerance of a check by the same formulation relative to that of the reference.
const CHECK_FACTOR: f64 = 10.0;

/// What a comparison measures errors against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Name of the formulation.
    pub formulation: &'static str,
    /// Name of the integrator.
    pub integrator: &'static str,
    /// rtol and atol.
    pub tolerance: f64,
    /// Name of the formulation that checked it; the same at another tolerance where no other took part.
    pub checked_by: &'static str,
    /// Its own error, by the check: up to where the two stay together.
    pub error: ErrorEstimate,
}

/// A reference with its rows, up to where it is known.
pub(super) struct ReferenceMotion {
    pub(super) reference: Reference,
    pub(super) table: Table,
}

/// Who computes references, and for whom.
pub(super) struct References<'a> {
    pub(super) model: &'a Model,
    pub(super) candidates: &'a [&'a Candidate],
    pub(super) columns: &'a SharedColumns,
}

impl References<'_> {
    /// Computes the reference and its check. The first formulation that reaches the end is taken; if none does, the one
    /// that comes farthest.
    pub(super) fn compute(
        &self,
        prepared: &mut Preparations<'_>,
        host: &mut Host<'_>,
    ) -> Result<ReferenceMotion, RunError> {
        let tolerance = self.tolerance();
        let mut farthest: Option<(&'static Entry, Run)> = None;
        let mut refusal = None;
        for entry in references_for(self.model) {
            match self.run(entry, tolerance, prepared, host) {
                Ok(run) => {
                    let reached = has_finished(&run);
                    let time = run.certificate.time;
                    let before = farthest.as_ref().map(|(_, run)| run.certificate.time);
                    if reached || before.is_none_or(|before| time > before) {
                        farthest = Some((entry, run));
                    }
                    if reached {
                        break;
                    }
                }
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        let Some((entry, run)) = farthest else {
            return Err(
                refusal.expect("every model has a formulation, so that one of them refused")
            );
        };
        let (checked_by, check) = self.check(entry, tolerance, prepared, host)?;
        let columns = self.columns.motion.len() - 1;
        let error = ErrorEstimate::new(&check.table, &run.table, columns, None);
        let reference = Reference {
            formulation: entry.name,
            integrator: run.certificate.integrator,
            tolerance,
            checked_by: checked_by.name,
            error,
        };
        Ok(ReferenceMotion { table: up_to(&run.table, error.valid_until), reference })
    }

    /// By the next formulation that takes part, or by the same one at another tolerance.
    fn check(
        &self,
        entry: &'static Entry,
        tolerance: f64,
        prepared: &mut Preparations<'_>,
        host: &mut Host<'_>,
    ) -> Result<(&'static Entry, Run), RunError> {
        let takes_part = |other: &&'static Entry| {
            let mut candidates = self.candidates.iter();
            candidates.any(|candidate| candidate.formulation.entry.name == other.name)
        };
        let others =
            references_for(self.model).into_iter().filter(|other| other.name != entry.name);
        for other in others.filter(takes_part) {
            match self.run(other, tolerance, prepared, host) {
                Ok(run) if has_finished(&run) => return Ok((other, run)),
                _ => {}
            }
        }
        Ok((entry, self.run(entry, CHECK_FACTOR * tolerance, prepared, host)?))
    }

    fn tolerance(&self) -> f64 {
        let candidates = self.candidates.iter();
        let smallest =
            candidates.map(|candidate| candidate.options.integration.rtol).fold(1e-6, f64::min);
        (smallest * REFERENCE_FACTOR).max(MIN_REFERENCE_TOLERANCE)
    }

    fn run(
        &self,
        entry: &'static Entry,
        tolerance: f64,
        prepared: &mut Preparations<'_>,
        host: &mut Host<'_>,
    ) -> Result<Run, RunError> {
        let mut options = self.candidates[0].options.clone();
        options.integrator = catena_integrator::for_exact_motions();
        options.integration = catena_integrator::Options {
            rtol: tolerance,
            atol: tolerance,
            ..catena_integrator::Options::default()
        };
        options.columns = Some(self.columns.names());
        (options.examine_rank, options.record_events) = (false, false);
        prepared.of(&FormulationChoice::new(entry))?.run(&options, host)
    }
}

fn has_finished(run: &Run) -> bool {
    !matches!(run.certificate.stop, StopReason::Failed { .. })
}

/// The rows up to a time.
fn up_to(table: &Table, time: f64) -> Table {
    let times = table.numbers("t").unwrap_or_default();
    let rows = times.iter().take_while(|t| **t <= time).count();
    let columns = table.columns.iter();
    columns.fold(Table::default(), |cut, column| {
        let numbers = column.numbers().iter().take(rows).copied().collect();
        cut.with_numbers(column.name.clone(), column.unit.clone(), numbers)
    })
}
