//! Flags made from tables of options: one row, one flag.

use catena::model::run_settings::METHODS_OF_SWEEPS;
use catena::model::{
    AllowedUnit, BadText, Kind, OptionRow, OptionValue, RUN_OPTIONS, RunOption, RunSettings,
};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// The flag of an option.
pub(crate) fn flag(row: &'static OptionRow) -> Arg {
    flag_with_default(row, row.default)
}

/// The flag of an option that has another default here.
pub(crate) fn flag_with_default(row: &'static OptionRow, default: &str) -> Arg {
    let arg = Arg::new(row.key).long(row.flag).help(help(row, default));
    let arg = match row.kind {
        Kind::Switch => return arg.action(ArgAction::SetTrue),
        Kind::Repeated => arg.action(ArgAction::Append),
        Kind::Words => arg.action(ArgAction::Append).value_delimiter(','),
        Kind::Numbers => arg.action(ArgAction::Append),
        _ => arg.action(ArgAction::Set),
    };
    let arg = match row.kind {
        Kind::Choice(names) => arg.value_parser(clap::builder::PossibleValuesParser::new(names)),
        Kind::Word | Kind::Words => arg,
        // numbers may be negative, and are refused in words where they must not be
        _ => arg.allow_hyphen_values(true),
    };
    let arg = match row.kind {
        Kind::Positive | Kind::NotNegative | Kind::Number => {
            arg.value_parser(|text: &str| number(text, row.allowed_unit()))
        }
        Kind::Numbers => arg.value_parser(|text: &str| numbers(text, row.allowed_unit())),
        Kind::Count(least) => arg.value_parser(move |text: &str| count(text, least)),
        _ => arg,
    };
    let arg = match row.old_flag {
        Some(flag) => arg.alias(flag),
        None => arg,
    };
    match row.value_name {
        "" => arg,
        name => arg.value_name(name),
    }
}

fn help(row: &OptionRow, default: &str) -> String {
    match default {
        "" => row.help.to_owned(),
        default => format!("{} [default: {default}]", row.help),
    }
}

/// A number, or a formula of numbers such as 2*pi/3, with a unit.
fn number(text: &str, allowed: AllowedUnit) -> Result<f64, String> {
    match Kind::Number.read(text, allowed) {
        Ok(OptionValue::Number(number)) => Ok(number),
        Ok(_) => Err(refusal("a number, or a formula of numbers", BadText::DoesNotFit)),
        Err(bad) => Err(refusal("a number, or a formula of numbers", bad)),
    }
}

/// A pure number.
pub(crate) fn factor(text: &str) -> Result<f64, String> {
    number(text, AllowedUnit::In(""))
}

/// A time, s.
pub(crate) fn times(text: &str) -> Result<f64, String> {
    number(text, AllowedUnit::In("s"))
}

fn numbers(text: &str, allowed: AllowedUnit) -> Result<Vec<f64>, String> {
    match Kind::Numbers.read(text, allowed) {
        Ok(OptionValue::Numbers(numbers)) => Ok(numbers),
        Ok(_) => Err(refusal("numbers, separated by commas", BadText::DoesNotFit)),
        Err(bad) => Err(refusal("numbers, separated by commas", bad)),
    }
}

fn count(text: &str, least: u64) -> Result<u64, String> {
    let kind = Kind::Count(least);
    match kind.read(text, AllowedUnit::In("")) {
        Ok(OptionValue::Count(count)) => Ok(count),
        Ok(_) => Err(refusal(&kind.takes(), BadText::DoesNotFit)),
        Err(bad) => Err(refusal(&kind.takes(), bad)),
    }
}

/// What was wanted, and why the text is none of it.
fn refusal(wanted: &str, bad: BadText) -> String {
    match bad {
        BadText::DoesNotFit => format!("it must be {wanted}"),
        BadText::NoNumber(error) => {
            format!("it must be {wanted}; {error}\n\n  tip: {}", error.help())
        }
    }
}

/// What the command line says about an option, if anything.
pub(crate) fn given(row: &OptionRow, matches: &ArgMatches) -> Option<OptionValue> {
    let number = || matches.get_one::<f64>(row.key).copied();
    let words = || matches.get_many::<String>(row.key).map(|words| words.cloned().collect());
    match row.kind {
        Kind::Positive | Kind::NotNegative | Kind::Number => number().map(OptionValue::Number),
        Kind::Count(_) => matches.get_one::<u64>(row.key).copied().map(OptionValue::Count),
        Kind::Numbers => {
            let lists = matches.get_many::<Vec<f64>>(row.key);
            lists.map(|all| OptionValue::Numbers(all.flatten().copied().collect()))
        }
        Kind::Word | Kind::Choice(_) => {
            matches.get_one::<String>(row.key).cloned().map(OptionValue::Word)
        }
        Kind::Words | Kind::Repeated => words().map(OptionValue::Words),
        Kind::Switch => matches.get_flag(row.key).then_some(OptionValue::Switch(true)),
    }
}

/// More threads than this are a typing error.
const MAX_THREADS: u64 = 1024;

fn threads(text: &str) -> Result<u64, String> {
    match count(text, 1)? {
        count @ ..=MAX_THREADS => Ok(count),
        _ => Err(format!("it must be a whole number from 1 to {MAX_THREADS}")),
    }
}

/// How many threads compute.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Number of threads that compute [default: one for each core]
    #[arg(long, value_parser = threads)]
    threads: Option<u64>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }
}

/// What the command line says about a run.
pub(crate) fn run_settings(options: &[&RunOption], matches: &ArgMatches) -> RunSettings {
    let mut settings = RunSettings::default();
    for option in options {
        if let Some(value) = given(&option.row, matches) {
            option.set(&mut settings, value);
        }
    }
    settings
}

/// The run options of a command, from one of the lists below.
pub(crate) struct RunFlags<const SET: usize>(pub(crate) RunSettings);

/// Every option of a run.
pub(crate) const WHOLE_RUN: usize = 0;
/// Methods alone, for commands whose times and steps are formulas.
pub(crate) const METHOD: usize = 1;

/// The options of each list.
static SETS: [&[&RunOption]; 2] = [RUN_OPTIONS, METHODS_OF_SWEEPS];

impl<const SET: usize> clap::Args for RunFlags<SET> {
    fn augment_args(command: Command) -> Command {
        command.args(SETS[SET].iter().map(|option| flag(&option.row)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SET: usize> clap::FromArgMatches for RunFlags<SET> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(RunFlags(run_settings(SETS[SET], matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
