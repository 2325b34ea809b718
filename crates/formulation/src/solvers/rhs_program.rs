//! The right-hand side of a formulation as expressions, free of branches: what moves many states side by side,
//! and what power series are made of.
//!
//! Where a pivot vanishes relative to the entry it was left of, the state has no rate.

use crate::FormulationInput;
use crate::solvers::block_program;
use crate::solvers::force_balance::ForceBalance;
use crate::solvers::kkt::KktEquations;
use crate::solvers::spd::{self, SpdEquations};
use crate::solvers::structural_rank::StructuralRank;
use crate::solvers::unrolled::SINGULARITY_TOLERANCE;
use crate::solvers::variational::{FactoredEquations, divergence, tangent_rates};
use catena_compile::{Functions, Program};
use catena_symbolic::{Expr, Graph, SparseVector};
use std::sync::Arc;

/// Accelerations and multipliers as expressions, with the pivots of their elimination.
pub(crate) struct Solved {
    pub(crate) accelerations: Vec<Expr>,
    pub(crate) multipliers: Vec<Expr>,
    /// Each with the diagonal entry it was left of.
    pub(crate) pivots: Vec<(Expr, Expr)>,
}

/// ẏ as expressions of t, y and the parameters.
pub struct RhsProgram {
    graph: Graph,
    time: Expr,
    parameters: Vec<Expr>,
    /// The symbols of y.
    state: Vec<Expr>,
    rate: Vec<Expr>,
    pivots: Vec<(Expr, Expr)>,
    /// Symbols of the equations of motion that are not in y, each with what it is here.
    meanings: Vec<(Expr, Expr)>,
    /// The equations behind the accelerations, where the rate is (v, v̇, ż).
    factored: Option<FactoredEquations>,
    /// Lagrange's equations, if the accelerations are theirs alone.
    balanced: Option<Arc<Functions>>,
    /// Symbols of the tangent vectors that are carried along, one vector after the other, and of ∫ div ẏ dt.
    tangents: Vec<Expr>,
}

/// Coordinates and velocities that are not in y, with what stands for them there.
pub(crate) struct Change {
    /// The symbols of y, without the first-order states.
    pub(crate) state: Vec<Expr>,
    /// The time derivatives of `state`, in its order.
    pub(crate) rate: Vec<Expr>,
    /// q and v as expressions of them.
    pub(crate) moved: Vec<Expr>,
}

fn pairs(symbols: &[Expr], values: &[Expr]) -> Vec<(Expr, Expr)> {
    symbols.iter().copied().zip(values.iter().copied()).collect()
}

impl RhsProgram {
    /// With y = (q, v, z).
    fn new(functions: &Functions, graph: Graph, solved: Solved) -> RhsProgram {
        let e = &functions.equations;
        let mut meanings = pairs(&e.accelerations, &solved.accelerations);
        meanings.extend(pairs(&e.multipliers, &solved.multipliers));
        RhsProgram {
            graph,
            time: e.time,
            parameters: e.parameters.clone(),
            state: [e.coordinates.as_slice(), &e.velocities, &e.states].concat(),
            rate: [e.velocities.as_slice(), &solved.accelerations, &e.state_rates].concat(),
            pivots: solved.pivots,
            meanings,
            factored: None,
            balanced: None,
            tangents: Vec::new(),
        }
    }

    pub(crate) fn spd(input: &FormulationInput, mut equations: SpdEquations) -> Option<Self> {
        let functions = input.evaluator.functions();
        let (solved, factors) = spd::solve_symbolically(functions, &mut equations)?;
        let SpdEquations { graph, matrix, right, .. } = &mut equations;
        let accelerations = pairs(&functions.equations.accelerations, &solved.accelerations);
        let factored = FactoredEquations::new(graph, factors, matrix, right, accelerations);
        let program = RhsProgram::new(functions, equations.graph, solved);
        Some(RhsProgram { factored: Some(factored), ..program })
    }

    /// The same for M v̇ = Q itself, whose series may come from the balance of forces.
    pub(crate) fn balanced(input: &FormulationInput, equations: SpdEquations) -> Option<Self> {
        let functions = input.evaluator.functions().clone();
        let program = RhsProgram::spd(input, equations)?;
        Some(RhsProgram { balanced: Some(functions), ..program })
    }

    /// None also where constraints follow from others in every pose: their shortest multipliers are found in loops.
    pub(crate) fn kkt(input: &FormulationInput, mut equations: KktEquations) -> Option<Self> {
        let functions = input.evaluator.functions();
        let rank = StructuralRank::around(&mut input.evaluator.clone());
        if !rank.redundant.is_empty() {
            return None;
        }
        let singular = rank.mass_is_singular;
        let solved = block_program::solve_symbolically(functions, &mut equations, singular)?;
        Some(RhsProgram::new(functions, equations.graph, solved))
    }

    /// With other symbols in y; `solved` is written in them already.
    pub(crate) fn changed(
        functions: &Functions,
        graph: Graph,
        solved: Solved,
        change: Change,
    ) -> RhsProgram {
        let e = &functions.equations;
        let moved = pairs(&[e.coordinates.as_slice(), &e.velocities].concat(), &change.moved);
        let mut program = RhsProgram::new(functions, graph, solved);
        let state_rates = program.graph.substitute(&e.state_rates, &moved);
        program.state = [change.state, e.states.clone()].concat();
        program.rate = [change.rate, state_rates].concat();
        program.meanings.extend(moved);
        program
    }

    /// Carries tangent vectors along: behind y stand their components, one vector after the other, and then ∫ div ẏ dt, which
    /// the growth of as many vectors as y has components comes to.
    pub fn carry_tangents(&mut self, count: usize) {
        let Self { graph, state, rate, factored, .. } = self;
        let vectors: Vec<Vec<Expr>> = (0..count)
            .map(|vector| {
                let name = |component: usize| format!("tangent {vector} component {component}");
                (0..state.len()).map(|component| graph.symbol(&name(component))).collect()
            })
            .collect();
        let rates = tangent_rates(graph, (state, rate), factored.as_ref(), &vectors);
        let divergence = divergence(graph, (state, rate), factored.as_ref());
        self.rate.extend(rates);
        self.rate.push(divergence);
        self.tangents = vectors.concat();
        self.tangents.push(graph.symbol("integral of the divergence"));
    }

    /// Where expressions of the equations of motion live.
    pub fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// The length of y, with the tangent vectors behind it.
    pub fn state_len(&self) -> usize {
        self.state.len() + self.tangents.len()
    }

    /// From t, y and the parameters: ẏ, then pivots, then the entries they were left of.
    pub fn rate_program(&self) -> Program {
        let (pivots, diagonal): (Vec<Expr>, Vec<Expr>) = self.pivots.iter().copied().unzip();
        self.lower(&[("rate", &self.rate), ("pivots", &pivots), ("diagonal", &diagonal)])
    }

    /// From t, y and the parameters: ẏ, of which [`Program::taylor`] makes series. Where that is shorter, the accelerations
    /// are not solved for in it: the program has groups for them as [`Program::taylor`] describes.
    ///
    /// It is asked for before columns and integrands are: what is in the graph already decides the order of its sums, and with it
    /// the last bits.
    pub fn series_program(&self) -> Program {
        let mut shortest = self.lower(&[("rate", &self.rate)]);
        let Some(factored) = self.factored.as_ref().filter(|_| self.tangents.is_empty()) else {
            return shortest;
        };
        let residuals = ForceBalance { residuals: factored.residual.clone(), rates: Vec::new() };
        let mut graph = self.graph.clone();
        let functions = self.balanced.as_ref();
        let balance = functions.and_then(|of| ForceBalance::new(&mut graph, &of.equations));
        for balance in [Some(residuals), balance].into_iter().flatten() {
            let program = self.lower_balance(&mut graph, factored, &balance);
            if program.series_length() < shortest.series_length() {
                shortest = program;
            }
        }
        shortest
    }

    fn lower_balance(
        &self,
        graph: &mut Graph,
        factored: &FactoredEquations,
        balance: &ForceBalance,
    ) -> Program {
        let unknowns: Vec<Expr> = factored.solved.iter().map(|(symbol, _)| *symbol).collect();
        let named = |graph: &mut Graph, row: usize| graph.symbol(&format!("residual {row}"));
        let left: Vec<Expr> = (0..unknowns.len()).map(|row| named(graph, row)).collect();
        let right: SparseVector = left.iter().copied().enumerate().collect();
        let found = factored.factors.solve(graph, &right);
        let found: Vec<Expr> = found.into_values().collect();
        // ẏ is (v, v̇, ż)
        let n = unknowns.len();
        let rate = [&self.rate[..n], &unknowns, &self.rate[2 * n..]].concat();
        let (symbols, of): (Vec<Expr>, Vec<Expr>) = balance.rates.iter().copied().unzip();
        let inputs: [(&str, &[Expr]); 6] = [
            ("t", &[self.time]),
            ("y", &self.state),
            ("parameters", &self.parameters),
            ("accelerations", &unknowns),
            ("residuals", &left),
            ("derivatives", &symbols),
        ];
        let outputs: [(&str, &[Expr]); 4] = [
            ("rate", &rate),
            ("accelerations", &found),
            ("residuals", &balance.residuals),
            ("derivatives", &of),
        ];
        Program::lower(graph, &inputs, &outputs)
    }

    /// The same for these expressions of the equations of motion, of which [`Program::quadrature`] does.
    pub fn integrand_program(&mut self, integrands: &[Expr]) -> Program {
        let integrands = self.graph.substitute(integrands, &self.meanings);
        self.lower(&[("rate", &integrands)])
    }

    /// The same, fused, with a `defect` in the place of pivots and entries: NaN where a pivot vanishes, else 0.
    pub fn guarded_rate_program(&self) -> Program {
        self.rate_program().fused().guarded(SINGULARITY_TOLERANCE)
    }

    /// From t, y and the parameters: these expressions of the equations of motion, and a `defect` as above.
    pub fn guarded_column_program(&mut self, columns: &[Expr]) -> Program {
        let columns = self.graph.substitute(columns, &self.meanings);
        let (pivots, diagonal): (Vec<Expr>, Vec<Expr>) = self.pivots.iter().copied().unzip();
        let program =
            self.lower(&[("columns", &columns), ("pivots", &pivots), ("diagonal", &diagonal)]);
        program.fused().guarded(SINGULARITY_TOLERANCE)
    }

    /// From t, y and the parameters: these expressions of the equations of motion.
    pub fn column_program(&mut self, columns: &[Expr]) -> Program {
        let columns = self.graph.substitute(columns, &self.meanings);
        self.lower(&[("columns", &columns)])
    }

    fn lower(&self, outputs: &[(&str, &[Expr])]) -> Program {
        let state = [self.state.as_slice(), &self.tangents].concat();
        let inputs: [(&str, &[Expr]); 3] =
            [("t", &[self.time]), ("y", &state), ("parameters", &self.parameters)];
        Program::lower(&self.graph, &inputs, outputs)
    }
}
