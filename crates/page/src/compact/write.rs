//! Tokens as text again, with no more space than is needed.

use super::role::{Reading, Role};
use super::token::{Kind, Token, is_word};

pub(super) fn written(
    tokens: &[Token<'_>],
    Reading { roles, joints, blocks }: &Reading,
    short: &[Option<String>],
) -> String {
    let ends_block = ends_of_blocks(tokens, blocks);
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_joined = at > 0 && joints[at - 1];
        if is_idle_semicolon(tokens, at) || is_idle_bracket(tokens, at) || is_joined {
            continue;
        }
        if joints[at] {
            text.push(',');
            continue;
        }
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let name = short[at].as_ref();
        let next = name.map_or(shorter(tokens, roles, at), String::as_str);
        if let Some(before) = before {
            let ends_line = ends_line(before, token) && !ends_block[at - 1];
            separate(&mut text, before, token, next, ends_line);
        }
        if let (Role::Shorthand, Some(_)) = (roles[at], name) {
            text += token.text;
            text.push(':');
        }
        text += next;
    }
    text
}

/// Braces that end a block which is a statement of its own or the body of a declaration; what follows needs no line end.
fn ends_of_blocks(tokens: &[Token<'_>], blocks: &[bool]) -> Vec<bool> {
    let mut open = Vec::new();
    let ends = tokens.iter().enumerate().map(|(at, token)| {
        if token.opens() {
            open.push(blocks[at] && !(at > 0 && tokens[at - 1].is("=>")));
        }
        token.closes() && open.pop().unwrap_or(false)
    });
    ends.collect()
}

/// Whether a round bracket encloses nothing but the one parameter of an arrow function.
fn is_idle_bracket(tokens: &[Token<'_>], at: usize) -> bool {
    let is_alone = |open: usize| {
        tokens[open].is("(")
            && tokens.get(open + 1).is_some_and(|name| name.kind == Kind::Name)
            && tokens.get(open + 2).is_some_and(|close| close.is(")"))
            && tokens.get(open + 3).is_some_and(|arrow| arrow.is("=>"))
    };
    is_alone(at) || at >= 2 && is_alone(at - 2)
}

/// A word as it is written: nobody changes a constant, so that it can as well be a variable.
fn shorter<'a>(tokens: &[Token<'a>], roles: &[Role], at: usize) -> &'a str {
    let is_declaration = roles.get(at + 1).is_some_and(|role| *role != Role::Fixed)
        || tokens.get(at + 1).is_some_and(|next| next.is("{") || next.is("["));
    match tokens[at] {
        Token { kind: Kind::Name, text: "const", .. } if is_declaration => "let",
        Token { text, .. } => text,
    }
}

/// A semicolon in front of a brace says nothing, unless it is a statement itself.
fn is_idle_semicolon(tokens: &[Token<'_>], at: usize) -> bool {
    let closes = tokens.get(at + 1).is_some_and(|next| next.is("}"));
    let is_statement = at == 0 || tokens[at - 1].is(")") && !ends_call(tokens, at - 1);
    tokens[at].is(";") && closes && !is_statement
}

/// Whether a round bracket ends a call or a group, and not the head of a loop, whose body may be empty.
fn ends_call(tokens: &[Token<'_>], close: usize) -> bool {
    let mut depth = 0_usize;
    for (at, token) in tokens[..=close].iter().enumerate().rev() {
        if token.is(")") {
            depth += 1;
        } else if token.is("(") {
            depth -= 1;
            if depth == 0 {
                let before = at.checked_sub(1).map(|at| &tokens[at]);
                return before
                    .is_none_or(|token| !matches!(token.text, "for" | "while" | "if" | "with"));
            }
        }
    }
    false
}

/// A space where two tokens would become one, a line end where it ends a statement.
fn separate(text: &mut String, before: &Token<'_>, token: &Token<'_>, next: &str, ends_line: bool) {
    let last = text.chars().next_back().unwrap_or(' ');
    let first = next.chars().next().unwrap_or(' ');
    if ends_line {
        text.push('\n');
    } else if (is_word(last) || last == '#') && (is_word(first) || first == '#')
        || (last == first && matches!(first, '+' | '-' | '/'))
        || (before.kind == Kind::Number && first == '.')
        || (before.kind == Kind::Regex && is_word(first))
        || (before.kind == Kind::Name && token.kind == Kind::Regex)
    {
        text.push(' ');
    }
}

/// Whether the end of a line between two tokens ends a statement.
pub(super) fn ends_line(before: &Token<'_>, token: &Token<'_>) -> bool {
    token.begins_line && can_end(before) && can_begin(token)
}

/// Whether a statement can end with this token and without a semicolon.
fn can_end(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Mark => matches!(token.text, ")" | "]" | "}" | "++" | "--"),
        Kind::TemplateStart | Kind::TemplateMiddle => false,
        _ => true,
    }
}

/// Whether a statement can begin with this token and could not go on with it.
fn can_begin(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Mark => matches!(token.text, "{" | "!" | "~" | "++" | "--"),
        Kind::Name => !matches!(token.text, "in" | "instanceof" | "of"),
        Kind::TemplateMiddle | Kind::TemplateEnd => false,
        _ => true,
    }
}
