//! Style sheets without comments, indentation and empty lines.

/// What stands around these is space that means nothing.
const MARKS: [&str; 3] = ["{", ";", ","];

/// A style sheet that says the same.
pub(crate) fn style(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        kept += &rest[..start];
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    kept += rest;
    let mut line = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    for mark in MARKS {
        line = line.replace(&format!("{mark} "), mark).replace(&format!(" {mark}"), mark);
    }
    // a space before a colon or a brace can mean "inside of", as in `.a :hover`
    line.replace(": ", ":").replace("} ", "}").replace(" }", "}").replace(";}", "}")
}

#[cfg(test)]
mod tests {
    use super::style;

    #[test]
    fn styles_lose_comments_and_space() {
        let text = "/* all */\n.a,\n.b {\n  color: red; /* b */\n}\n\n@media (max-width: 9px) { .c :hover { d: calc(1px + 2px); } }\n";
        assert_eq!(
            style(text),
            ".a,.b{color:red}@media (max-width:9px){.c :hover{d:calc(1px + 2px)}}"
        );
    }
}
