//! Numbers that a formulation reads in addition to the model.

/// A number that a formulation reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionEntry {
    /// The name that commands take.
    pub name: &'static str,
    /// What it does, in a line that the command line shows.
    pub meaning: &'static str,
    /// Its SI unit where constraints are lengths; empty for a pure number.
    pub unit: &'static str,
    /// Its value where it is not set; `None` if the model decides.
    pub default: Option<f64>,
    /// Whether it may be 0.
    pub may_vanish: bool,
}

impl OptionEntry {
    /// Its meaning and its unit.
    pub fn description(&self) -> String {
        let separator = if self.unit.is_empty() { "" } else { ", " };
        format!("{}{separator}{}", self.meaning, self.unit)
    }
}

/// The values of a formulation's options in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptionValues(pub Vec<(&'static str, f64)>);

impl OptionValues {
    /// The value of an option: given, or its default.
    pub(crate) fn get(&self, entry: &OptionEntry) -> Option<f64> {
        let given = self.0.iter().find(|(name, _)| *name == entry.name);
        given.map(|(_, value)| *value).or(entry.default)
    }
}

pub(crate) const OMEGA: OptionEntry = OptionEntry {
    name: "omega",
    meaning: "natural frequency at which constraint errors decay",
    unit: "rad/s",
    default: Some(10.0),
    may_vanish: true,
};

pub(crate) const XI: OptionEntry = OptionEntry {
    name: "xi",
    meaning: "damping ratio of constraint errors; 1 is critical",
    unit: "",
    default: Some(1.0),
    may_vanish: true,
};
