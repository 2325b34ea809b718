//! The articulated-body recursion of a planar tree: accelerations in one pass to the roots and one back.
//!
//! # Equations
//! Accelerations $a=(\ddot x,\ddot y,\ddot\theta)$ and forces $f=(F_x,F_y,M)$ are those of the centres of
//! mass. A body moves with its parent and along the freedoms $S_k$ of its parent joint,
//! $$a = Xa_p + \beta + \textstyle\sum_kS_k\ddot u_k,\qquad X=\begin{bmatrix}1&0&-d_y\\0&1&d_x\\0&0&1\end{bmatrix},$$
//! d from the parent's centre to its own, $S=(\pm e,0)$ for a slide along e and $S=(-\rho_y,\rho_x,1)$ for a
//! turn about the pin, ρ from there to the centre. The velocities leave
//! $\beta=-\omega_p^2(d-\rho)-\omega^2\rho\pm2\omega_e\dot s\,n$. The force in the joint is affine in a,
//! $f=Ia+p$, with the body's own inertia and −Q to begin with, and has no part along the freedoms; they
//! are eliminated one by one,
//! $$U=IS,\quad D=S\cdot U,\quad \ddot u=-\frac{U\cdot a+S\cdot p}{D},\quad
//!   I\leftarrow I-\frac{UU^T}{D},\quad p\leftarrow p-\frac{S\cdot p}{D}U,$$
//! and the rest is passed to the parent as $X^TIX$ and $X^T(p+I\beta)$. With the accelerations known the
//! forces in the joints follow from $f=Ma-Q+\sum X^Tf$ over the children.
//!
//! # Reference
//! R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 7.3

use crate::tree::coordinates::{TreeCoordinates, Turned, perpendicular, three};
use crate::tree::planar::{Inertia, Three, at, carried_over, combined, inner, shifted, times};

/// An inertia that is left smaller than this part of what it was before is made of rounding.
const SINGULARITY_TOLERANCE: f64 = 1e-13;

/// A body in the tree.
#[derive(Clone, Debug, Default)]
struct Link {
    /// Where its coordinates stand in lists of x, y and angle of every body.
    own: usize,
    /// Its parent's place in the tree.
    parent: Option<usize>,
    freedoms: usize,
    /// Its sliding displacement and its own angle in the list of the tree's coordinates.
    displacement: Option<usize>,
    angle: Option<usize>,
    /// All three in the list of the tree's coordinates, if it is free.
    free: Option<usize>,
    mass: f64,
    moment_of_inertia: f64,

    // The pose.
    /// d
    arm: [f64; 2],
    /// ρ
    from_pin: [f64; 2],
    /// S
    directions: [Three; 3],
    /// β
    bias: Three,

    // Factors.
    /// U
    inertias: [Three; 3],
    /// 1/D
    inverses: [f64; 3],
    /// Iβ
    carried: Three,

    // Forces.
    /// S·p
    along: [f64; 3],
    /// p, later the force in the parent joint.
    push: Three,
    acceleration: Three,
}

/// The tree with its workspace; parents stand before their children.
#[derive(Clone, Debug)]
pub(crate) struct TreeRecursion {
    links: Vec<Link>,
    /// What hangs on each body, and what it was before the last freedoms were taken out of it.
    passed: Vec<[Inertia; 2]>,
}

impl TreeRecursion {
    /// With mass and moment of inertia of every body of the model.
    pub(crate) fn new(tree: &TreeCoordinates, masses: &[[f64; 2]]) -> TreeRecursion {
        let mut places = vec![0; tree.bodies.len()];
        let mut links = Vec::with_capacity(tree.bodies.len());
        for (place, body) in tree.bodies.iter().enumerate() {
            places[body.body] = place;
            let [mass, moment_of_inertia] = masses[body.body];
            links.push(Link {
                own: 3 * body.body,
                parent: body.parent.map(|parent| places[parent]),
                freedoms: body.freedoms(),
                displacement: body.displacement(),
                angle: body.own_angle(),
                free: body.parent_joint.is_none().then_some(body.first),
                mass,
                moment_of_inertia,
                ..Link::default()
            });
        }
        TreeRecursion { passed: vec![[[0.0; 6]; 2]; links.len()], links }
    }

    /// Takes over a pose and its velocities; w are the rates of the tree's coordinates.
    pub(crate) fn pose(
        &mut self,
        tree: &TreeCoordinates,
        turned: &[Turned],
        [q, v]: [&[f64]; 2],
        w: &[f64],
    ) {
        for ((body, link), turned) in tree.bodies.iter().zip(&mut self.links).zip(turned) {
            let Some(parent_joint) = &body.parent_joint else {
                link.directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                continue;
            };
            let (start, moving) = (three(q, body.parent), three(v, body.parent));
            let arm = [0, 1].map(|i| q[link.own + i] - start[i]);
            // the pin is a point of the joint's second body
            let rho = [0, 1].map(|i| match parent_joint.reversed {
                true => arm[i] - turned.parent_arm[i],
                false => -turned.child_arm[i],
            });
            let (spin, parent_spin) = (v[link.own + 2], moving[2]);
            let slot_spin = if parent_joint.reversed { spin } else { parent_spin };
            let speed = link.displacement.map_or(0.0, |at| parent_joint.sign() * w[at]);
            let across = perpendicular(turned.axis);
            for i in 0..2 {
                link.bias[i] = 2.0 * slot_spin * speed * across[i]
                    - parent_spin * parent_spin * (arm[i] - rho[i])
                    - spin * spin * rho[i];
            }
            let slide =
                [parent_joint.sign() * turned.axis[0], parent_joint.sign() * turned.axis[1], 0.0];
            let turn = [-rho[1], rho[0], 1.0];
            link.directions[0] = if parent_joint.slides() { slide } else { turn };
            link.directions[1] = turn;
            (link.arm, link.from_pin) = (arm, rho);
        }
    }

    /// Eliminates the freedoms at the pose; returns the place in the tree of a body that nothing resists.
    pub(crate) fn factor(&mut self) -> Result<(), usize> {
        for (passed, link) in self.passed.iter_mut().zip(&self.links) {
            *passed = [[link.mass, 0.0, link.mass, 0.0, 0.0, link.moment_of_inertia]; 2];
        }
        for place in (0..self.links.len()).rev() {
            let link = &mut self.links[place];
            let [mut inertia, before] = self.passed[place];
            let whole = inertia;
            for k in 0..link.freedoms {
                let direction = link.directions[k];
                let moved = times(&inertia, direction);
                let resistance = inner(direction, moved);
                // written so that NaN is refused too
                let resists = resistance
                    > SINGULARITY_TOLERANCE * inner(direction, times(&before, direction));
                if !resists {
                    return Err(place);
                }
                let inverse = 1.0 / resistance;
                link.inertias[k] = moved;
                link.inverses[k] = inverse;
                let [x, y, turn] = moved;
                let taken = [x * x, x * y, y * y, x * turn, y * turn, turn * turn];
                for (entry, taken) in inertia.iter_mut().zip(taken) {
                    *entry -= inverse * taken;
                }
            }
            link.carried = times(&inertia, link.bias);
            if let Some(parent) = link.parent {
                let arm = link.arm;
                for (sum, part) in self.passed[parent].iter_mut().zip([inertia, whole]) {
                    for (sum, part) in sum.iter_mut().zip(shifted(&part, arm)) {
                        *sum += part;
                    }
                }
            }
        }
        Ok(())
    }

    /// The answer to forces on all bodies: accelerations of the bodies and of the tree's coordinates. With
    /// the velocities of the pose, or as if at rest.
    pub(crate) fn solve(
        &mut self,
        forces: &[f64],
        moving: bool,
        accelerations: &mut [f64],
        rates: &mut [f64],
    ) {
        for link in &mut self.links {
            link.push = combined([0.0; 3], -1.0, at(forces, link.own));
        }
        for place in (0..self.links.len()).rev() {
            self.pass_up(place, moving);
        }
        for place in 0..self.links.len() {
            let displacement = self.pass_down(place, moving);
            let link = &self.links[place];
            accelerations[link.own..link.own + 3].copy_from_slice(&link.acceleration);
            match link.free {
                Some(first) => rates[first..first + 3].copy_from_slice(&link.acceleration),
                None => {
                    link.displacement.into_iter().for_each(|at| rates[at] = displacement);
                    link.angle.into_iter().for_each(|at| rates[at] = link.acceleration[2]);
                }
            }
        }
    }

    /// S·p along the way of forces on a few bodies to the roots, as if at rest: one entry for each body
    /// of `path`, children first. Two forces meet in the answer $A^{-1}$ of the tree as
    /// $\sum(S\cdot p)(S\cdot p')/D$ over the freedoms that both pass.
    pub(crate) fn follow(
        &mut self,
        path: &[usize],
        forces: impl Iterator<Item = (usize, usize, f64)>,
        along: &mut [Three],
    ) {
        for &place in path {
            self.links[place].push = [0.0; 3];
        }
        for (place, axis, force) in forces {
            self.links[place].push[axis] -= force;
        }
        for (&place, along) in path.iter().zip(along) {
            self.pass_up(place, false);
            let link = &self.links[place];
            along[..link.freedoms].copy_from_slice(&link.along[..link.freedoms]);
        }
    }

    /// (S·p)/D, for one body.
    pub(crate) fn scaled(&self, place: usize, along: &Three) -> Three {
        let inverses = &self.links[place].inverses;
        [along[0] * inverses[0], along[1] * inverses[1], along[2] * inverses[2]]
    }

    /// Passes p of a body to its parent.
    #[inline(always)]
    fn pass_up(&mut self, place: usize, moving: bool) {
        let link = &mut self.links[place];
        let mut push = link.push;
        for k in 0..link.freedoms {
            let along = inner(link.directions[k], push);
            link.along[k] = along;
            let part = along * link.inverses[k];
            push = combined(push, -part, link.inertias[k]);
        }
        if moving {
            push = combined(push, 1.0, link.carried);
        }
        if let Some(parent) = link.parent {
            let moved = carried_over(push, link.arm);
            let sum = &mut self.links[parent].push;
            *sum = combined(*sum, 1.0, moved);
        }
    }

    /// The acceleration of a body from its parent's; returns that of its first freedom.
    #[inline(always)]
    fn pass_down(&mut self, place: usize, moving: bool) -> f64 {
        let parent = self.links[place].parent.map_or([0.0; 3], |at| self.links[at].acceleration);
        let link = &mut self.links[place];
        let [dx, dy] = link.arm;
        let mut a = [parent[0] - dy * parent[2], parent[1] + dx * parent[2], parent[2]];
        if moving {
            a = combined(a, 1.0, link.bias);
        }
        let mut freedom = 0.0;
        for k in (0..link.freedoms).rev() {
            freedom = -(inner(link.inertias[k], a) + link.along[k]) * link.inverses[k];
            a = combined(a, freedom, link.directions[k]);
        }
        link.acceleration = a;
        freedom
    }

    /// Forces in the parent joints from forces on the bodies and their accelerations.
    pub(crate) fn find_joint_forces(&mut self, forces: &[f64], accelerations: &[f64]) {
        for link in &mut self.links {
            let [x, y, turn] = at(accelerations, link.own);
            let resisted = [link.mass * x, link.mass * y, link.moment_of_inertia * turn];
            link.push = combined(resisted, -1.0, at(forces, link.own));
        }
        for place in (0..self.links.len()).rev() {
            let link = &self.links[place];
            if let Some(parent) = link.parent {
                let moved = carried_over(link.push, link.arm);
                let sum = &mut self.links[parent].push;
                *sum = combined(*sum, 1.0, moved);
            }
        }
    }

    /// The force on a body in its parent joint, its moment about the pin.
    pub(crate) fn joint_force(&self, place: usize) -> Three {
        let link = &self.links[place];
        carried_over(link.push, link.from_pin)
    }
}
