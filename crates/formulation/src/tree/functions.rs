//! What the recursive formulation of a mechanism asks of the compiled model.

use crate::FormulationInput;
use catena_compile::Kernel;
use catena_derivation::Equations;
use catena_symbolic::Expr;

/// Functions of the state in the coordinates of the bodies; G are the entries of Φq in the rows of the
/// cut constraints, as listed in the equations.
#[derive(Clone)]
pub(crate) struct TreeFunctions {
    /// Q, γ of the cut constraints, G, ż
    pub(crate) motion: Kernel,
    /// Φ and Φ̇ of the cut constraints, G; compiled when somebody asks.
    drift: Option<Kernel>,
}

impl TreeFunctions {
    /// For cut constraints given by their places among the constraints.
    pub(crate) fn new(input: &FormulationInput, cuts: &[usize]) -> TreeFunctions {
        let functions = input.evaluator.functions();
        let e = &functions.equations;
        let outputs: [(&str, &[Expr]); 4] = [
            ("forces", &e.forces),
            ("gamma", &rows(&e.gamma, cuts)),
            ("constraint_jacobian", &slopes(e, cuts)),
            ("state_rates", &e.state_rates),
        ];
        TreeFunctions { motion: functions.compile(&e.graph, &outputs), drift: None }
    }

    /// Φ and Φ̇ of the cut constraints, G
    pub(crate) fn drift(&mut self, input: &FormulationInput, cuts: &[usize]) -> &Kernel {
        self.drift.get_or_insert_with(|| {
            let functions = input.evaluator.functions();
            let e = &functions.equations;
            let outputs: [(&str, &[Expr]); 3] = [
                ("values", &rows(&e.constraints, cuts)),
                ("rates", &rows(&e.constraint_velocity, cuts)),
                ("constraint_jacobian", &slopes(e, cuts)),
            ];
            functions.compile(&e.graph, &outputs)
        })
    }
}

fn rows(all: &[Expr], cuts: &[usize]) -> Vec<Expr> {
    cuts.iter().map(|&row| all[row]).collect()
}

fn slopes(e: &Equations, cuts: &[usize]) -> Vec<Expr> {
    let entries = &e.constraint_jacobian.entries;
    let own = cuts.iter().flat_map(|&row| entries.iter().filter(move |entry| entry.0 == row));
    own.map(|entry| entry.2).collect()
}
