//! What every picture can do, whatever it shows.

use crate::figure::Figure;
use crate::map::Maps;

/// Dots of an inch of a picture for screens: twice those of a style sheet, for screens with fine dots.
const SCREEN_DOTS_PER_INCH: f64 = 192.0;

/// Dots of an inch in print, as journals ask for line drawings.
const PRINT_DOTS_PER_INCH: f64 = 600.0;

/// A picture that can be written in every format.
pub trait Drawing {
    /// A complete SVG document.
    fn to_svg(&self) -> String;

    /// A complete page that needs no network.
    fn to_html(&self) -> String;

    /// How many dots an inch has where the picture becomes pixels.
    fn dots_per_inch(&self) -> f64 {
        SCREEN_DOTS_PER_INCH
    }
}

impl Drawing for Figure {
    fn dots_per_inch(&self) -> f64 {
        if self.size.is_some() { PRINT_DOTS_PER_INCH } else { SCREEN_DOTS_PER_INCH }
    }

    fn to_svg(&self) -> String {
        Figure::to_svg(self)
    }

    fn to_html(&self) -> String {
        Figure::to_html(self)
    }
}

impl Drawing for Maps {
    fn dots_per_inch(&self) -> f64 {
        if self.size.is_some() { PRINT_DOTS_PER_INCH } else { SCREEN_DOTS_PER_INCH }
    }

    fn to_svg(&self) -> String {
        Maps::to_svg(self)
    }

    fn to_html(&self) -> String {
        Maps::to_html(self)
    }
}
