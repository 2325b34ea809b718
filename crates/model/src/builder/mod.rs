//! Models written in Rust instead of a file.
//!
//! A builder writes the sections of a model file and has them read: what it builds is checked like a
//! file, and problems point into the text that [`ModelBuilder::source`] shows.

mod value;

pub use value::{Table, Value};

use crate::{Model, Problems, Source};

/// The name under which problems show the text of a builder.
const SOURCE_NAME: &str = "built model";

/// Puts a model together section by section; see `book/model-files.md` for what each one means.
///
/// A value is a number, or a formula in a text. Within a section the order of the calls counts, as in
/// a file: parameters and definitions may use those before them.
///
/// ```
/// use catena_model::Model;
///
/// let pendulum = Model::builder("Pendulum on a cart")
///     .parameter("m", 1.0)
///     .parameter("M", 2.5)
///     .parameter("l", 0.5)
///     .coordinate("x", "cart, to the right")
///     .coordinate("theta", "pendulum, from the downward vertical")
///     .definition("x_b", "x + l*sin(theta)")
///     .definition("y_b", "-l*cos(theta)")
///     .kinetic("1/2*M*x'^2 + 1/2*m*(x_b'^2 + y_b'^2)")
///     .potential("m*9.81*y_b")
///     .initial("theta", "60 deg")
///     .initial("x'", 0.1)
///     .output("height", "y_b")
///     .build()?;
/// assert_eq!(pendulum.parameter("M"), Some(2.5));
/// assert_eq!(pendulum.own.coordinates.len(), 2);
/// # Ok::<(), catena_model::Problems>(())
/// ```
///
/// Bodies and joints take the keys of their sections:
///
/// ```
/// use catena_model::{Model, Table};
///
/// let pendulum = Model::builder("Rod on a pin")
///     .body("rod", Table::new().with("mass", 1.0).with("length", 0.4))
///     .joint("O", "revolute", ([0.0, 0.0], "rod.A"), Table::new().with("friction", 0.01))
///     .initial("rod_angle", "-30 deg")
///     .build()?;
/// assert_eq!(pendulum.own.constraints.len(), 2);
/// # Ok::<(), catena_model::Problems>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelBuilder {
    title: String,
    description: String,
    /// Tables with their names, in the order in which they were begun.
    sections: Vec<(&'static str, Table)>,
    ground_points: Table,
    /// Tables that stand in a list under the name of their section.
    items: Vec<(String, Table)>,
}

impl Model {
    /// Begins a model with this title.
    pub fn builder(title: impl Into<String>) -> ModelBuilder {
        ModelBuilder { title: title.into(), ..ModelBuilder::default() }
    }
}

impl ModelBuilder {
    /// A longer text for people.
    pub fn description(mut self, text: impl Into<String>) -> ModelBuilder {
        self.description = text.into();
        self
    }

    /// A constant that can be changed without deriving again.
    pub fn parameter(self, name: &str, value: impl Into<Value>) -> ModelBuilder {
        self.entry("parameters", name, value)
    }

    /// A coordinate and what it measures.
    pub fn coordinate(self, name: &str, text: &str) -> ModelBuilder {
        self.entry("coordinates", name, text)
    }

    /// A named formula.
    pub fn definition(self, name: &str, formula: impl Into<Value>) -> ModelBuilder {
        self.entry("definitions", name, formula)
    }

    /// The kinetic energy, J.
    pub fn kinetic(self, formula: impl Into<Value>) -> ModelBuilder {
        self.entry("energy", "kinetic", formula)
    }

    /// The potential energy, J.
    pub fn potential(self, formula: impl Into<Value>) -> ModelBuilder {
        self.entry("energy", "potential", formula)
    }

    /// Rayleigh's function D, W: the force is −∂D/∂v.
    pub fn dissipation(self, formula: impl Into<Value>) -> ModelBuilder {
        self.entry("energy", "dissipation", formula)
    }

    /// A generalised force on a coordinate, or on a definition made of coordinates and time.
    pub fn force(self, on: &str, formula: impl Into<Value>) -> ModelBuilder {
        self.entry("forces", on, formula)
    }

    /// A first-order state and its rate.
    pub fn state(self, name: &str, rate: impl Into<Value>) -> ModelBuilder {
        self.entry("states", name, rate)
    }

    /// A formula that stays 0.
    pub fn constraint(self, name: &str, formula: impl Into<Value>) -> ModelBuilder {
        self.entry("constraints", name, formula)
    }

    /// A value that is kept at the start: of `theta`, or of its velocity `theta'`.
    pub fn initial(self, name: &str, value: impl Into<Value>) -> ModelBuilder {
        self.entry("initial", name, value)
    }

    /// Where the assembly begins for a value that is not given.
    pub fn guess(self, name: &str, value: impl Into<Value>) -> ModelBuilder {
        self.entry("guess", name, value)
    }

    /// A formula whose zeros are noticed, or a [`Table`] with `when`, `direction` and `terminal`.
    pub fn event(self, name: &str, when: impl Into<Value>) -> ModelBuilder {
        self.entry("events", name, when)
    }

    /// An extra column.
    pub fn output(self, name: &str, formula: impl Into<Value>) -> ModelBuilder {
        self.entry("outputs", name, formula)
    }

    /// A poly-line to draw: a list of points, each a pair of formulas.
    pub fn drawing(self, name: &str, points: impl Into<Value>) -> ModelBuilder {
        self.entry("draw", name, points)
    }

    /// A default of runs, `t_end` for instance.
    pub fn run_default(self, key: &str, value: impl Into<Value>) -> ModelBuilder {
        self.entry("run", key, value)
    }

    /// A chain of links, in the place of coordinates and energies; the keys are those of `[chain]`.
    pub fn chain(mut self, keys: Table) -> ModelBuilder {
        self.sections.push(("chain", keys));
        self
    }

    /// A whole number that counts repeated parts of a mechanism.
    pub fn size(self, name: &str, value: impl Into<Value>) -> ModelBuilder {
        self.entry("sizes", name, value)
    }

    /// A named point of the fixed world, m.
    pub fn ground_point(mut self, name: &str, position: impl Into<Value>) -> ModelBuilder {
        self.ground_points.set(name, position);
        self
    }

    /// A rigid body; the keys are those of `[[body]]`.
    pub fn body(self, name: &str, keys: Table) -> ModelBuilder {
        self.part("body", Table::new().with("name", name).and(keys))
    }

    /// A joint of this type between two ends, `("crank.B", "coupler.A")` for instance; the keys are
    /// those of the type, see [`JOINTS`](crate::JOINTS).
    pub fn joint(
        self,
        name: &str,
        kind: &str,
        between: impl Into<Value>,
        keys: Table,
    ) -> ModelBuilder {
        let common = Table::new().with("name", name).with("type", kind).with("between", between);
        self.part("joint", common.and(keys))
    }

    /// Another part of a mechanism: the section is `spring`, `torsion-spring`, `force`, `torque` or
    /// `motor`, the keys are those of the section.
    pub fn part(mut self, section: &str, keys: Table) -> ModelBuilder {
        self.items.push((section.to_owned(), keys));
        self
    }

    /// The text of the model file that says the same.
    pub fn source(&self) -> Source {
        let mut text = String::new();
        for (key, value) in [("title", &self.title), ("description", &self.description)] {
            if !value.is_empty() {
                value::write_entry(&mut text, key, &value.as_str().into());
            }
        }
        for (section, table) in &self.sections {
            text += &format!("\n[{section}]\n{table}");
        }
        if !self.ground_points.is_empty() {
            let points = Table::new().with("points", self.ground_points.clone());
            text += &format!("\n[ground]\n{points}");
        }
        for (section, table) in &self.items {
            text += &format!("\n[[{}]]\n{table}", value::key(section));
        }
        Source::new(SOURCE_NAME, text)
    }

    /// Reads what was written; all problems are reported together.
    pub fn build(&self) -> Result<Model, Problems> {
        Model::read(self.source(), &[])
    }

    fn entry(mut self, section: &'static str, name: &str, value: impl Into<Value>) -> ModelBuilder {
        self.section(section).set(name, value);
        self
    }

    fn section(&mut self, name: &'static str) -> &mut Table {
        let at = self.sections.iter().position(|(section, _)| *section == name);
        let at = at.unwrap_or_else(|| {
            self.sections.push((name, Table::new()));
            self.sections.len() - 1
        });
        &mut self.sections[at].1
    }
}
