//! Scripts as tokens.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word: a keyword or the name of something, with `#` in front if it is private.
    Name,
    Number,
    /// A string, or a template without expressions.
    Text,
    /// A template up to its first expression: `` `…${ ``.
    TemplateStart,
    /// Between two expressions of a template: `}…${`.
    TemplateMiddle,
    /// After its last expression: `` }…` ``.
    TemplateEnd,
    /// A regular expression.
    Regex,
    /// Brackets and operators.
    Mark,
}

/// One token, as it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// Whether a line ended between the token before and this one.
    pub(super) begins_line: bool,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == Kind::Mark && self.text == text
    }

    /// Whether it is a bracket that opens, or a template up to its first expression.
    pub(super) fn opens(&self) -> bool {
        self.kind == Kind::TemplateStart
            || self.kind == Kind::Mark && matches!(self.text, "(" | "[" | "{")
    }

    /// Whether it is a bracket that closes, or a template from its last expression on.
    pub(super) fn closes(&self) -> bool {
        self.kind == Kind::TemplateEnd
            || self.kind == Kind::Mark && matches!(self.text, ")" | "]" | "}")
    }
}

/// Longer ones first.
const MARKS: [&str; 33] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**",
];

/// Words after which a slash begins a regular expression.
const WORDS_BEFORE_REGEX: [&str; 13] = [
    "return",
    "typeof",
    "case",
    "of",
    "in",
    "delete",
    "void",
    "instanceof",
    "new",
    "throw",
    "await",
    "yield",
    "else",
];

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut reader =
        Reader { text, at: 0, tokens: Vec::new(), begins_line: true, templates: Vec::new() };
    while reader.step() {}
    reader.tokens
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token<'a>>,
    begins_line: bool,
    /// For each template that is open, how many braces are open in its expression.
    templates: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads one token or what stands between two; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        if first.is_whitespace() {
            self.begins_line |= first == '\n';
            self.at += first.len_utf8();
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |end| end + 2);
            self.begins_line |= rest[..end].contains('\n');
            self.at += end;
        } else {
            let (kind, length) = self.token(first, rest);
            self.tokens.push(Token { kind, text: &rest[..length], begins_line: self.begins_line });
            self.begins_line = false;
            self.at += length;
        }
        true
    }

    fn token(&mut self, first: char, rest: &str) -> (Kind, usize) {
        let digit_follows = rest[1..].starts_with(|c: char| c.is_ascii_digit());
        match first {
            '"' | '\'' => (Kind::Text, quoted(rest, first)),
            '`' => self.template(rest, Kind::Text, Kind::TemplateStart),
            '}' if self.templates.last() == Some(&0) => {
                self.templates.pop();
                self.template(rest, Kind::TemplateEnd, Kind::TemplateMiddle)
            }
            '/' if self.begins_regex() => (Kind::Regex, regex(rest)),
            _ if first.is_ascii_digit() || (first == '.' && digit_follows) => {
                (Kind::Number, number(rest))
            }
            _ if is_word(first) || first == '#' => {
                let end = rest[1..].find(|c| !is_word(c)).map_or(rest.len(), |end| end + 1);
                (Kind::Name, end.max(first.len_utf8()))
            }
            _ => (Kind::Mark, self.mark(rest)),
        }
    }

    fn mark(&mut self, rest: &str) -> usize {
        if let Some(open) = self.templates.last_mut() {
            *open =
                (*open + usize::from(rest.starts_with('{'))) - usize::from(rest.starts_with('}'));
        }
        // `a ?.5 : b` is a question
        let is_question =
            rest.starts_with("?.") && rest[2..].starts_with(|c: char| c.is_ascii_digit());
        let known = MARKS.iter().find(|mark| rest.starts_with(**mark) && !is_question);
        known.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |mark| mark.len())
    }

    /// A part of a template, which ends it or leads to an expression.
    fn template(&mut self, rest: &str, ends: Kind, goes_on: Kind) -> (Kind, usize) {
        let mut letters = rest.char_indices().skip(1).peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => {
                    letters.next();
                }
                '`' => return (ends, at + 1),
                '$' if letters.peek().is_some_and(|(_, next)| *next == '{') => {
                    self.templates.push(0);
                    return (goes_on, at + 2);
                }
                _ => {}
            }
        }
        (ends, rest.len())
    }

    fn begins_regex(&self) -> bool {
        match self.tokens.last() {
            None => true,
            Some(last) => match last.kind {
                Kind::Mark => !matches!(last.text, ")" | "]" | "}"),
                Kind::Name => WORDS_BEFORE_REGEX.contains(&last.text),
                Kind::TemplateStart | Kind::TemplateMiddle => true,
                _ => false,
            },
        }
    }
}

pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

fn quoted(rest: &str, mark: char) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == mark {
            return at + 1;
        }
    }
    rest.len()
}

/// Up to the slash that ends it, which inside of brackets is a letter like others, and its flags.
fn regex(rest: &str) -> usize {
    let mut in_class = false;
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = rest[at + 1..].find(|c| !is_word(c));
                return at + 1 + flags.unwrap_or(rest.len() - at - 1);
            }
            _ => {}
        }
    }
    rest.len()
}

fn number(rest: &str) -> usize {
    let is_plain = !rest.starts_with("0x") && !rest.starts_with("0b");
    let bytes = rest.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        let signs_exponent =
            matches!(byte, b'+' | b'-') && is_plain && matches!(bytes[at - 1], b'e' | b'E');
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || signs_exponent) {
            break;
        }
        at += 1;
    }
    at
}
