//! The system of motion and constraints by block elimination.
//!
//! $(W + c)\mu = \Phi_q M^{-1}f - g$ with $W = \Phi_q M^{-1}\Phi_q^T$, then
//! $a = M^{-1}(f - \Phi_q^T\mu)$. As a program where that stays small, else in loops.
//!
//! Where M alone is singular σΦqᵀ times the second equation is added to the first: $M + \sigma\Phi_q^T\Phi_q$ and
//! $f + \sigma\Phi_q^T g$ take the places of M and f, and $(1 - \sigma c)\mu$ and $c/(1 - \sigma c)$ those of μ and c.
//! Where constraints follow from others W is singular in as many directions, and μ is the shortest. Whether that is so is
//! a property of the model ([`StructuralRank`]), found out once, where a pivot first gives a reason to ask; from then on
//! every evaluation goes the same way. In between, where a pose only comes near a singular one, μ is found by
//! [`Semidefinite`], which has no threshold and joins the plain solution smoothly. It gets W with σ: a light body between
//! heavy ones is no singular pose.

use crate::base::Solution;
use crate::input::not_finite;
use crate::solvers::block_program::solve_symbolically;
use crate::solvers::kkt::{KktEquations, KktSolver, Metric};
use crate::solvers::occurrences::{Occurrences, remark_of_redundancy};
use crate::solvers::structural_rank::StructuralRank;
use crate::solvers::unrolled::{NEARLY_SINGULAR_TOLERANCE, Unrolled};
use crate::{Breakdown, FormulationInput};
use catena_compile::{Functions, Kernel};
use catena_linear::{Matrix, RowSpace, Semidefinite, ldlt};
use catena_symbolic::Expr;
use std::sync::Arc;

/// Constraints that were taken for redundant are not, if W holds their directions with this part of its diagonal: what
/// errors of positions leave of it is their square.
const MAX_HOLD_OF_REDUNDANT: f64 = 1e-4;

/// In a singular pose a pivot of W is no more than this part of its diagonal entry. What it would still hold is far below
/// what regularisation leaves to inertia: accelerations do not see the difference.
const SINGULAR_POSE_TOLERANCE: f64 = 1e-11;
/// With σ no pivot of W is smaller than this part of its diagonal entry, where they are without it: bodies are uneven, the
/// pose is not singular.
const EVEN_PIVOT: f64 = 1e-3;

/// Solves the system by blocks.
#[derive(Clone)]
pub(crate) struct BlockElimination {
    equations: Arc<KktEquations>,
    unrolled: Option<Unrolled>,
    /// The same for a singular M, compiled where one is met; `None` in it if the program would be too large.
    weighted: Option<Option<Unrolled>>,
    /// M and Φq (as listed), f, g and ż.
    entries: Option<Kernel>,
    /// M, packed and factored; with σΦqᵀΦq where it is singular alone.
    mass: Vec<f64>,
    /// M as it was read.
    unfactored: Vec<f64>,
    work: Vec<f64>,
    /// Φq, row by row.
    jacobian: Vec<f64>,
    /// M⁻¹Φqᵀ, one row for each constraint.
    response: Vec<f64>,
    /// W + c, packed and factored.
    coupling: Vec<f64>,
    /// The same where it is singular, or nearly.
    semidefinite: Semidefinite,
    /// Whether that was so when the system was factored last.
    is_semidefinite: bool,
    /// σ where M alone is singular, else 0.
    weight: f64,
    /// Whether light bodies between heavy ones ask for σ in this motion.
    is_uneven: bool,
    /// What is known about the rank of this motion's M and Φq.
    rank: Option<Arc<StructuralRank>>,
    has_met_singular_pose: bool,
    /// Poses in which constraints were dependent that are not so elsewhere.
    dependent: Occurrences,
    /// Constraints that follow from others, everywhere or in the first such pose, quoted.
    followers: Vec<String>,
    /// States in which M was singular that is not so elsewhere.
    massless: Occurrences,
}

impl BlockElimination {
    pub(crate) fn new(functions: &Functions, mut equations: KktEquations) -> BlockElimination {
        let sizes = functions.sizes;
        let (n, m) = (sizes.coordinates, sizes.constraints);
        let unrolled = unroll(functions, &mut equations, false);
        BlockElimination {
            equations: Arc::new(equations),
            unrolled,
            weighted: None,
            entries: None,
            mass: Vec::new(),
            unfactored: Vec::new(),
            work: vec![0.0; n.max(m)],
            jacobian: Vec::new(),
            response: Vec::new(),
            coupling: Vec::new(),
            semidefinite: Semidefinite::default(),
            is_semidefinite: false,
            weight: 0.0,
            is_uneven: false,
            rank: None,
            has_met_singular_pose: false,
            dependent: Occurrences::default(),
            followers: Vec::new(),
            massless: Occurrences::default(),
        }
    }

    /// The part of its diagonal entry below which a pivot is nearly zero.
    fn tolerance(&self) -> f64 {
        self.equations.metric.nearly_singular_tolerance()
    }

    /// Takes over what is known about the rank by now.
    fn learn(&mut self, input: &FormulationInput) {
        let Some(rank) = input.known_rank() else { return };
        if self.rank.as_ref().is_some_and(|own| Arc::ptr_eq(own, rank)) {
            return;
        }
        if !rank.redundant.is_empty() {
            self.followers = quoted(input, rank.redundant.iter().copied());
        }
        self.rank = Some(rank.clone());
    }

    /// Whether M is singular everywhere, and the number of redundant constraints, as far as that is known.
    fn known_rank(&self) -> (bool, usize) {
        self.rank.as_ref().map_or((false, 0), |rank| (rank.mass_is_singular, rank.redundant.len()))
    }

    /// The program that solves the system, if there is one.
    fn program(&mut self, input: &FormulationInput) -> Option<&Unrolled> {
        match self.known_rank() {
            (false, 0) if !self.is_uneven => self.unrolled.as_ref(),
            (_, 0) => {
                let equations = &self.equations;
                let weighted = self.weighted.get_or_insert_with(|| {
                    let mut equations = KktEquations::clone(equations);
                    unroll(input.evaluator.functions(), &mut equations, true)
                });
                weighted.as_ref()
            }
            _ => None,
        }
    }
}

/// Constraints by their names, quoted.
fn quoted(input: &FormulationInput, rows: impl Iterator<Item = usize>) -> Vec<String> {
    rows.map(|row| format!("`{}`", input.constraints[row])).collect()
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
        self.learn(input);
        let tolerance = self.tolerance();
        match self.program(input) {
            Some(unrolled) if unrolled.run(&mut input.evaluator, tolerance, found) => Ok(()),
            _ => self.factor(input, found),
        }
    }

    /// Factors and solves in loops, where a program is absent or met a small pivot.
    fn factor(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        self.learn(input);
        self.read_entries(input, found);
        let broken = not_finite(&found.multipliers, &input.constraints, "the constraint");
        broken.map_or(Ok(()), Err)?;
        if self.is_uneven || self.known_rank() != (false, 0) || !self.factor_plainly(input) {
            if self.rank.is_none() {
                // a pose, or the model? From now on that is known
                input.structural_rank();
                self.learn(input);
            }
            self.factor_with_care(input, &found.accelerations)?;
            let hold = match self.is_semidefinite {
                true => self.semidefinite.hold_on_directions(),
                false => 0.0,
            };
            if hold > MAX_HOLD_OF_REDUNDANT {
                return self.reconsider(input, found);
            }
        }
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
        match self.is_semidefinite {
            false => ldlt::solve(&self.coupling, m, lower),
            true => self.semidefinite.solve(lower),
        }
        for (response, multiplier) in self.response.chunks_exact(n).zip(lower.iter()) {
            for (acceleration, response) in upper.iter_mut().zip(response) {
                *acceleration -= multiplier * response;
            }
        }
        let part = self.part();
        lower.iter_mut().for_each(|multiplier| *multiplier /= part);
    }

    fn has_met_singular_pose(&self) -> bool {
        self.has_met_singular_pose
    }

    fn begin(&mut self) {
        (self.is_semidefinite, self.is_uneven) = (false, false);
        (self.weight, self.rank, self.has_met_singular_pose) = (0.0, None, false);
        (self.dependent, self.massless) = (Occurrences::default(), Occurrences::default());
        self.followers.clear();
    }

    fn remarks(&self) -> Vec<String> {
        let (mass_is_singular, redundant) = self.known_rank();
        let dependent = match redundant {
            0 => self.dependent.remark_of_dependence(&self.followers),
            _ => Some(remark_of_redundancy(&self.followers)),
        };
        let what = "the mass matrix alone was singular";
        let then = "the constraints determine what has no mass";
        let massless = match mass_is_singular {
            true => Some(format!("{what} in every state: {then}")),
            false => self.massless.remark(what, then),
        };
        dependent.into_iter().chain(massless).collect()
    }
}

impl BlockElimination {
    /// Finds the rank out anew, here where constraints hold that were taken for redundant: the motion began in a singular
    /// pose, or is now on another branch.
    fn reconsider(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        let (_, before) = self.known_rank();
        input.reconsider_rank();
        self.learn(input);
        let (_, now) = self.known_rank();
        if now < before {
            return self.factor(input, found);
        }
        self.solve_with_factors(&mut found.accelerations, &mut found.multipliers);
        Ok(())
    }

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

    /// Factors M and W + c as they are; whether they are clearly regular.
    fn factor_plainly(&mut self, input: &FormulationInput) -> bool {
        let (n, m) = (input.coordinates.len(), input.constraints.len());
        (self.weight, self.is_semidefinite) = (0.0, false);
        self.unfactored.resize(self.mass.len(), 0.0);
        self.unfactored.copy_from_slice(&self.mass);
        let definite = ldlt::factor(&mut self.mass, n, &mut self.work).is_ok();
        let is_clear = || smallest_pivot(&self.mass, &self.unfactored, n) > self.tolerance();
        if !definite || !is_clear() {
            self.mass.copy_from_slice(&self.unfactored);
            if !definite {
                self.massless.record(input.evaluator.time());
            }
            return false;
        }
        self.respond(n);
        let regular = self.factor_coupling(m) > self.tolerance();
        if !regular {
            self.mass.copy_from_slice(&self.unfactored);
        }
        regular
    }

    /// Factors M + σΦqᵀΦq and the W + c that belongs to it: where M is singular alone, or light bodies hang between
    /// heavy ones, that is regular; where it is not, constraints are dependent or nearly so.
    fn factor_with_care(
        &mut self,
        input: &FormulationInput,
        forces: &[f64],
    ) -> Result<(), Breakdown> {
        let (n, m) = (forces.len(), input.constraints.len());
        let (_, redundant) = self.known_rank();
        match self.equations.metric {
            Metric::Weights => self.factor_mass(input, forces)?,
            _ => self.factor_weighted_mass(input, forces)?,
        }
        self.respond(n);
        let pivots = self.factor_coupling(m);
        self.is_semidefinite = redundant > 0 || pivots <= NEARLY_SINGULAR_TOLERANCE;
        self.is_uneven |= self.weight > 0.0 && redundant == 0 && pivots > EVEN_PIVOT;
        self.has_met_singular_pose |= self.is_semidefinite && redundant == 0;
        if !self.is_semidefinite {
            return Ok(());
        }
        let regularisation = match (&self.rank, self.equations.metric) {
            (None, _) | (_, Metric::Weights) => 0.0,
            (Some(rank), _) => rank.regularisation,
        };
        // in the singular pose itself multipliers are shared in the shortest way, as everywhere
        let is_pose = pivots <= SINGULAR_POSE_TOLERANCE && redundant == 0;
        let directions = if is_pose { self.count_followers(input) } else { redundant };
        let factored = self.semidefinite.factor(directions, regularisation);
        factored.map_err(|ldlt::NotPositive { row }| Breakdown::Singular {
            matrix: "the system of motion and constraints",
            cause: format!("nothing answers to a force of `{}`", input.constraints[row]),
        })
    }

    /// Factors M + σΦqᵀΦq. Forces that are not finite are to blame first.
    fn factor_weighted_mass(
        &mut self,
        input: &FormulationInput,
        forces: &[f64],
    ) -> Result<(), Breakdown> {
        let n = forces.len();
        let trace: f64 = (0..n).map(|i| self.mass[i * (i + 1) / 2 + i]).sum();
        let square: f64 = self.jacobian.iter().map(|entry| entry * entry).sum();
        // σc is at most ½
        let whole = square + 2.0 * self.equations.compliance * trace;
        let weight = if trace > 0.0 && square > 0.0 { trace / whole } else { 1.0 };
        let weight = weight.min(0.5 / self.equations.compliance);
        for row in self.jacobian.chunks_exact(n.max(1)) {
            for i in 0..n {
                for j in 0..=i {
                    self.mass[i * (i + 1) / 2 + j] += weight * row[i] * row[j];
                }
            }
        }
        self.weight = weight;
        self.factor_mass(input, forces)
    }

    /// Factors what stands in the place of M.
    fn factor_mass(&mut self, input: &FormulationInput, forces: &[f64]) -> Result<(), Breakdown> {
        let n = forces.len();
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

    /// M⁻¹Φqᵀ for n coordinates.
    fn respond(&mut self, n: usize) {
        self.response.copy_from_slice(&self.jacobian);
        for response in self.response.chunks_exact_mut(n) {
            ldlt::solve(&self.mass, n, response);
        }
        self.couple(n);
    }

    /// Factors W + c for m constraints, of which a copy is kept; what is left of its diagonal, 0 if that is rounding.
    fn factor_coupling(&mut self, m: usize) -> f64 {
        if self.semidefinite.rows() != m {
            self.semidefinite = Semidefinite::new(m);
        }
        self.semidefinite.matrix_mut().copy_from_slice(&self.coupling);
        match ldlt::factor(&mut self.coupling, m, &mut self.work) {
            Ok(()) => smallest_pivot(&self.coupling, self.semidefinite.matrix_mut(), m),
            Err(_) => 0.0,
        }
    }

    /// How many constraints follow from others in a singular pose; the first time they are named.
    fn count_followers(&mut self, input: &FormulationInput) -> usize {
        let m = input.constraints.len();
        let coupling = self.semidefinite.matrix_mut();
        let full = Matrix::from_fn(m, m, |i, j| {
            let (i, j) = (i.max(j), i.min(j));
            coupling[i * (i + 1) / 2 + j]
        });
        let space = RowSpace::of(&full);
        if self.dependent.record(input.evaluator.time()) {
            let rows = space.dependent().into_iter().map(|(row, _)| row);
            self.followers = quoted(input, rows);
        }
        m - space.rank()
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

/// The smallest pivot of a factored matrix of n rows, relative to the diagonal entry it was left of.
fn smallest_pivot(factored: &[f64], matrix: &[f64], n: usize) -> f64 {
    let diagonal = (0..n).map(|row| row * (row + 1) / 2 + row);
    diagonal.map(|at| factored[at] / matrix[at].abs()).fold(f64::INFINITY, f64::min)
}

/// The solution as a program, if it does not grow too large.
fn unroll(
    functions: &Functions,
    equations: &mut KktEquations,
    mass_is_singular: bool,
) -> Option<Unrolled> {
    let solved = solve_symbolically(functions, equations, mass_is_singular)?;
    Some(Unrolled::new(functions, &equations.graph, &solved))
}
