//! Exponents over one or two parameters or initial values: a motion for each cell, many side by side.

use super::gathering::{AddTrajectory, Gathering, Trajectory};
use super::growth::Growth;
use super::{Exponent, LyapunovError, LyapunovRequest};
use crate::DrivePeriod;
use crate::live::{Gathered, Show};
use crate::question::Stop;
use catena_ensemble::{Axis, Engine, Grid, SweepError, Task};
use catena_model::Model;
use std::collections::BTreeMap;

/// Cells that are run before their rows are forgotten.
const CELLS_AT_ONCE: u64 = 4096;

/// What was found in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct LyapunovCell {
    /// Values of the axes.
    pub values: Vec<f64>,
    /// Largest first; or why the motion failed.
    pub exponents: Result<Vec<Exponent>, String>,
}

/// Exponents over a grid.
#[derive(Clone, Debug)]
pub struct LyapunovMap {
    /// In the order of the grid, of which the last axis changes fastest; fewer than it has where the work was stopped.
    pub cells: Vec<LyapunovCell>,
    /// Whether every cell is there; else the caller's `stop` has answered `true`.
    pub complete: bool,
}

/// Finds the largest exponents, one unless more are asked for, of a motion for each cell of a grid.
pub fn lyapunov_map(
    model: &Model,
    axes: &[Axis],
    request: &LyapunovRequest,
    stop: &Stop<'_>,
) -> Result<LyapunovMap, LyapunovError> {
    lyapunov_map_shown(model, axes, request, stop, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn lyapunov_map_shown(
    model: &Model,
    axes: &[Axis],
    request: &LyapunovRequest,
    stop: &Stop<'_>,
    show: Option<&Show<'_, LyapunovMap>>,
) -> Result<LyapunovMap, LyapunovError> {
    let grid = Grid { axes: axes.to_vec() };
    let count = grid.checked_len().ok_or(SweepError::TooManyCells)?;
    let varied: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
    let drive = DrivePeriod::find(model).ok();
    let mut cell_model = model.clone();
    let mut task = |cell: u64| {
        let mut task = Task::default();
        grid.cell(cell, &mut task.values);
        let period =
            drive.as_ref().map(|drive| drive.of_cell(&mut cell_model, &varied, &task.values));
        let period = period.and_then(Result::ok);
        task.times = Some(request.times_of_cell(model, period));
        task
    };
    let first = task(0);
    if let Some(times) = first.times.filter(|times| times.after >= times.t_end) {
        return Err(LyapunovError::NothingAfter { after: times.after, t_end: times.t_end });
    }
    let most = request.exponents.unwrap_or(1);
    let options = request.sweep_options();
    let engine = Engine::with_tangents(model, varied.clone(), Vec::new(), options, &first, most)?;
    request.check_dimension(&engine)?;
    let mut map = LyapunovMap { cells: Vec::new(), complete: true };
    let mut begun = 0;
    while begun < count && map.complete {
        let end = (begun + CELLS_AT_ONCE).min(count);
        let tasks: Vec<Task> = (begun..end).map(&mut task).collect();
        let values: Vec<Vec<f64>> = tasks.iter().map(|task| task.values.clone()).collect();
        let part = |done: f64| (begun as f64 + done * (end - begun) as f64) / count as f64;
        let cell = |values: &[f64], trajectory: &Trajectory| {
            let exponents = match &trajectory.failure {
                Some(reason) => Err(reason.clone()),
                None => {
                    let mut found =
                        Growth::of(std::slice::from_ref(trajectory), request.t_start).exponents();
                    found.sort_by(|a, b| b.value.total_cmp(&a.value));
                    Ok(found)
                }
            };
            LyapunovCell { values: values.to_vec(), exponents }
        };
        let before = map.cells.clone();
        let so_far = |known: &BTreeMap<usize, LyapunovCell>| LyapunovMap {
            cells: before.iter().chain(known.values()).cloned().collect(),
            complete: false,
        };
        let gathered = show.map(|show| Gathered::new(BTreeMap::new(), &so_far, show));
        let add = |task: usize, trajectory: &Trajectory, ended: bool| {
            if let Some(gathered) = gathered.as_ref().filter(|_| ended) {
                let cell = cell(&values[task], trajectory);
                gathered.add(|known| drop(known.insert(task, cell)));
            }
        };
        let add: Option<&AddTrajectory<'_>> = show.is_some().then_some(&add);
        let stop = |done: f64| stop(part(done));
        let (found, complete) = Gathering::run(&engine, tasks, false, request.threads, &stop, add);
        map.complete = complete;
        if complete {
            let cells = values.iter().zip(&found);
            map.cells.extend(cells.map(|(values, trajectory)| cell(values, trajectory)));
        }
        begun = end;
    }
    Ok(map)
}
