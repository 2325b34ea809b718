//! Names of a model as identifiers of a language: never a keyword, never a function that is called, no two alike.

use catena_symbolic::GREEK_LETTERS;
use rustc_hash::FxHashSet;

/// MATLAB tells names apart by their first 63 letters, as C99 does.
const MAX_LENGTH: usize = 56;

/// Identifiers that are taken in one scope of a language.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identifiers {
    taken: FxHashSet<String>,
}

impl Identifiers {
    /// A scope in which these words mean something already.
    pub(crate) fn reserving<'a>(words: impl IntoIterator<Item = &'a str>) -> Identifiers {
        Identifiers { taken: words.into_iter().map(str::to_owned).collect() }
    }

    /// An identifier for a name, as near to it as the scope allows.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let plain = identifier(name);
        let others = (2..).map(|number| format!("{plain}_{number}"));
        let mut candidates = [plain.clone(), format!("{plain}_")].into_iter().chain(others);
        let free = candidates.find(|candidate| !self.taken.contains(candidate));
        let free = free.unwrap_or(plain);
        self.taken.insert(free.clone());
        free
    }

    /// The first of these words that is free; the last one with something behind it if none is.
    pub(crate) fn take_first(&mut self, words: &[&str]) -> String {
        let free = words.iter().find(|word| !self.taken.contains(**word));
        self.take(free.or(words.last()).copied().unwrap_or("x"))
    }
}

/// Letters, digits and underscores that begin with a letter; primes become dots in words.
pub(crate) fn identifier(name: &str) -> String {
    let base = name.trim_end_matches('\'');
    let mut text = String::with_capacity(name.len());
    for character in base.chars() {
        match GREEK_LETTERS.iter().find(|(letter, _)| *letter == character) {
            Some((_, word)) => text += word,
            None if character.is_ascii_alphanumeric() || character == '_' => text.push(character),
            None => match subscript(character) {
                Some(digit) => text.push(digit),
                None if character.is_alphanumeric() => {
                    text += &format!("u{:x}", u32::from(character));
                }
                None => text.push('_'),
            },
        }
    }
    match name.len() - base.len() {
        0 => {}
        1 => text += "_dot",
        2 => text += "_ddot",
        primes => text += &format!("_dot{primes}"),
    }
    if !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        text.insert(0, 'x');
    }
    text.truncate(MAX_LENGTH);
    text
}

/// The digit of ₀ to ₉.
fn subscript(character: char) -> Option<char> {
    let at = u32::from(character).checked_sub(u32::from('₀'))?;
    char::from_digit(at, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_that_can_be_told_apart() {
        let mut scope = Identifiers::reserving(["int", "lambda"]);
        let names = ["int", "theta1'", "theta1_dot", "θ₁", "theta1", "crank.theta", "_x", "é", "I"];
        let found: Vec<String> = names.iter().map(|name| scope.take(name)).collect();
        let expected = [
            "int_",
            "theta1_dot",
            "theta1_dot_",
            "theta1",
            "theta1_",
            "crank_theta",
            "x_x",
            "ue9",
            "I",
        ];
        assert_eq!(found, expected);
        assert_eq!(scope.take("λ"), "lambda_");
        assert_eq!(scope.take("theta1"), "theta1_2");
        assert_eq!(scope.take("x''"), "x_ddot");
        assert_eq!(scope.take_first(&["int", "whole"]), "whole");
        assert_eq!(scope.take_first(&["int", "whole"]), "whole_");
    }
}
