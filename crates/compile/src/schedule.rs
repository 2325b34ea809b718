//! The order of operations: sines and cosines in batches, the rest depth first from the outputs.

use crate::program::{Operation, Program};
use catena_symbolic::Function;
use rustc_hash::FxHashMap;

/// A piece of the schedule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stage {
    /// One operation, by its position in the program.
    One(usize),
    /// Sines and cosines of several angles; for each the angle's value and the positions of the
    /// sine and the cosine, as far as they are wanted.
    Turns(Vec<Turn>),
}

/// An angle whose sine or cosine is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) angle: u32,
    pub(crate) sine: Option<usize>,
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
    for turns in scheduler.batches() {
        for turn in &turns {
            scheduler.compute(turn.angle);
        }
        for turn in &turns {
            for position in turn.sine.into_iter().chain(turn.cosine) {
                scheduler.done[position] = true;
            }
        }
        scheduler.stages.push(Stage::Turns(turns));
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
    /// The turns by the number of turns their angle depends on.
    fn batches(&self) -> Vec<Vec<Turn>> {
        let mut depths = vec![0_usize; self.program.operations.len()];
        let mut batches: Vec<Vec<Turn>> = Vec::new();
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for (position, &operation) in self.program.operations.iter().enumerate() {
            let operand =
                |value: u32| value.checked_sub(self.first).map_or(0, |at| depths[at as usize]);
            let depth = operation.operands().map(operand).max().unwrap_or(0);
            depths[position] = depth;
            let Operation::Call(function @ (Function::Sin | Function::Cos), angle) = operation
            else {
                continue;
            };
            depths[position] = depth + 1;
            if batches.len() <= depth {
                batches.resize(depth + 1, Vec::new());
            }
            let batch = &mut batches[depth];
            let at = *places.entry(angle).or_insert_with(|| {
                batch.push(Turn { angle, sine: None, cosine: None });
                batch.len() - 1
            });
            if function == Function::Sin {
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
