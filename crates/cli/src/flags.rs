//! Flags made from tables of options: one row, one flag.

use catena::model::run_settings::METHODS_ALONE;
use catena::model::{Kind, OptionRow, OptionValue, RUN_OPTIONS, RunOption, RunSettings};
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
        Kind::Words | Kind::Numbers => arg.action(ArgAction::Append).value_delimiter(','),
        _ => arg.action(ArgAction::Set),
    };
    let arg = match row.kind {
        Kind::Choice(names) => arg.value_parser(clap::builder::PossibleValuesParser::new(names)),
        Kind::Word | Kind::Words => arg,
        // numbers may be negative, and are refused in words where they must not be
        _ => arg.allow_hyphen_values(true),
    };
    let arg = match row.kind {
        Kind::Positive | Kind::NotNegative | Kind::Number | Kind::Numbers => {
            arg.value_parser(number)
        }
        Kind::Count(least) => arg.value_parser(move |text: &str| count(text, least)),
        _ => arg,
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

/// A number, or a formula of numbers such as 2*pi/3.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    match Kind::Number.read(text) {
        Some(OptionValue::Number(number)) => Ok(number),
        _ => Err("it must be a number, or a formula of numbers".to_owned()),
    }
}

fn count(text: &str, least: u64) -> Result<u64, String> {
    let kind = Kind::Count(least);
    match kind.read(text) {
        Some(OptionValue::Count(count)) => Ok(count),
        _ => Err(format!("it must be {}", kind.takes())),
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
            matches.get_many::<f64>(row.key).map(|all| OptionValue::Numbers(all.copied().collect()))
        }
        Kind::Word | Kind::Choice(_) => {
            matches.get_one::<String>(row.key).cloned().map(OptionValue::Word)
        }
        Kind::Words | Kind::Repeated => words().map(OptionValue::Words),
        Kind::Switch => matches.get_flag(row.key).then_some(OptionValue::Switch(true)),
    }
}

/// How many threads compute.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Number of threads that compute [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
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
static SETS: [&[&RunOption]; 2] = [RUN_OPTIONS, METHODS_ALONE];

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
