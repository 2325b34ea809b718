//! How series are told apart: colour first, then the shape of marks and the dashes of lines.
//!
//! The colours are those of Okabe and Ito (2008), which stay distinct for colour-blind readers; their yellow is left
//! out, since it cannot be read on white.

use crate::colour_scale;
use crate::figure::{ColourBar, Panel};
use crate::series::{Colour, Dash};

/// Colours for vector graphics, in the order in which series take them.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"];

/// The same series on a dark ground.
const COLOURS_ON_DARK: [&str; 7] =
    ["#4fb0e8", "#ff8a47", "#33cc9f", "#e5a3c9", "#f2b63c", "#9ad6f7", "#d4d4d4"];

/// What stands in the legend for series whose colours mean numbers.
const NEUTRAL_COLOUR: &str = "#444444";
const NEUTRAL_COLOUR_ON_DARK: &str = "#bbbbbb";

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
    pub(crate) colour_on_dark: &'static str,
    pub(crate) dashes: &'static str,
    pub(crate) mark: Mark,
    pub(crate) terminal_colour: u8,
}

impl Pen {
    /// The pen of a series of a panel. Where dashes have a meaning, colours alone tell the rest.
    pub(crate) fn of(panel: &Panel, index: usize) -> Pen {
        let series = &panel.series[index];
        let pen = match series.colour {
            Colour::Position => Pen::numbered(index),
            Colour::Number(number) => Pen::numbered(number),
            Colour::Value(value) => {
                let neutral = (NEUTRAL_COLOUR, NEUTRAL_COLOUR_ON_DARK);
                let of_bar = |bar: &ColourBar| (bar.colour(value), bar.colour(value));
                let (colour, colour_on_dark) = panel.colour_bar.as_ref().map_or(neutral, of_bar);
                let terminal_colour = TERMINAL_COLOURS[index % TERMINAL_COLOURS.len()];
                Pen { colour, colour_on_dark, dashes: "", mark: MARKS[0], terminal_colour }
            }
        };
        match series.dash {
            Some(dash) => Pen { dashes: dash.lengths(), mark: MARKS[dash as usize], ..pen },
            None => pen,
        }
    }

    /// The pen that stands for a series in the legend, which lists equal names once.
    pub(crate) fn in_legend(panel: &Panel, index: usize) -> Pen {
        let pen = Pen::of(panel, index);
        match panel.series[index].colour {
            Colour::Value(_) => Pen { colour: NEUTRAL_COLOUR, ..pen },
            _ => pen,
        }
    }

    fn numbered(index: usize) -> Pen {
        let round = index / COLOURS.len();
        Pen {
            colour: COLOURS[index % COLOURS.len()],
            colour_on_dark: COLOURS_ON_DARK[index % COLOURS.len()],
            dashes: DASHES[round % DASHES.len()],
            // Shapes differ from the start, for print without colour, and shift by one whenever the colours repeat.
            mark: MARKS[(index + round) % MARKS.len()],
            terminal_colour: TERMINAL_COLOURS[index % TERMINAL_COLOURS.len()],
        }
    }
}

impl Dash {
    fn lengths(self) -> &'static str {
        DASHES[self as usize]
    }
}

impl ColourBar {
    fn colour(&self, value: f64) -> &'static str {
        let [low, high] = self.range.map(|end| self.scale.place(end).unwrap_or(0.0));
        let part = self.scale.place(value).map_or(0.0, |place| (place - low) / (high - low));
        let part = if part.is_finite() { part } else { 0.5 };
        colour_scale::shared(colour_scale::level(colour_scale::LINE_COLOURS * part.clamp(0.0, 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thirty_five_series_look_different() {
        for first in 0..35 {
            for second in 0..first {
                let (first, second) = (Pen::numbered(first), Pen::numbered(second));
                assert!(
                    first.colour != second.colour
                        || first.dashes != second.dashes && first.mark != second.mark
                );
            }
        }
    }
}
