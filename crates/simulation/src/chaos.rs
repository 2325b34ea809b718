//! Whether a model can move chaotically at all: a stretched error that never folds back is no chaos.

use catena_derivation::Equations;
use catena_symbolic::{Expr, Graph, Node};
use std::collections::HashMap;

/// Dimensions of the phase space below which no motion is chaotic (Poincaré and Bendixson); time counts as one where it
/// enters the equations.
const LEAST_DIMENSION: usize = 3;

/// Whether a model with so many degrees of freedom can be chaotic: in enough dimensions, and not if it is linear.
pub(crate) fn can_be_chaotic(equations: &Equations, degrees_of_freedom: usize) -> bool {
    let time = usize::from(equations.depends_on_time());
    2 * degrees_of_freedom + equations.states.len() + time >= LEAST_DIMENSION
        && !is_linear(equations)
}

/// Whether the equations of motion are linear in coordinates, velocities and states.
fn is_linear(e: &Equations) -> bool {
    // a recursion has no matrix to look at, and rotates
    if e.mass_matrix.is_empty() && !e.coordinates.is_empty() {
        return false;
    }
    let entries = e.mass_matrix.iter().chain(&e.constraint_jacobian.entries);
    let coefficients: Vec<Expr> = entries.map(|(_, _, entry)| *entry).collect();
    let right_sides: Vec<Expr> = e.forces.iter().chain(&e.state_rates).copied().collect();
    let moving: Vec<Expr> =
        [&e.coordinates, &e.velocities, &e.states].into_iter().flatten().copied().collect();
    !e.graph.any_depends_on(&coefficients, &moving) && are_linear(&e.graph, &right_sides, &moving)
}

/// Whether no root has a product, a power or a function of what moves.
fn are_linear(graph: &Graph, roots: &[Expr], moving: &[Expr]) -> bool {
    // whether a node is linear in what moves; what does not move is not listed
    let mut linear: HashMap<Expr, bool> = moving.iter().map(|&symbol| (symbol, true)).collect();
    for expr in graph.reachable(roots) {
        let node = graph.node(expr);
        let mut moves = node.operands().filter_map(|operand| linear.get(&operand).copied());
        let is_linear = match (node, moves.next(), moves.next()) {
            (_, None, _) => continue,
            (Node::Add(..), Some(one), other) => one && other.unwrap_or(true),
            (Node::Mul(..), Some(one), None) => one,
            _ => false,
        };
        linear.insert(expr, is_linear);
    }
    roots.iter().all(|root| linear.get(root).copied().unwrap_or(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::{Model, Source};

    fn equations(text: &str) -> Equations {
        let model = Model::read(Source::new("model.toml", text), &[]).expect("a model");
        Equations::derive(&model, &model.own)
    }

    #[test]
    fn one_degree_of_freedom_is_chaotic_only_where_it_is_driven() {
        let text = |torque: &str| {
            format!(
                "coordinates = {{ a = \"\" }}\n\
                 energy = {{ kinetic = \"a'^2/2\", potential = \"-cos(a)\" }}\n\
                 forces = {{ a = \"{torque}\" }}\n"
            )
        };
        assert!(!can_be_chaotic(&equations(&text("-a'/2")), 1));
        assert!(can_be_chaotic(&equations(&text("cos(2*t)-a'/2")), 1));
    }

    #[test]
    fn linear_models_are_never_chaotic() {
        let text = |force: &str| {
            format!(
                "parameters = {{ k = 2 }}\ncoordinates = {{ x = \"\", y = \"\" }}\n\
                 energy = {{ kinetic = \"x'^2/2 + y'^2\", potential = \"k*(x - y)^2/2 + x^2\" }}\n\
                 forces = {{ x = \"{force}\" }}\n"
            )
        };
        assert!(!can_be_chaotic(&equations(&text("sin(3*t)*x - 2*(x' - y')/k")), 2));
        assert!(can_be_chaotic(&equations(&text("sin(x)")), 2));
        assert!(can_be_chaotic(&equations(&text("-sign(x')")), 2));
        assert!(can_be_chaotic(&equations(&text("x*y")), 2));
    }
}
