//! The system of motion and constraints by block elimination.
//!
//! $(W + c)\mu = \Phi_q M^{-1}f - g$ with $W = \Phi_q M^{-1}\Phi_q^T$, then
//! $a = M^{-1}(f - \Phi_q^T\mu)$. As a program where that stays small; in loops where W is singular,
//! with the shortest μ, and where M alone is singular. Then σΦqᵀ times the second equation is added
//! to the first: $M + \sigma\Phi_q^T\Phi_q$ and $f + \sigma\Phi_q^T g$ take the places of M and f, and
//! $(1 - \sigma c)\mu$ and $c/(1 - \sigma c)$ those of μ and c.

use crate::base::Solution;
use crate::input::not_finite;
use crate::solvers::kkt::{KktEquations, KktSolver};
use crate::solvers::occurrences::Occurrences;
use crate::solvers::rhs_program::Solved;
use crate::solvers::unrolled::{self, Unrolled};
use crate::{Breakdown, FormulationInput};
use catena_compile::{Functions, Kernel};
use catena_linear::{Matrix, RowSpace, ldlt};
use catena_symbolic::{Expr, Factors, Graph, Number, SparseVector};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Solves the system by blocks.
#[derive(Clone)]
pub(crate) struct BlockElimination {
    equations: Arc<KktEquations>,
    unrolled: Option<Unrolled>,
    /// M and Φq (as listed), f, g and ż.
    entries: Option<Kernel>,
    /// M, packed and factored; with σΦqᵀΦq where it is singular alone.
    mass: Vec<f64>,
    work: Vec<f64>,
    /// Φq, row by row.
    jacobian: Vec<f64>,
    /// M⁻¹Φqᵀ, one row for each constraint.
    response: Vec<f64>,
    /// W, packed.
    coupling: Vec<f64>,
    /// The factored W where it is singular.
    redundant: Option<RowSpace>,
    /// σ where M alone is singular, else 0.
    weight: f64,
    dependent: Occurrences,
    /// Constraints that followed from others when that was met first, quoted.
    followers: Vec<String>,
    massless: Occurrences,
}

impl BlockElimination {
    pub(crate) fn new(functions: &Functions, mut equations: KktEquations) -> BlockElimination {
        let sizes = functions.sizes;
        let (n, m) = (sizes.coordinates, sizes.constraints);
        let unrolled = unroll(functions, &mut equations);
        BlockElimination {
            equations: Arc::new(equations),
            unrolled,
            entries: None,
            mass: Vec::new(),
            work: vec![0.0; n.max(m)],
            jacobian: Vec::new(),
            response: Vec::new(),
            coupling: Vec::new(),
            redundant: None,
            weight: 0.0,
            dependent: Occurrences::default(),
            followers: Vec::new(),
            massless: Occurrences::default(),
        }
    }
}

impl KktSolver for BlockElimination {
    fn equations(&self) -> &KktEquations {
        &self.equations
    }

    fn solve(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        match &self.unrolled {
            Some(unrolled) if unrolled.run(&mut input.evaluator, found) => Ok(()),
            _ => self.factor(input, found),
        }
    }

    /// Factors and solves in loops, where the unrolled program is absent or met a small pivot.
    fn factor(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        self.read_entries(input, found);
        let broken = not_finite(&found.multipliers, &input.constraints, "the constraint");
        broken.map_or(Ok(()), Err)?;
        self.factor_mass(input, &found.accelerations)?;
        let n = found.accelerations.len();
        self.response.copy_from_slice(&self.jacobian);
        for response in self.response.chunks_exact_mut(n) {
            ldlt::solve(&self.mass, n, response);
        }
        self.factor_coupling(input);
        self.solve_with_factors(&mut found.accelerations, &mut found.multipliers);
        Ok(())
    }

    fn solve_with_factors(&mut self, upper: &mut [f64], lower: &mut [f64]) {
        let (n, m) = (upper.len(), lower.len());
        if self.weight > 0.0 {
            for (row, right) in self.jacobian.chunks_exact(n).zip(lower.iter()) {
                for (upper, entry) in upper.iter_mut().zip(row) {
                    *upper += self.weight * entry * right;
                }
            }
        }
        ldlt::solve(&self.mass, n, upper);
        for (right, row) in lower.iter_mut().zip(self.jacobian.chunks_exact(n)) {
            let free: f64 = row.iter().zip(upper.iter()).map(|(a, b)| a * b).sum();
            *right = free - *right;
        }
        match &self.redundant {
            None => ldlt::solve(&self.coupling, m, lower),
            Some(dependence) => lower.copy_from_slice(&dependence.solution(lower)),
        }
        for (response, multiplier) in self.response.chunks_exact(n).zip(lower.iter()) {
            for (acceleration, response) in upper.iter_mut().zip(response) {
                *acceleration -= multiplier * response;
            }
        }
        let part = self.part();
        lower.iter_mut().for_each(|multiplier| *multiplier /= part);
    }

    fn begin(&mut self) {
        self.redundant = None;
        self.weight = 0.0;
        (self.dependent, self.massless) = (Occurrences::default(), Occurrences::default());
        self.followers.clear();
    }

    fn remarks(&self) -> Vec<String> {
        let dependent = self.dependent.remark_of_dependence(&self.followers);
        let massless = self.massless.remark(
            "the mass matrix alone was singular",
            "the constraints determine what has no mass",
        );
        dependent.into_iter().chain(massless).collect()
    }
}

impl BlockElimination {
    /// 1 − σc
    fn part(&self) -> f64 {
        1.0 - self.weight * self.equations.compliance
    }

    /// Numbers for M and Φq, filled out; f goes into `accelerations`, g into `multipliers`.
    fn read_entries(&mut self, input: &mut FormulationInput, found: &mut Solution) {
        let functions = input.evaluator.functions().clone();
        let e = &functions.equations;
        let (n, m) = (found.accelerations.len(), found.multipliers.len());
        self.mass.resize(n * (n + 1) / 2, 0.0);
        self.jacobian.resize(m * n, 0.0);
        self.response.resize(m * n, 0.0);
        self.coupling.resize(m * (m + 1) / 2, 0.0);
        let kernel = self.entries.get_or_insert_with(|| {
            let values = |entries: &[(usize, usize, Expr)]| -> Vec<Expr> {
                entries.iter().map(|&(_, _, entry)| entry).collect()
            };
            let (mass, jacobian) = (values(&e.mass_matrix), values(&e.constraint_jacobian.entries));
            let KktEquations { graph, upper, lower, .. } = &*self.equations;
            let outputs: [(&str, &[Expr]); 5] = [
                ("mass_matrix", &mass),
                ("upper", upper),
                ("constraint_jacobian", &jacobian),
                ("lower", lower),
                ("state_rates", &e.state_rates),
            ];
            functions.compile(graph, &outputs)
        });
        let results = input.evaluator.run(kernel);
        let (mass, rest) = results.split_at(e.mass_matrix.len());
        let (upper, rest) = rest.split_at(n);
        let (jacobian, rest) = rest.split_at(e.constraint_jacobian.entries.len());
        let (lower, state_rates) = rest.split_at(m);
        self.mass.fill(0.0);
        for (&(row, column, _), &entry) in e.mass_matrix.iter().zip(mass) {
            self.mass[column * (column + 1) / 2 + row] = entry;
        }
        for (&(row, column, _), &entry) in e.constraint_jacobian.entries.iter().zip(jacobian) {
            self.jacobian[row * n + column] = entry;
        }
        found.accelerations.copy_from_slice(upper);
        found.multipliers.copy_from_slice(lower);
        found.state_rates.copy_from_slice(state_rates);
    }

    /// Factors M; where it is singular alone, M + σΦqᵀΦq. Forces that are not finite are to blame first.
    fn factor_mass(&mut self, input: &FormulationInput, forces: &[f64]) -> Result<(), Breakdown> {
        let n = forces.len();
        // the responses are not there yet: their place keeps M while it is tried
        let (mass, spare) = (self.mass.len(), self.response.len());
        if spare < mass {
            self.response.resize(mass, 0.0);
        }
        self.response[..mass].copy_from_slice(&self.mass);
        let definite = ldlt::factor(&mut self.mass, n, &mut self.work).is_ok();
        if !definite {
            self.mass.copy_from_slice(&self.response[..mass]);
        }
        self.response.truncate(spare);
        self.weight = 0.0;
        if definite {
            return Ok(());
        }
        let trace: f64 = (0..n).map(|i| self.mass[i * (i + 1) / 2 + i]).sum();
        let square: f64 = self.jacobian.iter().map(|entry| entry * entry).sum();
        let weight = if trace > 0.0 && square > 0.0 { trace / square } else { 1.0 };
        // 1 − σc stays away from 0
        let weight = weight.min(0.5 / self.equations.compliance);
        for row in self.jacobian.chunks_exact(n.max(1)) {
            for i in 0..n {
                for j in 0..=i {
                    self.mass[i * (i + 1) / 2 + j] += weight * row[i] * row[j];
                }
            }
        }
        self.weight = weight;
        self.massless.record(input.evaluator.time());
        ldlt::factor(&mut self.mass, n, &mut self.work).map_err(|ldlt::NotPositive { row }| {
            let names = &input.coordinates;
            not_finite(forces, names, "the force on").unwrap_or_else(|| Breakdown::Singular {
                matrix: "the system of motion and constraints",
                cause: format!(
                    "`{}` has no mass there, and no constraint determines it",
                    names[row]
                ),
            })
        })
    }

    /// Factors W + c; where it is singular, in the way that finds the shortest solution.
    fn factor_coupling(&mut self, input: &FormulationInput) {
        let m = input.constraints.len();
        self.couple(input.coordinates.len());
        self.redundant = match ldlt::factor(&mut self.coupling, m, &mut self.work) {
            Ok(()) => None,
            Err(_) => {
                self.couple(input.coordinates.len());
                let mut full = Matrix::zeros(m, m);
                for i in 0..m {
                    for j in 0..=i {
                        let entry = self.coupling[i * (i + 1) / 2 + j];
                        (full[(i, j)], full[(j, i)]) = (entry, entry);
                    }
                }
                let dependence = RowSpace::of(&full);
                if self.dependent.record(input.evaluator.time()) {
                    let rows = dependence.dependent().into_iter().map(|(row, _)| row);
                    let quoted = |row: usize| format!("`{}`", input.constraints[row]);
                    self.followers = rows.map(quoted).collect();
                }
                Some(dependence)
            }
        };
    }

    /// W + c, with W = Φq (M⁻¹Φqᵀ), for n coordinates.
    fn couple(&mut self, n: usize) {
        let compliance = self.equations.compliance / self.part();
        let mut place = 0;
        for (i, row) in self.jacobian.chunks_exact(n).enumerate() {
            for response in self.response.chunks_exact(n).take(i + 1) {
                self.coupling[place] = row.iter().zip(response).map(|(a, b)| a * b).sum();
                place += 1;
            }
            self.coupling[place - 1] += compliance;
        }
    }
}

/// The solution as a program, if it does not grow too large.
fn unroll(functions: &Functions, equations: &mut KktEquations) -> Option<Unrolled> {
    let solved = solve_symbolically(functions, equations)?;
    Some(Unrolled::new(functions, &equations.graph, &solved))
}

/// The solution as expressions, if they do not grow too large.
pub(crate) fn solve_symbolically(
    functions: &Functions,
    equations: &mut KktEquations,
) -> Option<Solved> {
    let e = &functions.equations;
    let (n, m) = (functions.sizes.coordinates, functions.sizes.constraints);
    let KktEquations { graph, upper, lower, compliance } = equations;
    let most = graph.len() + unrolled::limit(n + m);
    let mass = Factors::new(graph, n, &e.mass_matrix, most - graph.len())?;
    let mut rows = vec![SparseVector::new(); m];
    for &(row, column, entry) in &e.constraint_jacobian.entries {
        rows[row].insert(column, entry);
    }
    // who answers to a force on each coordinate
    let mut answers: Vec<Vec<(usize, Expr)>> = vec![Vec::new(); n];
    let mut responses = Vec::with_capacity(m);
    let mut coupling = BTreeMap::<(usize, usize), Expr>::new();
    if *compliance > 0.0 {
        let compliance = graph.number(Number::from(*compliance));
        coupling.extend((0..m).map(|r| ((r, r), compliance)));
    }
    for (r, row) in rows.iter().enumerate() {
        let response = mass.solve(graph, row);
        for (&column, &entry) in &response {
            answers[column].push((r, entry));
        }
        for (&column, &entry) in row {
            for &(s, answer) in &answers[column] {
                let product = graph.mul(entry, answer);
                let sum = match coupling.get(&(r, s)) {
                    Some(&sum) => graph.add(sum, product),
                    None => product,
                };
                coupling.insert((r, s), sum);
            }
        }
        responses.push(response);
        if graph.len() > most {
            return None;
        }
    }
    let coupling: Vec<_> = coupling.into_iter().map(|((r, s), entry)| (r, s, entry)).collect();
    let coupling = Factors::new(graph, m, &coupling, most.saturating_sub(graph.len()))?;
    let sparse = |graph: &Graph, values: &[Expr]| -> SparseVector {
        values.iter().copied().enumerate().filter(|(_, value)| !graph.is_zero(*value)).collect()
    };
    let free = mass.solve(graph, &sparse(graph, upper));
    let mut right = lower.clone();
    for (right, row) in right.iter_mut().zip(&rows) {
        let products: Vec<Expr> = row
            .iter()
            .filter_map(|(column, &entry)| Some((entry, *free.get(column)?)))
            .map(|(entry, value)| graph.mul(entry, value))
            .collect();
        let moved = graph.sum(products);
        *right = graph.sub(moved, *right);
    }
    let solution = coupling.solve(graph, &sparse(graph, &right));
    let zero = graph.zero();
    let mut accelerations: Vec<Expr> =
        (0..n).map(|at| free.get(&at).copied().unwrap_or(zero)).collect();
    for (r, &multiplier) in &solution {
        for (&column, &answer) in &responses[*r] {
            let term = graph.mul(multiplier, answer);
            accelerations[column] = graph.sub(accelerations[column], term);
        }
    }
    let multipliers: Vec<Expr> =
        (0..m).map(|r| solution.get(&r).copied().unwrap_or(zero)).collect();
    let pivots = [mass.pivots, coupling.pivots].concat();
    Some(Solved { accelerations, multipliers, pivots })
}
