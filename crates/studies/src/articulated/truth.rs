//! The true motion: as exact as double precision allows, and how exact that is.

use super::chain::{Bench, Conditions, Method, Steps, Trial};
use crate::{Laboratory, StudyError};

/// Tolerance of the true motion, relative and absolute: near rounding.
const TOLERANCE: f64 = 1e-13;
/// Tolerance of the motion in other coordinates that it is compared with.
const CHECK_TOLERANCE: f64 = 1e-12;
/// Both of order 8.
const INTEGRATOR: &str = "dop853";
/// The first step that is tried, s.
const FIRST_STEP: f64 = 1e-3;
/// Rows of the true motion, s: those of all motions that are compared with it.
pub(super) const EVERY: f64 = 0.01;

/// The true motion, and how far the tip may be from it.
pub(super) struct Truth {
    /// With rows every [`EVERY`].
    pub(super) trial: Trial,
    /// The largest distance of the tip to that of the check, m: absolute coordinates with projection.
    pub(super) error: f64,
}

impl Truth {
    pub(super) fn find(lab: &Laboratory<'_>, conditions: &Conditions) -> Result<Truth, StudyError> {
        let trial = exact(lab, conditions)?;
        let check = moved(lab, conditions, &Method::plain("projection"), CHECK_TOLERANCE)?;
        let apart = |name: &str| {
            let pairs = trial.column(name).iter().zip(check.column(name));
            pairs.map(|(a, b)| (a - b).abs()).collect::<Vec<f64>>()
        };
        let distances = apart("tip_x").into_iter().zip(apart("tip_y"));
        let error = distances.map(|(x, y)| x.hypot(y)).fold(0.0, f64::max);
        Ok(Truth { trial, error })
    }
}

/// The true motion without its check.
pub(super) fn exact(lab: &Laboratory<'_>, conditions: &Conditions) -> Result<Trial, StudyError> {
    moved(lab, conditions, &Method::recursive(), TOLERANCE)
}

fn moved(
    lab: &Laboratory<'_>,
    conditions: &Conditions,
    method: &Method,
    tolerance: f64,
) -> Result<Trial, StudyError> {
    let mut bench = Bench::new(lab, conditions.links, method)?.with_integrator(INTEGRATOR);
    bench.trial(lab, Steps { tolerance, first: FIRST_STEP, every: EVERY })
}
