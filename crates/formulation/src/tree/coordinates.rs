//! Joint coordinates of a planar mechanism, and x, y, angle of its bodies from them.
//!
//! # Equations
//! A body hangs on its parent by a joint with the point P, the pin: the joint's point on its second body.
//! With the points p of the parent and c of the child, seen from their centres, and the axis e of a
//! slide, which turns with the first body of the joint,
//! $$r = r_p + R(\theta_p)p \pm s\,e - R(\theta)c,\qquad
//!   \dot r = \dot r_p + \omega_p\times R(\theta_p)p \pm(\dot s\,e + \omega_e s\,n) - \omega\times R(\theta)c,$$
//! plus where the child is the second body, minus where it is the first; n = de/dθ. The coordinates are the
//! displacement s of a slide, the angle θ of a body that turns (from +x, as in the model: what is relative
//! would be a sum along the tree), and x, y, θ of a body that is free. Other angles follow from the parent's.

use crate::FormulationInput;
use catena_compile::sine_and_cosine;
use catena_model::{Mechanism, Quantity};

type Vector = [f64; 2];

/// A body and the way it hangs on its parent.
#[derive(Clone, Debug)]
pub(crate) struct TreeBody {
    /// Its place among the bodies of the model: it has the absolute coordinates 3 × body and following.
    pub(crate) body: usize,
    /// None is the ground.
    pub(crate) parent: Option<usize>,
    /// None is a free body.
    pub(crate) parent_joint: Option<ParentJoint>,
    /// Where its coordinates begin among those of the tree.
    pub(crate) first: usize,
}

/// The joint in which a body hangs.
#[derive(Clone, Debug)]
pub(crate) struct ParentJoint {
    /// Its place among the joints of the model.
    pub(crate) joint: usize,
    /// Whether the child is the first body of the joint.
    pub(crate) reversed: bool,
    /// The point on the parent and that on the child, from their centres in their own axes.
    points: [Vector; 2],
    /// The axis of the slide in the axes of the joint's first body, of length 1; none where it is a pin.
    axis: Option<Vector>,
    /// θ − θ_p where the child does not turn on its own.
    held: Option<f64>,
}

impl ParentJoint {
    /// Whether it has a sliding displacement s.
    pub(crate) fn slides(&self) -> bool {
        self.axis.is_some()
    }

    /// Whether the child has an angle of its own.
    pub(crate) fn turns(&self) -> bool {
        self.held.is_none()
    }

    /// +1 where the child is the second body of the joint, −1 where it is the first.
    pub(crate) fn sign(&self) -> f64 {
        if self.reversed { -1.0 } else { 1.0 }
    }
}

impl TreeBody {
    /// How many coordinates it has.
    pub(crate) fn freedoms(&self) -> usize {
        self.parent_joint.as_ref().map_or(3, |parent_joint| {
            usize::from(parent_joint.slides()) + usize::from(parent_joint.turns())
        })
    }

    /// Where its angle is among the coordinates of the tree, if it has one of its own.
    pub(crate) fn own_angle(&self) -> Option<usize> {
        match &self.parent_joint {
            None => Some(self.first + 2),
            Some(parent_joint) => {
                parent_joint.turns().then(|| self.first + usize::from(parent_joint.slides()))
            }
        }
    }

    /// Where its sliding displacement is among the coordinates of the tree.
    pub(crate) fn displacement(&self) -> Option<usize> {
        self.parent_joint.as_ref().filter(|parent_joint| parent_joint.slides()).map(|_| self.first)
    }
}

/// Arms and axis of a parent joint as they are turned now.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turned {
    /// From the centre of the parent to its point.
    pub(crate) parent_arm: Vector,
    /// From the centre of the child to its point.
    pub(crate) child_arm: Vector,
    /// e, zero where it is a pin.
    pub(crate) axis: Vector,
}

/// The tree with the numbers of a run.
#[derive(Clone, Debug)]
pub(crate) struct TreeCoordinates {
    /// Parents before their children.
    pub(crate) bodies: Vec<TreeBody>,
    /// How many coordinates there are.
    pub(crate) count: usize,
}

impl TreeCoordinates {
    pub(crate) fn new(input: &FormulationInput, mechanism: &Mechanism) -> TreeCoordinates {
        let value = |quantity: &Quantity| quantity.value(|name| input.parameter(name));
        let mut count = 0;
        let mut bodies = Vec::new();
        for child in mechanism.tree() {
            let parent_joint = child.joint.map(|at| {
                let joint = &mechanism.joints[at];
                let [first, second] =
                    joint.ends.each_ref().map(|end| end.position.each_ref().map(value));
                let sign = if child.reversed { -1.0 } else { 1.0 };
                let unit = |axis: &[Quantity; 2]| {
                    let [x, y] = axis.each_ref().map(value);
                    [x / x.hypot(y), y / x.hypot(y)]
                };
                let axis = joint.slide_axis().map(unit);
                let held = joint.held_angle().map(|angle| sign * value(angle));
                let points = if child.reversed { [second, first] } else { [first, second] };
                ParentJoint { joint: at, reversed: child.reversed, points, axis, held }
            });
            let (body, parent) = (child.body, child.parent);
            let body = TreeBody { body, parent, parent_joint, first: count };
            count += body.freedoms();
            bodies.push(body);
        }
        TreeCoordinates { bodies, count }
    }

    /// What the coordinates are called: as in the model, sliding displacements as their definitions.
    pub(crate) fn names(&self, mechanism: &Mechanism) -> Vec<String> {
        let mut names = Vec::with_capacity(self.count);
        for body in &self.bodies {
            let name = &mechanism.bodies[body.body].name;
            match &body.parent_joint {
                None => names.extend(["x", "y", "angle"].map(|ending| format!("{name}_{ending}"))),
                Some(parent_joint) => {
                    let joint = &mechanism.joints[parent_joint.joint].name;
                    names.extend(parent_joint.slides().then(|| format!("{joint}_position")));
                    names.extend(parent_joint.turns().then(|| format!("{name}_angle")));
                }
            }
        }
        names
    }

    /// For each coordinate whether it is the angle of a body.
    pub(crate) fn rotations(&self) -> Vec<bool> {
        let mut rotations = vec![false; self.count];
        self.bodies.iter().filter_map(TreeBody::own_angle).for_each(|at| rotations[at] = true);
        rotations
    }

    /// Reads the coordinates of the tree and their rates off those of the bodies.
    pub(crate) fn read_off(&self, q: &[f64], v: &[f64], u: &mut [f64], w: &mut [f64]) {
        for body in &self.bodies {
            let own = 3 * body.body;
            let Some(parent_joint) = &body.parent_joint else {
                u[body.first..body.first + 3].copy_from_slice(&q[own..own + 3]);
                w[body.first..body.first + 3].copy_from_slice(&v[own..own + 3]);
                continue;
            };
            if let Some(at) = body.own_angle() {
                (u[at], w[at]) = (q[own + 2], v[own + 2]);
            }
            if let Some(at) = body.displacement() {
                let (start, moving) = (three(q, body.parent), three(v, body.parent));
                let turned = parent_joint.turned([start[2], q[own + 2]].map(sine_and_cosine));
                let Turned { parent_arm, child_arm, axis } = turned;
                let [across, parent_across, child_across] =
                    [axis, parent_arm, child_arm].map(perpendicular);
                let apart = [0, 1].map(|i| q[own + i] + child_arm[i] - start[i] - parent_arm[i]);
                let parting = [0, 1].map(|i| {
                    v[own + i] + v[own + 2] * child_across[i]
                        - moving[i]
                        - moving[2] * parent_across[i]
                });
                let spin = if parent_joint.reversed { v[own + 2] } else { moving[2] };
                u[at] = parent_joint.sign() * dot(axis, apart);
                w[at] = parent_joint.sign() * (dot(axis, parting) + spin * dot(across, apart));
            }
        }
    }

    /// Angles of all bodies, where `offsets` is 1, or their rates, where it is 0.
    pub(crate) fn turn(&self, own: &[f64], offsets: f64, all: &mut [f64]) {
        for body in &self.bodies {
            all[3 * body.body + 2] = match body.own_angle() {
                Some(at) => own[at],
                None => {
                    let held = body
                        .parent_joint
                        .as_ref()
                        .and_then(|parent_joint| parent_joint.held)
                        .unwrap_or(0.0);
                    three(all, body.parent)[2] + offsets * held
                }
            };
        }
    }

    /// x, y, angle of all bodies and their rates. `turned` is asked for the arms of each parent joint with its
    /// place in the list and the angles of parent and child.
    pub(crate) fn walk(
        &self,
        [u, w]: [&[f64]; 2],
        q: &mut [f64],
        v: &mut [f64],
        mut turned: impl FnMut(usize, &ParentJoint, [f64; 2]) -> Turned,
    ) {
        self.turn(u, 1.0, q);
        self.turn(w, 0.0, v);
        for (index, body) in self.bodies.iter().enumerate() {
            let own = 3 * body.body;
            let Some(parent_joint) = &body.parent_joint else {
                q[own..own + 2].copy_from_slice(&u[body.first..body.first + 2]);
                v[own..own + 2].copy_from_slice(&w[body.first..body.first + 2]);
                continue;
            };
            let (start, moving) = (three(q, body.parent), three(v, body.parent));
            let Turned { parent_arm, child_arm, axis } =
                turned(index, parent_joint, [start[2], q[own + 2]]);
            let [across, parent_across, child_across] =
                [axis, parent_arm, child_arm].map(perpendicular);
            let (displacement, speed) = body.displacement().map_or((0.0, 0.0), |at| (u[at], w[at]));
            let (displacement, speed) =
                (parent_joint.sign() * displacement, parent_joint.sign() * speed);
            let spin = v[own + 2];
            let slot_spin = if parent_joint.reversed { spin } else { moving[2] };
            for i in 0..2 {
                q[own + i] = start[i] + parent_arm[i] + displacement * axis[i] - child_arm[i];
                v[own + i] = moving[i] + moving[2] * parent_across[i] - spin * child_across[i]
                    + speed * axis[i]
                    + slot_spin * displacement * across[i];
            }
        }
    }
}

impl ParentJoint {
    /// With sine and cosine of the parent's angle and of the child's.
    pub(crate) fn turned(&self, [parent, child]: [(f64, f64); 2]) -> Turned {
        let slot = if self.reversed { child } else { parent };
        Turned {
            parent_arm: rotated(self.points[0], parent),
            child_arm: rotated(self.points[1], child),
            axis: self.axis.map_or([0.0, 0.0], |axis| rotated(axis, slot)),
        }
    }
}

/// Three entries of a body; those of the ground are 0.
pub(crate) fn three(values: &[f64], body: Option<usize>) -> [f64; 3] {
    body.map_or([0.0; 3], |body| [0, 1, 2].map(|i| values[3 * body + i]))
}

fn rotated([x, y]: Vector, (sine, cosine): (f64, f64)) -> Vector {
    [x * cosine - y * sine, x * sine + y * cosine]
}

/// A quarter turn counter-clockwise.
pub(crate) fn perpendicular([x, y]: Vector) -> Vector {
    [-y, x]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
