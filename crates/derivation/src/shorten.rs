//! Shorter forms of M and Q where the system is small.
//!
//! Derivatives leave terms behind that cancel, sines and cosines whose squares add up to one, and parameters between what
//! moves. Gathered as people would write them, M and Q of a few links are less than half as long; sums of angles are then
//! taken apart again, because sines and cosines of the coordinates alone are fewer.

use crate::Equations;
use catena_symbolic::{Expr, Function, Graph, Node, Number, Simplifier};
use rustc_hash::FxHashSet;

/// With more coordinates gathering costs more than it gains.
const MAX_COORDINATES: usize = 4;
/// The same for longer expressions, in nodes.
const MAX_NODES: usize = 15_000;
/// What a sine with its cosine costs, in additions.
const COST_OF_SINE: usize = 12;

/// Replaces M and Q by shorter forms, if they are shorter.
pub(crate) fn shorten(equations: &mut Equations) {
    let n = equations.coordinates.len();
    if n == 0 || n > MAX_COORDINATES {
        return;
    }
    let Equations { graph, parameters, coordinates, mass_matrix, forces, .. } = equations;
    let entries = mass_matrix.iter().map(|&(_, _, entry)| entry);
    let long: Vec<Expr> = entries.chain(forces.iter().copied()).collect();
    if graph.reachable(&long).len() > MAX_NODES {
        return;
    }
    let constants: FxHashSet<_> =
        parameters.iter().filter_map(|&symbol| graph.as_symbol(symbol)).collect();
    let mut simplifier = Simplifier::new(constants);
    let gathered: Vec<Expr> = long.iter().map(|&expr| simplifier.simplify(graph, expr)).collect();
    let short = take_apart(graph, coordinates, &gathered);
    if cost(graph, &short) >= cost(graph, &long) {
        return;
    }
    let (entries, right) = short.split_at(mass_matrix.len());
    for ((_, _, place), &entry) in mass_matrix.iter_mut().zip(entries) {
        *place = entry;
    }
    mass_matrix.retain(|&(_, _, entry)| !graph.is_zero(entry));
    forces.copy_from_slice(right);
}

/// Sines and cosines of a ± b by those of the coordinates a and b.
fn take_apart(graph: &mut Graph, coordinates: &[Expr], roots: &[Expr]) -> Vec<Expr> {
    let mut replaced = Vec::new();
    for expr in graph.reachable(roots) {
        let (theorem, angle): (AdditionTheorem, Expr) = match graph.node(expr) {
            Node::Call(Function::SIN, angle) => (sine_of_sum, angle),
            Node::Call(Function::COS, angle) => (cosine_of_sum, angle),
            _ => continue,
        };
        let Node::Add(a, b) = graph.node(angle) else { continue };
        let (a, b) = (signed(graph, a), signed(graph, b));
        if coordinates.contains(&a.1) && coordinates.contains(&b.1) {
            let (a, b) = (sine_and_cosine(graph, a), sine_and_cosine(graph, b));
            replaced.push((expr, theorem(graph, a, b)));
        }
    }
    graph.substitute(roots, &replaced)
}

/// x and whether it stood as −x.
fn signed(graph: &Graph, expr: Expr) -> (bool, Expr) {
    match graph.node(expr) {
        Node::Mul(factor, x) if graph.as_number(factor) == Some(Number::MINUS_ONE) => (true, x),
        _ => (false, expr),
    }
}

/// A function of a sum of two angles from sine and cosine of each.
type AdditionTheorem = fn(&mut Graph, (Expr, Expr), (Expr, Expr)) -> Expr;

fn sine_and_cosine(graph: &mut Graph, (negative, x): (bool, Expr)) -> (Expr, Expr) {
    let (sine, cosine) = (graph.call(Function::SIN, x), graph.call(Function::COS, x));
    (if negative { graph.neg(sine) } else { sine }, cosine)
}

fn sine_of_sum(graph: &mut Graph, a: (Expr, Expr), b: (Expr, Expr)) -> Expr {
    let (first, second) = (graph.mul(a.0, b.1), graph.mul(a.1, b.0));
    graph.add(first, second)
}

fn cosine_of_sum(graph: &mut Graph, a: (Expr, Expr), b: (Expr, Expr)) -> Expr {
    let (first, second) = (graph.mul(a.1, b.1), graph.mul(a.0, b.0));
    graph.sub(first, second)
}

/// About how many operations expressions take together.
fn cost(graph: &Graph, roots: &[Expr]) -> usize {
    let node = |expr: Expr| match graph.node(expr) {
        Node::Number(_) | Node::Pi | Node::Symbol(_) => 0,
        Node::Call(Function::SIN | Function::COS, _) => COST_OF_SINE,
        _ => 1,
    };
    graph.reachable(roots).into_iter().map(node).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::{Model, Source};

    #[test]
    fn two_links_have_no_term_that_cancels() {
        let text = r#"
            parameters = { m = 2, l = 3, g = 9.81 }
            coordinates = { a = "upper", b = "lower" }
            [definitions]
            x = "l*sin(a) + l*sin(b)"
            y = "-l*cos(a) - l*cos(b)"
            [energy]
            kinetic = "1/2*m*(x'^2 + y'^2)"
            potential = "m*g*y"
        "#;
        let model = Model::read(Source::new("links.toml", text), &[]).unwrap();
        let equations = Equations::derive(&model, &model.own);
        let graph = &equations.graph;
        // M: m l² twice on the diagonal, m l² cos(a − b) off it
        assert_eq!(equations.mass(0, 0), equations.mass(1, 1));
        let moving = [equations.coordinates.as_slice(), &equations.velocities].concat();
        assert!(!graph.depends_on(equations.mass(0, 0).unwrap(), &moving));
        // Q of a: ∓ m l² sin(a − b) ḃ² − m g l sin a, free of ȧ
        assert!(!graph.depends_on(equations.forces[0], &equations.velocities[..1]));
        assert!(!graph.depends_on(equations.forces[1], &equations.velocities[1..]));
    }
}
