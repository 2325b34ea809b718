//! The sections of a mechanism, the keys of their items, and what stands behind each key.

use super::joints::JOINTS;

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

type Keys = &'static [(&'static str, Kind)];

/// The sections made of items and their keys.
const SECTIONS: [(&str, Keys); 7] = [
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
            // and those of all types of joints, see `keys_of`
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

/// The section of this name and all keys that its items can have, or none if it has no items.
pub(super) fn keys_of(name: &str) -> Option<(&'static str, Vec<(&'static str, Kind)>)> {
    let &(section, keys) = SECTIONS.iter().find(|(section, _)| *section == name)?;
    let mut keys = keys.to_vec();
    if section == "joint" {
        for key in JOINTS.iter().flat_map(|kind| kind.keys) {
            if keys.iter().all(|(known, _)| *known != key.name) {
                keys.push((key.name, key.shape.written()));
            }
        }
    }
    Some((section, keys))
}

/// Whether a section belongs to a mechanism.
pub(crate) fn is_section(name: &str) -> bool {
    name == "ground" || SECTIONS.iter().any(|(section, _)| *section == name)
}
