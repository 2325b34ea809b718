//! The system of motion and constraints in the null space of Φq.
//!
//! $c = \Phi_q^+ g$, then $R^TMR\,\dot s = R^T(f - Mc)$ and $a = R\dot s + c$ with an orthonormal basis R
//! of the null space; μ is the shortest that brings $\Phi_q^T\mu$ nearest to $f - Ma$. How many constraints follow from
//! others is a property of the model ([`StructuralRank`]), found out once, where one first seems to.

use crate::base::Solution;
use crate::input::not_finite;
use crate::solvers::kkt::{KktEquations, KktSolver};
use crate::solvers::occurrences::{Occurrences, remark_of_redundancy};
use crate::solvers::structural_rank::StructuralRank;
use crate::{Breakdown, FormulationInput};
use catena_compile::Functions;
use catena_linear::{RowSpace, dot, ldlt};
use std::sync::Arc;

/// A constraint with less than this part of its length in a direction of its own may follow from others.
const NEARLY_DEPENDENT_TOLERANCE: f64 = 3e-3;
/// A constraint with more than this part of its length in a direction of its own was taken for redundant wrongly.
const MAX_INDEPENDENCE_OF_REDUNDANT: f64 = 1e-2;

/// Solves the system of motion and constraints in the null space of Φq.
#[derive(Clone)]
pub(crate) struct NullSpaceSolver {
    equations: Arc<KktEquations>,
    /// Orthogonal factors of Φq.
    pub(crate) rows: RowSpace,
    /// M, packed.
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    /// R, a direction after the other.
    basis: Vec<f64>,
    /// RᵀMR, packed and factored.
    reduced: Vec<f64>,
    /// ṡ
    independent: Vec<f64>,
    /// Vectors of n entries: a particular solution, a force that is left, scratch of factors.
    work: [Vec<f64>; 3],
    /// What is known about the rank of this motion's Φq.
    rank: Option<Arc<StructuralRank>>,
    /// Constraints that follow from others everywhere, quoted.
    followers: Vec<String>,
    /// Poses in which constraints were dependent that are not so elsewhere.
    dependent: Occurrences,
}

impl NullSpaceSolver {
    pub(crate) fn new(functions: &Functions) -> NullSpaceSolver {
        let (n, m) = (functions.sizes.coordinates, functions.sizes.constraints);
        NullSpaceSolver {
            equations: Arc::new(KktEquations::plain(&functions.equations)),
            rows: RowSpace::new(m, n),
            mass: vec![0.0; n * (n + 1) / 2],
            jacobian: vec![0.0; m * n],
            basis: vec![0.0; n * n],
            reduced: vec![0.0; n * (n + 1) / 2],
            independent: vec![0.0; n],
            work: [vec![0.0; n], vec![0.0; n], vec![0.0; n]],
            rank: None,
            followers: Vec::new(),
            dependent: Occurrences::default(),
        }
    }

    /// Finds out whether constraints that seem dependent, or no longer do, are redundant in every pose; Φq is factored
    /// again if that changes its rank.
    fn examine_rank(&mut self, input: &mut FormulationInput) {
        let m = input.constraints.len();
        match &self.rank {
            None => {
                let smallest = m.checked_sub(1).map_or(1.0, |last| self.rows.independence(last));
                if smallest > NEARLY_DEPENDENT_TOLERANCE {
                    return;
                }
            }
            Some(rank) if rank.redundant.is_empty() => return,
            Some(_) if self.rows.hold_on_redundant() <= MAX_INDEPENDENCE_OF_REDUNDANT => return,
            Some(_) => input.reconsider_rank(),
        }
        let rank = input.structural_rank();
        self.rows.limit_rank(m - rank.redundant.len());
        self.rows.regularise(rank.regularisation);
        self.rows.factor(&self.jacobian);
        let names = rank.redundant.iter().map(|&row| format!("`{}`", input.constraints[row]));
        self.followers = names.collect();
        self.rank = Some(rank);
    }

    /// Numbers for M and Φq; Q goes into `accelerations`, γ into `multipliers`.
    fn read(&mut self, input: &mut FormulationInput, found: &mut Solution) {
        let motion = input.evaluator.motion();
        self.mass.copy_from_slice(motion.mass_matrix);
        self.jacobian.copy_from_slice(motion.constraint_jacobian);
        found.accelerations.copy_from_slice(motion.forces);
        found.multipliers.copy_from_slice(motion.gamma);
        found.state_rates.copy_from_slice(motion.state_rates);
    }

    /// Solves at the state written down, where Φq is factored already.
    pub(crate) fn reduce(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        self.read(input, found);
        self.solve_reduced(input, found)
    }

    fn solve_reduced(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        let Solution { accelerations, multipliers, .. } = found;
        let broken = not_finite(multipliers, &input.constraints, "the second derivative of")
            .or_else(|| not_finite(accelerations, &input.coordinates, "the force on"));
        if let Some(broken) = broken {
            return Err(broken);
        }
        self.examine_rank(input);
        if self.rows.rank() + self.followers.len() < multipliers.len() {
            self.dependent.record(input.evaluator.time());
        }
        self.factor_reduced(input)?;
        self.solve_with_factors(accelerations, multipliers);
        Ok(())
    }

    /// R, and RᵀMR in factors.
    fn factor_reduced(&mut self, input: &FormulationInput) -> Result<(), Breakdown> {
        let n = self.work[0].len();
        let free = n - self.rows.rank();
        let [moved, _, scratch] = &mut self.work;
        for k in 0..free {
            let (before, direction) = self.basis.split_at_mut(k * n);
            let direction = &mut direction[..n];
            self.rows.null_direction(k, direction);
            moved.fill(0.0);
            multiply(&self.mass, direction, moved);
            let all = before.chunks_exact(n).chain([&*direction]);
            for (entry, other) in self.reduced[k * (k + 1) / 2..].iter_mut().zip(all) {
                *entry = dot(other, moved);
            }
        }
        ldlt::factor(&mut self.reduced, free, scratch).map_err(|ldlt::NotPositive { row }| {
            let direction = self.basis[row * n..(row + 1) * n].iter().map(|entry| entry.abs());
            let blamed = direction.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let name = blamed.map_or("", |(at, _)| &input.coordinates[at]);
            Breakdown::Singular {
                matrix: "the mass matrix along the free directions",
                cause: format!("`{name}` has no mass there, and no constraint determines it"),
            }
        })
    }
}

impl KktSolver for NullSpaceSolver {
    fn equations(&self) -> &KktEquations {
        &self.equations
    }

    fn factor(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        self.read(input, found);
        let broken = self.jacobian.iter().any(|entry| !entry.is_finite());
        if broken {
            let quantity = "the derivative of a constraint".to_owned();
            return Err(Breakdown::NotFinite { quantity });
        }
        self.rows.factor(&self.jacobian);
        self.solve_reduced(input, found)
    }

    fn solve_with_factors(&mut self, upper: &mut [f64], lower: &mut [f64]) {
        let n = upper.len();
        let free = n - self.rows.rank();
        let [particular, left, _] = &mut self.work;
        let independent = &mut self.independent[..free];
        let basis = self.basis.chunks_exact(n.max(1));
        self.rows.solve(lower, particular);
        left.fill(0.0);
        multiply(&self.mass, particular, left);
        left.iter_mut().zip(upper.iter()).for_each(|(left, force)| *left = force - *left);
        for (entry, direction) in independent.iter_mut().zip(basis.clone()) {
            *entry = dot(direction, left);
        }
        ldlt::solve(&self.reduced, free, independent);
        for (entry, direction) in independent.iter().zip(basis) {
            for (sum, part) in particular.iter_mut().zip(direction) {
                *sum += entry * part;
            }
        }
        left.fill(0.0);
        multiply(&self.mass, particular, left);
        left.iter_mut().zip(upper.iter()).for_each(|(left, force)| *left = force - *left);
        self.rows.combine(left, lower);
        upper.copy_from_slice(particular);
    }

    fn begin(&mut self) {
        self.dependent = Occurrences::default();
        self.rank = None;
        self.followers.clear();
        self.rows.limit_rank(usize::MAX);
        self.rows.regularise(0.0);
    }

    fn remarks(&self) -> Vec<String> {
        let then = "the shortest multipliers were taken";
        let redundant = (!self.followers.is_empty()).then(|| remark_of_redundancy(&self.followers));
        let dependent = self.dependent.remark("constraints were dependent", then);
        redundant.into_iter().chain(dependent).collect()
    }
}

/// Adds M x to a sum, M packed.
fn multiply(mass: &[f64], x: &[f64], sum: &mut [f64]) {
    let mut entries = mass.iter();
    for i in 0..x.len() {
        for j in 0..i {
            let Some(entry) = entries.next() else { return };
            sum[i] += entry * x[j];
            sum[j] += entry * x[i];
        }
        let Some(entry) = entries.next() else { return };
        sum[i] += entry * x[i];
    }
}
