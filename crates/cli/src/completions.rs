//! `catena completions` and `catena man`: what shells and `man` know about the commands.

use crate::help::TOPICS;
use crate::output;
use clap::{Command, CommandFactory};
use clap_complete::aot::{Shell, generate};
use clap_mangen::Man;
use std::io;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Completions {
    /// The shell that is to complete commands and options
    #[arg(value_enum)]
    shell: ShellName,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ShellName {
    Bash,
    Zsh,
    Fish,
}

impl Completions {
    pub(crate) fn run(self) -> ExitCode {
        let shell = match self.shell {
            ShellName::Bash => Shell::Bash,
            ShellName::Zsh => Shell::Zsh,
            ShellName::Fish => Shell::Fish,
        };
        let mut script = Vec::new();
        generate(shell, &mut crate::Arguments::command(), "catena", &mut script);
        output::print(&String::from_utf8_lossy(&script))
    }
}

#[derive(clap::Args)]
pub(crate) struct Manual {}

/// Columns of the model language in the manual.
const MANUAL_WIDTH: usize = 72;

impl Manual {
    pub(crate) fn run(self) -> ExitCode {
        match manual() {
            Ok(page) => output::print(&page),
            Err(error) => crate::report::error(&format!("cannot write the manual: {error}"), None),
        }
    }
}

/// One page with all commands and the model language, in the language of `man`.
fn manual() -> io::Result<String> {
    let mut command = crate::Arguments::command();
    command.build();
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        // all commands are on this page
        let of_its_own = format!("catena\\-{}(1)", inner.get_name().replace('-', "\\-"));
        page = page.replace(&of_its_own, &format!("catena {}", inner.get_name()));
        page += &section(&format!("catena {}", inner.get_name()), inner)?;
        for question in inner.get_subcommands().filter(|question| question.get_name() != "help") {
            let name = format!("catena {} {}", inner.get_name(), question.get_name());
            page += &section(&name, question)?;
        }
    }
    for topic in TOPICS {
        let text = anstream::adapter::strip_str(&topic.text(MANUAL_WIDTH)).to_string();
        page += &format!(".SH \"{}\"\n.nf\n{}.fi\n", topic.name.to_uppercase(), literal(&text));
    }
    Ok(page)
}

/// A command as a part of the page.
fn section(name: &str, command: &Command) -> io::Result<String> {
    let man = Man::new(command.clone().display_name(name.to_owned()));
    let mut body = Vec::new();
    man.render_synopsis_section(&mut body)?;
    man.render_description_section(&mut body)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut body)?;
    }
    // preambles and headings of a page of its own become those of a part
    let body = String::from_utf8_lossy(&body).into_owned();
    let lines = body.lines().filter(|line| !line.starts_with(".ie") && !line.starts_with(".el"));
    let lines = lines.map(|line| line.replace(".SH", ".SS") + "\n");
    Ok(format!(".SH \"{}\"\n{}", name.to_uppercase(), lines.collect::<String>()))
}

/// Text that `man` shows as it is.
fn literal(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.replace('\\', "\\\\").replace('-', "\\-");
        let guarded = if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line };
        guarded + "\n"
    });
    lines.collect()
}
