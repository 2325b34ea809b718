//! The scopes of a script: where the names that it declares hold, and which of them each name means.

use super::role::{Reading, Role};
use super::token::{Kind, Token};
use super::write::ends_line;
use std::collections::BTreeMap;
use std::ops::Range;

/// A stretch of tokens in which names hold.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    pub(super) range: Range<usize>,
    /// The scope around it; the whole script has none.
    pub(super) parent: Option<usize>,
    /// Whether it is the body of a function or a handler, which cannot declare the parameters again.
    pub(super) is_body: bool,
    /// Where each name is first met in its declaration.
    pub(super) names: BTreeMap<&'a str, usize>,
}

/// What each name of a script means.
pub(super) struct Scopes<'a> {
    /// Outer ones first; the first one is the whole script.
    pub(super) all: Vec<Scope<'a>>,
    /// For each token that is a variable, the scope that declares it; none where no scope of the script does.
    pub(super) declared_in: Vec<Option<usize>>,
}

pub(super) fn scopes<'a>(tokens: &[Token<'a>], reading: &Reading) -> Scopes<'a> {
    let reader = Reader { tokens, reading, closing: closing(tokens) };
    let mut all = vec![Scope {
        range: 0..tokens.len(),
        parent: None,
        is_body: false,
        names: BTreeMap::new(),
    }];
    // scopes that are open
    let mut open = vec![0];
    let mut scope_at = Vec::with_capacity(tokens.len());
    for at in 0..tokens.len() {
        while open.len() > 1 && all[open[open.len() - 1]].range.end <= at {
            open.pop();
        }
        let inside = open[open.len() - 1];
        reader.declared(at, &mut |name| {
            all[inside].names.entry(tokens[name].text).or_insert(name);
        });
        if let Some(end) = reader.scope_end(at) {
            let is_body = tokens[at].is("{") && all[inside].range.end == end && inside > 0;
            let mut names = BTreeMap::new();
            reader.parameters(at, &mut |name| {
                names.entry(tokens[name].text).or_insert(name);
            });
            open.push(all.len());
            all.push(Scope { range: at..end, parent: Some(inside), is_body, names });
        }
        scope_at.push(open[open.len() - 1]);
    }
    let declared_in = (0..tokens.len()).map(|at| {
        let mut scope = (reading.roles[at] != Role::Fixed).then_some(scope_at[at]);
        while let Some(found) = scope
            && !all[found].names.contains_key(tokens[at].text)
        {
            scope = all[found].parent;
        }
        scope
    });
    let declared_in = declared_in.collect();
    Scopes { all, declared_in }
}

struct Reader<'t, 'a> {
    tokens: &'t [Token<'a>],
    reading: &'t Reading,
    /// For each bracket that opens, the one that closes it.
    closing: Vec<usize>,
}

/// For each bracket that opens, where it closes; for other tokens themselves.
fn closing(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut closing: Vec<usize> = (0..tokens.len()).collect();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.opens() {
            open.push(at);
        } else if token.closes()
            && let Some(from) = open.pop()
        {
            closing[from] = at;
        }
    }
    closing
}

impl Reader<'_, '_> {
    fn is(&self, at: usize, mark: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(mark))
    }

    fn is_word(&self, at: usize, words: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.kind == Kind::Name
                && self.reading.roles[at] == Role::Fixed
                && words.contains(&token.text)
                && !self.is_member(at)
        })
    }

    /// Whether a word is the name of a property, as in `x.catch` or `{ for: 1 }`.
    fn is_member(&self, at: usize) -> bool {
        let follows_dot = at > 0 && (self.is(at - 1, ".") || self.is(at - 1, "?."));
        follows_dot || self.is(at + 1, ":")
    }

    /// Names that the declaration that begins here gives to the scope around it.
    fn declared(&self, at: usize, take: &mut dyn FnMut(usize)) {
        if self.is_word(at, &["function", "class"]) {
            if self.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Name)
                && self.reading.roles[at + 1] != Role::Fixed
            {
                take(at + 1);
            }
        } else if self.is_word(at, &["const", "let"]) {
            let mut next = at + 1;
            loop {
                next = self.pattern(next, take);
                if self.is(next, "=") {
                    next = self.expression_end(next + 1);
                }
                if !self.is(next, ",") {
                    break;
                }
                next += 1;
            }
        }
    }

    /// Names in a pattern that begins here; the token after it.
    fn pattern(&self, at: usize, take: &mut dyn FnMut(usize)) -> usize {
        let Some(token) = self.tokens.get(at) else { return at };
        if !token.opens() {
            if token.kind == Kind::Name {
                take(at);
            }
            return at + 1;
        }
        let is_object = token.is("{");
        let end = self.closing[at];
        let mut next = at + 1;
        while next < end {
            if self.is(next, ",") || self.is(next, "...") {
                next += 1;
                continue;
            }
            let key_end = if self.is(next, "[") { self.closing[next] + 1 } else { next + 1 };
            if is_object && self.is(key_end, ":") {
                next = key_end + 1;
            }
            next = self.pattern(next, take);
            if self.is(next, "=") {
                next = self.expression_end(next + 1);
            }
        }
        end + 1
    }

    /// Names that the scope that begins here has from its parameters.
    fn parameters(&self, at: usize, take: &mut dyn FnMut(usize)) {
        if self.is(at + 1, "=>") && self.tokens[at].kind == Kind::Name {
            take(at);
        } else if self.has_parameters(at) {
            // a list of parameters reads like a pattern of a list
            self.pattern(at, take);
        }
    }

    /// Whether round brackets that open here enclose parameters: an arrow follows, or the body of a function, a method or
    /// a handler.
    fn has_parameters(&self, at: usize) -> bool {
        if !self.is(at, "(") {
            return false;
        }
        let after = self.closing[at] + 1;
        if self.is(after, "=>") {
            return true;
        }
        let follows_name = at > 0 && self.tokens[at - 1].kind == Kind::Name;
        let is_statement =
            at > 0 && self.is_word(at - 1, &["if", "for", "while", "switch", "with", "await"]);
        self.is(after, "{") && follows_name && !is_statement
    }

    /// Where the scope ends that begins here, if one does: a block, a loop with its head, a function with its parameters.
    fn scope_end(&self, at: usize) -> Option<usize> {
        let arrow = if self.has_parameters(at) { self.closing[at] + 1 } else { at + 1 };
        let is_arrow =
            self.is(arrow, "=>") && (self.has_parameters(at) || self.tokens[at].kind == Kind::Name);
        if is_arrow {
            let body = arrow + 1;
            return Some(if self.is(body, "{") {
                self.closing[body] + 1
            } else {
                self.expression_end(body)
            });
        }
        if self.has_parameters(at) {
            return Some(self.closing[arrow] + 1);
        }
        if self.is(at, "(") && at > 0 && self.is_word(at - 1, &["for"]) {
            return Some(self.statement_end(self.closing[at] + 1));
        }
        (self.is(at, "{") && self.reading.blocks[at]).then(|| self.closing[at] + 1)
    }

    /// The token behind an expression that begins here.
    fn expression_end(&self, at: usize) -> usize {
        let mut questions = 0_usize;
        let mut next = at;
        while let Some(token) = self.tokens.get(next) {
            if token.opens() {
                next = self.closing[next];
            } else if token.closes()
                || token.kind == Kind::TemplateMiddle
                || token.is(",")
                || token.is(";")
                || (token.is(":") && questions == 0)
                || (next > at && ends_line(&self.tokens[next - 1], token))
            {
                break;
            } else if token.is("?") {
                questions += 1;
            } else if token.is(":") {
                questions -= 1;
            }
            next += 1;
        }
        next
    }

    /// The token behind a statement that begins here.
    fn statement_end(&self, at: usize) -> usize {
        if self.is(at, "{") {
            return self.closing[at] + 1;
        }
        if self.is_word(at, &["for", "while", "if"]) {
            let end = self.statement_end(self.closing[at + 1] + 1);
            return if self.is_word(end, &["else"]) { self.statement_end(end + 1) } else { end };
        }
        let mut next = at;
        while let Some(token) = self.tokens.get(next) {
            if token.is(";") {
                return next + 1;
            }
            if token.closes() || (next > at && ends_line(&self.tokens[next - 1], token)) {
                break;
            }
            next = self.closing[next] + 1;
        }
        next
    }
}
