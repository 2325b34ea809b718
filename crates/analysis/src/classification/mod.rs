//! What kind of motion a model comes to: periodic, rotating, quasi-periodic or chaotic, by a vote of independent indicators.
//!
//! The motion runs in blocks of periods, each as long as all before it, and its section (the states after whole
//! periods), tangent vectors and extent are looked at block by block, until the rule of `vote` decides. In lanes, on all
//! threads.
//!
//! # Equations
//! The largest exponent $\lambda$ of a tangent vector; the distance $|x_{k+m} - x_k|$ of the section from itself after m periods; the
//! growth rate K of Gottwald and Melbourne's translation variables, 0 for order and 1 for chaos; the number of lines that explain 99 %
//! of the power of the section; and in conservative systems GALI₂, the area between two tangent vectors. A class needs two indicators
//! that know nothing of each other, and none that contradicts.
//!
//! # When to choose it
//! Where a label is wanted that holds, or a map of labels over two parameters. What it cannot tell it calls undecided, with the reason;
//! a longer `--periods` may decide it.
//!
//! # Reference
//! G. A. Gottwald, I. Melbourne, *A new test for chaos in deterministic systems*, 2004; C. Skokos, T. Bountis, C. Antonopoulos,
//! *Geometrical properties of local dynamics in Hamiltonian systems: the generalized alignment index (GALI) method*, 2007

mod alignment;
mod cell;
mod error;
mod free_section;
mod growth;
mod observation;
mod phase_space;
mod recurrence;
mod request;
mod spectral_lines;
mod vote;
mod worker;
mod zero_one_test;

pub use cell::ClassifiedMotion;
pub use error::ClassifyError;
pub(crate) use phase_space::PhaseSpace;
pub(crate) use recurrence::recurrence;
pub use request::ClassifyRequest;
pub use vote::{Doubt, MotionClass};

use crate::live::{Gathered, Show};
use crate::question::Stop;
use crate::threads::on_threads;
use catena_derivation::{Equations, angles};
use catena_ensemble::{Engine, Task};
use catena_model::Model;
use cell::MAX_TANGENTS;
use std::sync::atomic::{AtomicUsize, Ordering};
use worker::{AddMotion, Classification, Worker};

/// What was found of all cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Classified {
    /// For each cell what is known about its motion; none where the work was stopped before.
    pub cells: Vec<Option<ClassifiedMotion>>,
    /// Whether all are known; else the caller has stopped it.
    pub complete: bool,
}

/// Classifies the motions of all cells.
pub fn classify(
    model: &Model,
    request: &ClassifyRequest,
    stop: &Stop<'_>,
) -> Result<Classified, ClassifyError> {
    classify_shown(model, request, stop, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn classify_shown(
    model: &Model,
    request: &ClassifyRequest,
    stop: &Stop<'_>,
    show: Option<&Show<'_, Classified>>,
) -> Result<Classified, ClassifyError> {
    let cells: Vec<usize> = (0..request.cells()).collect();
    let so_far = |cells: &Vec<Option<ClassifiedMotion>>| Classified {
        cells: cells.clone(),
        complete: false,
    };
    let gathered = show.map(|show| Gathered::new(vec![None; cells.len()], &so_far, show));
    let add = |cell: usize, motion: &ClassifiedMotion| {
        if let Some(gathered) = &gathered {
            gathered.add(|cells| cells[cell] = Some(motion.clone()));
        }
    };
    let add: Option<&AddMotion<'_>> = show.is_some().then_some(&add);
    classify_cells(model, request, &cells, stop, add)
}

/// Classifies the motions of some cells; the others are not known.
pub fn classify_some(
    model: &Model,
    request: &ClassifyRequest,
    cells: &[usize],
    stop: &Stop<'_>,
) -> Result<Classified, ClassifyError> {
    classify_cells(model, request, cells, stop, None)
}

fn classify_cells(
    model: &Model,
    request: &ClassifyRequest,
    cells: &[usize],
    stop: &Stop<'_>,
    add: Option<&AddMotion<'_>>,
) -> Result<Classified, ClassifyError> {
    let space = phase_space(model, request);
    let columns = state_columns(model, request);
    let varied: Vec<String> = request.over.iter().map(|axis| axis.name.clone()).collect();
    let first = Task { values: request.values(0), ..Task::default() };
    let options = request.sweep_options();
    let engine = Engine::with_tangents(model, varied, columns, options, &first, MAX_TANGENTS)?;
    if engine.tangents() == 0 {
        return Err(ClassifyError::Prescribed);
    }
    let shared = Classification {
        model,
        request,
        engine: &engine,
        space: &space,
        tangents: engine.tangents(),
        tangent_len: engine.tangent_len(),
        cells,
        begun: AtomicUsize::new(0),
        known: AtomicUsize::new(0),
        add,
    };
    let part = || shared.known.load(Ordering::Relaxed) as f64 / cells.len().max(1) as f64;
    let work = || {
        let mut worker = Worker::new(&shared);
        engine.runner().run(&mut worker, &|| stop(part()));
        worker.done
    };
    let useful = engine.useful_threads(cells.len());
    let mut found = vec![None; request.cells()];
    for (cell, motion) in on_threads(request.threads.clamp(1, useful), work).into_iter().flatten() {
        found[cell] = Some(motion);
    }
    let complete = cells.iter().all(|&cell| found[cell].is_some());
    Ok(Classified { cells: found, complete })
}

/// The columns that make up a state: coordinates, velocities, first-order states.
pub(crate) fn state_columns(model: &Model, request: &ClassifyRequest) -> Vec<String> {
    let system = model.system(request.formulation.coordinates);
    let names = || system.coordinates.iter().map(|coordinate| &coordinate.name);
    let velocities = names().map(|name| format!("{name}'"));
    let states = system.states.iter().map(|state| state.name.clone());
    names().cloned().chain(velocities).chain(states).collect()
}

/// What the states of a model are, in the coordinates of a formulation.
pub(crate) fn phase_space(model: &Model, request: &ClassifyRequest) -> PhaseSpace {
    let system = model.system(request.formulation.coordinates);
    let equations = Equations::derive_without_mass_matrix(model, system);
    let mut is_angle = angles(&equations, system);
    // what a motor leads is the same again after whole turns, too
    let turned = request.period.as_ref().map(|period| period.turned()).unwrap_or_default();
    for (is_angle, coordinate) in is_angle.iter_mut().zip(&system.coordinates) {
        *is_angle |= turned.contains(&coordinate.name);
    }
    PhaseSpace { is_angle, states: system.states.len() }
}
