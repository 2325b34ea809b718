//! What each name in a script is: a variable, or something that must be called as it is.

use super::token::{Kind, Token};

/// What a token is to those who exchange names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// No name, or one that stays: a keyword, a property, a key, a member, a label.
    Fixed,
    Variable,
    /// A key and a variable in one: `{ a }`, in an object or in a pattern.
    Shorthand,
}

/// What a bracket encloses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    Block,
    /// An object or a pattern.
    Object,
    Class,
    /// Round and square ones, and expressions in templates.
    Other,
}

/// What is open inside of a bracket.
struct Frame {
    bracket: Bracket,
    /// Questions and cases whose colon has not come yet.
    pending: usize,
    /// Whether a declaration of variables has not ended yet.
    is_declaration: bool,
    /// Whether `class` was read and its brace was not.
    is_class_next: bool,
}

impl Frame {
    fn new(bracket: Bracket) -> Frame {
        Frame { bracket, pending: 0, is_declaration: false, is_class_next: false }
    }
}

pub(super) const KEYWORDS: [&str; 43] = [
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "let",
    "new",
    "null",
    "of",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "arguments",
];

/// What is known about each token of a script.
pub(super) struct Reading {
    pub(super) roles: Vec<Role>,
    /// Semicolons between two declarations of variables, which can be one.
    pub(super) joints: Vec<bool>,
    /// Braces that open a block.
    pub(super) blocks: Vec<bool>,
}

pub(super) fn read(tokens: &[Token<'_>]) -> Reading {
    let mut roles = vec![Role::Fixed; tokens.len()];
    let mut joints = vec![false; tokens.len()];
    let mut blocks = vec![false; tokens.len()];
    let mut frames = vec![Frame::new(Bracket::Block)];
    for at in 0..tokens.len() {
        let frame = frames.last().expect("one is open");
        joints[at] = joins_declarations(tokens, at, frame);
        if tokens[at].kind == Kind::Name {
            roles[at] = name_role(tokens, &roles, at, frame);
        }
        enter(tokens, at, &mut frames);
        blocks[at] = tokens[at].is("{")
            && frames.last().is_some_and(|frame| frame.bracket == Bracket::Block);
    }
    Reading { roles, joints, blocks }
}

/// Whether a semicolon ends a declaration of variables and another one follows.
fn joins_declarations(tokens: &[Token<'_>], at: usize, frame: &Frame) -> bool {
    let follows = tokens
        .get(at + 1)
        .is_some_and(|next| next.kind == Kind::Name && matches!(next.text, "const" | "let"));
    tokens[at].is(";") && frame.is_declaration && follows
}

/// Keeps the frames up to date with a token.
fn enter(tokens: &[Token<'_>], at: usize, frames: &mut Vec<Frame>) {
    let token = &tokens[at];
    let is_inner = frames.len() > 1;
    let frame = frames.last_mut().expect("one is open");
    // a line that begins may be a new statement, though nothing ended the one before
    frame.is_declaration &= !(token.begins_line && token.kind == Kind::Name);
    match (token.kind, token.text) {
        (Kind::Mark, "{") => {
            let bracket = brace(tokens, at, frame);
            frame.is_class_next = false;
            frames.push(Frame::new(bracket));
        }
        (Kind::Mark, "(" | "[") | (Kind::TemplateStart, _) => {
            frames.push(Frame::new(Bracket::Other))
        }
        (Kind::Mark, ")" | "]" | "}") | (Kind::TemplateEnd, _) if is_inner => {
            frames.pop();
        }
        (Kind::Mark, "?") => frame.pending += 1,
        (Kind::Mark, ";") => frame.is_declaration = joins_declarations(tokens, at, frame),
        (Kind::Name, "const" | "let") if frame.bracket == Bracket::Block => {
            frame.is_declaration = true
        }
        (Kind::Mark, ":") => frame.pending = frame.pending.saturating_sub(1),
        (Kind::Name, "case" | "default")
            if !is_property(tokens, at) && frame.bracket == Bracket::Block =>
        {
            frame.pending += 1;
        }
        // followed by its name, its base or its body; elsewhere the word is a key
        (Kind::Name, "class") if !is_property(tokens, at) => {
            let next = tokens.get(at + 1);
            frame.is_class_next = next.is_some_and(|next| next.kind == Kind::Name || next.is("{"));
        }
        _ => {}
    }
}

/// What a brace opens.
fn brace(tokens: &[Token<'_>], at: usize, frame: &Frame) -> Bracket {
    if frame.is_class_next {
        return Bracket::Class;
    }
    let Some(before) = at.checked_sub(1).map(|at| &tokens[at]) else { return Bracket::Block };
    match (before.kind, before.text) {
        (Kind::Mark, "=>" | ")" | ";" | "{" | "}") => Bracket::Block,
        (Kind::Name, "else" | "try" | "catch" | "finally" | "do") => Bracket::Block,
        (Kind::Mark, ":")
            if frame.bracket == Bracket::Block && !is_question_colon(tokens, at - 1) =>
        {
            Bracket::Block
        }
        _ => Bracket::Object,
    }
}

/// Whether a colon in a block belongs to a question and not to a case: looking back, the question comes first.
fn is_question_colon(tokens: &[Token<'_>], colon: usize) -> bool {
    let mut depth = 0_usize;
    for token in tokens[..colon].iter().rev() {
        match (token.kind, token.text) {
            (Kind::Mark, ")" | "]" | "}") | (Kind::TemplateEnd, _) => depth += 1,
            (Kind::Mark, "(" | "[" | "{") | (Kind::TemplateStart, _) if depth == 0 => return false,
            (Kind::Mark, "(" | "[" | "{") | (Kind::TemplateStart, _) => depth -= 1,
            (Kind::Mark, "?") if depth == 0 => return true,
            (Kind::Mark, ";") if depth == 0 => return false,
            (Kind::Name, "case" | "default") if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

fn is_property(tokens: &[Token<'_>], at: usize) -> bool {
    at > 0 && (tokens[at - 1].is(".") || tokens[at - 1].is("?."))
}

fn name_role(tokens: &[Token<'_>], roles: &[Role], at: usize, frame: &Frame) -> Role {
    let text = tokens[at].text;
    if KEYWORDS.contains(&text) || text.starts_with('#') || is_property(tokens, at) {
        return Role::Fixed;
    }
    let before = at.checked_sub(1).map(|at| &tokens[at]);
    let after = tokens.get(at + 1);
    let follows = |marks: &[&str]| {
        before.is_some_and(|token| token.kind == Kind::Mark && marks.contains(&token.text))
    };
    let precedes = |marks: &[&str]| {
        after.is_some_and(|token| token.kind == Kind::Mark && marks.contains(&token.text))
    };
    let is_label = before
        .is_some_and(|token| matches!(token.text, "break" | "continue") && !tokens[at].begins_line);
    if is_label || (frame.bracket == Bracket::Block && frame.pending == 0 && precedes(&[":"])) {
        return Role::Fixed;
    }
    // `get`, `set`, `async` and `static` in front of the name of a member
    let after_modifier = at > 0
        && tokens[at - 1].kind == Kind::Name
        && roles[at - 1] == Role::Fixed
        && matches!(tokens[at - 1].text, "get" | "set" | "async" | "static")
        && !is_property(tokens, at - 1);
    let is_modifier =
        matches!(text, "get" | "set") && after.is_some_and(|token| token.kind == Kind::Name);
    match frame.bracket {
        Bracket::Object => {
            let begins = follows(&["{", ","]);
            let is_key = begins && frame.pending == 0 && precedes(&["(", ":"]);
            if is_key || (begins && is_modifier) || (after_modifier && precedes(&["("])) {
                Role::Fixed
            } else if begins && precedes(&[",", "}", "="]) {
                Role::Shorthand
            } else {
                Role::Variable
            }
        }
        Bracket::Class if follows(&["{", "}", ";", "*"]) || after_modifier => Role::Fixed,
        _ => Role::Variable,
    }
}
