//! Values of a model that is built, and how a model file writes them.

use std::fmt;

/// Whole numbers below this are written with all their digits, others with an exponent.
const MAX_WHOLE_NUMBER: f64 = 1e15;

/// What stands behind a key: a number, a formula or another text, a list, a table, true or false.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each is what it is called")]
#[non_exhaustive]
pub enum Value {
    Number(f64),
    Text(String),
    Flag(bool),
    List(Vec<Value>),
    Table(Table),
}

/// Keys with their values, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table(Vec<(String, Value)>);

impl Table {
    /// One without keys.
    pub fn new() -> Table {
        Table::default()
    }

    /// With one more key.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Table {
        self.set(key, value);
        self
    }

    /// With the keys of another one behind its own.
    pub(super) fn and(mut self, other: Table) -> Table {
        self.0.extend(other.0);
        self
    }

    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.0.push((key.to_owned(), value.into()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One entry a line.
impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let mut text = String::new();
        self.0.iter().for_each(|(name, value)| write_entry(&mut text, name, value));
        out.write_str(&text)
    }
}

pub(super) fn write_entry(text: &mut String, name: &str, value: &Value) {
    *text += &format!("{} = {value}\n", key(name));
}

/// A key as it is written: in quotes where it is not a plain word.
pub(super) fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// A text in quotes; a formula stays as it is, so that problems can point into it.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\U{:08X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The shortest decimals that mean this number; the file's own names of what is none.
fn decimal(number: f64) -> String {
    match number.fract() == 0.0 && number.abs() < MAX_WHOLE_NUMBER {
        true => format!("{number:.0}"),
        false => format!("{number:?}").to_lowercase(),
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let joined = |parts: Vec<String>| parts.join(", ");
        match self {
            Value::Number(number) => out.write_str(&decimal(*number)),
            Value::Text(text) => out.write_str(&quoted(text)),
            Value::Flag(flag) => write!(out, "{flag}"),
            Value::List(list) => {
                write!(out, "[{}]", joined(list.iter().map(Value::to_string).collect()))
            }
            Value::Table(table) => {
                let entry = |(name, value): &(String, Value)| format!("{} = {value}", key(name));
                write!(out, "{{ {} }}", joined(table.0.iter().map(entry).collect()))
            }
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::Number(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

impl From<Table> for Value {
    fn from(table: Table) -> Value {
        Value::Table(table)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Value {
        Value::List(list.into_iter().map(T::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(list: [T; N]) -> Value {
        Value::List(list.into_iter().map(T::into).collect())
    }
}

/// A list of two that need not be of one kind, like the ends of a joint.
impl<A: Into<Value>, B: Into<Value>> From<(A, B)> for Value {
    fn from((first, second): (A, B)) -> Value {
        Value::List(vec![first.into(), second.into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_files_write_them() {
        let table = Table::new()
            .with("x'", "l*sin(\"a\\b\")\n")
            .with("mass", 0.1)
            .with("tiny", 1e-300)
            .with("huge", -1e300)
            .with("sum", 0.1 + 0.2)
            .with("ends", ([0, 1], "rod.A"))
            .with("when", Table::new().with("terminal", true));
        assert_eq!(
            table.to_string(),
            "\"x'\" = \"l*sin(\\\"a\\\\b\\\")\\U0000000A\"\nmass = 0.1\ntiny = 1e-300\nhuge = -1e300\n\
             sum = 0.30000000000000004\n\
             ends = [[0, 1], \"rod.A\"]\nwhen = { terminal = true }\n"
        );
    }
}
