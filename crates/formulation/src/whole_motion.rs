//! Whole steps of a motion whose rate is a program: compiled once they have earned it, with the bits of the rate itself.

use crate::Formulation;
use catena_compile::{Aligned, Kernel, StageSums, StepKernels, WholeStep};
use catena_integrator::{Attempt, ExplicitMethod};

/// So many steps take about as long stage by stage as compiling them as a whole does.
const STEPS_WORTH_COMPILING: u32 = 2_000;

/// The whole steps of a motion. Compiled functions are shared between clones.
#[derive(Clone, Default)]
pub struct WholeMotion {
    /// Steps made stage by stage, as far as they were told.
    staged: u32,
    /// What was compiled, and what cannot be.
    compiled: Vec<Compiled>,
    /// Place of what the present motion uses.
    present: Option<usize>,
}

/// Steps of a method.
#[derive(Clone)]
struct Compiled {
    method: &'static ExplicitMethod,
    with_work: bool,
    ready: Option<Ready>,
}

#[derive(Clone)]
struct Ready {
    step: WholeStep<Kernel>,
    /// What a step reads; the parameters and what follows from them stand at its end.
    line: Aligned,
}

impl WholeMotion {
    /// As [`catena_integrator::WholeSteps::prepare`], for a formulation with its parameters; with the work done on it behind its
    /// state or without.
    pub fn prepare(
        &mut self,
        formulation: &dyn Formulation,
        with_work: bool,
        method: &'static ExplicitMethod,
        staged: u32,
    ) -> bool {
        self.staged = self.staged.saturating_add(staged);
        let is_known =
            |known: &Compiled| std::ptr::eq(known.method, method) && known.with_work == with_work;
        self.present = self.compiled.iter().position(is_known);
        if self.present.is_none() && self.staged >= STEPS_WORTH_COMPILING {
            let ready = compile(formulation, with_work, method).map(Ready::new);
            self.present = Some(self.compiled.len());
            self.compiled.push(Compiled { method, with_work, ready });
        }
        let Some(present) = self.present else { return false };
        let Some(Ready { step, line }) = &mut self.compiled[present].ready else { return false };
        step.set_parameters(0, formulation.base().input().evaluator.parameters());
        let tail = line.len() - step.tail().len();
        line[tail..].copy_from_slice(step.tail());
        true
    }

    /// As [`catena_integrator::WholeSteps::attempt`].
    pub fn attempt(&mut self, attempt: Attempt<'_>, found: &mut [f64]) -> bool {
        let Attempt { method, times, y, rate } = attempt;
        let Some(present) = self.present.map(|at| &mut self.compiled[at]) else { return false };
        // another integrator may have moved the system in between
        let is_its_own = std::ptr::eq(present.method, method);
        let Some(Ready { step, line }) = present.ready.as_mut().filter(|_| is_its_own) else {
            return false;
        };
        let (n, end) = (y.len(), found.len());
        line[..n].copy_from_slice(y);
        line[n..2 * n].copy_from_slice(rate);
        line[end..end + times.len()].copy_from_slice(&times);
        step.run(line, found);
        found[end - 1] == 0.0
    }
}

impl Ready {
    fn new(kernels: StepKernels<Kernel>) -> Ready {
        let step = WholeStep::new(kernels);
        Ready { line: Aligned::zeros(step.line_len()), step }
    }
}

/// `None` where the rate is no program or the step too long, and where it would be interpreted for good, which gains
/// nothing.
fn compile(
    formulation: &dyn Formulation,
    with_work: bool,
    method: &'static ExplicitMethod,
) -> Option<StepKernels<Kernel>> {
    let rate = formulation.rate_program(with_work)?;
    let (c, a, b) = method.stages();
    let estimates = method.estimates();
    let sums = StageSums { c, a, b, estimates: &estimates };
    StepKernels::new(&rate, &sums, Kernel::of_fused).filter(StepKernels::are_native)
}
