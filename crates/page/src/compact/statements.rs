//! The statements of a script, or of the one function that it consists of.

use super::names::declares;
use super::role::Role;
use super::token::{Kind, Token};
use std::ops::Range;

/// One statement, or several where it is not certain that one ends.
pub(super) struct Statement<'a> {
    /// Of tokens.
    pub(super) range: Range<usize>,
    /// The name that it declares for all others.
    pub(super) declares: Option<&'a str>,
    /// Names that it declares in a pattern, or after another one.
    pub(super) patterned: Vec<&'a str>,
}

pub(super) fn statements<'a>(tokens: &[Token<'a>], roles: &[Role]) -> Vec<Statement<'a>> {
    let body = body(tokens);
    let mut all = Vec::new();
    let mut from = 0;
    let mut depth = 0_usize;
    for at in body.clone() {
        depth = depth_after(depth, &tokens[at]);
        let ends = depth == 0
            && (tokens[at].is(";") || (tokens[at].is("}") && is_declaration(tokens, from, &body)));
        if ends {
            all.push(statement(tokens, roles, from..at + 1, body.start));
            from = at + 1;
        }
    }
    all.push(statement(tokens, roles, from..tokens.len(), body.start));
    all
}

/// Of `const M = (() => { … })();` what is in braces, else everything.
fn body(tokens: &[Token<'_>]) -> Range<usize> {
    const HEAD: [&str; 6] = ["=", "(", "(", ")", "=>", "{"];
    const FOOT: [&str; 5] = ["}", ")", "(", ")", ";"];
    let is_wrapped = tokens.len() > 13
        && declares(&tokens[0])
        && tokens[2..8].iter().map(|token| token.text).eq(HEAD)
        && tokens[tokens.len() - 5..].iter().map(|token| token.text).eq(FOOT);
    let inner = 8..tokens.len().saturating_sub(5);
    let mut depth = 1_usize;
    let is_one = is_wrapped
        && inner.clone().all(|at| {
            depth = depth_after(depth, &tokens[at]);
            depth > 0
        });
    if is_one { inner } else { 0..tokens.len() }
}

fn depth_after(depth: usize, token: &Token<'_>) -> usize {
    match (token.kind, token.text) {
        (Kind::Mark, "(" | "[" | "{") | (Kind::TemplateStart, _) => depth + 1,
        (Kind::Mark, ")" | "]" | "}") | (Kind::TemplateEnd, _) => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Whether the statement that begins here is a function or a class, which its brace ends.
fn is_declaration(tokens: &[Token<'_>], from: usize, body: &Range<usize>) -> bool {
    let first = &tokens[from.max(body.start)];
    first.kind == Kind::Name && matches!(first.text, "function" | "async" | "class")
}

fn statement<'a>(
    tokens: &[Token<'a>],
    roles: &[Role],
    range: Range<usize>,
    body: usize,
) -> Statement<'a> {
    let start = range.start.max(body);
    let mut declared = None;
    let mut patterned = Vec::new();
    let mut depth = 0_usize;
    // the depth of the pattern or list of names that is being read
    let mut is_list = false;
    let mut in_pattern = false;
    for at in start..range.end {
        let token = &tokens[at];
        let before =
            at.checked_sub(1).filter(|&before| before >= start).map(|before| &tokens[before]);
        if depth == 0 {
            is_list |= token.kind == Kind::Name && matches!(token.text, "const" | "let" | "var");
            let follows_comma = before.is_some_and(|before| before.is(","));
            let follows_keyword = before.is_some_and(declares);
            let opens = token.is("{") || token.is("[");
            in_pattern = is_list && opens && (follows_comma || follows_keyword);
            if roles[at] != Role::Fixed {
                if follows_keyword && declared.is_none() {
                    declared = Some(token.text);
                } else if follows_keyword || (is_list && follows_comma) {
                    patterned.push(token.text);
                }
            }
        } else if in_pattern && roles[at] != Role::Fixed {
            patterned.push(token.text);
        }
        depth = depth_after(depth, token);
    }
    Statement { range, declares: declared, patterned }
}
