//! A value that stands alone, with its unit.

use super::error::ParseError;
use super::read;
use super::tokens::{Token, tokenize};
use super::unit::{DEGREES, Unit};
use crate::formula::{Formula, Operator, Span};

/// A value that stands alone, as on the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// In SI units.
    pub formula: Formula,
    /// The unit that ends it; a formula with units inside has none.
    pub unit: Option<&'static Unit>,
}

/// Reads a whole value: a formula, behind which a unit such as `s` or `kg` may stand, too.
pub fn parse_value(text: &str) -> Result<Value, ParseError> {
    let mut tokens = tokenize(text)?;
    let unit = match tokens.as_slice() {
        [.., (before, at), (Token::Name, unit)]
            if matches!(before, Token::Number(_) | Token::Close) || &text[at.clone()] == "pi" =>
        {
            Unit::of_value(&text[unit.clone()])
        }
        _ => None,
    };
    if unit.is_some() {
        tokens.pop();
        return Ok(Value { formula: read(text, tokens)?, unit });
    }
    let unsigned = match tokens.as_slice() {
        [(Token::Operator(Operator::Add | Operator::Subtract), _), rest @ ..] => rest,
        all => all,
    };
    let unit = match unsigned {
        [(Token::Number(_), _), (Token::Name, unit)] => match &text[unit.clone()] {
            "deg" => Some(&DEGREES),
            name => Unit::of_formula(name),
        },
        _ => None,
    };
    Ok(Value { formula: read(text, tokens)?, unit })
}

/// Whether a formula has units other than `deg`.
pub fn has_units(text: &str) -> bool {
    let is_unit = |pair: &[(Token, Span)]| match pair {
        [(Token::Number(_), _), (Token::Name, name)] => {
            Unit::of_formula(&text[name.clone()]).is_some()
        }
        _ => false,
    };
    tokenize(text).is_ok_and(|tokens| tokens.windows(2).any(is_unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_value_may_end_in_an_si_unit() {
        let read = |text: &str| {
            let value = parse_value(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            (value.formula.evaluate(|_, _| f64::NAN), value.unit.map(|unit| unit.name))
        };
        assert_eq!(read("10 s"), (10.0, Some("s")));
        assert_eq!(read("-2.5m"), (-2.5, Some("m")));
        assert_eq!(read("2*pi rad"), (std::f64::consts::TAU, Some("rad")));
        assert_eq!(read("(1 + 2) kg"), (3.0, Some("kg")));
        assert_eq!(read("180 deg"), (std::f64::consts::PI, Some("deg")));
        assert_eq!(read("5 mm"), (0.005, Some("mm")));
        assert_eq!(read("2*pi"), (std::f64::consts::TAU, None));
        for text in ["s", "2*s s", "2 s + 1", "10 sec", "m s"] {
            assert!(parse_value(text).is_err() || read(text).1.is_none(), "{text}");
        }
    }

    #[test]
    fn units_inside_a_formula_are_seen() {
        assert!(has_units("2*(x + 5 mm)"));
        assert!(!has_units("60 deg + mm") && !has_units("min(2, 1)"));
    }
}
