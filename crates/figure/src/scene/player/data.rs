//! What the page's program gets: pieces, and the numbers that move them.

use super::Player;
use crate::scene::Scene;
use crate::scene::piece::Piece;
use catena_model::{Anchor, Carrier};
use std::fmt::Write;

impl Player {
    /// Everything as one JSON object that may stand inside a script element: what the page's program moves.
    pub fn data(&self) -> String {
        let frames = self.frames();
        let times = self.films.first().map_or(&[][..], |film| &film.scene.film.times[..frames]);
        let span = (times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0)).abs();
        let (speed, duration) = (self.first_speed(), self.seconds());
        let quoted = |text: &String| format!("\"{}\"", text.replace(['"', '\\'], "'"));
        let clock = self.clock.as_ref().map_or("null".to_owned(), |clock| {
            format!("[{}]", clock.each_ref().map(quoted).join(","))
        });
        let decimals = (2.0 - span.max(1e-9).log10().floor()).clamp(1.0, 9.0);
        let tail = (0.06 * frames as f64).clamp(20.0, 160.0);
        let films: Vec<String> = self.films.iter().map(|film| film.scene.data(frames)).collect();
        let plots = self.figure.as_ref().map_or("null".to_owned(), |figure| figure.data());
        format!(
            "{{\"times\":\"{}\",\"speed\":{speed},\"decimals\":{decimals},\"tail\":{tail:.0},\"duration\":{duration},\"clock\":{clock},\"films\":[{}],\"plots\":{plots}}}",
            floats(times),
            films.join(",")
        )
        // a script element ends at the first "</"
        .replace("</", "<\\/")
    }
}

impl Scene {
    /// The film and its pieces as a JSON object, with this many frames.
    pub(super) fn data(&self, frames: usize) -> String {
        let film = &self.film;
        let pieces: Vec<String> = self.pieces.iter().map(data).collect();
        let numbers: Vec<f64> =
            film.tracks.iter().flat_map(|track| track[..frames].iter().copied()).collect();
        let known = film.energy_error.iter().copied().filter(|error| error.is_finite());
        let energy_size = known.fold(1.0, f64::max);
        let [width, height] = [self.view.width, self.view.height];
        let corner = self.view.corner();
        let first = |errors: &[f64]| floats(&errors[..frames.min(errors.len())]);
        format!(
            "{{\"frames\":{frames},\"trackCount\":{},\"tracks\":\"{}\",\"scale\":{},\"corner\":[{},{}],\"width\":{width},\"height\":{height},\
             \"size\":{},\"forceScale\":{},\"energy\":\"{}\",\"constraint\":\"{}\",\"energySize\":{energy_size},\"constraintSize\":1,\"pieces\":[{}]}}",
            film.tracks.len(),
            floats(&numbers),
            self.view.scale,
            corner[0],
            corner[1],
            width.max(height),
            self.force_scale,
            first(&film.energy_error),
            first(&film.constraint_error),
            pieces.join(",")
        )
    }
}

/// A piece as the program reads it.
fn data(piece: &Piece) -> String {
    match piece {
        Piece::Rigid { carrier, .. } => {
            format!("{{\"k\":\"r\",\"c\":{:?}}}", crate::scene::tracks(*carrier))
        }
        Piece::Mark { at, .. } => format!("{{\"k\":\"m\",\"a\":{}}}", anchor(*at)),
        Piece::Pin { ends: [a, b], .. } => {
            format!("{{\"k\":\"p\",\"a\":{},\"b\":{}}}", anchor(*a), anchor(*b))
        }
        Piece::Span { ends: [a, b], span } => {
            let (letter, width, cylinder) = span.recipe();
            format!(
                "{{\"k\":\"s\",\"a\":{},\"b\":{},\"s\":\"{letter}\",\"w\":{width},\"c\":{cylinder}}}",
                anchor(*a),
                anchor(*b)
            )
        }
        Piece::Line { points, .. } => {
            let points: Vec<String> = points.iter().map(|at| anchor(*at)).collect();
            format!("{{\"k\":\"l\",\"p\":[{}]}}", points.join(","))
        }
        Piece::Trail { at, .. } => format!("{{\"k\":\"t\",\"a\":{}}}", anchor(*at)),
        Piece::Arrow { at, components: [x, y], applied } => {
            format!("{{\"k\":\"f\",\"a\":{},\"x\":{x},\"y\":{y},\"w\":{applied}}}", anchor(*at))
        }
        Piece::Name { at, .. } => format!("{{\"k\":\"n\",\"a\":{}}}", anchor(*at)),
        Piece::Centre { at } => format!("{{\"k\":\"c\",\"a\":{}}}", anchor(*at)),
    }
}

/// Where a point is on its carrier, and the tracks of that.
fn anchor(Anchor { carrier, at: [x, y] }: Anchor) -> String {
    // JSON knows finite numbers alone
    let [x, y] = [x, y].map(|value| if value.is_finite() { value } else { 0.0 });
    let mut text = format!("[{x},{y}");
    match carrier {
        Carrier::Ground => {}
        Carrier::Body([x, y, angle]) => {
            let _ = write!(text, ",{x},{y},{angle}");
        }
        Carrier::Point([x, y]) => {
            let _ = write!(text, ",{x},{y}");
        }
    }
    text.push(']');
    text
}

/// Numbers as base64 of little-endian floats of 32 bits.
fn floats(numbers: &[f64]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()).collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let padded = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, padded[0], padded[1], padded[2]]);
        for letter in 0..4 {
            let known = letter <= chunk.len();
            let index = (bits >> (18 - 6 * letter)) & 63;
            text.push(if known { char::from(LETTERS[index as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::floats;

    /// RFC 4648 has these letters for these bytes.
    #[test]
    fn numbers_are_base64_of_floats() {
        assert_eq!(floats(&[1.0]), "AACAPw==");
        assert_eq!(floats(&[1.0, -2.5]), "AACAPwAAIMA=");
        assert_eq!(floats(&[0.0, 0.0, 0.0]), "AAAAAAAAAAAAAAAA");
        assert_eq!(floats(&[]), "");
    }
}
