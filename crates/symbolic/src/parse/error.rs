//! What can be wrong with a formula, in words, with the place and the cure.

use super::elsewhere::{character_help, function_help, letter_help, unit_help};
use super::{MAX_DEPTH, MAX_NODES};
use crate::nearest::nearest;
use crate::{Function, Span};

/// Why a formula could not be read, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// The place in the formula, in bytes.
    pub span: Span,
}

/// What can be wrong with a formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ParseErrorKind {
    #[error("the formula is empty")]
    Empty,
    #[error("the character `{0}` has no meaning in a formula")]
    UnexpectedCharacter(char),
    #[error("an operator is missing before `{0}`")]
    MissingOperator(String),
    #[error("an operand is missing {}", .0.as_ref().map_or("at the end".to_owned(), |t| format!("before `{t}`")))]
    MissingOperand(Option<String>),
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    #[error("this parenthesis was never opened")]
    UnopenedParenthesis,
    #[error("`{number} {word}` has a unit that formulas do not have")]
    UnknownUnit { number: String, word: String },
    #[error("`{left}/{right}` can be read in two ways")]
    UnitUnderLine { left: String, right: String, decimal: Option<String> },
    #[error("`{name}` is not a function")]
    UnknownFunction { name: String, arguments: Vec<String> },
    #[error("the function `{0}` needs its argument in parentheses")]
    FunctionWithoutArguments(String),
    #[error("`{}` takes {} argument{}, not {found}", .function.name(), .function.arity(), if .function.arity() == 1 { "" } else { "s" })]
    WrongArgumentCount { function: Function, found: usize },
    #[error("this comma is not between the arguments of a function")]
    StrayComma,
    #[error("a prime (time derivative) can only follow a name")]
    StrayPrime,
    #[error("`deg` can only follow a number or a closing parenthesis")]
    StrayDegrees,
    #[error("the number `{0}` is too large")]
    NumberTooLarge(String),
    #[error("the formula is nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
    #[error("the formula has more than {MAX_NODES} operations")]
    TooLong,
}

impl ParseErrorKind {
    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Empty => "write a number or a formula, for instance \"0\"".into(),
            Self::UnexpectedCharacter(character) => character_help(*character)
                .unwrap_or("formulas use + - * / ^ ( ) , ' numbers, names and functions")
                .into(),
            Self::MissingOperator(text) => match letter_help(text) {
                Some(unit) => {
                    format!("for a product write `*{text}`; for the unit leave it out: {unit}")
                }
                None => format!("for a product write `*{text}`"),
            },
            Self::UnknownUnit { number, word } => unit_help(number, word).unwrap_or_default(),
            Self::UnitUnderLine { left, right, decimal } => match decimal {
                Some(decimal) => format!("write `{decimal}`, or `{left}/({right})`"),
                None => format!("write `{left}/({right})`, or a decimal before the unit"),
            },
            Self::MissingOperand(_) => "write a number, a name or a parenthesis there".into(),
            Self::UnclosedParenthesis => "add the matching `)`".into(),
            Self::UnopenedParenthesis => "remove it, or add the matching `(`".into(),
            Self::UnknownFunction { name, arguments } => unknown_function_help(name, arguments),
            Self::FunctionWithoutArguments(name) => format!("write `{name}(...)`"),
            Self::WrongArgumentCount { function, .. } => match function.arity() {
                1 => format!("write `{}(x)`", function.name()),
                _ => format!("write `{}(x, y)`", function.name()),
            },
            Self::StrayComma => {
                let with_comma = Function::all().filter(|function| function.arity() == 2);
                let names: Vec<_> = with_comma.map(Function::name).collect();
                let names = match names.split_last() {
                    Some((last, others)) => format!("{} and {last}", others.join(", ")),
                    None => "functions".to_owned(),
                };
                format!("write decimals with a point; commas separate the arguments of {names}")
            }
            Self::StrayPrime => "write the derivative of each name: `x'*y + x*y'`".into(),
            Self::StrayDegrees => "write `60 deg` or `(x) deg`".into(),
            Self::NumberTooLarge(_) => "the largest number is about 1.8e308".into(),
            Self::TooDeep => "name parts of it under [definitions]".into(),
            Self::TooLong => "split it into several definitions".into(),
        }
    }
}

fn unknown_function_help(name: &str, arguments: &[String]) -> String {
    if let Some(help) = function_help(name, arguments) {
        return help;
    }
    let known: Vec<_> = Function::all().map(Function::name).collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? for a product write `{name}*(`"),
        None => format!("functions: {}; for a product write `{name}*(`", known.join(" ")),
    }
}
