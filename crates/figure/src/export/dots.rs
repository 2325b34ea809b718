//! Dots over Greek letters, θ̇ and φ̈. The font has them but does not say where they go over letters that no language
//! dots, so that they are placed here by the outlines.

use ttf_parser::{Face, Rect};

/// (combining mark, the same as a letter of its own)
const MARKS: [(char, char); 2] = [('\u{307}', '˙'), ('\u{308}', '¨')];

/// Between a letter and its dots, in parts of the size.
const GAP: f64 = 0.07;

/// What carries the way back to the line, and is not seen.
const WIDTHLESS: char = '\u{200b}';

/// How far slanted letters lean to the right, for each height of one.
const SLANT: f64 = 0.21;

/// The graphic with marks over Greek letters as text of its own, moved to where it belongs.
pub(super) fn placed(svg: &str) -> String {
    if !svg.contains(MARKS.map(|(mark, _)| mark)) {
        return svg.to_owned();
    }
    let mut drawn = String::with_capacity(svg.len());
    for (at, part) in svg.split("<text").enumerate() {
        let (text, rest) = match part.split_once("</text>") {
            Some((text, rest)) if at > 0 => (text, rest),
            _ => ("", part),
        };
        if at > 0 {
            drawn.push_str("<text");
        }
        if !text.is_empty() {
            drawn.push_str(&with_marks(text));
            drawn.push_str("</text>");
        }
        drawn.push_str(rest);
    }
    drawn
}

fn with_marks(text: &str) -> String {
    let mut placed = String::with_capacity(text.len());
    let mut letter = None;
    for character in text.chars() {
        let mark = MARKS.iter().find(|(mark, _)| *mark == character);
        match (mark, letter.filter(|letter| ('\u{370}'..='\u{3ff}').contains(letter))) {
            (Some((_, alone)), Some(letter)) => {
                let is_slanted =
                    placed.rsplit('<').next().is_some_and(|tag| tag.contains("italic"));
                placed.push_str(&shifted(letter, *alone, is_slanted).unwrap_or(character.into()));
            }
            _ => placed.push(character),
        }
        letter = Some(character);
    }
    placed
}

/// The mark behind a letter, moved over it, and the way back to where the line goes on.
fn shifted(letter: char, mark: char, is_slanted: bool) -> Option<String> {
    let data = if is_slanted { notosans::ITALIC_TTF } else { notosans::REGULAR_TTF };
    let face = Face::parse(data, 0).ok()?;
    let size = f64::from(face.units_per_em());
    let (letter_box, letter_advance) = outline(&face, letter)?;
    let (mark_box, _) = outline(&face, mark)?;
    let middle = |outline: Rect| 0.5 * f64::from(outline.x_min + outline.x_max);
    let up = (f64::from(letter_box.y_max) + GAP * size - f64::from(mark_box.y_min)).max(0.0);
    // the box of a slanted letter has its middle half way up
    let lean = if is_slanted { SLANT * up } else { 0.0 };
    let back = middle(letter_box) + lean - letter_advance - middle(mark_box);
    // the font counts these letters among the marks, which take no room
    let on = -back;
    let [back, up, on] = [back, up, on].map(|length| format!("{:.3}em", length / size));
    Some(format!(
        "<tspan dx=\"{back}\" dy=\"-{up}\">{mark}</tspan><tspan dx=\"{on}\" dy=\"{up}\">{WIDTHLESS}</tspan>"
    ))
}

fn outline(face: &Face, character: char) -> Option<(Rect, f64)> {
    let glyph = face.glyph_index(character)?;
    Some((face.glyph_bounding_box(glyph)?, f64::from(face.glyph_hor_advance(glyph)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marks_over_greek_letters_in_texts_are_moved() {
        for same in ["<text>ẋ x\u{307}</text>", "<title>θ̇</title>", "<g/>"] {
            assert_eq!(placed(same), same);
        }
        let dotted = placed("<svg><title>θ̇</title><text x=\"1\">θ̇<tspan>1</tspan></text></svg>");
        assert!(
            dotted.starts_with("<svg><title>θ̇</title><text x=\"1\">θ<tspan dx=\"-"),
            "{dotted}"
        );
        assert!(dotted.ends_with("</tspan><tspan>1</tspan></text></svg>") && dotted.contains('˙'));
    }
}
