//! `book/vocabulary.md` is kept: types it lists exist once, words it retires are in no identifier, and messages compare
//! quantities with "relative to".

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What stands in backticks in the first column of the table under a heading.
fn first_column(page: &str, heading: &str) -> Vec<String> {
    let lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let section = lines.take_while(|line| !line.starts_with('#'));
    let cells = section.filter_map(|line| line.strip_prefix('|')?.split('|').next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

fn vocabulary(heading: &str) -> Vec<String> {
    let page = root().join("book/vocabulary.md");
    let text = fs::read_to_string(page).expect("the book has a vocabulary");
    let words = first_column(&text, heading);
    assert!(words.len() > 10, "`{heading}` lists more than {words:?}");
    words
}

/// Every source file of the crates, with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = entries(&root().join("crates"));
    folders.iter_mut().for_each(|folder| folder.push("src"));
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                found.push((path, text));
            }
        }
    }
    assert!(found.len() > 100, "there are more crates than {} files", found.len());
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    entries.map(|entry| entry.expect("a readable folder").path()).collect()
}

/// The three kinds of text in a source file.
#[derive(Default)]
struct Parts {
    code: String,
    literals: String,
    doc_comments: String,
}

/// Takes a source file apart. Enough of Rust's grammar for that: comments, strings with and without escapes, characters.
fn parts(source: &str) -> Parts {
    let mut parts = Parts::default();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (length, into) = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let is_doc = rest.starts_with("///") || rest.starts_with("//!");
            (length, is_doc.then_some(&mut parts.doc_comments))
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), None)
        } else if let Some(length) = raw_string(rest) {
            (length, Some(&mut parts.literals))
        } else if first == '"' {
            (quoted(rest, '"'), Some(&mut parts.literals))
        } else if first == '\'' && is_character(rest) {
            (quoted(rest, '\''), None)
        } else if first.is_alphanumeric() || first == '_' {
            // a whole word, so that the r of `four"` begins no raw string
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            (end.unwrap_or(rest.len()), Some(&mut parts.code))
        } else {
            (first.len_utf8(), Some(&mut parts.code))
        };
        match into {
            Some(text) => *text += &rest[..length],
            None => parts.code.push(' '),
        }
        parts.literals.push(' ');
        rest = &rest[length..];
    }
    parts
}

/// The length of `r"…"` or `r#"…"#`, if one begins here.
fn raw_string(text: &str) -> Option<usize> {
    let behind = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = behind.len() - behind.trim_start_matches('#').len();
    let inside = behind[hashes..].strip_prefix('"')?;
    let start = text.len() - inside.len();
    let end = format!("\"{}", "#".repeat(hashes));
    Some(inside.find(&end).map_or(text.len(), |at| start + at + end.len()))
}

/// Whether a character begins here, not a lifetime.
fn is_character(text: &str) -> bool {
    let mut after = text.chars().skip(1);
    after.next() == Some('\\') || after.next() == Some('\'')
}

/// The length up to the closing mark, which a backslash before it hides.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == mark => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Where a word stands, as a list for messages.
fn places(is_wrong: impl Fn(&Path, &Parts) -> Vec<String>) -> Vec<String> {
    let found = sources().into_iter().flat_map(|(path, text)| {
        let mut wrong = is_wrong(&path, &parts(&text));
        wrong.sort();
        wrong.dedup();
        let path = path.strip_prefix(root()).unwrap_or(&path).to_owned();
        wrong.into_iter().map(move |word| format!("{}: {word}", path.display()))
    });
    found.collect()
}

#[test]
fn every_type_of_the_vocabulary_is_defined_once() {
    let mut definitions: HashMap<String, usize> = HashMap::new();
    for (_, text) in sources() {
        let Parts { code, .. } = parts(&text);
        let mut before = "";
        for word in words(&code) {
            if matches!(before, "struct" | "enum" | "trait" | "type" | "union") {
                *definitions.entry(word.to_owned()).or_default() += 1;
            }
            before = word;
        }
    }
    let counts = vocabulary("## Types that share a word").into_iter().map(|name| {
        let count = definitions.get(&name).copied().unwrap_or(0);
        (name, count)
    });
    let wrong: Vec<(String, usize)> = counts.filter(|(_, count)| *count != 1).collect();
    assert!(
        wrong.is_empty(),
        "types of book/vocabulary.md with the number of definitions: {wrong:?}"
    );
}

#[test]
fn retired_words_are_in_no_identifier() {
    let retired = vocabulary("## Words we do not use");
    let wrong = places(|_, Parts { code, .. }| {
        let identifiers = words(code).filter(|word| retired.iter().any(|retired| retired == word));
        identifiers.map(str::to_owned).collect()
    });
    assert!(
        wrong.is_empty(),
        "book/vocabulary.md has other words for these:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn messages_compare_with_relative_to() {
    let is_help = |path: &Path| path.components().any(|part| part.as_os_str() == "cli");
    let wrong = places(|path, Parts { literals, doc_comments, .. }| {
        // doc comments of the command line are its help texts
        let help = if is_help(path) { doc_comments.as_str() } else { "" };
        words(literals)
            .chain(words(help))
            .filter(|word| *word == "beside")
            .map(str::to_owned)
            .collect()
    });
    assert!(wrong.is_empty(), "a quantity is small relative to another one:\n{}", wrong.join("\n"));
}

#[test]
fn sources_are_taken_apart() {
    let source = r##"
        /// Doc text.
        // plain text
        fn four<'a>(name: &'a str) -> char { let raw = r#"raw "text" in"#; '"' }
        const S: &str = "with \" mark // no comment";
        /* block text */ const AFTER: char = '\'';
    "##;
    let Parts { code, literals, doc_comments } = parts(source);
    let all = |text: &str| words(text).map(str::to_owned).collect::<Vec<_>>().join(" ");
    assert_eq!(all(&code), "fn four a name a str char let raw const S str const AFTER char");
    assert_eq!(all(&literals), "r raw text in with mark no comment");
    assert_eq!(all(&doc_comments), "Doc text");
    let page = "## A\n\n| not | but |\n|---|---|\n| `X`, `Y` | `Z` |\n\n## B\n| `W` | |\n";
    assert_eq!(first_column(page, "## A"), ["X", "Y"]);
}
