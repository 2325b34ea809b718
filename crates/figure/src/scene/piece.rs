//! What a scene is drawn from: things that are drawn once and then moved, or that follow the points they are tied to.

use super::span::Span;
use catena_model::{Anchor, Carrier};

/// One thing in a picture, with the class that says how it is coloured.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A shape that moves and turns with its carrier: marks in px around the carrier's origin.
    Rigid { carrier: Carrier, markup: String },
    /// A mark that moves with a point and stays upright.
    Mark { at: Anchor, markup: String },
    /// A pin, whose colour says how far its two ends are apart.
    Pin {
        ends: [Anchor; 2],
        radius: f64,
        /// Whether it is only there to be seen when it opens.
        welded: bool,
    },
    /// Something between two points that may change its length.
    Span { ends: [Anchor; 2], span: Span },
    /// Points joined by lines.
    Line {
        points: Vec<Anchor>,
        class: &'static str,
        /// px
        width: f64,
    },
    /// The path of a point.
    Trail { at: Anchor, colour: usize },
    /// A force: tracks of its components.
    Arrow {
        at: Anchor,
        components: [usize; 2],
        /// Whether the model prescribes it; otherwise it is what a joint does.
        applied: bool,
    },
    /// A name beside a point.
    Name {
        at: Anchor,
        text: String,
        /// Where the text begins, px from the point, y down.
        offset: [f64; 2],
    },
    /// The centre of mass of a body.
    Centre { at: Anchor },
}
