//! A model file as it was written: TOML turned into named formulas, nothing looked up yet.

use crate::mechanism::{MechanismDraft, Sizes};
use crate::options::Kind;
use crate::problem::{Problem, ProblemKind};
use crate::run_settings::{RUN_OPTIONS, keys_of_files};
use crate::settings::ParsedSetting;
use crate::source::Place;
use crate::system::{Coordinate, Drawing, Event, NamedFormula};
use catena_symbolic::{Formula, ParseError, Span, parse};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) type Value<'a> = Spanned<DeValue<'a>>;

/// The sections of a file.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) parameters: Vec<NamedFormula>,
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) definitions: Vec<NamedFormula>,
    pub(crate) energy: Vec<NamedFormula>,
    pub(crate) forces: Vec<NamedFormula>,
    pub(crate) states: Vec<NamedFormula>,
    pub(crate) constraints: Vec<NamedFormula>,
    pub(crate) initial: Vec<NamedFormula>,
    pub(crate) guess: Vec<NamedFormula>,
    pub(crate) events: Vec<Event>,
    pub(crate) outputs: Vec<NamedFormula>,
    pub(crate) drawings: Vec<Drawing>,
    pub(crate) run: Vec<NamedFormula>,
    pub(crate) run_names: Vec<(String, String)>,
    pub(crate) chain: Option<ChainDraft>,
    pub(crate) mechanism: MechanismDraft,
    /// Sections that the file has, with their places.
    pub(crate) sections: Vec<(String, Place)>,
}

impl Draft {
    /// Whether the file has no formulas besides those that a chain or a mechanism writes.
    pub(crate) fn adds_nothing(&self) -> bool {
        let sections = [
            &self.definitions,
            &self.energy,
            &self.forces,
            &self.states,
            &self.constraints,
            &self.initial,
            &self.guess,
            &self.outputs,
        ];
        let parts = [self.coordinates.len(), self.events.len(), self.drawings.len()];
        sections.into_iter().all(Vec::is_empty) && parts == [0; 3]
    }
}

/// The section `[chain]`.
pub(crate) struct ChainDraft {
    pub(crate) place: Place,
    pub(crate) links: Option<NamedFormula>,
    pub(crate) mass: Option<ChainValues>,
    pub(crate) length: Option<ChainValues>,
    pub(crate) friction: Option<ChainValues>,
    pub(crate) shape: Option<(String, Place)>,
    pub(crate) start: Option<ChainStart>,
    pub(crate) pivot: Vec<NamedFormula>,
}

/// One value for all links, or one for each.
#[derive(Clone)]
pub(crate) enum ChainValues {
    Same(Formula, Place),
    Each(Vec<Formula>, Place),
}

pub(crate) enum ChainStart {
    Named(String, Place),
    Angles(Vec<Formula>, Place),
}

/// Every section and every key outside of sections.
pub(crate) const SECTIONS: [&str; 25] = [
    "title",
    "description",
    "parameters",
    "coordinates",
    "definitions",
    "energy",
    "forces",
    "states",
    "constraints",
    "initial",
    "guess",
    "events",
    "outputs",
    "draw",
    "run",
    "chain",
    "sizes",
    "ground",
    "body",
    "joint",
    "spring",
    "torsion-spring",
    "force",
    "torque",
    "motor",
];
pub(crate) const ENERGIES: [&str; 3] = ["kinetic", "potential", "dissipation"];
pub(crate) const EVENT_KEYS: [&str; 3] = ["when", "direction", "terminal"];
pub(crate) const COORDINATE_KEYS: [&str; 2] = ["text", "angle"];
pub(crate) const CHAIN_KEYS: [&str; 7] =
    ["links", "mass", "length", "shape", "friction", "start", "pivot"];
pub(crate) const PIVOT_KEYS: [&str; 2] = ["x", "y"];

/// Reads the file; problems go into the list, and what could be read is returned. Settings that
/// change a size are used up, because sizes decide what the file says.
pub(crate) fn read(
    text: &str,
    settings: &mut Vec<ParsedSetting>,
    problems: &mut Vec<Problem>,
) -> Draft {
    let mut reader = Reader { text, problems };
    let mut draft = Draft::default();
    match DeTable::parse(text) {
        Ok(mut table) => {
            let sizes = Sizes::read(&mut reader, table.get_ref(), settings);
            for (_, section) in table.get_mut() {
                sizes.fill(section.get_mut());
            }
            draft.mechanism.sizes = sizes;
            reader.sections(table.get_ref(), &mut draft);
        }
        Err(error) => {
            let span = error.span().unwrap_or_default();
            reader.report(ProblemKind::Toml(error.message().to_owned()), span);
        }
    }
    draft
}

pub(crate) struct Reader<'a> {
    text: &'a str,
    problems: &'a mut Vec<Problem>,
}

pub(crate) fn place(span: Range<usize>) -> Place {
    Place { source: 0, span }
}

impl Reader<'_> {
    fn report(&mut self, kind: ProblemKind, span: Span) {
        self.report_at(kind, place(span));
    }

    /// How many problems have been found so far.
    pub(crate) fn problem_count(&self) -> usize {
        self.problems.len()
    }

    pub(crate) fn report_at(&mut self, kind: ProblemKind, place: Place) {
        self.problems.push(Problem { kind, place });
    }

    fn sections(&mut self, table: &DeTable, draft: &mut Draft) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            draft.sections.push((name.to_owned(), place(key.span())));
            if !self.knows(name, key.span(), &SECTIONS) {
                continue;
            }
            match name {
                "title" => draft.title = self.string(name, value).unwrap_or_default(),
                "description" => draft.description = self.string(name, value).unwrap_or_default(),
                "parameters" => draft.parameters = self.entries(name, value),
                "coordinates" => draft.coordinates = self.coordinates(value),
                "definitions" => draft.definitions = self.entries(name, value),
                "energy" => {
                    draft.energy = self.entries(name, value);
                    self.known_keys(&draft.energy, &ENERGIES);
                }
                "forces" => draft.forces = self.entries(name, value),
                "states" => draft.states = self.entries(name, value),
                "constraints" => draft.constraints = self.entries(name, value),
                "initial" => draft.initial = self.entries(name, value),
                "guess" => draft.guess = self.entries(name, value),
                "events" => draft.events = self.events(value),
                "outputs" => draft.outputs = self.entries(name, value),
                "draw" => draft.drawings = self.drawings(value),
                "run" => self.run(value, draft),
                "chain" => draft.chain = self.chain(key.span(), value),
                // read before all others
                "sizes" => {}
                name => self.mechanism(name, place(key.span()), value, &mut draft.mechanism),
            }
        }
    }

    pub(crate) fn unknown_key(&mut self, name: &str, span: Span, known: &[&str]) {
        let known = known.iter().map(|&s| s.to_owned()).collect();
        self.report(ProblemKind::UnknownKey { name: name.to_owned(), known }, span);
    }

    /// Whether a key is in the table of its section, which is what help and messages list; others are reported.
    pub(crate) fn knows(&mut self, name: &str, span: Span, known: &[&str]) -> bool {
        let is_known = known.contains(&name);
        if !is_known {
            self.unknown_key(name, span, known);
        }
        is_known
    }

    fn known_keys(&mut self, entries: &[NamedFormula], known: &[&str]) {
        for entry in entries.iter().filter(|entry| !known.contains(&entry.name.as_str())) {
            self.unknown_key(&entry.name, entry.place.span.clone(), known);
        }
    }

    pub(crate) fn wrong_type(&mut self, name: &str, expected: &'static str, value: &Value) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let kind = ProblemKind::WrongType { name: name.to_owned(), expected, found };
        self.report(kind, value.span());
    }

    pub(crate) fn string(&mut self, name: &str, value: &Value) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(name, "a text in quotes", value);
        }
        text
    }

    pub(crate) fn boolean(&mut self, name: &str, value: &Value) -> Option<bool> {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.wrong_type(name, "true or false", value);
        }
        boolean
    }

    pub(crate) fn table<'v, 'i>(
        &mut self,
        name: &str,
        value: &'v Value<'i>,
    ) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(name, "a table", value);
        }
        table
    }

    /// A number, a numeric string or a formula in a string.
    pub(crate) fn formula(&mut self, name: &str, value: &Value) -> Option<Formula> {
        let span = value.span();
        let (text, offset) = match value.get_ref() {
            DeValue::String(text) => {
                // escapes move the characters; then the whole string is the place
                let written = &self.text[span.clone()];
                let inside = written.find(text.as_ref()).filter(|_| !text.is_empty());
                (text.to_string(), inside.map(|inside| span.start + inside))
            }
            DeValue::Integer(integer) if integer.radix() != 10 => {
                match i64::from_str_radix(integer.as_str(), integer.radix()) {
                    Ok(value) => (value.to_string(), None),
                    Err(_) => {
                        self.wrong_type(name, "a formula", value);
                        return None;
                    }
                }
            }
            DeValue::Integer(integer) => (integer.as_str().to_owned(), None),
            DeValue::Float(float) if !float.as_str().contains(['n', 'i']) => {
                (float.as_str().to_owned(), None)
            }
            _ => {
                self.wrong_type(name, "a formula", value);
                return None;
            }
        };
        match (parse(&text), offset) {
            (Ok(formula), Some(offset)) => Some(formula.starting_at(offset)),
            (Ok(formula), None) => Some(formula.placed_at(&span)),
            (Err(ParseError { kind, span: inner }), offset) => {
                let span = offset.map_or(span, |at| inner.start + at..inner.end + at);
                self.report(ProblemKind::Formula(kind), span);
                None
            }
        }
    }

    fn entry(&mut self, key: &Spanned<toml::de::DeString>, value: &Value) -> Option<NamedFormula> {
        let name = key.get_ref().as_ref();
        let formula = self.formula(name, value)?;
        let bare = name.trim_end_matches('\'');
        Some(NamedFormula {
            name: bare.to_owned(),
            primes: name.len() - bare.len(),
            formula,
            place: place(key.span()),
        })
    }

    pub(crate) fn entries(&mut self, section: &str, value: &Value) -> Vec<NamedFormula> {
        let Some(table) = self.table(section, value) else { return Vec::new() };
        table.iter().filter_map(|(key, value)| self.entry(key, value)).collect()
    }

    fn coordinates(&mut self, value: &Value) -> Vec<Coordinate> {
        let Some(table) = self.table("coordinates", value) else { return Vec::new() };
        let mut coordinates = Vec::new();
        for (key, value) in table {
            let name = key.get_ref().to_string();
            let (mut text, mut angle) = (String::new(), None);
            match value.get_ref() {
                DeValue::String(string) => text = string.to_string(),
                DeValue::Table(table) => {
                    for (inner, value) in table {
                        let key = inner.get_ref().as_ref();
                        match self.knows(key, inner.span(), &COORDINATE_KEYS).then_some(key) {
                            Some("text") => text = self.string("text", value).unwrap_or_default(),
                            Some("angle") => angle = self.boolean("angle", value),
                            _ => {}
                        }
                    }
                }
                _ => self.wrong_type(&name, "a text in quotes", value),
            }
            coordinates.push(Coordinate { name, text, angle, place: place(key.span()) });
        }
        coordinates
    }

    fn events(&mut self, value: &Value) -> Vec<Event> {
        let Some(table) = self.table("events", value) else { return Vec::new() };
        let mut events = Vec::new();
        for (key, value) in table {
            let (mut when, mut direction, mut terminal) = (None, 0, false);
            match value.get_ref() {
                DeValue::Table(table) => {
                    for (inner, value) in table {
                        let key = inner.get_ref().as_ref();
                        match self.knows(key, inner.span(), &EVENT_KEYS).then_some(key) {
                            Some("when") => when = self.formula("when", value),
                            Some("direction") => direction = self.direction(value),
                            Some("terminal") => {
                                terminal = self.boolean("terminal", value) == Some(true);
                            }
                            _ => {}
                        }
                    }
                    if !table.keys().any(|inner| inner.get_ref() == "when") {
                        self.wrong_type(key.get_ref(), "{ when = \"formula\" }", value);
                    }
                }
                _ => when = self.formula(key.get_ref(), value),
            }
            if let Some(formula) = when {
                let name = key.get_ref().to_string();
                let entry = NamedFormula { name, primes: 0, formula, place: place(key.span()) };
                events.push(Event { entry, direction, terminal });
            }
        }
        events
    }

    fn direction(&mut self, value: &Value) -> i8 {
        match value.get_ref().as_integer().map(|integer| integer.as_str().parse()) {
            Some(Ok(direction @ -1..=1)) => direction,
            _ => {
                self.wrong_type("direction", "1, -1 or 0", value);
                0
            }
        }
    }

    pub(crate) fn list<'v, 'i>(&mut self, name: &str, value: &'v Value<'i>) -> &'v [Value<'i>] {
        match value.get_ref().as_array() {
            Some(list) => list,
            None => {
                self.wrong_type(name, "a list of points [x, y]", value);
                &[]
            }
        }
    }

    fn run(&mut self, value: &Value, draft: &mut Draft) {
        let Some(table) = self.table("run", value) else { return };
        for (key, value) in table {
            let name: &str = key.get_ref().as_ref();
            let known = RUN_OPTIONS.iter().find(|option| option.in_files && option.row.key == name);
            match known.map(|option| option.row.kind) {
                Some(Kind::Word) => {
                    if let Some(text) = self.string(name, value) {
                        draft.run_names.push((name.to_owned(), text));
                    }
                }
                Some(_) => draft.run.extend(self.entry(key, value)),
                None => self.unknown_key(name, key.span(), &keys_of_files()),
            }
        }
    }

    fn chain(&mut self, span: Span, value: &Value) -> Option<ChainDraft> {
        let table = self.table("chain", value)?;
        let mut chain = ChainDraft {
            place: place(span),
            links: None,
            mass: None,
            length: None,
            friction: None,
            shape: None,
            start: None,
            pivot: Vec::new(),
        };
        for (key, value) in table {
            let at = place(value.span());
            let name = key.get_ref().as_ref();
            if !self.knows(name, key.span(), &CHAIN_KEYS) {
                continue;
            }
            match name {
                "links" => chain.links = self.entry(key, value),
                "mass" => chain.mass = self.chain_values("mass", value),
                "length" => chain.length = self.chain_values("length", value),
                "friction" => chain.friction = self.chain_values("friction", value),
                "shape" => chain.shape = self.string("shape", value).map(|text| (text, at)),
                "start" => {
                    chain.start = match value.get_ref() {
                        DeValue::Array(list) => {
                            self.formulas("start", list).map(|list| ChainStart::Angles(list, at))
                        }
                        _ => self.string("start", value).map(|text| ChainStart::Named(text, at)),
                    }
                }
                _ => {
                    chain.pivot = self.entries("pivot", value);
                    self.known_keys(&chain.pivot, &PIVOT_KEYS);
                }
            }
        }
        Some(chain)
    }

    fn formulas(&mut self, name: &str, list: &[Value]) -> Option<Vec<Formula>> {
        list.iter().map(|value| self.formula(name, value)).collect()
    }

    fn chain_values(&mut self, name: &str, value: &Value) -> Option<ChainValues> {
        let at = place(value.span());
        match value.get_ref() {
            DeValue::Array(list) => Some(ChainValues::Each(self.formulas(name, list)?, at)),
            _ => Some(ChainValues::Same(self.formula(name, value)?, at)),
        }
    }
}
