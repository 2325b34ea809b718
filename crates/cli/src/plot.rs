//! Pictures: the flags that all commands that draw have in common, and what is said about a picture.

use crate::flags::{flag, given};
use crate::{WRONG_USAGE, output, report};
use catena::figure::Figure;
use catena::model::{Kind, OptionValue, Options};
use catena::{PLOT_OPTIONS, PlotStyle};
use clap::{ArgMatches, Command};
use std::process::ExitCode;

/// Names of columns that a line about those left out shows.
const MAX_NAMED_COLUMNS: usize = 2;

/// Rows of the terminal for each of several panels.
const ROWS_OF_SEVERAL: usize = 13;

/// What was told about the picture.
pub(crate) struct PlotFlags(Vec<(&'static str, OptionValue)>);

impl PlotFlags {
    /// How pictures are drawn, or says what is wrong with it and returns the exit code.
    pub(crate) fn style(&self) -> Result<PlotStyle, ExitCode> {
        let mut options = Options::new(PLOT_OPTIONS);
        for (key, value) in &self.0 {
            options.set(key, value.clone()).map_err(|error| {
                report::error(&error.to_string(), Some(&error.help()));
                ExitCode::from(WRONG_USAGE)
            })?;
        }
        PlotStyle::new(&options).map_err(|error| {
            let message = format!("`--{}` cannot be `{}`", error.flag, error.text);
            report::error(&message, Some(error.help));
            ExitCode::from(WRONG_USAGE)
        })
    }
}

impl clap::Args for PlotFlags {
    fn augment_args(command: Command) -> Command {
        let takes_points =
            command.get_arguments().any(|argument| argument.get_long() == Some("points"));
        let flags = PLOT_OPTIONS.iter().map(|row| {
            let flag = flag(row).help_heading("Pictures");
            match row.key {
                // where points are counted, marks alone are called marks
                "marks" if !takes_points => flag.visible_alias("points"),
                // a range may begin below 0, and a title with anything
                _ if row.kind == Kind::Word => flag.allow_hyphen_values(true),
                _ => flag,
            }
        });
        command.args(flags.collect::<Vec<_>>())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for PlotFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let values = PLOT_OPTIONS.iter().filter_map(|row| Some((row.key, given(row, matches)?)));
        Ok(PlotFlags(values.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A figure as the terminal shows it, as wide as that is.
pub(crate) fn shown(figure: &Figure) -> String {
    let rows = if figure.panels.len() > 1 { ROWS_OF_SEVERAL } else { output::PLOT_ROWS };
    format!("{}\n", figure.to_terminal(output::width(), rows))
}

/// What a figure leaves out and how to ask for it; empty where it shows everything.
pub(crate) fn left_out(figure: &Figure) -> String {
    let names = &figure.left_out;
    if names.is_empty() {
        return String::new();
    }
    let mut named = names.iter().take(MAX_NAMED_COLUMNS).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MAX_NAMED_COLUMNS {
        named += &format!(" and {} more", names.len() - MAX_NAMED_COLUMNS);
    }
    let example = pattern(names);
    format!("not drawn: {named}; --columns {example} draws others\n")
}

/// A pattern that means some of these names, or one of them.
fn pattern(names: &[String]) -> String {
    let with_index = names.iter().find_map(|name| name.split_once('_'));
    match with_index {
        Some((head, _)) => format!("\"{head}_*\""),
        None => names.first().map_or_else(String::new, |name| match name.contains('\'') {
            true => format!("\"{name}\""),
            false => name.clone(),
        }),
    }
}
