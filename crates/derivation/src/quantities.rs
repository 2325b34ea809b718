//! What follows from a motion: definitions with their rates, resultants, powers, as expressions on top of the equations.

use crate::Equations;
use crate::scope::Scope;
use catena_model::System;
use catena_symbolic::{Expr, Graph};

/// Builds them in a graph that grew out of the equations' own.
pub struct Quantities<'a> {
    system: &'a System,
    scope: Scope<'a>,
}

impl<'a> Quantities<'a> {
    /// Those of the system that these equations were derived from.
    pub fn new(equations: &Equations, system: &'a System) -> Quantities<'a> {
        Quantities { system, scope: Scope::of_equations(equations, system) }
    }

    /// The time derivative of a definition, of an order up to [`System::definition_rates`].
    pub fn definition(&mut self, graph: &mut Graph, at: usize, order: usize) -> Expr {
        self.scope.derivative(graph, at, order)
    }

    /// One of [`System::quantities`].
    pub fn quantity(&mut self, graph: &mut Graph, at: usize) -> Expr {
        self.scope.build(graph, &self.system.quantities[at].formula)
    }
}
