//! What is kept of a solution: how far its columns swing, and how stable it is.

use super::curve::Solved;
use super::equations::CurveEquations;
use super::special::SpecialKind;
use super::{ContinuationError, MotionPoint, SpecialPoint};
use crate::response::Extremes;
use catena_compile::Kernel;
use catena_simulation::{TangentFlow, column_expressions};
use std::sync::Arc;

/// Places in a period of the drive at which columns are looked at; parabolas find what lies between.
const ROWS_PER_PERIOD: usize = 256;

/// Looks at the columns of solutions.
#[derive(Clone)]
pub(super) struct Observer {
    columns: usize,
    kernel: Arc<Kernel>,
}

impl Observer {
    pub(super) fn new(
        flow: &TangentFlow,
        columns: &[String],
    ) -> Result<Observer, ContinuationError> {
        let prepared = flow.prepared();
        let functions = prepared.input().evaluator.functions();
        let mut graph = functions.equations.graph.clone();
        let expressions =
            column_expressions(prepared.system(), &functions.equations, &mut graph, columns)?;
        let kernel = functions.compile(&graph, &[("columns", &expressions)]);
        Ok(Observer { columns: columns.len(), kernel: Arc::new(kernel) })
    }

    /// A solution as a row of results.
    pub(super) fn observed(
        &self,
        equations: &mut CurveEquations,
        solved: &Solved,
        special: Option<SpecialKind>,
    ) -> Result<MotionPoint, ContinuationError> {
        let (amplitudes, largest) = match equations.is_equilibrium() {
            true => {
                let point = &solved.point;
                let flow = equations.flow_at(point);
                let values = flow.evaluate(0.0, &point.nodes[0], &self.kernel)?.to_vec();
                (values.clone(), values.iter().map(|value| value.abs()).collect())
            }
            false => self.extremes(equations, solved)?,
        };
        let spectrum = &solved.spectrum;
        Ok(MotionPoint {
            parameter: solved.point.parameter,
            period: solved.point.period,
            unfolding: solved.point.unfolding,
            amplitudes,
            largest,
            multipliers: spectrum.multipliers.clone(),
            eigenvalues: spectrum.eigenvalues.clone(),
            trivial_error: spectrum.trivial_error,
            unstable: spectrum.unstable(),
            special: special.map(|kind| SpecialPoint { kind, error: None }),
            residual: solved.residual,
            state: solved.point.nodes[0].clone(),
        })
    }

    /// Half the peak-to-peak value and the largest absolute value of each column in a period.
    fn extremes(
        &self,
        equations: &mut CurveEquations,
        solved: &Solved,
    ) -> Result<(Vec<f64>, Vec<f64>), ContinuationError> {
        let point = &solved.point;
        let nodes = point.nodes.len();
        let rows = ROWS_PER_PERIOD.max(16 * nodes);
        let per_segment = rows.div_ceil(nodes);
        let flow = equations.flow_at(point);
        let mut states: Vec<(f64, Vec<f64>)> = Vec::with_capacity(per_segment * nodes);
        for (at, node) in point.nodes.iter().enumerate() {
            let (from, to) = (point.time(at), point.time(at + 1));
            let time = |row: usize| from + (to - from) * row as f64 / per_segment as f64;
            let times: Vec<f64> = (0..per_segment).map(time).collect();
            let mut y = node.clone();
            flow.advance_sampled(from, to, &mut y, &times, |t, y| states.push((t, y.to_vec())))?;
            if at + 1 == nodes {
                states.push((to, y));
            }
        }
        let mut table: Vec<Vec<f64>> = Vec::with_capacity(states.len());
        for (t, y) in &states {
            table.push(flow.evaluate(*t, y, &self.kernel)?.to_vec());
        }
        let count = table.len() - 1;
        let column = |at: usize| {
            // a rotation goes on by whole turns: what counts is how it swings about them
            let drift = (table[count][at] - table[0][at]) / count as f64;
            let mut extremes = Extremes::EMPTY;
            // over the seam, so that a top there is seen too
            for row in (0..=count).chain(1..3) {
                extremes.add(table[row][at] - drift * row as f64);
            }
            (extremes.amplitude(), extremes.max_abs())
        };
        Ok((0..self.columns).map(column).unzip())
    }
}
