//! How errors steer the steps of all lanes: what [`crate::control::steered`] does for one motion.

use super::lane_steps::{LaneSteps, numbers};
use crate::control::StepControl;
use crate::control::rule::{Memory, Rule, smaller};
use crate::method::Failure;
use crate::norm::ErrorNorm;
use catena_linear::Aligned;

/// A rule, and what it remembers of each lane.
pub(super) struct LaneControl {
    rule: Rule,
    /// How errors are measured: in all lanes alike.
    pub(super) norm: ErrorNorm,
    // See [`Memory`].
    longest: Aligned,
    step: Aligned,
    own: Aligned,
    rejected: Aligned,
}

impl LaneControl {
    /// For lanes that a control like this steers; `None` where it does not look at errors.
    pub(super) fn new(control: &dyn StepControl, width: usize) -> Option<LaneControl> {
        let (rule, _) = control.steering()?;
        let norm = control.norm()?.clone();
        let zeros = || Aligned::zeros(width);
        let [longest, step, own, rejected] = [zeros(), zeros(), zeros(), zeros()];
        Some(LaneControl { rule, norm, longest, step, own, rejected })
    }

    /// Takes over a control that has begun.
    pub(super) fn begin(&mut self, lane: usize, control: &dyn StepControl) {
        let (Some((_, memory)), Some(norm)) = (control.steering(), control.norm()) else { return };
        self.norm.clone_from(norm);
        self.set(lane, memory);
    }

    fn set(&mut self, lane: usize, memory: Memory<1>) {
        [self.longest[lane]] = memory.longest;
        [self.step[lane]] = memory.step;
        [self.own[lane]] = memory.own;
        [self.rejected[lane]] = memory.rejected;
    }

    /// Whether the method may foresee a step: not again after it was rejected.
    pub(super) fn foresees(&self, lane: usize) -> bool {
        self.rejected[lane] == 0.0
    }

    /// An attempt was in vain.
    pub(super) fn reject(&mut self, lane: usize, h: f64, failure: &Failure) {
        let [longest, step, own, rejected] =
            [&self.longest, &self.step, &self.own, &self.rejected].map(|numbers| [numbers[lane]]);
        let mut memory = Memory { longest, step, own, rejected };
        self.rule.rejected(h, failure, &mut memory);
        self.set(lane, memory);
    }

    /// The method promises that steps of these lengths are accurate; where it promises nothing they are NaN.
    #[inline(always)]
    pub(super) fn foresee<const W: usize>(&mut self, promised: &[f64]) {
        let Memory { longest, step, own: bounds, rejected } = self.memory::<W>();
        let promised: &[f64; W] = promised.first_chunk().expect("there are as many as lanes");
        let mut next = [0.0; W];
        for i in 0..W {
            let foreseen = smaller(smaller(promised[i], bounds[i]), longest[i]);
            let holds = (rejected[i] == 0.0) & (promised[i] >= 0.0);
            next[i] = if holds { foreseen } else { step[i] };
        }
        self.step[..W].copy_from_slice(&next);
    }

    /// The next attempts.
    #[inline(always)]
    pub(super) fn propose<const W: usize>(&self, steps: &mut LaneSteps) {
        steps.propose(numbers::<W>(&self.step), self.rule.stretch());
    }

    /// Accepts the attempts that are accurate; whether all lanes that run have made a step and go on. A defect is 0 or NaN.
    #[inline(always)]
    pub(super) fn accept<const W: usize>(
        &mut self,
        steps: &mut LaneSteps,
        errors: &Aligned,
        [state, rate]: &[Aligned; 2],
    ) -> bool {
        let (errors, state, rate) = (numbers::<W>(errors), numbers::<W>(state), numbers::<W>(rate));
        let mut h = numbers::<W>(&steps.h);
        for h in &mut h {
            *h = h.abs();
        }
        let memory = self.memory::<W>();
        let next = self.rule.accepted(h, errors, memory);
        let mut accurate = [0.0; W];
        for i in 0..W {
            let is_accurate = (state[i] + rate[i] == 0.0) & (errors[i] <= 1.0);
            accurate[i] = if is_accurate { 1.0 } else { 0.0 };
        }
        let moved = steps.accept::<W>(accurate);
        let (mut step, mut own, mut rejected) = (memory.step, memory.own, memory.rejected);
        for i in 0..W {
            step[i] = if moved[i] != 0.0 { next.step[i] } else { step[i] };
            own[i] = if moved[i] != 0.0 { next.own[i] } else { own[i] };
            rejected[i] = if moved[i] != 0.0 { next.rejected[i] } else { rejected[i] };
        }
        self.step[..W].copy_from_slice(&step);
        self.own[..W].copy_from_slice(&own);
        self.rejected[..W].copy_from_slice(&rejected);
        steps.all_go_on::<W>()
    }

    #[inline(always)]
    fn memory<const W: usize>(&self) -> Memory<W> {
        Memory {
            longest: numbers(&self.longest),
            step: numbers(&self.step),
            own: numbers(&self.own),
            rejected: numbers(&self.rejected),
        }
    }
}
