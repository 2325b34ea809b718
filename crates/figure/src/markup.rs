//! Labels with mathematics: `$θ̇_{1}$, rad/s`.
//!
//! Between dollar signs a single letter is a quantity and slanted, a word is not; `_{…}` is lowered and `^{…}` raised.
//! Everywhere, raised and lowered digits of Unicode are set as raised and lowered text, since few fonts have them all.

use std::fmt::Write;

/// How high a piece of text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Line,
    Raised,
    Lowered,
}

/// A piece of text that is set in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) level: Level,
    pub(crate) slanted: bool,
}

/// Digits and the minus sign in the line, raised and lowered.
const SHIFTED: [(char, char, char); 11] = [
    ('0', '⁰', '₀'),
    ('1', '¹', '₁'),
    ('2', '²', '₂'),
    ('3', '³', '₃'),
    ('4', '⁴', '₄'),
    ('5', '⁵', '₅'),
    ('6', '⁶', '₆'),
    ('7', '⁷', '₇'),
    ('8', '⁸', '₈'),
    ('9', '⁹', '₉'),
    ('−', '⁻', '₋'),
];

/// Whether a character is set on the one before it and takes no room.
pub(crate) fn is_combining(character: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&character)
}

/// The pieces of a label, in order.
pub(crate) fn pieces(label: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // an odd number of dollar signs is an amount of money
    let is_markup = label.matches('$').count().is_multiple_of(2);
    for (at, part) in label.split('$').enumerate() {
        match is_markup {
            true if at % 2 == 1 => mathematics(part, &mut pieces),
            true => plain_text(part, &mut pieces),
            false if at > 0 => plain_text(&format!("${part}"), &mut pieces),
            false => plain_text(part, &mut pieces),
        }
    }
    pieces
}

fn push(pieces: &mut Vec<Piece>, character: char, level: Level, slanted: bool) {
    match pieces.last_mut() {
        Some(last) if last.level == level && last.slanted == slanted => last.text.push(character),
        _ => pieces.push(Piece { text: character.into(), level, slanted }),
    }
}

fn plain_text(text: &str, pieces: &mut Vec<Piece>) {
    for character in text.chars() {
        let shifted = SHIFTED.iter().find_map(|(plain, raised, lowered)| match character {
            _ if character == *raised => Some((*plain, Level::Raised)),
            _ if character == *lowered => Some((*plain, Level::Lowered)),
            _ => None,
        });
        let (character, level) = shifted.unwrap_or((character, Level::Line));
        push(pieces, character, level, false);
    }
}

fn mathematics(text: &str, pieces: &mut Vec<Piece>) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let level = match first {
            '_' => Level::Lowered,
            '^' => Level::Raised,
            _ => Level::Line,
        };
        if level != Level::Line
            && let Some((inside, behind)) =
                rest[1..].strip_prefix('{').and_then(|part| part.split_once('}'))
        {
            inside.chars().for_each(|character| push(pieces, character, level, false));
            rest = behind;
            continue;
        }
        let end = rest.find(|c: char| !c.is_alphabetic() && !is_combining(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end.max(first.len_utf8()));
        let letters = word.chars().filter(|character| character.is_alphabetic()).count();
        word.chars().for_each(|character| push(pieces, character, Level::Line, letters == 1));
        rest = behind;
    }
}

/// The label as plain text: digits below the line where Unicode has them.
pub(crate) fn unicode(label: &str) -> String {
    let mut text = String::new();
    for piece in pieces(label) {
        let shifted: Option<String> = piece
            .text
            .chars()
            .map(|character| {
                let found = SHIFTED.iter().find(|(plain, _, _)| *plain == character)?;
                Some(if piece.level == Level::Raised { found.1 } else { found.2 })
            })
            .collect();
        match (piece.level, shifted) {
            (Level::Line, _) => text.push_str(&piece.text),
            (_, Some(shifted)) => text.push_str(&shifted),
            (Level::Raised, None) => {
                let _ = write!(text, "^{}", piece.text);
            }
            (Level::Lowered, None) => {
                let _ = write!(text, "_{}", piece.text);
            }
        }
    }
    text
}

/// The label as markup of a page.
pub(crate) fn html(label: &str) -> String {
    let mut markup = String::new();
    for piece in pieces(label) {
        let text = crate::svg::escaped(&piece.text);
        let text = if piece.slanted { format!("<i>{text}</i>") } else { text };
        let _ = match piece.level {
            Level::Line => write!(markup, "{text}"),
            Level::Raised => write!(markup, "<sup>{text}</sup>"),
            Level::Lowered => write!(markup, "<sub>{text}</sub>"),
        };
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_slanted_and_words_are_not() {
        assert_eq!(html("$θ̇_{1}$, rad/s"), "<i>θ̇</i><sub>1</sub>, rad/s");
        assert_eq!(html("$energy$"), "energy");
        assert_eq!(html("$x_{B}$ < 2"), "<i>x</i><sub>B</sub> &lt; 2");
    }

    #[test]
    fn digits_of_unicode_are_raised_and_lowered() {
        assert_eq!(html("m/s², 10⁻³, θ₁"), "m/s<sup>2</sup>, 10<sup>−3</sup>, θ<sub>1</sub>");
    }

    #[test]
    fn a_terminal_gets_the_digits_that_unicode_has() {
        assert_eq!(unicode("$θ̇_{12}$, $x_{B}$, $c^{2}$"), "θ̇₁₂, x_B, c²");
        assert_eq!(unicode("costs $5"), "costs $5");
    }
}
