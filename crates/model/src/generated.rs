//! Sections that nobody wrote: what a chain or a mechanism adds to a model.

use crate::source::Place;
use crate::system::{Coordinate, Drawing, Entry};
use catena_symbolic::{Formula, parse};

/// The sections of a chain or a mechanism in one set of coordinates.
#[derive(Default)]
pub(crate) struct Sections {
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) definitions: Vec<Entry>,
    /// Definitions that may use those of the file.
    pub(crate) later_definitions: Vec<Entry>,
    pub(crate) kinetic: Option<Entry>,
    pub(crate) potential: Option<Entry>,
    pub(crate) dissipation: Option<Entry>,
    pub(crate) forces: Vec<Entry>,
    pub(crate) constraints: Vec<Entry>,
    pub(crate) initial: Vec<Entry>,
    pub(crate) guess: Vec<Entry>,
    pub(crate) outputs: Vec<Entry>,
    pub(crate) drawings: Vec<Drawing>,
    /// Whether drawings of the file come on top of these, or take the place of all.
    pub(crate) keep_drawings: bool,
}

/// An entry that the model writes by itself.
pub(crate) fn generated(name: &str, text: &str, place: &Place) -> Entry {
    let formula = parse(text).expect("generated formulas are well formed");
    let formula = formula.placed_at(&place.span);
    Entry { name: name.to_owned(), primes: 0, formula, place: place.clone() }
}

/// A point that the model draws by itself.
pub(crate) fn generated_point([x, y]: &[String; 2], place: &Place) -> [Formula; 2] {
    [generated("x", x, place).formula, generated("y", y, place).formula]
}

/// Terms of a sum become one entry; none if there are no terms.
pub(crate) fn generated_sum(name: &str, terms: &[String], place: &Place) -> Option<Entry> {
    (!terms.is_empty()).then(|| generated(name, &terms.join(" + "), place))
}
