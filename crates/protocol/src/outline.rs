//! What stands where in the text of a model file: sections, keys and values with their places, so that a page can write a
//! change into the text and leave everything else as the user wrote it.
//!
//! An outline is a list in the order of the text. A key outside of sections is `{key, from, to, value}`; a section is
//! `{section, index, from, to, heading: {from, to}, keys: [{key, from, to, value}]}`, where `index` counts the items of an array of
//! tables and is null for a plain table. A value is `{from, to, json}`; one that is a number or a formula of parameters has
//! its `number`, a table its `keys`, a list its `items`. Places are offsets in UTF-16 units, as in the strings of a browser.

use catena::symbolic::parse;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The outline of a text; null if the text is no TOML.
pub(crate) fn outline(text: &str) -> Value {
    let Ok(table) = DeTable::parse(text) else { return Value::Null };
    let table = table.get_ref();
    let writer = Writer { offsets: Offsets::of(text), parameters: parameters(table) };
    let mut entries: Vec<(usize, Value)> = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        match value.get_ref() {
            DeValue::Array(list) if is_items(text, list) => {
                for (index, item) in list.iter().enumerate() {
                    if let DeValue::Table(table) = item.get_ref() {
                        let section = writer.section(name, json!(index), item.span(), table);
                        entries.push((item.span().start, section));
                    }
                }
            }
            DeValue::Table(table) if text[value.span()].starts_with('[') => {
                let section = writer.section(name, Value::Null, value.span(), table);
                entries.push((value.span().start, section));
            }
            _ => entries.push((key.span().start, writer.key(key, value))),
        }
    }
    entries.sort_by_key(|(start, _)| *start);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Whether a list is written as `[[name]]` headings; `name = [{...}]` is a value like any other.
fn is_items(text: &str, items: &[Spanned<DeValue>]) -> bool {
    let tables = items.iter().all(|item| item.get_ref().is_table());
    tables && items.first().is_some_and(|item| text[item.span()].starts_with("[["))
}

/// The values of `[parameters]` as far as they can be computed, each from those above it.
fn parameters(table: &DeTable) -> HashMap<String, f64> {
    let mut known = HashMap::new();
    let section = table.iter().find(|(key, _)| key.get_ref() == "parameters");
    let Some(entries) = section.and_then(|(_, value)| value.get_ref().as_table()) else {
        return known;
    };
    for (key, value) in entries {
        if let Some(number) = number(value.get_ref(), &known) {
            known.insert(key.get_ref().to_string(), number);
        }
    }
    known
}

/// A finite number, or the value of a formula of known names.
fn number(value: &DeValue, known: &HashMap<String, f64>) -> Option<f64> {
    let number = match value {
        DeValue::Integer(integer) => {
            i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()? as f64
        }
        DeValue::Float(float) => float.as_str().replace('_', "").parse().ok()?,
        DeValue::String(text) => {
            let of = |name: &str, primes: usize| match primes {
                0 => known.get(name).copied().unwrap_or(f64::NAN),
                _ => f64::NAN,
            };
            parse(text).ok()?.evaluate(of)
        }
        _ => return None,
    };
    number.is_finite().then_some(number)
}

struct Writer {
    offsets: Offsets,
    parameters: HashMap<String, f64>,
}

impl Writer {
    fn section(&self, name: &str, index: Value, heading: Range<usize>, table: &DeTable) -> Value {
        let end = table.iter().map(|(_, value)| last_byte(value)).fold(heading.end, usize::max);
        json!({
            "section": name,
            "index": index,
            "from": self.offsets.at(heading.start),
            "to": self.offsets.at(end),
            "heading": self.place(&heading),
            "keys": self.keys(table),
        })
    }

    fn place(&self, span: &Range<usize>) -> Value {
        json!({ "from": self.offsets.at(span.start), "to": self.offsets.at(span.end) })
    }

    fn keys(&self, table: &DeTable) -> Vec<Value> {
        table.iter().map(|(key, value)| self.key(key, value)).collect()
    }

    fn key(&self, key: &Spanned<DeString>, value: &Spanned<DeValue>) -> Value {
        json!({
            "key": key.get_ref(),
            "from": self.offsets.at(key.span().start),
            "to": self.offsets.at(last_byte(value).max(key.span().end)),
            "value": self.value(value),
        })
    }

    fn value(&self, value: &Spanned<DeValue>) -> Value {
        let mut written = self.place(&value.span());
        written["json"] = plain(value.get_ref());
        if let Some(number) = number(value.get_ref(), &self.parameters) {
            written["number"] = json!(number);
        }
        match value.get_ref() {
            DeValue::Table(table) => written["keys"] = self.keys(table).into(),
            DeValue::Array(list) => {
                written["items"] = list.iter().map(|item| self.value(item)).collect();
            }
            _ => {}
        }
        written
    }
}

/// Where a value ends, with the keys of a table that has a heading of its own.
fn last_byte(value: &Spanned<DeValue>) -> usize {
    let inner = match value.get_ref() {
        DeValue::Table(table) => table.iter().map(|(_, value)| last_byte(value)).max(),
        DeValue::Array(list) => list.iter().map(last_byte).max(),
        _ => None,
    };
    inner.unwrap_or(0).max(value.span().end)
}

/// A value as JSON has it; what is not finite and dates are texts.
fn plain(value: &DeValue) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Boolean(boolean) => json!(boolean),
        DeValue::Integer(integer) => {
            number(value, &HashMap::new()).map_or_else(|| json!(integer.as_str()), Value::from)
        }
        DeValue::Float(float) => {
            number(value, &HashMap::new()).map_or_else(|| json!(float.as_str()), Value::from)
        }
        DeValue::Datetime(date) => json!(date.to_string()),
        DeValue::Array(list) => list.iter().map(|item| plain(item.get_ref())).collect(),
        DeValue::Table(table) => {
            let entries = table.iter();
            let entries =
                entries.map(|(key, value)| (key.get_ref().to_string(), plain(value.get_ref())));
            Value::Object(entries.collect())
        }
    }
}

/// From bytes of UTF-8 to units of UTF-16.
struct Offsets {
    /// For every byte; empty if the text is ASCII, where both count the same.
    units: Vec<usize>,
}

impl Offsets {
    fn of(text: &str) -> Offsets {
        if text.is_ascii() {
            return Offsets { units: Vec::new() };
        }
        let mut units = Vec::with_capacity(text.len() + 1);
        let mut unit = 0;
        for character in text.chars() {
            units.extend(std::iter::repeat_n(unit, character.len_utf8()));
            unit += character.len_utf16();
        }
        units.push(unit);
        Offsets { units }
    }

    fn at(&self, byte: usize) -> usize {
        self.units.get(byte).copied().unwrap_or(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(text: &str, place: &Value) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        let at = |key: &str| place[key].as_u64().map(|at| at as usize).expect("an offset");
        String::from_utf16(&units[at("from")..at("to")]).expect("whole characters")
    }

    const FOUR_BAR: &str = r#"title = "Drawn" # äöü 🙂

[parameters]
L = 2
half = "L/2"   # of L

[ground]
points = { O = [0, 0], D = ["half + 10 mm", 0] }

[[body]]
name = "crank"
mass = 1 # kg
length = "half"

[[joint]]
name = "O"
type = "revolute"
between = ["ground.O", "crank.A"]

[[body]]
name = "plate"
[body.points]
P = [1.5, -2e-1]

[initial]
"crank_angle'" = "30 rpm"
"#;

    #[test]
    fn sections_come_in_the_order_of_the_text_with_their_places() {
        let outline = outline(FOUR_BAR);
        let entries = outline.as_array().expect("a list");
        let names: Vec<String> = entries
            .iter()
            .map(|entry| {
                entry["section"].as_str().or(entry["key"].as_str()).unwrap_or("?").to_owned()
            })
            .collect();
        assert_eq!(names, ["title", "parameters", "ground", "body", "joint", "body", "initial"]);
        assert_eq!(slice(FOUR_BAR, &entries[0]), "title = \"Drawn\"");
        assert_eq!(entries[0]["value"]["json"], "Drawn");
        assert_eq!(slice(FOUR_BAR, &entries[3]["heading"]), "[[body]]");
        assert_eq!(entries[3]["index"], 0);
        assert_eq!(entries[5]["index"], 1);
        assert_eq!(entries[1]["index"], Value::Null);
        let crank = "[[body]]\nname = \"crank\"\nmass = 1 # kg\nlength = \"half\"";
        assert_eq!(slice(FOUR_BAR, &entries[3]), crank);
        assert_eq!(slice(FOUR_BAR, &entries[3]["keys"][1]), "mass = 1");
        assert_eq!(slice(FOUR_BAR, &entries[6]["keys"][0]), "\"crank_angle'\" = \"30 rpm\"");
        assert_eq!(entries[6]["keys"][0]["key"], "crank_angle'");
    }

    #[test]
    fn formulas_of_parameters_have_their_numbers() {
        let outline = outline(FOUR_BAR);
        assert_eq!(outline[3]["keys"][2]["value"]["number"], 1.0);
        assert_eq!(outline[3]["keys"][2]["value"]["json"], "half");
        assert_eq!(outline[3]["keys"][0]["value"].get("number"), None);
        let rate = outline[6]["keys"][0]["value"]["number"].as_f64().expect("a number");
        assert!((rate - std::f64::consts::PI).abs() < 1e-12, "{rate}");
        let points = &outline[2]["keys"][0]["value"];
        assert_eq!(points["keys"][1]["key"], "D");
        let far = points["keys"][1]["value"]["items"][0]["number"].as_f64().expect("a number");
        assert!((far - 1.01).abs() < 1e-12, "{far}");
        assert_eq!(slice(FOUR_BAR, &points["keys"][1]["value"]), "[\"half + 10 mm\", 0]");
    }

    #[test]
    fn a_table_with_a_heading_of_its_own_belongs_to_the_item_before() {
        let outline = outline(FOUR_BAR);
        let plate = &outline[5];
        assert!(slice(FOUR_BAR, plate).ends_with("P = [1.5, -2e-1]"));
        let points = &plate["keys"][1];
        assert_eq!(points["key"], "points");
        assert_eq!(slice(FOUR_BAR, &points["value"]["keys"][0]["value"]), "[1.5, -2e-1]");
        assert_eq!(points["value"]["keys"][0]["value"]["items"][1]["number"], -0.2);
    }

    #[test]
    fn what_is_no_toml_has_no_outline() {
        assert_eq!(outline("[[body]\nname = 3"), Value::Null);
        assert_eq!(outline(""), json!([]));
    }

    #[test]
    fn a_wrong_model_has_its_outline_and_one_that_is_no_toml_has_none() {
        let mut workbench = crate::Workbench::default();
        let mut asked = |text: &str| {
            let request = json!({ "do": "model", "model": { "name": "mine", "text": text } });
            workbench.answer(&request.to_string(), &crate::Host::ALONE)
        };
        let floating = asked("[[body]]\nname = \"a\"\nmass = 1\nlength = 1\n");
        assert_eq!(floating["problems"][0]["message"], "nothing joins `a` to the ground");
        assert_eq!(floating["outline"][0]["section"], "body");
        let broken = asked("[[body]\n");
        assert_eq!(broken["problems"].as_array().map(Vec::len), Some(1));
        assert_eq!(broken["outline"], Value::Null);
    }

    #[test]
    fn a_value_that_cannot_be_computed_has_no_number() {
        let text = "[parameters]\na = \"b\"\nb = \"1/0\"\nc = 0x10\nd = inf\ne = 1_000.5\n";
        let keys = &outline(text)[0]["keys"];
        assert_eq!(keys[0]["value"].get("number"), None);
        assert_eq!(keys[1]["value"].get("number"), None);
        assert_eq!(keys[2]["value"]["number"], 16.0);
        assert_eq!(keys[3]["value"]["json"], "inf");
        assert_eq!(keys[4]["value"]["number"], 1000.5);
    }
}
