//! `catena help`: commands, and the language of model files.

use crate::markdown::rendered;
use crate::{WRONG_USAGE, output, report};
use catena::symbolic::nearest;
use clap::CommandFactory;
use std::process::ExitCode;

/// The chapter of the book that topics are parts of.
const MODEL_FILES: &str = include_str!("../../../book/model-files.md");
/// Lines are no longer than this, however wide the terminal is: longer ones are hard to read.
const MAX_WIDTH: usize = 80;

#[derive(clap::Args)]
pub(crate) struct Help {
    /// A command, or a topic: model, formulas, units
    #[arg(value_name = "COMMAND|TOPIC")]
    words: Vec<String>,
}

/// A part of the language of model files.
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    /// The headings in the chapter that it is made of; none for all that no other topic has.
    headings: &'static [&'static str],
}

/// What can be asked for besides commands.
pub(crate) static TOPICS: &[Topic] = &[
    Topic { name: "model", summary: "model files: every section and key", headings: &[] },
    Topic {
        name: "formulas",
        summary: "what formulas are made of: operators, functions, names",
        headings: &["Formulas"],
    },
    Topic {
        name: "units",
        summary: "units, in formulas and on the command line",
        headings: &["Units"],
    },
];

/// The topics, for the end of `catena help`.
pub(crate) fn list_of_topics() -> String {
    let line = |topic: &Topic| format!("  catena help {:9} {}\n", topic.name, topic.summary);
    let topics: String = TOPICS.iter().map(line).collect();
    format!(
        "Topics:\n{topics}\nNumbers may be formulas with units: --to \"2 min\", --every 2*pi, --set \"l=5 mm\""
    )
}

impl Topic {
    /// Its part of the chapter.
    fn markdown(&self) -> String {
        let mut parts = MODEL_FILES.split("\n## ").enumerate();
        let taken = |heading: &str| TOPICS.iter().any(|topic| topic.headings.contains(&heading));
        let is_part = |number: usize, part: &str| {
            let heading = part.lines().next().unwrap_or_default();
            match self.headings {
                [] => number == 0 || !taken(heading),
                own => number > 0 && own.contains(&heading),
            }
        };
        let mut all = String::new();
        for (number, part) in parts.by_ref().filter(|(number, part)| is_part(*number, part)) {
            let mark = if number == 0 { "" } else { "## " };
            all += &format!("{mark}{}\n\n", part.trim());
        }
        all
    }

    /// As text of at most this many columns.
    pub(crate) fn text(&self, width: usize) -> String {
        rendered(self.markdown().trim_end(), width)
    }
}

impl Help {
    pub(crate) fn run(self) -> ExitCode {
        if let [word] = self.words.as_slice()
            && let Some(topic) = TOPICS.iter().find(|topic| topic.name == word)
        {
            return output::print(&topic.text(output::width().min(MAX_WIDTH)));
        }
        let mut command = crate::Arguments::command();
        command.build();
        for word in &self.words {
            let Some(inner) = command.find_subcommand(word).cloned() else {
                return unknown(word, &command);
            };
            command = inner;
        }
        output::print(&command.render_long_help().ansi().to_string())
    }
}

fn unknown(word: &str, command: &clap::Command) -> ExitCode {
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let known: Vec<&str> = commands.chain(TOPICS.iter().map(|topic| topic.name)).collect();
    let help = match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `catena help {near}`?"),
        None => format!("there is help about {}", known.join(", ")),
    };
    report::error(&format!("there is no command and no topic `{word}`"), Some(&help));
    ExitCode::from(WRONG_USAGE)
}
