//! Scripts and styles without what only their readers need: comments, indentation, empty lines.
//!
//! Names stay as they are, so that what a browser's console says can be found in the sources.

/// A script without comments, indentation and empty lines. Strings, templates and regular expressions stay as they are.
pub(crate) fn script(text: &str) -> String {
    Scanner { text: text.as_bytes(), at: 0, kept: Vec::with_capacity(text.len()) }.run()
}

/// A style sheet without comments, indentation and empty lines.
pub(crate) fn style(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        kept += &rest[..start];
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    kept += rest;
    let lines = kept.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// What stands before a slash that begins a regular expression; after anything else it divides.
const BEFORE_REGEX: &[u8] = b"(,=:[!&|?{};+-*%~^<>\n";
/// Words after which a slash does not divide.
const WORDS_BEFORE_REGEX: [&str; 4] = ["return", "typeof", "case", "of"];

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    kept: Vec<u8>,
}

impl Scanner<'_> {
    fn run(mut self) -> String {
        self.code(false);
        String::from_utf8(self.kept).expect("whole characters are kept or left out")
    }

    /// Code up to the end, or up to the brace that closes an expression in a template.
    fn code(&mut self, in_template: bool) {
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'/' if self.next() == Some(b'/') => self.skip_line(),
                b'/' if self.next() == Some(b'*') => self.skip_block(),
                b'/' if self.begins_regex() => self.regex(),
                b'"' | b'\'' => self.quoted(byte),
                b'`' => self.template(),
                b'\n' => self.line_end(),
                b' ' | b'\t' if self.is_line_start() => self.at += 1,
                b'}' if in_template && depth == 0 => return self.keep(1),
                _ => {
                    depth += i32::from(byte == b'{') - i32::from(byte == b'}');
                    self.keep(1);
                }
            }
        }
    }

    fn next(&self) -> Option<u8> {
        self.text.get(self.at + 1).copied()
    }

    fn keep(&mut self, count: usize) {
        let end = (self.at + count).min(self.text.len());
        self.kept.extend_from_slice(&self.text[self.at..end]);
        self.at = end;
    }

    fn is_line_start(&self) -> bool {
        self.kept.last().is_none_or(|&last| last == b'\n')
    }

    fn line_end(&mut self) {
        while self.kept.last() == Some(&b' ') {
            self.kept.pop();
        }
        if self.is_line_start() {
            self.at += 1;
        } else {
            self.keep(1);
        }
    }

    fn skip_line(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn skip_block(&mut self) {
        let rest = &self.text[self.at + 2..];
        let end = rest.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 2);
        self.at += 2 + end;
    }

    /// A string up to its own quotation mark.
    fn quoted(&mut self, mark: u8) {
        self.keep(1);
        while let Some(&byte) = self.text.get(self.at) {
            self.keep(if byte == b'\\' { 2 } else { 1 });
            if byte == mark {
                return;
            }
        }
    }

    fn template(&mut self) {
        self.keep(1);
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' => self.keep(2),
                b'$' if self.next() == Some(b'{') => {
                    self.keep(2);
                    self.code(true);
                }
                _ => {
                    self.keep(1);
                    if byte == b'`' {
                        return;
                    }
                }
            }
        }
    }

    fn begins_regex(&self) -> bool {
        let end = self.kept.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1);
        let before = &self.kept[..end];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$';
        let word_start = before.iter().rposition(|byte| !is_word(byte)).map_or(0, |at| at + 1);
        let word = &before[word_start..];
        before.last().is_none_or(|last| BEFORE_REGEX.contains(last))
            || WORDS_BEFORE_REGEX.iter().any(|known| known.as_bytes() == word)
    }

    /// A regular expression up to its slash, which inside of brackets is a letter like others.
    fn regex(&mut self) {
        self.keep(1);
        let mut in_class = false;
        while let Some(&byte) = self.text.get(self.at) {
            self.keep(if byte == b'\\' { 2 } else { 1 });
            match byte {
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => return,
                b'\n' => return,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go() {
        let text = "// about\n\n/** A sum.\n * @param {number} a */\nfunction f(a) {\n    // why\n    return /** @type {any} */ (a) + 1; // more\n}\n";
        assert_eq!(script(text), "function f(a) {\nreturn  (a) + 1;\n}\n");
    }

    #[test]
    fn what_looks_like_a_comment_inside_of_texts_stays() {
        for kept in [
            "const a = \"// no /* comment */\";\n",
            "const a = 'it\\'s // one';\n",
            "const a = `// ${f(\"`\", { b: `/* ${1} */` })}\n   // indented\n`;\n",
            "const a = /[/*\"]\\/\\/ '/.test(b);\n",
            "const a = b.replace(/\"/g, \"//\");\n",
            "if (x) return /'/.test(y);\n",
            "const a = b / c / d; const e = \"/\";\n",
            "const a = (b) / 2 + c[1] / 3;\n",
        ] {
            assert_eq!(script(kept), kept);
        }
    }

    #[test]
    fn styles_lose_their_comments() {
        let text = "/* all */\n.a {\n  color: red; /* b */\n}\n\n.c { d: e; }\n";
        assert_eq!(style(text), ".a {\ncolor: red;\n}\n.c { d: e; }\n");
    }
}
