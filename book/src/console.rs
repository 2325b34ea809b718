//! Commands as they stand in a chapter or in the README, and whether what was printed is what is shown.

/// A command with what is shown below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What is typed; a line that ends with a backslash goes on.
    pub line: String,
    /// What is shown, perhaps nothing.
    pub shown: String,
}

/// The commands of a block: lines that begin with `$ `, each with the lines below it.
pub fn commands(block: &str) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut goes_on = false;
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(typed), _) => {
                goes_on = typed.ends_with('\\');
                commands.push(Command { line: typed.to_owned(), shown: String::new() });
            }
            (None, Some(command)) if goes_on => {
                goes_on = line.ends_with('\\');
                command.line += &format!("\n{line}");
            }
            (None, Some(command)) => command.shown += &format!("{line}\n"),
            // what stands above the first command belongs to none, and is not looked at
            (None, None) => {}
        }
    }
    commands
}

/// What stands for a duration.
const DURATION: &str = "…";
/// What stands for any number of lines.
const ANYTHING: &str = "...";

/// Whether the text that was printed is the one that is shown: line by line, with durations masked, blank lines left out
/// and `...` for any lines. If not, what was looked for in vain.
pub fn answers(shown: &str, printed: &str) -> Result<(), String> {
    let printed = stable_lines(printed);
    let shown = stable_lines(shown);
    let parts: Vec<&[String]> = shown.split(|line| line == ANYTHING).collect();
    let (first, last) = (0, parts.len() - 1);
    let mut at = 0;
    for (number, part) in parts.iter().enumerate() {
        let rest = &printed[at..];
        let found = match number {
            _ if first == last => (rest == *part).then_some(0),
            _ if number == first => rest.starts_with(part).then_some(0),
            _ if number == last => rest.ends_with(part).then(|| rest.len() - part.len()),
            _ if part.is_empty() => Some(0),
            _ => rest.windows(part.len()).position(|window| window == *part),
        };
        let Some(found) = found else {
            return Err(difference(part, rest));
        };
        at += found + part.len();
    }
    Ok(())
}

/// The first line that was not printed where it is shown, and all that was printed there.
fn difference(part: &[String], rest: &[String]) -> String {
    let missing = part.iter().find(|line| !rest.contains(line));
    let missing = missing.map_or("the lines are others, or more of them", String::as_str);
    format!("shown, but not printed: {missing}\nprinted:\n{}", rest.join("\n"))
}

/// Words without what differs from machine to machine: durations.
fn stable(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let unit = words.get(at + 1).map(|unit| unit.trim_end_matches([',', '.', ';', ')']));
        let is_number = words[at].parse::<f64>().is_ok();
        let is_duration = match unit {
            Some("ns" | "µs" | "ms") => is_number,
            // seconds are results as well, unless something was done in them
            Some("s") => is_number && kept.last() == Some(&"in"),
            _ => false,
        };
        kept.push(if is_duration { DURATION } else { words[at] });
        at += if is_duration { 2 } else { 1 };
    }
    kept.join(" ")
}

/// Lines without blank ones. Rows of a table that is sorted by time stand in any order: they are sorted by their words.
fn stable_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        text.lines().filter(|line| !line.trim().is_empty()).map(stable).collect();
    lines
        .chunk_by_mut(|one, next| one.contains(DURATION) && next.contains(DURATION))
        .for_each(<[String]>::sort);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_a_row_of_commands() {
        let found = commands("$ catena list\none\n\n$ catena run a \\\n    --to 1\n...\n");
        let command =
            |line: &str, shown: &str| Command { line: line.to_owned(), shown: shown.to_owned() };
        let expected =
            [command("catena list", "one\n\n"), command("catena run a \\\n    --to 1", "...\n")];
        assert_eq!(found, expected);
    }

    #[test]
    fn durations_and_spacing_do_not_count_and_numbers_do() {
        let printed = "run in 4.9 ms\nreached  10 s\n\nenergy 3 J\nin 2 s\n";
        assert_eq!(
            answers("run in 812 µs\nreached 10 s\nenergy 3 J\nin 7.1 ms\n", printed),
            Ok(())
        );
        assert!(answers("run in 4.9 ms\nreached 11 s\nenergy 3 J\nin 2 s\n", printed).is_err());
        assert!(answers("run in 4.9 ms\n", printed).is_err(), "the rest is missing");
        let sorted_by_time = "name time\na 1 ms\nb 2 ms\n";
        assert_eq!(answers("name time\nb 1 ms\na 2 ms\n", sorted_by_time), Ok(()));
        assert!(answers("name time\nb 1 ms\nb 2 ms\n", sorted_by_time).is_err());
    }

    #[test]
    fn dots_stand_for_any_lines_and_the_order_counts() {
        let printed = "a\nb\nc\nd\ne\n";
        for shown in ["...\n", "a\n...\n", "...\ne\n", "a\n...\nc\nd\n...\n", "...\nb\n...\nd\ne\n"]
        {
            assert_eq!(answers(shown, printed), Ok(()), "{shown}");
        }
        for shown in ["...\nd\n", "b\n...\n", "...\nd\n...\nb\n...\n", "a\n...\ne\n...\ne\n"] {
            assert!(answers(shown, printed).is_err(), "{shown}");
        }
    }
}
