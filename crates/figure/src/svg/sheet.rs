//! The sheet that is drawn on: a part of a screen, or of a page in print.
//!
//! The unit of a drawing is such that usual text is 12 units high: 12 pixels on a screen and 8 points in print. A smaller
//! figure in print is therefore drawn with fewer units, not with smaller letters.

use super::text::{escaped, number};
use crate::figure::PageSize;
use std::fmt::Write;

/// The width of a figure on a screen.
const SCREEN_WIDTH: f64 = 800.0;

const MILLIMETRES_PER_INCH: f64 = 25.4;
const POINTS_PER_INCH: f64 = 72.0;

/// The size of usual text in print, and in units of the drawing.
const PRINTED_TEXT_POINTS: f64 = 8.0;
pub(super) const TEXT_SIZE: f64 = 12.0;

/// Narrower figures are drawn with this many units all the same, in smaller letters: nothing else would fit.
const MIN_WIDTH: f64 = 170.0;

/// Figures that are narrower than this have their legends above and not beside their panels.
const MIN_WIDTH_FOR_SIDE_LEGENDS: f64 = 560.0;

/// Where a figure is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    /// Units of the drawing.
    pub(super) width: f64,
    /// Units of the drawing, where it is given.
    pub(super) height: Option<f64>,
    /// In print, millimetres of a unit.
    millimetres: Option<f64>,
    /// The sizes of letters in the title of the figure and in those of panels.
    pub(super) title_size: f64,
    pub(super) panel_title_size: f64,
}

impl Sheet {
    pub(super) fn of(size: Option<PageSize>) -> Sheet {
        let Some(size) = size else {
            return Sheet {
                width: SCREEN_WIDTH,
                height: None,
                millimetres: None,
                title_size: 16.0,
                panel_title_size: 13.0,
            };
        };
        let usual = PRINTED_TEXT_POINTS / TEXT_SIZE * MILLIMETRES_PER_INCH / POINTS_PER_INCH;
        let width = (size.width / usual).max(MIN_WIDTH);
        let millimetres = size.width / width;
        Sheet {
            width,
            height: size.height.map(|height| height / millimetres),
            millimetres: Some(millimetres),
            // 9 points and 8 points
            title_size: 13.5,
            panel_title_size: TEXT_SIZE,
        }
    }

    /// What stays free around everything.
    pub(super) fn margin(&self) -> f64 {
        if self.millimetres.is_some() { 4.0 } else { 16.0 }
    }

    pub(super) fn has_side_legends(&self) -> bool {
        self.width >= MIN_WIDTH_FOR_SIDE_LEGENDS
    }

    /// The height of each of several panels, where the whole height is not given.
    pub(super) fn plot_height(&self, panels: usize) -> f64 {
        let part = match (panels, self.has_side_legends()) {
            (0 | 1, true) => 0.5,
            (2, true) => 0.3125,
            (_, true) => 0.2375,
            (0 | 1, false) => 0.62,
            (2, false) => 0.42,
            _ => 0.34,
        };
        part * self.width
    }

    /// The beginning of the document: its size, its metadata and a white ground.
    pub(super) fn begin(&self, height: f64, title: &str, description: &str, fonts: &str) -> String {
        let (width, tall) = (number(self.width), number(height));
        let shown = |units: f64| match self.millimetres {
            Some(unit) => format!("{}mm", number(unit * units)),
            None => number(units),
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
             viewBox=\"0 0 {width} {tall}\" font-family=\"{fonts}\" font-size=\"12\" role=\"img\" \
             aria-label=\"{}\">\n",
            shown(self.width),
            shown(height),
            escaped(title)
        );
        for (name, text) in [("title", title), ("desc", description)] {
            if !text.is_empty() {
                let _ = writeln!(svg, "<{name}>{}</{name}>", escaped(text));
            }
        }
        let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{tall}\" fill=\"#ffffff\"/>");
        svg
    }
}
