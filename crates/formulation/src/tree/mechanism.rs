//! The recursive formulation of mechanisms: joint coordinates inside, x, y and angle of every body outside.
//!
//! Joints of the tree cannot come apart. Constraints beside them are cuts: their multipliers make them
//! true at the level of accelerations, and after each step joint coordinates and their rates return to
//! them, by the changes that are shortest in the metric of the masses. Multipliers of the tree's joints
//! follow from the forces in them, so that everybody else sees what other formulations show.

use crate::solvers::constraint_projection::ConstraintProjection;
use crate::solvers::constraint_values::{Level, largest};
use crate::tree::coordinates::{TreeBody, TreeCoordinates, Turned, dot, perpendicular};
use crate::tree::functions::TreeFunctions;
use crate::tree::loop_closure::LoopClosure;
use crate::tree::recursion::TreeRecursion;
use crate::tree::tangent::TreeTangent;
use crate::{Breakdown, Formulation, FormulationInput, Tangent, not_finite};
use catena_compile::{Evaluator, sine_and_cosine, sines_and_cosines};
use catena_model::Mechanism;

/// The motion of a tree with cuts.
#[derive(Clone)]
pub(crate) struct RecursiveMechanism {
    input: FormulationInput,
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
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    /// Second derivatives of the tree's coordinates.
    rates: Vec<f64>,
    state_rates: Vec<f64>,
    /// Of the cuts.
    gamma: Vec<f64>,
    /// Φ and Φ̇ of the cuts.
    errors: [Vec<f64>; 2],
    /// Corrections of the bodies' coordinates and of the tree's.
    changes: [Vec<f64>; 2],
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
        for joint in
            tree.bodies.iter().filter_map(|body| body.parent_joint.as_ref()).map(|h| h.joint)
        {
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
            accelerations: vec![0.0; 3 * bodies],
            multipliers: vec![0.0; sizes.constraints],
            rates: vec![0.0; tree.count],
            state_rates: vec![0.0; sizes.states],
            gamma: vec![0.0; loops.constraints.len()],
            errors: [(); 2].map(|()| vec![0.0; loops.constraints.len()]),
            changes: [vec![0.0; 3 * bodies], vec![0.0; tree.count]],
            loops,
            tree,
            input,
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
        self.input.evaluator.set_state(t, q, v, states);
    }

    /// Eliminates the freedoms of the tree at the place that was found.
    fn factor(&mut self, w: &[f64]) -> Result<(), Breakdown> {
        self.recursion.pose(&self.tree, &self.turned, [&self.q, &self.v], w);
        self.recursion.factor().map_err(|place| {
            let names = &self.input.coordinates;
            not_finite(&self.q, names, "the coordinate").unwrap_or_else(|| Breakdown::Singular {
                matrix: "the inertia of the tree",
                cause: format!("nothing resists a motion of {}", self.parent_joints[place]),
            })
        })
    }

    /// Multipliers of the tree's joints from the forces in their parent_joints.
    fn find_multipliers(&mut self) {
        for (&constraint, multiplier) in self.loops.constraints.iter().zip(&self.loops.multipliers)
        {
            self.multipliers[constraint] = *multiplier;
        }
        self.recursion.find_joint_forces(&self.forces, &self.accelerations);
        for (place, body) in self.tree.bodies.iter().enumerate() {
            let Some(parent_joint) = &body.parent_joint else { continue };
            let [x, y, moment] =
                self.recursion.joint_force(place).map(|part| -parent_joint.sign() * part);
            let multipliers = &mut self.multipliers[self.first_constraints[parent_joint.joint]..];
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
    /// Those of the cuts.
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<[f64; 2], Breakdown> {
        self.place(t, y);
        let Self { input, loops, errors, functions, .. } = self;
        let drift = functions.drift(input, &loops.constraints);
        let m = loops.constraints.len();
        let results = input.evaluator.run(drift);
        errors[0].copy_from_slice(&results[..m]);
        errors[1].copy_from_slice(&results[m..2 * m]);
        loops.values.copy_from_slice(&results[2 * m..]);
        for errors in &self.errors {
            self.loops.check(&self.input, errors)?;
        }
        let [values, rates] = &self.errors;
        Ok([largest(values) / (1.0 + largest(&self.q)), largest(rates) / (1.0 + largest(&self.v))])
    }

    fn correct(&mut self, level: Level, y: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.tree.count;
        self.factor(&y[n..2 * n])?;
        self.loops.factor(&mut self.recursion, &self.input);
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
}

/// Mass and moment of inertia of every body.
fn masses(input: &FormulationInput, mechanism: &Mechanism) -> Vec<[f64; 2]> {
    let value = |name: &String| input.parameter(name).unwrap_or(f64::NAN);
    mechanism.bodies.iter().map(|body| [value(&body.mass), value(&body.inertia)]).collect()
}

/// Names of bodies and their parent_joints as messages use them.
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
    fn begin(&mut self, parameters: &[f64]) {
        self.input.evaluator.set_parameters(parameters);
        if let Some(mechanism) = &self.input.model.mechanism {
            let masses = masses(&self.input, mechanism);
            self.tree = TreeCoordinates::new(&self.input, mechanism);
            self.recursion = TreeRecursion::new(&self.tree, &masses);
            self.loops = LoopClosure::new(&self.tree, &masses, &self.cuts);
        }
        for found in [&mut self.accelerations, &mut self.multipliers, &mut self.state_rates] {
            found.fill(0.0);
        }
        if let Some(tangent) = &mut self.tangent {
            tangent.begin(parameters);
        }
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn state_len(&self) -> usize {
        2 * self.tree.count + self.state_rates.len()
    }

    fn own_coordinates(&self) -> Option<&[String]> {
        Some(&self.names)
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

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.tree.count;
        self.place(t, y);
        let (forces, cuts) = (self.forces.len(), self.loops.constraints.len());
        let results = self.input.evaluator.run(&self.functions.motion);
        let (found, rest) = results.split_at(forces);
        let (gamma, rest) = rest.split_at(cuts);
        let (slopes, state_rates) = rest.split_at(self.loops.values.len());
        self.forces.copy_from_slice(found);
        self.gamma.copy_from_slice(gamma);
        self.loops.values.copy_from_slice(slopes);
        self.state_rates.copy_from_slice(state_rates);
        let broken = not_finite(&self.forces, &self.input.coordinates, "the force on");
        broken.map_or(Ok(()), Err)?;
        self.factor(&y[n..2 * n])?;
        if !self.loops.is_empty() {
            let Self { recursion, loops, forces, accelerations, rates, .. } = self;
            loops.check(&self.input, &self.gamma)?;
            recursion.solve(forces, true, accelerations, rates);
            for cut in 0..cuts {
                loops.multipliers[cut] = loops.along(cut, accelerations) - self.gamma[cut];
            }
            loops.factor(recursion, &self.input);
            loops.solve();
            loops.pull(forces);
        }
        let Self { recursion, forces, accelerations, rates, .. } = self;
        recursion.solve(forces, true, accelerations, rates);
        self.input.check_finite(&self.accelerations, &self.state_rates)?;
        self.find_multipliers();
        rate[..n].copy_from_slice(&y[n..2 * n]);
        rate[n..2 * n].copy_from_slice(&self.rates);
        rate[2 * n..].copy_from_slice(&self.state_rates);
        Ok(())
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        _tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.place(t, y);
        let tangent = self.tangent.get_or_insert_with(|| TreeTangent::new(&self.input, &self.tree));
        tangent.jacobian(t, y, &self.tree, &self.turned, [&self.q, &self.v], jacobian)
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        if self.loops.is_empty() {
            return Ok(false);
        }
        self.project(t, y)
    }

    fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    fn remarks(&self) -> Vec<String> {
        self.loops.remarks()
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.input.evaluator
    }
}
