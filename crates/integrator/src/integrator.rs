//! The seam: one accepted step at a time.

use crate::error::IntegrationError;
use crate::stiffness::StepLimit;
use crate::system::FirstOrderSystem;

/// What an integration cost since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps accepted.
    pub steps: u64,
    /// Of these, steps whose length was limited by stability, not by accuracy: the system is stiff there. Only explicit
    /// methods with step control look for it.
    pub stiff_steps: u64,
    /// Steps tried and rejected.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// Evaluations of its Jacobian.
    pub jacobians: u64,
    /// Matrices factored (`radau5`: its real and its complex matrix count as one).
    pub factorisations: u64,
    /// Iterations of Newton's method.
    pub newton_iterations: u64,
}

impl Statistics {
    /// Whether stability limited most of the steps.
    pub fn mostly_stiff(&self) -> bool {
        2 * self.stiff_steps > self.steps
    }
}

impl std::ops::Add for Statistics {
    type Output = Statistics;

    /// What two stretches of one motion cost together.
    fn add(self, other: Statistics) -> Statistics {
        Statistics {
            steps: self.steps + other.steps,
            stiff_steps: self.stiff_steps + other.stiff_steps,
            rejected: self.rejected + other.rejected,
            evaluations: self.evaluations + other.evaluations,
            jacobians: self.jacobians + other.jacobians,
            factorisations: self.factorisations + other.factorisations,
            newton_iterations: self.newton_iterations + other.newton_iterations,
        }
    }
}

/// Advances a first-order system, one accepted step at a time. Only [`begin`](Self::begin) allocates, and a system that compiles
/// [whole steps](crate::WholeSteps), once in a long motion.
pub trait Integrator: Send {
    /// Starts at (t, y) towards `t_end`, which may lie before t. Counts start from zero.
    fn begin(
        &mut self,
        system: &mut dyn FirstOrderSystem,
        t: f64,
        y: &[f64],
        t_end: f64,
    ) -> Result<(), IntegrationError>;

    /// One accepted step, never beyond the end; the last one ends exactly there, and further calls do nothing.
    fn step(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError>;

    /// Where the last step ended.
    fn time(&self) -> f64;

    /// Where the last step began; equal to [`time`](Self::time) before the first.
    fn previous_time(&self) -> f64;

    /// y at [`time`](Self::time).
    fn state(&self) -> &[f64];

    /// Makes [`interpolate`](Self::interpolate) ready for the last step. Some methods need evaluations for it, which a
    /// step that nobody looks into is spared.
    fn prepare_dense(&mut self, system: &mut dyn FirstOrderSystem);

    /// y at a time inside the last step, once it is prepared; both ends are always there and exact.
    fn interpolate(&self, t: f64, y: &mut [f64]);

    /// Accelerations and multipliers of the method's own at a time inside the last step, by straight lines; `false`
    /// if it has none and the equations have to be asked.
    fn reactions(&self, t: f64, accelerations: &mut [f64], multipliers: &mut [f64]) -> bool;

    /// What it cost since it began.
    fn statistics(&self) -> Statistics;

    /// One attempt at a step: whether it was accepted. Methods that do not tell make a whole one.
    fn attempt(&mut self, system: &mut dyn FirstOrderSystem) -> Result<bool, IntegrationError> {
        self.step(system).map(|()| true)
    }

    /// Where an attempt would have ended that was just rejected.
    fn rejected_end(&self) -> Option<f64> {
        None
    }

    /// The end of the next step as it would be tried now; `None` where steps are fixed, and then nobody may change
    /// them by what follows.
    fn proposed_end(&self) -> Option<f64> {
        None
    }

    /// The next step ends at this time or before.
    fn limit(&mut self, _end: f64) {}

    /// The next step is tried to this time, whatever was thought of its length.
    fn aim(&mut self, _end: f64) {}

    /// Takes the last step back, which then counts as rejected, and makes the next one end at this time or before.
    fn retract(&mut self, _system: &mut dyn FirstOrderSystem, _end: f64) {}

    /// Forgets everything but the present state: behind a place where the motion is not smooth. The next step is
    /// chosen like the first of all.
    fn forget(&mut self, _system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        Ok(())
    }

    /// y and ẏ at both ends of the last step, where the method knows them.
    fn ends(&self) -> Option<[(&[f64], &[f64]); 2]> {
        None
    }

    /// The size of an error at the end of the last step, relative to the tolerance; 0 where no error is controlled.
    fn relative_to_tolerance(&self, _error: &[f64]) -> f64 {
        0.0
    }

    /// ẏ of [`interpolate`](Self::interpolate) at a time inside the last step, once it is prepared; `false` where the
    /// method has none.
    fn interpolate_rate(&self, _t: f64, _rate: &mut [f64]) -> bool {
        false
    }

    /// What limited the last steps, as far as it was looked for: explicit methods with step control do.
    fn step_limit(&self) -> StepLimit {
        StepLimit::Accuracy
    }
}
