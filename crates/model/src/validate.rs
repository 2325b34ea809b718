//! Names looked up and every formula checked: what comes after can rely on them.

use crate::context::{self, Contents, Context, forbidden};
use crate::names::Role;
use crate::problem::{Problem, ProblemKind};
use crate::source::Place;
use crate::system::{NamedFormula, System};
use catena_symbolic::{Formula, Function, primed};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// At most this many problems are collected; in a file with more of them most have one cause.
const MAX_PROBLEMS: usize = 200;

/// Declares the names of a system and looks up those in all of its formulas.
pub(crate) fn validate(
    system: &mut System,
    parameters: &[NamedFormula],
    problems: &mut Vec<Problem>,
    used: &mut FxHashSet<String>,
) {
    declare_names(system, parameters, problems);
    let mut validator = Validator { parameters, system, problems, used };
    system.definition_rates = validator.formulas();
}

/// Looks up names in a system that has declared its own.
pub(crate) struct Validator<'a> {
    pub(crate) parameters: &'a [NamedFormula],
    pub(crate) system: &'a System,
    pub(crate) problems: &'a mut Vec<Problem>,
    pub(crate) used: &'a mut FxHashSet<String>,
}

impl Validator<'_> {
    fn report(&mut self, kind: ProblemKind, place: Place) {
        self.problems.push(Problem { kind, place });
    }

    /// Enough to correct for now: each problem lists the names that could be meant.
    fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    /// All formulas of the system; for each definition the highest order of its time derivative that a column can show.
    fn formulas(&mut self) -> Vec<usize> {
        let system = self.system;
        let mut contents: Vec<Contents> = Vec::new();
        for (position, parameter) in self.parameters.iter().enumerate() {
            self.entry(parameter, context::PARAMETER, &contents, Some(Role::Parameter(position)));
        }
        for (position, definition) in system.definitions.iter().enumerate() {
            let role = Some(Role::Definition(position));
            let found = self.entry(definition, context::DEFINITION, &contents, role);
            contents.push(found);
        }
        let energies = [
            (&system.kinetic, context::KINETIC),
            (&system.potential, context::POTENTIAL),
            (&system.dissipation, context::DISSIPATION),
        ];
        for (entry, context) in energies {
            if let Some(entry) = entry {
                self.entry(entry, context, &contents, None);
            }
        }
        if system.kinetic.is_none()
            && let Some(coordinate) = system.coordinates.first()
        {
            self.report(ProblemKind::NoKineticEnergy, coordinate.place.clone());
        }
        for force in &system.forces {
            self.force_key(force, &contents);
            self.entry(force, context::FORCE, &contents, None);
        }
        for state in &system.states {
            self.entry(state, context::RATE, &contents, None);
        }
        for constraint in &system.constraints {
            let before = self.problems.len();
            let found = self.entry(constraint, context::CONSTRAINT, &contents, None);
            if !found.coordinates && self.problems.len() == before {
                let kind = ProblemKind::ConstraintWithoutCoordinates(constraint.name.clone());
                self.report(kind, constraint.place.clone());
            }
        }
        for entry in system.initial.iter().chain(&system.guess) {
            self.coordinate_key(entry, 1, "a coordinate, a velocity or a state");
            self.entry(entry, context::CONSTANT, &contents, None);
        }
        for event in &system.events {
            self.entry(&event.entry, context::EVENT, &contents, None);
        }
        for quantity in &system.quantities {
            self.entry(quantity, context::OUTPUT, &contents, None);
        }
        for (position, output) in system.outputs.iter().enumerate() {
            let role = Some(Role::Output(position));
            self.entry(output, context::OUTPUT, &contents, role);
        }
        for drawing in &system.drawings {
            for formula in drawing.points.iter().flatten() {
                self.formula(formula, drawing.place.source, context::DRAWING, &contents, None, "");
            }
            if let Some(radius) = &drawing.radius {
                self.formula(radius, drawing.place.source, context::CONSTANT, &contents, None, "");
            }
        }
        contents.iter().map(Contents::highest_rate).collect()
    }

    /// Looks up the names of one formula more, in a system that was validated.
    pub(crate) fn check_formula(&mut self, entry: &NamedFormula, context: Context) {
        let mut contents: Vec<Contents> = Vec::new();
        for definition in &self.system.definitions {
            let found = self.entry(definition, context::DEFINITION, &contents, None);
            contents.push(found);
        }
        self.entry(entry, context, &contents, None);
    }

    /// A force acts on a coordinate, or on what is defined by coordinates and time.
    fn force_key(&mut self, force: &NamedFormula, definitions: &[Contents]) {
        let Some(Role::Definition(at)) = self.system.names.role(&force.name) else {
            return self.coordinate_key(force, 0, "a coordinate or a definition");
        };
        let contents = definitions.get(at).copied().unwrap_or_default();
        let what = match (force.primes, contents) {
            (1.., _) => "a time derivative",
            (_, Contents { derivatives: 1.., .. }) => "a definition that uses velocities",
            (_, Contents { states: true, .. }) => "a definition that uses states",
            _ => return,
        };
        let name = primed(&force.name, force.primes);
        let expected = "a coordinate or a definition made of coordinates";
        self.report(ProblemKind::NotACoordinate { name, what, expected }, force.place.clone());
    }

    /// The key of a force or a value at the start must be a coordinate (or a state).
    fn coordinate_key(&mut self, entry: &NamedFormula, most_primes: usize, expected: &'static str) {
        let name = || primed(&entry.name, entry.primes);
        let what = match self.system.names.role(&entry.name) {
            Some(Role::Coordinate(_)) if entry.primes <= most_primes => return,
            Some(Role::State(_)) if entry.primes == 0 && most_primes > 0 => return,
            Some(Role::Coordinate(_) | Role::State(_)) if entry.primes > 0 => "a time derivative",
            Some(role) => role.description(),
            None => {
                let known = self.system.coordinates.iter().map(|c| c.name.clone()).collect();
                let kind = ProblemKind::UnknownName { name: name(), known };
                self.report(kind, entry.place.clone());
                return;
            }
        };
        let kind = ProblemKind::NotACoordinate { name: name(), what, expected };
        self.report(kind, entry.place.clone());
    }

    fn entry(
        &mut self,
        entry: &NamedFormula,
        context: Context,
        definitions: &[Contents],
        own: Option<Role>,
    ) -> Contents {
        self.formula(&entry.formula, entry.place.source, context, definitions, own, &entry.name)
    }

    /// Looks up every name; `own` is the role of the entry itself where order matters.
    fn formula(
        &mut self,
        formula: &Formula,
        source: usize,
        context: Context,
        definitions: &[Contents],
        own: Option<Role>,
        own_name: &str,
    ) -> Contents {
        let mut contents = Contents::default();
        for (name, primes, span) in formula.names() {
            if self.is_full() {
                break;
            }
            let place = Place { source, span: span.clone() };
            let Some(role) = self.system.names.role(name) else {
                let mut known = vec!["t".to_owned()];
                known.extend_from_slice(self.system.names.known());
                if context.reactions {
                    let columns = self.system.outputs.iter().chain(&self.system.quantities);
                    known.extend(columns.map(|entry| entry.name.clone()));
                }
                let kind = ProblemKind::UnknownName { name: name.to_owned(), known };
                self.report(kind, place);
                continue;
            };
            if !self.used.contains(name) {
                self.used.insert(name.to_owned());
            }
            if let Some(kind) = order_problem(role, own, name, own_name) {
                self.report(kind, place);
                continue;
            }
            let found = match role {
                Role::Time
                | Role::Parameter(_)
                | Role::State(_)
                | Role::Multiplier(_)
                | Role::Output(_)
                | Role::Quantity(_)
                    if primes > 0 =>
                {
                    let (name, what) = (name.to_owned(), role.description());
                    self.report(ProblemKind::NoDerivative { name, what }, place);
                    continue;
                }
                Role::Time => Contents { time: true, ..Contents::default() },
                Role::State(_) => Contents { states: true, ..Contents::default() },
                Role::Parameter(_) | Role::Multiplier(_) | Role::Output(_) | Role::Quantity(_) => {
                    Contents::default()
                }
                Role::Coordinate(_) => {
                    Contents { coordinates: true, derivatives: primes, ..Contents::default() }
                }
                Role::Definition(at) => {
                    let inner = definitions.get(at).copied().unwrap_or_default();
                    if primes > 0 && inner.states {
                        let what = "a definition that uses states";
                        let name = name.to_owned();
                        self.report(ProblemKind::NoDerivative { name, what }, place);
                        continue;
                    }
                    let raised = if inner.coordinates { primes } else { 0 };
                    Contents { derivatives: inner.derivatives + raised, ..inner }
                }
            };
            if let Some(what) = forbidden(found, role, context) {
                let name = primed(name, primes);
                let (help, context) = (context.help, context.name);
                self.report(ProblemKind::NotAllowed { name, what, context, help }, place);
            }
            contents.coordinates |= found.coordinates;
            contents.derivatives = contents.derivatives.max(found.derivatives);
            contents.time |= found.time;
            contents.states |= found.states;
        }
        contents
    }
}

/// Gives every name its role, and reports those that cannot have one.
fn declare_names(system: &mut System, parameters: &[NamedFormula], problems: &mut Vec<Problem>) {
    let mut names = std::mem::take(&mut system.names);
    let mut declare = |name: Cow<str>, place: &Place, role: Role| {
        if let Some(kind) = bad_name(&name) {
            problems.push(Problem { kind, place: place.clone() });
        } else if let Some(by) = names.declare(&name, role) {
            let by = by.description().trim_start_matches("a ");
            let kind = ProblemKind::DuplicateName { name: name.into_owned(), by };
            problems.push(Problem { kind, place: place.clone() });
        }
    };
    for (position, entry) in parameters.iter().enumerate() {
        declare(written(entry), &entry.place, Role::Parameter(position));
    }
    for (position, coordinate) in system.coordinates.iter().enumerate() {
        declare(Cow::Borrowed(&coordinate.name), &coordinate.place, Role::Coordinate(position));
    }
    for (position, entry) in system.definitions.iter().enumerate() {
        declare(written(entry), &entry.place, Role::Definition(position));
    }
    for (position, entry) in system.states.iter().enumerate() {
        declare(written(entry), &entry.place, Role::State(position));
    }
    for (position, constraint) in system.constraints.iter().enumerate() {
        let name = format!("lambda_{}", constraint.name);
        names.declare(&name, Role::Multiplier(position));
    }
    // a column may have the name of what it shows; formulas mean the latter
    for (position, output) in system.outputs.iter().enumerate() {
        names.declare_column(&output.name, Role::Output(position));
    }
    for (position, quantity) in system.quantities.iter().enumerate() {
        names.declare_column(&quantity.name, Role::Quantity(position));
    }
    for entry in system.constraints.iter().chain(&system.outputs) {
        let kind = bad_name(&written(entry));
        problems.extend(kind.map(|kind| Problem { kind, place: entry.place.clone() }));
    }
    system.names = names;
}

/// The name with its primes.
fn written(entry: &NamedFormula) -> Cow<'_, str> {
    match entry.primes {
        0 => Cow::Borrowed(&entry.name),
        primes => Cow::Owned(primed(&entry.name, primes)),
    }
}

/// Parameters, definitions and outputs use only what stands above them.
fn order_problem(role: Role, own: Option<Role>, name: &str, own_name: &str) -> Option<ProblemKind> {
    let (at, own_at) = match (role, own?) {
        (Role::Parameter(at), Role::Parameter(own)) => (at, own),
        (Role::Definition(at), Role::Definition(own)) => (at, own),
        (Role::Output(at), Role::Output(own)) => (at, own),
        _ => return None,
    };
    match at.cmp(&own_at) {
        std::cmp::Ordering::Less => None,
        std::cmp::Ordering::Equal => Some(ProblemKind::UsesItself { name: name.to_owned() }),
        std::cmp::Ordering::Greater => {
            Some(ProblemKind::UsesLater { name: own_name.to_owned(), later: name.to_owned() })
        }
    }
}

pub(crate) fn bad_name(name: &str) -> Option<ProblemKind> {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if !first || !characters.all(|c| c.is_alphanumeric() || c == '_') {
        return Some(ProblemKind::NotAName(name.to_owned()));
    }
    if Function::from_name(name).is_some() {
        return Some(ProblemKind::FunctionName(name.to_owned()));
    }
    let reserved = ["t", "pi", "deg", "kinetic", "potential", "energy"].contains(&name);
    (reserved || name.starts_with("lambda_")).then(|| ProblemKind::ReservedName(name.to_owned()))
}
