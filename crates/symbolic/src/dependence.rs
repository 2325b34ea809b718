//! Which symbols every expression of a graph depends on.

use crate::{Expr, Graph};

/// For every expression of a graph, the groups of symbols that it depends on: a bit for each group.
#[derive(Clone, Debug)]
pub struct Dependence {
    bits: Vec<u8>,
}

impl Dependence {
    /// Bit k is set where the expression depends on a symbol of group k.
    pub fn of(&self, expr: Expr) -> u8 {
        self.bits[expr.index()]
    }
}

impl Graph {
    /// The dependence of all expressions on groups of symbols, eight at most, in one pass.
    pub fn dependence(&self, groups: &[&[Expr]]) -> Dependence {
        let mut bits = vec![0_u8; self.len()];
        for (group, symbols) in groups.iter().enumerate() {
            symbols.iter().for_each(|symbol| bits[symbol.index()] |= 1 << group);
        }
        for expr in self.expressions() {
            let operands = self.node(expr).operands();
            bits[expr.index()] |= operands.fold(0, |all, operand| all | bits[operand.index()]);
        }
        Dependence { bits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn an_expression_depends_on_what_it_is_made_of() {
        let mut graph = Graph::new();
        let [t, x] = [graph.symbol("t"), graph.symbol("x")];
        let built = |graph: &mut Graph, text: &str| parse(text).unwrap().build_plain(graph);
        let [drive, both, neither] =
            ["a*sin(t)", "x*cos(2*t)", "a/b"].map(|text| built(&mut graph, text));
        let dependence = graph.dependence(&[&[t], &[x]]);
        assert_eq!([drive, both, neither].map(|expr| dependence.of(expr)), [1, 3, 0]);
    }
}
