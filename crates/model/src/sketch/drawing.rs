//! Drawings of model files: points of the world, and what they stand for.

use super::{Anchor, Carrier, Parameter, Shape, Sketch, Track};
use crate::System;
use crate::system::Drawing;
use catena_symbolic::Formula;

/// What the points of a drawing stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawingStyle {
    /// A line through them, closed and filled if the last is the first.
    #[default]
    Line,
    /// A link from each to the next.
    Bar,
    /// A spring between two.
    Spring,
    /// A damper between two.
    Damper,
    /// A round mass at each.
    Disc,
    /// A pin at each.
    Pin,
    /// Something fixed, with hatching below.
    Ground,
    /// Paths.
    Trail,
}

/// The names of styles in model files, with what they stand for.
pub static DRAWING_STYLES: &[(&str, DrawingStyle, &str)] = &[
    ("line", DrawingStyle::Line, "a line through the points, filled if the last is the first"),
    ("bar", DrawingStyle::Bar, "a link from each point to the next, with pins"),
    ("spring", DrawingStyle::Spring, "a spring between two points"),
    ("damper", DrawingStyle::Damper, "a damper between two points"),
    ("disc", DrawingStyle::Disc, "a round mass at each point; `radius` gives its size"),
    ("pin", DrawingStyle::Pin, "a pin at each point"),
    (
        "ground",
        DrawingStyle::Ground,
        "something fixed, with hatching to the right of the way along its points",
    ),
    ("trail", DrawingStyle::Trail, "the path of each point"),
];

/// The names alone.
pub(crate) static DRAWING_STYLE_NAMES: &[&str] = &{
    let mut names = [""; DRAWING_STYLES.len()];
    let mut at = 0;
    while at < DRAWING_STYLES.len() {
        names[at] = DRAWING_STYLES[at].0;
        at += 1;
    }
    names
};

impl DrawingStyle {
    /// Fewer points than this show nothing.
    pub(crate) fn least_points(self) -> usize {
        match self {
            DrawingStyle::Disc | DrawingStyle::Pin | DrawingStyle::Trail => 1,
            DrawingStyle::Line
            | DrawingStyle::Bar
            | DrawingStyle::Spring
            | DrawingStyle::Damper
            | DrawingStyle::Ground => 2,
        }
    }
}

impl Sketch {
    pub(super) fn add_drawings(&mut self, system: &System, parameter: Parameter<'_>) {
        for drawing in &system.drawings {
            let points: Vec<Anchor> =
                drawing.points.iter().map(|point| self.anchor(point, parameter)).collect();
            let radius = drawing
                .radius
                .as_ref()
                .map(|radius| radius.evaluate(|name, _| parameter(name).unwrap_or(f64::NAN)));
            for shape in shapes(drawing, &points, radius) {
                self.add(&drawing.name, shape);
            }
        }
    }

    /// A point of the world; one of parameters alone stands still.
    fn anchor(&mut self, point: &[Formula; 2], parameter: Parameter<'_>) -> Anchor {
        let moves = |formula: &Formula| formula.names().any(|(name, ..)| parameter(name).is_none());
        if point.iter().any(moves) {
            let tracks =
                point.each_ref().map(|formula| self.track(Track::Formula(formula.clone())));
            return Anchor { carrier: Carrier::Point(tracks), at: [0.0, 0.0] };
        }
        let value =
            |formula: &Formula| formula.evaluate(|name, _| parameter(name).unwrap_or(f64::NAN));
        Anchor::ground(point.each_ref().map(value))
    }
}

fn shapes(drawing: &Drawing, points: &[Anchor], radius: Option<f64>) -> Vec<Shape> {
    let pairs = || points.windows(2).map(|pair| [pair[0], pair[1]]);
    let spring = |coil: bool| move |ends: [Anchor; 2]| Shape::Spring { ends, coil, damper: !coil };
    let pin = |at: &Anchor| Shape::Pin { ends: [*at, *at], force: None, welded: false };
    match drawing.style {
        DrawingStyle::Line | DrawingStyle::Ground => {
            let hatched = drawing.style == DrawingStyle::Ground;
            vec![Shape::Line { points: points.to_vec(), hatched }]
        }
        DrawingStyle::Bar => pairs().map(Shape::Bar).chain(points.iter().map(pin)).collect(),
        DrawingStyle::Spring => pairs().map(spring(true)).collect(),
        DrawingStyle::Damper => pairs().map(spring(false)).collect(),
        DrawingStyle::Disc => points.iter().map(|&centre| Shape::Disc { centre, radius }).collect(),
        DrawingStyle::Pin => points.iter().map(pin).collect(),
        DrawingStyle::Trail => points.iter().map(|&at| Shape::Trail(at)).collect(),
    }
}
