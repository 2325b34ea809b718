//! `[[joint]]`: its type, its ends and the keys of the type.

use super::items::Item;
use super::joint::{Joint, JointValue};
use super::joints::{JOINTS, JointType, Key, Shape};
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use super::read::Resolver;

/// Keys of every joint.
const COMMON_KEYS: [&str; 3] = ["name", "type", "between"];

impl Resolver<'_> {
    pub(super) fn joint(&mut self, item: &Item) {
        let Some(name) = self.name(item) else { return };
        self.take_name(item, &name);
        let kind = self.joint_type(item, &name);
        let values = kind.and_then(|kind| self.joint_values(item, kind));
        let ends = self.ends(item, &name);
        if let (Some(kind), Some(values), Some(ends)) = (kind, values, ends) {
            let joint = Joint { name, kind, ends, values, place: item.place.clone() };
            match (kind.check)(&joint) {
                Ok(()) => self.mechanism.joints.push(joint),
                Err(problem) => self.report(problem.kind, &problem.place),
            }
        }
    }

    /// The type, if the item has all keys it needs; keys that are no use to it are reported.
    fn joint_type(&mut self, item: &Item, name: &str) -> Option<&'static JointType> {
        let Some((found, place)) = item.text("type") else {
            self.missing(item, "type", "for instance type = \"revolute\"");
            return None;
        };
        let Some(&kind) = JOINTS.iter().find(|kind| kind.name == found) else {
            let known = JOINTS.iter().map(|kind| kind.name).collect();
            self.report(MechanismProblem::UnknownType { found: found.to_owned(), known }, place);
            return None;
        };
        let known: Vec<&str> = COMMON_KEYS.into_iter().chain(kind.key_names()).collect();
        for (key, place) in item.keys().filter(|(key, _)| !known.contains(key)) {
            let (what, known) = (format!("the {} joint `{name}`", kind.name), known.clone());
            self.report(MechanismProblem::UselessKey { what, key, known }, place);
        }
        let given = |key: &Key| item.keys().any(|(given, _)| given == key.name);
        let missing = kind.keys.iter().find(|key| key.required && !given(key));
        if let Some(key) = missing {
            self.missing(item, key.name, key.help);
            return None;
        }
        Some(kind)
    }

    fn joint_values(
        &mut self,
        item: &Item,
        kind: &JointType,
    ) -> Option<Vec<(&'static str, JointValue)>> {
        let mut value = |key: &Key| Some((key.name, self.joint_value(item, key)?));
        kind.keys.iter().map(|key| value(key)).collect()
    }

    fn joint_value(&mut self, item: &Item, key: &Key) -> Option<JointValue> {
        Some(match key.shape {
            Shape::Number | Shape::Positive => {
                JointValue::Quantity(match (item.quantity(key.name), key.variable) {
                    (Some(quantity), Some(variable)) => self.function(quantity, variable),
                    (Some(quantity), None) => self.constant(quantity),
                    (None, _) => Quantity::zero(&item.place),
                })
            }
            Shape::Direction => JointValue::Direction(self.constants(item.pair(key.name)?)),
            Shape::Body => JointValue::Body(match item.text(key.name) {
                Some((name, place)) => self.find_body(name, place)?,
                None => None,
            }),
        })
    }
}
