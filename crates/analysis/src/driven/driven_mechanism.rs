//! A mechanism whose pose follows its drive: positions, velocities, accelerations, forces.

use super::kinematics::{Drive, DriveError};
use catena_compile::{Evaluator, Kernel, Values};
use catena_linear::{Matrix, RowSpace, dot, max_abs};
use catena_model::{CoordinateSet, Model, System};
use catena_simulation::{Start, assemble, check_finite};
use catena_symbolic::Expr;

/// The largest constraint error of a pose, relative to its coordinates.
const CONSTRAINT_TOLERANCE: f64 = 1e-13;
const MAX_NEWTON_ITERATIONS: usize = 50;
/// Newton's method has diverged where a step makes the residual larger by this factor.
const MAX_RESIDUAL_GROWTH: f64 = 10.0;
/// A coordinate with a smaller component in every free direction is determined.
const MIN_FREE_COMPONENT: f64 = 1e-6;
/// A coordinate that changes by more than this between neighbouring points is on another branch, rad or m.
const MAX_COORDINATE_CHANGE: f64 = 0.5;
/// How often the way between two points is halved before the mechanism counts as stuck.
const MAX_HALVINGS: u32 = 30;

/// A mechanism with its pose.
pub(crate) struct DrivenMechanism<'a> {
    system: &'a System,
    evaluator: Evaluator,
    outputs: Kernel,
    driven: Option<usize>,
    /// Where the clock stands while a coordinate is driven, s.
    t_start: f64,
    q: Vec<f64>,
    states: Vec<f64>,
}

impl<'a> DrivenMechanism<'a> {
    pub(crate) fn new(
        model: &Model,
        system: &'a System,
        drive: &Drive,
    ) -> Result<Self, DriveError> {
        let names = || system.coordinates.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        let driven = match &drive.coordinate {
            None => None,
            Some(name) => {
                Some(names().iter().position(|known| known == name).ok_or_else(|| {
                    DriveError::UnknownCoordinate { name: name.clone(), known: names() }
                })?)
            }
        };
        let mut evaluator = Evaluator::derived(model, system);
        let start = Start::new(model, CoordinateSet::Own);
        check_finite(system, &mut evaluator, &start)?;
        let start = assemble(system, &mut evaluator, &start)?;
        let e = evaluator.equations();
        let outputs: [(&str, &[Expr]); 2] =
            [("outputs", &e.outputs), ("definitions", &e.definitions)];
        let outputs = evaluator.functions().compile(&e.graph, &outputs);
        Ok(DrivenMechanism {
            system,
            evaluator,
            outputs,
            driven,
            t_start: start.t,
            q: start.q,
            states: start.states,
        })
    }

    pub(crate) fn value_at_start(&self) -> f64 {
        self.driven.map_or(self.t_start, |driven| self.q[driven])
    }

    /// The functions where the drive has a value: a driven coordinate leaves the time at the start.
    fn values(&mut self, value: f64, v: &[f64]) -> Values {
        let t = if self.driven.is_some() { self.t_start } else { value };
        self.evaluator.values_at(t, &self.q, v, &self.states)
    }

    /// Φq with the row of the driven coordinate below it.
    fn matrix(&mut self, value: f64) -> Matrix {
        let (n, m) = (self.q.len(), self.system.constraints.len());
        let driven = self.driven;
        let rest = vec![0.0; n];
        let values = self.values(value, &rest);
        let mut matrix = Matrix::zeros(m + usize::from(driven.is_some()), n);
        for row in 0..m {
            let entries = &values.constraint_jacobian[row * n..(row + 1) * n];
            matrix.row_mut(row).copy_from_slice(entries);
        }
        if let Some(driven) = driven {
            matrix[(m, driven)] = 1.0;
        }
        matrix
    }

    /// Whether the drive takes all freedom away, and none twice.
    pub(crate) fn check_determined(&mut self, value: f64) -> Result<(), DriveError> {
        let n = self.q.len();
        let free = RowSpace::of(&self.matrix(value)).null_space();
        if !free.is_empty() {
            if self.driven.is_none() && !self.is_rheonomic() {
                return Err(DriveError::NothingDriven);
            }
            let moves =
                |at: &usize| free.iter().any(|direction| direction[*at].abs() > MIN_FREE_COMPONENT);
            let names = (0..n).filter(moves).map(|at| self.system.coordinates[at].name.clone());
            return Err(DriveError::Undetermined { left: free.len(), names: names.collect() });
        }
        if let Some(driven) = self.driven.take() {
            let alone = RowSpace::of(&self.matrix(0.0)).rank();
            self.driven = Some(driven);
            if alone == n {
                let name = self.system.coordinates[driven].name.clone();
                return Err(DriveError::Overdetermined { name });
            }
        }
        Ok(())
    }

    /// Whether constraints depend on time.
    fn is_rheonomic(&self) -> bool {
        let e = &self.evaluator.functions().equations;
        e.constraint_rate.iter().any(|&rate| !e.graph.is_zero(rate))
    }

    /// Moves from a pose at one value to that at another; `Err` with the value where it gets stuck.
    pub(crate) fn lead(&mut self, from: f64, to: f64) -> Result<(), f64> {
        let (mut reached, mut part) = (0.0, 1.0_f64);
        let shortest = 0.5_f64.powi(MAX_HALVINGS as i32);
        while reached < 1.0 {
            let next = (reached + part).min(1.0);
            let before = self.q.clone();
            if self.solve_pose(from + (to - from) * next) && self.is_near(&before) {
                reached = next;
                part = (2.0 * part).min(1.0);
            } else {
                self.q = before;
                part /= 2.0;
                if part < shortest {
                    return Err(from + (to - from) * reached);
                }
            }
        }
        Ok(())
    }

    fn is_near(&self, before: &[f64]) -> bool {
        self.q.iter().zip(before).all(|(a, b)| (a - b).abs() <= MAX_COORDINATE_CHANGE)
    }

    /// Newton's method on Φ = 0 and q_d = s; `false` if it does not converge.
    fn solve_pose(&mut self, value: f64) -> bool {
        let rest = vec![0.0; self.q.len()];
        let mut before = f64::INFINITY;
        for _ in 0..MAX_NEWTON_ITERATIONS {
            let driven = self.driven;
            let mut residual = self.values(value, &rest).constraints.clone();
            if let Some(driven) = driven {
                residual.push(self.q[driven] - value);
            }
            let size = max_abs(&residual);
            let scale = 1.0 + max_abs(&self.q);
            if size <= CONSTRAINT_TOLERANCE * scale {
                return true;
            }
            if !size.is_finite() || size > MAX_RESIDUAL_GROWTH * before {
                return false;
            }
            before = size;
            let step = RowSpace::of(&self.matrix(value)).solution(&residual);
            self.q.iter_mut().zip(step).for_each(|(q, step)| *q -= step);
        }
        false
    }

    /// The driven value, q, v, a, the driving force, λ, outputs.
    pub(crate) fn row(&mut self, value: f64, rate: f64) -> Vec<f64> {
        let (n, m) = (self.q.len(), self.system.constraints.len());
        let rest = vec![0.0; n];
        let matrix = self.matrix(value);
        let dependence = RowSpace::of(&matrix);
        let driven = self.driven;
        let mut right: Vec<f64> =
            self.values(value, &rest).constraint_rate.iter().map(|rate| -rate).collect();
        right.extend(driven.map(|_| rate));
        let v = dependence.solution(&right);
        let values = self.values(value, &v).clone();
        let mut right = values.gamma.clone();
        right.extend(driven.map(|_| 0.0));
        let a = dependence.solution(&right);
        // the columns of the forces are the rows of the matrix, the drive with its sign turned
        let mut forces = Matrix::zeros(n, matrix.rows());
        for row in 0..matrix.rows() {
            let sign = if row == m { -1.0 } else { 1.0 };
            for column in 0..n {
                forces[(column, row)] = sign * matrix[(row, column)];
            }
        }
        let left: Vec<f64> = (0..n)
            .map(|i| {
                let entries = &values.mass_matrix[i * n..(i + 1) * n];
                values.forces[i] - dot(entries, &a)
            })
            .collect();
        let reactions = RowSpace::of(&forces).solution(&left);
        let (multipliers, drive) = reactions.split_at(m);
        let t = if driven.is_some() { 0.0 } else { value };
        self.evaluator.set_state(t, &self.q, &v, &self.states);
        self.evaluator.set_reactions(&a, multipliers);
        let outputs = self.evaluator.run(&self.outputs);
        let mut row = vec![value];
        row.extend_from_slice(&self.q);
        row.extend_from_slice(&v);
        row.extend_from_slice(&a);
        row.extend_from_slice(drive);
        row.extend_from_slice(multipliers);
        row.extend_from_slice(outputs);
        row
    }

    pub(crate) fn names(&self, drive: &str) -> Vec<String> {
        let coordinates = self.system.coordinates.iter().map(|c| &c.name);
        let first = match self.driven {
            // the driven coordinate stands among the others, too
            Some(_) => format!("drive_{drive}"),
            None => drive.to_owned(),
        };
        let mut names = vec![first];
        for primes in ["", "'", "''"] {
            names.extend(coordinates.clone().map(|name| format!("{name}{primes}")));
        }
        names.extend(self.driven.map(|_| format!("force_{drive}")));
        let constraints = self.system.constraints.iter();
        names.extend(constraints.map(|c| format!("lambda_{}", c.name)));
        // points of a mechanism are definitions: their curves are what people look at
        let extra = self.system.outputs.iter().chain(&self.system.definitions);
        names.extend(extra.map(|entry| entry.name.clone()));
        names
    }

    /// The coordinate that moves fastest where the drive gets stuck: the one that turns back.
    pub(crate) fn fastest(&mut self, value: f64) -> String {
        let mut right = vec![0.0; self.system.constraints.len()];
        right.extend(self.driven.map(|_| 1.0));
        let matrix = self.matrix(value);
        let dependence = RowSpace::of(&matrix);
        let v = dependence.null_space().pop().unwrap_or_else(|| dependence.solution(&right));
        let fastest = (0..v.len()).max_by(|&a, &b| v[a].abs().total_cmp(&v[b].abs()));
        fastest.map_or(String::new(), |at| self.system.coordinates[at].name.clone())
    }
}
