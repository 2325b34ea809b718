//! How series are told apart: colour first, then the shape of marks and the dashes of lines.
//!
//! The colours are those of Okabe and Ito (2008), which stay distinct for colour-blind readers; their yellow is left
//! out, since it cannot be read on white.

/// Colours for vector graphics, in the order in which series take them.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"];

/// The dashes a line takes on once all colours are used; empty for a solid line.
const DASHES: [&str; 5] = ["", "7 3", "2 2.5", "9 3 2 3", "12 3"];

/// Colours of the usual table of 256, close to those above and readable on black and on white; then others.
const TERMINAL_COLOURS: [u8; 14] =
    [33, 202, 36, 175, 214, 75, 245, 160, 99, 106, 130, 30, 205, 143];

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Circle,
    Square,
    Triangle,
    Diamond,
    InvertedTriangle,
    Plus,
    Cross,
}

const MARKS: [Mark; 7] = [
    Mark::Circle,
    Mark::Square,
    Mark::Triangle,
    Mark::Diamond,
    Mark::InvertedTriangle,
    Mark::Plus,
    Mark::Cross,
];

impl Mark {
    /// The mark as one character.
    pub(crate) fn glyph(self) -> char {
        match self {
            Mark::Circle => '●',
            Mark::Square => '■',
            Mark::Triangle => '▲',
            Mark::Diamond => '◆',
            Mark::InvertedTriangle => '▼',
            Mark::Plus => '+',
            Mark::Cross => '×',
        }
    }
}

/// What one series is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pen {
    pub(crate) colour: &'static str,
    pub(crate) dashes: &'static str,
    pub(crate) mark: Mark,
    pub(crate) terminal_colour: u8,
}

impl Pen {
    /// The pen of the series at this position.
    pub(crate) fn of(index: usize) -> Pen {
        let round = index / COLOURS.len();
        Pen {
            colour: COLOURS[index % COLOURS.len()],
            dashes: DASHES[round % DASHES.len()],
            // Shapes differ from the start, for print without colour, and shift by one whenever the colours repeat.
            mark: MARKS[(index + round) % MARKS.len()],
            terminal_colour: TERMINAL_COLOURS[index % TERMINAL_COLOURS.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thirty_five_series_look_different() {
        for first in 0..35 {
            for second in 0..first {
                let (first, second) = (Pen::of(first), Pen::of(second));
                assert!(
                    first.colour != second.colour
                        || first.dashes != second.dashes && first.mark != second.mark
                );
            }
        }
    }
}
