//! Augmented Lagrangian, index 1: a penalty that an iteration makes exact.
//!
//! # Equations
//! With $\tilde\gamma = \gamma - 2\xi\omega\dot\Phi - \omega^2\Phi$ and $\lambda_0 = 0$,
//! $$(M + \Phi_q^T\alpha\Phi_q)\,\dot v_{k+1} = Q - \Phi_q^T(\lambda_k - \alpha\tilde\gamma),\qquad
//!   \lambda_{k+1} = \lambda_k + \alpha(\Phi_q\dot v_{k+1} - \tilde\gamma)$$
//! until $\dot v$ changes by less than 10⁻¹¹ of its size. The matrix is factored once. The limit is that
//! of `baumgarte`; every iteration shrinks the error by a factor of the order of 1/α. By default α is
//! 10⁵ trace M / trace ΦqᵀΦq at each state.
//!
//! With `project=1` positions and velocities return to the constraints after each step, as in `projection`. Then
//! what the constraints ask for can be met near singular poses, too, where the iteration above is slow: it becomes
//! one of conjugate gradients for $\Phi_q(M + \Phi_q^T\alpha\Phi_q)^{-1}\Phi_q^T\lambda = \Phi_q\dot v_1 -
//! \tilde\gamma$, which needs a round for each direction that is hardly held.
//!
//! # When to choose it
//! Redundant constraints, singular poses, massless bodies: the matrix stays positive definite where
//! others break down. Costs more than `baumgarte` where nothing of that kind happens. A large α saves
//! iterations and costs digits: at 10¹⁰ trace M / trace ΦqᵀΦq six are left. With `project=1` it keeps a row of
//! windows in line through its flat poses; a step that ends in one to 10⁻⁵ rad costs some energy all the same.
//!
//! # Reference
//! E. Bayo, J. García de Jalón, M. A. Serna, *A modified Lagrangian formulation for the dynamic
//! analysis of constrained mechanical systems*, 1988, section 3; E. Bayo, R. Ledesma, *Augmented Lagrangian
//! and mass-orthogonal projection methods for constrained multibody dynamics*, 1996; for the gradients M. R.
//! Hestenes, E. Stiefel, *Methods of conjugate gradients for solving linear systems*, 1952

use crate::methods::multipliers::Multipliers;
use crate::methods::projection::Projection;
use crate::options::{OMEGA, OptionEntry, XI};
use crate::solvers::constraint_values::largest;
use crate::solvers::expressions::{penalised_mass, stabilised_gamma};
use crate::solvers::kkt::{KktEquations, KktSolution, KktSolver, Occurrences};
use crate::solvers::penalised_matrix::PenalisedMatrix;
use crate::solvers::unrolled;
use crate::{
    Breakdown, Entry, Formulation, FormulationInput, Tangent, needs_constraints, not_finite,
};
use catena_compile::{Functions, Kernel};
use catena_linear::dot;
use catena_model::CoordinateSet;
use catena_symbolic::{Expr, Factors, Number};

const ALPHA: OptionEntry = OptionEntry {
    name: "alpha",
    meaning: "penalty factor: the larger, the fewer iterations, and the fewer digits",
    default: None,
    may_vanish: false,
};

const PROJECT: OptionEntry = OptionEntry {
    name: "project",
    meaning: "1: positions and velocities return to the constraints after each step; 0: they do not",
    default: Some(0.0),
    may_vanish: true,
};

pub(crate) static ENTRY: Entry = Entry {
    name: "augmented-lagrangian",
    summary: "a penalty made exact by iteration; survives redundant constraints and singular poses",
    reference: "Bayo, García de Jalón, Serna 1988",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[ALPHA, OMEGA, XI, PROJECT],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    rhs_program: |_| None,
    build,
};

/// α beside the ratio of the traces, when nothing is said.
const RELATIVE_ALPHA: i64 = 100_000;
/// The iteration ends when the accelerations change by less than this part of their size ...
const SETTLED: f64 = 1e-11;
/// ... or when a round leaves more than this part of the change before: what converges so slowly is a
/// direction that the constraints hardly hold, and to insist there would ask for boundless forces ...
const SLOWEST: f64 = 0.7;
/// ... or after so many rounds.
const MAX_ITERATIONS: usize = 30;
/// Conjugate gradients leave a direction alone that the constraints hold with less than this part of the penalty:
/// there is nothing in it but rounding.
const WEAKEST: f64 = 1e-10;

fn build(input: FormulationInput) -> Box<dyn Formulation> {
    let [omega, xi] = [OMEGA, XI].map(|entry| input.option(&entry));
    let functions = input.evaluator.functions().clone();
    let e = &functions.equations;
    let mut graph = e.graph.clone();
    let lower = stabilised_gamma(&mut graph, e, omega, xi);
    let equations = KktEquations { graph, upper: e.forces.clone(), lower, compliance: 0.0 };
    let project = input.option(&PROJECT) > 0.0;
    let mut augmented = Augmented::new(&functions, equations, input.options.get(&ALPHA));
    augmented.insists = project;
    let motion = Multipliers::new(input, augmented);
    if project { Box::new(Projection::of(motion)) } else { Box::new(motion) }
}

/// Solves the system of motion and constraints with M + α ΦqᵀΦq.
#[derive(Clone)]
struct Augmented {
    solution: KktSolution,
    /// α, f, g, ż, Φq (as listed), and the matrix: factored if it is sparse.
    kernel: Kernel,
    matrix: PenalisedMatrix,
    alpha: f64,
    jacobian: Vec<(usize, usize, f64)>,
    /// Changes of the accelerations.
    work: Vec<f64>,
    /// Φq a − g
    errors: Vec<f64>,
    /// Whether directions that the constraints hardly hold are settled, too.
    insists: bool,
    /// A direction of multipliers, and what the constraints answer to it.
    conjugate: [Vec<f64>; 2],
    unsettled: Occurrences,
}

impl Augmented {
    fn new(functions: &Functions, mut equations: KktEquations, alpha: Option<f64>) -> Augmented {
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
        Augmented {
            kernel: functions.compile(graph, &outputs),
            jacobian: entries.map(|&(row, column, _)| (row, column, 0.0)).collect(),
            solution: KktSolution::new(functions, equations),
            matrix,
            alpha: 0.0,
            work: vec![0.0; n],
            errors: vec![0.0; functions.sizes.constraints],
            insists: false,
            conjugate: [(); 2].map(|()| vec![0.0; functions.sizes.constraints]),
            unsettled: Occurrences::default(),
        }
    }

    /// `upper` holds f and becomes a, `lower` holds g and becomes λ; returns whether it settled.
    ///
    /// Written for what is left: M a + Φqᵀλ = f holds after every round, and the next change of a is
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

    /// Rounds of the penalty, until they project or gain too little.
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
            if change <= SETTLED * size {
                return true;
            }
            if change > SLOWEST * before {
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
        let mut settled = false;
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
            let (size, reach) = (largest(upper), largest(&self.work));
            let curvature = dot(&answer, &direction);
            let held = self.alpha * curvature > WEAKEST * dot(&direction, &direction);
            let step = square / curvature;
            if !held {
                // nothing is missed if the penalty alone would change nothing more
                settled = self.alpha * reach <= SETTLED * size;
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
            if step * reach <= SETTLED * size {
                settled = true;
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
        settled
    }
}

/// 10⁵ trace M / trace ΦqᵀΦq
fn relative_alpha(graph: &mut catena_symbolic::Graph, e: &catena_derivation::Equations) -> Expr {
    let diagonal = e.mass_matrix.iter().filter(|(row, column, _)| row == column);
    let trace = graph.sum(diagonal.map(|&(_, _, entry)| entry).collect::<Vec<_>>());
    let jacobian = e.constraint_jacobian.entries.iter();
    let squares: Vec<Expr> = jacobian.map(|&(_, _, entry)| graph.mul(entry, entry)).collect();
    let square = graph.sum(squares);
    let ratio = graph.div(trace, square);
    graph.scale(Number::from(RELATIVE_ALPHA), ratio)
}

impl KktSolver for Augmented {
    fn begin(&mut self) {
        self.solution.clear();
        self.unsettled = Occurrences::default();
    }

    fn solution(&self) -> &KktSolution {
        &self.solution
    }

    fn solve(&mut self, input: &mut FormulationInput) -> Result<(), Breakdown> {
        self.factor(input)
    }

    fn factor(&mut self, input: &mut FormulationInput) -> Result<(), Breakdown> {
        let results = input.evaluator.run(&self.kernel);
        let KktSolution { accelerations, multipliers, state_rates, .. } = &mut self.solution;
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
        let (mut upper, mut lower) = (std::mem::take(accelerations), std::mem::take(multipliers));
        if !self.iterate(&mut upper, &mut lower) {
            self.unsettled.record(input.evaluator.time());
        }
        (self.solution.accelerations, self.solution.multipliers) = (upper, lower);
        Ok(())
    }

    fn solve_with_factors(&mut self, upper: &mut [f64], lower: &mut [f64]) {
        self.iterate(upper, lower);
    }

    fn remarks(&self) -> Vec<String> {
        let then = "constraints are nearly dependent there, and kept less exactly";
        self.unsettled.remark("the multipliers did not project", then).into_iter().collect()
    }
}
