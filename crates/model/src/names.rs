//! The symbol table of a system: its names and what they stand for.

use rustc_hash::FxHashMap;

/// What a name stands for; the number is its position in the section of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is what it is called")]
pub enum Role {
    Time,
    Parameter(usize),
    Coordinate(usize),
    Definition(usize),
    State(usize),
    /// The multiplier of a constraint.
    Multiplier(usize),
    /// A column of a run that the model writes, or the user.
    Output(usize),
    /// A column that is computed where it is asked for.
    Quantity(usize),
}

impl Role {
    /// The kind of thing, with its article.
    pub fn description(self) -> &'static str {
        match self {
            Role::Time => "the time",
            Role::Parameter(_) => "a parameter",
            Role::Coordinate(_) => "a coordinate",
            Role::Definition(_) => "a definition",
            Role::State(_) => "a state",
            Role::Multiplier(_) => "a multiplier",
            Role::Output(_) => "an output",
            Role::Quantity(_) => "a quantity that follows from the motion",
        }
    }
}

/// All names of a system.
#[derive(Clone, Debug, Default)]
pub struct Names {
    roles: FxHashMap<String, Role>,
    order: Vec<String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        let mut names = Names::default();
        names.roles.insert("t".into(), Role::Time);
        names
    }

    /// What the name stands for.
    pub fn role(&self, name: &str) -> Option<Role> {
        self.roles.get(name).copied()
    }

    /// All names that were declared, in order, without those of columns.
    pub(crate) fn known(&self) -> &[String] {
        &self.order
    }

    /// Declares the name of a column, unless it is taken: formulas then mean what has it.
    pub(crate) fn declare_column(&mut self, name: &str, role: Role) {
        self.roles.entry(name.to_owned()).or_insert(role);
    }

    /// Declares a name; returns what already had it.
    pub(crate) fn declare(&mut self, name: &str, role: Role) -> Option<Role> {
        if let Some(role) = self.role(name) {
            return Some(role);
        }
        self.roles.insert(name.to_owned(), role);
        self.order.push(name.to_owned());
        None
    }
}
