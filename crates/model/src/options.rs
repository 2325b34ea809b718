//! Options as data: what can be set for a run or a question. A flag, a key of a model file, a field of a form and a keyword
//! are made from one row of a table.

use crate::number::{AllowedUnit, NumberError, read_number, split_list};
use catena_symbolic::nearest;
use std::fmt;

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number greater than 0.
    Positive,
    /// A number from 0 up.
    NotNegative,
    /// Any finite number.
    Number,
    /// A whole number from this up.
    Count(u64),
    /// Several numbers.
    Numbers,
    /// A name or another text.
    Word,
    /// Several texts, separated by commas.
    Words,
    /// A text that may be given again and again, commas and all.
    Repeated,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// On or off; off is the default.
    Switch,
}

impl Kind {
    /// In words, after "it takes".
    pub fn takes(self) -> String {
        match self {
            Kind::Positive => "a number greater than 0".to_owned(),
            Kind::NotNegative => "a number from 0 up".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Count(least) => format!("a whole number from {least} up"),
            Kind::Numbers => "numbers, separated by commas".to_owned(),
            Kind::Word | Kind::Repeated => "a text".to_owned(),
            Kind::Words => "names, separated by commas".to_owned(),
            Kind::Choice(names) => names.join(" or "),
            Kind::Switch => "true or false".to_owned(),
        }
    }

    fn number_fits(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Kind::Positive => number > 0.0,
                Kind::NotNegative => number >= 0.0,
                Kind::Count(least) => {
                    number >= least as f64 && number.fract() == 0.0 && number <= 2.0_f64.powi(53)
                }
                _ => true,
            }
    }

    /// A value from a text, or why it is none: numbers may be formulas of numbers, with units.
    pub fn read(self, text: &str, allowed: AllowedUnit) -> Result<OptionValue, BadText> {
        let text = text.trim();
        let number = |text: &str| match read_number(text, allowed) {
            Ok(value) if self.number_fits(value) => Ok(value),
            Ok(_) => Err(BadText::DoesNotFit),
            Err(error) => Err(BadText::NoNumber(error)),
        };
        Ok(match self {
            Kind::Positive | Kind::NotNegative | Kind::Number => OptionValue::Number(number(text)?),
            Kind::Count(_) => OptionValue::Count(number(text)? as u64),
            Kind::Numbers => {
                let numbers = split_list(text, ',').into_iter().map(number);
                OptionValue::Numbers(numbers.collect::<Result<_, _>>()?)
            }
            Kind::Word => OptionValue::Word(text.to_owned()),
            Kind::Words => {
                OptionValue::Words(text.split(',').map(|word| word.trim().to_owned()).collect())
            }
            Kind::Repeated => OptionValue::Words(vec![text.to_owned()]),
            Kind::Choice(names) if names.contains(&text) => OptionValue::Word(text.to_owned()),
            Kind::Choice(_) => return Err(BadText::DoesNotFit),
            Kind::Switch => OptionValue::Switch(text.parse().map_err(|_| BadText::DoesNotFit)?),
        })
    }
}

/// Why a text is no value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum BadText {
    /// It is one of another kind, or out of range.
    DoesNotFit,
    /// A number was asked for.
    NoNumber(NumberError),
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// Of [`Kind::Positive`], [`Kind::NotNegative`] and [`Kind::Number`].
    Number(f64),
    /// Of [`Kind::Count`].
    Count(u64),
    /// Of [`Kind::Numbers`].
    Numbers(Vec<f64>),
    /// Of [`Kind::Word`] and [`Kind::Choice`].
    Word(String),
    /// Of [`Kind::Words`] and [`Kind::Repeated`].
    Words(Vec<String>),
    /// Of [`Kind::Switch`].
    Switch(bool),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionValue::Number(number) => write!(out, "{number}"),
            OptionValue::Count(count) => write!(out, "{count}"),
            OptionValue::Numbers(numbers) => {
                let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
                write!(out, "{}", texts.join(", "))
            }
            OptionValue::Word(word) => write!(out, "`{word}`"),
            OptionValue::Words(words) => write!(out, "`{}`", words.join(",")),
            OptionValue::Switch(on) => write!(out, "{on}"),
        }
    }
}

/// One option of a run or a question: a row of its table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionRow {
    /// Its name in model files, in results and as a keyword.
    pub key: &'static str,
    /// Its name on the command line.
    pub flag: &'static str,
    /// What stands for the value in help texts.
    pub value_name: &'static str,
    /// The unit of a number; empty if it has none.
    pub unit: &'static str,
    /// Whether a number may have any unit: that of what it is a value of.
    pub any_unit: bool,
    /// Another name on the command line that still works.
    pub old_flag: Option<&'static str>,
    /// What values it takes.
    pub kind: Kind,
    /// The default in words, for people; empty where it is obvious.
    pub default: &'static str,
    /// One line about it.
    pub help: &'static str,
}

impl OptionRow {
    /// An option whose flag is its key.
    pub const fn new(key: &'static str, kind: Kind, help: &'static str) -> OptionRow {
        OptionRow {
            key,
            flag: key,
            value_name: "",
            unit: "",
            any_unit: false,
            old_flag: None,
            kind,
            default: "",
            help,
        }
    }

    /// With another name on the command line.
    pub const fn flag(self, flag: &'static str) -> OptionRow {
        OptionRow { flag, ..self }
    }

    /// With what stands for the value in help texts.
    pub const fn value_name(self, value_name: &'static str) -> OptionRow {
        OptionRow { value_name, ..self }
    }

    /// With the unit of its number.
    pub const fn unit(self, unit: &'static str) -> OptionRow {
        OptionRow { unit, ..self }
    }

    /// For values of whatever the model has: lengths, angles.
    pub const fn any_unit(self) -> OptionRow {
        OptionRow { any_unit: true, ..self }
    }

    /// With a name on the command line that it once had.
    pub const fn old_flag(self, flag: &'static str) -> OptionRow {
        OptionRow { old_flag: Some(flag), ..self }
    }

    /// The units that its numbers may have.
    pub fn allowed_unit(&self) -> AllowedUnit {
        if self.any_unit { AllowedUnit::Any } else { AllowedUnit::In(self.unit) }
    }

    /// Its value from a text.
    pub fn read(&self, text: &str) -> Result<OptionValue, OptionError> {
        self.kind.read(text, self.allowed_unit()).map_err(|bad| OptionError::BadValue {
            key: self.key,
            value: format!("`{text}`"),
            takes: match bad {
                BadText::DoesNotFit | BadText::NoNumber(NumberError::NotFinite(_)) => {
                    self.kind.takes()
                }
                BadText::NoNumber(error) => {
                    format!("{}; {error}: {}", self.kind.takes(), error.help())
                }
            },
        })
    }

    /// With a default, in words.
    pub const fn default(self, default: &'static str) -> OptionRow {
        OptionRow { default, ..self }
    }
}

/// Why an option was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// Nothing reads it.
    #[error("there is no option `{key}`")]
    Unknown {
        /// What was asked for.
        key: String,
        /// The keys of all options of the table.
        known: Vec<&'static str>,
    },
    /// A value that it does not take.
    #[error("`{key}` cannot be {value}")]
    BadValue {
        /// The key of the option.
        key: &'static str,
        /// The value that was given, quoted where it is a text.
        value: String,
        /// What it takes, in words.
        takes: String,
    },
}

impl OptionError {
    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self {
            OptionError::Unknown { key, known } => match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it takes no options".to_owned(),
                None => format!("options: {}", known.join(", ")),
            },
            OptionError::BadValue { takes, .. } => format!("it takes {takes}"),
        }
    }
}

/// The values of some options of a table, by key.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    table: &'static [&'static OptionRow],
    values: Vec<(&'static str, OptionValue)>,
}

impl Options {
    /// No option of this table set yet.
    pub fn new(table: &'static [&'static OptionRow]) -> Options {
        Options { table, values: Vec::new() }
    }

    /// The options that can be given.
    pub fn table(&self) -> &'static [&'static OptionRow] {
        self.table
    }

    /// Reads a value from a text; a repeated option keeps all of its texts.
    pub fn set_text(&mut self, key: &str, text: &str) -> Result<(), OptionError> {
        let row = self.row(key)?;
        self.keep(row, row.read(text)?);
        Ok(())
    }

    /// Gives an option a value.
    pub fn set(&mut self, key: &str, value: OptionValue) -> Result<(), OptionError> {
        let row = self.row(key)?;
        let fits = match (&value, row.kind) {
            (OptionValue::Number(number), Kind::Positive | Kind::NotNegative | Kind::Number) => {
                row.kind.number_fits(*number)
            }
            (OptionValue::Count(count), Kind::Count(least)) => *count >= least,
            (OptionValue::Numbers(numbers), Kind::Numbers) => numbers.iter().all(|n| n.is_finite()),
            (OptionValue::Word(word), Kind::Choice(names)) => names.contains(&word.as_str()),
            (OptionValue::Word(_), Kind::Word)
            | (OptionValue::Words(_), Kind::Words | Kind::Repeated)
            | (OptionValue::Switch(_), Kind::Switch) => true,
            _ => false,
        };
        if !fits {
            let (value, takes) = (value.to_string(), row.kind.takes());
            return Err(OptionError::BadValue { key: row.key, value, takes });
        }
        self.keep(row, value);
        Ok(())
    }

    fn row(&self, key: &str) -> Result<&'static OptionRow, OptionError> {
        let row = self.table.iter().find(|row| row.key == key || row.old_flag == Some(key));
        row.copied().ok_or_else(|| OptionError::Unknown {
            key: key.to_owned(),
            known: self.table.iter().map(|row| row.key).collect(),
        })
    }

    fn keep(&mut self, row: &'static OptionRow, value: OptionValue) {
        let known = self.values.iter_mut().find(|(key, _)| *key == row.key);
        match (known, row.kind, value) {
            (Some((_, OptionValue::Words(words))), Kind::Repeated, OptionValue::Words(more)) => {
                words.extend(more);
            }
            (Some((_, known)), _, value) => *known = value,
            (None, _, value) => self.values.push((row.key, value)),
        }
    }

    /// The value of an option, if it was given.
    pub fn get(&self, row: &OptionRow) -> Option<&OptionValue> {
        self.values.iter().find(|(key, _)| *key == row.key).map(|(_, value)| value)
    }

    /// Whether an option was given.
    pub fn is_given(&self, row: &OptionRow) -> bool {
        self.get(row).is_some()
    }

    /// The number of an option, if it was given.
    pub fn number(&self, row: &OptionRow) -> Option<f64> {
        match self.get(row)? {
            OptionValue::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The whole number of an option, if it was given.
    pub fn count(&self, row: &OptionRow) -> Option<u64> {
        match self.get(row)? {
            OptionValue::Count(count) => Some(*count),
            _ => None,
        }
    }

    /// The numbers of an option; empty if it was not given.
    pub fn numbers(&self, row: &OptionRow) -> &[f64] {
        match self.get(row) {
            Some(OptionValue::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }

    /// The text of an option, if it was given.
    pub fn word(&self, row: &OptionRow) -> Option<&str> {
        match self.get(row)? {
            OptionValue::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The texts of an option; empty if it was not given.
    pub fn words(&self, row: &OptionRow) -> &[String] {
        match self.get(row) {
            Some(OptionValue::Words(words)) => words,
            _ => &[],
        }
    }

    /// Whether a switch is on.
    pub fn is_on(&self, row: &OptionRow) -> bool {
        matches!(self.get(row), Some(OptionValue::Switch(true)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static STEP: OptionRow = OptionRow::new("step", Kind::Positive, "the step").unit("s");
    static OVER: OptionRow = OptionRow::new("over", Kind::Repeated, "what is varied");
    static COUNT: OptionRow = OptionRow::new("count", Kind::Count(1), "how many");
    static SIDE: OptionRow = OptionRow::new("side", Kind::Choice(&["left", "right"]), "which");
    static TABLE: &[&OptionRow] = &[&STEP, &OVER, &COUNT, &SIDE];

    #[test]
    fn texts_become_values_of_the_kind_that_a_row_says() {
        let mut options = Options::new(TABLE);
        options.set_text("step", "2*pi/8").unwrap();
        options.set_text("over", "f=1,2").unwrap();
        options.set_text("over", "g=3:4:5").unwrap();
        options.set_text("count", "1e3").unwrap();
        options.set_text("side", "left").unwrap();
        assert_eq!(options.number(&STEP), Some(std::f64::consts::TAU / 8.0));
        assert_eq!(options.words(&OVER), ["f=1,2", "g=3:4:5"]);
        assert_eq!(options.count(&COUNT), Some(1000));
        assert_eq!(options.word(&SIDE), Some("left"));
    }

    #[test]
    fn what_an_option_does_not_take_is_refused_with_what_it_takes() {
        let mut options = Options::new(TABLE);
        for (key, text) in
            [("step", "0"), ("step", "x"), ("step", "1/0"), ("count", "1.5"), ("side", "up")]
        {
            let error = options.set_text(key, text).unwrap_err();
            assert!(matches!(error, OptionError::BadValue { .. }), "{key} = {text}: {error}");
        }
        assert_eq!(options.set_text("side", "up").unwrap_err().help(), "it takes left or right");
        let unknown = options.set_text("stp", "1").unwrap_err();
        assert_eq!(unknown.help(), "did you mean `step`?");
        assert!(options.set("step", OptionValue::Number(-1.0)).is_err());
        assert!(options.set("step", OptionValue::Switch(true)).is_err());
    }
}
