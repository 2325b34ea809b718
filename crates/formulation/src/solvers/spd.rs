//! Formulations that end in one symmetric positive definite (SPD) system, A v̇ = f.

use crate::base::{self, Base};
use crate::input::not_finite;
use crate::solvers::expressions::normal_matrix;
use crate::solvers::rhs_program::Solved;
use crate::solvers::unrolled::{self, NEARLY_SINGULAR_TOLERANCE, Unrolled};
use crate::{Breakdown, Formulation, FormulationInput, Tangent};
use catena_compile::{Functions, Kernel, Program};
use catena_linear::ldlt;
use catena_symbolic::{Expr, Factors, Graph, SparseVector};
use std::sync::Arc;

/// A v̇ = f as expressions.
pub(crate) struct SpdEquations {
    /// Grew out of the graph of the equations of motion.
    pub(crate) graph: Graph,
    /// A: one triangle; what is not listed is zero.
    pub(crate) matrix: Vec<(usize, usize, Expr)>,
    /// f
    pub(crate) right: Vec<Expr>,
    /// λ as formulas of everything, accelerations included.
    pub(crate) multipliers: Vec<Expr>,
    /// Where ∂f/∂q may be simplified for Newton's method.
    pub(crate) simplified: Option<Simplified>,
}

/// f = rest − w ΦqᵀΦ, with ∂f/∂q ≈ ∂rest/∂q − w' ΦqᵀΦq.
pub(crate) struct Simplified {
    pub(crate) rest: Vec<Expr>,
    /// w' of [`Tangent::GaussNewton`] and of [`Tangent::Paper`].
    pub(crate) weights: [Expr; 2],
}

/// A formulation whose accelerations solve A v̇ = f.
#[derive(Clone)]
pub(crate) struct SpdFormulation {
    base: Base,
    equations: Arc<SpdEquations>,
    unrolled: Option<Unrolled>,
    /// A (as listed) and f.
    entries: Option<Kernel>,
    /// λ and ż, once the accelerations are known.
    reactions: Option<Kernel>,
    /// ∂(f − A v̇)/∂(q, v, z) and ∂ż/∂(q, v, z), row by row, of the tangent asked for last.
    tangent: Option<(Tangent, Kernel)>,
    /// A: rows of the lower triangle, one after the other; later its factors.
    matrix: Vec<f64>,
    /// The diagonal of A.
    diagonal: Vec<f64>,
    work: Vec<f64>,
}

impl SpdFormulation {
    pub(crate) fn new(input: FormulationInput, mut equations: SpdEquations) -> SpdFormulation {
        let n = input.evaluator.sizes().coordinates;
        let unrolled = unroll(&input, &mut equations);
        SpdFormulation {
            unrolled,
            entries: None,
            reactions: None,
            tangent: None,
            matrix: vec![0.0; n * (n + 1) / 2],
            diagonal: vec![0.0; n],
            work: vec![0.0; n],
            equations: Arc::new(equations),
            base: Base::new(input),
        }
    }

    /// A and f by numbers, A factored; f is left in the place of the accelerations.
    fn factor(&mut self) -> Result<(), Breakdown> {
        let Self { base: Base { input, found }, equations, matrix, .. } = self;
        let kernel = self.entries.get_or_insert_with(|| {
            let entries: Vec<Expr> = equations.matrix.iter().map(|&(_, _, entry)| entry).collect();
            let outputs: [(&str, &[Expr]); 2] = [("matrix", &entries), ("right", &equations.right)];
            input.evaluator.functions().compile(&equations.graph, &outputs)
        });
        let results = input.evaluator.run(kernel);
        let (entries, right) = results.split_at(equations.matrix.len());
        matrix.fill(0.0);
        for (&(row, column, _), &entry) in equations.matrix.iter().zip(entries) {
            let (row, column) = (row.max(column), row.min(column));
            matrix[row * (row + 1) / 2 + column] = entry;
        }
        found.accelerations.copy_from_slice(right);
        let n = found.accelerations.len();
        let on_diagonal = |row: usize| row * (row + 1) / 2 + row;
        let diagonal = self.diagonal.iter_mut().enumerate();
        diagonal.for_each(|(row, entry)| *entry = matrix[on_diagonal(row)]);
        let factored = ldlt::factor(matrix, n, &mut self.work);
        let part = |row: usize| matrix[on_diagonal(row)] / self.diagonal[row].abs();
        let singular = match factored {
            Err(ldlt::NotPositive { row }) => Some(row),
            // a pivot that is left of nearly nothing: rounding, if M is singular in every state
            Ok(()) => (0..n)
                .find(|&row| part(row) <= NEARLY_SINGULAR_TOLERANCE)
                .filter(|_| input.structural_rank().mass_is_singular),
        };
        let Some(row) = singular else { return Ok(()) };
        let names = &input.coordinates;
        let broken = not_finite(&found.accelerations, names, "the force on");
        Err(broken.unwrap_or_else(|| Breakdown::Singular {
            matrix: "the mass matrix",
            cause: format!("`{}` has no mass of its own there", names[row]),
        }))
    }

    /// The same in loops, for systems that are large and dense, and to find out what is wrong.
    fn solve(&mut self) -> Result<(), Breakdown> {
        self.factor()?;
        let Self { base: Base { input, found }, equations, .. } = self;
        ldlt::solve(&self.matrix, found.accelerations.len(), &mut found.accelerations);
        input.evaluator.set_reactions(&found.accelerations, &found.multipliers);
        let kernel = self.reactions.get_or_insert_with(|| {
            let functions = input.evaluator.functions();
            let rates = &functions.equations.state_rates;
            let outputs: [(&str, &[Expr]); 2] =
                [("multipliers", &equations.multipliers), ("state_rates", rates)];
            functions.compile(&equations.graph, &outputs)
        });
        let results = input.evaluator.run(kernel);
        let (multipliers, state_rates) = results.split_at(found.multipliers.len());
        found.multipliers.copy_from_slice(multipliers);
        found.state_rates.copy_from_slice(state_rates);
        Ok(())
    }
}

/// The solution as a program, if it does not grow too large.
fn unroll(input: &FormulationInput, equations: &mut SpdEquations) -> Option<Unrolled> {
    let functions = input.evaluator.functions();
    let (solved, _) = solve_symbolically(functions, equations)?;
    Some(Unrolled::new(functions, &equations.graph, &solved))
}

/// The solution as expressions with the factors of A, if they do not grow too large.
pub(crate) fn solve_symbolically(
    functions: &Functions,
    equations: &mut SpdEquations,
) -> Option<(Solved, Factors)> {
    let n = functions.sizes.coordinates;
    let SpdEquations { graph, matrix, right, multipliers, .. } = equations;
    let factors = Factors::new(graph, n, matrix, unrolled::limit(n))?;
    let right: SparseVector =
        right.iter().copied().enumerate().filter(|(_, f)| !graph.is_zero(*f)).collect();
    let solution = factors.solve(graph, &right);
    let zero = graph.zero();
    let accelerations: Vec<Expr> =
        (0..n).map(|row| solution.get(&row).copied().unwrap_or(zero)).collect();
    let replaced: Vec<(Expr, Expr)> = functions
        .equations
        .accelerations
        .iter()
        .copied()
        .zip(accelerations.iter().copied())
        .collect();
    let multipliers = graph.substitute(multipliers, &replaced);
    let pivots = factors.pivots.clone();
    Some((Solved { accelerations, multipliers, pivots }, factors))
}

/// Rows of ∂(f − A v̇)/∂(q, v, z) and ∂ż/∂(q, v, z), with v̇ held.
fn compile_tangent(input: &FormulationInput, equations: &SpdEquations, tangent: Tangent) -> Kernel {
    let functions = input.evaluator.functions();
    let e = &functions.equations;
    let mut graph = equations.graph.clone();
    let simplified = match (tangent, &equations.simplified) {
        (Tangent::GaussNewton, Some(simplified)) => Some((simplified, simplified.weights[0])),
        (Tangent::Paper, Some(simplified)) => Some((simplified, simplified.weights[1])),
        _ => None,
    };
    let mut residual = simplified
        .map_or_else(|| equations.right.clone(), |(simplified, _)| simplified.rest.clone());
    for &(row, column, entry) in &equations.matrix {
        let term = graph.mul(entry, e.accelerations[column]);
        residual[row] = graph.sub(residual[row], term);
        if row != column {
            let term = graph.mul(entry, e.accelerations[row]);
            residual[column] = graph.sub(residual[column], term);
        }
    }
    let by: Vec<Expr> = [e.coordinates.as_slice(), &e.velocities, &e.states].concat();
    let columns = by.len();
    let mut rows = |values: &[Expr]| -> Vec<Expr> {
        values.iter().flat_map(|&value| graph.gradient(value, &by)).collect()
    };
    let (mut motion, states) = (rows(&residual), rows(&e.state_rates));
    if let Some((_, weight)) = simplified {
        for (row, column, entry) in normal_matrix(&mut graph, e) {
            let term = graph.mul(weight, entry);
            motion[row * columns + column] = graph.sub(motion[row * columns + column], term);
            if row != column {
                motion[column * columns + row] = graph.sub(motion[column * columns + row], term);
            }
        }
    }
    functions.compile(&graph, &[("motion", &motion), ("states", &states)])
}

impl Formulation for SpdFormulation {
    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let Base { input, found } = &mut self.base;
        input.evaluator.set_joined_state(t, y);
        match &self.unrolled {
            Some(unrolled)
                if unrolled.run(&mut input.evaluator, NEARLY_SINGULAR_TOLERANCE, found) => {}
            _ => self.solve()?,
        }
        self.base.fill_rate(y, rate)
    }

    fn rate_program(&self, with_work: bool) -> Option<Program> {
        let functions = self.base.input.evaluator.functions();
        let solution = &self.unrolled.as_ref()?.program;
        Some(functions.solved_rate(solution, NEARLY_SINGULAR_TOLERANCE, with_work))
    }

    /// A ∂v̇ = ∂(f − A v̇), column by column.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.base.input.evaluator.set_joined_state(t, y);
        self.factor()?;
        let size = self.base.state_len();
        let Self { base: Base { input, found }, equations, .. } = self;
        let n = found.accelerations.len();
        ldlt::solve(&self.matrix, n, &mut found.accelerations);
        input.evaluator.set_reactions(&found.accelerations, &found.multipliers);
        if self.tangent.as_ref().is_none_or(|(compiled, _)| *compiled != tangent) {
            self.tangent = Some((tangent, compile_tangent(input, equations, tangent)));
        }
        let Some((_, kernel)) = &self.tangent else { unreachable!("it was just compiled") };
        let (motion, states) = input.evaluator.run(kernel).split_at(n * size);
        base::fill_plain_rows(n, size, states, jacobian);
        for column in 0..size {
            for (row, entry) in self.work.iter_mut().enumerate() {
                *entry = motion[row * size + column];
            }
            ldlt::solve(&self.matrix, n, &mut self.work);
            for (row, entry) in self.work.iter().enumerate() {
                jacobian[(n + row) * size + column] = *entry;
            }
        }
        Ok(())
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }
}
