//! Which coordinates are angles of rotation: those that a sine or cosine is taken of.
//!
//! An angle in the sense of [`crate::angles`] comes back to the same pose after a full turn. A rotation need not: that
//! of a gear wheel, of a body on a guide or of one with a torsion spring enters outside of sines and cosines, too.

use crate::Equations;
use catena_model::{Model, System};
use catena_symbolic::{Expr, Function, Node};
use rustc_hash::FxHashSet;

/// For each coordinate whether it is an angle of rotation: a term of what a sine or cosine is taken of, or the angle of
/// a body. What the model states takes precedence.
pub fn rotations(equations: &Equations, model: &Model, system: &System) -> Vec<bool> {
    let bodies = model.mechanism.iter().flat_map(|mechanism| &mechanism.bodies);
    let named: FxHashSet<String> = bodies.map(|body| format!("{}_angle", body.name)).collect();
    let turned = under_sines(equations);
    let coordinates = system.coordinates.iter().zip(&equations.coordinates);
    coordinates
        .map(|(coordinate, symbol)| {
            let found = turned.contains(symbol) || named.contains(&coordinate.name);
            coordinate.angle.unwrap_or(found)
        })
        .collect()
}

/// The terms of the sums that sines and cosines are taken of, whole multiples included.
fn under_sines(equations: &Equations) -> FxHashSet<Expr> {
    let graph = &equations.graph;
    let mut roots = vec![equations.kinetic, equations.potential, equations.dissipation];
    roots.extend(&equations.applied);
    roots.extend(&equations.constraints);
    let mut turned = FxHashSet::default();
    // users before their operands
    for expr in graph.reachable(&roots).into_iter().rev() {
        match graph.node(expr) {
            Node::Call(Function::SIN | Function::COS, argument) => drop(turned.insert(argument)),
            Node::Add(a, b) if turned.contains(&expr) => turned.extend([a, b]),
            Node::Mul(factor, b) if turned.contains(&expr) => {
                let whole = graph.as_number(factor).and_then(|number| number.as_integer());
                turned.extend(whole.map(|_| b));
            }
            _ => {}
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::Source;

    fn rotations_of(text: &str) -> Vec<bool> {
        let model = Model::read(Source::new("turns.toml", text), &[]).expect("a model");
        rotations(&Equations::derive(&model, &model.own), &model, &model.own)
    }

    #[test]
    fn what_a_sine_is_taken_of_turns_even_with_a_torsion_spring() {
        let text = r#"
            parameters = { m = 1, g = 9.81, k = 2, w = 3 }
            coordinates = { x = "cart", a = "upper", b = "lower", s = "on a wave" }
            [energy]
            kinetic = "1/2*m*(x'^2 + a'^2 + b'^2 + s'^2)"
            potential = "m*g*sin(a - 2*b) + k*a^2/2 + m*g*cos(w*s) + k*x^2"
        "#;
        assert_eq!(rotations_of(text), [false, true, true, false]);
    }

    #[test]
    fn gear_wheels_turn_though_no_sine_says_so() {
        let text = r#"
            [[body]]
            name = "wheel"
            mass = 1
            inertia = 1
            [[body]]
            name = "pinion"
            mass = 1
            inertia = 1
            [[joint]]
            name = "mesh"
            type = "gear"
            between = ["wheel", "pinion"]
            ratio = -2.5
            [[joint]]
            name = "A"
            type = "revolute"
            between = [[0, 0], "wheel"]
            [[joint]]
            name = "B"
            type = "revolute"
            between = [[1, 0], "pinion"]
        "#;
        assert_eq!(rotations_of(text), [false, false, true, false, false, true]);
    }
}
