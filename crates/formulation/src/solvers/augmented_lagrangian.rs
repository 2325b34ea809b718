//! The system of motion and constraints by a penalty that an iteration makes exact.

use crate::base::Solution;
use crate::input::not_finite;
use crate::solvers::expressions::{penalised_mass, traces};
use crate::solvers::kkt::{KktEquations, KktSolver};
use crate::solvers::occurrences::Occurrences;
use crate::solvers::penalised_matrix::PenalisedMatrix;
use crate::solvers::unrolled;
use crate::{Breakdown, FormulationInput};
use catena_compile::{Functions, Kernel};
use catena_derivation::Equations;
use catena_linear::{dot, max_abs};
use catena_symbolic::{Expr, Factors, Graph, Number};
use std::sync::Arc;

/// The default of α, relative to the ratio of the traces.
const DEFAULT_RELATIVE_ALPHA: i64 = 100_000;
/// The iteration ends when the accelerations change by less than this part of their size ...
const ACCELERATION_TOLERANCE: f64 = 1e-11;
/// ... or when a round leaves more than this part of the change before: what converges so slowly is a
/// direction that the constraints hardly hold, and to insist there would ask for boundless forces ...
const MAX_CONTRACTION: f64 = 0.7;
/// ... or after this many rounds.
const MAX_ITERATIONS: usize = 30;
/// Conjugate gradients leave a direction alone that the constraints hold with less than this part of the penalty:
/// there is nothing in it but rounding.
const MIN_HOLD: f64 = 1e-10;

/// Solves the system of motion and constraints with M + α ΦqᵀΦq.
#[derive(Clone)]
pub(crate) struct AugmentedLagrangian {
    equations: Arc<KktEquations>,
    /// α, f, g, ż, Φq (as listed), and the matrix: factored if it is sparse.
    kernel: Kernel,
    matrix: PenalisedMatrix,
    alpha: f64,
    jacobian: Vec<(usize, usize, f64)>,
    /// Changes of the accelerations.
    work: Vec<f64>,
    /// Φq a − g
    errors: Vec<f64>,
    /// Whether directions that the constraints hardly hold are iterated to convergence, too.
    pub(crate) insists: bool,
    /// A direction of multipliers, and what the constraints answer to it.
    conjugate: [Vec<f64>; 2],
    not_converged: Occurrences,
}

impl AugmentedLagrangian {
    pub(crate) fn new(
        functions: &Functions,
        mut equations: KktEquations,
        alpha: Option<f64>,
    ) -> AugmentedLagrangian {
        let e = &functions.equations;
        let n = functions.sizes.coordinates;
        let KktEquations { graph, upper, lower, .. } = &mut equations;
        let alpha = match alpha {
            Some(alpha) => graph.number(Number::from(alpha)),
            None => relative_alpha(graph, e),
        };
        let entries = penalised_mass(graph, e, alpha);
        let jacobian: Vec<Expr> =
            e.constraint_jacobian.entries.iter().map(|&(_, _, entry)| entry).collect();
        let factors = Factors::new(graph, n, &entries, unrolled::limit(n));
        let mut outputs: Vec<(&str, Vec<Expr>)> = vec![
            ("alpha", vec![alpha]),
            ("upper", upper.clone()),
            ("lower", lower.clone()),
            ("state_rates", e.state_rates.clone()),
            ("constraint_jacobian", jacobian),
        ];
        let matrix = match factors {
            Some(factors) => {
                let matrix = PenalisedMatrix::sparse(&factors);
                let below = factors.order.iter().flat_map(|&row| &factors.lower[row]);
                outputs.push(("below", below.map(|&(_, factor)| factor).collect()));
                outputs.push(("inverse", factors.inverse));
                outputs.push(("pivots", factors.pivots.iter().map(|pair| pair.0).collect()));
                outputs.push(("diagonal", factors.pivots.iter().map(|pair| pair.1).collect()));
                matrix
            }
            None => {
                outputs.push(("matrix", entries.iter().map(|&(_, _, entry)| entry).collect()));
                PenalisedMatrix::dense(n, &entries)
            }
        };
        let outputs: Vec<(&str, &[Expr])> =
            outputs.iter().map(|(name, exprs)| (*name, exprs.as_slice())).collect();
        let entries = e.constraint_jacobian.entries.iter();
        AugmentedLagrangian {
            kernel: functions.compile(graph, &outputs),
            jacobian: entries.map(|&(row, column, _)| (row, column, 0.0)).collect(),
            equations: Arc::new(equations),
            matrix,
            alpha: 0.0,
            work: vec![0.0; n],
            errors: vec![0.0; functions.sizes.constraints],
            insists: false,
            conjugate: [(); 2].map(|()| vec![0.0; functions.sizes.constraints]),
            not_converged: Occurrences::default(),
        }
    }

    /// `upper` holds f and becomes a, `lower` holds g and becomes λ; returns whether it converged.
    ///
    /// Written for the residual: M a + Φqᵀλ = f holds after every round, and the next change of a is
    /// −(M + αΦqᵀΦq)⁻¹Φqᵀ α e with the error e = Φq a − g that the constraints still have.
    fn iterate(&mut self, upper: &mut [f64], lower: &mut [f64]) -> bool {
        let alpha = self.alpha;
        for &(row, column, entry) in &self.jacobian {
            upper[column] += alpha * entry * lower[row];
        }
        self.matrix.solve(upper);
        for (error, right) in self.errors.iter_mut().zip(lower.iter_mut()) {
            (*error, *right) = (-*right, 0.0);
        }
        for &(row, column, entry) in &self.jacobian {
            self.errors[row] += entry * upper[column];
        }
        if self.insists { self.follow_gradients(upper, lower) } else { self.repeat(upper, lower) }
    }

    /// Rounds of the penalty, until they converge or gain too little.
    fn repeat(&mut self, upper: &mut [f64], lower: &mut [f64]) -> bool {
        let alpha = self.alpha;
        let mut before = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.work.fill(0.0);
            for (multiplier, error) in lower.iter_mut().zip(&self.errors) {
                *multiplier += alpha * error;
            }
            for &(row, column, entry) in &self.jacobian {
                self.work[column] -= alpha * entry * self.errors[row];
            }
            self.matrix.solve(&mut self.work);
            let (mut size, mut change) = (0.0_f64, 0.0_f64);
            for (a, step) in upper.iter_mut().zip(&self.work) {
                *a += step;
                size = size.max(a.abs());
                change = change.max(step.abs());
            }
            for &(row, column, entry) in &self.jacobian {
                self.errors[row] += entry * self.work[column];
            }
            if change <= ACCELERATION_TOLERANCE * size {
                return true;
            }
            if change > MAX_CONTRACTION * before {
                return false;
            }
            before = change;
        }
        false
    }

    /// Conjugate gradients in the place of the rounds. A change larger than all accelerations so far is noise that
    /// a direction hardly held makes large: it is left out.
    fn follow_gradients(&mut self, upper: &mut [f64], lower: &mut [f64]) -> bool {
        let [mut direction, mut answer] = std::mem::take(&mut self.conjugate);
        direction.copy_from_slice(&self.errors);
        let mut square = dot(&self.errors, &self.errors);
        let mut converged = false;
        for _ in 0..=lower.len().max(MAX_ITERATIONS) {
            self.work.fill(0.0);
            answer.fill(0.0);
            for &(row, column, entry) in &self.jacobian {
                self.work[column] += entry * direction[row];
            }
            self.matrix.solve(&mut self.work);
            for &(row, column, entry) in &self.jacobian {
                answer[row] += entry * self.work[column];
            }
            let (size, reach) = (max_abs(&*upper), max_abs(&self.work));
            let curvature = dot(&answer, &direction);
            let held = self.alpha * curvature > MIN_HOLD * dot(&direction, &direction);
            let step = square / curvature;
            if !held {
                // nothing is missed if the penalty alone would change nothing more
                converged = self.alpha * reach <= ACCELERATION_TOLERANCE * size;
                break;
            }
            if step * reach > size {
                break;
            }
            for (acceleration, response) in upper.iter_mut().zip(&self.work) {
                *acceleration -= step * response;
            }
            for (row, multiplier) in lower.iter_mut().enumerate() {
                *multiplier += step * direction[row];
                self.errors[row] -= step * answer[row];
            }
            if step * reach <= ACCELERATION_TOLERANCE * size {
                converged = true;
                break;
            }
            let next = dot(&self.errors, &self.errors);
            for (direction, error) in direction.iter_mut().zip(&self.errors) {
                *direction = error + next / square * *direction;
            }
            square = next;
        }
        // M a + Φqᵀλ = f holds with what the penalty still carries
        for (multiplier, error) in lower.iter_mut().zip(&self.errors) {
            *multiplier += self.alpha * error;
        }
        self.conjugate = [direction, answer];
        converged
    }
}

/// 10⁵ trace M / trace ΦqᵀΦq
fn relative_alpha(graph: &mut Graph, e: &Equations) -> Expr {
    let [trace, square] = traces(graph, e);
    let ratio = graph.div(trace, square);
    graph.scale(Number::from(DEFAULT_RELATIVE_ALPHA), ratio)
}

impl KktSolver for AugmentedLagrangian {
    fn equations(&self) -> &KktEquations {
        &self.equations
    }

    fn factor(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        let results = input.evaluator.run(&self.kernel);
        let Solution { accelerations, multipliers, state_rates } = found;
        self.alpha = results[0];
        let (upper, rest) = results[1..].split_at(accelerations.len());
        let (lower, rest) = rest.split_at(multipliers.len());
        let (rates, rest) = rest.split_at(state_rates.len());
        let (jacobian, rest) = rest.split_at(self.jacobian.len());
        accelerations.copy_from_slice(upper);
        multipliers.copy_from_slice(lower);
        state_rates.copy_from_slice(rates);
        for (entry, &value) in self.jacobian.iter_mut().zip(jacobian) {
            entry.2 = value;
        }
        if let Err(row) = self.matrix.read(rest, &mut self.work) {
            let broken = not_finite(accelerations, &input.coordinates, "the force on")
                .or_else(|| not_finite(multipliers, &input.constraints, "the constraint"));
            let name = &input.coordinates[row];
            return Err(broken.unwrap_or_else(|| Breakdown::Singular {
                matrix: "the mass matrix with its penalty",
                cause: format!("`{name}` has no mass there, and no constraint determines it"),
            }));
        }
        if !self.iterate(accelerations, multipliers) {
            self.not_converged.record(input.evaluator.time());
        }
        Ok(())
    }

    fn solve_with_factors(&mut self, upper: &mut [f64], lower: &mut [f64]) {
        self.iterate(upper, lower);
    }

    fn begin(&mut self) {
        self.not_converged = Occurrences::default();
    }

    fn remarks(&self) -> Vec<String> {
        let then = "constraints are nearly dependent there, and kept less exactly";
        self.not_converged.remark("the multipliers did not settle", then).into_iter().collect()
    }
}
