//! What a reader of the output does: parse the document, strip the escape codes.

// Each test program uses only a part of this.
#![allow(dead_code)]

/// Every element, opened and closed in order. Text and attributes are checked for what XML forbids there.
pub(crate) fn assert_well_formed(document: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = document;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a bare `>` in {}", &rest[..start]);
        assert_references_are_known(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "a bare `<` in {tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "an attribute is quoted: {tag}");
        assert_references_are_known(tag);
        let name =
            tag.trim_start_matches('/').split([' ', '/', '\n']).next().expect("a tag has a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "left open: {open:?}");
    assert_eq!(rest.trim(), "");
    assert!(!document.chars().any(|character| character.is_control() && character != '\n'));
}

fn assert_references_are_known(text: &str) {
    for part in text.split('&').skip(1) {
        let (name, _) = part.split_once(';').expect("a reference ends");
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "unknown reference {name}");
    }
}

/// The text without escape codes.
pub(crate) fn stripped(text: &str) -> String {
    let mut kept = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            kept.push(character);
        }
    }
    kept
}

/// The values of an attribute in all tags that begin like this, in their order.
pub(crate) fn attributes(document: &str, tag: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let wanted = format!(" {name}=\"");
    for (start, _) in document.match_indices(tag) {
        let rest = &document[start..];
        let inside = &rest[..rest.find('>').expect("a tag ends")];
        if let Some((_, value)) = inside.split_once(&wanted) {
            found.push(value.split('"').next().expect("a value ends").to_owned());
        }
    }
    found
}

/// The numbers of a text, such as the `d` of a path.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || ".-+e".contains(c)));
    parts.filter_map(|part| part.parse().ok()).collect()
}
