//! The items of a mechanism as they were written: every key has its kind of value, nothing is
//! looked up yet.

use super::keys::{GROUND_KEYS, ValueKind, keys_of};
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use super::repeat::Sizes;
use crate::draft::{Reader, Value, place};
use crate::source::Place;
use catena_symbolic::{FormulaNode, Notation, has_units};
use toml::de::DeValue;

/// Everything that is written about a mechanism.
#[derive(Default)]
pub(crate) struct MechanismDraft {
    /// Where the first part of it stands; `None` if there is no mechanism.
    pub(crate) place: Option<Place>,
    pub(crate) ground: Vec<PointDraft>,
    pub(crate) items: Vec<Item>,
    pub(crate) sizes: Sizes,
    parts: usize,
}

/// A point and where it is, in the axes of its body.
#[derive(Clone)]
pub(crate) struct PointDraft {
    pub(crate) name: String,
    pub(crate) position: [Quantity; 2],
    pub(crate) place: Place,
}

/// `BODY.POINT`, `BODY` or a point of the ground.
#[derive(Clone)]
pub(crate) struct EndDraft {
    pub(crate) body: String,
    pub(crate) point: Option<String>,
    pub(crate) position: Option<[Quantity; 2]>,
    pub(crate) place: Place,
}

/// One `[[...]]` with what its keys say.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) section: &'static str,
    pub(crate) place: Place,
    fields: Vec<(&'static str, Field, Place)>,
}

#[derive(Clone)]
enum Field {
    Text(String),
    Quantity(Quantity),
    Pair([Quantity; 2]),
    Points(Vec<PointDraft>),
    Ends(Vec<EndDraft>),
    Flag(bool),
}

impl Item {
    fn field(&self, key: &str) -> Option<&(&'static str, Field, Place)> {
        self.fields.iter().find(|(name, ..)| *name == key)
    }

    /// The keys that were written, with their places.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&'static str, &Place)> {
        self.fields.iter().map(|(key, _, place)| (*key, place))
    }

    pub(super) fn text(&self, key: &str) -> Option<(&str, &Place)> {
        match self.field(key)? {
            (_, Field::Text(text), place) => Some((text, place)),
            _ => None,
        }
    }

    pub(super) fn quantity(&self, key: &str) -> Option<&Quantity> {
        match self.field(key)? {
            (_, Field::Quantity(quantity), _) => Some(quantity),
            _ => None,
        }
    }

    pub(super) fn pair(&self, key: &str) -> Option<&[Quantity; 2]> {
        match self.field(key)? {
            (_, Field::Pair(pair), _) => Some(pair),
            _ => None,
        }
    }

    pub(super) fn points(&self) -> &[PointDraft] {
        match self.field("points") {
            Some((_, Field::Points(points), _)) => points,
            _ => &[],
        }
    }

    pub(super) fn ends(&self, key: &str) -> Option<&[EndDraft]> {
        match self.field(key)? {
            (_, Field::Ends(ends), _) => Some(ends),
            _ => None,
        }
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        matches!(self.field(key), Some((_, Field::Flag(true), _)))
    }
}

impl Reader<'_> {
    /// Reads `[ground]` or the items of a section.
    pub(crate) fn mechanism(
        &mut self,
        name: &str,
        at: Place,
        value: &Value,
        draft: &mut MechanismDraft,
    ) {
        draft.place.get_or_insert(at);
        let Some((section, keys)) = keys_of(name) else {
            return self.ground(value, draft);
        };
        let list = match value.get_ref() {
            DeValue::Array(list) => list,
            _ => {
                let kind = MechanismProblem::NotItems { section };
                return self.report_at(kind.into(), place(value.span()));
            }
        };
        for item in list {
            let mut parts = draft.parts;
            for copy in draft.sizes.copies(self, item, &mut parts) {
                draft.items.extend(self.item(section, &keys, &copy));
            }
            draft.parts = parts;
        }
    }

    fn ground(&mut self, value: &Value, draft: &mut MechanismDraft) {
        let Some(table) = self.table("ground", value) else { return };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "points" => draft.ground = self.points("points", value),
                other => self.unknown_key(other, key.span(), &GROUND_KEYS),
            }
        }
    }

    fn item(
        &mut self,
        section: &'static str,
        keys: &[(&'static str, ValueKind)],
        value: &Value,
    ) -> Option<Item> {
        let table = self.table(section, value)?;
        let mut fields = Vec::new();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let Some(&(name, kind)) = keys.iter().find(|(known, _)| *known == name) else {
                let known: Vec<&str> = keys.iter().map(|(known, _)| *known).collect();
                self.unknown_key(name, key.span(), &known);
                continue;
            };
            let field = match kind {
                ValueKind::Text => self.string(name, value).map(Field::Text),
                ValueKind::Quantity => self.quantity(name, value).map(Field::Quantity),
                ValueKind::Pair => self.pair(name, value).map(Field::Pair),
                ValueKind::Points => Some(Field::Points(self.points(name, value))),
                ValueKind::End => self.end(name, value).map(|end| Field::Ends(vec![end])),
                ValueKind::Ends => self.ends(name, value).map(Field::Ends),
                ValueKind::Flag => self.boolean(name, value).map(Field::Flag),
                ValueKind::Done => None,
            };
            fields.extend(field.map(|field| (name, field, place(value.span()))));
        }
        Some(Item { section, place: place(value.span()), fields })
    }

    fn quantity(&mut self, name: &str, value: &Value) -> Option<Quantity> {
        let formula = self.formula(name, value)?;
        let text = match value.get_ref() {
            // what is written around it must not change what the unit belongs to
            DeValue::String(text) if has_units(text) => match formula.nodes() {
                [FormulaNode::Number(number)] => number.to_f64().to_string(),
                _ => Notation::of_formula(&formula).to_formula(),
            },
            DeValue::String(text) => text.to_string(),
            DeValue::Float(float) => float.as_str().to_owned(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().to_owned(),
            _ => Notation::of_formula(&formula).to_formula(),
        };
        Some(Quantity { formula, text, place: place(value.span()) })
    }

    fn pair(&mut self, name: &str, value: &Value) -> Option<[Quantity; 2]> {
        let list = value.get_ref().as_array().filter(|list| list.len() == 2);
        let Some(list) = list else {
            self.wrong_type(name, "two numbers or formulas: [x, y]", value);
            return None;
        };
        Some([self.quantity(name, &list[0])?, self.quantity(name, &list[1])?])
    }

    fn points(&mut self, name: &str, value: &Value) -> Vec<PointDraft> {
        let Some(table) = self.table(name, value) else { return Vec::new() };
        let mut points = Vec::new();
        for (key, value) in table {
            let name = key.get_ref().to_string();
            if let Some(position) = self.pair(&name, value) {
                points.push(PointDraft { name, position, place: place(key.span()) });
            }
        }
        points
    }

    fn end(&mut self, name: &str, value: &Value) -> Option<EndDraft> {
        let at = place(value.span());
        if value.get_ref().as_array().is_some() {
            let position = Some(self.pair(name, value)?);
            return Some(EndDraft { body: "ground".into(), point: None, position, place: at });
        }
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(name, "\"BODY.POINT\", \"BODY\" or [x, y]", value);
            return None;
        };
        let (body, point) = match text.split_once('.') {
            Some((body, point)) => (body, Some(point.trim().to_owned())),
            None => (text, None),
        };
        Some(EndDraft { body: body.trim().to_owned(), point, position: None, place: at })
    }

    fn ends(&mut self, name: &str, value: &Value) -> Option<Vec<EndDraft>> {
        let list = value.get_ref().as_array().filter(|list| list.len() == 2);
        let Some(list) = list else {
            self.wrong_type(name, "a list of two ends: [\"BODY.POINT\", \"BODY.POINT\"]", value);
            return None;
        };
        list.iter().map(|end| self.end(name, end)).collect()
    }
}
