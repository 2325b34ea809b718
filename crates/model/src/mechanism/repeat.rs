//! Sizes and copies: `{n}` in a text is the size n, and an item with `repeat` stands for as many
//! items, in which `{i}`, `{i+1}`, `{i-1}` are its number and those of its neighbours.

use super::problem::MechanismProblem;
use crate::draft::{Reader, Value, place};
use crate::settings::ParsedSetting;
use crate::source::Place;
use catena_symbolic::Formula;
use toml::de::{DeTable, DeValue};

/// More copies than this are a typing error.
const MAX_COPIES: i64 = 1_000;
/// More parts than this in one file are one, too.
const MAX_PARTS: usize = 3_000;
/// The number of a copy.
const COUNTER: &str = "i";

/// Whole numbers that count repeated parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes(Vec<(String, i64)>);

impl Sizes {
    /// Reads `[sizes]` and takes from the settings those that change a size.
    pub(crate) fn read(
        reader: &mut Reader,
        table: &DeTable,
        settings: &mut Vec<ParsedSetting>,
    ) -> Sizes {
        let Some(section) = table.get("sizes") else { return Sizes::default() };
        let mut sizes = Sizes::default();
        for entry in reader.entries("sizes", section) {
            let (mut formula, mut place) = (entry.formula, entry.place);
            settings.retain(|setting| {
                let meant = setting.name == entry.name && setting.primes == 0;
                if meant {
                    (formula, place) = (setting.formula.clone(), setting.place.clone());
                }
                !meant
            });
            let name = entry.name;
            if name == COUNTER {
                reader.report_at(MechanismProblem::CounterSize.into(), place);
                continue;
            }
            let whole = sizes.value(&formula).and_then(|value| {
                whole(value).ok_or(MechanismProblem::BadSize { name: name.clone(), found: value })
            });
            // a size that is wrong still is one: what uses it has no mistake of its own
            sizes.0.push((name, *whole.as_ref().unwrap_or(&1)));
            if let Err(kind) = whole {
                reader.report_at(kind.into(), place);
            }
        }
        sizes
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    fn get(&self, name: &str) -> Option<i64> {
        self.0.iter().find(|(size, _)| size == name).map(|&(_, value)| value)
    }

    /// The value of a formula of sizes.
    fn value(&self, formula: &Formula) -> Result<f64, MechanismProblem> {
        for (name, primes, _) in formula.names() {
            if primes > 0 || self.get(name).is_none() {
                return Err(self.unknown(name));
            }
        }
        Ok(formula.evaluate(|name, _| self.get(name).map_or(f64::NAN, |size| size as f64)))
    }

    fn unknown(&self, name: &str) -> MechanismProblem {
        let counter = name == COUNTER;
        MechanismProblem::UnknownSize { name: name.to_owned(), known: self.names(), counter }
    }

    /// Puts the sizes in their places in every text below this value.
    pub(crate) fn fill(&self, value: &mut DeValue) {
        // what has another name may be the number of a copy, which is not known yet
        let _ = fill(value, &|name| self.get(name));
    }

    /// The items that one with `repeat` stands for; one without stands for itself.
    pub(crate) fn copies<'i>(
        &self,
        reader: &mut Reader,
        item: &Value<'i>,
        parts: &mut usize,
    ) -> Vec<Value<'i>> {
        let repeat = item.get_ref().as_table().and_then(|table| table.get("repeat"));
        let numbers = match repeat {
            None => vec![None],
            Some(repeat) => match self.count(reader, repeat) {
                Some(count) => (1..=count).map(Some).collect(),
                None => return Vec::new(),
            },
        };
        *parts += numbers.len();
        if *parts > MAX_PARTS {
            // one message is enough
            if *parts - numbers.len() <= MAX_PARTS {
                let kind = MechanismProblem::TooManyParts { limit: MAX_PARTS };
                reader.report_at(kind.into(), place(item.span()));
            }
            return Vec::new();
        }
        let mut copies = Vec::with_capacity(numbers.len());
        for number in numbers {
            let mut copy = item.clone();
            let value = |name: &str| match number {
                Some(number) if name == COUNTER => Some(number),
                _ => self.get(name),
            };
            match fill(copy.get_mut(), &value) {
                Ok(()) => copies.push(copy),
                Err((name, at)) => {
                    reader.report_at(self.unknown(&name).into(), at);
                    break;
                }
            }
        }
        copies
    }

    fn count(&self, reader: &mut Reader, repeat: &Value) -> Option<i64> {
        let formula = reader.formula("repeat", repeat)?;
        let kind = match self.value(&formula) {
            Ok(value) => match whole(value) {
                Some(count @ 0..=MAX_COPIES) => return Some(count),
                _ => MechanismProblem::BadRepeat { found: value, limit: MAX_COPIES },
            },
            Err(kind) => kind,
        };
        reader.report_at(kind.into(), place(repeat.span()));
        None
    }
}

/// The number, if it is whole and not negative.
fn whole(value: f64) -> Option<i64> {
    // every f64 up to here is exact
    (value >= 0.0 && value.fract() == 0.0 && value < 1e15).then_some(value as i64)
}

/// Puts numbers in all texts below this value; fails with the first name that has none.
fn fill(value: &mut DeValue, number: &impl Fn(&str) -> Option<i64>) -> Result<(), (String, Place)> {
    let parts: Vec<&mut Value> = match value {
        DeValue::Array(list) => list.iter_mut().collect(),
        DeValue::Table(table) => table.iter_mut().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    };
    let mut result = Ok(());
    for part in parts {
        let span = part.span();
        let filled = match part.get_mut() {
            DeValue::String(text) => {
                let (filled, unknown) = filled(text, number);
                *text = filled.into();
                unknown.map_or(Ok(()), |name| Err((name, place(span))))
            }
            other => fill(other, number),
        };
        result = result.and(filled);
    }
    result
}

/// The text with the numbers in it, and the first name in braces that has none.
fn filled(text: &str, number: impl Fn(&str) -> Option<i64>) -> (String, Option<String>) {
    let (mut filled, mut unknown) = (String::with_capacity(text.len()), None);
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        filled += before;
        let Some((inside, after)) = behind.split_once('}') else {
            rest = &rest[before.len()..];
            break;
        };
        let (name, shift) = shifted(inside);
        match number(name).zip(shift).and_then(|(value, shift)| value.checked_add(shift)) {
            Some(value @ 0..) => filled += &value.to_string(),
            Some(value) => filled += &format!("({value})"),
            None => {
                unknown = unknown.or_else(|| Some(name.to_owned()));
                filled += &format!("{{{inside}}}");
            }
        }
        rest = after;
    }
    (filled + rest, unknown)
}

/// The name and what is added to it: `i-1` is i and −1.
fn shifted(inside: &str) -> (&str, Option<i64>) {
    match inside.find(['+', '-']) {
        None => (inside.trim(), Some(0)),
        Some(at) => {
            let (name, shift) = inside.split_at(at);
            let (sign, digits) = shift.split_at(1);
            let digits = digits.trim().parse::<u32>().ok().map(i64::from);
            (name.trim(), digits.map(|digits| if sign == "-" { -digits } else { digits }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_where_their_names_stood() {
        let number = |name: &str| match name {
            "i" => Some(3),
            "n" => Some(10),
            _ => None,
        };
        let text = |text| filled(text, number);
        assert_eq!(text("bar{i}.B"), ("bar3.B".into(), None));
        assert_eq!(text("bar{i+1} - bar{ i - 1 }"), ("bar4 - bar2".into(), None));
        assert_eq!(text("{i-5}*h/{n}"), ("(-2)*h/10".into(), None));
        assert_eq!(text("{k}{i}"), ("{k}3".into(), Some("k".into())));
        assert_eq!(text("open {i"), ("open {i".into(), None));
        assert_eq!(text("{i+}").1, Some("i".into()));
    }
}
