//! Tables of generated chapters, and those of written ones that they take rows from.

use crate::root;

/// A table with these headings; nothing if there are no rows.
pub(crate) fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rows: String =
        rows.into_iter().map(|cells| line(cells.iter().map(|text| cell(text)).collect())).collect();
    if rows.is_empty() {
        return rows;
    }
    let head = line(headings.iter().map(|heading| (*heading).to_owned()).collect());
    format!("{head}|{}\n{rows}", "---|".repeat(headings.len()))
}

/// A text as it may stand in a cell.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A chapter that people wrote.
pub(crate) fn chapter(name: &str) -> Result<String, String> {
    let path = root().join("book").join(format!("{name}.md"));
    std::fs::read_to_string(&path).map_err(|error| format!("{name}.md: {error}"))
}

/// The cells of the row of a table that begins with a name in code, by their headings.
pub(crate) fn row_of(page: &str, name: &str) -> Vec<(String, String)> {
    let mut headings: Vec<String> = Vec::new();
    for line in page.lines() {
        let Some(cells) = cells(line) else {
            headings.clear();
            continue;
        };
        if headings.is_empty() {
            headings = cells;
        } else if cells.first().is_some_and(|first| *first == format!("`{name}`")) {
            return headings.into_iter().zip(cells).collect();
        }
    }
    Vec::new()
}

/// What stands below a heading, up to the next one.
pub(crate) fn section<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("\n{heading}\n"))?;
    Some(rest.split("\n#").next().unwrap_or(rest).trim())
}

fn cells(line: &str) -> Option<Vec<String>> {
    let inside = line.strip_prefix('|')?.trim_end().strip_suffix('|')?.replace("\\|", "\u{0}");
    Some(inside.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_names() {
        let page = "# A\n\n| name | beware |\n|---|---|\n| `x` | a \\| b |\n\n| type | k |\n|---|---|\n| `y` | c |\n\n## B\n\ntext\n";
        let row = |name: &str| row_of(page, name);
        let cell = |heading: &str, text: &str| (heading.to_owned(), text.to_owned());
        assert_eq!(row("x"), [cell("name", "`x`"), cell("beware", "a | b")]);
        assert_eq!(row("y")[1], cell("k", "c"));
        assert!(row("z").is_empty());
        assert_eq!(section(page, "## B"), Some("text"));
        assert_eq!(table(&["a"], [vec!["b|c".to_owned()]]), "| a |\n|---|\n| b\\|c |\n");
    }
}
