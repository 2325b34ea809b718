//! Lagrange multipliers, index 1: the constraints are asked for at the level of accelerations.
//!
//! # Equations
//! $$\begin{bmatrix} M & \Phi_q^T \\ \Phi_q & 0 \end{bmatrix}\begin{bmatrix} \dot v \\ \lambda
//!   \end{bmatrix} = \begin{bmatrix} Q \\ \gamma \end{bmatrix}$$
//! Where constraints are redundant the shortest λ is taken.
//!
//! # When to choose it
//! For constraints, when the run is not long: nothing keeps Φ itself at zero, so it drifts.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, section 6.3

use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::kkt::{KktEquations, KktSolution, KktSolver};
use crate::solvers::rhs_program::RhsProgram;
use crate::{Breakdown, Entry, Formulation, FormulationInput, Tangent, needs_constraints, state};
use catena_compile::{Evaluator, Kernel};
use catena_model::CoordinateSet;
use catena_symbolic::Expr;

pub(crate) static ENTRY: Entry = Entry {
    name: "multipliers",
    summary: "constraints at the level of accelerations, with their forces as multipliers",
    reference: "Haug 1989, section 6.3",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    rhs_program: |input| RhsProgram::kkt(input, equations(input)),
    build: |input| Box::new(Multipliers::plain(input)),
};

/// With γ for g.
fn equations(input: &FormulationInput) -> KktEquations {
    let e = &input.evaluator.functions().equations;
    KktEquations {
        graph: e.graph.clone(),
        upper: e.forces.clone(),
        lower: e.gamma.clone(),
        compliance: 0.0,
    }
}

/// Motion whose accelerations satisfy Φq v̇ − c λ = g.
#[derive(Clone)]
pub(crate) struct Multipliers<S = BlockElimination> {
    pub(crate) input: FormulationInput,
    pub(crate) solver: S,
    /// ∂(Q − M v̇ − Φqᵀλ), ∂(g − Φq v̇) and ∂ż by (q, v, z), row by row.
    tangent: Option<Kernel>,
    /// A column of derivatives: of the accelerations, of the multipliers.
    column: [Vec<f64>; 2],
    /// All derivatives, kept while columns are solved for.
    tangents: Vec<f64>,
}

impl Multipliers<BlockElimination> {
    /// With γ for g.
    pub(crate) fn plain(input: FormulationInput) -> Multipliers {
        let solver = BlockElimination::new(input.evaluator.functions(), equations(&input));
        Multipliers::new(input, solver)
    }
}

impl<S: KktSolver> Multipliers<S> {
    pub(crate) fn new(input: FormulationInput, solver: S) -> Multipliers<S> {
        let sizes = input.evaluator.sizes();
        Multipliers {
            solver,
            input,
            tangent: None,
            column: [vec![0.0; sizes.coordinates], vec![0.0; sizes.constraints]],
            tangents: Vec::new(),
        }
    }

    fn compile_tangent(&self) -> Kernel {
        let functions = self.input.evaluator.functions();
        let e = &functions.equations;
        let KktEquations { graph, upper, lower, .. } = &*self.solver.solution().equations;
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

impl<S: KktSolver> Formulation for Multipliers<S> {
    fn begin(&mut self, parameters: &[f64]) {
        self.input.evaluator.set_parameters(parameters);
        self.solver.begin();
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn state_len(&self) -> usize {
        state::len(self.input.evaluator.sizes())
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        state::pack(q, v, states, y);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        state::unpack(y, q, v, states);
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.input.evaluator.set_joined_state(t, y);
        self.solver.solve(&mut self.input)?;
        let KktSolution { accelerations, state_rates, .. } = self.solver.solution();
        self.input.check_finite(accelerations, state_rates)?;
        state::fill_rate(y, accelerations, state_rates, rate);
        Ok(())
    }

    /// The same system for every column: M ∂v̇ + Φqᵀ∂λ = ∂(Q − M v̇ − Φqᵀλ), Φq ∂v̇ − c ∂λ = ∂(g − Φq v̇).
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.input.evaluator.set_joined_state(t, y);
        self.solver.factor(&mut self.input)?;
        let KktSolution { accelerations, multipliers, .. } = self.solver.solution();
        self.input.evaluator.set_reactions(accelerations, multipliers);
        let (n, m, size) = (accelerations.len(), multipliers.len(), self.state_len());
        if self.tangent.is_none() {
            self.tangent = Some(self.compile_tangent());
        }
        let Some(kernel) = &self.tangent else { unreachable!("it was just compiled") };
        let (rows, states) = self.input.evaluator.run(kernel).split_at((n + m) * size);
        state::fill_jacobian(n, size, states, jacobian);
        self.tangents.resize(rows.len(), 0.0);
        self.tangents.copy_from_slice(rows);
        let [mut motion, mut constraints] = std::mem::take(&mut self.column);
        for column in 0..size {
            for (row, entry) in motion.iter_mut().chain(&mut constraints).enumerate() {
                *entry = self.tangents[row * size + column];
            }
            self.solver.solve_with_factors(&mut motion, &mut constraints);
            for (row, entry) in motion.iter().enumerate() {
                jacobian[(n + row) * size + column] = *entry;
            }
        }
        self.column = [motion, constraints];
        Ok(())
    }

    fn accelerations(&self) -> &[f64] {
        &self.solver.solution().accelerations
    }

    fn multipliers(&self) -> &[f64] {
        &self.solver.solution().multipliers
    }

    fn remarks(&self) -> Vec<String> {
        self.solver.remarks()
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.input.evaluator
    }
}
