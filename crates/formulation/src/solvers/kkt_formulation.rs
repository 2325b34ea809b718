//! Formulations that end in one system of motion and constraints.
//!
//! Near a singular pose a constraint holds hardly, and accelerations answer to errors of the velocities all the more. So
//! a motion that has come near one is evaluated with velocities that satisfy the constraints from then on, those nearest
//! to the given ones; on the constraints that changes nothing. Errors that no evaluation reads are no errors of the motion:
//! states return to the constraints after each step from then on, and step control leaves out what that takes off.
//! Formulations that answer to such errors on purpose do not ask for it.

use crate::base::{self, Base, Solution};
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::constraint_projection::ConstraintLevel;
use crate::solvers::kkt::{KktEquations, KktSolver, Metric};
use crate::solvers::mass_orthogonal::MassOrthogonal;
use crate::{Breakdown, Formulation, FormulationInput, Tangent};
use catena_compile::Kernel;
use catena_symbolic::Expr;

/// Motion whose accelerations satisfy Φq v̇ − c λ = g.
#[derive(Clone)]
pub(crate) struct KktFormulation<S = BlockElimination> {
    pub(crate) base: Base,
    pub(crate) solver: S,
    /// ∂(Q − M v̇ − Φqᵀλ), ∂(g − Φq v̇) and ∂ż by (q, v, z), row by row.
    tangent: Option<Kernel>,
    /// A column of derivatives: of the accelerations, of the multipliers.
    column: [Vec<f64>; 2],
    /// All derivatives, kept while columns are solved for.
    tangents: Vec<f64>,
    /// Whether velocities are made consistent once the motion has met a singular pose.
    makes_consistent: bool,
    /// Makes them so.
    correction: Option<MassOrthogonal>,
    /// The state with consistent velocities.
    consistent: Vec<f64>,
}

impl KktFormulation<BlockElimination> {
    /// By block elimination.
    pub(crate) fn by_blocks(input: FormulationInput, equations: KktEquations) -> KktFormulation {
        let solver = BlockElimination::new(input.evaluator.functions(), equations);
        KktFormulation::new(input, solver)
    }

    /// With γ for g, by block elimination.
    pub(crate) fn plain(input: FormulationInput) -> KktFormulation {
        let equations = KktEquations::plain(&input.evaluator.functions().equations);
        let motion = KktFormulation::by_blocks(input, equations);
        KktFormulation { makes_consistent: true, ..motion }
    }
}

impl<S: KktSolver> KktFormulation<S> {
    pub(crate) fn new(input: FormulationInput, solver: S) -> KktFormulation<S> {
        let sizes = input.evaluator.sizes();
        KktFormulation {
            base: Base::new(input),
            solver,
            tangent: None,
            column: [vec![0.0; sizes.coordinates], vec![0.0; sizes.constraints]],
            tangents: Vec::new(),
            makes_consistent: false,
            correction: None,
            consistent: Vec::new(),
        }
    }

    /// Writes the state down, with the velocities that are to be read: into `consistent` where they differ from those
    /// in y, which is told.
    fn read_state(&mut self, t: f64, y: &[f64]) -> Result<bool, Breakdown> {
        if !self.reads_consistent_velocities() {
            self.base.input.evaluator.set_joined_state(t, y);
            return Ok(false);
        }
        let mut consistent = std::mem::take(&mut self.consistent);
        consistent.resize(y.len(), 0.0);
        consistent.copy_from_slice(y);
        let corrected = self.correct_velocities(t, &mut consistent);
        self.base.input.evaluator.set_joined_state(t, &consistent);
        self.consistent = consistent;
        corrected.map(|()| true)
    }

    /// Whether the motion has met a singular pose, and reads the velocities nearest to the given ones since then.
    pub(crate) fn reads_consistent_velocities(&self) -> bool {
        self.makes_consistent && self.solver.has_met_singular_pose()
    }

    /// Makes the velocities in y those that the motion reads.
    pub(crate) fn correct_velocities(&mut self, t: f64, y: &mut [f64]) -> Result<(), Breakdown> {
        let (input, correction) = self.correction();
        input.evaluator.set_joined_state(t, y);
        correction.correct(input, ConstraintLevel::Velocity, y)
    }

    /// What brings states back to the constraints, compiled where it is first asked for.
    fn correction(&mut self) -> (&mut FormulationInput, &mut MassOrthogonal) {
        let input = &mut self.base.input;
        let correction = self.correction.get_or_insert_with(|| {
            MassOrthogonal::new(input.evaluator.functions(), Metric::Masses)
        });
        (input, correction)
    }

    fn compile_tangent(&self) -> Kernel {
        let functions = self.base.input.evaluator.functions();
        let e = &functions.equations;
        let KktEquations { graph, upper, lower, .. } = self.solver.equations();
        let (mut graph, mut motion) = (graph.clone(), upper.clone());
        let mut constraints = lower.clone();
        for &(row, column, entry) in &e.mass_matrix {
            let term = graph.mul(entry, e.accelerations[column]);
            motion[row] = graph.sub(motion[row], term);
            if row != column {
                let term = graph.mul(entry, e.accelerations[row]);
                motion[column] = graph.sub(motion[column], term);
            }
        }
        for &(row, column, entry) in &e.constraint_jacobian.entries {
            let force = graph.mul(entry, e.multipliers[row]);
            motion[column] = graph.sub(motion[column], force);
            let term = graph.mul(entry, e.accelerations[column]);
            constraints[row] = graph.sub(constraints[row], term);
        }
        let by: Vec<Expr> = [e.coordinates.as_slice(), &e.velocities, &e.states].concat();
        let mut rows = |values: &[Expr]| -> Vec<Expr> {
            values.iter().flat_map(|&value| graph.gradient(value, &by)).collect()
        };
        let (motion, constraints) = (rows(&motion), rows(&constraints));
        let states = rows(&e.state_rates);
        let outputs: [(&str, &[Expr]); 3] =
            [("motion", &motion), ("constraints", &constraints), ("states", &states)];
        functions.compile(&graph, &outputs)
    }
}

impl<S: KktSolver> Formulation for KktFormulation<S> {
    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let differs = self.read_state(t, y)?;
        let Base { input, found } = &mut self.base;
        self.solver.solve(input, found)?;
        let y = if differs { &self.consistent } else { y };
        self.base.fill_rate(y, rate)
    }

    /// The same system for every column: M ∂v̇ + Φqᵀ∂λ = ∂(Q − M v̇ − Φqᵀλ), Φq ∂v̇ − c ∂λ = ∂(g − Φq v̇).
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        let size = self.base.state_len();
        if self.tangent.is_none() {
            self.tangent = Some(self.compile_tangent());
        }
        self.read_state(t, y)?;
        let Some(kernel) = &self.tangent else { unreachable!("it was just compiled") };
        let Base { input, found } = &mut self.base;
        self.solver.factor(input, found)?;
        let Solution { accelerations, multipliers, .. } = found;
        input.evaluator.set_reactions(accelerations, multipliers);
        let (n, m) = (accelerations.len(), multipliers.len());
        let (rows, states) = input.evaluator.run(kernel).split_at((n + m) * size);
        base::fill_plain_rows(n, size, states, jacobian);
        self.tangents.resize(rows.len(), 0.0);
        self.tangents.copy_from_slice(rows);
        let [motion, constraints] = &mut self.column;
        for column in 0..size {
            for (row, entry) in motion.iter_mut().chain(constraints.iter_mut()).enumerate() {
                *entry = self.tangents[row * size + column];
            }
            self.solver.solve_with_factors(motion, constraints);
            for (row, entry) in motion.iter().enumerate() {
                jacobian[(n + row) * size + column] = *entry;
            }
        }
        Ok(())
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn begin(&mut self, parameters: &[f64]) {
        self.base.begin(parameters);
        self.solver.begin();
        if let Some(correction) = &mut self.correction {
            correction.begin();
        }
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        if !self.reads_consistent_velocities() {
            return Ok(false);
        }
        let (input, correction) = self.correction();
        correction.project(input, t, y)
    }

    fn discount_error(&mut self, t: f64, y: &[f64], error: &mut [f64]) {
        if !self.reads_consistent_velocities() {
            return;
        }
        let (input, correction) = self.correction();
        let n = input.coordinates.len();
        input.evaluator.set_joined_state(t, y);
        for level in [ConstraintLevel::Position, ConstraintLevel::Velocity] {
            let own = &mut error[level as usize * n..][..n];
            // what cannot be taken off counts
            if correction.discount(input, level, own).is_err() {
                break;
            }
        }
    }

    fn remarks(&self) -> Vec<String> {
        self.solver.remarks()
    }
}
