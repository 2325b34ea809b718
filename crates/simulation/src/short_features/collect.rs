//! What there is to watch: the functions in the equations of motion that a long step may miss.

use super::shape::{STEEP_POWER, Shape};
use super::smooth_product::Users;
use catena_derivation::Equations;
use catena_symbolic::{Dependence, Expr, Feature, Function, Graph, Node, Notation, Rules};
use std::collections::HashMap;

/// A function with the expression of its argument.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) shape: Shape,
    pub(super) argument: Expr,
    /// Numbers of the drives that it is part of, where it depends on time alone.
    pub(super) drives: Vec<usize>,
}

/// A place where the equations are not smooth.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// Zero there.
    pub(super) argument: Expr,
    /// The functions.
    calls: Vec<Expr>,
    /// Numbers of the drives that it is part of, where it depends on time alone.
    pub(super) drives: Vec<usize>,
    /// The argument as a formula.
    pub(super) text: String,
    /// Whether the function itself jumps there.
    pub(super) jumps: bool,
    /// Whether the argument is made of velocities, so that a jump is dry friction.
    pub(super) is_velocity: bool,
}

/// What there is to watch in a system.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    /// Grew out of the equations' own graph.
    pub(super) graph: Graph,
    /// Functions of time alone.
    pub(super) of_time: Vec<Watched>,
    /// The largest expressions of time alone.
    pub(super) drives: Vec<Expr>,
    /// Functions of the state.
    pub(super) of_state: Vec<Watched>,
    pub(super) switches: Vec<Switch>,
}

/// The argument of a switch is written out in messages up to this many parts.
const MAX_NAMED_PARTS: usize = 40;
/// Bits of the dependence on time, velocities, and the rest of the state.
const TIME: u8 = 1;
const VELOCITIES: u8 = 2;
const OTHER_STATE: u8 = 4;

/// Looks through the equations of motion; `None` where there is nothing to watch.
pub(super) fn collect(equations: &Equations) -> Option<Findings> {
    let e = equations;
    let rest = [e.coordinates.as_slice(), &e.states].concat();
    let dependence = e.graph.dependence(&[&[e.time], &e.velocities, &rest]);
    // most models have nothing of the kind: one pass says so
    e.graph.expressions().find(|&expr| may_hide(&e.graph, &dependence, expr))?;
    let order = e.graph.reachable(&roots(e));
    let mut findings = Findings {
        graph: e.graph.clone(),
        of_time: Vec::new(),
        drives: drives(e, &dependence, &order),
        of_state: Vec::new(),
        switches: Vec::new(),
    };
    let users = Users::new(&e.graph, &order, roots(e));
    let (mut known, mut known_switches) = (HashMap::new(), HashMap::new());
    for expr in order.into_iter().filter(|&expr| may_hide(&e.graph, &dependence, expr)) {
        if let Node::Call(ABS, x) = e.graph.node(expr)
            && users.only_times(&e.graph, expr, x)
        {
            continue;
        }
        if let Some(switch) = switch(&mut findings.graph, expr) {
            findings.add_switch(&mut known_switches, expr, switch, dependence.of(expr));
        } else if let Some((shapes, argument)) = shapes(&e.graph, expr) {
            let of_time = dependence.of(argument) == TIME;
            for shape in shapes.into_iter().flatten() {
                let watched = Watched { shape, argument, drives: Vec::new() };
                findings.add(&mut known, watched, of_time);
            }
        }
    }
    findings.sort_into_drives();
    let nothing = findings.of_time.is_empty() && findings.of_state.is_empty();
    (!nothing || !findings.switches.is_empty()).then_some(findings)
}

/// For every event function, the shapes of what may hide something in it, and their arguments.
pub(super) fn event_shapes(e: &Equations) -> Vec<Vec<(Shape, Expr)>> {
    let moving = [e.coordinates.as_slice(), &e.velocities, &e.states, &[e.time]].concat();
    let dependence = e.graph.dependence(&[&moving]);
    let of_event = |&event: &Expr| {
        let parts = e.graph.reachable(&[event]).into_iter();
        let found = parts.filter_map(|expr| shapes(&e.graph, expr));
        let moving = found.filter(|(_, argument)| dependence.of(*argument) != 0);
        let each = |(shapes, argument): ([Option<Shape>; 2], Expr)| {
            shapes.into_iter().flatten().map(move |shape| (shape, argument))
        };
        moving.flat_map(each).collect()
    };
    e.events.iter().map(of_event).collect()
}

/// Everything that moves the system.
fn roots(e: &Equations) -> Vec<Expr> {
    let entries = e.mass_matrix.iter().chain(&e.constraint_jacobian.entries);
    let mut roots: Vec<Expr> = entries.map(|&(_, _, entry)| entry).collect();
    for group in [&e.forces, &e.constraints, &e.constraint_rate, &e.gamma, &e.state_rates] {
        roots.extend(group);
    }
    roots
}

/// Whether an expression is a function that a step may miss something of.
fn may_hide(graph: &Graph, dependence: &Dependence, expr: Expr) -> bool {
    match graph.node(expr) {
        Node::Call(function, x) => match function.unary().feature {
            Feature::Even => false,
            Feature::Period => dependence.of(x) == TIME,
            _ => dependence.of(x) != 0,
        },
        Node::Call2(function, ..) => function.binary().switch.is_some() && dependence.of(expr) != 0,
        Node::Power(base, exponent) => {
            let whole = graph.as_number(exponent).and_then(|number| number.as_integer());
            dependence.of(base) != 0 && !whole.is_some_and(|n| (0..STEEP_POWER as i64).contains(&n))
        }
        _ => false,
    }
}

/// The expression at whose zeros a function is not smooth.
fn switch(graph: &mut Graph, expr: Expr) -> Option<Expr> {
    match graph.node(expr) {
        Node::Call(function, x) => match function.unary().feature {
            Feature::Switch(argument) | Feature::Poles(argument) => Some(argument(graph, x)),
            _ => None,
        },
        Node::Call2(function, x, y) => {
            function.binary().switch.map(|argument| argument(graph, x, y))
        }
        _ => None,
    }
}

/// The shapes of a function and its argument.
fn shapes(graph: &Graph, expr: Expr) -> Option<([Option<Shape>; 2], Expr)> {
    match graph.node(expr) {
        Node::Call(function, x) => {
            let Rules::One(rules) = &function.row().rules else { return None };
            let shape = match rules.feature {
                // of a pole and the next there is no more than one in what may be passed
                Feature::Period | Feature::Poles(_) => Shape::Period,
                Feature::Growth => Shape::Growth,
                Feature::GrowthBothWays => Shape::GrowthBothWays,
                Feature::Step(total) => Shape::Step { value: rules.value, total },
                Feature::Pole => Shape::Power(-1.0),
                Feature::Even | Feature::Switch(_) => return None,
            };
            Some(([Some(shape), None], x))
        }
        Node::Power(base, power) => {
            let shapes = match graph.as_number(power).map(|number| number.to_f64()) {
                Some(power) if !(0.0..STEEP_POWER).contains(&power) => [Some(power), None],
                Some(power) if power.fract() == 0.0 => return None,
                // a root: its slope is singular where its argument is zero
                Some(_) => [Some(-0.5), None],
                // a parameter: whatever it may be
                None => [Some(-1.0), Some(STEEP_POWER)],
            };
            Some((shapes.map(|power| power.map(Shape::Power)), base))
        }
        _ => None,
    }
}

/// The largest expressions of time alone: where others, or the equations themselves, use them.
fn drives(e: &Equations, dependence: &Dependence, order: &[Expr]) -> Vec<Expr> {
    let users = order.iter().filter(|&&user| dependence.of(user) != TIME);
    let operands = users.flat_map(|&user| e.graph.node(user).operands());
    let used = operands.chain(roots(e)).filter(|&expr| dependence.of(expr) == TIME);
    let mut drives: Vec<Expr> = used.collect();
    drives.sort_unstable();
    drives.dedup();
    drives
}

impl Findings {
    /// Of several powers of one expression the steepest is enough.
    fn add(&mut self, known: &mut HashMap<Expr, usize>, watched: Watched, of_time: bool) {
        let list = if of_time { &mut self.of_time } else { &mut self.of_state };
        if let Shape::Power(exponent) = watched.shape
            && let Some(&at) = known.get(&watched.argument)
            && let Shape::Power(other) = &mut list[at].shape
            && (*other < 0.0) == (exponent < 0.0)
        {
            *other = if exponent.abs() > other.abs() { exponent } else { *other };
            return;
        }
        if matches!(watched.shape, Shape::Power(_)) {
            known.insert(watched.argument, list.len());
        }
        list.push(watched);
    }

    fn add_switch(
        &mut self,
        known: &mut HashMap<Expr, usize>,
        expr: Expr,
        argument: Expr,
        bits: u8,
    ) {
        let jumps = matches!(self.graph.node(expr), Node::Call(SIGN, _));
        if let Some(&at) = known.get(&argument) {
            self.switches[at].jumps |= jumps;
            self.switches[at].calls.push(expr);
            return;
        }
        known.insert(argument, self.switches.len());
        let short = self.graph.short_formula_text(argument, MAX_NAMED_PARTS);
        let written = short.map(|_| Notation::of(&self.graph, argument).to_formula());
        let text = written.unwrap_or_else(|| "...".to_owned());
        let is_velocity = bits & VELOCITIES != 0 && bits & OTHER_STATE == 0;
        let drives = Vec::new();
        self.switches.push(Switch {
            argument,
            calls: vec![expr],
            drives,
            text,
            jumps,
            is_velocity,
        });
    }

    fn sort_into_drives(&mut self) {
        let mut watched_by: HashMap<Expr, Vec<usize>> = HashMap::new();
        for (at, watched) in self.of_time.iter().enumerate() {
            watched_by.entry(watched.argument).or_default().push(at);
        }
        let mut switched_by: HashMap<Expr, usize> = HashMap::new();
        for (at, switch) in self.switches.iter().enumerate() {
            switched_by.extend(switch.calls.iter().map(|&call| (call, at)));
        }
        for (number, &drive) in self.drives.iter().enumerate() {
            for part in self.graph.reachable(&[drive]) {
                for &at in watched_by.get(&part).into_iter().flatten() {
                    self.of_time[at].drives.push(number);
                }
                // several calls of one switch may be in the drive
                if let Some(&at) = switched_by.get(&part)
                    && self.switches[at].drives.last() != Some(&number)
                {
                    self.switches[at].drives.push(number);
                }
            }
        }
    }
}

/// The one function that jumps by itself.
const SIGN: Function = Function::named("sign");
/// Its integral, which bends.
const ABS: Function = Function::named("abs");
