//! The forces of a drive on a linear model, as formulas of time and of the parameters that only the drive has.

use super::linear_file::LinearFileError;
use super::linear_model::LinearModel;
use catena_derivation::Equations;
use catena_linear::{Matrix, RowSpace};
use catena_symbolic::{Expr, Graph, Number};

/// Formulas of the drive; an empty one is zero.
pub(crate) struct DriveForces {
    /// Parameters that the formulas use and nothing else does.
    pub(crate) parameters: Vec<usize>,
    /// For each independent coordinate.
    pub(crate) forces: Vec<Row>,
    /// For each state.
    pub(crate) rates: Vec<Row>,
    /// How each coordinate moves with the constraints.
    pub(crate) positions: Vec<String>,
}

/// The terms of the drive in one equation.
#[derive(Clone, Default)]
pub(crate) struct Row {
    /// The term that does not depend on the deviations.
    pub(crate) alone: String,
    /// The factors of the deviations of each position, velocity and state.
    pub(crate) with: Vec<String>,
}

impl DriveForces {
    pub(crate) fn new(linear: &LinearModel<'_>) -> Result<DriveForces, LinearFileError> {
        let (d, rest) = (linear.independent.len(), &linear.rest);
        if rest.steady {
            return Ok(DriveForces {
                parameters: Vec::new(),
                forces: vec![Row::default(); d],
                rates: vec![Row::default(); rest.equilibrium.states.len()],
                positions: vec![String::new(); rest.equilibrium.q.len()],
            });
        }
        let mut builder = Builder::new(linear);
        builder.refuse_changing_mass()?;
        let products = linear.constraint_jacobian.rows() == 0;
        let (forces, rates) = builder.at_rest();
        let (position_forces, positions) = builder.moved_constraints();
        let with =
            if products { builder.products(&forces) } else { (vec![Vec::new(); d], Vec::new()) };
        let (n, k) = (rest.equilibrium.q.len(), rates.len());
        let mut rows = Vec::with_capacity(d);
        for column in 0..d {
            let total: Vec<Expr> =
                (0..n).map(|at| builder.graph.add(forces[at], position_forces[at])).collect();
            let along: Vec<f64> = (0..n).map(|at| linear.spread[(at, column)]).collect();
            rows.push(builder.combination(&along, &total));
        }
        let of_constraints: Vec<Expr> =
            (0..k).map(|state| builder.rate_of_constraints(state, &positions)).collect();
        let rate_rows: Vec<Expr> =
            rates.iter().zip(&of_constraints).map(|(&a, &b)| builder.graph.add(a, b)).collect();
        let text = |expr: &Expr| builder.text(*expr);
        let row = |(at, alone): (usize, &Expr), with: &[Vec<Expr>]| Row {
            alone: text(alone),
            with: with.get(at).map_or_else(Vec::new, |with| with.iter().map(text).collect()),
        };
        Ok(DriveForces {
            forces: rows.iter().enumerate().map(|entry| row(entry, &with.0)).collect(),
            rates: rate_rows.iter().enumerate().map(|entry| row(entry, &with.1)).collect(),
            positions: positions.iter().map(text).collect(),
            parameters: builder.kept.clone(),
        })
    }
}

/// The equations with everything in its place at rest but the time.
struct Builder<'a, 'b> {
    linear: &'a LinearModel<'b>,
    equations: &'a Equations,
    graph: Graph,
    /// Parameters that only the drive has.
    kept: Vec<usize>,
    replacements: Vec<(Expr, Expr)>,
}

impl<'a, 'b> Builder<'a, 'b> {
    fn new(linear: &'a LinearModel<'b>) -> Builder<'a, 'b> {
        let rest = &linear.rest;
        let e = &rest.driven;
        let mut graph = e.graph.clone();
        let still = &rest.equations;
        let mut resting: Vec<Expr> = [&still.forces, &still.constraints, &still.state_rates]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        resting.extend(still.mass_matrix.iter().map(|(_, _, entry)| *entry));
        let is_kept = |at: &usize| !still.graph.any_depends_on(&resting, &[still.parameters[*at]]);
        let kept: Vec<usize> = (0..e.parameters.len())
            .filter(is_kept)
            .filter(|&at| {
                let parameter = [e.parameters[at]];
                let driving = [&e.forces, &e.constraints, &e.state_rates];
                driving.into_iter().any(|list| e.graph.any_depends_on(list, &parameter))
            })
            .collect();
        let zero = graph.zero();
        let equilibrium = &rest.equilibrium;
        let mut values: Vec<(Expr, f64)> = Vec::new();
        values.extend(e.coordinates.iter().copied().zip(equilibrium.q.iter().copied()));
        values.extend(e.states.iter().copied().zip(equilibrium.states.iter().copied()));
        values.extend(e.multipliers.iter().copied().zip(equilibrium.multipliers.iter().copied()));
        let parameters = e.parameters.iter().copied().zip(rest.parameters.iter().copied());
        let frozen = parameters.enumerate().filter(|(at, _)| !kept.contains(at));
        values.extend(frozen.map(|(_, pair)| pair));
        let mut replacements: Vec<(Expr, Expr)> =
            values.into_iter().map(|(symbol, value)| (symbol, number(&mut graph, value))).collect();
        replacements.extend(e.velocities.iter().map(|&velocity| (velocity, zero)));
        Builder { linear, equations: e, graph, kept, replacements }
    }

    fn refuse_changing_mass(&mut self) -> Result<(), LinearFileError> {
        let entries = &self.equations.mass_matrix;
        let masses: Vec<Expr> = entries.iter().map(|(_, _, entry)| *entry).collect();
        let masses = self.graph.substitute(&masses, &self.replacements);
        let time = [self.equations.time];
        let changing = masses.iter().position(|&mass| self.graph.depends_on(mass, &time));
        changing.map_or(Ok(()), |at| {
            let coordinate = &self.linear.rest.system.coordinates[entries[at].0];
            Err(LinearFileError::ChangingMass { coordinate: coordinate.name.clone() })
        })
    }

    /// Q − Φqᵀλ₀ and ż at rest, as the drive goes on.
    fn at_rest(&mut self) -> (Vec<Expr>, Vec<Expr>) {
        let e = self.equations;
        let mut forces = e.forces.clone();
        for &(row, column, entry) in &e.constraint_jacobian.entries {
            let force = self.graph.mul(entry, e.multipliers[row]);
            forces[column] = self.graph.sub(forces[column], force);
        }
        let forces = self.graph.substitute(&forces, &self.replacements);
        let rates = self.graph.substitute(&e.state_rates, &self.replacements);
        let driven = |list: Vec<Expr>, builder: &mut Self| -> Vec<Expr> {
            list.into_iter().map(|expr| builder.only_drive(expr)).collect()
        };
        (driven(forces, self), driven(rates, self))
    }

    /// Zero where nothing of the drive is left: the balance of a resting system has its own rounding.
    fn only_drive(&mut self, expr: Expr) -> Expr {
        let moves = self.graph.depends_on(expr, &[self.equations.time]);
        if moves { expr } else { self.graph.zero() }
    }

    /// −K p − C ṗ − M p̈ and p.
    fn moved_constraints(&mut self) -> (Vec<Expr>, Vec<Expr>) {
        let linear = self.linear;
        let values = self.graph.substitute(&self.equations.constraints, &self.replacements);
        let values: Vec<Expr> = values.into_iter().map(|value| self.only_drive(value)).collect();
        let n = linear.spread.rows();
        let mut levels = vec![Vec::new(); 3];
        levels[0] = (0..n)
            .map(|row| self.combination(linear.constraint_sensitivity.row(row), &values))
            .collect();
        for level in 1..3 {
            let time = self.equations.time;
            levels[level] = levels[level - 1]
                .clone()
                .into_iter()
                .map(|p| self.graph.derivative(p, time))
                .collect();
        }
        let full = &linear.full;
        let forces = (0..n)
            .map(|row| {
                let parts = [&full.stiffness, &full.damping, &full.mass];
                let terms: Vec<Expr> = parts
                    .iter()
                    .zip(&levels)
                    .map(|(matrix, p)| self.combination(matrix.row(row), p))
                    .collect();
                let sum = self.graph.sum(terms);
                self.graph.neg(sum)
            })
            .collect();
        (forces, levels.swap_remove(0))
    }

    /// G_q p + G_v ṗ of one state.
    fn rate_of_constraints(&mut self, state: usize, positions: &[Expr]) -> Expr {
        let full = &self.linear.full;
        let time = self.equations.time;
        let rates: Vec<Expr> = positions.iter().map(|&p| self.graph.derivative(p, time)).collect();
        let first = self.combination(full.rates_by_position.row(state), positions);
        let second = self.combination(full.rates_by_velocity.row(state), &rates);
        self.graph.add(first, second)
    }

    /// How the drive changes the slopes of forces and rates by positions, velocities and states.
    fn products(&mut self, forces: &[Expr]) -> (Vec<Vec<Expr>>, Vec<Vec<Expr>>) {
        let e = self.equations;
        let mass = RowSpace::of(&self.linear.full.mass);
        let n = forces.len();
        let unit = |column: usize| (0..n).map(|row| f64::from(row == column)).collect::<Vec<_>>();
        let inverse: Vec<Vec<f64>> = (0..n).map(|column| mass.solution(&unit(column))).collect();
        let mut balance = e.forces.clone();
        for &(row, column, entry) in &e.mass_matrix {
            let inertia = self.graph.mul(entry, e.accelerations[column]);
            balance[row] = self.graph.sub(balance[row], inertia);
            // only the upper triangle is listed
            if row != column {
                let inertia = self.graph.mul(entry, e.accelerations[row]);
                balance[column] = self.graph.sub(balance[column], inertia);
            }
        }
        let mut all = self.replacements.clone();
        for row in 0..n {
            let along: Vec<f64> = inverse.iter().map(|column| column[row]).collect();
            let acceleration = self.combination(&along, forces);
            all.push((e.accelerations[row], acceleration));
        }
        let by: Vec<Expr> = [e.coordinates.as_slice(), &e.velocities, &e.states].concat();
        let matrices = &self.linear.minimal;
        let forces =
            [(&matrices.stiffness, -1.0), (&matrices.damping, -1.0), (&matrices.state_forces, 1.0)];
        let force_slopes = self.changes(&balance, &by, &all, &forces);
        let rates = [
            (&matrices.rates_by_position, 1.0),
            (&matrices.rates_by_velocity, 1.0),
            (&matrices.rates_by_state, 1.0),
        ];
        let rate_slopes = self.changes(&e.state_rates, &by, &all, &rates);
        (force_slopes, rate_slopes)
    }

    /// Slopes less what they are without the drive; zero where they do not change.
    fn changes(
        &mut self,
        values: &[Expr],
        by: &[Expr],
        replacements: &[(Expr, Expr)],
        still: &[(&Matrix, f64)],
    ) -> Vec<Vec<Expr>> {
        let mut rows = Vec::with_capacity(values.len());
        for (row, &value) in values.iter().enumerate() {
            let slopes = self.graph.gradient(value, by);
            let slopes = self.graph.substitute(&slopes, replacements);
            let constants: Vec<f64> = still
                .iter()
                .flat_map(|(matrix, sign)| matrix.row(row).iter().map(move |entry| sign * entry))
                .collect();
            let changes = slopes.into_iter().zip(constants).map(|(slope, constant)| {
                if !self.graph.depends_on(slope, &[self.equations.time]) {
                    return self.graph.zero();
                }
                let constant = number(&mut self.graph, constant);
                self.graph.sub(slope, constant)
            });
            rows.push(changes.collect());
        }
        rows
    }

    fn combination(&mut self, coefficients: &[f64], exprs: &[Expr]) -> Expr {
        let terms: Vec<Expr> = coefficients
            .iter()
            .zip(exprs)
            .filter(|(coefficient, _)| **coefficient != 0.0)
            .map(|(&coefficient, &expr)| {
                let factor = number(&mut self.graph, coefficient);
                self.graph.mul(factor, expr)
            })
            .collect();
        self.graph.sum(terms)
    }

    fn text(&self, expr: Expr) -> String {
        match self.graph.is_zero(expr) {
            true => String::new(),
            false => self.graph.formula_text(expr),
        }
    }
}

fn number(graph: &mut Graph, value: f64) -> Expr {
    // decimals as people write them stay exact fractions
    let size = Number::parse(&format!("{:?}", value.abs())).unwrap_or(Number::ZERO);
    graph.number(if value < 0.0 { size.negated() } else { size })
}
