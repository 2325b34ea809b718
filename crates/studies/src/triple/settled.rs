//! A motion looked at once in each period of the drive, until its transient is over.

use super::{angles::COLUMNS, pendulum};
use crate::{Laboratory, StudyError};
use catena::Model;
use std::f64::consts::TAU;

/// Coordinates and velocities, in the order of the points.
pub(super) const STATE: [&str; 6] = ["theta1", "theta2", "theta3", "theta1'", "theta2'", "theta3'"];
/// e-foldings of the slowest mode of small swings after which a motion counts as settled, and over which exponents are
/// taken.
const SETTLING_E_FOLDINGS: f64 = 25.0;
const EXPONENT_E_FOLDINGS: f64 = 10.0;
/// Fewest periods for either.
const LEAST_PERIODS: f64 = 500.0;
/// Tolerances that leave differences of settled states far below what is asked of them.
const TOLERANCES: [(&str, &str); 2] = [("rtol", "1e-11"), ("atol", "1e-13")];

/// A motion once in each period of the drive.
pub(super) struct StrobedMotion {
    /// For each column of [`STATE`] its values; angles in (−π, π].
    pub(super) columns: Vec<Vec<f64>>,
    /// The model, beginning at the last of the points: after whole periods the drive is what it was.
    pub(super) model: Model,
}

/// How the pivot is shaken and what resists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// Hz
    pub(super) frequency: f64,
    /// N m s
    pub(super) friction: f64,
    /// m
    pub(super) amplitude: f64,
}

impl Conditions {
    fn parameters(&self) -> [(&'static str, f64); 3] {
        [("f", self.frequency), ("R", self.friction), ("eta0", self.amplitude)]
    }

    pub(super) fn model(&self, lab: &Laboratory<'_>) -> Result<Model, StudyError> {
        pendulum(lab, &self.parameters())
    }

    /// Periods in which the slowest mode of small swings decays by a factor e.
    fn periods_per_e_folding(&self, lab: &Laboratory<'_>) -> Result<f64, StudyError> {
        let modes = lab.ask("modes", &self.model(lab)?, &[])?;
        let rates = modes.table.numbers("real").unwrap_or_default();
        let slowest = rates.iter().map(|rate| rate.abs()).fold(f64::INFINITY, f64::min);
        Ok(self.frequency / slowest)
    }

    /// Periods after which a motion that is going to repeat has settled.
    pub(super) fn settling_periods(&self, lab: &Laboratory<'_>) -> Result<usize, StudyError> {
        let periods = SETTLING_E_FOLDINGS * self.periods_per_e_folding(lab)?;
        Ok(periods.max(LEAST_PERIODS).ceil() as usize)
    }

    /// The time over which exponents are taken, s: that of whole periods.
    pub(super) fn exponent_time(&self, lab: &Laboratory<'_>) -> Result<f64, StudyError> {
        let periods = EXPONENT_E_FOLDINGS * self.periods_per_e_folding(lab)?;
        Ok(periods.max(LEAST_PERIODS).ceil() / self.frequency)
    }

    /// The motion from rest over so many periods.
    pub(super) fn strobed(
        &self,
        lab: &Laboratory<'_>,
        periods: usize,
    ) -> Result<StrobedMotion, StudyError> {
        let model = self.model(lab)?;
        let (columns, points) = (STATE.join(","), periods.max(2).to_string());
        let mut options =
            vec![("columns", columns.as_str()), ("points", points.as_str()), ("transient", "0")];
        options.extend(TOLERANCES);
        let answer = lab.ask("poincare", &model, &options)?;
        let column = |name: &&str| answer.table.numbers(name).unwrap_or_default().to_vec();
        let columns: Vec<Vec<f64>> = STATE.iter().map(column).collect();
        let last = STATE
            .iter()
            .zip(&columns)
            .map(|(name, values)| (*name, values.last().copied().unwrap_or_default()));
        let parameters: Vec<(&str, f64)> = self.parameters().into_iter().chain(last).collect();
        let model = pendulum(lab, &parameters)?;
        Ok(StrobedMotion { columns, model })
    }
}

impl StrobedMotion {
    /// The distance of the last two points in the space of angles, rad, and rates, rad/s.
    pub(super) fn residual(&self) -> f64 {
        let difference = |(at, values): (usize, &Vec<f64>)| match values.as_slice() {
            [.., before, last] => {
                let difference = last - before;
                let is_angle = at < COLUMNS.len();
                difference - if is_angle { TAU * (difference / TAU).round() } else { 0.0 }
            }
            _ => f64::NAN,
        };
        self.columns.iter().enumerate().map(difference).map(|d| d * d).sum::<f64>().sqrt()
    }
}
