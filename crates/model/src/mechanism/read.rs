//! Items become a mechanism: names are looked up, and missing keys are reported.

use super::elements::Elements;
use super::items::{EndDraft, Item, MechanismDraft, PointDraft};
use super::joint::End;
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use super::{Mechanism, Point};
use crate::draft::Draft;
use crate::generated::generated;
use crate::problem::{Problem, ProblemKind};
use crate::source::Place;
use crate::system::NamedFormula;
use crate::validate::bad_name;

/// Bytes of a constant; a longer one gets a name of its own.
const MAX_CONSTANT_BYTES: usize = 120;
/// Bytes of a function: it is differentiated, and derivatives grow faster than what they are of.
const MAX_FUNCTION_BYTES: usize = 1_000;

const ELEMENTS: [&str; 5] = ["spring", "torsion-spring", "force", "torque", "motor"];

pub(super) struct Resolver<'a> {
    pub(super) mechanism: Mechanism,
    /// Names of joints and of all that acts.
    pub(super) taken: Vec<String>,
    parameters: &'a mut Vec<NamedFormula>,
    problems: &'a mut Vec<Problem>,
}

impl Mechanism {
    /// Reads the items and adds the parameters they need to the draft.
    pub(crate) fn read(draft: &mut Draft, problems: &mut Vec<Problem>) -> Option<Mechanism> {
        let MechanismDraft { place, ground, items, .. } = std::mem::take(&mut draft.mechanism);
        let place = place?;
        if !draft.parameters.iter().any(|parameter| parameter.name == "g") {
            draft.parameters.push(generated("g", "9.81", &place));
        }
        let before = problems.len();
        let empty = Mechanism {
            bodies: Vec::new(),
            joints: Vec::new(),
            ground: Vec::new(),
            elements: Elements::default(),
            place,
        };
        let mut resolver = Resolver {
            mechanism: empty,
            taken: Vec::new(),
            parameters: &mut draft.parameters,
            problems,
        };
        let of = |section: &'static str| items.iter().filter(move |item| item.section == section);
        of("body").for_each(|item| resolver.body(item));
        ground.iter().for_each(|point| resolver.ground_point(point));
        // what is missing among the bodies would be missed by every joint once more
        if resolver.problems.len() == before {
            of("joint").for_each(|item| resolver.joint(item));
        }
        if resolver.problems.len() == before {
            for section in ELEMENTS {
                for (number, item) in of(section).enumerate() {
                    resolver.element(item, number + 1);
                }
            }
        }
        let mechanism = resolver.mechanism;
        if problems.len() == before && mechanism.bodies.is_empty() {
            let place = mechanism.place.clone();
            problems.push(Problem { kind: MechanismProblem::NoBody.into(), place });
        } else if problems.len() == before {
            mechanism.check_joined(problems);
            mechanism.check_teeth(problems);
        }
        (problems.len() == before).then_some(mechanism)
    }
}

impl Resolver<'_> {
    pub(super) fn report(&mut self, kind: impl Into<ProblemKind>, place: &Place) {
        self.problems.push(Problem { kind: kind.into(), place: place.clone() });
    }

    pub(super) fn missing(&mut self, item: &Item, key: &'static str, help: &'static str) {
        let section = item.section;
        let what = match item.text("name") {
            Some((name, _)) => format!("the {section} `{name}`"),
            None => format!("this {section}"),
        };
        self.report(MechanismProblem::MissingKey { what, key, help }, &item.place);
    }

    /// Whether formulas can be written with the name.
    pub(super) fn check_name(&mut self, name: &str, place: &Place) -> bool {
        // with the ending of a coordinate: reserved words are none any more then
        let problem = bad_name(&format!("{name}_x")).map(|kind| match kind {
            ProblemKind::NotAName(_) => ProblemKind::NotAName(name.to_owned()),
            kind => kind,
        });
        let is_good = problem.is_none();
        problem.into_iter().for_each(|kind| self.report(kind, place));
        is_good
    }

    pub(super) fn name(&mut self, item: &Item) -> Option<String> {
        let Some((name, place)) = item.text("name") else {
            self.missing(item, "name", "for instance name = \"crank\"");
            return None;
        };
        self.check_name(name, place).then(|| name.to_owned())
    }

    /// A joint or an element must not have the name of another one.
    pub(super) fn take_name(&mut self, item: &Item, name: &str) {
        if self.taken.iter().any(|other| other == name) {
            let what = if item.section == "joint" { "joints" } else { "parts" };
            let place = item.text("name").map_or(&item.place, |(_, place)| place);
            self.report(MechanismProblem::TwoOfOneName { what, name: name.to_owned() }, place);
        }
        self.taken.push(name.to_owned());
    }

    /// The name of something that need not have one.
    pub(super) fn element_name(&mut self, item: &Item, number: usize) -> String {
        let name = match item.text("name") {
            Some((name, place)) => {
                self.check_name(name, place);
                name.to_owned()
            }
            None => format!("{}{number}", item.section.replace('-', "_")),
        };
        self.take_name(item, &name);
        name
    }

    fn ground_point(&mut self, point: &PointDraft) {
        self.check_name(&point.name, &point.place);
        let (name, place) = (point.name.clone(), point.place.clone());
        let position = self.constants(&point.position);
        self.mechanism.ground.push(Point { name, position, place });
    }

    /// Reports names in a formula that are neither parameters nor its variable.
    fn check_names(&mut self, quantity: &Quantity, variable: Option<&str>) {
        let parameters = self.parameters.iter().map(|parameter| parameter.name.as_str());
        let known: Vec<&str> = variable.into_iter().chain(parameters).collect();
        for (name, primes, span) in quantity.formula.names() {
            let kind = match known.contains(&name) {
                true if primes == 0 => continue,
                true => {
                    let is_variable = variable == Some(name);
                    let what = if is_variable { "the variable" } else { "a parameter" };
                    ProblemKind::NoDerivative { name: name.to_owned(), what }
                }
                false => {
                    let known = known.iter().map(|&name| name.to_owned()).collect();
                    ProblemKind::UnknownName { name: name.to_owned(), known }
                }
            };
            let place = Place { span, ..quantity.place.clone() };
            self.problems.push(Problem { kind, place });
        }
    }

    /// A formula of parameters and a variable.
    pub(super) fn function(&mut self, quantity: &Quantity, variable: &str) -> Quantity {
        self.check_names(quantity, Some(variable));
        if quantity.text.len() > MAX_FUNCTION_BYTES {
            self.report(MechanismProblem::LongFunction, &quantity.place);
        }
        quantity.clone()
    }

    /// A formula that may only use parameters.
    pub(super) fn constant(&mut self, quantity: &Quantity) -> Quantity {
        self.check_names(quantity, None);
        if quantity.text.len() > MAX_CONSTANT_BYTES {
            self.report(MechanismProblem::LongConstant, &quantity.place);
        }
        quantity.clone()
    }

    pub(super) fn constants(&mut self, pair: &[Quantity; 2]) -> [Quantity; 2] {
        [self.constant(&pair[0]), self.constant(&pair[1])]
    }

    pub(super) fn constant_or_zero(&mut self, item: &Item, key: &str) -> Quantity {
        match item.quantity(key) {
            Some(quantity) => self.constant(quantity),
            None => Quantity::zero(&item.place),
        }
    }

    pub(super) fn optional(&mut self, item: &Item, key: &str) -> Option<Quantity> {
        item.quantity(key).map(|quantity| self.constant(quantity))
    }

    /// The parameter that holds a value: the user's own if the value is just its name.
    pub(super) fn parameter(&mut self, name: String, quantity: &Quantity) -> String {
        if let Some((own, 0)) = quantity.formula.as_name() {
            self.constant(quantity);
            return own.to_owned();
        }
        let (formula, place) = (quantity.formula.clone(), quantity.place.clone());
        self.parameters.push(NamedFormula { name: name.clone(), primes: 0, formula, place });
        name
    }

    /// Looks up a body; the ground is none of them.
    pub(super) fn find_body(&mut self, name: &str, place: &Place) -> Option<Option<usize>> {
        if name == "ground" {
            return Some(None);
        }
        let found = self.mechanism.bodies.iter().position(|body| body.name == name);
        if found.is_none() {
            let known = self.mechanism.bodies.iter().map(|body| body.name.clone()).collect();
            let name = name.to_owned();
            self.report(MechanismProblem::Unknown { what: "body", name, known }, place);
        }
        found.map(Some)
    }

    pub(super) fn end(&mut self, end: &EndDraft) -> Option<End> {
        if let Some(position) = &end.position {
            return Some(End { body: None, position: self.constants(position), point: None });
        }
        let body = self.find_body(&end.body, &end.place)?;
        let Some(name) = end.point.clone() else {
            let zero = || Quantity::zero(&end.place);
            return Some(End { body, position: [zero(), zero()], point: None });
        };
        let points = match body {
            Some(body) => &self.mechanism.bodies[body].points,
            None => &self.mechanism.ground,
        };
        if let Some(point) = points.iter().find(|point| point.name == name) {
            return Some(End { body, position: point.position.clone(), point: Some(name) });
        }
        let known = points.iter().map(|point| point.name.clone()).collect();
        let body = match body {
            Some(_) => format!("the body `{}`", end.body),
            None => "the ground".to_owned(),
        };
        self.report(MechanismProblem::UnknownPoint { body, name, known }, &end.place);
        None
    }

    /// The two ends of an item, which must lie on different bodies.
    pub(super) fn ends(&mut self, item: &Item, name: &str) -> Option<[End; 2]> {
        let Some(ends) = item.ends("between") else {
            let help = "what it ties, for instance between = [\"crank.B\", \"coupler.A\"]";
            self.missing(item, "between", help);
            return None;
        };
        let (first, second) = (self.end(&ends[0]), self.end(&ends[1]));
        let ends = [first?, second?];
        if ends[0].body == ends[1].body {
            let body = match ends[0].body {
                Some(body) => format!("`{}`", self.mechanism.bodies[body].name),
                None => "the ground".to_owned(),
            };
            let what = format!("the {} `{name}`", item.section);
            self.report(MechanismProblem::TiesItself { what, body }, &item.place);
            return None;
        }
        Some(ends)
    }
}
