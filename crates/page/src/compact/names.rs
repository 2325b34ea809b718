//! Short names for variables: one for one in each statement of a script, so that whatever scope they stand in, no scope
//! can go wrong.

use super::role::{KEYWORDS, Role};
use super::statements::{Statement, statements};
use super::token::{Kind, Token};
use std::collections::{BTreeMap, BTreeSet};

/// What browsers bring and scripts of the page may call, in so far as somebody could give a variable the same name. Names
/// that nothing in a script declares are never exchanged and need not stand here.
const BROUGHT: [&str; 48] = [
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
    "btoa",
    "confirm",
    "console",
    "crypto",
    "customElements",
    "document",
    "fetch",
    "history",
    "location",
    "matchMedia",
    "navigator",
    "performance",
    "window",
];

/// For names that a whole script knows, and for those of one statement: mostly different letters.
const OUTER_LETTERS: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const INNER_LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// What other scripts of the page refer to.
fn is_shared(name: &str) -> bool {
    let of_module =
        name.strip_prefix('M').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    of_module || name.starts_with("Catena")
}

/// A shorter name for each token that is a variable and is worth it.
pub(super) fn short_names(tokens: &[Token<'_>], roles: &[Role]) -> Vec<Option<String>> {
    let all = statements(tokens, roles);
    let fixed: BTreeSet<&str> =
        all.iter().flat_map(|statement| statement.patterned.iter().copied()).collect();
    let outer: BTreeSet<&str> = all.iter().flat_map(|statement| statement.declares).collect();
    let is_free =
        |name: &str| !fixed.contains(name) && !BROUGHT.contains(&name) && !is_shared(name);
    let everywhere = counts(tokens, roles, 0..tokens.len());
    // no outer name is one that was written anywhere
    let written: BTreeSet<&str> = everywhere.keys().copied().collect();
    let wanted = worth_it(&everywhere, &|name| outer.contains(name) && is_free(name));
    let outer_short: BTreeMap<&str, String> =
        assigned(wanted, OUTER_LETTERS, &|short| written.contains(short));

    let mut short = vec![None; tokens.len()];
    for Statement { range, .. } in &all {
        let here = counts(tokens, roles, range.clone());
        let declared = declared(tokens, roles, range.clone());
        let is_inner =
            |name: &str| declared.contains(name) && !outer.contains(name) && is_free(name);
        let wanted = worth_it(&here, &is_inner);
        let exchanged: BTreeSet<&str> = wanted.iter().copied().collect();
        let kept = here.keys().copied().filter(|name| !exchanged.contains(name));
        let taken: BTreeSet<&str> =
            kept.map(|name| outer_short.get(name).map_or(name, String::as_str)).collect();
        let inner_short = assigned(wanted, INNER_LETTERS, &|short| taken.contains(short));
        for at in range.clone().filter(|&at| roles[at] != Role::Fixed) {
            let name = tokens[at].text;
            short[at] = inner_short.get(name).or_else(|| outer_short.get(name)).cloned();
        }
    }
    short
}

/// How often each variable is met, plainly and as a shorthand.
fn counts<'a>(
    tokens: &[Token<'a>],
    roles: &[Role],
    range: std::ops::Range<usize>,
) -> BTreeMap<&'a str, [usize; 2]> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for at in range {
        match roles[at] {
            Role::Variable => counts.entry(tokens[at].text).or_default()[0] += 1,
            Role::Shorthand => counts.entry(tokens[at].text).or_default()[1] += 1,
            Role::Fixed => {}
        }
    }
    counts
}

/// Those that are met most first; sorted by name where they are met equally often, so that every machine does the same.
fn worth_it<'a>(
    counts: &BTreeMap<&'a str, [usize; 2]>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<&'a str> {
    // what stands in many patterns would have to be written twice there
    let wanted =
        counts.iter().filter(|(name, [plain, shorthand])| plain > shorthand && is_wanted(name));
    let mut wanted: Vec<(&str, usize)> =
        wanted.map(|(name, [plain, shorthand])| (*name, plain + shorthand)).collect();
    wanted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    wanted.into_iter().map(|(name, _)| name).collect()
}

fn assigned<'a>(
    names: Vec<&'a str>,
    letters: &[u8; 52],
    is_taken: &dyn Fn(&str) -> bool,
) -> BTreeMap<&'a str, String> {
    let is_known =
        |short: &str| KEYWORDS.contains(&short) || BROUGHT.contains(&short) || is_shared(short);
    let free = (0..)
        .map(|number| spelled(number, letters))
        .filter(|short| !is_taken(short) && !is_known(short));
    names.into_iter().zip(free).collect()
}

/// Names that are declared there: by a keyword or as parameters, alone or in patterns.
fn declared<'a>(
    tokens: &[Token<'a>],
    roles: &[Role],
    range: std::ops::Range<usize>,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = Vec::new();
    // how many of the brackets that are open began with the pattern that is being read
    let mut pattern = None;
    for at in range {
        let token = &tokens[at];
        let follows_keyword = at.checked_sub(1).is_some_and(|before| declares(&tokens[before]));
        let is_parameter = tokens.get(at + 1).is_some_and(|next| next.is("=>"));
        let is_bound = pattern.is_some() && binds(tokens, at);
        if roles[at] != Role::Fixed && (follows_keyword || is_parameter || is_bound) {
            found.insert(token.text);
        }
        if token.kind == Kind::Mark && matches!(token.text, "(" | "[" | "{") {
            if follows_keyword && pattern.is_none() {
                pattern = Some(open.len());
            }
            open.push(at);
        } else if token.kind == Kind::Mark && matches!(token.text, ")" | "]" | "}") {
            let from = open.pop().unwrap_or(at);
            if pattern == Some(open.len()) {
                pattern = None;
            }
            if token.is(")") && has_parameters(tokens, from, at) {
                let bound =
                    (from + 1..at).filter(|&at| roles[at] != Role::Fixed && binds(tokens, at));
                found.extend(bound.map(|at| tokens[at].text));
            }
        }
    }
    found
}

/// Whether a name in a pattern or in a list of parameters is one that these declare, and no part of a value.
fn binds(tokens: &[Token<'_>], at: usize) -> bool {
    let is_one_of = |at: Option<usize>, marks: &[&str]| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|token| marks.iter().any(|mark| token.is(mark)))
    };
    is_one_of(at.checked_sub(1), &["(", "[", "{", ",", ":", "..."])
        && is_one_of(Some(at + 1), &[")", "]", "}", ",", "="])
}

/// Whether a token is a keyword that a new name follows.
pub(super) fn declares(token: &Token<'_>) -> bool {
    token.kind == Kind::Name && matches!(token.text, "const" | "let" | "var" | "function" | "class")
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

/// The short name of a number: a, b, … Z, aa, ba, …
fn spelled(mut number: usize, letters: &[u8; 52]) -> String {
    let mut name = String::new();
    loop {
        name.push(char::from(letters[number % letters.len()]));
        number /= letters.len();
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}
