//! Values that the caller changes: a parameter, a value at the start, a guess, a size of the model.

use crate::Source;
use crate::problem::{Problem, ProblemKind};
use crate::source::Place;
use catena_symbolic::{Formula, ParseError, Value, parse_value};

/// `NAME=VALUE` as the user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting(pub String);

/// What stands before the name of a coordinate whose guess is set: `guess.rocker_angle=1.6`. No name of a model has a dot.
const GUESS: &str = "guess.";

/// A setting taken apart.
#[derive(Clone, Debug)]
pub(crate) struct ParsedSetting {
    /// As it was written, without primes.
    pub(crate) name: String,
    pub(crate) primes: usize,
    pub(crate) formula: Formula,
    pub(crate) place: Place,
}

impl crate::Model {
    /// The setting that gives something a value, as the user wrote it: `M=3` for `M`.
    pub fn setting_of(&self, name: &str) -> Option<&str> {
        let settings = self.sources.iter().skip(1).map(|source| source.text.as_str());
        let names = |text: &&str| text.split_once('=').is_some_and(|(set, _)| set.trim() == name);
        settings.rev().find(names)
    }
}

impl Setting {
    /// Gives a parameter, a value at the start (`theta2'`) or a size of the model a number.
    pub fn new(name: &str, value: f64) -> Setting {
        Setting(format!("{name}={value:?}"))
    }

    /// Says where the assembly begins for a coordinate, or for a velocity with a prime: it chooses the branch. A value that
    /// is given under `[initial]` is kept all the same.
    pub fn guess(name: &str, value: f64) -> Setting {
        Setting(format!("{GUESS}{name}={value:?}"))
    }

    /// The text that problems of this setting point into.
    pub(crate) fn source(&self) -> Source {
        Source::new("--set", self.0.clone())
    }

    pub(crate) fn parse(&self, source: usize) -> Result<ParsedSetting, Problem> {
        let whole = Place { source, span: 0..self.0.len() };
        let Some((name, value)) = self.0.split_once('=') else {
            return Err(Problem { kind: ProblemKind::BadSetting, place: whole });
        };
        let offset = name.len() + 1;
        let value = parse_value(value).map_err(|ParseError { kind, span }| Problem {
            kind: ProblemKind::Formula(kind),
            place: Place { source, span: span.start + offset..span.end + offset },
        });
        let Value { formula, .. } = value?;
        let bare = name.trim().trim_end_matches('\'');
        Ok(ParsedSetting {
            name: bare.to_owned(),
            primes: name.trim().len() - bare.len(),
            formula: formula.starting_at(offset),
            place: Place { source, span: 0..name.len() },
        })
    }
}

impl ParsedSetting {
    /// The coordinate whose guess is set, if it is one.
    pub(crate) fn guessed(&self) -> Option<&str> {
        self.name.strip_prefix(GUESS)
    }
}
