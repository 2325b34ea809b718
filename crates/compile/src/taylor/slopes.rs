//! The slopes of functions as programs of their own.

use crate::program::Program;
use catena_symbolic::{Expr, Function, Graph};

/// f′(x) from x and f(x).
pub(super) fn slope_program(function: Function) -> Program {
    let mut graph = Graph::new();
    let inputs = [graph.symbol("x"), graph.symbol("f")];
    let slope = (function.unary().slope)(&mut graph, inputs[0], inputs[1]);
    lowered(&graph, &inputs, slope)
}

/// ∂f/∂x and ∂f/∂y from x and y.
pub(super) fn slope_programs(function: Function) -> [Program; 2] {
    function.binary().slopes.map(|slope| {
        let mut graph = Graph::new();
        let inputs = [graph.symbol("x"), graph.symbol("y")];
        let slope = slope(&mut graph, inputs[0], inputs[1]);
        lowered(&graph, &inputs, slope)
    })
}

fn lowered(graph: &Graph, inputs: &[Expr], slope: Expr) -> Program {
    Program::lower(graph, &[("arguments", inputs)], &[("slope", &[slope])])
}
