//! From the text to the model: settings applied, sections put together, values computed.

use crate::chain::{self, Chain};
use crate::draft::{self, Draft};
use crate::generated::Sections;
use crate::lazy_system::LazySystem;
use crate::mechanism::{Mechanism, MechanismProblem};
use crate::names::Names;
use crate::options::{Kind, OptionValue};
use crate::problem::{Problem, ProblemKind, Problems};
use crate::run_settings::{RUN_OPTIONS, RunSettings};
use crate::settings::{ParsedSetting, Setting};
use crate::source::{Place, Source};
use crate::system::{Model, NamedFormula, Parameter, System};
use crate::turns;
use crate::validate::validate;
use catena_symbolic::{Formula, Span, primed};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Model {
    /// Reads a model file and applies the settings; all problems are reported together.
    pub fn read(file: Source, settings: &[Setting]) -> Result<Model, Problems> {
        let mut sources = vec![file];
        sources.extend(settings.iter().map(Setting::source));
        let mut problems = Vec::new();
        let model = read(&sources, settings, &mut problems);
        match model {
            Some(mut model) if problems.is_empty() => {
                if model.title.is_empty() {
                    model.title = sources[0].stem().to_owned();
                }
                model.sources = sources;
                let turns = turns::of_start(&model);
                model.warnings.extend(turns);
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
    let mut wrong_settings = Vec::new();
    let mut settings = parse_settings(settings, &mut wrong_settings);
    let mut draft = draft::read(&sources[0].text, &mut settings, problems);
    problems.append(&mut wrong_settings);
    if !problems.is_empty() {
        return None;
    }
    if let Some(section) = &mut draft.chain {
        settings.retain(|setting| !chain::apply(section, setting));
        refuse_sections_of_chain(&draft.sections, problems);
    }
    check_alone(&draft, problems);
    let (has_chain, is_mechanism) = (draft.chain.is_some(), draft.mechanism.place.is_some());
    let mut sizes = draft.mechanism.sizes.names();
    let chain = Chain::read(&mut draft, problems);
    let mechanism = Mechanism::read(&mut draft, problems);
    if has_chain && chain.is_none() || is_mechanism && mechanism.is_none() {
        return None;
    }
    settings.retain(|setting| !set_parameter(&mut draft.parameters, setting));
    let written = match (&chain, &mechanism) {
        (Some(chain), _) => Some(chain.joint_sections()),
        (None, mechanism) => mechanism.as_ref().map(Mechanism::sections),
    };
    check_written(&draft, written.as_ref().filter(|_| is_mechanism), problems);
    let mut own = assemble(&draft, written);
    // where nobody wrote a formula for both sets, what is said of one of them is all that can be said
    let is_alone = draft.adds_nothing() && settings.iter().all(|setting| gives(setting, &own));
    let mut absolute = (chain.as_ref().filter(|_| !is_alone))
        .map(|chain| assemble(&draft, Some(chain.absolute_sections())));
    if has_chain {
        sizes.extend(chain::SETTABLE.map(str::to_owned));
    }
    set_initial(&settings, &draft, &mut own, absolute.as_mut(), &sizes, problems);
    if own.coordinates.is_empty() && own.states.is_empty() {
        problems.push(Problem { kind: ProblemKind::EmptyModel, place: Place::default() });
        return None;
    }
    let mut used = FxHashSet::default();
    for system in [Some(&mut own), absolute.as_mut()].into_iter().flatten() {
        validate(system, &draft.parameters, problems, &mut used);
    }
    // both sets of a chain share what the user wrote: one message for one mistake
    deduplicate(problems);
    if !problems.is_empty() {
        return None;
    }
    let parameters = evaluate_parameters(&draft.parameters, problems)?;
    let joint = mechanism.as_ref().and_then(|mechanism| joint_system(&draft, mechanism));
    if let Some(mechanism) = &mechanism {
        let parameter = |name: &str| value_of(&parameters, name);
        mechanism.check_numbers(&parameter, problems);
        mechanism.complete_guesses(&mut own, &parameter, problems);
    }
    let run = run_settings(&draft, &parameters, problems)?;
    let mut warnings = unused(&draft, &used);
    warnings.extend(turns_in_formulas(&draft, &own, mechanism.as_ref()));
    let (title, description) =
        (std::mem::take(&mut draft.title), std::mem::take(&mut draft.description));
    let absolute = match absolute {
        Some(absolute) => Some(LazySystem::from(absolute)),
        None => chain
            .clone()
            .map(|chain| LazySystem::later(move || absolute_system(&draft, &chain, &settings))),
    };
    let sources = Vec::new();
    Some(Model {
        title,
        description,
        parameters,
        own: Arc::new(own),
        absolute,
        joint: joint.map(Arc::new),
        chain,
        mechanism,
        run,
        warnings,
        sources,
    })
}

/// A chain in absolute coordinates, where nothing can be wrong with it.
fn absolute_system(draft: &Draft, chain: &Chain, settings: &[ParsedSetting]) -> System {
    let mut system = assemble(draft, Some(chain.absolute_sections()));
    settings.iter().for_each(|setting| give_setting(setting, &mut system));
    let (mut problems, mut used) = (Vec::new(), FxHashSet::default());
    validate(&mut system, &draft.parameters, &mut problems, &mut used);
    debug_assert!(problems.is_empty(), "a chain writes formulas that can be read");
    system
}

/// A chain writes these sections itself.
fn refuse_sections_of_chain(sections: &[(String, Place)], problems: &mut Vec<Problem>) {
    for (section, place) in sections {
        if matches!(section.as_str(), "coordinates" | "energy") {
            let kind = ProblemKind::ChainHasItsOwn(section.clone());
            problems.push(Problem { kind, place: place.clone() });
        }
    }
}

/// A mechanism in the coordinates of its joints. Where what the file says has no meaning there, like a
/// constraint on a body that cannot move, there is none.
fn joint_system(draft: &Draft, mechanism: &Mechanism) -> Option<System> {
    let mut system = assemble(draft, Some(mechanism.joint_sections()));
    let is_free = |entry: &NamedFormula| {
        system.coordinates.iter().any(|coordinate| coordinate.name == entry.name)
            || system.states.iter().any(|state| state.name == entry.name)
    };
    let [initial, guess] = [&system.initial, &system.guess]
        .map(|entries| entries.iter().filter(|entry| is_free(entry)).cloned().collect());
    (system.initial, system.guess) = (initial, guess);
    system.outputs.clear();
    system.quantities.clear();
    system.events.clear();
    system.drawings.clear();
    let (mut problems, mut used) = (Vec::new(), FxHashSet::default());
    validate(&mut system, &draft.parameters, &mut problems, &mut used);
    (problems.is_empty() && !system.coordinates.is_empty()).then_some(system)
}

/// A mechanism describes the whole position and all of the inertia by itself.
fn check_alone(draft: &Draft, problems: &mut Vec<Problem>) {
    let Some(place) = &draft.mechanism.place else { return };
    if draft.chain.is_some() {
        let kind = MechanismProblem::WithChain.into();
        problems.push(Problem { kind, place: place.clone() });
    }
    for (section, place) in &draft.sections {
        if matches!(section.as_str(), "coordinates" | "energy") {
            let kind = MechanismProblem::HasItsOwn(section.clone()).into();
            problems.push(Problem { kind, place: place.clone() });
        }
    }
}

/// Constraints and outputs have the names of their joints: the file cannot write them again.
fn check_written(draft: &Draft, written: Option<&Sections>, problems: &mut Vec<Problem>) {
    let Some(written) = written else { return };
    let pairs = [(&draft.constraints, &written.constraints), (&draft.outputs, &written.outputs)];
    for (own, written) in pairs {
        for entry in own.iter().filter(|own| written.iter().any(|other| other.name == own.name)) {
            let kind = MechanismProblem::WritesItself(entry.name.clone()).into();
            problems.push(Problem { kind, place: entry.place.clone() });
        }
    }
}

fn deduplicate(problems: &mut Vec<Problem>) {
    let mut unique: Vec<Problem> = Vec::with_capacity(problems.len());
    for problem in problems.drain(..) {
        let same = |other: &Problem| {
            other.place == problem.place && other.to_string() == problem.to_string()
        };
        if !unique.iter().any(same) {
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
fn set_parameter(parameters: &mut [NamedFormula], setting: &ParsedSetting) -> bool {
    let parameter = parameters.iter_mut().find(|entry| entry.name == setting.name);
    let Some(parameter) = parameter.filter(|_| setting.primes == 0) else { return false };
    parameter.formula = setting.formula.clone();
    parameter.place = setting.place.clone();
    true
}

/// The remaining settings must be values at the start, or guesses of them.
fn set_initial(
    settings: &[ParsedSetting],
    draft: &Draft,
    own: &mut System,
    mut absolute: Option<&mut System>,
    sizes: &[String],
    problems: &mut Vec<Problem>,
) {
    for setting in settings {
        let mut found = false;
        for system in [Some(&mut *own), absolute.as_deref_mut()].into_iter().flatten() {
            if gives(setting, system) {
                give_setting(setting, system);
                found = true;
            }
        }
        if !found {
            let kind = unknown_setting(setting, draft, own, sizes);
            problems.push(Problem { kind, place: setting.place.clone() });
        }
    }
}

/// Whether a setting is a value at the start of this system, or a guess of one.
fn gives(setting: &ParsedSetting, system: &System) -> bool {
    let guessed = setting.guessed();
    let name = guessed.unwrap_or(&setting.name);
    let coordinate = system.coordinates.iter().any(|c| c.name == name);
    // first-order states are given, never solved for
    let state = guessed.is_none() && system.states.iter().any(|s| s.name == name);
    coordinate && setting.primes <= 1 || state && setting.primes == 0
}

/// Gives what the setting names at the start.
fn give_setting(setting: &ParsedSetting, system: &mut System) {
    let guessed = setting.guessed();
    let entry = NamedFormula {
        name: guessed.unwrap_or(&setting.name).to_owned(),
        primes: setting.primes,
        formula: setting.formula.clone(),
        place: setting.place.clone(),
    };
    give(if guessed.is_some() { &mut system.guess } else { &mut system.initial }, entry);
}

/// A name that cannot be set, with those that can.
fn unknown_setting(
    setting: &ParsedSetting,
    draft: &Draft,
    own: &System,
    sizes: &[String],
) -> ProblemKind {
    let coordinates = own.coordinates.iter();
    let coordinates = coordinates.flat_map(|c| [c.name.clone(), primed(&c.name, 1)]);
    let (name, known) = match setting.guessed() {
        Some(name) => (name, coordinates.collect()),
        None => {
            let mut known: Vec<String> =
                draft.parameters.iter().map(|entry| entry.name.clone()).collect();
            known.extend(coordinates);
            known.extend(own.states.iter().map(|state| state.name.clone()));
            known.extend_from_slice(sizes);
            (setting.name.as_str(), known)
        }
    };
    let name = primed(name, setting.primes);
    match setting.guessed() {
        Some(_) => ProblemKind::UnknownGuess { name, known },
        None => ProblemKind::UnknownSetting { name, known },
    }
}

/// Gives a value at the start, or a guess of it, in place of an earlier one.
fn give(initial: &mut Vec<NamedFormula>, entry: NamedFormula) {
    let same = |other: &&mut NamedFormula| other.name == entry.name && other.primes == entry.primes;
    match initial.iter_mut().find(same) {
        Some(other) => *other = entry,
        None => initial.push(entry),
    }
}

/// The sections of the file, behind those that a chain or a mechanism writes.
fn assemble(draft: &Draft, written: Option<Sections>) -> System {
    let energy = |name: &str| draft.energy.iter().find(|entry| entry.name == name).cloned();
    let mut system = System {
        coordinates: draft.coordinates.clone(),
        definitions: draft.definitions.clone(),
        definition_rates: Vec::new(),
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
        quantities: Vec::new(),
        dimensions: Vec::new(),
        drawings: draft.drawings.clone(),
        names: Names::new(),
    };
    if let Some(mut written) = written {
        let put_before = |first: Vec<NamedFormula>, second: &mut Vec<NamedFormula>| {
            second.splice(..0, first);
        };
        system.coordinates = written.coordinates;
        put_before(written.definitions, &mut system.definitions);
        system.definitions.append(&mut written.later_definitions);
        put_before(written.forces, &mut system.forces);
        put_before(written.constraints, &mut system.constraints);
        put_before(written.guess, &mut system.guess);
        put_before(written.outputs, &mut system.outputs);
        (system.quantities, system.dimensions) = (written.quantities, written.dimensions);
        // a name that the file gives to something else is the file's
        let names = |entries: &[NamedFormula]| -> FxHashSet<String> {
            entries.iter().map(|entry| entry.name.clone()).collect()
        };
        let mut own = names(&draft.definitions);
        own.extend(names(&draft.states));
        own.extend(names(&draft.outputs));
        let parameters = names(&draft.parameters);
        let is_free = |name: &String| !own.contains(name) && !parameters.contains(name);
        system.quantities.retain(|entry| is_free(&entry.name));
        system.dimensions.retain(|(name, _)| !own.contains(name));
        system.kinetic = written.kinetic;
        system.potential = written.potential;
        system.dissipation = written.dissipation;
        let given = std::mem::replace(&mut system.initial, written.initial);
        for entry in given {
            give(&mut system.initial, entry);
        }
    }
    system
}

fn evaluate_parameters(
    entries: &[NamedFormula],
    problems: &mut Vec<Problem>,
) -> Option<Vec<Parameter>> {
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

fn value_of(parameters: &[Parameter], name: &str) -> Option<f64> {
    parameters.iter().find(|parameter| parameter.entry.name == name).map(|found| found.value)
}

fn formula_span(formula: &Formula) -> Span {
    formula.span(formula.nodes().len() - 1)
}

/// The value of a formula of parameters.
fn evaluate(formula: &Formula, value: impl Fn(&str) -> Option<f64>) -> f64 {
    formula.evaluate(|name, _| value(name).unwrap_or(f64::NAN))
}

fn run_settings(
    draft: &Draft,
    parameters: &[Parameter],
    problems: &mut Vec<Problem>,
) -> Option<RunSettings> {
    let mut run = RunSettings::default();
    let option = |key: &str| RUN_OPTIONS.iter().find(|option| option.row.key == key);
    for (key, name) in &draft.run_names {
        if let Some(option) = option(key) {
            option.set(&mut run, OptionValue::Word(name.clone()));
        }
    }
    for entry in &draft.run {
        let lookup = |name: &str| value_of(parameters, name);
        if let Some((name, _, span)) =
            entry.formula.names().find(|(name, primes, _)| *primes > 0 || lookup(name).is_none())
        {
            let known = parameters.iter().map(|p| p.entry.name.clone()).collect();
            let kind = ProblemKind::UnknownName { name: name.to_owned(), known };
            problems.push(Problem { kind, place: Place { source: 0, span } });
            continue;
        }
        let value = evaluate(&entry.formula, lookup);
        let name = entry.name.clone();
        if !value.is_finite() {
            let kind = ProblemKind::NotFinite { name, value };
            problems.push(Problem { kind, place: entry.place.clone() });
        } else if value <= 0.0
            && option(&entry.name).is_some_and(|option| option.row.kind != Kind::Number)
        {
            let kind = ProblemKind::NotPositive { name, value };
            problems.push(Problem { kind, place: entry.place.clone() });
        }
        if let Some(option) = option(&entry.name) {
            let value = match option.row.kind {
                Kind::Count(least) => OptionValue::Count((value as u64).max(least)),
                _ => OptionValue::Number(value),
            };
            option.set(&mut run, value);
        }
    }
    problems.extend(end_before_start(draft, &run));
    problems.is_empty().then_some(run)
}

/// A run that would end before it begins.
fn end_before_start(draft: &Draft, run: &RunSettings) -> Option<Problem> {
    let (t_start, t_end) = (run.t_start, run.t_end?);
    if t_end > t_start.unwrap_or(0.0) {
        return None;
    }
    let place = draft.run.iter().find(|entry| entry.name == "t_end")?.place.clone();
    let kind = match t_start {
        None => ProblemKind::NotPositive { name: "t_end".to_owned(), value: t_end },
        Some(t_start) => ProblemKind::EndBeforeStart { t_start, t_end },
    };
    Some(Problem { kind, place })
}

/// Numbers that look like degrees, in formulas and behind the keys of a mechanism.
fn turns_in_formulas(draft: &Draft, own: &System, mechanism: Option<&Mechanism>) -> Vec<Problem> {
    let parameters = draft.parameters.iter();
    let mut warnings: Vec<Problem> = parameters
        .flat_map(|entry| turns::of_functions(&entry.formula, entry.place.source))
        .chain(turns::in_functions(own))
        .chain(mechanism.into_iter().flat_map(Mechanism::many_turns))
        .collect();
    deduplicate(&mut warnings);
    warnings
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
