//! The equations of multiple shooting, and of equilibria, with their derivatives.
//!
//! # Equations
//! A periodic motion with states $y_i$ at M nodes satisfies
//! $$B_{i+1}\bigl(\varphi_{T/M}(t_i, y_i) - y_{i+1}\bigr) = 0,\qquad y_M = y_0 + 2\pi k,$$
//! with the flow $\varphi$, the whole turns k of angles and an orthonormal basis B of the tangent space of the constraints
//! at each node: as many equations as there are directions. A drive prescribes T; without one it is
//! unknown, and $\dot y_0^*\cdot(y_0 - y_0^*) = 0$ fixes the phase relative to a motion nearby. A conservative system has
//! such motions in families, of one for each T or energy; an acceleration $\varepsilon v$ is added, with an ε that is unknown and comes
//! out as 0. An equilibrium satisfies $B\,f(y) = 0$. By the nodes the derivatives are those of tangent vectors,
//! $B_{i+1}\,\partial\varphi\,B_i^T$, which multiplied give the monodromy matrix; by the parameter they are central
//! differences.
//!
//! # Reference
//! U. M. Ascher, R. M. M. Mattheij, R. D. Russell, *Numerical Solution of Boundary Value Problems for Ordinary
//! Differential Equations*, 1995, chapter 4; F. J. Muñoz-Almaraz, E. Freire, J. Galán, E. Doedel, A. Vanderbauwhede,
//! "Continuation of periodic orbits in conservative and Hamiltonian systems", 2003

use super::ContinuationError;
use super::curve_point::{Chart, CurvePoint, Scales, Slot};
use super::family::Family;
use crate::DrivePeriod;
use catena_linear::{Matrix, dot, max_abs_or_nan, norm};
use catena_simulation::{FlowError, TangentFlow};
use std::f64::consts::TAU;

/// Half the distance of the values of the parameter whose difference is taken, relative to its range.
const DIFFERENCE_STEP: f64 = 3e-5;
/// The same for the unfolding, relative to the inverse of the period.
const UNFOLDING_STEP: f64 = 1e-4;

/// What kind of solutions are followed.
#[derive(Clone, Debug)]
pub(super) enum Solutions {
    /// States of rest.
    Equilibria,
    /// Motions that repeat after so many periods of the drive.
    Driven { period: Box<DrivePeriod>, multiple: u32 },
    /// Motions of a system without a drive, whose period is unknown.
    Autonomous,
    /// Motions of a conservative system, over their period.
    Conservative,
}

impl Solutions {
    fn slots(&self) -> &'static [Slot] {
        match self {
            Solutions::Equilibria | Solutions::Driven { .. } => &[Slot::Parameter],
            Solutions::Autonomous => &[Slot::Period, Slot::Parameter],
            Solutions::Conservative => &[Slot::Unfolding, Slot::Period],
        }
    }

    fn has_phase(&self) -> bool {
        matches!(self, Solutions::Autonomous | Solutions::Conservative)
    }
}

/// The equations of one kind of solutions of a family.
pub(super) struct CurveEquations {
    pub(super) solutions: Solutions,
    pub(super) family: Family,
    pub(super) scales: Scales,
    /// Whole turns of each component in a period.
    pub(super) turns: Vec<f64>,
    /// Whether motions repeat after an even number of what was a period, so that their halves differ.
    pub(super) is_doubled: bool,
    /// A state near the first node, and the direction of its motion.
    phase: Option<(Vec<f64>, Vec<f64>)>,
    /// One for each thread.
    flows: Vec<TangentFlow>,
}

/// The equations and their derivatives at a point.
pub(super) struct Linearisation {
    pub(super) chart: Chart,
    /// The value of each equation, relative to the size of the motion.
    pub(super) residual: Vec<f64>,
    /// Its derivatives by the scaled unknowns: one column more than rows.
    pub(super) matrix: Matrix,
    /// The matrices from node to node; of an equilibrium the Jacobian of its rates.
    pub(super) segments: Vec<Matrix>,
}

/// A state at the end of its segment and the tangent vectors there, one after the other.
type SegmentEnd = (Vec<f64>, Vec<f64>);

/// The values of the equations of nodes, the matrices between them, and the ends of the segments.
type NodeEquations = (Vec<f64>, Vec<Matrix>, Vec<SegmentEnd>);

impl Linearisation {
    pub(super) fn residual_size(&self) -> f64 {
        max_abs_or_nan(&self.residual)
    }
}

impl CurveEquations {
    pub(super) fn new(
        solutions: Solutions,
        family: Family,
        scales: Scales,
        flow: &TangentFlow,
        threads: usize,
    ) -> CurveEquations {
        CurveEquations {
            solutions,
            family,
            scales,
            turns: vec![0.0; flow.len()],
            is_doubled: false,
            phase: None,
            flows: vec![flow.clone(); threads.max(1)],
        }
    }

    /// A copy for motions with other nodes and turns.
    pub(super) fn with_solutions(&self, solutions: Solutions, turns: Vec<f64>) -> CurveEquations {
        CurveEquations {
            solutions,
            turns,
            is_doubled: false,
            family: self.family.clone(),
            scales: self.scales,
            phase: None,
            flows: self.flows.clone(),
        }
    }

    /// A copy for another curve of the same kind.
    pub(super) fn copied(&self) -> CurveEquations {
        let copy = self.with_solutions(self.solutions.clone(), self.turns.clone());
        CurveEquations { is_doubled: self.is_doubled, ..copy }
    }

    /// From now on motions are integrated with these tolerances.
    pub(super) fn tighten(&mut self, rtol: f64, atol: f64) {
        self.flows.iter_mut().for_each(|flow| flow.set_tolerances(rtol, atol));
    }

    /// The slot that is followed.
    pub(super) fn followed(&self) -> Slot {
        self.solutions.slots().last().copied().unwrap_or(Slot::Parameter)
    }

    pub(super) fn slots(&self) -> &'static [Slot] {
        self.solutions.slots()
    }

    /// Whether motions repeat after an even number of periods of their drive.
    pub(super) fn has_even_multiple(&self) -> bool {
        matches!(self.solutions, Solutions::Driven { multiple, .. } if multiple % 2 == 0)
    }

    /// Whether they are motions without a drive.
    pub(super) fn is_free(&self) -> bool {
        self.solutions.has_phase()
    }

    pub(super) fn is_equilibrium(&self) -> bool {
        matches!(self.solutions, Solutions::Equilibria)
    }

    /// A flow with the parameters of a point.
    pub(super) fn flow_at(&mut self, point: &CurvePoint) -> &mut TangentFlow {
        self.set(point);
        &mut self.flows[0]
    }

    /// Gives the flows the parameters of a point; a drive its period.
    fn set(&mut self, point: &CurvePoint) {
        let values = self.family.values(point.parameter);
        for flow in &mut self.flows {
            flow.set_parameters(&values);
            flow.set_unfolding(point.unfolding);
        }
    }

    /// The period that a drive prescribes at a value of the parameter, s.
    pub(super) fn prescribed_period(
        &mut self,
        parameter: f64,
    ) -> Result<Option<f64>, ContinuationError> {
        let Solutions::Driven { period, multiple } = &self.solutions else { return Ok(None) };
        let one = period.at(&self.family.values(parameter))?;
        Ok(Some(one * f64::from(*multiple)))
    }

    /// The phase is that of this point from now on.
    pub(super) fn refer_to(&mut self, point: &CurvePoint) -> Result<(), ContinuationError> {
        if self.solutions.has_phase() {
            let mut direction = self.flow_at(point).rate(0.0, &point.nodes[0])?;
            let length = norm(&direction).max(f64::MIN_POSITIVE);
            direction.iter_mut().for_each(|entry| *entry /= length);
            self.phase = Some((point.nodes[0].clone(), direction));
        }
        Ok(())
    }

    /// A point moved by scaled unknowns, on its constraints.
    pub(super) fn moved(
        &mut self,
        point: &CurvePoint,
        chart: &Chart,
        step: &[f64],
    ) -> Result<CurvePoint, ContinuationError> {
        let mut moved = point.clone();
        let scale = self.scales.of_nodes(point.nodes.len());
        let mut rest = step;
        for (node, basis) in moved.nodes.iter_mut().zip(chart) {
            let (parts, behind) = rest.split_at(basis.rows());
            for (row, part) in parts.iter().enumerate() {
                node.iter_mut().zip(basis.row(row)).for_each(|(y, b)| *y += scale * part * b);
            }
            rest = behind;
        }
        for (slot, change) in self.slots().iter().zip(rest) {
            moved.add(*slot, change * self.scales.of_slot(*slot));
        }
        self.put_on_constraints(&mut moved)?;
        Ok(moved)
    }

    /// Gives a point the period of its drive, and its nodes back to the constraints.
    pub(super) fn put_on_constraints(
        &mut self,
        point: &mut CurvePoint,
    ) -> Result<(), ContinuationError> {
        if let Some(period) = self.prescribed_period(point.parameter)? {
            point.period = period;
        }
        let times: Vec<f64> = (0..point.nodes.len()).map(|at| point.time(at)).collect();
        let CurvePoint { nodes, .. } = point;
        let values = self.family.values(point.parameter);
        let flow = &mut self.flows[0];
        if flow.constraints() > 0 {
            flow.set_parameters(&values);
            for (node, time) in nodes.iter_mut().zip(times) {
                flow.project(time, node)?;
            }
        }
        Ok(())
    }

    /// The directions in which the nodes of a point may move.
    pub(super) fn chart(&mut self, point: &CurvePoint) -> Chart {
        self.set(point);
        let nodes = point.nodes.iter().enumerate();
        nodes.map(|(at, node)| self.flows[0].manifold_basis(point.time(at), node)).collect()
    }

    /// The equations and their derivatives at a point.
    pub(super) fn linearised(
        &mut self,
        point: &CurvePoint,
    ) -> Result<Linearisation, ContinuationError> {
        let chart = self.chart(point);
        let (mut residual, segments, ends) = match self.is_equilibrium() {
            true => self.at_rest(point, &chart)?,
            false => self.shot(point, &chart)?,
        };
        let slots = self.slots();
        let rows: usize = chart.iter().map(Matrix::rows).sum();
        let all = rows + usize::from(self.solutions.has_phase());
        let mut matrix = Matrix::zeros(all, rows + slots.len());
        let scale = self.scales.of_nodes(point.nodes.len());
        self.fill_nodes(&segments, &mut matrix, scale);
        for (at, slot) in slots.iter().enumerate() {
            let column = match slot {
                Slot::Period => self.by_period(point, &chart, &ends)?,
                slot => self.by_difference(*slot, point, &chart)?,
            };
            let unit = self.scales.of_slot(*slot);
            column
                .iter()
                .enumerate()
                .for_each(|(row, entry)| matrix[(row, rows + at)] = entry * unit);
        }
        if let Some((reference, direction)) = &self.phase {
            let away: Vec<f64> = point.nodes[0].iter().zip(reference).map(|(y, r)| y - r).collect();
            residual.push(dot(direction, &away));
            for row in 0..chart[0].rows() {
                matrix[(rows, row)] = scale * dot(direction, chart[0].row(row));
            }
        }
        let size = self.scales.state;
        residual.iter_mut().for_each(|entry| *entry /= size);
        let matrix = Matrix::from_fn(all, rows + slots.len(), |i, j| matrix[(i, j)] / size);
        Ok(Linearisation { chart, residual, matrix, segments })
    }

    /// The blocks of the nodes: A on the diagonal and −1 behind it, or A alone.
    fn fill_nodes(&self, segments: &[Matrix], matrix: &mut Matrix, scale: f64) {
        let starts: Vec<usize> = segments
            .iter()
            .scan(0, |next, segment| Some(std::mem::replace(next, *next + segment.columns())))
            .collect();
        let mut row = 0;
        for (at, segment) in segments.iter().enumerate() {
            for i in 0..segment.rows() {
                for j in 0..segment.columns() {
                    matrix[(row + i, starts[at] + j)] += scale * segment[(i, j)];
                }
                if !self.is_equilibrium() {
                    matrix[(row + i, starts[(at + 1) % segments.len()] + i)] -= scale;
                }
            }
            row += segment.rows();
        }
    }

    fn at_rest(
        &mut self,
        point: &CurvePoint,
        chart: &Chart,
    ) -> Result<NodeEquations, ContinuationError> {
        let flow = &mut self.flows[0];
        let (y, basis) = (&point.nodes[0], &chart[0]);
        let (rate, jacobian) = (flow.rate(0.0, y)?, flow.jacobian(0.0, y)?);
        let residual = (0..basis.rows()).map(|row| dot(basis.row(row), &rate)).collect();
        let slopes = basis.times(&jacobian).times(&basis.transposed());
        Ok((residual, vec![slopes], Vec::new()))
    }

    /// What is missing at the ends of all segments, and the matrices from node to node.
    fn shot(
        &mut self,
        point: &CurvePoint,
        chart: &Chart,
    ) -> Result<NodeEquations, ContinuationError> {
        let ends = self.ends(point, Some(chart))?;
        let residual = self.closing_errors(point, chart, &ends);
        let count = point.nodes.len();
        let segment = |at: usize| {
            let (next, n) = (&chart[(at + 1) % count], point.nodes[at].len());
            Matrix::from_fn(next.rows(), chart[at].rows(), |row, column| {
                dot(next.row(row), &ends[at].1[column * n..(column + 1) * n])
            })
        };
        let segments = (0..count).map(segment).collect();
        Ok((residual, segments, ends))
    }

    /// B (φ(yᵢ) − yᵢ₊₁) for all segments.
    fn closing_errors(&self, point: &CurvePoint, chart: &Chart, ends: &[SegmentEnd]) -> Vec<f64> {
        let count = point.nodes.len();
        let mut errors = Vec::new();
        for (at, (end, _)) in ends.iter().enumerate() {
            let next = (at + 1) % count;
            let turns = |component: usize| {
                if next == 0 { TAU * self.turns[component] } else { 0.0 }
            };
            let away: Vec<f64> = (0..end.len())
                .map(|component| end[component] - point.nodes[next][component] - turns(component))
                .collect();
            let basis = &chart[next];
            errors.extend((0..basis.rows()).map(|row| dot(basis.row(row), &away)));
        }
        errors
    }

    /// All segments moved to their ends, with the tangent vectors of a chart or without, on all threads.
    fn ends(
        &mut self,
        point: &CurvePoint,
        chart: Option<&Chart>,
    ) -> Result<Vec<SegmentEnd>, ContinuationError> {
        self.set(point);
        let count = point.nodes.len();
        let part = count.div_ceil(self.flows.len());
        let work = |flow: &mut TangentFlow, first: usize| -> Result<Vec<SegmentEnd>, FlowError> {
            (first..(first + part).min(count))
                .map(|at| {
                    let mut y = point.nodes[at].clone();
                    let mut tangents =
                        chart.map_or(Vec::new(), |chart| chart[at].entries().to_vec());
                    flow.advance(point.time(at), point.time(at + 1), &mut y, &mut tangents)?;
                    Ok((y, tangents))
                })
                .collect()
        };
        let parts: Vec<Result<Vec<SegmentEnd>, FlowError>> = match self.flows.as_mut_slice() {
            [flow] => vec![work(flow, 0)],
            flows => std::thread::scope(|scope| {
                let started: Vec<_> = flows
                    .iter_mut()
                    .enumerate()
                    .map(|(thread, flow)| scope.spawn(move || work(flow, thread * part)))
                    .collect();
                let joined = started.into_iter().map(|thread| thread.join());
                joined
                    .map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            }),
        };
        let mut ends = Vec::with_capacity(count);
        for part in parts {
            ends.extend(part?);
        }
        Ok(ends)
    }

    /// The derivatives by the period where nothing depends on time: each segment goes on at the rate of its end.
    fn by_period(
        &mut self,
        point: &CurvePoint,
        chart: &Chart,
        ends: &[SegmentEnd],
    ) -> Result<Vec<f64>, ContinuationError> {
        self.set(point);
        let count = point.nodes.len();
        let mut column = Vec::new();
        for (at, (end, _)) in ends.iter().enumerate() {
            let rate = self.flows[0].rate(point.time(at + 1), end)?;
            let basis = &chart[(at + 1) % count];
            column.extend((0..basis.rows()).map(|row| dot(basis.row(row), &rate) / count as f64));
        }
        Ok(column)
    }

    /// The derivatives by a slot as a central difference, nodes kept as far as the constraints let them.
    fn by_difference(
        &mut self,
        slot: Slot,
        point: &CurvePoint,
        chart: &Chart,
    ) -> Result<Vec<f64>, ContinuationError> {
        let step = match slot {
            Slot::Unfolding => UNFOLDING_STEP / self.scales.period,
            slot => DIFFERENCE_STEP * self.scales.of_slot(slot),
        };
        let mut sides: [Vec<f64>; 2] = Default::default();
        for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
            let mut moved = point.clone();
            moved.add(slot, sign * step);
            self.put_on_constraints(&mut moved)?;
            *side = match self.is_equilibrium() {
                true => {
                    let rate = self.flow_at(&moved).rate(0.0, &moved.nodes[0])?;
                    (0..chart[0].rows()).map(|row| dot(chart[0].row(row), &rate)).collect()
                }
                false => {
                    let ends = self.ends(&moved, None)?;
                    self.closing_errors(&moved, chart, &ends)
                }
            };
        }
        let [above, below] = sides;
        Ok(above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * step)).collect())
    }
}
