//! Sections that nobody wrote: what a chain or a mechanism adds to a model.

use crate::dimension::Dimension;
use crate::source::Place;
use crate::system::{Coordinate, Drawing, NamedFormula};
use catena_symbolic::{Formula, parse};
use rustc_hash::FxHashSet;

/// The sections of a chain or a mechanism in one set of coordinates.
#[derive(Default)]
pub(crate) struct Sections {
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) definitions: Vec<NamedFormula>,
    /// Definitions that may use those of the file.
    pub(crate) later_definitions: Vec<NamedFormula>,
    pub(crate) kinetic: Option<NamedFormula>,
    pub(crate) potential: Option<NamedFormula>,
    pub(crate) dissipation: Option<NamedFormula>,
    pub(crate) forces: Vec<NamedFormula>,
    pub(crate) constraints: Vec<NamedFormula>,
    pub(crate) initial: Vec<NamedFormula>,
    pub(crate) guess: Vec<NamedFormula>,
    pub(crate) outputs: Vec<NamedFormula>,
    /// Columns that are computed only where they are asked for.
    pub(crate) quantities: Vec<NamedFormula>,
    /// What names are measured in.
    pub(crate) dimensions: Vec<(String, Dimension)>,
    pub(crate) drawings: Vec<Drawing>,
    /// Whether drawings of the file come on top of these, or take the place of all.
    pub(crate) keep_drawings: bool,
}

impl Sections {
    /// Says what a name is measured in.
    pub(crate) fn measure(&mut self, name: &str, dimension: Dimension) {
        self.dimensions.push((name.to_owned(), dimension));
    }

    /// The size of a force that has both components among the outputs.
    pub(crate) fn add_resultants(&mut self) {
        let names: FxHashSet<&str> = self.outputs.iter().map(|entry| entry.name.as_str()).collect();
        let stems = self.outputs.iter().filter_map(|output| {
            let stem = output.name.strip_suffix("_fx")?;
            let both = names.contains(format!("{stem}_fy").as_str());
            both.then(|| (stem.to_owned(), output.place.clone()))
        });
        let stems: Vec<(String, Place)> = stems.collect();
        for (stem, place) in stems {
            let text = format!("sqrt({stem}_fx^2 + {stem}_fy^2)");
            self.quantities.push(generated(&format!("{stem}_f"), &text, &place));
            self.measure(&format!("{stem}_f"), Dimension::FORCE);
        }
    }
}

/// An entry that the model writes by itself.
pub(crate) fn generated(name: &str, text: &str, place: &Place) -> NamedFormula {
    let formula = parse(text).expect("generated formulas are well formed");
    let formula = formula.placed_at(&place.span);
    NamedFormula { name: name.to_owned(), primes: 0, formula, place: place.clone() }
}

/// A point that the model draws by itself.
pub(crate) fn generated_point([x, y]: &[String; 2], place: &Place) -> [Formula; 2] {
    [generated("x", x, place).formula, generated("y", y, place).formula]
}

/// Terms of a sum become one formula; `None` if there are no terms.
pub(crate) fn generated_sum(name: &str, terms: &[String], place: &Place) -> Option<NamedFormula> {
    (!terms.is_empty()).then(|| generated(name, &terms.join(" + "), place))
}
