//! From a special point onto the curve that leaves it.
//!
//! # Equations
//! At a branch point the equations have, in addition to the tangent, a second direction φ that they do not see: the null vector of
//! $[G_x; \tau^T]$. At a period doubling the nodes of φ satisfy $A_iu_i = u_{i+1}$ with $A_{M-1}u_{M-1} = -u_0$: followed by
//! its negative it leads to motions of twice the period, with twice as many nodes. At a Hopf point
//! $y_0 + \delta\,(a\cos\omega t - b\sin\omega t)$, with $J(a+ib) = i\omega(a+ib)$. The first point is looked for at a
//! distance δ along φ, by steps perpendicular to it, so that it cannot be one of the old curve.
//!
//! # Reference
//! E. J. Doedel, H. B. Keller, J. P. Kernévez, "Numerical analysis and control of bifurcation problems", 1991

use super::curve::{Solved, bordered_matrix};
use super::curve_point::{CurvePoint, embedded};
use super::equations::{CurveEquations, Solutions};
use super::spectrum::Spectrum;
use super::tracer::Stepping;
use catena_linear::{Complex, Matrix, norm, null_vector};
use std::f64::consts::TAU;

/// Distances of the first point of a new curve, in scaled unknowns, tried one after the other.
const FIRST_DISTANCES: [f64; 8] = [0.03, 0.015, 7e-3, 3e-3, 1e-3, 4e-4, 1.5e-4, 5e-5];
/// Multipliers move by no more than this on the way there, relative to their size.
const MAX_SPECTRUM_CHANGE: f64 = 0.2;
/// A motion whose halves differ by less, relative to its size, repeats after half its period.
const MAX_UNEVENNESS: f64 = 2e-3;
/// Nodes of a motion that begins at a Hopf point.
const HOPF_NODES: usize = 12;

/// The first solutions of curves that leave a special point.
pub(super) struct Departure {
    /// Their equations, which are others where the period is another.
    pub(super) equations: CurveEquations,
    /// One, or one to each side.
    pub(super) starts: Vec<Solved>,
    /// Whether the new curve leaves to one side of the parameter.
    pub(super) is_one_sided: bool,
    /// Whether its motions have half the period: the special point is a period doubling, seen from the other side.
    pub(super) has_half_period: bool,
}

impl CurveEquations {
    /// The curve that crosses at a branch point.
    pub(super) fn crossing_curve(&self, at: &Solved, stepping: &Stepping) -> Option<Departure> {
        let second = null_vector(&bordered_matrix(&at.linear, &at.tangent))?;
        let direction = embedded(&at.linear.chart, &second);
        let mut equations = self.copied();
        let backward: Vec<f64> = direction.iter().map(|entry| -entry).collect();
        let starts: Vec<Solved> = [direction, backward]
            .iter()
            .filter_map(|direction| {
                equations.first_along(&at.point, direction, &at.spectrum, stepping)
            })
            .collect();
        let bent: Vec<f64> = starts
            .iter()
            .map(|start| {
                equations.followed_value(&start.point) - equations.followed_value(&at.point)
            })
            .collect();
        let is_one_sided = bent.len() == 2 && bent[0] * bent[1] > 0.0;
        (!starts.is_empty()).then_some(Departure {
            equations,
            starts,
            is_one_sided,
            has_half_period: false,
        })
    }

    /// The motions of twice the period.
    pub(super) fn doubled_curve(&self, at: &Solved, stepping: &Stepping) -> Option<Departure> {
        let nodes = reversing_vector(&at.linear.segments)?;
        let solutions = match &self.solutions {
            Solutions::Driven { period, multiple } => {
                Solutions::Driven { period: period.clone(), multiple: 2 * multiple }
            }
            Solutions::Autonomous => Solutions::Autonomous,
            _ => return None,
        };
        let turns: Vec<f64> = self.turns.iter().map(|turns| 2.0 * turns).collect();
        let mut equations = self.with_solutions(solutions, turns.clone());
        equations.scales.period *= 2.0;
        equations.is_doubled = true;
        let once = &at.point;
        let shifted = once.nodes.iter().map(|node| {
            let parts = node.iter().zip(&self.turns);
            parts.map(|(y, turns)| y + TAU * turns).collect::<Vec<f64>>()
        });
        let point = CurvePoint {
            nodes: once.nodes.iter().cloned().chain(shifted).collect(),
            period: 2.0 * once.period,
            ..once.clone()
        };
        let length = norm(&nodes) * 2.0_f64.sqrt();
        let forth = nodes.iter().map(|entry| entry / length);
        let back = nodes.iter().map(|entry| -entry / length);
        let still = self.slots().iter().map(|_| 0.0);
        let step: Vec<f64> = forth.chain(back).chain(still).collect();
        let chart: Vec<Matrix> = at.linear.chart.iter().chain(&at.linear.chart).cloned().collect();
        let direction = embedded(&chart, &step);
        let start = equations.first_along(&point, &direction, &at.spectrum.doubled(), stepping)?;
        Some(Departure {
            equations,
            starts: vec![start],
            is_one_sided: true,
            has_half_period: false,
        })
    }

    /// The motions of half the period, to both sides of a point at which the halves of a motion are alike.
    pub(super) fn halved_curve(&self, at: &Solved, stepping: &Stepping) -> Option<Departure> {
        if self.unevenness(at)? > MAX_UNEVENNESS {
            return None;
        }
        let solutions = match &self.solutions {
            Solutions::Driven { period, multiple } => {
                Solutions::Driven { period: period.clone(), multiple: multiple / 2 }
            }
            other => other.clone(),
        };
        let turns = self.turns.iter().map(|turns| 0.5 * turns).collect();
        let mut equations = self.with_solutions(solutions, turns);
        equations.is_doubled = equations.has_even_multiple();
        equations.scales.period *= 0.5;
        let nodes = at.point.nodes[..at.point.nodes.len() / 2].to_vec();
        let once = CurvePoint { nodes, period: 0.5 * at.point.period, ..at.point.clone() };
        let starts: Vec<Solved> = [1.0, -1.0]
            .into_iter()
            .filter_map(|side| {
                let border: Vec<f64> =
                    equations.holding_border(&once).iter().map(|entry| side * entry).collect();
                FIRST_DISTANCES.iter().find_map(|&distance| {
                    let mut moved = once.clone();
                    moved.parameter += side * distance * equations.scales.parameter;
                    equations.put_on_constraints(&mut moved).ok()?;
                    equations.corrected(moved, &border, stepping.tolerance).ok()
                })
            })
            .collect();
        let is_one_sided = false;
        (!starts.is_empty()).then_some(Departure {
            equations,
            starts,
            is_one_sided,
            has_half_period: true,
        })
    }

    /// The motions that begin at a Hopf point of equilibria.
    pub(super) fn oscillations(&self, at: &Solved, stepping: &Stepping) -> Option<Departure> {
        let omega = at.spectrum.neutral_pair().map(|value: Complex| value.im.abs())?;
        let slopes = at.linear.segments.first()?;
        let d = slopes.rows();
        let pair = Matrix::from_fn(2 * d, 2 * d, |i, j| match (i < d, j < d) {
            (true, true) => slopes[(i, j)],
            (true, false) => omega * f64::from(i == j - d),
            (false, true) => -omega * f64::from(i - d == j),
            (false, false) => slopes[(i - d, j - d)],
        });
        let vector = null_vector(&pair)?;
        let (a, b) = vector.split_at(d);
        let mut equations = self.with_solutions(Solutions::Autonomous, self.turns.clone());
        equations.scales.period = TAU / omega;
        let rest = &at.point.nodes[0];
        let mut step = Vec::new();
        for node in 0..HOPF_NODES {
            let (sin, cos) = (TAU * node as f64 / HOPF_NODES as f64).sin_cos();
            step.extend(a.iter().zip(b).map(|(a, b)| a * cos - b * sin));
        }
        let length = norm(&step);
        step.iter_mut().for_each(|entry| *entry /= length);
        step.extend(equations.slots().iter().map(|_| 0.0));
        let chart = vec![at.linear.chart[0].clone(); HOPF_NODES];
        let direction = embedded(&chart, &step);
        let point = CurvePoint {
            nodes: vec![rest.clone(); HOPF_NODES],
            period: TAU / omega,
            unfolding: 0.0,
            parameter: at.point.parameter,
        };
        let start = FIRST_DISTANCES
            .iter()
            .find_map(|&distance| equations.at_distance(&point, &direction, distance, stepping))?;
        Some(Departure {
            equations,
            starts: vec![start],
            is_one_sided: true,
            has_half_period: false,
        })
    }

    /// The first solution along a direction whose multipliers are still near those of the special point.
    fn first_along(
        &mut self,
        from: &CurvePoint,
        direction: &[f64],
        spectrum: &Spectrum,
        stepping: &Stepping,
    ) -> Option<Solved> {
        FIRST_DISTANCES.iter().find_map(|&distance| {
            let solved = self.at_distance(from, direction, distance, stepping)?;
            let is_near = solved.spectrum.distance_to(spectrum) <= MAX_SPECTRUM_CHANGE;
            is_near.then_some(solved)
        })
    }

    fn at_distance(
        &mut self,
        from: &CurvePoint,
        direction: &[f64],
        distance: f64,
        stepping: &Stepping,
    ) -> Option<Solved> {
        let chart = self.chart(from);
        let step: Vec<f64> = super::curve_point::restricted(&chart, direction)
            .iter()
            .map(|entry| distance * entry)
            .collect();
        let predicted = self.moved(from, &chart, &step).ok()?;
        self.corrected(predicted, direction, stepping.tolerance).ok()
    }
}

/// The directions of all nodes, one after the other, that one period turns into their negatives.
fn reversing_vector(segments: &[Matrix]) -> Option<Vec<f64>> {
    let rows: usize = segments.iter().map(Matrix::rows).sum();
    let mut matrix = Matrix::zeros(rows, rows);
    let (mut row, mut column) = (0, 0);
    for (at, segment) in segments.iter().enumerate() {
        let is_last = at + 1 == segments.len();
        let next = if is_last { 0 } else { column + segment.columns() };
        for i in 0..segment.rows() {
            for j in 0..segment.columns() {
                matrix[(row + i, column + j)] += segment[(i, j)];
            }
            matrix[(row + i, next + i)] += if is_last { 1.0 } else { -1.0 };
        }
        row += segment.rows();
        column += segment.columns();
    }
    null_vector(&matrix)
}
