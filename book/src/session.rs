//! One chapter at work: its files are saved, its commands run, and what it shows is compared with what came out.

use crate::chapter::{Block, Chapter, Item, Origin};
use crate::console::{self, Command};
use crate::files::{check_made_file, is_made};
use crate::rust_excerpt::check_excerpt;
use crate::scratch::Scratch;
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which commands are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All but those of slow blocks.
    Quick,
    /// All of them.
    Everything,
}

/// Programs that a chapter may call, besides those that its own commands have made.
const PROGRAMS: [&str; 8] = ["catena", "bash", "cc", "python3", "cat", "ls", "head", "grep"];

/// What a chapter came to.
#[derive(Debug)]
pub struct Outcome {
    /// What does not hold, each with the place.
    pub problems: Vec<String>,
    /// What each command printed, in their order; none for those that were left out.
    pub printed: Vec<Option<String>>,
    /// Where its files are.
    pub scratch: Scratch,
}

/// Runs a chapter in a folder of its own, with an executable as the program.
pub fn run_chapter(
    chapter: &Chapter,
    executable: &Path,
    extent: Extent,
) -> std::io::Result<Outcome> {
    let scratch = Scratch::new(&chapter.name, executable)?;
    for (name, contents) in &chapter.files {
        std::fs::write(scratch.file(name), contents)?;
    }
    let mut session = Session {
        chapter,
        extent,
        left_out: String::new(),
        outcome: Outcome { problems: Vec::new(), printed: Vec::new(), scratch },
    };
    for item in chapter.items() {
        match item {
            Item::Block(block) => session.block(&block)?,
            Item::Picture(target) => session.made(&target),
            Item::Link(target) if target.ends_with(".html") => session.made(&target),
            Item::Link(_) | Item::Heading(..) => {}
        }
    }
    Ok(session.outcome)
}

/// Runs chapters side by side, as many at a time as there are cores.
pub fn run_all(
    chapters: &[Chapter],
    executable: &Path,
    extent: Extent,
) -> std::io::Result<Vec<Outcome>> {
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<std::io::Result<Outcome>>>> =
        chapters.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while let Some(chapter) = chapters.get(next.fetch_add(1, Ordering::Relaxed)) {
            let at = chapters.iter().position(|other| std::ptr::eq(other, chapter));
            let outcome = run_chapter(chapter, executable, extent);
            if let Some(slot) = at.and_then(|at| slots.get(at)) {
                *slot.lock().expect("no thread panics with a slot") = Some(outcome);
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let outcome = |slot: Mutex<Option<std::io::Result<Outcome>>>| {
        slot.into_inner().expect("no thread panics with a slot").expect("every chapter was run")
    };
    slots.into_iter().map(outcome).collect()
}

struct Session<'a> {
    chapter: &'a Chapter,
    extent: Extent,
    /// Slow commands that were not run: what they would have made is missing for a reason.
    left_out: String,
    outcome: Outcome,
}

impl Session<'_> {
    fn fail(&mut self, problem: &str) {
        self.outcome.problems.push(format!("{}: {problem}", self.chapter.name));
    }

    fn block(&mut self, block: &Block) -> std::io::Result<()> {
        if let Some(slow) = block.console() {
            let commands = console::commands(&block.text);
            if commands.is_empty() {
                self.fail(&format!("no line of a console begins with `$ `: {}", block.text));
            }
            for command in &commands {
                if slow && self.extent == Extent::Quick {
                    self.left_out += &command.line;
                    self.outcome.printed.push(None);
                } else {
                    self.command(command)?;
                }
            }
            return Ok(());
        }
        let checked = match block.words().as_slice() {
            [] => Err("a block says behind its fence what it is".to_owned()),
            ["toml", "excerpt"] => Ok(()),
            ["toml"] => check_model(&block.text),
            ["rust", file] => check_excerpt(&crate::root(), file, &block.text),
            ["rust"] => Err("a block of Rust names the file it is taken from".to_owned()),
            [_, name] if name.contains('.') && !name.contains('/') => {
                std::fs::write(self.outcome.scratch.file(name), &block.text)?;
                Ok(())
            }
            _ => check_nothing_is_typed(&block.text),
        };
        if let Err(problem) = checked {
            self.fail(&format!("{problem}, in\n{}", block.text));
        }
        Ok(())
    }

    fn command(&mut self, command: &Command) -> std::io::Result<()> {
        if let Some(word) = foreign_program(&command.line) {
            self.fail(&format!("`{word}` is no program of the book, in `{}`", command.line));
            self.outcome.printed.push(None);
            return Ok(());
        }
        // both streams into one file, in the order in which a terminal shows them
        let answer = tempfile(&self.outcome.scratch)?;
        let mut shell = self.outcome.scratch.shell(&command.line);
        shell.stdin(Stdio::null()).stdout(answer.try_clone()?).stderr(answer);
        let status = shell.status()?;
        let printed = std::fs::read(answer_path(&self.outcome.scratch))?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        if printed.contains("panicked") {
            self.fail(&format!("`{}` panics:\n{printed}", command.line));
        }
        if !status.success() && !self.may_fail(command, &printed) {
            self.fail(&format!("`{}` ends with {status}:\n{printed}", command.line));
        }
        let is_compared =
            self.chapter.origin == Origin::Written && !command.shown.trim().is_empty();
        if is_compared && let Err(difference) = console::answers(&command.shown, &printed) {
            self.fail(&format!("`{}`\n{difference}", command.line));
        }
        self.outcome.printed.push(Some(printed));
        Ok(())
    }

    /// What people wrote shows the words of a command that fails; in a generated chapter a method may be too coarse for its
    /// example, which the verdict then says.
    fn may_fail(&self, command: &Command, printed: &str) -> bool {
        match self.chapter.origin {
            Origin::Written => command.shown.lines().any(|line| !matches!(line.trim(), "" | "...")),
            Origin::Generated => printed.lines().any(|line| line.starts_with("wrong: ")),
        }
    }

    /// A file that the chapter shows: its commands have made it, or it is one of the book's own.
    fn made(&mut self, target: &str) {
        if !is_made(target) || self.left_out.contains(target) {
            return;
        }
        if let Err(problem) = check_made_file(&self.outcome.scratch.file(target)) {
            self.fail(&problem);
        }
    }
}

fn answer_path(scratch: &Scratch) -> std::path::PathBuf {
    scratch.work().with_file_name("answer")
}

fn tempfile(scratch: &Scratch) -> std::io::Result<std::fs::File> {
    std::fs::File::create(answer_path(scratch))
}

/// The first program of a line that is not on the list; those that commands have made begin with `./`.
fn foreign_program(line: &str) -> Option<&str> {
    let parts = line.split(['|', ';']).flat_map(|part| part.split("&&"));
    let programs = parts.filter_map(|part| part.split_whitespace().next());
    let known = |word: &str| PROGRAMS.contains(&word) || word.starts_with("./");
    programs.into_iter().find(|word| !known(word))
}

fn check_model(text: &str) -> Result<(), String> {
    match catena::read(catena::Source::new("block.toml", text), &[]) {
        Ok(_) => Ok(()),
        Err(problems) => {
            Err(format!("it is no model (`toml excerpt` would be a part of one): {problems}"))
        }
    }
}

/// A command of the program stands in a console, where it is run; one with gaps to fill in cannot be.
fn check_nothing_is_typed(text: &str) -> Result<(), String> {
    let has_gaps = |line: &str| line.contains("...") || line.contains('$');
    let typed = text.lines().map(|line| line.trim_start().trim_start_matches("$ "));
    match typed.into_iter().find(|line| line.starts_with("catena ") && !has_gaps(line)) {
        Some(line) => Err(format!("`{line}` stands in no console, so that nobody runs it")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_on_a_list() {
        assert_eq!(foreign_program("catena list | head -3 && ./a.out"), None);
        assert_eq!(foreign_program("rm -r x"), Some("rm"));
        assert_eq!(foreign_program("catena list; curl x"), Some("curl"));
    }

    #[test]
    fn commands_stand_in_consoles_and_models_can_be_read() {
        assert!(check_nothing_is_typed("catena list\n").is_err());
        assert!(check_nothing_is_typed("catena sweep MODEL ... --chunk $I/9\n").is_ok());
        assert!(check_model("[coordinates]\nx = \"\"\n[energy]\nkinetic = \"x'^2\"\n").is_ok());
        assert!(check_model("[parameters]\nm = 1\n").is_err());
    }
}
