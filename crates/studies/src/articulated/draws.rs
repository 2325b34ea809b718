//! Loose runs, many of them: at a tolerance of 0.1 what becomes of a chain depends on rounding, and one run is one draw.

use super::chain::{Bench, GRIDS, Method, Steps, TOLERANCES, Trial, median};
use super::truth::EVERY;
use crate::{Laboratory, StudyError};

/// Tolerances of draws differ by this part of themselves: in the ninth digit.
const RELATIVE_CHANGE: f64 = 1e-9;
/// From when on the velocity of the tip is compared, s: it is in free swing after the whip.
pub(super) const COMPARED_FROM: f64 = 4.2;
/// What more than this part of all draws does is the rule.
const MAJORITY: f64 = 0.5;

/// What became of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    /// Height of the tip in the end, m.
    pub(super) tip_y: f64,
    /// Distance of the tip to its true place in the end, m.
    pub(super) tip_error: f64,
    /// The largest gap of a joint, m, and which joint that was, from 1 on.
    pub(super) gap: f64,
    pub(super) widest: f64,
    /// The largest error of the tip's velocity from [`COMPARED_FROM`] on, m/s.
    pub(super) velocity_error: f64,
}

/// Runs of one method at one tolerance: for each grid of the study one, and at the loosest tolerance more that differ from it
/// in the ninth digit of the tolerance.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    pub(super) grids: Vec<Vec<Draw>>,
}

/// What is to be drawn.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    pub(super) method: &'a Method,
    /// At the loosest tolerance there are several runs for each grid; tighter ones do not depend on rounding.
    pub(super) tolerance: f64,
    /// How many runs there are for each grid at the loosest tolerance.
    pub(super) runs: usize,
}

impl Draws {
    pub(super) fn take(
        lab: &Laboratory<'_>,
        drawing: Drawing<'_>,
        truth: &Trial,
        links: usize,
    ) -> Result<Draws, StudyError> {
        let Drawing { method, tolerance, runs } = drawing;
        let runs = if tolerance < TOLERANCES[0] { 1 } else { runs };
        let grids = lab.each(&GRIDS, |lab, &first| {
            let mut bench = Bench::new(lab, links, method)?;
            let mut draw = |k: usize| {
                let tolerance_of_draw = tolerance * (1.0 + RELATIVE_CHANGE * k as f64);
                let trial = bench
                    .trial(lab, Steps { tolerance: tolerance_of_draw, first, every: EVERY })?;
                Ok(Draw {
                    tip_y: trial.tip()[1],
                    tip_error: trial.tip_error(truth),
                    gap: trial.gap(),
                    widest: trial.worst.0 as f64,
                    velocity_error: trial.velocity_error(truth, COMPARED_FROM),
                })
            };
            (0..runs).map(&mut draw).collect::<Result<Vec<Draw>, StudyError>>()
        })?;
        Ok(Draws { grids })
    }

    /// The runs of the study, one for each grid.
    pub(super) fn of_study(&self, what: fn(&Draw) -> f64) -> Vec<f64> {
        self.grids.iter().filter_map(|draws| draws.first()).map(what).collect()
    }

    /// All runs.
    pub(super) fn all(&self, what: fn(&Draw) -> f64) -> Vec<f64> {
        self.grids.iter().flatten().map(what).collect()
    }

    pub(super) fn median(&self, what: fn(&Draw) -> f64) -> f64 {
        median(&self.all(what))
    }

    /// The part of all runs that something is true of.
    pub(super) fn share(&self, is_so: impl Fn(&Draw) -> bool) -> Share {
        let all = self.grids.iter().flatten();
        Share { hits: all.clone().filter(|draw| is_so(draw)).count(), of: all.count() }
    }
}

/// So many of so many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) hits: usize,
    pub(super) of: usize,
}

impl Share {
    /// Whether most of them are.
    pub(super) fn is_rule(self) -> bool {
        self.hits as f64 > MAJORITY * self.of as f64
    }

    pub(super) fn is_all(self) -> bool {
        self.hits == self.of
    }

    /// As a part of 100, in words.
    pub(super) fn percent(self) -> String {
        format!("{:.0} %", 100.0 * self.hits as f64 / self.of.max(1) as f64)
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(out, "{} of {}", self.hits, self.of)
    }
}
