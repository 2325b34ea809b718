//! From an explicit integrator to an implicit one where stability limits the steps, and back where that does not pay.
//!
//! Only runs whose integrator was taken by rules change it. Where the explicit method sees stiffness, or has suspected it
//! for long, the run goes on with the implicit one from the state it has reached. That is a trial: unless the steps become
//! several times as long, it goes back, and the next trial comes when twice as many steps were taken. Nothing is lost
//! either way, for both keep the tolerance.

use crate::auto::{Asked, integrator_of_run};
use crate::motion::Motion;
use crate::run::rounded;
use crate::{Assembly, Prepared, RunOptions};
use catena_formulation::Approximation;
use catena_integrator::{Entry, FirstOrderSystem, Integrator, StepLimit, Tangent};

/// What takes the place of explicit methods.
const IMPLICIT: &str = "radau5";
/// Steps of the implicit method after which they must have become longer ...
const TRIAL_STEPS: u64 = 16;
/// ... than the last explicit one by this factor: each costs about as much as so many explicit ones.
const MIN_STEP_GAIN: f64 = 5.0;
/// Explicit steps before the first trial where stiffness is only suspected, and the least between two trials.
const STEPS_BEFORE_TRIAL: u64 = 256;
/// Explicit steps that must still be ahead, times the square of the length of the state: what factoring costs more than
/// an evaluation has to be earned.
const MIN_STEPS_AHEAD: f64 = 2.0;
/// Iterations for the fastest frequency of springs.
const FREQUENCY_ITERATIONS: usize = 30;

/// Who moves the run, and who did before.
pub(crate) struct StiffnessSwitch {
    explicit: &'static Entry,
    /// None where the run keeps its integrator.
    implicit: Option<&'static Entry>,
    stage: Stage,
    /// Explicit steps of the run after which another trial may come.
    next_trial: u64,
    /// Explicit steps before the integrator that is at work began.
    explicit_steps: u64,
    /// Integrators with the time up to which each was at work, failed trials left out.
    earlier: Vec<(&'static str, f64)>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Explicit,
    /// With the length of the last explicit step.
    Trial {
        explicit_step: f64,
    },
    Implicit,
}

impl StiffnessSwitch {
    pub(crate) fn new(options: &RunOptions) -> StiffnessSwitch {
        let by_rules = options.automatic.integrator.is_some() && !options.has_fixed_steps();
        let explicit = by_rules && !options.integrator.implicit;
        StiffnessSwitch {
            explicit: options.integrator,
            implicit: explicit.then(|| catena_integrator::find(IMPLICIT)).flatten(),
            stage: Stage::Explicit,
            next_trial: STEPS_BEFORE_TRIAL,
            explicit_steps: 0,
            earlier: Vec::new(),
        }
    }

    /// The integrator that is at work.
    pub(crate) fn present(&self) -> &'static Entry {
        match (self.stage, self.implicit) {
            (Stage::Trial { .. } | Stage::Implicit, Some(implicit)) => implicit,
            _ => self.explicit,
        }
    }

    /// After a step: the integrator with which to go on, if it is another one.
    pub(crate) fn after_step(
        &mut self,
        integrator: &dyn Integrator,
        t_end: f64,
    ) -> Option<&'static Entry> {
        let implicit = self.implicit?;
        match self.stage {
            Stage::Explicit => {
                let limit = integrator.step_limit();
                if limit == StepLimit::Accuracy || !self.is_due(limit, integrator, t_end) {
                    return None;
                }
                let time = integrator.time();
                let explicit_step = (time - integrator.previous_time()).abs();
                self.stage = Stage::Trial { explicit_step };
                self.explicit_steps += integrator.statistics().steps;
                self.earlier.push((self.explicit.name, time));
                Some(implicit)
            }
            Stage::Trial { explicit_step } if integrator.statistics().steps >= TRIAL_STEPS => {
                let step = (integrator.time() - integrator.previous_time()).abs();
                if step >= MIN_STEP_GAIN * explicit_step {
                    self.stage = Stage::Implicit;
                    return None;
                }
                self.earlier.pop();
                self.go_back();
                Some(self.explicit)
            }
            _ => None,
        }
    }

    /// After a step that failed, or an integrator that could not begin: the one that may still go on.
    pub(crate) fn after_failure(&mut self, time: f64) -> Option<&'static Entry> {
        match self.stage {
            Stage::Explicit => return None,
            Stage::Trial { .. } => {
                self.earlier.pop();
            }
            Stage::Implicit => self.earlier.push((self.present().name, time)),
        }
        self.go_back();
        Some(self.explicit)
    }

    /// What happened, if anything did.
    pub(crate) fn words(&self) -> Option<String> {
        let (first, others) = self.earlier.split_first()?;
        let until = |(name, time): &(&str, f64)| format!("{name} until {} s", rounded(*time));
        let mut text = until(first);
        for change in others {
            text += &format!(", {}", until(change));
        }
        let now = self.present().name;
        Some(format!("{text}, then {now}: stability, not accuracy, limited the steps"))
    }

    /// Whether a trial may begin, and would pay.
    fn is_due(&self, limit: StepLimit, integrator: &dyn Integrator, t_end: f64) -> bool {
        let steps = self.explicit_steps + integrator.statistics().steps;
        let first_sight = limit == StepLimit::Stability && self.next_trial == STEPS_BEFORE_TRIAL;
        let time = integrator.time();
        let ahead = (t_end - time) / (time - integrator.previous_time());
        let len = integrator.state().len() as f64;
        (first_sight || steps >= self.next_trial) && ahead >= MIN_STEPS_AHEAD * len * len
    }

    fn go_back(&mut self) {
        self.stage = Stage::Explicit;
        self.next_trial = STEPS_BEFORE_TRIAL.max(2 * self.explicit_steps);
    }
}

impl Prepared {
    /// The same run with the integrator that fits its springs, where springs take the place of constraints and nobody
    /// named one: how stiff they are is known once the motion can begin.
    pub(crate) fn revised_for_springs(
        &mut self,
        options: &RunOptions,
        start: &Assembly,
    ) -> Option<RunOptions> {
        let springs = self.entry.approximation == Approximation::StiffSprings;
        if !springs || options.automatic.integrator.is_none() {
            return None;
        }
        let motion = &mut self.motion;
        let mut y = vec![0.0; motion.len()];
        let end = motion.formulation.state_len();
        motion.formulation.pack(&start.q, &start.v, &start.states, &mut y[..end]);
        let spring_radians = fastest_rate(motion, start.t, &y)? * options.duration();
        let asked = Asked { spring_radians, ..Asked::new(&options.integration) };
        let mut revised = options.clone();
        revised.integrator = revised.automatic.take_integrator(integrator_of_run(&asked));
        Some(revised)
    }
}

/// The largest |λ| of the motion at its start, rad/s; nothing where the tangent cannot be had.
fn fastest_rate(motion: &mut Motion, t: f64, y: &[f64]) -> Option<f64> {
    let n = y.len();
    let mut jacobian = vec![0.0; n * n];
    motion.jacobian(t, y, Tangent::Full, &mut jacobian).ok()?;
    // oscillations have ± iω: their squares are real, and two products at a time converge
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * (i as f64 + 1.0).sin()).collect();
    let product = |x: &[f64]| -> Vec<f64> {
        jacobian.chunks_exact(n).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
    };
    let mut squared = 0.0;
    for _ in 0..FREQUENCY_ITERATIONS {
        let next = product(&product(&x));
        squared = next.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if !(squared > 0.0 && squared.is_finite()) {
            return None;
        }
        x = next.iter().map(|value| value / squared).collect();
    }
    Some(squared.sqrt())
}
