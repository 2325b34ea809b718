//! The sections of a mechanism, the keys of their items, and what stands behind each key.

/// What stands behind a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Quantity,
    Pair,
    Points,
    End,
    Ends,
    Flag,
    /// Taken care of before.
    Done,
}

pub(super) type Keys = &'static [(&'static str, Kind)];

/// The sections made of items and their keys.
pub(super) const SECTIONS: [(&str, Keys); 7] = [
    (
        "body",
        &[
            ("name", Kind::Text),
            ("mass", Kind::Quantity),
            ("length", Kind::Quantity),
            ("inertia", Kind::Quantity),
            ("centre", Kind::Pair),
            ("points", Kind::Points),
            ("angle", Kind::Quantity),
            ("x", Kind::Quantity),
            ("y", Kind::Quantity),
            ("free", Kind::Flag),
            ("repeat", Kind::Done),
        ],
    ),
    (
        "joint",
        &[
            ("name", Kind::Text),
            ("type", Kind::Text),
            ("between", Kind::Ends),
            ("axis", Kind::Pair),
            ("angle", Kind::Quantity),
            ("length", Kind::Quantity),
            ("ratio", Kind::Quantity),
            ("radius", Kind::Quantity),
            ("offset", Kind::Quantity),
            ("carrier", Kind::Text),
            ("friction", Kind::Quantity),
            ("repeat", Kind::Done),
        ],
    ),
    (
        "spring",
        &[
            ("name", Kind::Text),
            ("between", Kind::Ends),
            ("stiffness", Kind::Quantity),
            ("length", Kind::Quantity),
            ("damping", Kind::Quantity),
            ("repeat", Kind::Done),
        ],
    ),
    (
        "torsion-spring",
        &[
            ("name", Kind::Text),
            ("between", Kind::Ends),
            ("stiffness", Kind::Quantity),
            ("angle", Kind::Quantity),
            ("damping", Kind::Quantity),
            ("repeat", Kind::Done),
        ],
    ),
    (
        "force",
        &[
            ("name", Kind::Text),
            ("on", Kind::End),
            ("x", Kind::Quantity),
            ("y", Kind::Quantity),
            ("repeat", Kind::Done),
        ],
    ),
    (
        "torque",
        &[
            ("name", Kind::Text),
            ("on", Kind::End),
            ("value", Kind::Quantity),
            ("from", Kind::End),
            ("repeat", Kind::Done),
        ],
    ),
    (
        "motor",
        &[
            ("name", Kind::Text),
            ("joint", Kind::Text),
            ("angle", Kind::Quantity),
            ("position", Kind::Quantity),
            ("repeat", Kind::Done),
        ],
    ),
];

/// Whether a section belongs to a mechanism.
pub(crate) fn is_section(name: &str) -> bool {
    name == "ground" || SECTIONS.iter().any(|(section, _)| *section == name)
}
