//! The recursive formulation of mechanisms: joint coordinates inside, x, y and angle of every body outside.
//!
//! Joints of the tree cannot come apart. All other constraints are cut constraints: their multipliers make them
//! true at the level of accelerations, and after each step joint coordinates and their rates are projected onto
//! them, by the changes that are shortest in the metric of the masses. Multipliers of the tree's joints
//! follow from the forces in them, so that everybody else sees what other formulations show.

use crate::base::{Base, Solution};
use crate::input::{magnitude_bounds, not_finite};
use crate::solvers::constraint_projection::{
    ConstraintErrors, ConstraintLevel, ConstraintProjection, Miss, worst_of,
};
use crate::tree::coordinates::{TreeBody, TreeCoordinates, Turned, dot, perpendicular};
use crate::tree::functions::TreeFunctions;
use crate::tree::loop_closure::LoopClosure;
use crate::tree::recursion::TreeRecursion;
use crate::tree::tangent::TreeTangent;
use crate::{Breakdown, Formulation, FormulationInput, Tangent};
use catena_compile::{sine_and_cosine, sines_and_cosines};
use catena_model::Mechanism;

/// The motion of a tree with cut constraints.
#[derive(Clone)]
pub(crate) struct RecursiveMechanism {
    base: Base,
    tree: TreeCoordinates,
    /// What the tree's coordinates are called.
    names: Vec<String>,
    /// Name of each body in the tree and of the joint it hangs in, for messages.
    parent_joints: Vec<String>,
    recursion: TreeRecursion,
    loops: LoopClosure,
    /// Constraints that the tree does not keep, with the columns of their entries in Φq.
    cuts: Vec<(usize, Vec<usize>)>,
    /// Where the multipliers of each joint begin.
    first_constraints: Vec<usize>,
    functions: TreeFunctions,
    tangent: Option<TreeTangent>,

    // The state in the coordinates of the bodies.
    q: Vec<f64>,
    v: Vec<f64>,
    angles: Vec<f64>,
    sines: Vec<f64>,
    cosines: Vec<f64>,
    turned: Vec<Turned>,

    // What was found.
    forces: Vec<f64>,
    /// Second derivatives of the tree's coordinates.
    rates: Vec<f64>,
    /// γ of the cut constraints.
    gamma: Vec<f64>,
    /// Φ and Φ̇ of the cut constraints.
    errors: [Vec<f64>; 2],
    /// Corrections of the bodies' coordinates and of the tree's.
    changes: [Vec<f64>; 2],
    /// The state with rates that satisfy the cut constraints, once the motion has met a singular pose: near one
    /// accelerations answer to errors of velocities all the more.
    consistent: Vec<f64>,
}

impl RecursiveMechanism {
    pub(crate) fn new(input: FormulationInput, mechanism: &Mechanism) -> RecursiveMechanism {
        let sizes = input.evaluator.sizes();
        let tree = TreeCoordinates::new(&input, mechanism);
        let masses = masses(&input, mechanism);
        let mut first_constraints = Vec::new();
        let mut count = 0;
        for joint in &mechanism.joints {
            first_constraints.push(count);
            count += joint.kind.constraints().len();
        }
        let mut kept = vec![false; sizes.constraints];
        let parent_joints = tree.bodies.iter().filter_map(|body| body.parent_joint.as_ref());
        for joint in parent_joints.map(|parent_joint| parent_joint.joint) {
            let rows = mechanism.joints[joint].kind.constraints().len();
            kept[first_constraints[joint]..][..rows].fill(true);
        }
        let entries = &input.evaluator.functions().equations.constraint_jacobian.entries;
        let cuts: Vec<(usize, Vec<usize>)> = (0..sizes.constraints)
            .filter(|&row| !kept[row])
            .map(|row| {
                let own = entries.iter().filter(|entry| entry.0 == row);
                (row, own.map(|entry| entry.1).collect())
            })
            .collect();
        let loops = LoopClosure::new(&tree, &masses, &cuts);
        let bodies = mechanism.bodies.len();
        RecursiveMechanism {
            names: tree.names(mechanism),
            parent_joints: parent_joint_names(&tree, mechanism),
            recursion: TreeRecursion::new(&tree, &masses),
            functions: TreeFunctions::new(&input, &loops.constraints),
            tangent: None,
            cuts,
            first_constraints,
            q: vec![0.0; 3 * bodies],
            v: vec![0.0; 3 * bodies],
            angles: vec![0.0; bodies],
            sines: vec![0.0; bodies],
            cosines: vec![0.0; bodies],
            turned: vec![Turned::default(); bodies],
            forces: vec![0.0; 3 * bodies],
            rates: vec![0.0; tree.count],
            gamma: vec![0.0; loops.constraints.len()],
            errors: [(); 2].map(|()| vec![0.0; loops.constraints.len()]),
            changes: [vec![0.0; 3 * bodies], vec![0.0; tree.count]],
            consistent: Vec::new(),
            loops,
            tree,
            base: Base::new(input),
        }
    }

    /// Coordinates, rates and first-order states in y.
    fn parts<'a>(&self, y: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        let (u, rest) = y.split_at(self.tree.count);
        let (w, states) = rest.split_at(self.tree.count);
        (u, w, states)
    }

    /// Finds where the bodies are and writes it down.
    fn place(&mut self, t: f64, y: &[f64]) {
        let (u, w, states) = self.parts(y);
        let Self { tree, q, v, angles, sines, cosines, turned, .. } = self;
        tree.turn(u, 1.0, q);
        for (angle, own) in angles.iter_mut().zip(q.chunks_exact(3)) {
            *angle = own[2];
        }
        sines_and_cosines(angles, sines, cosines);
        tree.walk([u, w], q, v, |place, parent_joint, _| {
            let body = &tree.bodies[place];
            let known = |body: usize| (sines[body], cosines[body]);
            let parent = body.parent.map_or((0.0, 1.0), known);
            turned[place] = parent_joint.turned([parent, known(body.body)]);
            turned[place]
        });
        self.base.input.evaluator.set_state(t, q, v, states);
    }

    /// Eliminates the freedoms of the tree at the place that was found.
    fn factor(&mut self, w: &[f64]) -> Result<(), Breakdown> {
        self.recursion.pose(&self.tree, &self.turned, [&self.q, &self.v], w);
        self.recursion.factor().map_err(|place| {
            let names = &self.base.input.coordinates;
            not_finite(&self.q, names, "the coordinate").unwrap_or_else(|| Breakdown::Singular {
                matrix: "the inertia of the tree",
                cause: format!("nothing resists a motion of {}", self.parent_joints[place]),
            })
        })
    }

    /// Forces on the bodies, γ and G of the cut constraints and ż at the place that was found.
    fn read_motion(&mut self) -> Result<(), Breakdown> {
        let Base { input, found } = &mut self.base;
        let results = input.evaluator.run(&self.functions.motion);
        let (forces, rest) = results.split_at(self.forces.len());
        let (gamma, rest) = rest.split_at(self.gamma.len());
        let (slopes, state_rates) = rest.split_at(self.loops.values.len());
        self.forces.copy_from_slice(forces);
        self.gamma.copy_from_slice(gamma);
        self.loops.values.copy_from_slice(slopes);
        found.state_rates.copy_from_slice(state_rates);
        not_finite(&self.forces, &input.coordinates, "the force on").map_or(Ok(()), Err)
    }

    /// ẏ; keeps what it found.
    fn find_rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.tree.count;
        self.place(t, y);
        self.read_motion()?;
        self.factor(&y[n..2 * n])?;
        let Self { base: Base { input, found }, recursion, loops, forces, rates, .. } = self;
        if !loops.is_empty() {
            loops.check(input, &self.gamma)?;
            recursion.solve(forces, true, &mut found.accelerations, rates);
            for (cut, gamma) in self.gamma.iter().enumerate() {
                loops.multipliers[cut] = loops.along(cut, &found.accelerations) - gamma;
            }
            loops.factor(recursion, input)?;
            loops.solve();
            loops.pull(forces);
        }
        recursion.solve(forces, true, &mut found.accelerations, rates);
        input.check_finite(&found.accelerations, &found.state_rates)?;
        rate[..n].copy_from_slice(&y[n..2 * n]);
        rate[n..2 * n].copy_from_slice(rates);
        rate[2 * n..].copy_from_slice(&found.state_rates);
        self.find_multipliers();
        Ok(())
    }

    /// Multipliers of the tree's joints from the forces in them.
    fn find_multipliers(&mut self) {
        let Solution { accelerations, multipliers, .. } = &mut self.base.found;
        for (&constraint, multiplier) in self.loops.constraints.iter().zip(&self.loops.multipliers)
        {
            multipliers[constraint] = *multiplier;
        }
        self.recursion.find_joint_forces(&self.forces, accelerations);
        for (place, body) in self.tree.bodies.iter().enumerate() {
            let Some(parent_joint) = &body.parent_joint else { continue };
            let [x, y, moment] =
                self.recursion.joint_force(place).map(|part| -parent_joint.sign() * part);
            let multipliers = &mut multipliers[self.first_constraints[parent_joint.joint]..];
            let across = perpendicular(self.turned[place].axis);
            let forces = match parent_joint.slides() {
                true => &[dot(across, [x, y])][..],
                false => &[x, y],
            };
            multipliers[..forces.len()].copy_from_slice(forces);
            if !parent_joint.turns() {
                multipliers[forces.len()] = moment;
            }
        }
    }
}

impl ConstraintProjection for RecursiveMechanism {
    /// Those of the cut constraints.
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown> {
        self.place(t, y);
        let Self { base: Base { input, .. }, loops, errors, functions, .. } = self;
        let drift = functions.drift(input, &loops.constraints);
        let m = loops.constraints.len();
        let results = input.evaluator.run(drift);
        errors[0].copy_from_slice(&results[..m]);
        errors[1].copy_from_slice(&results[m..2 * m]);
        loops.values.copy_from_slice(&results[2 * m..]);
        for errors in errors.iter() {
            loops.check(input, errors)?;
        }
        let [values, rates] = &self.errors;
        Ok(ConstraintErrors::new([values, rates], &self.q, &self.v))
    }

    fn correct(&mut self, level: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.tree.count;
        self.factor(&y[n..2 * n])?;
        self.loops.factor(&mut self.recursion, &mut self.base.input)?;
        self.loops.multipliers.copy_from_slice(&self.errors[level as usize]);
        self.loops.solve();
        self.forces.fill(0.0);
        self.loops.pull(&mut self.forces);
        let [bodies, own] = &mut self.changes;
        self.recursion.solve(&self.forces, false, bodies, own);
        for (entry, change) in y[level as usize * n..].iter_mut().zip(own) {
            *entry += *change;
        }
        Ok(())
    }

    fn has_met_singular_pose(&self) -> bool {
        self.loops.has_met_singular_pose
    }

    fn worst(&mut self) -> Miss {
        let names = &self.base.input.constraints;
        worst_of(&self.errors[0], |cut| &names[self.loops.constraints[cut]])
    }
}

/// Mass and moment of inertia of every body.
fn masses(input: &FormulationInput, mechanism: &Mechanism) -> Vec<[f64; 2]> {
    let value = |name: &String| input.parameter(name).unwrap_or(f64::NAN);
    mechanism.bodies.iter().map(|body| [value(&body.mass), value(&body.inertia)]).collect()
}

/// Bodies and their parent joints as messages name them.
fn parent_joint_names(tree: &TreeCoordinates, mechanism: &Mechanism) -> Vec<String> {
    let name = |body: &TreeBody| {
        let own = &mechanism.bodies[body.body].name;
        match &body.parent_joint {
            Some(parent_joint) => {
                let joint = &mechanism.joints[parent_joint.joint].name;
                format!(
                    "the body `{own}` in the joint `{joint}`, where neither it nor what it carries \
                     has inertia; `projection` and `augmented-lagrangian` let loops decide that"
                )
            }
            None => format!("the free body `{own}`: it needs mass and inertia"),
        }
    };
    tree.bodies.iter().map(name).collect()
}

impl Formulation for RecursiveMechanism {
    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        if !self.loops.has_met_singular_pose {
            return self.find_rate(t, y, rate);
        }
        let mut consistent = std::mem::take(&mut self.consistent);
        consistent.resize(y.len(), 0.0);
        consistent.copy_from_slice(y);
        let corrected = self
            .errors(t, &consistent)
            .and_then(|_| self.correct(ConstraintLevel::Velocity, &mut consistent));
        let found = corrected.and_then(|()| self.find_rate(t, &consistent, rate));
        self.consistent = consistent;
        found
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.place(t, y);
        let tangent =
            self.tangent.get_or_insert_with(|| TreeTangent::new(&self.base.input, &self.tree));
        tangent.jacobian(t, y, &self.tree, &self.turned, [&self.q, &self.v], jacobian)
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn begin(&mut self, parameters: &[f64]) {
        self.base.begin(parameters);
        let input = &self.base.input;
        if let Some(mechanism) = &input.model.mechanism {
            let masses = masses(input, mechanism);
            self.tree = TreeCoordinates::new(input, mechanism);
            self.recursion = TreeRecursion::new(&self.tree, &masses);
            self.loops = LoopClosure::new(&self.tree, &masses, &self.cuts);
        }
        if let Some(tangent) = &mut self.tangent {
            tangent.begin(parameters);
        }
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        if self.loops.is_empty() {
            return Ok(false);
        }
        self.project(t, y)
    }

    /// Where the motion came near a singular pose: there forces of cuts are wrong in directions in which the cuts then
    /// hold the state, and right in all others, because the way back is the shortest in the metric of the masses.
    fn discount_error(&mut self, t: f64, y: &[f64], error: &mut [f64]) {
        if !self.loops.has_met_singular_pose || self.errors(t, y).is_err() {
            return;
        }
        let n = self.tree.count;
        let mut moving = std::mem::take(&mut self.consistent);
        moving.resize(y.len(), 0.0);
        moving.copy_from_slice(y);
        for level in [ConstraintLevel::Position, ConstraintLevel::Velocity] {
            let begin = level as usize * n;
            moving[n..2 * n].copy_from_slice(&error[begin..begin + n]);
            self.place(t, &moving);
            for (cut, along) in self.errors[level as usize].iter_mut().enumerate() {
                *along = self.loops.along(cut, &self.v);
            }
            // what cannot be taken off counts
            if self.correct(level, error).is_err() {
                break;
            }
        }
        self.consistent = moving;
    }

    fn state_len(&self) -> usize {
        2 * self.tree.count + self.base.found.state_rates.len()
    }

    fn own_coordinates(&self) -> Option<&[String]> {
        Some(&self.names)
    }

    fn magnitude_bounds(&self) -> Vec<f64> {
        magnitude_bounds(&self.tree.rotations())
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        let (u, rest) = y.split_at_mut(self.tree.count);
        let (w, own_states) = rest.split_at_mut(self.tree.count);
        self.tree.read_off(q, v, u, w);
        own_states[..states.len()].copy_from_slice(states);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        let (u, w, own_states) = self.parts(y);
        self.tree.walk([u, w], q, v, |_, parent_joint, angles| {
            parent_joint.turned(angles.map(sine_and_cosine))
        });
        states.copy_from_slice(&own_states[..states.len()]);
    }

    fn remarks(&self) -> Vec<String> {
        self.loops.remarks()
    }
}
