//! The sections of a mechanism, the keys of their items, and what stands behind each key.

use super::joints::JOINTS;

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
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

type Keys = &'static [(&'static str, ValueKind)];

/// The sections made of items and their keys.
const SECTIONS: [(&str, Keys); 7] = [
    (
        "body",
        &[
            ("name", ValueKind::Text),
            ("mass", ValueKind::Quantity),
            ("length", ValueKind::Quantity),
            ("inertia", ValueKind::Quantity),
            ("centre", ValueKind::Pair),
            ("points", ValueKind::Points),
            ("angle", ValueKind::Quantity),
            ("x", ValueKind::Quantity),
            ("y", ValueKind::Quantity),
            ("free", ValueKind::Flag),
            ("repeat", ValueKind::Done),
        ],
    ),
    (
        "joint",
        &[
            ("name", ValueKind::Text),
            ("type", ValueKind::Text),
            ("between", ValueKind::Ends),
            // and those of all types of joints, see `keys_of`
            ("repeat", ValueKind::Done),
        ],
    ),
    (
        "spring",
        &[
            ("name", ValueKind::Text),
            ("between", ValueKind::Ends),
            ("stiffness", ValueKind::Quantity),
            ("length", ValueKind::Quantity),
            ("damping", ValueKind::Quantity),
            ("repeat", ValueKind::Done),
        ],
    ),
    (
        "torsion-spring",
        &[
            ("name", ValueKind::Text),
            ("between", ValueKind::Ends),
            ("stiffness", ValueKind::Quantity),
            ("angle", ValueKind::Quantity),
            ("damping", ValueKind::Quantity),
            ("repeat", ValueKind::Done),
        ],
    ),
    (
        "force",
        &[
            ("name", ValueKind::Text),
            ("on", ValueKind::End),
            ("x", ValueKind::Quantity),
            ("y", ValueKind::Quantity),
            ("repeat", ValueKind::Done),
        ],
    ),
    (
        "torque",
        &[
            ("name", ValueKind::Text),
            ("on", ValueKind::End),
            ("value", ValueKind::Quantity),
            ("from", ValueKind::End),
            ("repeat", ValueKind::Done),
        ],
    ),
    (
        "motor",
        &[
            ("name", ValueKind::Text),
            ("joint", ValueKind::Text),
            ("angle", ValueKind::Quantity),
            ("position", ValueKind::Quantity),
            ("repeat", ValueKind::Done),
        ],
    ),
];

/// The section of this name and all keys that its items can have; `None` if it has no items.
pub(super) fn keys_of(name: &str) -> Option<(&'static str, Vec<(&'static str, ValueKind)>)> {
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

/// The keys of `[ground]`.
pub(super) const GROUND_KEYS: [&str; 1] = ["points"];

/// The names of all keys that `[ground]` or the items of a section can have; none if it is no section of a mechanism.
pub(crate) fn key_names(name: &str) -> Option<Vec<&'static str>> {
    match name {
        "ground" => Some(GROUND_KEYS.to_vec()),
        name => keys_of(name).map(|(_, keys)| keys.into_iter().map(|(key, _)| key).collect()),
    }
}
