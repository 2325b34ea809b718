//! Pieces as markup in a frame.

use super::Scene;
use super::outline::{path, px};
use super::piece::Piece;
use super::world::{Vector, along, distance, place, pose};
use crate::svg::escaped;
use catena_model::{Anchor, Carrier};

/// What is shown besides the mechanism itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) names: bool,
    pub(super) centres: bool,
    pub(super) forces: bool,
    /// The way points have come.
    pub(super) trails: bool,
}

/// Ends of a joint that are farther apart than this, px, are drawn as a gap.
const VISIBLE_GAP: f64 = 1.0;

impl Scene {
    /// A point in a frame, px.
    pub(super) fn at(&self, anchor: Anchor, frame: usize) -> Vector {
        self.view.point(place(&self.film, anchor, frame))
    }

    /// Where a carrier is in a frame, as a transformation.
    pub(super) fn transform(&self, carrier: Carrier, frame: usize) -> String {
        let (origin, angle) = pose(&self.film, carrier, frame);
        let [x, y] = self.view.point(origin);
        let degrees = (-angle.to_degrees()).rem_euclid(360.0);
        format!("translate({} {}) rotate({})", px(x), px(y), px(degrees))
    }

    /// Whether the film knows where a piece is in a frame; lines and paths may have gaps.
    fn is_placed(&self, piece: &Piece, frame: usize) -> bool {
        let is_known = |anchor: &Anchor| self.at(*anchor, frame).iter().all(|x| x.is_finite());
        match piece {
            Piece::Rigid { carrier, .. } => {
                let (_, angle) = pose(&self.film, *carrier, frame);
                is_known(&Anchor { carrier: *carrier, at: [0.0, 0.0] }) && angle.is_finite()
            }
            Piece::Pin { ends, .. } | Piece::Span { ends, .. } => ends.iter().all(is_known),
            Piece::Mark { at, .. } | Piece::Name { at, .. } | Piece::Centre { at } => is_known(at),
            Piece::Line { .. } | Piece::Trail { .. } | Piece::Arrow { .. } => true,
        }
    }

    /// A piece in a frame; nothing if it is not shown or not known.
    pub(super) fn markup(&self, piece: &Piece, frame: usize, shown: Shown) -> String {
        if !self.is_placed(piece, frame) {
            return String::new();
        }
        let at = |anchor: &Anchor| self.at(*anchor, frame);
        match piece {
            Piece::Rigid { carrier, markup } => {
                format!("<g transform=\"{}\">{markup}</g>", self.transform(*carrier, frame))
            }
            Piece::Mark { at: anchor, markup } => {
                let [x, y] = at(anchor);
                format!("<g transform=\"translate({} {})\">{markup}</g>", px(x), px(y))
            }
            Piece::Pin { ends, radius, welded } => {
                pin(ends.each_ref().map(at), *radius, *welded, self.view.scale)
            }
            Piece::Span { ends, span } => {
                let [a, b] = ends.each_ref().map(at);
                format!(
                    "<path class=\"{}\" stroke-width=\"{}\" d=\"{}\"/>",
                    span.class(),
                    px(span.stroke_width()),
                    span.path(a, b)
                )
            }
            Piece::Line { points, class, width } => {
                let shown: Vec<Vector> = points.iter().map(at).collect();
                let d = path(&shown, false);
                format!("<path class=\"{class}\" stroke-width=\"{}\" d=\"{d}\"/>", px(*width))
            }
            Piece::Trail { at: anchor, colour } if shown.trails => {
                let points: Vec<Vector> =
                    (0..=frame).map(|before| self.at(*anchor, before)).collect();
                format!("<path class=\"trail t{colour}\" d=\"{}\"/>", path(&points, false))
            }
            Piece::Arrow { at: anchor, components, applied } if shown.forces || *applied => {
                let [x, y] = components.map(|track| self.film.tracks[track][frame]);
                let class = if *applied { "arrow applied" } else { "arrow" };
                let tip = along(at(anchor), self.force_scale, [x, -y]);
                format!("<path class=\"{class}\" d=\"{}\"/>", arrow(at(anchor), tip))
            }
            Piece::Name { at: anchor, text, offset } if shown.names => {
                let [x, y] = at(anchor);
                let (x, y) = (px(x + offset[0]), px(y + offset[1]));
                format!("<text class=\"name\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(text))
            }
            Piece::Centre { at: anchor } if shown.centres => {
                let [x, y] = at(anchor);
                format!("<g transform=\"translate({} {})\">{CENTRE}</g>", px(x), px(y))
            }
            Piece::Trail { .. }
            | Piece::Arrow { .. }
            | Piece::Name { .. }
            | Piece::Centre { .. } => String::new(),
        }
    }
}

/// The sign of a centre of mass: a disc with two dark quarters.
pub(super) const CENTRE: &str = "<circle class=\"centre\" r=\"4.5\"/><path class=\"quarter\" d=\"M0 0H4.5A4.5 4.5 0 0 0 0 -4.5ZM0 0H-4.5A4.5 4.5 0 0 0 0 4.5Z\"/>";

/// A pin; where its ends are apart, both of them and the gap between.
fn pin([a, b]: [Vector; 2], radius: f64, welded: bool, scale: f64) -> String {
    let dot = |class: &str, [x, y]: Vector| match welded {
        true => {
            let (x, y, side) = (px(x - radius), px(y - radius), px(2.0 * radius));
            format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
            )
        }
        false => format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            px(x),
            px(y),
            px(radius)
        ),
    };
    if distance(a, b) <= VISIBLE_GAP || !distance(a, b).is_finite() {
        return dot("pin", b);
    }
    let gap = format!("<path class=\"gap\" d=\"{}\"/>", path(&[a, b], false));
    // as many digits as a person would measure
    let millimetres = catena_model::plain_to(1e3 * distance(a, b) / scale, 3);
    let (x, y) = (px(0.5 * (a[0] + b[0]) + 6.0), px(0.5 * (a[1] + b[1]) - 6.0));
    let size = format!("<text class=\"name gap-size\" x=\"{x}\" y=\"{y}\">{millimetres} mm</text>");
    gap + &dot("open", a) + &dot("open", b) + &size
}

/// A line with a head at its end.
pub(super) fn arrow(from: Vector, to: Vector) -> String {
    let length = distance(from, to);
    // what is not known, or too short to have a direction, is not drawn
    if length.is_nan() || length <= 2.0 {
        return String::new();
    }
    let unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    let across = [-unit[1], unit[0]];
    let head = 7.0_f64.min(0.5 * length);
    let back = along(to, -head, unit);
    let [left, right] = [0.45, -0.45].map(|side| along(back, side * head, across));
    path(&[from, to], false) + &path(&[left, to, right], false)
}
