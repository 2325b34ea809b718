//! Numbers as people give them outside of model files: formulas of numbers, with units.

use catena_symbolic::{ParseErrorKind, Unit, parse_value};

/// Why a text is no number that fits.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// The text cannot be read.
    #[error("{0}")]
    Formula(ParseErrorKind),
    /// It is a formula of names, which have no values here.
    #[error("`{0}` is not a number")]
    Name(String),
    /// A division by zero, or a number too large.
    #[error("`{0}` has no finite value")]
    NotFinite(String),
    /// It measures something else.
    #[error("`{text}` is {}", measured(.unit))]
    WrongUnit {
        /// What was written.
        text: String,
        /// The unit in it.
        unit: &'static Unit,
        /// The unit that is asked for; empty for pure numbers.
        asked: String,
    },
}

impl NumberError {
    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self {
            NumberError::Formula(kind) => kind.help(),
            NumberError::Name(_) => {
                "write a number or a formula of numbers, as 2*pi/3 or \"60 deg\"".to_owned()
            }
            NumberError::NotFinite(_) => "look for a division by zero".to_owned(),
            NumberError::WrongUnit { asked, .. } if asked.is_empty() => {
                "write a number without a unit".to_owned()
            }
            NumberError::WrongUnit { asked, .. } => format!("write a number in {asked}"),
        }
    }
}

fn measured(unit: &Unit) -> String {
    let article = if unit.quantity.starts_with(['a', 'e']) { "an" } else { "a" };
    format!("{article} {}", unit.quantity)
}

/// Which units a number may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedUnit {
    /// Whatever is given: what it is a value of decides.
    Any,
    /// This SI unit; none for a pure number.
    In(&'static str),
}

impl AllowedUnit {
    fn accepts(self, unit: &Unit) -> bool {
        match self {
            AllowedUnit::Any => true,
            // the rate of a coordinate that turns, of which people say the angle alone
            AllowedUnit::In("1/s") => matches!(unit.si, "1/s" | "rad/s" | "rad"),
            AllowedUnit::In(asked) => unit.si == asked,
        }
    }
}

/// A number in SI units: a formula of numbers such as `2*pi`, with a unit if one is given, as in `10 s` or `5 mm`.
pub fn read_number(text: &str, allowed: AllowedUnit) -> Result<f64, NumberError> {
    let text = text.trim();
    let value = parse_value(text).map_err(|error| NumberError::Formula(error.kind))?;
    if let Some((name, ..)) = value.formula.names().next() {
        return Err(NumberError::Name(name.to_owned()));
    }
    if let (Some(unit), AllowedUnit::In(asked)) = (value.unit, allowed)
        && !allowed.accepts(unit)
    {
        let (text, asked) = (text.to_owned(), asked.to_owned());
        return Err(NumberError::WrongUnit { text, unit, asked });
    }
    let number = value.formula.evaluate(|_, _| f64::NAN);
    match number.is_finite() {
        true => Ok(number),
        false => Err(NumberError::NotFinite(text.to_owned())),
    }
}

/// The parts of a list between separators that stand outside parentheses.
pub fn split_list(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_i32, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if character == separator && depth <= 0 => {
                parts.push(text[from..at].trim());
                from = at + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECONDS: AllowedUnit = AllowedUnit::In("s");

    #[test]
    fn numbers_are_formulas_with_units() {
        assert_eq!(read_number("2*pi", SECONDS), Ok(std::f64::consts::TAU));
        assert_eq!(read_number(" 10 s ", SECONDS), Ok(10.0));
        assert_eq!(read_number("2 min", SECONDS), Ok(120.0));
        assert_eq!(read_number("360 deg", AllowedUnit::Any), Ok(std::f64::consts::TAU));
        assert_eq!(read_number("30 rpm", AllowedUnit::In("1/s")), Ok(std::f64::consts::PI));
        assert_eq!(read_number("1e-9", AllowedUnit::In("")), Ok(1e-9));
    }

    #[test]
    fn a_unit_of_something_else_is_refused() {
        let length = read_number("5 mm", SECONDS).unwrap_err();
        assert_eq!(length.to_string(), "`5 mm` is a length");
        assert_eq!(length.help(), "write a number in s");
        assert!(read_number("5 s", AllowedUnit::In("")).is_err());
        assert!(read_number("1/0", SECONDS).is_err() && read_number("x", SECONDS).is_err());
    }

    #[test]
    fn lists_are_split_outside_parentheses() {
        assert_eq!(split_list("1, max(2,3),4", ','), ["1", "max(2,3)", "4"]);
    }
}
