//! `[[joint]]`: each type with the keys it needs.

use super::items::Item;
use super::problem::MechanismProblem;
use super::read::Resolver;
use super::{Joint, JointKind};

/// Keys of a joint beside name, type and between; the first ones must be given.
const JOINT_KEYS: [(&str, &[&str], &[&str]); 7] = [
    ("revolute", &[], &["friction"]),
    ("prismatic", &["axis"], &["angle", "friction"]),
    ("weld", &[], &["angle"]),
    ("distance", &["length"], &[]),
    ("pin-in-slot", &["axis"], &["friction"]),
    ("gear", &["ratio"], &["offset", "carrier"]),
    ("rack", &["axis", "radius"], &["offset", "carrier"]),
];

impl Resolver<'_> {
    pub(super) fn joint(&mut self, item: &Item) {
        let Some(name) = self.name(item) else { return };
        self.take_name(item, &name);
        let kind = self.joint_kind(item, &name);
        let ends = self.ends(item, &name);
        let friction = self.optional(item, "friction");
        if let (Some(kind), Some(ends)) = (kind, ends) {
            let place = item.place.clone();
            self.mechanism.joints.push(Joint { name, kind, ends, friction, place });
        }
    }

    fn joint_kind(&mut self, item: &Item, name: &str) -> Option<JointKind> {
        let Some((kind, place)) = item.text("type") else {
            self.missing(item, "type", "for instance type = \"revolute\"");
            return None;
        };
        let found = JOINT_KEYS.iter().find(|(known, ..)| *known == kind);
        let Some(&(kind, needed, others)) = found else {
            let known = JOINT_KEYS.iter().map(|(known, ..)| *known).collect();
            self.report(MechanismProblem::UnknownType { found: kind.to_owned(), known }, place);
            return None;
        };
        let known: Vec<&str> =
            ["name", "type", "between"].iter().chain(needed).chain(others).copied().collect();
        for (key, place) in item.keys().filter(|(key, _)| !known.contains(key)) {
            let (what, known) = (format!("the {kind} joint `{name}`"), known.clone());
            self.report(MechanismProblem::UselessKey { what, key, known }, place);
        }
        for &key in needed {
            if !item.keys().any(|(given, _)| given == key) {
                let help = match key {
                    "axis" => "its direction, for instance axis = [1, 0]",
                    "length" => "the distance of its ends, for instance length = 0.5",
                    "ratio" => "how far the second turns for one turn of the first, as ratio = -2",
                    _ => "the radius of the pinion, for instance radius = 0.1",
                };
                self.missing(item, key, help);
                return None;
            }
        }
        let axis = item.pair("axis").map(|axis| self.constants(axis));
        let carrier = match item.text("carrier") {
            Some((carrier, place)) => self.find_body(carrier, place)?,
            None => None,
        };
        Some(match kind {
            "revolute" => JointKind::Revolute,
            "prismatic" => {
                JointKind::Prismatic { axis: axis?, angle: self.constant_or_zero(item, "angle") }
            }
            "weld" => JointKind::Weld { angle: self.constant_or_zero(item, "angle") },
            "distance" => JointKind::Distance { length: self.optional(item, "length")? },
            "pin-in-slot" => JointKind::PinInSlot { axis: axis? },
            "gear" => JointKind::Gear {
                ratio: self.optional(item, "ratio")?,
                offset: self.constant_or_zero(item, "offset"),
                carrier,
            },
            _ => JointKind::Rack {
                axis: axis?,
                radius: self.optional(item, "radius")?,
                offset: self.constant_or_zero(item, "offset"),
                carrier,
            },
        })
    }
}
