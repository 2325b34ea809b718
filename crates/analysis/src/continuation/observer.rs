//! What is kept of a solution: how far its columns swing, and how stable it is.

use super::curve::Solved;
use super::equations::CurveEquations;
use super::special::SpecialKind;
use super::{ContinuationError, MotionPoint, SpecialPoint};
use crate::response::Extremes;
use catena_compile::Kernel;
use catena_simulation::{TangentFlow, column_expressions};
use std::sync::Arc;

/// Places in a period at which columns are looked at ...
const ROWS_PER_PERIOD: usize = 256;
/// ... and between the neighbours of the highest and lowest of them; quartics find what lies between.
const CLOSER_ROWS: usize = 16;

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
        let per_segment = ROWS_PER_PERIOD.max(16 * nodes).div_ceil(nodes);
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
        let (mut amplitudes, mut largest) = (Vec::new(), Vec::new());
        for column in 0..self.columns {
            // a rotation goes on by whole turns: what counts is how it swings about them
            let drift = (table[count][column] - table[0][column]) / states[count].0;
            let value = |row: usize| table[row][column] - drift * states[row].0;
            let rows = || (0..count).map(|row| (row, value(row)));
            let highest = rows().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(row, _)| row);
            let lowest = rows().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(row, _)| row);
            let top = self.around(flow, &states, highest, column, drift)?.largest;
            let bottom = self.around(flow, &states, lowest, column, drift)?.smallest;
            amplitudes.push(0.5 * (top - bottom));
            largest.push(top.abs().max(bottom.abs()));
        }
        Ok((amplitudes, largest))
    }

    /// The extremes of a column between the neighbours of a row, on denser rows.
    fn around(
        &self,
        flow: &mut TangentFlow,
        states: &[(f64, Vec<f64>)],
        row: usize,
        column: usize,
        drift: f64,
    ) -> Result<Extremes, ContinuationError> {
        let last = states.len() - 1;
        // before the first row lies the last but one of the period before
        let before = if row == 0 { last - 1 } else { row - 1 };
        let (from, mut y) = (states[before].0, states[before].1.clone());
        let to = from + 2.0 * (states[1].0 - states[0].0);
        let time = |at: usize| from + (to - from) * at as f64 / CLOSER_ROWS as f64;
        let mut extremes = Extremes::EMPTY;
        for at in 0..=CLOSER_ROWS {
            let t = time(at);
            extremes.add(flow.evaluate(t, &y, &self.kernel)?[column] - drift * t);
            // by steps, which are more exact than what is interpolated
            flow.advance(t, time(at + 1), &mut y, &mut [])?;
        }
        Ok(extremes)
    }
}
