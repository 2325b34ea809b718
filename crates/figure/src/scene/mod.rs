//! Mechanisms as people draw them, at one moment, at several, or moving.
//!
//! A [`Film`] says what there is and where it is in every frame. A [`Scene`] turns its parts into pieces that can be
//! moved without being drawn again: shapes that are rigid, marks that stay upright, and springs and lines between
//! points. Pictures and players show the same pieces.

mod frames;
#[cfg(feature = "raster")]
mod gif;
mod labels;
mod outline;
mod piece;
mod pieces;
mod player;
mod span;
mod still;
mod teeth;
mod view;
mod world;

#[cfg(feature = "raster")]
pub use gif::{GifClock, gif};
pub use player::{Filmed, Gallery, GalleryEntry, Pace, Player, scene_script, scene_style};
pub use still::{Still, StillOptions};

use catena_model::{Anchor, Carrier, Film};
use piece::Piece;
use view::View;

/// A film, laid out in a picture.
pub struct Scene {
    title: String,
    film: Film,
    view: View,
    pieces: Vec<Piece>,
    /// How long the arrow of 1 N is, px; 0 if nobody pulls.
    force_scale: f64,
}

impl Scene {
    /// Lays out a film; a film without frames or parts has nothing to show.
    pub fn new(title: &str, film: Film) -> Option<Scene> {
        if film.is_empty() {
            return None;
        }
        let view = View::around(&film);
        let mut pieces = pieces::pieces(&film, &view);
        labels::place_names(&film, &view, &mut pieces);
        let force_scale = view.force_scale(&film, &pieces);
        Some(Scene { title: title.to_owned(), film, view, pieces, force_scale })
    }
}

/// Where a point of a film is in a frame, m.
pub fn film_place(film: &Film, anchor: Anchor, frame: usize) -> [f64; 2] {
    world::place(film, anchor, frame)
}

/// How large what a film shows is, m.
pub fn film_size(film: &Film) -> f64 {
    if film.is_empty() { 1.0 } else { view::size(film) }
}

/// The points of every part of a film in a frame, part by part, m: for plots of poses.
pub fn film_lines(film: &Film, frame: usize) -> Vec<Vec<[f64; 2]>> {
    view::lines(film, frame)
}

/// The tracks of a carrier.
fn tracks(carrier: Carrier) -> Vec<usize> {
    match carrier {
        Carrier::Ground => Vec::new(),
        Carrier::Body(tracks) => tracks.to_vec(),
        Carrier::Point(tracks) => tracks.to_vec(),
    }
}
