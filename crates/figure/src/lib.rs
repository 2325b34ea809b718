//! Plots, from results only: what is drawn here was computed elsewhere.
//!
//! A [`Figure`] is plain data: panels stacked from top to bottom, each with two axes and some series. It is drawn in
//! two ways that share ranges, ticks and the breaking of lines:
//!
//! - [`Figure::to_svg`] gives a vector graphic for a page or a paper. It stays small however long the series are.
//! - [`Panel::to_terminal`] gives text: Braille dots with axes, coloured by escape codes.
//!
//! [`Maps`] show a number for each cell of a plane by its colour.
//!
//! What cannot be drawn is left out and never an error: a value that is not a number breaks the line, as does a value
//! that is not positive on a logarithmic axis.
//!
//! ```
//! use catena_figure::{Axis, Figure, Panel, Series};
//!
//! let time: Vec<f64> = (0..=100).map(|step| 0.1 * f64::from(step)).collect();
//! let angle: Vec<f64> = time.iter().map(|t| (2.0 * t).cos()).collect();
//! let panel = Panel::new("Pendulum", Axis::linear("t, s"), Axis::linear("θ, rad"))
//!     .with(Series::line("θ", time, angle));
//!
//! println!("{}", panel.to_terminal(80, 20));
//! let picture = Figure::from(panel).to_svg();
//! assert!(picture.starts_with("<svg"));
//! ```

mod axis;
mod clip;
mod colour_scale;
mod drawing;
#[cfg(feature = "raster")]
mod export;
mod figure;
mod html;
mod ink;
mod label;
mod map;
mod markup;
mod palette;
mod range;
mod scene;
mod series;
mod svg;
mod terminal;
mod thin;
mod ticks;
mod trace;

pub use axis::{Axis, Scale};
pub use drawing::Drawing;
#[cfg(feature = "raster")]
pub use export::{PIXELS_PER_INCH, pdf, png, rgba};
pub use figure::{ColourBar, Figure, PageSize, Panel};
pub use html::{page_head, plot_script, plot_style};
pub use map::{Map, Maps};
pub use scene::{
    Filmed, Gallery, GalleryEntry, Pace, Player, Scene, Still, StillOptions, film_lines,
    film_place, film_size, scene_script, scene_style,
};
#[cfg(feature = "raster")]
pub use scene::{GifClock, gif};
pub use series::{Colour, Dash, Series, Style};
pub use svg::escaped;
