//! The linear model of a system about an equilibrium.
//!
//! # Equations
//! With deviations $x = q - q_0$, $\zeta = z - z_0$ and the multipliers $\lambda_0$ at rest,
//! $$M\ddot x + C\dot x + Kx = F\zeta - \Phi_q^T\delta\lambda,\qquad \Phi_q x = 0,\qquad
//!   \dot\zeta = G_qx + G_v\dot x + G_z\zeta$$
//! where $K = -\partial(Q - \Phi_q^T\lambda_0)/\partial q$ has the geometric stiffness of the
//! constraints in it and $C = -\partial Q/\partial v$. The constraints are solved for the dependent
//! deviations: $x = Nu$, with u the independent ones, so that $N^TMN\,\ddot u + N^TCN\,\dot u + N^TKN\,u
//! = N^TF\zeta$ is the minimal form. All derivatives are those of the graph.
//!
//! # When to choose it
//! Small motions about rest: stability, control, comparison with textbooks, and a linear file (`-o linear.toml`) that runs like any other
//! model. How large "small" is, a run beside it tells.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989; L. Meirovitch, *Fundamentals of Vibrations*, 2001,
//! chapter 7

use super::{Rest, RestError};
use catena_compile::{Evaluator, Functions};
use catena_linear::{ColumnPartition, Matrix};
use catena_symbolic::Expr;
use std::sync::Arc;

/// M, C, K and what belongs to them, in all coordinates and in the independent ones.
#[derive(Clone, Debug)]
pub struct LinearModel<'a> {
    /// The equilibrium it is about, with the equations there.
    pub rest: Rest<'a>,
    /// The matrices in all coordinates.
    pub full: Matrices,
    /// Φq, a row for each constraint.
    pub constraint_jacobian: Matrix,
    /// The coordinates whose deviations are u.
    pub independent: Vec<usize>,
    /// N, a column for each independent coordinate.
    pub spread: Matrix,
    /// How far each coordinate moves per unit that a constraint is moved, the independent ones held: a column for each
    /// constraint.
    pub constraint_sensitivity: Matrix,
    /// The matrices in the independent coordinates.
    pub minimal: Matrices,
    /// |N|ᵀ|K||N|: how large the entries of the minimal K would be if nothing cancelled.
    pub(crate) stiffness_size: Matrix,
}

/// The matrices of M ẍ + C ẋ + K x = F ζ, ζ̇ = G_q x + G_v ẋ + G_z ζ.
#[derive(Clone, Debug)]
pub struct Matrices {
    /// M, the mass matrix.
    pub mass: Matrix,
    /// C, the slopes of the forces by velocities, with a minus sign.
    pub damping: Matrix,
    /// K, the slopes of the forces by positions, with a minus sign.
    pub stiffness: Matrix,
    /// F, the slopes of the forces by states.
    pub state_forces: Matrix,
    /// G_q, the slopes of the states' rates by positions.
    pub rates_by_position: Matrix,
    /// G_v, the slopes of the states' rates by velocities.
    pub rates_by_velocity: Matrix,
    /// G_z, the slopes of the states' rates by states.
    pub rates_by_state: Matrix,
}

impl<'a> LinearModel<'a> {
    /// The linear model about a state of rest.
    pub fn new(rest: Rest<'a>) -> Result<LinearModel<'a>, RestError> {
        let (full, constraint_jacobian) = evaluate(&rest)?;
        let (m, n) = (constraint_jacobian.rows(), full.mass.rows());
        let jacobian: Vec<f64> =
            (0..m).flat_map(|row| constraint_jacobian.row(row)).copied().collect();
        let mut partition = ColumnPartition::new(m, n);
        partition.choose(&jacobian);
        partition.factor(&jacobian);
        let mut independent = partition.independent().to_vec();
        independent.sort_unstable();
        let mut spread = Matrix::zeros(n, independent.len());
        let mut x = vec![0.0; n];
        for (column, &coordinate) in independent.iter().enumerate() {
            // the dependent entries answer, so that Φq x = 0
            let right: Vec<f64> =
                (0..m).map(|row| -constraint_jacobian[(row, coordinate)]).collect();
            partition.solve(&right, &mut x);
            x[coordinate] = 1.0;
            (0..n).for_each(|row| spread[(row, column)] = x[row]);
        }
        let mut constraint_sensitivity = Matrix::zeros(n, m);
        for constraint in 0..m {
            let right: Vec<f64> = (0..m).map(|row| -f64::from(row == constraint)).collect();
            partition.solve(&right, &mut x);
            (0..n).for_each(|row| constraint_sensitivity[(row, constraint)] = x[row]);
        }
        let minimal = full.restricted_to(&spread);
        let sizes = |matrix: &Matrix| {
            Matrix::from_fn(matrix.rows(), matrix.columns(), |i, j| matrix[(i, j)].abs())
        };
        let wide = sizes(&spread);
        let stiffness_size = wide.transposed().times(&sizes(&full.stiffness)).times(&wide);
        Ok(LinearModel {
            rest,
            full,
            constraint_jacobian,
            independent,
            spread,
            constraint_sensitivity,
            minimal,
            stiffness_size,
        })
    }

    /// Whether the minimal form has neither damping nor states, and a symmetric K: then its modes are
    /// real.
    pub fn is_conservative(&self) -> bool {
        let Matrices { damping, stiffness, rates_by_state, .. } = &self.minimal;
        let d = stiffness.rows();
        let entries = || (0..d).flat_map(|i| (0..d).map(move |j| (i, j)));
        rates_by_state.rows() == 0
            && entries().all(|at| damping[at] == 0.0)
            && self.has_symmetric_stiffness()
    }

    /// Whether forces at rest have a potential.
    pub(crate) fn has_symmetric_stiffness(&self) -> bool {
        let stiffness = &self.minimal.stiffness;
        let d = stiffness.rows();
        (0..d).flat_map(|i| (0..i).map(move |j| (i, j))).all(|(i, j)| {
            let size = self.stiffness_size[(i, j)].max(self.stiffness_size[(j, i)]);
            (stiffness[(i, j)] - stiffness[(j, i)]).abs() <= SYMMETRY_TOLERANCE * size
        })
    }
}

/// Entries of K that differ by less than this, relative to the terms they are made of, are equal.
const SYMMETRY_TOLERANCE: f64 = 1e-11;

impl Matrices {
    /// The same for x = N u.
    fn restricted_to(&self, spread: &Matrix) -> Matrices {
        let across = spread.transposed();
        let both = |matrix: &Matrix| across.times(matrix).times(spread);
        Matrices {
            mass: both(&self.mass),
            damping: both(&self.damping),
            stiffness: both(&self.stiffness),
            state_forces: across.times(&self.state_forces),
            rates_by_position: self.rates_by_position.times(spread),
            rates_by_velocity: self.rates_by_velocity.times(spread),
            rates_by_state: self.rates_by_state.clone(),
        }
    }
}

/// All matrices at rest, and Φq.
fn evaluate(rest: &Rest<'_>) -> Result<(Matrices, Matrix), RestError> {
    let functions = Functions::new(rest.equations.clone());
    let e = &functions.equations;
    let (n, k, m) = (e.coordinates.len(), e.states.len(), e.constraints.len());
    let mut graph = e.graph.clone();
    let mut forces = e.forces.clone();
    for &(row, column, entry) in &e.constraint_jacobian.entries {
        let force = graph.mul(entry, e.multipliers[row]);
        forces[column] = graph.sub(forces[column], force);
    }
    let by: Vec<Expr> = [e.coordinates.as_slice(), &e.velocities, &e.states].concat();
    let mut slopes = |values: &[Expr]| -> Vec<Expr> {
        values.iter().flat_map(|&value| graph.gradient(value, &by)).collect()
    };
    let (force_slopes, rate_slopes) = (slopes(&forces), slopes(&e.state_rates));
    let outputs: [(&str, &[Expr]); 2] = [("forces", &force_slopes), ("rates", &rate_slopes)];
    let kernel = functions.compile(&graph, &outputs);
    let mut evaluator = Evaluator::new(Arc::new(functions), &rest.parameters);
    let still = vec![0.0; n];
    evaluator.set_state(0.0, &rest.equilibrium.q, &still, &rest.equilibrium.states);
    evaluator.set_reactions(&still, &rest.equilibrium.multipliers);
    let results = evaluator.run(&kernel).to_vec();
    let width = 2 * n + k;
    let block = |first_row: usize, rows: usize, first: usize, columns: usize, sign: f64| {
        Matrix::from_fn(rows, columns, |i, j| sign * results[(first_row + i) * width + first + j])
    };
    let motion = evaluator.motion();
    let mass = Matrix::from_fn(n, n, |i, j| {
        let (low, high) = (i.min(j), i.max(j));
        motion.mass_matrix[high * (high + 1) / 2 + low]
    });
    let jacobian = Matrix::from_fn(m, n, |i, j| motion.constraint_jacobian[i * n + j]);
    let matrices = Matrices {
        mass,
        stiffness: block(0, n, 0, n, -1.0),
        damping: block(0, n, n, n, -1.0),
        state_forces: block(0, n, 2 * n, k, 1.0),
        rates_by_position: block(n, k, 0, n, 1.0),
        rates_by_velocity: block(n, k, n, n, 1.0),
        rates_by_state: block(n, k, 2 * n, k, 1.0),
    };
    if let Some(at) = results.iter().position(|slope| !slope.is_finite()) {
        let row = at / width;
        let quantity = match row < n {
            true => format!("the force on `{}`", rest.system.coordinates[row].name),
            false => format!("the rate of `{}`", rest.system.states[row - n].name),
        };
        return Err(RestError::NotFinite { quantity });
    }
    Ok((matrices, jacobian))
}
