//! Names become expressions: symbols for what varies, bodies for definitions, and the total time
//! derivative wherever a definition carries a prime.

use crate::Equations;
use catena_model::{Model, Role, System};
use catena_symbolic::{Expr, Formula, Graph, Number, Span, primed};
use std::convert::Infallible;

/// The symbols of a system, each in the order of the model.
#[derive(Clone, Debug)]
pub(crate) struct Symbols {
    pub(crate) parameters: Vec<Expr>,
    pub(crate) coordinates: Vec<Expr>,
    pub(crate) states: Vec<Expr>,
    pub(crate) velocities: Vec<Expr>,
    pub(crate) accelerations: Vec<Expr>,
    pub(crate) multipliers: Vec<Expr>,
    pub(crate) time: Expr,
}

impl Symbols {
    /// Made in the order in which they are printed inside a term: constants first, time last.
    fn new(graph: &mut Graph, model: &Model, system: &System) -> Self {
        let names: Vec<&str> = system.coordinates.iter().map(|c| c.name.as_str()).collect();
        let primes = |graph: &mut Graph, count: usize| -> Vec<Expr> {
            names.iter().map(|name| graph.symbol(&primed(name, count))).collect()
        };
        let parameters = model.parameters.iter().map(|p| graph.symbol(&p.entry.name)).collect();
        let coordinates = primes(graph, 0);
        let states = system.states.iter().map(|state| graph.symbol(&state.name)).collect();
        let (velocities, accelerations) = (primes(graph, 1), primes(graph, 2));
        let multiplier = |name: &str| format!("lambda_{name}");
        let multipliers =
            system.constraints.iter().map(|c| graph.symbol(&multiplier(&c.name))).collect();
        let time = graph.symbol("t");
        Symbols { parameters, coordinates, states, velocities, accelerations, multipliers, time }
    }

    /// The rates of everything a definition may depend on.
    fn rates(&self, graph: &mut Graph) -> Vec<(Expr, Expr)> {
        let positions = self.coordinates.iter().zip(&self.velocities);
        let rates = self.velocities.iter().zip(&self.accelerations);
        let one = graph.number(Number::ONE);
        let mut seeds: Vec<_> = positions.chain(rates).map(|(&x, &rate)| (x, rate)).collect();
        seeds.push((self.time, one));
        seeds
    }
}

/// Looks names up while formulas are built.
pub(crate) struct Scope<'a> {
    system: &'a System,
    pub(crate) symbols: Symbols,
    /// `derivatives[k][i]` is the k-th time derivative of definition i, as far as it was needed.
    derivatives: Vec<Vec<Expr>>,
    /// The outputs that are built so far, which those behind them may use.
    pub(crate) outputs: Vec<Expr>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(graph: &mut Graph, model: &Model, system: &'a System) -> Self {
        let symbols = Symbols::new(graph, model, system);
        let (derivatives, outputs) = (vec![Vec::new()], Vec::new());
        let mut scope = Scope { system, symbols, derivatives, outputs };
        for definition in &system.definitions {
            let body = scope.build(graph, &definition.formula);
            scope.derivatives[0].push(body);
        }
        scope
    }

    /// The scope in which these equations were derived.
    pub(crate) fn of_equations(e: &Equations, system: &'a System) -> Self {
        let symbols = Symbols {
            parameters: e.parameters.clone(),
            coordinates: e.coordinates.clone(),
            states: e.states.clone(),
            velocities: e.velocities.clone(),
            accelerations: e.accelerations.clone(),
            multipliers: e.multipliers.clone(),
            time: e.time,
        };
        let (derivatives, outputs) = (vec![e.definitions.clone()], e.outputs.clone());
        Scope { system, symbols, derivatives, outputs }
    }

    /// The bodies of the definitions.
    pub(crate) fn definitions(&self) -> &[Expr] {
        &self.derivatives[0]
    }

    /// The expression of a formula that was validated with the model.
    pub(crate) fn build(&mut self, graph: &mut Graph, formula: &Formula) -> Expr {
        let resolve = |graph: &mut Graph, name: &str, primes: usize, _: Span| {
            Ok::<Expr, Infallible>(self.resolve(graph, name, primes))
        };
        let Ok(expr) = formula.build(graph, resolve);
        expr
    }

    fn resolve(&mut self, graph: &mut Graph, name: &str, primes: usize) -> Expr {
        match self.system.names.role(name) {
            Some(Role::Definition(at)) => self.derivative(graph, at, primes),
            Some(Role::Output(at)) => self.outputs[at],
            Some(Role::Quantity(at)) => self.build(graph, &self.system.quantities[at].formula),
            // everything else is a symbol, and was made before: primes are part of its name
            _ if primes == 0 => graph.symbol(name),
            _ => graph.symbol(&primed(name, primes)),
        }
    }

    /// The time derivative of a definition. All definitions known so far go through one sweep, so
    /// that a long chain of them costs no more than its length.
    pub(crate) fn derivative(&mut self, graph: &mut Graph, at: usize, order: usize) -> Expr {
        while self.derivatives.len() <= order {
            self.derivatives.push(Vec::new());
        }
        for level in 1..=order {
            let done = self.derivatives[level].len();
            let lower = self.derivatives[level - 1][done..].to_vec();
            if done <= at {
                let seeds = self.symbols.rates(graph);
                let rates = graph.directional(&lower, &seeds);
                self.derivatives[level].extend(rates);
            }
        }
        self.derivatives[order][at]
    }
}

/// Formulas of coordinates, definitions, states and time as expressions, in a graph that grew out of that of the
/// equations.
pub fn expressions(
    model: &Model,
    system: &System,
    graph: &mut Graph,
    formulas: &[&Formula],
) -> Vec<Expr> {
    let mut scope = Scope::new(graph, model, system);
    formulas.iter().map(|formula| scope.build(graph, formula)).collect()
}
