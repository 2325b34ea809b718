//! ∂ẏ/∂y of the recursive formulation of mechanisms, for implicit integrators.
//!
//! # Equations
//! On the tree's joints the motion is that of `multipliers` in x, y and angle of every body, for any state
//! of the tree, whether or not it satisfies the cut constraints. So with $J$ of that formulation and the derivative
//! T of (q, v, z) by y, which the walk from parents to children gives,
//! $$\frac{\partial(\dot v,\dot z)}{\partial y} = J\,T,$$
//! whose rows are those of angles and free bodies. The second derivative of a sliding displacement is a function of
//! (q, v, v̇), differentiated on the graph.

use crate::methods::multipliers;
use crate::tree::coordinates::{TreeCoordinates, Turned, perpendicular, three};
use crate::{Breakdown, Formulation, FormulationInput, Tangent};
use catena_compile::Kernel;
use catena_symbolic::Expr;

/// The derivatives and their workspace.
#[derive(Clone)]
pub(crate) struct TreeTangent {
    /// The same motion in the coordinates of the bodies.
    absolute: Box<dyn Formulation>,
    /// Derivatives of the sliding displacements' second derivatives, as listed in `slopes`.
    displacements: Kernel,
    /// The coordinate of the tree and the column of (q, v, v̇) for each.
    slopes: Vec<(usize, usize)>,
    /// (q, v, z)
    state: Vec<f64>,
    /// J, row by row.
    inner: Vec<f64>,
    /// T and JT, column by column.
    columns: [Vec<f64>; 2],
    /// A direction in y.
    direction: Vec<f64>,
}

impl TreeTangent {
    pub(crate) fn new(input: &FormulationInput, tree: &TreeCoordinates) -> TreeTangent {
        let mut absolute = input.rebuilt(&multipliers::ENTRY);
        let functions = absolute.evaluator().functions().clone();
        let e = &functions.equations;
        let mut graph = e.graph.clone();
        let mut moving: Vec<(Expr, Expr)> =
            e.coordinates.iter().copied().zip(e.velocities.iter().copied()).collect();
        moving.extend(e.velocities.iter().copied().zip(e.accelerations.iter().copied()));
        let (places, positions): (Vec<usize>, Vec<Expr>) =
            displacements(input, tree, &e.definitions).unzip();
        let rates = graph.directional(&positions, &moving);
        let accelerations = graph.directional(&rates, &moving);
        let by = [e.coordinates.as_slice(), &e.velocities, &e.accelerations].concat();
        let listed = graph.jacobian(&accelerations, &by).entries;
        let values: Vec<Expr> = listed.iter().map(|entry| entry.2).collect();
        let size = absolute.state_len();
        TreeTangent {
            displacements: functions.compile(&graph, &[("slopes", &values)]),
            slopes: listed.iter().map(|&(row, column, _)| (places[row], column)).collect(),
            absolute,
            state: vec![0.0; size],
            inner: vec![0.0; size * size],
            columns: [vec![0.0; size], vec![0.0; size]],
            direction: Vec::new(),
        }
    }

    /// Ready for a motion with other parameters.
    pub(crate) fn begin(&mut self, parameters: &[f64]) {
        self.absolute.begin(parameters);
    }

    /// ∂ẏ/∂y, row by row, where the bodies have been found.
    pub(crate) fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tree: &TreeCoordinates,
        turned: &[Turned],
        [q, v]: [&[f64]; 2],
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        let (n, size, bodies) = (tree.count, y.len(), q.len());
        self.absolute.pack(q, v, &y[2 * n..], &mut self.state);
        self.absolute.jacobian(t, &self.state, Tangent::Full, &mut self.inner)?;
        let displacements = self.absolute.evaluator().run(&self.displacements);
        let [moved, answered] = &mut self.columns;
        jacobian.fill(0.0);
        self.direction.resize(size, 0.0);
        for column in 0..size {
            self.direction.fill(0.0);
            self.direction[column] = 1.0;
            vary(tree, turned, [y, &self.direction], v, moved);
            for (answer, row) in answered.iter_mut().zip(self.inner.chunks_exact(moved.len())) {
                *answer = row.iter().zip(moved.iter()).map(|(slope, change)| slope * change).sum();
            }
            let mut put = |row: usize, value: f64| jacobian[row * size + column] += value;
            if (n..2 * n).contains(&column) {
                put(column - n, 1.0);
            }
            for body in &tree.bodies {
                let own = bodies + 3 * body.body;
                if body.parent_joint.is_none() {
                    (0..2).for_each(|axis| put(n + body.first + axis, answered[own + axis]));
                }
                body.own_angle().into_iter().for_each(|at| put(n + at, answered[own + 2]));
            }
            for (&(at, by), slope) in self.slopes.iter().zip(displacements) {
                // q and v change as T says, v̇ as JT says
                let change = if by < 2 * bodies { moved[by] } else { answered[by - bodies] };
                put(n + at, slope * change);
            }
            (2 * n..size).for_each(|row| put(row, answered[2 * bodies + row - 2 * n]));
        }
        Ok(())
    }
}

/// Coordinates of the tree that are sliding displacements, each with its definition.
fn displacements<'a>(
    input: &'a FormulationInput,
    tree: &'a TreeCoordinates,
    bodies_of_definitions: &'a [Expr],
) -> impl Iterator<Item = (usize, Expr)> + 'a {
    let joints = input.model.mechanism.iter().flat_map(|mechanism| &mechanism.joints);
    let names: Vec<&String> = joints.map(|joint| &joint.name).collect();
    tree.bodies.iter().filter_map(move |body| {
        let at = body.displacement()?;
        let name = format!("{}_position", names[body.parent_joint.as_ref()?.joint]);
        let definitions = &input.model.own.definitions;
        let found = definitions.iter().position(|entry| entry.name == name)?;
        Some((at, bodies_of_definitions[found]))
    })
}

/// The change of (q, v, z) when y changes along a direction.
fn vary(
    tree: &TreeCoordinates,
    turned: &[Turned],
    [y, direction]: [&[f64]; 2],
    v: &[f64],
    changes: &mut [f64],
) {
    let n = tree.count;
    let (dq, rest) = changes.split_at_mut(v.len());
    let (dv, states) = rest.split_at_mut(v.len());
    states.copy_from_slice(&direction[2 * n..]);
    tree.turn(&direction[..n], 0.0, dq);
    tree.turn(&direction[n..], 0.0, dv);
    for (body, turned) in tree.bodies.iter().zip(turned) {
        let own = 3 * body.body;
        let Some(parent_joint) = &body.parent_joint else {
            dq[own..own + 2].copy_from_slice(&direction[body.first..body.first + 2]);
            dv[own..own + 2].copy_from_slice(&direction[n + body.first..n + body.first + 2]);
            continue;
        };
        let Turned { parent_arm, child_arm, axis } = *turned;
        let [across, parent_across, child_across] =
            [axis, parent_arm, child_arm].map(perpendicular);
        let (start, moving) = (three(dq, body.parent), three(dv, body.parent));
        let (spin, parent_spin) = (v[own + 2], three(v, body.parent)[2]);
        let (turn, turn_rate) = (dq[own + 2], dv[own + 2]);
        // angle and rate of the slot: their changes, and the rate itself
        let slot = match parent_joint.reversed {
            true => [turn, turn_rate, spin],
            false => [start[2], moving[2], parent_spin],
        };
        let at = |values: &[f64], first: usize| {
            body.displacement().map_or(0.0, |at| parent_joint.sign() * values[first + at])
        };
        let [displacement, speed] = [at(y, 0), at(y, n)];
        let [more_displacement, more_speed] = [at(direction, 0), at(direction, n)];
        for i in 0..2 {
            dq[own + i] = start[i] + start[2] * parent_across[i] - turn * child_across[i]
                + more_displacement * axis[i]
                + displacement * slot[0] * across[i];
            dv[own + i] = moving[i] + moving[2] * parent_across[i]
                - parent_spin * start[2] * parent_arm[i]
                - turn_rate * child_across[i]
                + spin * turn * child_arm[i]
                + (more_speed - slot[2] * displacement * slot[0]) * axis[i]
                + (speed * slot[0] + slot[1] * displacement + slot[2] * more_displacement)
                    * across[i];
        }
    }
}
