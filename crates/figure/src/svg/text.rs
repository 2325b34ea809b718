//! Text and numbers inside the document.

use crate::markup::{Level, Piece, is_combining, pieces, unicode};
use std::fmt::Write;

/// The size of raised and lowered text, as a part of that in the line.
const SHIFTED_SIZE: f64 = 0.75;

/// Which part of the text lies at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Where and how a text is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub(super) x: f64,
    pub(super) baseline: f64,
    pub(super) anchor: Anchor,
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) colour: &'static str,
    /// Turned to be read from below.
    pub(super) upright: bool,
}

impl Text {
    pub(super) fn at(x: f64, baseline: f64, anchor: Anchor) -> Text {
        Text { x, baseline, anchor, size: 12.0, bold: false, colour: "#222222", upright: false }
    }

    /// Writes the text as it is.
    pub(super) fn write(&self, svg: &mut String, text: &str) {
        self.write_markup(svg, &escaped(text));
    }

    /// Writes a label or a number, with what is raised, lowered or slanted in it.
    pub(super) fn write_label(&self, svg: &mut String, label: &str) {
        let mut markup = String::new();
        // the line stays shifted until it is shifted back
        let mut shifted = 0.0;
        for piece in pieces(label) {
            let shift = self.size
                * match piece.level {
                    Level::Line => 0.0,
                    Level::Raised => -0.4,
                    Level::Lowered => 0.2,
                };
            let mut attributes = String::new();
            if piece.level != Level::Line {
                let _ = write!(attributes, " font-size=\"{}\"", number(SHIFTED_SIZE * self.size));
            }
            if piece.slanted {
                attributes.push_str(" font-style=\"italic\"");
            }
            if shift != shifted {
                let _ = write!(attributes, " dy=\"{}\"", number(shift - shifted));
            }
            shifted = shift;
            let text = escaped(&piece.text);
            let _ = match attributes.is_empty() {
                true => write!(markup, "{text}"),
                false => write!(markup, "<tspan{attributes}>{text}</tspan>"),
            };
        }
        self.write_markup(svg, &markup);
    }

    fn write_markup(&self, svg: &mut String, markup: &str) {
        let (x, y) = (number(self.x), number(self.baseline));
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{}\"", self.colour);
        match self.anchor {
            Anchor::Start => {}
            Anchor::Middle => svg.push_str(" text-anchor=\"middle\""),
            Anchor::End => svg.push_str(" text-anchor=\"end\""),
        }
        if self.size != 12.0 {
            let _ = write!(svg, " font-size=\"{}\"", number(self.size));
        }
        if self.bold {
            svg.push_str(" font-weight=\"600\"");
        }
        if self.upright {
            let _ = write!(svg, " transform=\"rotate(-90 {x} {y})\"");
        }
        let _ = writeln!(svg, ">{markup}</text>");
    }
}

/// The text as it may stand inside an element or an attribute.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            // XML has no way to write most of these, not even escaped.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A coordinate with two decimals at most: a hundredth of a pixel cannot be seen.
pub(super) fn number(value: f64) -> String {
    let rounded = format!("{value:.2}");
    let trimmed = rounded.trim_end_matches('0').trim_end_matches('.');
    if trimmed == "-0" { "0".to_owned() } else { trimmed.to_owned() }
}

/// About how wide a label is. The font of the reader is unknown, so the estimate is on the wide side.
pub(super) fn text_width(label: &str, size: f64) -> f64 {
    let width = |piece: &Piece| {
        let width: f64 = piece.text.chars().map(character_width).sum();
        if piece.level == Level::Line { width } else { SHIFTED_SIZE * width }
    };
    size * pieces(label).iter().map(width).sum::<f64>()
}

/// The width of a character as a part of the size, after Helvetica and its kin.
fn character_width(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'I' => 0.3,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '"' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' => 0.9,
        'A'..='Z' => 0.7,
        '−' | '+' | '×' | '=' | '<' | '>' => 0.62,
        _ if is_combining(character) => 0.0,
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'.. => 1.05,
        _ => 0.58,
    }
}

/// A text that is wider than its room by less than this fits: the room is often made for it, and a sum of
/// distances is right to rounding only.
const OVERHANG_TOLERANCE: f64 = 0.01;

/// The label, cut with an ellipsis if it is wider than `width`; then it is plain text.
pub(super) fn shortened(label: &str, size: f64, width: f64) -> String {
    if text_width(label, size) <= width + OVERHANG_TOLERANCE {
        return label.to_owned();
    }
    let text = unicode(label);
    let room = width - text_width("…", size);
    let mut used = 0.0;
    let kept = text.chars().take_while(|character| {
        used += size * character_width(*character);
        used <= room
    });
    kept.collect::<String>().trim_end().to_owned() + "…"
}

/// The text in lines of at most `width`, broken between words; a longer word is cut.
pub(super) fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + 0.3 * size <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, size, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_two_decimals_at_most() {
        assert_eq!(
            ["12.35", "3", "0", "-1.5"],
            [12.345_678, 3.0, -0.001, -1.5].map(number).each_ref().map(|s| &**s)
        );
    }

    #[test]
    fn markup_in_texts_is_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1b}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }

    #[test]
    fn exponents_are_raised_and_lowered_again() {
        let mut svg = String::new();
        Text { size: 10.0, ..Text::at(0.0, 0.0, Anchor::Start) }.write_label(&mut svg, "×10⁻⁶ + 2");
        assert!(
            svg.contains(
                "×10<tspan font-size=\"7.5\" dy=\"-4\">−6</tspan><tspan dy=\"4\"> + 2</tspan>"
            ),
            "{svg}"
        );
    }

    #[test]
    fn long_texts_are_cut_or_broken() {
        assert_eq!(shortened("multiplier", 10.0, 30.0), "mult…");
        assert_eq!(wrapped("a long title of words", 10.0, 60.0), ["a long title", "of words"]);
        assert!(wrapped("", 10.0, 60.0).is_empty());
    }
}
