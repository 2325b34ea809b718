//! A picture of one moment, or of several in one place.

use super::Scene;
use super::frames::Shown;
use super::outline::px;
use super::piece::Piece;
use super::player::round_down;
use crate::drawing::Drawing;
use crate::html::page_head;
use crate::svg::escaped;
use std::fmt::Write;

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct StillOptions {
    /// Frames that are drawn; earlier ones are pale, the last one is not.
    pub frames: Vec<usize>,
    /// Names of bodies and joints.
    pub names: bool,
    /// Centres of mass.
    pub centres: bool,
    /// What joints do, as arrows to scale.
    pub forces: bool,
    /// The paths of points up to the last frame.
    pub trails: bool,
    /// A line below the picture; may be empty.
    pub caption: String,
}

impl Default for StillOptions {
    /// The first frame, with nothing but the mechanism.
    fn default() -> StillOptions {
        let caption = String::new();
        StillOptions {
            frames: vec![0],
            names: false,
            centres: false,
            forces: false,
            trails: false,
            caption,
        }
    }
}

/// A picture of a scene, ready for every format.
pub struct Still<'a> {
    /// What is drawn.
    pub scene: &'a Scene,
    /// And what of it.
    pub options: StillOptions,
}

impl Drawing for Still<'_> {
    fn to_svg(&self) -> String {
        self.scene.still(&self.options)
    }

    fn to_html(&self) -> String {
        let style = "body{margin:0;background:#fff}svg{display:block;margin:auto;max-width:100%;height:auto}";
        let head = page_head(&self.scene.title, style);
        format!("{head}<body>\n{}</body>\n</html>\n", self.to_svg())
    }
}

/// Room above and below the mechanism, px.
const HEADING: f64 = 26.0;
const FOOT: f64 = 26.0;
/// How visible the first of several poses is, and the last but one.
const PALEST: f64 = 0.16;
const LESS_PALE: f64 = 0.5;

/// The colours of pictures on paper.
const STYLE: &str = include_str!("still.css");

impl Scene {
    /// Width and height of [`Scene::still`], px.
    pub(super) fn still_size(&self) -> [f64; 2] {
        [self.view.width, self.view.height + HEADING + FOOT]
    }

    /// The picture as a complete SVG document.
    pub fn still(&self, options: &StillOptions) -> String {
        let [width, height] = self.still_size();
        let mut svg = format!(
            "<svg class=\"still\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\
             <style>{STYLE}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>",
            w = px(width),
            h = px(height)
        );
        if !self.title.is_empty() {
            let _ = write!(
                svg,
                "<text class=\"title\" x=\"{}\" y=\"19\">{}</text>",
                px(0.5 * width),
                escaped(&self.title)
            );
        }
        let _ = write!(svg, "<g transform=\"translate(0 {HEADING})\">");
        self.draw_frames(&mut svg, options);
        svg.push_str("</g>");
        self.draw_foot(&mut svg, options, height);
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_frames(&self, svg: &mut String, options: &StillOptions) {
        let last = options.frames.len().saturating_sub(1);
        for (number, &frame) in options.frames.iter().enumerate() {
            let shown = match number == last {
                true => Shown {
                    names: options.names,
                    centres: options.centres,
                    forces: options.forces,
                    trails: options.trails,
                },
                false => Shown::default(),
            };
            let opacity = match number == last {
                true => 1.0,
                false => PALEST + (LESS_PALE - PALEST) * number as f64 / last as f64,
            };
            let _ = write!(svg, "<g opacity=\"{}\">", px(opacity));
            for piece in &self.pieces {
                // what stands still is drawn once
                if number == last || !self.stands_still(piece) {
                    svg.push_str(&self.markup(piece, frame, shown));
                }
            }
            svg.push_str("</g>");
        }
    }

    fn stands_still(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Rigid { carrier, .. } => super::tracks(*carrier).is_empty(),
            Piece::Mark { at, .. } => at.is_fixed(),
            _ => false,
        }
    }

    /// A scale of lengths, one of forces, and the caption.
    fn draw_foot(&self, svg: &mut String, options: &StillOptions, height: f64) {
        let y = height - 12.0;
        let mut x = 12.0;
        let (length, bar) = nice(90.0, self.view.scale);
        scale_bar(svg, "scale", [x, y], bar, &format!("{length} m"));
        x += bar + 60.0;
        if options.forces && self.force_scale > 0.0 {
            let (force, bar) = nice(60.0, self.force_scale);
            scale_bar(svg, "arrow", [x, y], bar, &format!("{force} N"));
        }
        if !options.caption.is_empty() {
            let _ = write!(
                svg,
                "<text class=\"caption\" x=\"{}\" y=\"{}\">{}</text>",
                px(self.view.width - 12.0),
                px(y + 4.0),
                escaped(&options.caption)
            );
        }
    }
}

/// A length with what it stands for: a line between two marks, or an arrow.
pub(super) fn scale_bar(svg: &mut String, class: &str, [x, y]: [f64; 2], length: f64, text: &str) {
    let (left, right, y_px) = (px(x), px(x + length), px(y));
    let ends = match class {
        "arrow" => super::frames::arrow([x, y], [x + length, y]),
        _ => format!(
            "M{left} {0}V{1}M{left} {y_px}H{right}M{right} {0}V{1}",
            px(y - 4.0),
            px(y + 4.0)
        ),
    };
    let _ = write!(
        svg,
        "<path class=\"{class}\" d=\"{ends}\"/><text class=\"small\" x=\"{}\" y=\"{}\">{text}</text>",
        px(x + length + 6.0),
        px(y + 4.0)
    );
}

/// The largest of 1, 2 and 5 times a power of ten that takes at most this many px, and its length in px.
pub(super) fn nice(room: f64, scale: f64) -> (f64, f64) {
    let value = round_down(room / scale);
    (value, value * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_numbers_that_fit() {
        for scale in [0.013, 1.0, 77.0, 3.2e5] {
            let (value, length) = nice(90.0, scale);
            assert!(length <= 90.0 && length > 90.0 / 2.6, "{scale}: {value} takes {length} px");
        }
        assert_eq!(nice(90.0, 100.0).0, 0.5);
    }
}
