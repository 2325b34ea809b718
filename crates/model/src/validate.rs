//! From the draft to the model: settings applied, names looked up, every formula checked.

use crate::chain::{self, Chain, ChainSections};
use crate::draft::{self, Draft};
use crate::names::{Names, Role};
use crate::problem::{Problem, ProblemKind, Problems};
use crate::settings::{ParsedSetting, Setting};
use crate::source::{Place, Source};
use crate::system::{Entry, Model, Parameter, RunDefaults, System};
use catena_symbolic::{Formula, Function, Graph, Span, primed};
use rustc_hash::FxHashSet;

impl Model {
    /// Reads a model file and applies the settings; all problems are reported together.
    pub fn read(file: Source, settings: &[Setting]) -> Result<Model, Problems> {
        let mut sources = vec![file];
        sources.extend(settings.iter().map(Setting::source));
        let mut problems = Vec::new();
        let model = read(&sources, settings, &mut problems);
        match model {
            Some(mut model) if problems.is_empty() => {
                model.sources = sources;
                Ok(model)
            }
            _ => Err(Problems { sources, problems }),
        }
    }
}

fn read(sources: &[Source], settings: &[Setting], problems: &mut Vec<Problem>) -> Option<Model> {
    let size = sources[0].text.len();
    if size > crate::MAX_FILE_SIZE {
        let kind = ProblemKind::FileTooLarge { size, limit: crate::MAX_FILE_SIZE };
        problems.push(Problem { kind, place: Place::default() });
        return None;
    }
    let mut draft = draft::read(&sources[0].text, problems);
    let mut settings = parse_settings(settings, problems);
    if !problems.is_empty() {
        return None;
    }
    if let Some(section) = &mut draft.chain {
        settings.retain(|setting| !chain::apply(section, setting));
        for (section, place) in &draft.sections {
            if matches!(section.as_str(), "coordinates" | "energy") {
                let kind = ProblemKind::ChainHasItsOwn(section.clone());
                problems.push(Problem { kind, place: place.clone() });
            }
        }
    }
    let has_chain = draft.chain.is_some();
    let chain = Chain::read(&mut draft, problems);
    if has_chain && chain.is_none() {
        return None;
    }
    settings.retain(|setting| !set_parameter(&mut draft.parameters, setting));
    let mut joint = assemble(&draft, chain.as_ref().map(Chain::joint_sections));
    let mut absolute =
        chain.as_ref().map(|chain| assemble(&draft, Some(chain.absolute_sections())));
    set_initial(&settings, &draft, &mut joint, absolute.as_mut(), has_chain, problems);
    if joint.coordinates.is_empty() && joint.states.is_empty() {
        problems.push(Problem { kind: ProblemKind::EmptyModel, place: Place::default() });
        return None;
    }
    let mut used = FxHashSet::default();
    for system in [Some(&mut joint), absolute.as_mut()].into_iter().flatten() {
        Validator { parameters: &draft.parameters, system, problems, used: &mut used }.validate();
    }
    // both sets of a chain share what the user wrote: one message for one mistake
    deduplicate(problems);
    if !problems.is_empty() {
        return None;
    }
    let parameters = evaluate_parameters(&draft.parameters, problems)?;
    let run = run_defaults(&draft, &parameters, problems)?;
    let warnings = unused(&draft, &used);
    let Draft { title, description, .. } = draft;
    let sources = Vec::new();
    Some(Model { title, description, parameters, joint, absolute, chain, run, warnings, sources })
}

fn deduplicate(problems: &mut Vec<Problem>) {
    let mut unique: Vec<Problem> = Vec::with_capacity(problems.len());
    for problem in problems.drain(..) {
        if !unique.contains(&problem) {
            unique.push(problem);
        }
    }
    *problems = unique;
}

fn parse_settings(settings: &[Setting], problems: &mut Vec<Problem>) -> Vec<ParsedSetting> {
    let mut parsed = Vec::new();
    for (position, setting) in settings.iter().enumerate() {
        match setting.parse(position + 1) {
            Ok(setting) => parsed.push(setting),
            Err(problem) => problems.push(problem),
        }
    }
    parsed
}

/// Replaces the formula of a parameter; `false` if there is none of this name.
fn set_parameter(parameters: &mut [Entry], setting: &ParsedSetting) -> bool {
    let parameter = parameters.iter_mut().find(|entry| entry.name == setting.name);
    let Some(parameter) = parameter.filter(|_| setting.primes == 0) else { return false };
    parameter.formula = setting.formula.clone();
    parameter.place = setting.place.clone();
    true
}

/// What is left must be values at the start.
fn set_initial(
    settings: &[ParsedSetting],
    draft: &Draft,
    joint: &mut System,
    mut absolute: Option<&mut System>,
    has_chain: bool,
    problems: &mut Vec<Problem>,
) {
    for setting in settings {
        let mut found = false;
        for system in [Some(&mut *joint), absolute.as_deref_mut()].into_iter().flatten() {
            let coordinate = system.coordinates.iter().any(|c| c.name == setting.name);
            let state = system.states.iter().any(|s| s.name == setting.name);
            if !(coordinate && setting.primes <= 1 || state && setting.primes == 0) {
                continue;
            }
            found = true;
            let entry = Entry {
                name: setting.name.clone(),
                primes: setting.primes,
                formula: setting.formula.clone(),
                place: setting.place.clone(),
            };
            give(&mut system.initial, entry);
        }
        if !found {
            let mut known: Vec<String> =
                draft.parameters.iter().map(|entry| entry.name.clone()).collect();
            for coordinate in &joint.coordinates {
                known.push(coordinate.name.clone());
                known.push(primed(&coordinate.name, 1));
            }
            known.extend(joint.states.iter().map(|state| state.name.clone()));
            if has_chain {
                known.extend(chain::SETTABLE.map(str::to_owned));
            }
            let name = primed(&setting.name, setting.primes);
            let kind = ProblemKind::UnknownSetting { name, known };
            problems.push(Problem { kind, place: setting.place.clone() });
        }
    }
}

/// Gives a value at the start in place of an earlier one.
fn give(initial: &mut Vec<Entry>, entry: Entry) {
    let same = |other: &&mut Entry| other.name == entry.name && other.primes == entry.primes;
    match initial.iter_mut().find(same) {
        Some(other) => *other = entry,
        None => initial.push(entry),
    }
}

/// The sections of the file, behind those that the chain writes.
fn assemble(draft: &Draft, chain: Option<ChainSections>) -> System {
    let energy = |name: &str| draft.energy.iter().find(|entry| entry.name == name).cloned();
    let mut system = System {
        coordinates: draft.coordinates.clone(),
        definitions: draft.definitions.clone(),
        kinetic: energy("kinetic"),
        potential: energy("potential"),
        dissipation: energy("dissipation"),
        forces: draft.forces.clone(),
        states: draft.states.clone(),
        constraints: draft.constraints.clone(),
        initial: draft.initial.clone(),
        guess: draft.guess.clone(),
        events: draft.events.clone(),
        outputs: draft.outputs.clone(),
        drawings: draft.drawings.clone(),
        names: Names::new(),
    };
    if let Some(chain) = chain {
        let behind = |mut first: Vec<Entry>, second: &mut Vec<Entry>| {
            first.append(second);
            first
        };
        system.coordinates = chain.coordinates;
        system.definitions = behind(chain.definitions, &mut system.definitions);
        system.constraints = behind(chain.constraints, &mut system.constraints);
        system.outputs = behind(chain.outputs, &mut system.outputs);
        system.kinetic = Some(chain.kinetic);
        system.potential = Some(chain.potential);
        system.dissipation = chain.dissipation;
        let given = std::mem::replace(&mut system.initial, chain.initial);
        for entry in given {
            give(&mut system.initial, entry);
        }
        if system.drawings.is_empty() {
            system.drawings = chain.drawings;
        }
    }
    system
}

/// What a formula may contain, and how it is called in messages.
#[derive(Clone, Copy)]
struct Context {
    name: &'static str,
    coordinates: bool,
    /// Highest time derivative of a coordinate.
    derivatives: usize,
    time: bool,
    states: bool,
    multipliers: bool,
    help: &'static str,
}

const CONSTANT: Context = Context {
    name: "this value",
    coordinates: false,
    derivatives: 0,
    time: false,
    states: false,
    multipliers: false,
    help: "use numbers and parameters only",
};
const PARAMETER: Context = Context {
    name: "a parameter",
    help: "a parameter is a constant; what changes in time belongs under [definitions]",
    ..CONSTANT
};
const CONSTRAINT: Context = Context {
    name: "a constraint",
    coordinates: true,
    time: true,
    help: "constraints are formulas of coordinates and time; their derivatives are found for you",
    ..CONSTANT
};
const POTENTIAL: Context = Context {
    name: "the potential energy",
    help: "it depends on coordinates and time; other forces go under [forces] or into the dissipation",
    ..CONSTRAINT
};
const KINETIC: Context = Context {
    name: "the kinetic energy",
    derivatives: 1,
    help: "it depends on coordinates, velocities and time",
    ..CONSTRAINT
};
const DISSIPATION: Context = Context { name: "the dissipation", ..KINETIC };
const FORCE: Context = Context {
    name: "a force",
    states: true,
    help: "it depends on time, coordinates, velocities and states",
    ..KINETIC
};
const RATE: Context = Context { name: "the rate of a state", ..FORCE };
const DEFINITION: Context = Context { name: "a definition", ..FORCE };
const EVENT: Context = Context { name: "an event", ..FORCE };
const OUTPUT: Context =
    Context { name: "an output", derivatives: 2, multipliers: true, help: "", ..FORCE };
const DRAWING: Context = Context {
    name: "a drawing",
    derivatives: 0,
    help: "points depend on coordinates, states and time",
    ..FORCE
};

/// What a definition turned out to contain.
#[derive(Clone, Copy, Default)]
struct Contents {
    coordinates: bool,
    derivatives: usize,
    time: bool,
    states: bool,
}

struct Validator<'a> {
    parameters: &'a [Entry],
    system: &'a mut System,
    problems: &'a mut Vec<Problem>,
    used: &'a mut FxHashSet<String>,
}

impl Validator<'_> {
    fn report(&mut self, kind: ProblemKind, place: Place) {
        self.problems.push(Problem { kind, place });
    }

    fn validate(&mut self) {
        self.declare_names();
        let system = self.system.clone();
        let mut contents: Vec<Contents> = Vec::new();
        for (position, parameter) in self.parameters.iter().enumerate() {
            self.entry(parameter, PARAMETER, &contents, Some(Role::Parameter(position)));
        }
        for (position, definition) in system.definitions.iter().enumerate() {
            let role = Some(Role::Definition(position));
            let found = self.entry(definition, DEFINITION, &contents, role);
            contents.push(found);
        }
        let energies = [
            (&system.kinetic, KINETIC),
            (&system.potential, POTENTIAL),
            (&system.dissipation, DISSIPATION),
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
            self.coordinate_key(force, 0, "a coordinate");
            self.entry(force, FORCE, &contents, None);
        }
        for state in &system.states {
            self.entry(state, RATE, &contents, None);
        }
        for constraint in &system.constraints {
            let before = self.problems.len();
            let found = self.entry(constraint, CONSTRAINT, &contents, None);
            if !found.coordinates && self.problems.len() == before {
                let kind = ProblemKind::ConstraintWithoutCoordinates(constraint.name.clone());
                self.report(kind, constraint.place.clone());
            }
        }
        for entry in system.initial.iter().chain(&system.guess) {
            self.coordinate_key(entry, 1, "a coordinate, a velocity or a state");
            self.entry(entry, CONSTANT, &contents, None);
        }
        for event in &system.events {
            self.entry(&event.entry, EVENT, &contents, None);
        }
        for output in &system.outputs {
            self.entry(output, OUTPUT, &contents, None);
        }
        for drawing in &system.drawings {
            for formula in drawing.points.iter().flatten() {
                self.formula(formula, drawing.place.source, DRAWING, &contents, None, "");
            }
        }
    }

    fn declare_names(&mut self) {
        let mut names = std::mem::take(&mut self.system.names);
        let parameters: Vec<(String, Place)> =
            self.parameters.iter().map(|p| (primed(&p.name, p.primes), p.place.clone())).collect();
        let listed = |entries: &[Entry]| -> Vec<(String, Place)> {
            entries.iter().map(|e| (primed(&e.name, e.primes), e.place.clone())).collect()
        };
        let coordinates =
            self.system.coordinates.iter().map(|c| (c.name.clone(), c.place.clone())).collect();
        let definitions = listed(&self.system.definitions);
        let states = listed(&self.system.states);
        type Maker = fn(usize) -> Role;
        let kinds: [(Vec<(String, Place)>, Maker); 4] = [
            (parameters, Role::Parameter),
            (coordinates, Role::Coordinate),
            (definitions, Role::Definition),
            (states, Role::State),
        ];
        for (declared, role) in kinds {
            for (position, (name, place)) in declared.iter().enumerate() {
                if let Some(kind) = bad_name(name) {
                    self.report(kind, place.clone());
                } else if let Some(by) = names.declare(name, role(position), place) {
                    let by = by.description().trim_start_matches("a ");
                    let kind = ProblemKind::DuplicateName { name: name.clone(), by };
                    self.report(kind, place.clone());
                }
            }
        }
        for (position, constraint) in self.system.constraints.iter().enumerate() {
            let name = format!("lambda_{}", constraint.name);
            names.declare(&name, Role::Multiplier(position), &constraint.place);
        }
        let plain = [&self.system.constraints, &self.system.outputs];
        let mut bad = Vec::new();
        for entry in plain.into_iter().flatten() {
            let name = primed(&entry.name, entry.primes);
            bad.extend(bad_name(&name).map(|kind| (kind, entry.place.clone())));
        }
        for (kind, place) in bad {
            self.report(kind, place);
        }
        self.system.names = names;
    }

    /// The key of a force or a value at the start must be a coordinate (or a state).
    fn coordinate_key(&mut self, entry: &Entry, most_primes: usize, expected: &'static str) {
        let name = primed(&entry.name, entry.primes);
        let what = match self.system.names.role(&entry.name) {
            Some(Role::Coordinate(_)) if entry.primes <= most_primes => return,
            Some(Role::State(_)) if entry.primes == 0 && most_primes > 0 => return,
            Some(Role::Coordinate(_) | Role::State(_)) => "a time derivative",
            Some(role) => role.description(),
            None => {
                let known = self.system.coordinates.iter().map(|c| c.name.clone()).collect();
                self.report(ProblemKind::UnknownName { name, known }, entry.place.clone());
                return;
            }
        };
        self.report(ProblemKind::NotACoordinate { name, what, expected }, entry.place.clone());
    }

    fn entry(
        &mut self,
        entry: &Entry,
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
            let place = Place { source, span: span.clone() };
            let Some(role) = self.system.names.role(name) else {
                let mut known = vec!["t".to_owned()];
                known.extend_from_slice(self.system.names.known());
                let kind = ProblemKind::UnknownName { name: name.to_owned(), known };
                self.report(kind, place);
                continue;
            };
            self.used.insert(name.to_owned());
            if let Some(kind) = order_problem(role, own, name, own_name) {
                self.report(kind, place);
                continue;
            }
            let found = match role {
                Role::Time | Role::Parameter(_) | Role::State(_) | Role::Multiplier(_)
                    if primes > 0 =>
                {
                    let (name, what) = (name.to_owned(), role.description());
                    self.report(ProblemKind::NoDerivative { name, what }, place);
                    continue;
                }
                Role::Time => Contents { time: true, ..Contents::default() },
                Role::State(_) => Contents { states: true, ..Contents::default() },
                Role::Parameter(_) | Role::Multiplier(_) => Contents::default(),
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

/// Parameters and definitions use only what stands above them.
fn order_problem(role: Role, own: Option<Role>, name: &str, own_name: &str) -> Option<ProblemKind> {
    let (at, own_at) = match (role, own?) {
        (Role::Parameter(at), Role::Parameter(own)) => (at, own),
        (Role::Definition(at), Role::Definition(own)) => (at, own),
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

/// What in these contents the context cannot use.
fn forbidden(contents: Contents, role: Role, context: Context) -> Option<&'static str> {
    if contents.derivatives > context.derivatives {
        return Some(match (role, contents.derivatives) {
            (Role::Definition(_), 1) => "a definition that uses velocities",
            (Role::Definition(_), 2) => "a definition that uses accelerations",
            (_, 1) => "a velocity",
            (_, 2) => "an acceleration",
            _ => "a higher derivative",
        });
    }
    if contents.coordinates && !context.coordinates {
        return Some(match role {
            Role::Definition(_) => "a definition that uses coordinates",
            _ => "a coordinate",
        });
    }
    if contents.states && !context.states {
        return Some(match role {
            Role::Definition(_) => "a definition that uses states",
            _ => "a state",
        });
    }
    if contents.time && !context.time {
        return Some(match role {
            Role::Definition(_) => "a definition that uses the time",
            _ => "the time",
        });
    }
    match role {
        Role::Multiplier(_) if !context.multipliers => Some("a multiplier"),
        // a definition is never constant for those who may use constants only
        Role::Definition(_) if !context.coordinates => Some("a definition"),
        _ => None,
    }
}

fn bad_name(name: &str) -> Option<ProblemKind> {
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

fn evaluate_parameters(entries: &[Entry], problems: &mut Vec<Problem>) -> Option<Vec<Parameter>> {
    let mut values = rustc_hash::FxHashMap::default();
    let mut parameters = Vec::with_capacity(entries.len());
    for entry in entries {
        let value = evaluate(&entry.formula, |name| values.get(name).copied());
        if !value.is_finite() {
            let kind = ProblemKind::NotFinite { name: entry.name.clone(), value };
            let span = formula_span(&entry.formula);
            problems.push(Problem { kind, place: Place { source: entry.place.source, span } });
        }
        values.insert(entry.name.as_str(), value);
        parameters.push(Parameter { entry: entry.clone(), value });
    }
    problems.is_empty().then_some(parameters)
}

fn formula_span(formula: &Formula) -> Span {
    formula.span(formula.nodes().len() - 1)
}

/// The value of a formula of parameters.
fn evaluate<'a>(formula: &Formula, value: impl Fn(&str) -> Option<f64> + 'a) -> f64 {
    let mut graph = Graph::new();
    let expr = formula.build_plain(&mut graph);
    graph.evaluate(&[expr], |name| value(name).unwrap_or(f64::NAN))[0]
}

fn run_defaults(
    draft: &Draft,
    parameters: &[Parameter],
    problems: &mut Vec<Problem>,
) -> Option<RunDefaults> {
    let mut run = RunDefaults::default();
    for (key, name) in &draft.run_names {
        let slot = if key == "formulation" { &mut run.formulation } else { &mut run.integrator };
        *slot = Some(name.clone());
    }
    for entry in &draft.run {
        let lookup = |name: &str| {
            parameters.iter().find(|p| p.entry.name == name).map(|parameter| parameter.value)
        };
        if let Some((name, _, span)) =
            entry.formula.names().find(|(name, primes, _)| *primes > 0 || lookup(name).is_none())
        {
            let known = parameters.iter().map(|p| p.entry.name.clone()).collect();
            let kind = ProblemKind::UnknownName { name: name.to_owned(), known };
            problems.push(Problem { kind, place: Place { source: 0, span } });
            continue;
        }
        let value = evaluate(&entry.formula, lookup);
        // NaN is not positive either
        if value.is_nan() || value <= 0.0 || value.is_infinite() {
            let kind = ProblemKind::NotPositive { name: entry.name.clone(), value };
            problems.push(Problem { kind, place: entry.place.clone() });
        }
        let slot = match entry.name.as_str() {
            "t_end" => &mut run.t_end,
            "every" => &mut run.every,
            "rtol" => &mut run.rtol,
            "atol" => &mut run.atol,
            "step" => &mut run.step,
            "first_step" => &mut run.first_step,
            "max_step" => &mut run.max_step,
            _ => &mut run.max_steps,
        };
        *slot = Some(value);
    }
    problems.is_empty().then_some(run)
}

/// Parameters and definitions that nothing uses.
fn unused(draft: &Draft, used: &FxHashSet<String>) -> Vec<Problem> {
    let mut used_in_run = used.clone();
    for entry in &draft.run {
        used_in_run.extend(entry.formula.names().map(|(name, _, _)| name.to_owned()));
    }
    let parameters = draft.parameters.iter().map(|entry| ("the parameter", entry));
    let definitions = draft.definitions.iter().map(|entry| ("the definition", entry));
    parameters
        .chain(definitions)
        .filter(|(_, entry)| !used_in_run.contains(&entry.name))
        .map(|(what, entry)| Problem {
            kind: ProblemKind::Unused { what, name: entry.name.clone() },
            place: entry.place.clone(),
        })
        .collect()
}
