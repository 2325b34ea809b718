//! Gear, Gupta and Leimkuhler: a second multiplier lets positions and velocities both satisfy the
//! constraints (stabilised index 2).
//!
//! # Equations
//! $$\dot q = v - W^{-1}\Phi_q^T\mu,\qquad M\dot v + \Phi_q^T\lambda = Q,\qquad
//!   \Phi = 0,\qquad \dot\Phi = \Phi_q v + \Phi_t = 0$$
//! On the constraints μ = 0, so that no motion is lost or added, whatever the metric W. It is M with heavy angles
//! (`solvers/rotation_metric.rs`): the x and y of what turns follow its angle. An integrator of first-order systems
//! integrates what remains when both constraints are differentiated once along this motion,
//! $$\Phi_q\dot q + \Phi_t = 0,\qquad \Phi_q\dot v + \dot\Phi_q\dot q + \dot\Phi_t = 0
//!   \qquad (\dot\Phi_q = \partial\dot\Phi/\partial q,\ \dot\Phi_t = \partial\dot\Phi/\partial t),$$
//! which gives μ first, then λ. At any state, on the constraints or not, it moves so that Φ and Φ̇ both
//! keep their values: an error that a stage has made does not go on to make another, while under
//! `multipliers` an error in Φ̇ lets Φ grow with time. What an integrator adds is taken back at the end
//! of a step in the direction of μ, $\delta q = -W^{-1}\Phi_q^T\mu$ until Φ = 0 to rounding, and once
//! for v.
//!
//! For implicit integrators the derivative is exact on the constraints.
//!
//! # When to choose it
//! Long runs with constraints and long steps, whose stages stray. Where steps are short `projection`
//! does the same at less cost: here every evaluation solves two systems.
//!
//! # Reference
//! C. W. Gear, B. Leimkuhler, G. K. Gupta, *Automatic integration of Euler-Lagrange equations with
//! constraints*, 1985

use crate::base::Solution;
use crate::catalogue::needs_constraints;
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::constraint_projection::{
    ConstraintErrors, ConstraintLevel, ConstraintProjection, Miss,
};
use crate::solvers::constraint_values::ConstraintValues;
use crate::solvers::kkt::{KktEquations, KktSolver, Metric};
use crate::solvers::kkt_formulation::KktFormulation;
use crate::solvers::mass_orthogonal::MassOrthogonal;
use crate::solvers::rotation_metric::rotation_metric;
use crate::{Approximation, Base, Breakdown, Entry, Formulation, FormulationInput, Tangent};
use catena_derivation::Equations;
use catena_model::CoordinateSet;
use catena_symbolic::{Expr, Graph};

pub(crate) static ENTRY: Entry = Entry {
    name: "ggl",
    summary: "multipliers for positions and velocities both: constraint errors do not grow in a step",
    reference: "Gear, Leimkuhler, Gupta 1985",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    corrects_states: true,
    rhs_program: |_| None,
    build: |input| Box::new(Ggl::new(input)),
};

#[derive(Clone)]
struct Ggl {
    base: Base,
    /// v̇ and λ; reads q̇ in the place of accelerations.
    motion: BlockElimination,
    /// The system with W in the place of M.
    metric: FormulationInput,
    /// −W⁻¹Φqᵀμ for Φ and for Φ̇.
    correction: MassOrthogonal,
    constraints: ConstraintValues,
    /// q̇
    rates: Vec<f64>,
    /// For implicit integrators: the motion without μ.
    plain: Option<KktFormulation>,
    sensitivity: Vec<f64>,
    /// A column of derivatives: of the accelerations, of Φ̇, of the multipliers.
    column: [Vec<f64>; 3],
}

impl Ggl {
    fn new(input: FormulationInput) -> Ggl {
        let functions = input.evaluator.functions().clone();
        let e = &functions.equations;
        let mut graph = e.graph.clone();
        let lower = gamma_along(&mut graph, e);
        let equations = KktEquations { graph, lower, ..KktEquations::plain(e) };
        let (n, m) = (functions.sizes.coordinates, functions.sizes.constraints);
        let metric = rotation_metric(&input);
        Ggl {
            base: Base::new(input),
            motion: BlockElimination::new(&functions, equations),
            correction: MassOrthogonal::new(metric.evaluator.functions(), Metric::HeavyAngles),
            metric,
            constraints: ConstraintValues::new(&functions),
            rates: vec![0.0; n],
            plain: None,
            sensitivity: Vec::new(),
            column: [vec![0.0; n], vec![0.0; m], vec![0.0; m]],
        }
    }
}

/// −∂Φ̇/∂q q̇ − ∂Φ̇/∂t, with the symbols of the accelerations for q̇.
fn gamma_along(graph: &mut Graph, e: &Equations) -> Vec<Expr> {
    let by: Vec<Expr> = e.coordinates.iter().copied().chain([e.time]).collect();
    let mut along = |rate: Expr| {
        let slopes = graph.gradient(rate, &by);
        let (by_time, by_q) = (slopes[e.coordinates.len()], &slopes[..e.coordinates.len()]);
        let moved: Vec<Expr> =
            by_q.iter().zip(&e.accelerations).map(|(&slope, &q)| graph.mul(slope, q)).collect();
        let moved = graph.sum(moved);
        let change = graph.add(moved, by_time);
        graph.neg(change)
    };
    e.constraint_velocity.iter().map(|&rate| along(rate)).collect()
}

impl ConstraintProjection for Ggl {
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown> {
        self.constraints.read(&mut self.metric, t, y)?;
        Ok(self.constraints.constraint_errors(y))
    }

    fn correct(&mut self, level: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown> {
        self.correction.correct(&mut self.metric, level, y)
    }

    fn worst(&mut self) -> Miss {
        self.constraints.worst(&self.base.input)
    }
}

impl Formulation for Ggl {
    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let Self { base: Base { input, found }, motion, metric, correction, rates, .. } = self;
        input.evaluator.set_joined_state(t, y);
        metric.evaluator.set_joined_state(t, y);
        let Solution { accelerations: changes, multipliers, .. } =
            correction.solve(metric, ConstraintLevel::Velocity)?;
        let velocities = y[rates.len()..].iter();
        for ((rate, velocity), change) in rates.iter_mut().zip(velocities).zip(changes) {
            *rate = velocity + change;
        }
        input.evaluator.set_reactions(rates, multipliers);
        motion.solve(input, found)?;
        self.base.fill_rate(y, rate)?;
        rate[..rates.len()].copy_from_slice(rates);
        Ok(())
    }

    /// With K b the shortest change, measured by W, that answers Φq δ = b, and L b that measured by M:
    /// δq̇ = δv − K δΦ̇, and δv̇ is that of the motion without μ and L ∂Φ̇/∂q K δΦ̇.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        let Self { base, metric, correction, constraints, plain, sensitivity, .. } = self;
        let plain = plain.get_or_insert_with(|| KktFormulation::plain(base.input.clone()));
        plain.jacobian(t, y, tangent, jacobian)?;
        constraints.read(metric, t, y)?;
        constraints.read_slopes(metric);
        correction.factor_velocities(metric)?;
        let [upper, error, lower] = &mut self.column;
        let solve = |right: &[f64], change: &mut [f64]| {
            change.fill(0.0);
            lower.copy_from_slice(right);
            correction.velocities.solve_with_factors(change, lower);
        };
        let (n, size) = (upper.len(), y.len());
        constraints.sensitivity(ConstraintLevel::Velocity, size, sensitivity, solve);
        for column in 0..size {
            for (error, slopes) in error.iter_mut().zip(constraints.rate_slopes.chunks_exact(n)) {
                let answer = (0..n).map(|k| sensitivity[k * size + column]);
                *error = slopes.iter().zip(answer).map(|(a, b)| a * b).sum();
            }
            upper.fill(0.0);
            plain.solver.solve_with_factors(upper, error);
            for (row, change) in upper.iter().enumerate() {
                jacobian[row * size + column] -= sensitivity[row * size + column];
                jacobian[(n + row) * size + column] += change;
            }
        }
        Ok(())
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn begin(&mut self, parameters: &[f64]) {
        self.base.begin(parameters);
        self.metric.begin(parameters);
        self.motion.begin();
        self.correction.begin();
        if let Some(plain) = &mut self.plain {
            plain.begin(parameters);
        }
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.project(t, y)
    }

    fn remarks(&self) -> Vec<String> {
        self.motion.remarks()
    }
}
