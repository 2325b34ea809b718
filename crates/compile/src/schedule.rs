//! The order of operations: sines and cosines in batches, the rest depth first from the outputs.

use crate::program::{Operation, Program};
use rustc_hash::FxHashMap;

/// A piece of the schedule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stage {
    /// One operation, by its position in the program.
    One(usize),
    /// Sines and cosines of several angles, computed together.
    SineCosineBatch(Vec<SineCosine>),
}

/// An angle whose sine, cosine or both are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SineCosine {
    /// The number of the angle's value.
    pub(crate) angle: u32,
    /// The position of the sine in the program.
    pub(crate) sine: Option<usize>,
    /// The position of the cosine in the program.
    pub(crate) cosine: Option<usize>,
}

/// Schedules all operations of a program.
pub(crate) fn schedule(program: &Program) -> Vec<Stage> {
    let mut scheduler = Scheduler {
        program,
        first: (program.input_len() + program.constants.len()) as u32,
        done: vec![false; program.operations.len()],
        stages: Vec::with_capacity(program.operations.len()),
    };
    for batch in scheduler.batches() {
        for member in &batch {
            scheduler.compute(member.angle);
        }
        for member in &batch {
            for position in member.sine.into_iter().chain(member.cosine) {
                scheduler.done[position] = true;
            }
        }
        scheduler.stages.push(Stage::SineCosineBatch(batch));
    }
    for output in &program.outputs {
        for &value in &output.values {
            scheduler.compute(value);
        }
    }
    scheduler.stages
}

struct Scheduler<'a> {
    program: &'a Program,
    first: u32,
    done: Vec<bool>,
    stages: Vec<Stage>,
}

impl Scheduler<'_> {
    /// Sines and cosines in batches; those of batch k have angles that depend on k others in a row.
    fn batches(&self) -> Vec<Vec<SineCosine>> {
        let mut depths = vec![0_usize; self.program.operations.len()];
        let mut batches: Vec<Vec<SineCosine>> = Vec::new();
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for (position, &operation) in self.program.operations.iter().enumerate() {
            let operand =
                |value: u32| value.checked_sub(self.first).map_or(0, |at| depths[at as usize]);
            let depth = operation.operands().map(operand).max().unwrap_or(0);
            depths[position] = depth;
            let (Operation::Sine(angle) | Operation::Cosine(angle)) = operation else { continue };
            depths[position] = depth + 1;
            if batches.len() <= depth {
                batches.resize(depth + 1, Vec::new());
            }
            let batch = &mut batches[depth];
            let at = *places.entry(angle).or_insert_with(|| {
                batch.push(SineCosine { angle, sine: None, cosine: None });
                batch.len() - 1
            });
            if operation == Operation::Sine(angle) {
                batch[at].sine = Some(position);
            } else {
                batch[at].cosine = Some(position);
            }
        }
        batches
    }

    /// Schedules everything a value needs, then the value itself.
    fn compute(&mut self, value: u32) {
        let mut stack = vec![(value, false)];
        while let Some((value, ready)) = stack.pop() {
            let Some(position) = value.checked_sub(self.first).map(|at| at as usize) else {
                continue;
            };
            if self.done[position] {
                continue;
            }
            if ready {
                self.done[position] = true;
                self.stages.push(Stage::One(position));
                continue;
            }
            stack.push((value, true));
            stack.extend(self.program.operations[position].operands().map(|value| (value, false)));
        }
    }
}
