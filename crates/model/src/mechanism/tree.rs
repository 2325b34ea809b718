//! The tree that joints span from the ground: every body hangs on one joint, or on none.
//!
//! Bodies are reached breadth first, in the order of the file, through joints that hold at least two of
//! three relative motions. What they do not reach may hang on one that slides and turns; what remains
//! begins a tree of its own, free to move. Joints that are not in the tree, the cut joints, close loops.

use super::Mechanism;
use super::joint::Joint;
use super::joints::JointType;

/// A body and what it hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// Position in [`Mechanism::bodies`].
    pub body: usize,
    /// Position in [`Mechanism::joints`]; none is a body that is free.
    pub joint: Option<usize>,
    /// The body on the other side of the joint; none is the ground.
    pub parent: Option<usize>,
    /// Whether the body is the first one of the joint, its parent the second.
    pub reversed: bool,
}

impl JointType {
    /// Whether a body may hang on it; second choices leave more of the work to constraints.
    fn carries(&self, second_choice: bool) -> bool {
        self.free.is_some_and(|free| second_choice || free.holds_two())
    }
}

impl Mechanism {
    /// The tree, parents before their children.
    pub fn tree(&self) -> Vec<TreeNode> {
        let mut tree = Growing {
            joints: &self.joints,
            reached: vec![false; self.bodies.len()],
            bodies: Vec::with_capacity(self.bodies.len()),
        };
        tree.hang_on(None);
        tree.spread(0);
        while tree.bodies.len() < self.bodies.len() {
            if tree.grow_through_a_slot() {
                continue;
            }
            let Some(body) = tree.reached.iter().position(|reached| !reached) else { break };
            tree.push(TreeNode { body, joint: None, parent: None, reversed: false });
        }
        tree.bodies
    }

    /// How many constraints the joints of the tree have; all others are those of cut joints, of motors and
    /// of the file.
    pub fn constraints_of_tree(&self) -> usize {
        let joints = self.tree().into_iter().filter_map(|child| child.joint);
        joints.map(|joint| self.joints[joint].kind.constraints().len()).sum()
    }
}

struct Growing<'a> {
    joints: &'a [Joint],
    reached: Vec<bool>,
    bodies: Vec<TreeNode>,
}

impl Growing<'_> {
    /// Adds a body and what can be reached from it.
    fn push(&mut self, child: TreeNode) {
        let first = self.bodies.len();
        self.reached[child.body] = true;
        self.bodies.push(child);
        self.spread(first);
    }

    /// Adds what can be reached from the bodies behind this place, and from those that come on.
    fn spread(&mut self, first: usize) {
        let mut next = first;
        while let Some(child) = self.bodies.get(next).copied() {
            self.hang_on(Some(child.body));
            next += 1;
        }
    }

    /// Adds the bodies that hang directly on this one.
    fn hang_on(&mut self, parent: Option<usize>) {
        for at in 0..self.joints.len() {
            if let Some(child) = self.child(at, false).filter(|child| child.parent == parent) {
                self.reached[child.body] = true;
                self.bodies.push(child);
            }
        }
    }

    /// Adds the first body whose pin or slot is on a body of the tree; whether there was one.
    fn grow_through_a_slot(&mut self) -> bool {
        let found = (0..self.joints.len()).find_map(|at| self.child(at, true));
        found.map(|child| self.push(child)).is_some()
    }

    /// The body that a joint hangs on the tree, if it has one end there and one outside.
    fn child(&self, at: usize, second_choice: bool) -> Option<TreeNode> {
        let joint = &self.joints[at];
        if !joint.kind.carries(second_choice) {
            return None;
        }
        let inside = |body: Option<usize>| body.is_none_or(|body| self.reached[body]);
        let [first, second] = joint.ends.each_ref().map(|end| end.body);
        let joint = Some(at);
        match (first, second) {
            (parent, Some(body)) if inside(parent) && !inside(Some(body)) => {
                Some(TreeNode { body, joint, parent, reversed: false })
            }
            (Some(body), parent) if inside(parent) && !inside(Some(body)) => {
                Some(TreeNode { body, joint, parent, reversed: true })
            }
            _ => None,
        }
    }
}
