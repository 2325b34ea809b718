//! What the formulas of each section may contain.

use crate::names::Role;

/// What a formula may contain, and how it is called in messages.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) name: &'static str,
    pub(crate) coordinates: bool,
    /// Highest time derivative of a coordinate.
    pub(crate) derivatives: usize,
    pub(crate) time: bool,
    pub(crate) states: bool,
    /// Multipliers, and the outputs and quantities that are made of them.
    pub(crate) reactions: bool,
    pub(crate) help: &'static str,
}

pub(crate) const CONSTANT: Context = Context {
    name: "this value",
    coordinates: false,
    derivatives: 0,
    time: false,
    states: false,
    reactions: false,
    help: "use numbers and parameters only",
};
pub(crate) const PARAMETER: Context = Context {
    name: "a parameter",
    help: "a parameter is a constant; what changes in time belongs under [definitions]",
    ..CONSTANT
};
pub(crate) const CONSTRAINT: Context = Context {
    name: "a constraint",
    coordinates: true,
    time: true,
    help: "constraints are formulas of coordinates and time; their derivatives are found for you",
    ..CONSTANT
};
pub(crate) const POTENTIAL: Context = Context {
    name: "the potential energy",
    help: "it depends on coordinates and time; other forces go under [forces] or into the dissipation",
    ..CONSTRAINT
};
pub(crate) const KINETIC: Context = Context {
    name: "the kinetic energy",
    derivatives: 1,
    help: "it depends on coordinates, velocities and time",
    ..CONSTRAINT
};
pub(crate) const DISSIPATION: Context = Context { name: "the dissipation", ..KINETIC };
pub(crate) const FORCE: Context = Context {
    name: "a force",
    states: true,
    help: "it depends on time, coordinates, velocities and states",
    ..KINETIC
};
pub(crate) const RATE: Context = Context { name: "the rate of a state", ..FORCE };
pub(crate) const DEFINITION: Context = Context { name: "a definition", ..FORCE };
pub(crate) const EVENT: Context = Context { name: "an event", ..FORCE };
pub(crate) const OUTPUT: Context =
    Context { name: "an output", derivatives: 2, reactions: true, help: "", ..FORCE };
pub(crate) const DRAWING: Context = Context {
    name: "a drawing",
    derivatives: 0,
    help: "points depend on coordinates, states and time",
    ..FORCE
};

/// What a definition turned out to contain.
#[derive(Clone, Copy, Default)]
pub(crate) struct Contents {
    pub(crate) coordinates: bool,
    pub(crate) derivatives: usize,
    pub(crate) time: bool,
    pub(crate) states: bool,
}

impl Contents {
    /// The order of the time derivative up to which a definition needs nothing beyond accelerations; rates of states are
    /// not taken again.
    pub(crate) fn highest_rate(&self) -> usize {
        match self.states {
            true => 0,
            false => OUTPUT.derivatives.saturating_sub(self.derivatives),
        }
    }
}

/// What in these contents the context cannot use.
pub(crate) fn forbidden(contents: Contents, role: Role, context: Context) -> Option<&'static str> {
    if contents.derivatives > context.derivatives {
        return Some(match (role, contents.derivatives) {
            (Role::Definition(_), 1) => "a definition that uses velocities",
            (Role::Definition(_), 2) => "a definition that uses accelerations",
            (_, 1) => "a velocity",
            (_, 2) => "an acceleration",
            _ => "a higher derivative",
        });
    }
    if contents.coordinates && !context.coordinates {
        return Some(match role {
            Role::Definition(_) => "a definition that uses coordinates",
            _ => "a coordinate",
        });
    }
    if contents.states && !context.states {
        return Some(match role {
            Role::Definition(_) => "a definition that uses states",
            _ => "a state",
        });
    }
    if contents.time && !context.time {
        return Some(match role {
            Role::Definition(_) => "a definition that uses the time",
            _ => "the time",
        });
    }
    match role {
        Role::Multiplier(_) | Role::Output(_) | Role::Quantity(_) if !context.reactions => {
            Some(role.description())
        }
        // a definition is never constant for those who may use constants only
        Role::Definition(_) if !context.coordinates => Some("a definition"),
        _ => None,
    }
}
