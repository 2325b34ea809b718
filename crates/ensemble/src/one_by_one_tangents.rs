//! Trajectories with tangent vectors one after the other, where they do not run in lanes: models with constraints, on which
//! the vectors are kept.

use crate::SweepError;
use crate::cell::Cells;
use crate::engine::Engine;
use crate::one_by_one::in_turn;
use crate::tangents::{Tangents, patternless};
use crate::workload::{Task, Workload};
use catena_compile::Kernel;
use catena_simulation::{FlowError, Prepared, TangentFlow, column_expressions, row_time};

/// The most pieces that the time between two rows is divided into.
const MOST_PIECES: u32 = 1 << 12;

/// A thread's own workspace.
pub(crate) struct OneByOneTangents<'a> {
    engine: &'a Engine,
    cells: Cells,
    prepared: Prepared,
    flow: TangentFlow,
    columns: Kernel,
    tangents: Tangents,
    /// Into how many pieces the time between rows is divided, at the end of which vectors become orthonormal.
    pieces: u32,
    vectors: Vec<f64>,
    row: Vec<f64>,
}

/// Where a trajectory stands.
struct Place {
    t: f64,
    y: Vec<f64>,
}

impl<'a> OneByOneTangents<'a> {
    pub(crate) fn new(engine: &'a Engine) -> Result<OneByOneTangents<'a>, SweepError> {
        let (prepared, options) = (&engine.prepared, &engine.options);
        let flow = TangentFlow::new(prepared, options.integrator, options.integration.clone())?;
        let functions = prepared.input().evaluator.functions();
        let mut graph = functions.equations.graph.clone();
        let names = &engine.columns;
        let expressions =
            column_expressions(prepared.system(), &functions.equations, &mut graph, names)?;
        Ok(OneByOneTangents {
            cells: engine.cells(),
            prepared: prepared.clone(),
            columns: functions.compile(&graph, &[("columns", &expressions)]),
            tangents: Tangents::new(engine.tangents, flow.len(), 1),
            flow,
            pieces: 1,
            vectors: Vec::new(),
            row: Vec::new(),
            engine,
        })
    }

    /// How many independent tangent vectors there are at the start of a trajectory.
    pub(crate) fn dimension(&mut self, task: &Task) -> Result<usize, String> {
        let Place { t, y } = self.begin(task)?;
        Ok(self.flow.manifold_basis(t, &y).rows())
    }

    /// Runs until nothing is left; false if it was cancelled before.
    pub(crate) fn run(
        &mut self,
        workload: &mut dyn Workload,
        cancelled: &dyn Fn() -> bool,
    ) -> bool {
        in_turn(workload, cancelled, |task, workload| self.run_task(task, workload, cancelled))
    }

    fn begin(&mut self, task: &Task) -> Result<Place, String> {
        self.cells.set(task)?;
        self.cells.assemble(&mut self.prepared)?;
        self.flow.set_parameters(&self.cells.parameters());
        let start = &self.cells.start;
        Ok(Place { t: start.t, y: self.flow.pack(&start.q, &start.v, &start.states) })
    }

    fn run_task(
        &mut self,
        task: &Task,
        workload: &mut dyn Workload,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        let mut place = self.begin(task)?;
        self.begin_vectors(task, &place)?;
        let times = self.cells.times;
        if times.after <= place.t {
            self.hand_over(&place, workload).map_err(|error| error.to_string())?;
        }
        let mut row = 1;
        while place.t < times.t_end && !cancelled() {
            let to = row_time(row, times.every, [times.t_start, times.t_end]);
            self.advance(&mut place, to).map_err(|error| error.to_string())?;
            if to >= times.after {
                self.hand_over(&place, workload).map_err(|error| error.to_string())?;
            }
            row += 1;
        }
        Ok(())
    }

    fn begin_vectors(&mut self, task: &Task, Place { t, y }: &Place) -> Result<(), String> {
        let (count, len) = (self.engine.tangents, y.len());
        self.pieces = 1;
        self.vectors.clear();
        match task.start.as_ref().map(|start| &start[len..]) {
            Some(given) if given.len() == count * len => {
                self.vectors.extend_from_slice(given);
                self.flow.project_tangents(*t, y, &mut self.vectors);
            }
            _ => {
                let basis = self.flow.manifold_basis(*t, y);
                if basis.rows() < count {
                    let known = basis.rows();
                    return Err(format!("there are {known} independent tangent vectors here"));
                }
                self.vectors.resize(count * len, 0.0);
                let mut parts = patternless();
                for vector in self.vectors.chunks_exact_mut(len) {
                    for (row, part) in (0..basis.rows()).zip(&mut parts) {
                        vector.iter_mut().zip(basis.row(row)).for_each(|(x, b)| *x += part * b);
                    }
                }
            }
        }
        self.tangents.begin(0, &mut self.vectors);
        Ok(())
    }

    /// Moves to the time of a row, in so many pieces that vectors never turn much towards each other.
    fn advance(&mut self, place: &mut Place, to: f64) -> Result<(), FlowError> {
        let (from, pieces) = (place.t, self.pieces);
        for piece in 1..=pieces {
            let end = match piece == pieces {
                true => to,
                false => from + (to - from) * f64::from(piece) / f64::from(pieces),
            };
            self.flow.advance(place.t, end, &mut place.y, &mut self.vectors)?;
            place.t = end;
            self.flow.project_tangents(end, &place.y, &mut self.vectors);
            if self.tangents.renew(0, &mut self.vectors) {
                self.pieces = (2 * pieces).min(MOST_PIECES);
            }
        }
        Ok(())
    }

    fn hand_over(
        &mut self,
        Place { t, y }: &Place,
        workload: &mut dyn Workload,
    ) -> Result<(), FlowError> {
        self.row.clear();
        self.row.extend_from_slice(self.flow.evaluate(*t, y, &self.columns)?);
        self.tangents.append(0, self.vectors.iter().copied(), &mut self.row);
        workload.row(0, *t, &self.row);
        Ok(())
    }
}
