//! Lyapunov exponents: how fast neighbouring motions part, in every direction.
//!
//! # Equations
//! Tangent vectors W follow the variational equations $\dot W = \frac{\partial f}{\partial y} W$ and are kept orthonormal by
//! discrete QR; $\lambda_j = \lim \frac{1}{t}\sum \ln R_{jj}$, natural logarithm, per second. With constraints the vectors stay in
//! the tangent space of Φ = 0 and Φ̇ = 0: there are 2(n − m) exponents, and none that the constraints bring along.
//!
//! # How good they are
//! The error of an exponent is the standard error of its means over blocks of time, or the difference between the first half and
//! the whole where that is larger. Besides, a spectrum checks itself: motions that a drive does not lead have an exponent zero
//! along the flow, all exponents add up to the mean divergence, those of conservative systems come in pairs ±λ.
//!
//! # When to choose it
//! To tell chaos by a number with an error, or to say how long a motion can be predicted. One exponent (`--exponents 1`) is enough
//! for that; all of them give the dimension of the attractor and check each other. Equations must be smooth.
//!
//! # Reference
//! G. Benettin, L. Galgani, A. Giorgilli, J.-M. Strelcyn, *Lyapunov characteristic exponents for smooth dynamical systems*, 1980;
//! J. L. Kaplan, J. A. Yorke, *Chaotic behavior of multidimensional difference equations*, 1979 (dimension);
//! M. D. Hartl, *Lyapunov exponents in constrained and nonconstrained ordinary differential equations*, 2003

mod checks;
mod gathering;
mod growth;
mod map;
mod request;

pub use checks::{Checks, kaplan_yorke};
pub(crate) use map::lyapunov_map_shown;
pub use map::{LyapunovCell, LyapunovMap, lyapunov_map};
pub use request::LyapunovRequest;

use crate::DrivePeriod;
use crate::live::{Gathered, Show};
use crate::question::Stop;
use catena_ensemble::{Engine, SweepError, Task};
use catena_model::Model;
use catena_simulation::Start;
use checks::Nature;
use gathering::{AddTrajectory, Gathering, Trajectory};
use growth::Growth;

/// Copies of a motion begin this far apart, relative to 1 and the size of each component: near enough to be the same motion,
/// and in chaos soon independent of each other.
const COPY_DISTANCE: f64 = 1e-9;
/// A run in which the first tangent vector was stretched or shrunk by fewer factors e than this, back and forth, says nothing.
const LEAST_STRETCHING: f64 = 100.0;
/// A first vector whose exponent is negative by so many of its errors shrinks steadily.
const ERRORS_OF_SHRINKING: f64 = 10.0;
/// By how much a time that is said to be long enough is longer than it seems to have to be.
const AMPLE: f64 = 1.5;

/// One exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponent {
    /// 1/s
    pub value: f64,
    /// Its standard error, 1/s.
    pub error: f64,
}

/// The exponents of a motion.
#[derive(Clone, Debug)]
pub struct LyapunovSpectrum {
    /// Largest first.
    pub exponents: Vec<Exponent>,
    /// How many there are, whether they were asked for or not.
    pub dimension: usize,
    /// What the exponents have to satisfy, and by how much they miss it.
    pub checks: Checks,
    /// Where the information dimension is expected; absent unless the exponents suffice for it.
    pub kaplan_yorke: Option<f64>,
    /// Times at which growth was counted, s, and the exponents up to there, for each exponent.
    pub convergence: Convergence,
    /// The period of the drive, s, whose phase is not counted among the exponents; absent without a drive.
    pub period: Option<f64>,
    /// How many copies of the motion were run.
    pub copies: usize,
    /// When growth began to count, and the end, s.
    pub span: [f64; 2],
    /// Whether the work was done; else the caller's `stop` has answered `true`.
    pub complete: bool,
}

/// How exponents converge.
#[derive(Clone, Debug, Default)]
pub struct Convergence {
    /// s
    pub times: Vec<f64>,
    /// For each exponent its value up to each of the times, 1/s.
    pub exponents: Vec<Vec<f64>>,
}

/// Why there are no exponents.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LyapunovError {
    /// The model, the formulation or something that is varied is refused.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// The motion failed.
    #[error("{reason}")]
    Motion {
        /// Why.
        reason: String,
    },
    /// A motion that has no neighbours.
    #[error("nothing moves by itself: motors and constraints prescribe the whole motion")]
    Prescribed,
    /// More exponents than there are.
    #[error("{asked} exponents are asked for, and the motion has {dimension}")]
    TooMany {
        /// How many were asked for.
        asked: usize,
        /// How many there are.
        dimension: usize,
    },
    /// Nothing is left after the transient.
    #[error("the motion ends at {t_end} s: nothing is left after {after} s")]
    NothingAfter {
        /// When growth would begin to count, s.
        after: f64,
        /// s
        t_end: f64,
    },
    /// A motion too short for any exponent.
    #[error(
        "{duration} s are too short for an exponent: neighbouring motions were stretched by {stretching:.0} factors e in all, \
         back and forth, and {LEAST_STRETCHING} are the least that mean anything"
    )]
    TooShort {
        /// How long growth was counted, s.
        duration: f64,
        /// The sum of all |ln R₁₁|.
        stretching: f64,
        /// When it would have to end, s.
        needed: f64,
    },
}

/// What is known of a motion before it is run.
struct Motion {
    task: Task,
    period: Option<f64>,
}

/// Finds the exponents of a motion of the model from its own start. Where nobody says how long it is, it is long enough.
pub fn lyapunov(
    model: &Model,
    request: &LyapunovRequest,
    stop: &Stop<'_>,
) -> Result<LyapunovSpectrum, LyapunovError> {
    lyapunov_shown(model, request, stop, None)
}

/// Exponents as they are known so far, if they are, and when the motion will end, s.
pub(crate) type SpectrumSoFar = (Option<LyapunovSpectrum>, f64);

/// The same for somebody who looks at what is known so far.
pub(crate) fn lyapunov_shown(
    model: &Model,
    request: &LyapunovRequest,
    stop: &Stop<'_>,
    show: Option<&Show<'_, SpectrumSoFar>>,
) -> Result<LyapunovSpectrum, LyapunovError> {
    match of_motion(model, request, stop, show) {
        Err(LyapunovError::TooShort { needed, .. }) if request.t_end.is_none() => {
            let longer = LyapunovRequest { t_end: Some(needed), ..request.clone() };
            of_motion(model, &longer, stop, show)
        }
        found => found,
    }
}

fn of_motion(
    model: &Model,
    request: &LyapunovRequest,
    stop: &Stop<'_>,
    show: Option<&Show<'_, SpectrumSoFar>>,
) -> Result<LyapunovSpectrum, LyapunovError> {
    let motion = Motion::of(model, request)?;
    let most = request.exponents.unwrap_or(LyapunovRequest::MOST_UNASKED);
    let options = request.sweep_options();
    let first = &motion.task;
    let engine = Engine::with_tangents(model, Vec::new(), Vec::new(), options, first, most)?;
    let dimension = request.check_dimension(&engine)?;
    let nature = Nature::of(engine.prepared());
    let copies = request.copies.unwrap_or_else(|| LyapunovRequest::copies_of(engine.prepared()));
    let tasks = (0..copies).map(|copy| motion.copy(model, request, copy)).collect();
    let t_end = first.times.map_or(0.0, |times| times.t_end);
    let so_far =
        |known: &Vec<Trajectory>| (motion.spectrum(known, dimension, false, nature).ok(), t_end);
    let vectors = engine.tangents();
    let known = vec![Trajectory { vectors, ..Trajectory::default() }; copies];
    let gathered = show.map(|show| Gathered::new(known, &so_far, show));
    let add = |task: usize, trajectory: &Trajectory, ended: bool| {
        if let Some(gathered) = gathered.as_ref().filter(|_| !ended) {
            gathered.add(|known| known[task].push_last_of(trajectory));
        }
    };
    let add: Option<&AddTrajectory<'_>> = show.is_some().then_some(&add);
    let (trajectories, complete) = Gathering::run(&engine, tasks, true, request.threads, stop, add);
    let reason = trajectories.iter().find_map(|trajectory| trajectory.failure.clone());
    if let Some(reason) = reason {
        return Err(LyapunovError::Motion { reason });
    }
    motion.spectrum(&trajectories, dimension, complete, nature)
}

impl Motion {
    fn of(model: &Model, request: &LyapunovRequest) -> Result<Motion, LyapunovError> {
        let period = match DrivePeriod::find(model) {
            Ok(period) => period.at(&model.parameter_values()).ok(),
            // what drives it need not repeat: exponents need no period
            Err(_) => None,
        };
        let times = request.times(model, period);
        if times.after >= times.t_end {
            let (after, t_end) = (times.after, times.t_end);
            return Err(LyapunovError::NothingAfter { after, t_end });
        }
        let task = Task { values: Vec::new(), start: None, times: Some(times) };
        Ok(Motion { task, period })
    }

    /// The motion itself, or one that begins very near.
    fn copy(&self, model: &Model, request: &LyapunovRequest, number: usize) -> Task {
        if number == 0 {
            return self.task.clone();
        }
        let Start { q, v, states, .. } = Start::new(model, request.formulation.coordinates);
        let mut start = [q, v, states].concat();
        for (component, value) in start.iter_mut().enumerate() {
            // without a pattern, so that no symmetry is kept
            let aside = (12.9898 * number as f64 + 78.233 * component as f64).sin();
            *value += COPY_DISTANCE * (1.0 + value.abs()) * aside;
        }
        Task { start: Some(start), ..self.task.clone() }
    }

    fn spectrum(
        &self,
        trajectories: &[Trajectory],
        dimension: usize,
        complete: bool,
        nature: Nature,
    ) -> Result<LyapunovSpectrum, LyapunovError> {
        let begun = self.task.times.map_or(0.0, |times| times.t_start);
        let growth = Growth::of(trajectories, begun);
        let [from, to] = growth.span();
        let stretching = growth.stretching();
        // what shrinks steadily is soon known
        let shrinks = growth
            .exponents()
            .first()
            .is_some_and(|first| first.value < -ERRORS_OF_SHRINKING * first.error);
        if complete && stretching < LEAST_STRETCHING && !shrinks {
            let start = self.task.times.map_or(0.0, |times| times.t_start);
            let needed = start
                + AMPLE * (to - start) * LEAST_STRETCHING / stretching.max(LEAST_STRETCHING / 1e3);
            return Err(LyapunovError::TooShort { duration: to - from, stretching, needed });
        }
        let mut found: Vec<(Exponent, Vec<f64>)> =
            growth.exponents().into_iter().zip(growth.convergence()).collect();
        found.sort_by(|(a, _), (b, _)| b.value.total_cmp(&a.value));
        let (exponents, convergence): (Vec<Exponent>, Vec<Vec<f64>>) = found.into_iter().unzip();
        let all = exponents.len() == dimension;
        let checks = Checks::of(&exponents, all, [growth.sum(), growth.divergence()], nature);
        Ok(LyapunovSpectrum {
            kaplan_yorke: kaplan_yorke(&exponents, all),
            exponents,
            dimension,
            checks,
            convergence: Convergence { times: growth.times().to_vec(), exponents: convergence },
            period: self.period,
            copies: trajectories.len(),
            span: [from, to],
            complete,
        })
    }
}
