//! A command whose arguments are described when it is asked for: most of what a start of the program would otherwise
//! write down is for commands that nobody called.

use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The arguments of a subcommand.
pub(crate) struct Deferred<T>(pub(crate) Box<T>);

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(described::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The command with its arguments, and with the description that it has.
fn described<T: Args>(command: Command) -> Command {
    let about = command.get_about().cloned();
    // comments of structs with arguments would become the description
    let command = T::augment_args(command).long_about(None);
    match about {
        Some(about) => command.about(about),
        None => command,
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(matches).map(|arguments| Deferred(Box::new(arguments)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}
