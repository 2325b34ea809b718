//! Sections that nobody wrote: what a chain or a mechanism adds to a model.

use crate::source::Place;
use crate::system::{Coordinate, NamedFormula};
use catena_symbolic::parse;

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
}

/// An entry that the model writes by itself.
pub(crate) fn generated(name: &str, text: &str, place: &Place) -> NamedFormula {
    let formula = parse(text).expect("generated formulas are well formed");
    let formula = formula.placed_at(&place.span);
    NamedFormula { name: name.to_owned(), primes: 0, formula, place: place.clone() }
}

/// Terms of a sum become one formula; `None` if there are no terms.
pub(crate) fn generated_sum(name: &str, terms: &[String], place: &Place) -> Option<NamedFormula> {
    (!terms.is_empty()).then(|| generated(name, &terms.join(" + "), place))
}
