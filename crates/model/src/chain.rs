//! An articulated pendulum of any length, written out as coordinates, energies and constraints.
//!
//! In the *joint* set the coordinates are the absolute angles θᵢ of the links from the downward
//! vertical. In the *absolute* set every link has x, y (its centre, or its bob) and θ, and the
//! joints are constraints Φᵢ = start of link i − end of link i−1.

use crate::dimension::Dimension;
use crate::draft::{ChainDraft, ChainStart, ChainValues, Draft};
use crate::generated::{Sections, generated, generated_point};
use crate::problem::{Problem, ProblemKind};
use crate::settings::ParsedSetting;
use crate::source::Place;
use crate::system::{Coordinate, Drawing, NamedFormula};
use catena_symbolic::{Formula, FormulaNode, Number, parse};

/// More links than this are a typing error.
const MAX_LINKS: usize = 2_000;
const SHAPES: [&str; 2] = ["rod", "bob"];
const STARTS: [&str; 3] = ["horizontal", "hanging", "a list of angles"];

/// Where the mass of a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Uniform along the link: centre at half length, I = m l²/12.
    Rod,
    /// A point at the far end.
    Bob,
}

/// A chain with its values by name: entry i is the parameter of link i.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Number of links.
    pub links: usize,
    /// Where the masses are.
    pub shape: Shape,
    /// Parameter names of the masses.
    pub mass: Vec<String>,
    /// Parameter names of the lengths.
    pub length: Vec<String>,
    /// Parameter names of the joint frictions; empty for none.
    pub friction: Vec<String>,
    /// Whether the pivot moves, in x and y.
    pub pivot: [bool; 2],
    place: Place,
    pivot_formulas: [Option<NamedFormula>; 2],
    start: Vec<Formula>,
}

/// Keys of `[chain]` that a setting may change.
pub(crate) const SETTABLE: [&str; 4] = ["links", "mass", "length", "friction"];

/// Changes a size of the chain; `false` if the name is not one.
pub(crate) fn apply(draft: &mut ChainDraft, setting: &ParsedSetting) -> bool {
    let values = || Some(ChainValues::Same(setting.formula.clone(), setting.place.clone()));
    match setting.name.as_str() {
        "links" => {
            draft.links = Some(NamedFormula {
                name: "links".into(),
                primes: 0,
                formula: setting.formula.clone(),
                place: setting.place.clone(),
            });
        }
        "mass" => draft.mass = values(),
        "length" => draft.length = values(),
        "friction" => draft.friction = values(),
        _ => return false,
    }
    setting.primes == 0
}

impl Chain {
    /// Reads the section and adds the parameters it needs to the draft.
    pub(crate) fn read(draft: &mut Draft, problems: &mut Vec<Problem>) -> Option<Chain> {
        let section = draft.chain.take()?;
        let links = read_links(&section, problems)?;
        let shape = match section.shape {
            None => Shape::Rod,
            Some((name, place)) => match name.as_str() {
                "rod" => Shape::Rod,
                "bob" => Shape::Bob,
                _ => {
                    let kind =
                        ProblemKind::BadChoice { name: "shape", found: name, known: &SHAPES };
                    problems.push(Problem { kind, place });
                    return None;
                }
            },
        };
        let start = read_start(section.start, links, problems)?;
        if !draft.parameters.iter().any(|parameter| parameter.name == "g") {
            draft.parameters.push(generated("g", "9.81", &section.place));
        }
        let mut values = |values: Option<ChainValues>, key: &'static str, letter: &str| {
            let one = || ChainValues::Same(Formula::number(Number::ONE), section.place.clone());
            parameters(values.unwrap_or_else(one), key, letter, links, draft, problems)
        };
        let mass = values(section.mass, "mass", "m")?;
        let length = values(section.length, "length", "L")?;
        let friction = match section.friction {
            None => Vec::new(),
            // no friction leaves no term behind
            Some(ChainValues::Same(formula, _)) if is_zero(&formula) => Vec::new(),
            friction => values(friction, "friction", "R")?,
        };
        let pivot = |axis: &str| section.pivot.iter().find(|entry| entry.name == axis).cloned();
        let pivot_formulas = [pivot("x"), pivot("y")];
        Some(Chain {
            links,
            shape,
            mass,
            length,
            friction,
            pivot: [pivot_formulas[0].is_some(), pivot_formulas[1].is_some()],
            place: section.place,
            pivot_formulas,
            start,
        })
    }

    /// The chain in the angles of its links.
    pub(crate) fn joint_sections(&self) -> Sections {
        let mut definitions = self.pivot_definitions();
        let mut kinetic = Vec::new();
        let mut path = vec![self.pivot_point()];
        for i in 1..=self.links {
            let [m, l] = self.link(i);
            let [x, y] = path[i - 1].clone();
            let mut define = |name: &str, text: String| {
                definitions.push(self.generated(name, &text));
            };
            if self.shape == Shape::Rod {
                define(&format!("x{i}"), format!("{x} + {l}/2*sin(theta{i})"));
                define(&format!("y{i}"), format!("{y} - {l}/2*cos(theta{i})"));
                define(&format!("end{i}_x"), format!("{x} + {l}*sin(theta{i})"));
                define(&format!("end{i}_y"), format!("{y} - {l}*cos(theta{i})"));
                path.push([format!("end{i}_x"), format!("end{i}_y")]);
            } else {
                define(&format!("x{i}"), format!("{x} + {l}*sin(theta{i})"));
                define(&format!("y{i}"), format!("{y} - {l}*cos(theta{i})"));
                path.push([format!("x{i}"), format!("y{i}")]);
            }
            kinetic.push(self.kinetic_term(i, m, l));
        }
        self.define_tip(&mut definitions, &path[self.links]);
        self.define_moments(&mut definitions);
        let coordinates = (1..=self.links).map(|i| self.angle(i)).collect();
        let points = path.iter().map(|point| self.formula_pair(point)).collect();
        self.measured(Sections {
            coordinates,
            definitions,
            kinetic: Some(self.generated("kinetic", &kinetic.join(" + "))),
            potential: Some(self.potential()),
            dissipation: self.dissipation(),
            initial: self.initial(),
            outputs: self.outputs(|i, axis| match axis {
                "x" => format!("below{i}_x''"),
                _ => format!("below{i}_y'' + g*below{i}_m"),
            }),
            drawings: vec![Drawing { name: "chain".into(), points, place: self.place.clone() }],
            ..Sections::default()
        })
    }

    /// The chain in position and angle of every link.
    pub(crate) fn absolute_sections(&self) -> Sections {
        let mut definitions = self.pivot_definitions();
        let (mut coordinates, mut kinetic) = (Vec::new(), Vec::new());
        let (mut constraints, mut drawings) = (Vec::new(), Vec::new());
        let mut end = self.pivot_point();
        for i in 1..=self.links {
            let [m, l] = self.link(i);
            for axis in ["x", "y"] {
                let text = format!("link {i}, {axis}");
                coordinates.push(self.coordinate(&format!("{axis}{i}"), text));
            }
            coordinates.push(self.angle(i));
            let upper = if self.shape == Shape::Rod { format!("{l}/2") } else { l.to_owned() };
            let start =
                [format!("x{i} - {upper}*sin(theta{i})"), format!("y{i} + {upper}*cos(theta{i})")];
            for (axis, (start, end)) in ["x", "y"].iter().zip(start.iter().zip(&end)) {
                let text = match end.as_str() {
                    "0" => start.clone(),
                    end => format!("{start} - ({end})"),
                };
                constraints.push(self.generated(&format!("joint{i}_{axis}"), &text));
            }
            end = if self.shape == Shape::Rod {
                [format!("x{i} + {l}/2*sin(theta{i})"), format!("y{i} - {l}/2*cos(theta{i})")]
            } else {
                [format!("x{i}"), format!("y{i}")]
            };
            let points = vec![self.formula_pair(&start), self.formula_pair(&end)];
            let name = format!("link{i}");
            drawings.push(Drawing { name, points, place: self.place.clone() });
            kinetic.push(self.kinetic_term(i, m, l));
        }
        self.define_tip(&mut definitions, &end);
        self.measured(Sections {
            coordinates,
            definitions,
            kinetic: Some(self.generated("kinetic", &kinetic.join(" + "))),
            potential: Some(self.potential()),
            dissipation: self.dissipation(),
            constraints,
            initial: self.initial(),
            outputs: self.outputs(|i, axis| format!("-lambda_joint{i}_{axis}")),
            drawings,
            ..Sections::default()
        })
    }

    /// The sections with the units of all names in them, and the sizes of the forces in joints.
    fn measured(&self, mut sections: Sections) -> Sections {
        for i in 1..=self.links {
            sections.measure(&format!("theta{i}"), Dimension::ANGLE);
            for name in ["x{}", "y{}", "end{}_x", "end{}_y"] {
                sections.measure(&name.replace("{}", &i.to_string()), Dimension::LENGTH);
            }
            for axis in ["x", "y"] {
                sections.measure(&format!("joint{i}_f{axis}"), Dimension::FORCE);
                sections.measure(&format!("lambda_joint{i}_{axis}"), Dimension::FORCE);
            }
        }
        for name in ["pivot_x", "pivot_y", "tip_x", "tip_y"] {
            sections.measure(name, Dimension::LENGTH);
        }
        for name in ["tip_vx", "tip_vy"] {
            sections.measure(name, Dimension::LENGTH.rate(1));
        }
        sections.measure("g", Dimension::ACCELERATION);
        let parameters = [
            (&self.mass, Dimension::MASS),
            (&self.length, Dimension::LENGTH),
            (&self.friction, Dimension::ANGULAR_DAMPING),
        ];
        for (names, dimension) in parameters {
            names.iter().for_each(|name| sections.measure(name, dimension));
        }
        sections.add_resultants();
        sections
    }

    fn link(&self, i: usize) -> [&str; 2] {
        [&self.mass[i - 1], &self.length[i - 1]]
    }

    fn generated(&self, name: &str, text: &str) -> NamedFormula {
        generated(name, text, &self.place)
    }

    fn formula_pair(&self, point: &[String; 2]) -> [Formula; 2] {
        generated_point(point, &self.place)
    }

    fn coordinate(&self, name: &str, text: String) -> Coordinate {
        Coordinate { name: name.to_owned(), text, angle: None, place: self.place.clone() }
    }

    fn angle(&self, i: usize) -> Coordinate {
        let text = format!("link {i}, angle from the downward vertical, counter-clockwise");
        self.coordinate(&format!("theta{i}"), text)
    }

    fn pivot_definitions(&self) -> Vec<NamedFormula> {
        let named = |(axis, entry): (&str, &Option<NamedFormula>)| {
            entry.clone().map(|entry| NamedFormula { name: format!("pivot_{axis}"), ..entry })
        };
        ["x", "y"].into_iter().zip(&self.pivot_formulas).filter_map(named).collect()
    }

    fn pivot_point(&self) -> [String; 2] {
        let name = |moves: bool, name: &str| if moves { name.to_owned() } else { "0".to_owned() };
        [name(self.pivot[0], "pivot_x"), name(self.pivot[1], "pivot_y")]
    }

    fn define_tip(&self, definitions: &mut Vec<NamedFormula>, [x, y]: &[String; 2]) {
        definitions.push(self.generated("tip_x", x));
        definitions.push(self.generated("tip_y", y));
    }

    /// Mass, and mass times position, of each link and all that hangs below it: by Newton's law their
    /// second derivative is the force in the joint.
    fn define_moments(&self, definitions: &mut Vec<NamedFormula>) {
        for i in (1..=self.links).rev() {
            let m = &self.mass[i - 1];
            for (quantity, own) in
                [("x", format!("{m}*x{i}")), ("y", format!("{m}*y{i}")), ("m", m.clone())]
            {
                let text = match i {
                    i if i == self.links => own,
                    i => format!("{own} + below{}_{quantity}", i + 1),
                };
                definitions.push(self.generated(&format!("below{i}_{quantity}"), &text));
            }
        }
    }

    fn kinetic_term(&self, i: usize, m: &str, l: &str) -> String {
        let translation = format!("1/2*{m}*(x{i}'^2 + y{i}'^2)");
        match self.shape {
            Shape::Rod => format!("{translation} + 1/24*{m}*{l}^2*theta{i}'^2"),
            Shape::Bob => translation,
        }
    }

    fn potential(&self) -> NamedFormula {
        let terms: Vec<String> =
            (1..=self.links).map(|i| format!("{}*g*y{i}", self.mass[i - 1])).collect();
        self.generated("potential", &terms.join(" + "))
    }

    /// Friction acts on the rate between neighbouring links.
    fn dissipation(&self) -> Option<NamedFormula> {
        let term = |(i, friction): (usize, &String)| match i {
            0 => format!("1/2*{friction}*theta1'^2"),
            i => format!("1/2*{friction}*(theta{}' - theta{i}')^2", i + 1),
        };
        let terms: Vec<String> = self.friction.iter().enumerate().map(term).collect();
        (!terms.is_empty()).then(|| self.generated("dissipation", &terms.join(" + ")))
    }

    fn initial(&self) -> Vec<NamedFormula> {
        let mut initial = Vec::new();
        for (i, angle) in self.start.iter().enumerate() {
            let name = format!("theta{}", i + 1);
            let at = self.place.clone();
            let rate = Formula::number(Number::ZERO).placed_at(&at.span);
            initial.push(NamedFormula {
                name: name.clone(),
                primes: 0,
                formula: angle.clone(),
                place: at.clone(),
            });
            initial.push(NamedFormula { name, primes: 1, formula: rate, place: at });
        }
        initial
    }

    /// The forces on the links at their upper ends, and the motion of the tip.
    fn outputs(&self, force: impl Fn(usize, &str) -> String) -> Vec<NamedFormula> {
        let mut outputs = Vec::new();
        for i in 1..=self.links {
            for axis in ["x", "y"] {
                let name = format!("joint{i}_f{axis}");
                outputs.push(self.generated(&name, &force(i, axis)));
            }
        }
        let tip =
            [("tip_x", "tip_x"), ("tip_y", "tip_y"), ("tip_vx", "tip_x'"), ("tip_vy", "tip_y'")];
        outputs.extend(tip.map(|(name, text)| self.generated(name, text)));
        outputs
    }
}

fn is_zero(formula: &Formula) -> bool {
    matches!(formula.nodes(), [FormulaNode::Number(number)] if number.is_zero())
}

fn read_links(section: &ChainDraft, problems: &mut Vec<Problem>) -> Option<usize> {
    let number = match section.links.as_ref().map(|entry| entry.formula.nodes()) {
        Some([FormulaNode::Number(number)]) => number.as_integer(),
        _ => None,
    };
    match number {
        Some(links @ 1..) if links as usize <= MAX_LINKS => Some(links as usize),
        _ => {
            let place = section.links.as_ref().map_or(&section.place, |entry| &entry.place);
            let found = match section.links.as_ref() {
                Some(entry) => catena_symbolic::Notation::of_formula(&entry.formula).to_formula(),
                None => "none".into(),
            };
            let kind = ProblemKind::BadLinks { found, limit: MAX_LINKS };
            problems.push(Problem { kind, place: place.clone() });
            None
        }
    }
}

fn read_start(
    start: Option<ChainStart>,
    links: usize,
    problems: &mut Vec<Problem>,
) -> Option<Vec<Formula>> {
    let all = |text: &str| Some(vec![parse(text).expect("a well-formed angle"); links]);
    let problem = match start {
        None => return all("pi/2"),
        Some(ChainStart::Angles(angles, _)) if angles.len() == links => return Some(angles),
        Some(ChainStart::Angles(angles, place)) => {
            let (name, found) = ("start".to_owned(), angles.len());
            Problem { kind: ProblemKind::WrongListLength { name, found, links }, place }
        }
        Some(ChainStart::Named(name, place)) => match name.as_str() {
            "horizontal" => return all("pi/2"),
            "hanging" => return all("0"),
            _ => {
                let kind = ProblemKind::BadChoice { name: "start", found: name, known: &STARTS };
                Problem { kind, place }
            }
        },
    };
    problems.push(problem);
    None
}

/// Makes the parameters that hold the values of the links; returns their names, link by link.
fn parameters(
    values: ChainValues,
    key: &'static str,
    letter: &str,
    links: usize,
    draft: &mut Draft,
    problems: &mut Vec<Problem>,
) -> Option<Vec<String>> {
    let mut parameter = |name: String, formula: Formula, place: &Place| {
        // a name that stands alone is the user's own parameter
        if let Some((own, 0)) = formula.as_name() {
            return Some(own.to_owned());
        }
        if draft.parameters.iter().any(|parameter| parameter.name == name) {
            let kind = ProblemKind::ChainParameter { name, key };
            problems.push(Problem { kind, place: place.clone() });
            return None;
        }
        let entry = NamedFormula { name: name.clone(), primes: 0, formula, place: place.clone() };
        draft.parameters.push(entry);
        Some(name)
    };
    match values {
        ChainValues::Same(formula, place) => {
            let name = parameter(letter.to_owned(), formula, &place)?;
            Some(vec![name; links])
        }
        ChainValues::Each(formulas, place) if formulas.len() == links => {
            let named = formulas.into_iter().enumerate();
            named
                .map(|(i, formula)| parameter(format!("{letter}{}", i + 1), formula, &place))
                .collect()
        }
        ChainValues::Each(formulas, place) => {
            let (name, found) = (key.to_owned(), formulas.len());
            problems
                .push(Problem { kind: ProblemKind::WrongListLength { name, found, links }, place });
            None
        }
    }
}
