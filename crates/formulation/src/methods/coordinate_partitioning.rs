//! Coordinate partitioning: some coordinates move freely, the constraints determine the others.
//!
//! # Equations
//! Full pivoting of $\Phi_q$, with the columns of angles made small, splits q into dependent coordinates u, with a regular block $\Phi_u$, and
//! independent ones w. At every evaluation
//! $$\Phi_u\,\delta u = -\Phi\ \text{until}\ \Phi = 0,\qquad \Phi_u\,\dot u = -\Phi_t - \Phi_w\dot w,$$
//! and accelerations and λ are those of `multipliers` there: the motion is an ordinary differential
//! equation for w and ẇ alone. The state stays (q, v, z) all the same. What an integrator has found for u
//! is where Newton's method begins, dense output and error control see every coordinate, and a state
//! means the same under every partition.
//!
//! δu and u̇ are found as the shortest changes that remove Φ and Φ̇ when w is too heavy to move, by the
//! same elimination as everything else.
//!
//! After a step the entries of $\Phi_u^{-1}\Phi_w$, the rates of u for a unit of ẇ, are examined. Where
//! the largest has grown by half (from 1, if it was smaller), the coordinates are chosen anew as the next
//! step begins, so that a step has one partition.
//!
//! For implicit integrators the derivative is that of `multipliers` behind the derivative of the two
//! equations above: exact at any state.
//!
//! # When to choose it
//! Long runs with constraints where every stage of a step, not only its end, should satisfy them: no
//! drift, no parameter. An evaluation costs two to four solutions in the place of one. Angles become
//! independent before positions do, whatever the unit of length: the x and y of what turns follow its
//! angle, and no partition has to change as it turns.
//!
//! # Reference
//! R. A. Wehage, E. J. Haug, *Generalized coordinate partitioning for dimension reduction in analysis of
//! constrained dynamic systems*, 1982

use crate::catalogue::needs_constraints;
use crate::solvers::constraint_projection::{
    ConstraintErrors, ConstraintLevel, ConstraintProjection, Miss,
};
use crate::solvers::constraint_values::{ConstraintValues, behind_projection};
use crate::solvers::kkt::Metric;
use crate::solvers::kkt_formulation::KktFormulation;
use crate::solvers::mass_orthogonal::MassOrthogonal;
use crate::solvers::rotation_metric::{ROTATION_WEIGHT, is_mixed, squared_levers};
use crate::{Approximation, Base, Breakdown, Entry, Formulation, FormulationInput, Tangent};
use catena_compile::{Evaluator, Functions};
use catena_linear::ColumnPartition;
use catena_model::CoordinateSet;
use std::sync::Arc;

pub(crate) static ENTRY: Entry = Entry {
    name: "coordinate-partitioning",
    summary: "independent coordinates move, the others follow from the constraints",
    reference: "Wehage, Haug 1982",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    corrects_states: true,
    rhs_program: |_| None,
    build: |input| Box::new(CoordinatePartitioning::new(input)),
};

/// A partition is good until the dependent coordinates have become this much faster relative to the independent
/// ones.
const MAX_GROWTH_OF_SPREAD: f64 = 1.5;
/// Next to dependent coordinates of mass 1 those of this mass do not move by one bit.
const INDEPENDENT_MASS: f64 = 1e30;

#[derive(Clone)]
struct CoordinatePartitioning {
    motion: KktFormulation,
    /// The system with masses of its own: 1 for dependent coordinates, `INDEPENDENT_MASS` for independent ones.
    weighted: FormulationInput,
    /// δu for Φ, δu̇ for Φ̇.
    correction: MassOrthogonal,
    constraints: ConstraintValues,
    partition: ColumnPartition,
    choice: Choice,

    // Workspace.
    /// The consistent state.
    y: Vec<f64>,
    weights: Vec<f64>,
    /// Φq with the columns of angles made small; empty where there are only angles, or none.
    scaled: Vec<f64>,
    before: Vec<usize>,
    sensitivity: Vec<f64>,
    part: Vec<f64>,
}

/// Which coordinates are independent, and how that came about.
#[derive(Clone)]
struct Choice {
    /// Whether there is one.
    chosen: bool,
    /// The largest entry of Φu⁻¹Φw that it may have.
    limit: f64,
    /// The end of the last step it is good for, s.
    expires_after: Option<f64>,
    /// The end of the last step that was examined, s. States between steps change nothing, or the rows
    /// of a table would have a say in the motion.
    examined: f64,
    /// How often other coordinates became independent, and when first, s.
    changes: u64,
    first_change: f64,
}

impl Choice {
    /// Before the first one.
    const NONE: Choice = Choice {
        chosen: false,
        limit: 0.0,
        expires_after: None,
        examined: f64::NEG_INFINITY,
        changes: 0,
        first_change: 0.0,
    };
}

impl CoordinatePartitioning {
    fn new(input: FormulationInput) -> CoordinatePartitioning {
        let weighted = weighted(&input);
        let functions = weighted.evaluator.functions().clone();
        let (n, m) = (functions.sizes.coordinates, functions.sizes.constraints);
        let motion = KktFormulation::plain(input);
        CoordinatePartitioning {
            correction: MassOrthogonal::new(&functions, Metric::Weights),
            constraints: ConstraintValues::new(&functions),
            partition: ColumnPartition::new(m, n),
            choice: Choice::NONE,
            y: vec![0.0; motion.state_len()],
            weights: vec![1.0; n],
            scaled: vec![0.0; if is_mixed(&weighted.rotations) { m * n } else { 0 }],
            before: Vec::with_capacity(n),
            sensitivity: Vec::new(),
            part: vec![0.0; n],
            weighted,
            motion,
        }
    }

    /// Writes the consistent state that belongs to y into `self.y`; returns whether it differs.
    fn make_consistent(&mut self, t: f64, y: &[f64]) -> Result<bool, Breakdown> {
        let fresh = !self.choice.chosen || self.choice.expires_after.is_some_and(|end| t > end);
        if fresh {
            self.choose(t, y)?;
        }
        match self.project_copy(t, y) {
            // a step too long for the partition it began with; another may serve
            Err(_) if !fresh => {
                self.choose(t, y)?;
                self.project_copy(t, y)
            }
            result => result,
        }
    }

    /// Projects a copy of y, in `self.y`.
    fn project_copy(&mut self, t: f64, y: &[f64]) -> Result<bool, Breakdown> {
        let mut copy = std::mem::take(&mut self.y);
        copy.copy_from_slice(y);
        let projected = self.project(t, &mut copy);
        self.y = copy;
        projected
    }

    /// Chooses the coordinates for a pose.
    fn choose(&mut self, t: f64, y: &[f64]) -> Result<(), Breakdown> {
        let Self { weighted, constraints, partition, weights, scaled, before, choice, .. } = self;
        constraints.read(weighted, t, y)?;
        before.clear();
        before.extend_from_slice(partition.independent());
        if scaled.is_empty() {
            partition.choose(&constraints.jacobian);
        } else {
            // the weights are not yet those of this choice: they hold the levers
            squared_levers(&constraints.jacobian, &weighted.rotations, weights);
            let columns = weighted.rotations.iter().zip(weights.iter()).cycle();
            for ((scaled, entry), (turns, lever)) in
                scaled.iter_mut().zip(&constraints.jacobian).zip(columns)
            {
                let length = ROTATION_WEIGHT * (1.0 + lever).sqrt();
                *scaled = if *turns { entry / length } else { *entry };
            }
            partition.choose(scaled);
        }
        if !partition.factor(&constraints.jacobian) {
            return Err(singular(weighted));
        }
        weights.fill(1.0);
        partition.independent().iter().for_each(|&column| weights[column] = INDEPENDENT_MASS);
        weighted.evaluator.set_reactions(weights, &constraints.values);
        choice.limit = MAX_GROWTH_OF_SPREAD * partition.spread(&constraints.jacobian).max(1.0);
        if choice.chosen && before != partition.independent() {
            if choice.changes == 0 {
                choice.first_change = t;
            }
            choice.changes += 1;
        }
        (choice.chosen, choice.expires_after) = (true, None);
        Ok(())
    }
}

/// The same constraints on coordinates whose masses are read in the place of accelerations.
fn weighted(input: &FormulationInput) -> FormulationInput {
    let mut equations = input.evaluator.functions().equations.clone();
    let masses = equations.accelerations.iter().enumerate();
    equations.mass_matrix = masses.map(|(at, &mass)| (at, at, mass)).collect();
    let functions = Arc::new(Functions::new(equations));
    let mut weighted = input.clone();
    weighted.evaluator = Evaluator::new(functions, input.evaluator.parameters());
    weighted
}

fn singular(input: &FormulationInput) -> Breakdown {
    let time = input.evaluator.time();
    let cause = format!("constraints become dependent near t = {time} s");
    Breakdown::Singular { matrix: "the block of the dependent coordinates", cause }
}

impl ConstraintProjection for CoordinatePartitioning {
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown> {
        self.constraints.read(&mut self.weighted, t, y)?;
        Ok(self.constraints.constraint_errors(y))
    }

    fn correct(&mut self, level: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown> {
        self.correction.correct(&mut self.weighted, level, y)
    }

    fn worst(&mut self) -> Miss {
        self.constraints.worst(&self.weighted)
    }
}

impl Formulation for CoordinatePartitioning {
    fn base(&self) -> &Base {
        self.motion.base()
    }

    fn base_mut(&mut self) -> &mut Base {
        self.motion.base_mut()
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.make_consistent(t, y)?;
        self.motion.derivative(t, &self.y, rate)
    }

    /// J of the motion, behind the velocities that follow, behind the positions that follow.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.make_consistent(t, y)?;
        self.motion.jacobian(t, &self.y, tangent, jacobian)?;
        let Self { weighted, constraints, partition, sensitivity, part, .. } = self;
        constraints.read(weighted, t, &self.y)?;
        constraints.read_slopes(weighted);
        if !partition.factor(&constraints.jacobian) {
            return Err(singular(weighted));
        }
        for (level, first) in
            [(ConstraintLevel::Velocity, part.len()), (ConstraintLevel::Position, 0)]
        {
            constraints.sensitivity(level, y.len(), sensitivity, |error, change| {
                partition.solve(error, change);
            });
            behind_projection(jacobian, first, sensitivity, part);
        }
        Ok(())
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn begin(&mut self, parameters: &[f64]) {
        self.motion.begin(parameters);
        self.weighted.begin(parameters);
        self.correction.begin();
        self.choice = Choice::NONE;
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        let moved = self.make_consistent(t, y)?;
        y.copy_from_slice(&self.y);
        let choice = &mut self.choice;
        if t > choice.examined {
            choice.examined = t;
            let jacobian = &self.constraints.jacobian;
            let fits =
                self.partition.factor(jacobian) && self.partition.spread(jacobian) <= choice.limit;
            choice.expires_after = (!fits).then_some(t);
        }
        Ok(moved)
    }

    fn remarks(&self) -> Vec<String> {
        let names = &self.motion.base.input.coordinates;
        let independent = self.partition.independent().iter().map(|&at| format!("`{}`", names[at]));
        let Choice { changes, first_change, .. } = self.choice;
        let changed = (changes > 0).then(|| {
            format!(
                "the partition changed {changes} time{}, first at t = {first_change} s; \
                 independent in the end: {}",
                if changes == 1 { "" } else { "s" },
                independent.collect::<Vec<_>>().join(", ")
            )
        });
        changed.into_iter().chain(self.motion.remarks()).collect()
    }
}
