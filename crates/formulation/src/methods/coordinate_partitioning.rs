//! Coordinate partitioning: some coordinates move freely, the constraints say where the others are.
//!
//! # Equations
//! Full pivoting of $\Phi_q$ splits q into dependent coordinates u, with a regular block $\Phi_u$, and
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
//! After a step the entries of $\Phi_u^{-1}\Phi_w$, the rates of u for a unit of ẇ, are looked at. Where
//! the largest has grown by half (from 1, if it was smaller), the coordinates are chosen anew as the next
//! step begins, so that a step has one partition.
//!
//! For implicit integrators the derivative is that of `multipliers` behind the derivative of the two
//! equations above: exact at any state.
//!
//! # When to choose it
//! Long runs with constraints where every stage of a step, not only its end, should satisfy them: no
//! drift, no parameter. An evaluation costs two to four solutions in the place of one. Pivoting sees
//! numbers, not what they measure: in large units of length positions become independent, which turn
//! worse more often than angles do.
//!
//! # Reference
//! R. A. Wehage, E. J. Haug, *Generalized coordinate partitioning for dimension reduction in analysis of
//! constrained dynamic systems*, 1982

use crate::methods::multipliers::Multipliers;
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::constraint_values::{ConstraintValues, Level, through_correction};
use crate::solvers::kkt::KktSolver;
use crate::{Breakdown, Entry, Formulation, FormulationInput, Tangent, needs_constraints};
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
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    rhs_program: |_| None,
    build: |input| Box::new(CoordinatePartitioning::new(input)),
};

/// Dependent coordinates may become this much faster beside the independent ones.
const WORSE: f64 = 1.5;
/// Beside dependent coordinates of mass 1 those of this mass do not move by one bit.
const HEAVY: f64 = 1e30;

#[derive(Clone)]
struct CoordinatePartitioning {
    motion: Multipliers,
    /// The system with masses of its own: 1 for dependent coordinates, `HEAVY` for independent ones.
    weighted: FormulationInput,
    /// δu for Φ, δu̇ for Φ̇.
    corrections: [BlockElimination; 2],
    levels: ConstraintValues,
    partition: ColumnPartition,

    choice: Choice,

    // Workspace.
    /// The consistent state.
    y: Vec<f64>,
    weights: Vec<f64>,
    before: Vec<usize>,
    answers: Vec<f64>,
    part: Vec<f64>,
}

/// Which coordinates are independent, and how that came about.
#[derive(Clone)]
struct Choice {
    /// Whether there is one.
    chosen: bool,
    /// The largest entry of Φu⁻¹Φw that it may have.
    limit: f64,
    /// The step that ended here was the last one it is good for.
    outworn: Option<f64>,
    /// The end of the last step that was looked at. States between steps change nothing, or the rows
    /// of a table would have a say in the motion.
    examined: f64,
    changes: u64,
    first_change: f64,
}

impl Choice {
    /// Before the first one.
    const NONE: Choice = Choice {
        chosen: false,
        limit: 0.0,
        outworn: None,
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
        let motion = Multipliers::plain(input);
        CoordinatePartitioning {
            corrections: BlockElimination::corrections(&functions),
            levels: ConstraintValues::new(&functions),
            partition: ColumnPartition::new(m, n),
            choice: Choice::NONE,
            y: vec![0.0; motion.state_len()],
            weights: vec![1.0; n],
            before: Vec::with_capacity(n),
            answers: Vec::new(),
            part: vec![0.0; n],
            weighted,
            motion,
        }
    }

    /// Writes the consistent state that belongs to y into `self.y`; returns whether it differs.
    fn make_consistent(&mut self, t: f64, y: &[f64]) -> Result<bool, Breakdown> {
        let fresh = !self.choice.chosen || self.choice.outworn.is_some_and(|end| t > end);
        if fresh {
            self.choose(t, y)?;
        }
        match self.project(t, y) {
            // a step too long for the partition it began with; another may serve
            Err(_) if !fresh => {
                self.choose(t, y)?;
                self.project(t, y)
            }
            result => result,
        }
    }

    fn project(&mut self, t: f64, y: &[f64]) -> Result<bool, Breakdown> {
        let Self { weighted, corrections, levels, .. } = self;
        self.y.copy_from_slice(y);
        levels.project(weighted, t, &mut self.y, |weighted, _, level, part| {
            let correction = &mut corrections[level as usize];
            correction.solve(weighted)?;
            let changes = &correction.solution().accelerations;
            part.iter_mut().zip(changes).for_each(|(entry, change)| *entry += change);
            Ok(())
        })
    }

    /// Chooses the coordinates for a pose.
    fn choose(&mut self, t: f64, y: &[f64]) -> Result<(), Breakdown> {
        let Self { weighted, levels, partition, weights, before, choice, .. } = self;
        levels.read(weighted, t, y)?;
        before.clear();
        before.extend_from_slice(partition.independent());
        partition.choose(&levels.jacobian);
        if !partition.factor(&levels.jacobian) {
            return Err(singular(weighted));
        }
        weights.fill(1.0);
        partition.independent().iter().for_each(|&column| weights[column] = HEAVY);
        weighted.evaluator.set_reactions(weights, &levels.values);
        choice.limit = WORSE * partition.spread(&levels.jacobian).max(1.0);
        if choice.chosen && before != partition.independent() {
            if choice.changes == 0 {
                choice.first_change = t;
            }
            choice.changes += 1;
        }
        (choice.chosen, choice.outworn) = (true, None);
        Ok(())
    }
}

/// The same constraints on coordinates whose masses are read in the place of accelerations.
fn weighted(input: &FormulationInput) -> FormulationInput {
    let mut equations = input.evaluator.functions().equations.clone();
    let masses = equations.accelerations.iter().enumerate();
    equations.mass_matrix = masses.map(|(at, &mass)| (at, at, mass)).collect();
    let parameters = input.evaluator.parameters();
    FormulationInput {
        evaluator: Evaluator::new(Arc::new(Functions::new(equations)), parameters),
        ..input.clone()
    }
}

fn singular(input: &FormulationInput) -> Breakdown {
    let time = input.evaluator.time();
    let cause = format!("constraints become dependent near t = {time} s");
    Breakdown::Singular { matrix: "the block of the dependent coordinates", cause }
}

impl Formulation for CoordinatePartitioning {
    fn begin(&mut self, parameters: &[f64]) {
        self.motion.begin(parameters);
        self.weighted.evaluator.set_parameters(parameters);
        self.corrections.iter_mut().for_each(KktSolver::begin);
        self.choice = Choice::NONE;
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn state_len(&self) -> usize {
        self.motion.state_len()
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        self.motion.pack(q, v, states, y);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        self.motion.unpack(y, q, v, states);
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
        let Self { weighted, levels, partition, answers, part, .. } = self;
        levels.read(weighted, t, &self.y)?;
        levels.read_slopes(weighted);
        if !partition.factor(&levels.jacobian) {
            return Err(singular(weighted));
        }
        for (level, first) in [(Level::Velocities, part.len()), (Level::Positions, 0)] {
            levels.answers(level, y.len(), answers, |error, change| partition.solve(error, change));
            through_correction(jacobian, first, answers, part);
        }
        Ok(())
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        let moved = self.make_consistent(t, y)?;
        y.copy_from_slice(&self.y);
        let choice = &mut self.choice;
        if t > choice.examined {
            choice.examined = t;
            let jacobian = &self.levels.jacobian;
            let fits =
                self.partition.factor(jacobian) && self.partition.spread(jacobian) <= choice.limit;
            choice.outworn = (!fits).then_some(t);
        }
        Ok(moved)
    }

    fn accelerations(&self) -> &[f64] {
        self.motion.accelerations()
    }

    fn multipliers(&self) -> &[f64] {
        self.motion.multipliers()
    }

    fn remarks(&self) -> Vec<String> {
        let names = &self.motion.input.coordinates;
        let independent = self.partition.independent().iter().map(|&at| format!("`{}`", names[at]));
        let Choice { changes, first_change, .. } = self.choice;
        let changed = (changes > 0).then(|| {
            format!(
                "the partition changed {changes} time{}, first at t = {first_change} s; independent in the end: {}",
                if changes == 1 { "" } else { "s" },
                independent.collect::<Vec<_>>().join(", ")
            )
        });
        changed.into_iter().chain(self.motion.remarks()).collect()
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        self.motion.evaluator()
    }
}
