//! A mechanism whose pose follows its drive: positions, velocities, accelerations, forces.

use super::kinematics::{Drive, DriveError};
use super::path_point::PathPoint;
use catena_compile::{Evaluator, Kernel, Values};
use catena_derivation::angles;
use catena_linear::{Matrix, RowSpace, dot, max_abs, max_abs_or_nan, norm};
use catena_model::{CoordinateSet, Dimensions, Model, System};
use catena_simulation::{Start, Table, assemble, check_finite, column_expressions};
use catena_symbolic::{Expr, primed};

/// The largest constraint error of a pose, relative to its coordinates.
const CONSTRAINT_TOLERANCE: f64 = 1e-13;
const MAX_NEWTON_ITERATIONS: usize = 50;
/// Newton's method has diverged where a step makes the residual larger by this factor.
const MAX_RESIDUAL_GROWTH: f64 = 10.0;
/// A coordinate with a smaller component in every free direction is determined.
const MIN_FREE_COMPONENT: f64 = 1e-6;
/// How far the drive is moved, relative to its value, to see whether freedom is left beside this pose, too.
const NEARBY_DISTANCE: f64 = 1e-3;

/// The effort of the drive times its rate.
const DRIVE_POWER: &str = "drive_power";

/// A mechanism and what drives it.
pub(crate) struct DrivenMechanism<'a> {
    system: &'a System,
    evaluator: Evaluator,
    /// Outputs, definitions, and what else is asked for.
    outputs: Kernel,
    /// Names of what else is asked for ...
    further: Vec<String>,
    /// ... and whether the power of the drive is.
    asks_power: bool,
    is_angle: Vec<bool>,
    driven: Option<usize>,
    /// Where the clock stands while a coordinate is driven, s.
    t_start: f64,
    /// The assembled start.
    q: Vec<f64>,
    states: Vec<f64>,
    /// The largest length met of each row of the matrix.
    row_lengths: Vec<f64>,
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
        if system.coordinates.is_empty() {
            return Err(DriveError::NoCoordinates);
        }
        let mut evaluator = Evaluator::derived(model, system);
        let start = Start::new(model, CoordinateSet::Own);
        check_finite(system, &mut evaluator, &start)?;
        let start = assemble(system, &mut evaluator, &start)?;
        let e = evaluator.equations();
        let is_angle = angles(e, system);
        let usual = usual_names(system);
        let mut graph = e.graph.clone();
        let (mut further, mut expressions) = (Vec::new(), Vec::new());
        let asked = drive.columns.iter().filter(|name| !usual.contains(name));
        for name in asked.filter(|name| *name != "t") {
            let built = column_expressions(system, e, &mut graph, std::slice::from_ref(name));
            if let Ok(built) = built {
                expressions.extend(built);
                further.push(name.clone());
            }
        }
        let asks_power = driven.is_some() && !further.iter().any(|name| name == DRIVE_POWER);
        let asks_power = asks_power && drive.columns.iter().any(|name| name == DRIVE_POWER);
        let outputs: [(&str, &[Expr]); 3] =
            [("outputs", &e.outputs), ("definitions", &e.definitions), ("further", &expressions)];
        let outputs = evaluator.functions().compile(&graph, &outputs);
        let row_lengths = vec![0.0; system.constraints.len() + 1];
        let (t_start, q, states) = (start.t, start.q, start.states);
        Ok(DrivenMechanism {
            system,
            evaluator,
            outputs,
            further,
            asks_power,
            is_angle,
            driven,
            t_start,
            q,
            states,
            row_lengths,
        })
    }

    /// Where the mechanism starts; an error unless the drive takes all freedom away, and none twice.
    pub(crate) fn start(&mut self) -> Result<PathPoint, DriveError> {
        let value = self.driven.map_or(self.t_start, |driven| self.q[driven]);
        let q = self.q.clone();
        self.check_determined(value, &q)?;
        Ok(self.path_point(value, q))
    }

    pub(super) fn driven(&self) -> Option<usize> {
        self.driven
    }

    pub(super) fn name(&self, coordinate: usize) -> &str {
        &self.system.coordinates[coordinate].name
    }

    /// Whether the driven coordinate is an angle.
    pub(crate) fn is_driven_by_angle(&self) -> bool {
        self.driven.is_some_and(|driven| self.is_angle[driven])
    }

    /// The functions where the drive has a value: a driven coordinate leaves the time at the start.
    pub(super) fn values(&mut self, value: f64, q: &[f64], v: &[f64]) -> Values {
        let t = if self.driven.is_some() { self.t_start } else { value };
        self.evaluator.values_at(t, q, v, &self.states)
    }

    /// The derivatives of Φ and q_d − s by the coordinates, and, in the last column, by the driven value s.
    pub(super) fn extended_matrix(&mut self, value: f64, q: &[f64]) -> Matrix {
        let rest = vec![0.0; q.len()];
        let rates = self.values(value, q, &rest).constraint_rate;
        let (inner, driven) = (self.matrix(value, q), self.driven);
        Matrix::from_fn(inner.rows(), q.len() + 1, |row, column| match column < q.len() {
            true => inner[(row, column)],
            false if row == rates.len() => -1.0,
            false if driven.is_some() => 0.0,
            false => rates[row],
        })
    }

    /// Φq with the row of the driven coordinate below it.
    pub(super) fn matrix(&mut self, value: f64, q: &[f64]) -> Matrix {
        let (n, m) = (q.len(), self.system.constraints.len());
        let driven = self.driven;
        let rest = vec![0.0; n];
        let values = self.values(value, q, &rest);
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

    fn check_determined(&mut self, value: f64, q: &[f64]) -> Result<(), DriveError> {
        let n = q.len();
        let free = RowSpace::of(&self.matrix(value, q)).null_space();
        if !free.is_empty() {
            if self.driven.is_none() && !self.is_rheonomic() {
                return Err(DriveError::NothingDriven);
            }
            let moves =
                |at: &usize| free.iter().any(|direction| direction[*at].abs() > MIN_FREE_COMPONENT);
            let names = (0..n).filter(moves).map(|at| self.name(at).to_owned()).collect();
            if self.is_determined_nearby(value, q, &free) {
                return Err(DriveError::StartsInChangePoint { names });
            }
            return Err(DriveError::Undetermined { left: free.len(), names });
        }
        if let Some(driven) = self.driven.take() {
            let alone = RowSpace::of(&self.matrix(self.t_start, q)).rank();
            self.driven = Some(driven);
            if alone == n {
                let name = self.name(driven).to_owned();
                return Err(DriveError::Overdetermined { name });
            }
        }
        Ok(())
    }

    /// Whether the drive takes all freedom away at other values near this one.
    fn is_determined_nearby(&mut self, value: f64, q: &[f64], free: &[Vec<f64>]) -> bool {
        let distance = NEARBY_DISTANCE * (1.0 + value.abs());
        let mut sides = free.iter().flat_map(|direction| [(direction, 1.0), (direction, -1.0)]);
        sides.any(|(direction, sign)| {
            [value + distance, value - distance].into_iter().any(|value| {
                let moved = q.iter().zip(direction).map(|(q, d)| q + sign * distance * d);
                let near = self.solve_pose(value, moved.collect());
                near.is_some_and(|q| self.path_point(value, q).independence > 0.0)
            })
        })
    }

    /// Whether constraints depend on time.
    fn is_rheonomic(&self) -> bool {
        let e = &self.evaluator.functions().equations;
        e.constraint_rate.iter().any(|&rate| !e.graph.is_zero(rate))
    }

    /// Newton's method on Φ = 0 and q_d = s from a pose; `None` if it does not converge.
    pub(super) fn solve_pose(&mut self, value: f64, guess: Vec<f64>) -> Option<Vec<f64>> {
        let mut q = guess;
        let mut residual = self.residual(value, &q);
        let mut before = f64::INFINITY;
        for _ in 0..MAX_NEWTON_ITERATIONS {
            let size = max_abs_or_nan(&residual);
            if !size.is_finite() || size > MAX_RESIDUAL_GROWTH * before {
                return None;
            }
            let step = RowSpace::of(&self.matrix(value, &q)).solution(&residual);
            let next: Vec<f64> = q.iter().zip(step).map(|(q, step)| q - step).collect();
            let left = self.residual(value, &next);
            if size <= CONSTRAINT_TOLERANCE * scale(&q) {
                // the last step is for the last digits
                return Some(if max_abs_or_nan(&left) < size { next } else { q });
            }
            (q, residual, before) = (next, left, size);
        }
        None
    }

    /// Φ and q_d − s.
    pub(super) fn residual(&mut self, value: f64, q: &[f64]) -> Vec<f64> {
        let rest = vec![0.0; q.len()];
        let mut residual = self.values(value, q, &rest).constraints;
        residual.extend(self.driven.map(|driven| q[driven] - value));
        residual
    }

    /// The largest constraint error of a pose, relative to its coordinates.
    pub(super) fn constraint_error(&mut self, value: f64, q: &[f64]) -> f64 {
        max_abs_or_nan(&self.residual(value, q)) / scale(q)
    }

    /// A pose with its first and second derivatives by the driven value.
    pub(super) fn path_point(&mut self, value: f64, q: Vec<f64>) -> PathPoint {
        let matrix = self.matrix(value, &q);
        for row in 0..matrix.rows() {
            self.row_lengths[row] = self.row_lengths[row].max(norm(matrix.row(row)));
        }
        let space = RowSpace::of(&matrix);
        let rest = vec![0.0; q.len()];
        let mut right = match self.driven {
            // the time stands still while a coordinate leads
            Some(_) => vec![0.0; self.system.constraints.len()],
            None => {
                let rates = self.values(value, &q, &rest).constraint_rate;
                rates.iter().map(|rate| -rate).collect()
            }
        };
        right.extend(self.driven.map(|_| 1.0));
        let slope = space.solution(&right);
        let mut right = self.values(value, &q, &slope).gamma;
        if self.driven.is_some() {
            if self.is_rheonomic() {
                // the part of γ that is quadratic in v
                let back: Vec<f64> = slope.iter().map(|v| -v).collect();
                let back = self.values(value, &q, &back).gamma;
                let still = self.values(value, &q, &rest).gamma;
                let others = back.iter().zip(&still);
                for (forth, (back, still)) in right.iter_mut().zip(others) {
                    *forth = (*forth + back) / 2.0 - still;
                }
            }
            right.push(0.0);
        }
        let curvature = space.solution(&right);
        let independence = self.least_independence(&matrix, &space);
        PathPoint { value, q, slope, curvature, independence, is_interpolated: false }
    }

    /// The independence of the row that points least in a direction of its own, 0 where freedom is left. A row counts for
    /// the part of its largest length that it has kept: it may vanish as a whole.
    pub(super) fn independence(&mut self, value: f64, q: &[f64]) -> f64 {
        let matrix = self.matrix(value, q);
        self.least_independence(&matrix, &RowSpace::of(&matrix))
    }

    fn least_independence(&self, matrix: &Matrix, space: &RowSpace) -> f64 {
        if space.rank() < matrix.columns() {
            return 0.0;
        }
        let kept = (0..matrix.rows()).map(|row| norm(matrix.row(row)) / self.row_lengths[row]);
        // a row that has always been 0 gives NaN, which is not smaller
        kept.fold(1.0, f64::min) * space.independence(matrix.columns() - 1)
    }

    /// The driven value, q, v, a, the driving force, λ, outputs.
    pub(crate) fn row(&mut self, at: &PathPoint, rate: f64) -> Vec<f64> {
        let PathPoint { value, q, .. } = at;
        let value = *value;
        let (n, m) = (q.len(), self.system.constraints.len());
        let matrix = self.matrix(value, q);
        let driven = self.driven;
        let (v, a) = self.rates(at, &matrix, rate);
        let values = self.values(value, q, &v);
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
        let t = if driven.is_some() { self.t_start } else { value };
        self.evaluator.set_state(t, q, &v, &self.states);
        self.evaluator.set_reactions(&a, multipliers);
        let outputs = self.evaluator.run(&self.outputs);
        let mut row = vec![value];
        row.extend_from_slice(q);
        row.extend_from_slice(&v);
        row.extend_from_slice(&a);
        row.extend_from_slice(drive);
        row.extend_from_slice(multipliers);
        row.extend_from_slice(outputs);
        if let Some(driven) = driven.filter(|_| self.asks_power) {
            row.push(drive[0] * v[driven]);
        }
        row
    }

    /// Velocities and accelerations. In a change point the constraints leave them open, and they are those of the path.
    fn rates(&mut self, at: &PathPoint, matrix: &Matrix, rate: f64) -> (Vec<f64>, Vec<f64>) {
        let space = RowSpace::of(matrix);
        if at.is_interpolated {
            let rate = self.driven.map_or(1.0, |_| rate);
            let v = at.slope.iter().map(|slope| rate * slope);
            let a = at.curvature.iter().map(|curvature| rate * rate * curvature);
            return (v.collect(), a.collect());
        }
        let rest = vec![0.0; at.q.len()];
        let rates = self.values(at.value, &at.q, &rest).constraint_rate;
        let mut right: Vec<f64> = rates.iter().map(|rate| -rate).collect();
        right.extend(self.driven.map(|_| rate));
        let v = space.solution(&right);
        let mut right = self.values(at.value, &at.q, &v).gamma;
        right.extend(self.driven.map(|_| 0.0));
        (v, space.solution(&right))
    }

    /// An empty table of all columns, with room for this many rows.
    pub(crate) fn table(&self, drive: &str, rows: usize) -> Table {
        let dimensions = Dimensions::new(self.system, &self.is_angle);
        let coordinates = self.system.coordinates.iter().map(|c| c.name.as_str());
        let first = match self.driven {
            // the driven coordinate stands among the others, too
            Some(_) => format!("drive_{drive}"),
            None => drive.to_owned(),
        };
        let room = || Vec::with_capacity(rows);
        let mut table = Table::default().with_numbers(first, dimensions.unit(drive), room());
        let mut names: Vec<String> = Vec::new();
        for primes in 0..=2 {
            names.extend(coordinates.clone().map(|name| primed(name, primes)));
        }
        for name in names {
            let unit = dimensions.unit(&name);
            table = table.with_numbers(name, unit, room());
        }
        if self.driven.is_some() {
            let (name, unit) = self.effort(drive);
            table = table.with_numbers(name, unit, room());
        }
        let constraints = self.system.constraints.iter().map(|c| format!("lambda_{}", c.name));
        // points of a mechanism are definitions: their curves are what people look at
        let entries = self.system.outputs.iter().chain(&self.system.definitions);
        let others = entries.map(|entry| entry.name.clone()).chain(self.further.iter().cloned());
        for name in constraints.chain(others) {
            let unit = match name.as_str() {
                "kinetic" | "potential" | "energy" => "J",
                name => dimensions.unit(name),
            };
            table = table.with_numbers(name, unit, room());
        }
        match self.asks_power {
            true => {
                let known = !self.effort(drive).1.is_empty();
                table.with_numbers(DRIVE_POWER, if known { "W" } else { "" }, room())
            }
            false => table,
        }
    }

    /// What drives the coordinate, by the word that motors have for it: `drive_torque`, N m, or `drive_force`.
    fn effort(&self, drive: &str) -> (String, &'static str) {
        let dimensions = Dimensions::new(self.system, &self.is_angle);
        let (word, unit) = match (self.is_driven_by_angle(), dimensions.unit(drive)) {
            (true, _) => ("torque", "N m"),
            (false, "m") => ("force", "N"),
            (false, _) => ("force", ""),
        };
        let name = format!("drive_{word}");
        // a motor of the model may be called so
        match self.system.outputs.iter().any(|output| output.name == name) {
            true => (format!("drive_{drive}_{word}"), unit),
            false => (name, unit),
        }
    }
}

/// The columns that every driven mechanism has of a run, as far as a request may name them.
fn usual_names(system: &System) -> Vec<String> {
    let coordinates = system.coordinates.iter().flat_map(|c| (0..=2).map(|n| primed(&c.name, n)));
    let constraints = system.constraints.iter().map(|c| format!("lambda_{}", c.name));
    let others = system.outputs.iter().chain(&system.definitions).map(|entry| entry.name.clone());
    coordinates.chain(constraints).chain(others).collect()
}

fn scale(q: &[f64]) -> f64 {
    1.0 + max_abs(q)
}
