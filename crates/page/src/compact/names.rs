//! Short names for variables.

use super::role::{KEYWORDS, Role};
use super::token::{Kind, Token};
use std::collections::{BTreeMap, BTreeSet};

/// What browsers bring and scripts of the page may call, in so far as somebody could give a variable the same name. Names
/// that nothing in a script declares are never exchanged and need not stand here.
const BROUGHT: [&str; 64] = [
    "Array",
    "Blob",
    "Boolean",
    "DataView",
    "Date",
    "Error",
    "Event",
    "File",
    "Image",
    "Infinity",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Node",
    "Number",
    "Object",
    "Option",
    "Promise",
    "Proxy",
    "Range",
    "Reflect",
    "RegExp",
    "Response",
    "Set",
    "String",
    "Symbol",
    "Text",
    "URL",
    "WeakMap",
    "WeakSet",
    "Worker",
    "alert",
    "atob",
    "blur",
    "btoa",
    "close",
    "confirm",
    "console",
    "crypto",
    "customElements",
    "document",
    "event",
    "external",
    "fetch",
    "find",
    "focus",
    "frames",
    "history",
    "location",
    "matchMedia",
    "name",
    "navigator",
    "open",
    "origin",
    "parent",
    "performance",
    "print",
    "screen",
    "self",
    "status",
    "stop",
    "window",
];

/// What other scripts of the page refer to.
fn is_shared(name: &str) -> bool {
    let of_module =
        name.strip_prefix('M').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    of_module || name.starts_with("Catena")
}

/// A shorter name for each variable that is worth it; short ones for those that are met most.
pub(super) fn short_names<'a>(tokens: &[Token<'a>], roles: &[Role]) -> BTreeMap<&'a str, String> {
    let declared = declared(tokens, roles);
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (token, role) in tokens.iter().zip(roles) {
        match role {
            Role::Variable => counts.entry(token.text).or_default()[0] += 1,
            Role::Shorthand => counts.entry(token.text).or_default()[1] += 1,
            Role::Fixed => {}
        }
    }
    // what stands in many patterns would have to be written twice there
    let is_exchanged = |name: &str, [plain, shorthand]: [usize; 2]| {
        declared.contains(name) && !BROUGHT.contains(&name) && !is_shared(name) && plain > shorthand
    };
    let mut exchanged: Vec<(&str, usize)> = Vec::new();
    let mut taken: BTreeSet<&str> = KEYWORDS.into_iter().chain(BROUGHT).collect();
    for (&name, &count) in &counts {
        if is_exchanged(name, count) {
            exchanged.push((name, count[0] + count[1]));
        } else {
            taken.insert(name);
        }
    }
    // sorted by name already, so that the order is the same on every machine
    exchanged.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let free = (0..).map(letters).filter(|name| !taken.contains(name.as_str()));
    exchanged.into_iter().map(|(name, _)| name).zip(free).collect()
}

/// Names that are certainly declared in the script: by a keyword, or as parameters.
fn declared<'a>(tokens: &[Token<'a>], roles: &[Role]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let is_keyword = |token: &Token<'_>| {
            token.kind == Kind::Name
                && matches!(token.text, "const" | "let" | "var" | "function" | "class")
        };
        if roles[at] == Role::Variable {
            let is_parameter = tokens.get(at + 1).is_some_and(|next| next.is("=>"));
            if is_parameter || before.is_some_and(is_keyword) {
                found.insert(token.text);
            }
        }
        if token.is("(") {
            open.push(at);
        } else if token.is(")") {
            let from = open.pop().unwrap_or(0);
            if has_parameters(tokens, from, at) {
                found.extend(parameters(tokens, roles, from, at));
            }
        }
    }
    found
}

/// Whether round brackets enclose parameters: an arrow follows, or the body of a function or method.
fn has_parameters(tokens: &[Token<'_>], from: usize, to: usize) -> bool {
    let Some(next) = tokens.get(to + 1) else { return false };
    if next.is("=>") {
        return true;
    }
    let before = from.checked_sub(1).map(|at| &tokens[at]);
    let is_named = before.is_some_and(|token| {
        token.kind == Kind::Name
            && !matches!(token.text, "if" | "for" | "while" | "switch" | "with" | "await")
    });
    next.is("{") && is_named
}

/// The plain ones of them; patterns are left to other declarations of the same names.
fn parameters<'a, 't>(
    tokens: &'t [Token<'a>],
    roles: &'t [Role],
    from: usize,
    to: usize,
) -> impl Iterator<Item = &'a str> + use<'a, 't> {
    let mut depth = 0_usize;
    (from + 1..to).filter_map(move |at| {
        let token = &tokens[at];
        if token.kind == Kind::Mark {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        let begins = [",", "...", "("].iter().any(|mark| tokens[at - 1].is(mark));
        let ends = [",", "=", ")"].iter().any(|mark| tokens[at + 1].is(mark));
        (depth == 0 && roles[at] == Role::Variable && begins && ends).then_some(token.text)
    })
}

/// The short name of a number: a, b, … Z, aa, ba, …
fn letters(mut number: usize) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut name = String::new();
    loop {
        name.push(char::from(LETTERS[number % LETTERS.len()]));
        number /= LETTERS.len();
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}
