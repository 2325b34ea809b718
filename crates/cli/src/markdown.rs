//! Chapters of the book for a terminal: paragraphs wrapped, tables as lists, code as it is.

use crate::output::bold;

/// Columns that tables leave to the words in front of their texts, at most.
const MAX_KEY_WIDTH: usize = 26;
/// Code up to this many bytes stands on one line.
const MAX_WHOLE_CODE: usize = 40;
/// A blank at which no line ends.
const UNBROKEN: &str = "\u{a0}";
/// In front of what belongs to a line above.
const INDENT: &str = "    ";

/// A chapter as lines of at most this many columns.
pub(crate) fn rendered(markdown: &str, width: usize) -> String {
    let lines: Vec<&str> = markdown.lines().collect();
    let (mut text, mut at) = (String::new(), 0);
    while at < lines.len() {
        let end = |is_part: &dyn Fn(&str) -> bool| {
            let more = lines[at + 1..].iter().take_while(|line| is_part(line)).count();
            at + 1 + more
        };
        let line = lines[at];
        if line.is_empty() {
            text.push('\n');
            at += 1;
        } else if let Some(heading) = line.strip_prefix('#') {
            text += &format!("{}\n", bold(heading.trim_start_matches('#').trim()));
            at += 1;
        } else if line.starts_with("```") {
            let length = lines[at + 1..].iter().take_while(|line| !line.starts_with("```")).count();
            for code in &lines[at + 1..=at + length] {
                text += format!("{INDENT}{code}").trim_end();
                text.push('\n');
            }
            at += length + 2;
        } else if line.starts_with(INDENT) {
            text += &format!("{}\n", line.trim_end());
            at += 1;
        } else if line.starts_with('|') {
            let to = end(&|line| line.starts_with('|'));
            text += &table(&lines[at..to], width);
            at = to;
        } else {
            let starts_another = |line: &str| {
                line.is_empty() || line.starts_with(['|', '#']) || line.starts_with("- ")
            };
            let to = end(&|line| !starts_another(line));
            let whole: Vec<&str> = lines[at..to].iter().map(|line| line.trim()).collect();
            let hanging = if line.starts_with("- ") { "  " } else { "" };
            text += &wrapped(&whole.join(" "), width, "", hanging);
            at = to;
        }
    }
    text
}

/// The rows of a table: a line each where there are two columns, and else a heading with lines below.
fn table(lines: &[&str], width: usize) -> String {
    let cells = |line: &str| -> Vec<String> {
        let line =
            line.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\u{0}");
        line.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
    };
    let (head, rows) = match lines {
        [head, _, rows @ ..] => (cells(head), rows.iter().map(|row| cells(row)).collect()),
        _ => (Vec::new(), Vec::<Vec<String>>::new()),
    };
    let key = |row: &[String]| row.first().map_or(String::new(), |key| key.replace('`', ""));
    let wide = |text: &str| text.chars().count();
    let longest = rows.iter().map(|row| wide(&key(row))).max().unwrap_or(0).min(MAX_KEY_WIDTH);
    let mut text = String::new();
    for row in &rows {
        let key = key(row);
        if head.len() == 2 {
            let gap = " ".repeat(longest.saturating_sub(wide(&key)));
            let hanging = " ".repeat(longest + 4);
            let short = wide(&key) <= longest;
            let first = match short {
                true => format!("  {}{gap}  ", bold(&key)),
                false => {
                    text += &format!("  {}\n", bold(&key));
                    hanging.clone()
                }
            };
            text += &wrapped(row.get(1).map_or("", String::as_str), width, &first, &hanging);
        } else {
            text += &format!("  {}\n", bold(&key));
            for (heading, cell) in head.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty())
            {
                let hanging = format!("{INDENT}  ");
                text += &wrapped(&format!("{heading}: {cell}"), width, INDENT, &hanging);
            }
        }
    }
    text
}

/// Words on lines of at most this many columns; the first line begins with one text, the others with another.
fn wrapped(text: &str, width: usize, first: &str, hanging: &str) -> String {
    let plain = with_whole_code(&without_links(text));
    let (mut all, mut line, mut column) = (String::new(), first.to_owned(), visible(first));
    let mut begun = false;
    let mut is_bold = false;
    for word in plain.split(' ').filter(|word| !word.is_empty()) {
        let marks = word.matches("**").count();
        let word_width = word.chars().count() - 2 * marks;
        if begun && column + 1 + word_width > width {
            all += line.trim_end();
            all.push('\n');
            (line, column, begun) = (hanging.to_owned(), hanging.len(), false);
        }
        if begun {
            line.push(' ');
            column += 1;
        }
        let bare = word.replace("**", "").replace(UNBROKEN, " ");
        let stays_bold = is_bold ^ (marks % 2 == 1);
        line += &if is_bold || marks > 0 { bold(&bare) } else { bare };
        is_bold = stays_bold;
        column += word_width;
        begun = true;
    }
    all += line.trim_end();
    all.push('\n');
    all
}

/// The text with the blanks of code marked, so that no line ends inside.
fn with_whole_code(text: &str) -> String {
    let part = |(number, part): (usize, &str)| match number % 2 {
        1 if part.len() <= MAX_WHOLE_CODE => part.replace(' ', UNBROKEN),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// Columns that a text takes, escape sequences left out.
fn visible(text: &str) -> usize {
    let (mut columns, mut escaped) = (0, false);
    for character in text.chars() {
        match (escaped, character) {
            (true, 'm') => escaped = false,
            (true, _) => {}
            (false, '\x1b') => escaped = true,
            (false, _) => columns += 1,
        }
    }
    columns
}

/// The text of links without their addresses.
fn without_links(text: &str) -> String {
    let mut rest = text;
    let mut all = String::new();
    while let Some((before, behind)) = rest.split_once("](") {
        let (Some((kept, name)), Some((_, after))) =
            (before.rsplit_once('['), behind.split_once(')'))
        else {
            break;
        };
        all += &format!("{kept}{name}");
        rest = after;
    }
    all + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(markdown: &str, width: usize) -> String {
        anstream::adapter::strip_str(&rendered(markdown, width)).to_string()
    }

    #[test]
    fn paragraphs_are_wrapped_and_code_is_not() {
        let text =
            plain("# A title\n\nOne two **three\nfour** [five](x.md).\n\n    code  stays\n", 12);
        assert_eq!(text, "A title\n\nOne two\nthree four\nfive.\n\n    code  stays\n");
    }

    #[test]
    fn tables_of_two_columns_are_lists_and_wider_ones_have_headings() {
        let two = "| key | meaning |\n|---|---|\n| `mass` | kg; 0 for none of it |\n| `x` | m |\n";
        assert_eq!(plain(two, 24), "  mass  kg; 0 for none\n        of it\n  x     m\n");
        let three = "| type | is | has |\n|---|---|---|\n| `pin` | a \\| b | |\n";
        assert_eq!(plain(three, 40), "  pin\n    is: a | b\n");
    }
}
