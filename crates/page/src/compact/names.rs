//! Short names for variables: each scope has its own, and inner ones use again what they do not need of outer ones.

use super::Script;
use super::role::{KEYWORDS, Role};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

const LETTERS: &[u8; 52] = b"etnrioascldupmhfgvybxwkjqzETNRIOASCLDUPMHFGVYBXWKJQZ";

/// What pages outside of these scripts call by its name.
fn is_shared(name: &str) -> bool {
    name.starts_with("Catena")
}

/// A variable: the script and the scope in it that declare it, and its name there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Variable<'a> {
    script: usize,
    scope: usize,
    name: &'a str,
}

/// The scripts with what their variables are called.
struct Naming<'s, 'a> {
    scripts: &'s [Script<'a>],
    /// For each script, what its tokens mean; none for what no script declares.
    meanings: Vec<Vec<Option<Variable<'a>>>>,
    given: HashMap<Variable<'a>, String>,
}

/// For each token of each script the name that it gets, if it is a variable that gets one.
pub(super) fn short_names(scripts: &[Script<'_>]) -> Vec<Vec<Option<String>>> {
    let mut naming = Naming::new(scripts);
    naming.name_scripts();
    for (script, Script { scopes, .. }) in scripts.iter().enumerate() {
        for scope in 1..scopes.all.len() {
            naming.name_scope(script, scope);
        }
    }
    let Naming { meanings, given, .. } = naming;
    let names = |meaning: &Option<Variable<'_>>| given.get(meaning.as_ref()?).cloned();
    meanings.iter().map(|meanings| meanings.iter().map(names).collect()).collect()
}

impl<'s, 'a> Naming<'s, 'a> {
    fn new(scripts: &'s [Script<'a>]) -> Self {
        let meanings = scripts.iter().enumerate().map(|(at, script)| script.meanings(at));
        Naming { scripts, meanings: meanings.collect(), given: HashMap::new() }
    }

    /// Names what whole scripts declare: those that are met most get the shortest names, and none gets a name that is
    /// written anywhere.
    fn name_scripts(&mut self) {
        let mut counts: HashMap<Variable<'_>, usize> = HashMap::new();
        for variable in self.meanings.iter().flatten().flatten() {
            *counts.entry(*variable).or_default() += 1;
        }
        let mut wanted = Vec::new();
        for (script, Script { scopes, .. }) in self.scripts.iter().enumerate() {
            let names = scopes.all[0].names.keys().filter(|name| !is_shared(name));
            wanted.extend(names.map(|name| Variable { script, scope: 0, name }));
        }
        wanted.sort_by_key(|variable| Reverse(counts.get(variable).copied()));
        let written = self.scripts.iter().flat_map(Script::variables).collect();
        self.given.extend(wanted.into_iter().zip(free_names(&written)));
    }

    /// Names what one scope declares, in the order in which it is met.
    fn name_scope(&mut self, script: usize, scope: usize) {
        let Script { scopes, tokens, reading, .. } = &self.scripts[script];
        let here = &scopes.all[scope];
        if here.names.is_empty() {
            return;
        }
        let mut taken: HashSet<&str> = HashSet::new();
        for at in here.range.clone().filter(|&at| reading.roles[at] != Role::Fixed) {
            match self.meanings[script][at].map(|variable| self.given.get(&variable)) {
                Some(Some(name)) => taken.insert(name),
                // of this scope or an inner one
                Some(None) => continue,
                None => taken.insert(tokens[at].text),
            };
        }
        if let (true, Some(parent)) = (here.is_body, here.parent) {
            let names = scopes.all[parent].names.keys();
            let given = names.map(|name| &self.given[&Variable { script, scope: parent, name }]);
            taken.extend(given.map(String::as_str));
        }
        let mut wanted: Vec<(&str, usize)> =
            here.names.iter().map(|(name, first)| (*name, *first)).collect();
        wanted.sort_by_key(|(_, first)| *first);
        let names: Vec<String> = free_names(&taken).take(wanted.len()).collect();
        let variables = wanted.into_iter().map(|(name, _)| Variable { script, scope, name });
        self.given.extend(variables.zip(names));
    }
}

impl<'a> Script<'a> {
    fn variables(&self) -> impl Iterator<Item = &'a str> {
        let named = self.tokens.iter().zip(&self.reading.roles);
        named.filter(|(_, role)| **role != Role::Fixed).map(|(token, _)| token.text)
    }

    /// What each token means, as the script with this number.
    fn meanings(&self, script: usize) -> Vec<Option<Variable<'a>>> {
        let meaning = |at: usize| {
            let name = self.tokens[at].text;
            if self.reading.roles[at] == Role::Fixed || is_shared(name) {
                return None;
            }
            let here = self.scopes.declared_in[at].map(|scope| (script, scope));
            let imported = || self.imports.iter().find(|(import, _)| *import == name);
            let (script, scope) = here.or_else(|| imported().map(|(_, script)| (*script, 0)))?;
            Some(Variable { script, scope, name })
        };
        (0..self.tokens.len()).map(meaning).collect()
    }
}

/// Names that are not taken, the shortest first.
fn free_names(taken: &HashSet<&str>) -> impl Iterator<Item = String> {
    (0..)
        .map(spelled)
        .filter(|name| !taken.contains(name.as_str()) && !KEYWORDS.contains(&name.as_str()))
}

/// The name with a number: one letter, then two.
fn spelled(mut number: usize) -> String {
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
