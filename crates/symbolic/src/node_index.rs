//! Finds a node among those of a graph: the numbers of all nodes, scattered by their hashes.

use crate::Node;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// The places of the smallest table. A quarter of them at least are free, in any table.
const MIN_PLACES: usize = 64;
/// A place without a node.
const FREE: u32 = u32::MAX;

/// The numbers of nodes that stand elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeIndex {
    /// As many as a power of two. A node stands at its hash, or at the next place that was free.
    places: Vec<u32>,
}

impl NodeIndex {
    /// The number of a node among these; behind them all, where it is put, if it is new.
    pub(crate) fn find_or_push(&mut self, nodes: &mut Vec<Node>, node: Node) -> u32 {
        if nodes.len() >= self.places.len() / 4 * 3 {
            self.grow(nodes);
        }
        let mut at = self.first_place(node);
        while self.places[at] != FREE {
            if nodes[self.places[at] as usize] == node {
                return self.places[at];
            }
            at = (at + 1) & (self.places.len() - 1);
        }
        let number = u32::try_from(nodes.len()).expect("fewer than 2³² nodes fit into memory");
        self.places[at] = number;
        nodes.push(node);
        number
    }

    fn first_place(&self, node: Node) -> usize {
        FxBuildHasher.hash_one(node) as usize & (self.places.len() - 1)
    }

    fn grow(&mut self, nodes: &[Node]) {
        self.places = vec![FREE; (4 * self.places.len()).max(MIN_PLACES)];
        for (number, &node) in nodes.iter().enumerate() {
            let mut at = self.first_place(node);
            while self.places[at] != FREE {
                at = (at + 1) & (self.places.len() - 1);
            }
            self.places[at] = number as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;

    #[test]
    fn every_node_is_found_where_it_was_put_first() {
        let (mut index, mut nodes) = (NodeIndex::default(), Vec::new());
        for round in 0..2 {
            for value in 0..10_000 {
                let node = Node::Number(Number::fraction(value, 10_007));
                assert_eq!(index.find_or_push(&mut nodes, node), value as u32, "round {round}");
            }
        }
        assert_eq!(nodes.len(), 10_000);
    }
}
