//! Tasks become the numbers of trajectories, on the processor.

use super::layout::{Layout, Number, STATISTICS};
use super::shared::DeviceShared;
use crate::Task;
use crate::cell::Cells;
use crate::engine::Engine;
use catena_integrator::{DEFAULT_STEPS, Options};
use catena_simulation::Prepared;

/// Fewer tasks than this are packed by one thread.
const MIN_TASKS_PER_THREAD: usize = 32;

/// One thread's own workspace.
pub(super) struct Packer {
    cells: Cells,
    prepared: Prepared,
    integration: Options,
    y: Vec<f64>,
}

impl Packer {
    pub(super) fn new(engine: &Engine) -> Packer {
        let cells = engine.cells();
        Packer {
            y: vec![0.0; engine.prepared.state_len()],
            prepared: engine.prepared.clone(),
            integration: engine.options.integration.clone(),
            cells,
        }
    }

    /// The numbers with which a trajectory begins, or why it has no start.
    pub(super) fn pack(&mut self, task: &Task, shared: &DeviceShared) -> Result<Vec<f64>, String> {
        self.cells.set(task)?;
        self.cells.assemble(&mut self.prepared)?;
        let (times, parameters) = (self.cells.times, self.cells.parameters());
        let start = &self.cells.start;
        self.prepared.pack(&start.q, &start.v, &start.states, &mut self.y);
        let span = [times.t_start, times.t_end];
        let options = self.prepared.bounded(&self.integration, &parameters, span);
        let length = (times.t_end - times.t_start).abs();
        let longest = options.max_step.unwrap_or(length).min(length);
        let step = times.step.or(options.step).unwrap_or(length / DEFAULT_STEPS);
        let layout = &shared.layout;
        let mut numbers = begun(layout);
        let mut set = |number: Number, value: f64| numbers[number as usize] = value;
        set(Number::Start, times.t_start);
        set(Number::End, times.t_end);
        set(Number::Time, times.t_start);
        set(Number::Step, if shared.adaptive { 0.0 } else { step });
        set(Number::Longest, longest.min(options.resolving_step.unwrap_or(f64::INFINITY)));
        set(Number::First, options.first_step.unwrap_or(0.0));
        set(Number::Bound, f64::INFINITY);
        set(Number::Allowed, options.max_steps as f64);
        // division may miss a whole number by rounding; no step shorter than that is made
        set(Number::Count, (length / step - 1e-9).ceil());
        set(Number::Every, times.every);
        set(Number::After, times.after);
        set(Number::NextRow, 1.0);
        set(Number::Recorded, times.t_start);
        let first = layout.first("Y");
        numbers[first..first + self.y.len()].copy_from_slice(&self.y);
        let first = layout.first("PARAMETERS");
        for (number, &at) in numbers[first..].iter_mut().zip(&shared.varied) {
            *number = parameters[at];
        }
        Ok(numbers)
    }
}

/// Nothing seen yet.
fn begun(layout: &Layout) -> Vec<f64> {
    let mut numbers = vec![0.0; layout.numbers()];
    if layout.room == 0 {
        let (first, sections) = (layout.first("GATHERED"), layout.first("FIRST_CROSSING"));
        for column in numbers[first..sections].chunks_exact_mut(STATISTICS) {
            column.copy_from_slice(&[0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0]);
        }
        numbers[sections..sections + layout.sections].fill(f64::NAN);
    }
    numbers
}

/// The numbers of all tasks, or why they have no start: on as many threads as there are packers, in the order of the tasks.
pub(super) fn pack_all(
    packers: &mut [Packer],
    tasks: &[Task],
    shared: &DeviceShared,
) -> Vec<Result<Vec<f64>, String>> {
    let threads = (tasks.len() / MIN_TASKS_PER_THREAD).clamp(1, packers.len());
    let share = tasks.len().div_ceil(threads).max(1);
    let pack = |packer: &mut Packer, tasks: &[Task]| -> Vec<_> {
        tasks.iter().map(|task| packer.pack(task, shared)).collect()
    };
    let mut parts = tasks.chunks(share).zip(packers);
    let Some((first, own)) = parts.next() else { return Vec::new() };
    std::thread::scope(|scope| {
        let others: Vec<_> =
            parts.map(|(tasks, packer)| scope.spawn(move || pack(packer, tasks))).collect();
        let mut all = pack(own, first);
        for other in others {
            match other.join() {
                Ok(packed) => all.extend(packed),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}
