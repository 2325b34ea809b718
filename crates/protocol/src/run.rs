//! A motion: first what happens, then how right it is.

use crate::film::film_set;
use crate::numbers::columns;
use crate::request::Request;
use crate::{Event, Fault, Host, Workbench};
use catena::analysis::frames_to_watch;
use catena::model::{System, plain_above};
use catena::simulation::{Run, RunPlan};
use catena::{Animation, Model, RunFailure, RunSettings};
use serde_json::{Value, json};

pub(crate) fn run(
    workbench: &mut Workbench,
    mut request: Request,
    host: &Host<'_>,
) -> Result<Value, Fault> {
    let settings = request.take_run_settings()?;
    let is_filmed = request.take_switch("film", true)?;
    let model = workbench.read.take(&mut request, host)?;
    request.finish()?;
    let mut tell = |run: &Run| {
        (host.tell)(Event::Part(json!({ "run": motion(model, run, is_filmed) })));
    };
    let run = moved(model, &settings, is_filmed, &mut tell, host)?;
    let has_energy = !model.own.coordinates.is_empty();
    let words = catena::certificate_text(&run, true, has_energy, &|_, text| text.to_owned());
    Ok(
        json!({ "certificate": catena::present::certificate_json(&run.certificate), "words": words }),
    )
}

/// Everything about the motion but what only a second run can say.
fn motion(model: &Model, run: &Run, is_filmed: bool) -> Value {
    let animation = Animation::of_run(&model.title, run, None);
    json!({
        "columns": columns(&run.table),
        "events": columns(&run.events),
        "certificate": catena::present::certificate_json(&run.certificate),
        "film": if is_filmed { film_set(&animation) } else { None },
    })
}

/// Moves a model within the limits of the host. `tell` gets the run before its error is known.
pub(crate) fn moved(
    model: &Model,
    settings: &RunSettings,
    is_filmed: bool,
    tell: &mut dyn FnMut(&Run),
    host: &Host<'_>,
) -> Result<Run, Fault> {
    let planned = RunPlan::new(model, settings, &model.run);
    if let Err(RunFailure::TooManyRows { duration, rows, .. }) = planned {
        return Err(too_large(rows, columns_of(&model.own), duration, host));
    }
    let mut plan = planned?;
    check_size(model, &plan, host)?;
    if is_filmed {
        plan.options.film = frames_to_watch(model, &plan);
    }
    let mut clock = || (host.clock)();
    let mut stop = |part: f64| host.step(part);
    let mut run_host = catena::simulation::Host::new(&mut clock, &mut stop);
    run_host.first = Some(tell);
    Ok(plan.run(model, &mut run_host).map_err(RunFailure::Run)?)
}

/// Refuses runs that would not fit.
fn check_size(model: &Model, plan: &RunPlan, host: &Host<'_>) -> Result<(), Fault> {
    let rows = plan.options.duration() / plan.options.every + 1.0;
    let columns = match &plan.options.columns {
        Some(columns) => columns.len() + 1,
        None => columns_of(model.system(plan.formulation.entry.coordinates)),
    };
    match rows * columns as f64 <= host.limits.values as f64 {
        true => Ok(()),
        false => Err(too_large(rows, columns, plan.options.duration(), host)),
    }
}

/// How many columns a run has where none are named.
fn columns_of(system: &System) -> usize {
    2 * system.coordinates.len()
        + system.states.len()
        + system.constraints.len()
        + system.outputs.len()
        + 4
}

/// A run of so many rows and columns does not fit; its duration in s says which would.
fn too_large(rows: f64, columns: usize, duration: f64, host: &Host<'_>) -> Fault {
    let most = host.limits.values as f64;
    let every = duration / (most / columns as f64 - 1.0).max(1.0);
    Fault::of_size(
        format!(
            "the run would have {rows:.0} rows of {columns} columns; at most {most:.0} numbers are kept here"
        ),
        format!("take `every` of {} s or more, or fewer `columns`", plain_above(every)),
    )
}
