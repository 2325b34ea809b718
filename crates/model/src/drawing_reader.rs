//! `[draw]` of model files.

use crate::draft::{Reader, Value, place};
use crate::problem::ProblemKind;
use crate::sketch::{DRAWING_STYLE_NAMES, DRAWING_STYLES, DrawingStyle};
use crate::source::Place;
use crate::system::Drawing;
use catena_symbolic::Formula;

/// Keys of a drawing that is a table.
pub(crate) const DRAWING_KEYS: [&str; 3] = ["points", "as", "radius"];

impl Reader<'_> {
    pub(crate) fn drawings(&mut self, value: &Value) -> Vec<Drawing> {
        let Some(table) = self.table("draw", value) else { return Vec::new() };
        let mut drawings = Vec::new();
        for (key, value) in table {
            let problems = self.problem_count();
            let drawing = self.drawing(key.get_ref(), place(key.span()), value);
            // what is wrong with its points has been said
            if self.problem_count() == problems {
                self.require_points(&drawing);
            }
            drawings.push(drawing);
        }
        drawings
    }

    /// A list of points, or a table that says what they stand for.
    fn drawing(&mut self, name: &str, place: Place, value: &Value) -> Drawing {
        let (name, points, radius) = (name.to_owned(), Vec::new(), None);
        let mut drawing = Drawing { name, points, style: DrawingStyle::default(), radius, place };
        let Some(table) = value.get_ref().as_table() else {
            drawing.points = self.drawn_points(&drawing.name, value);
            return drawing;
        };
        for (inner, value) in table {
            let key = inner.get_ref().as_ref();
            match self.knows(key, inner.span(), &DRAWING_KEYS).then_some(key) {
                Some("points") => drawing.points = self.drawn_points("points", value),
                Some("radius") => drawing.radius = self.formula("radius", value),
                Some("as") => drawing.style = self.drawing_style(value),
                _ => {}
            }
        }
        drawing
    }

    fn drawn_points(&mut self, name: &str, value: &Value) -> Vec<[Formula; 2]> {
        let mut points = Vec::new();
        for point in self.list(name, value) {
            let pair: Vec<_> =
                self.list(name, point).iter().map(|c| self.formula(name, c)).collect();
            match <[_; 2]>::try_from(pair) {
                Ok([Some(x), Some(y)]) => points.push([x, y]),
                Ok(_) => {}
                Err(_) => self.wrong_type(name, "a list of points [x, y]", point),
            }
        }
        points
    }

    fn require_points(&mut self, drawing: &Drawing) {
        let (name, found) = (drawing.name.clone(), drawing.points.len());
        let least = drawing.style.least_points();
        if found < least {
            let kind = ProblemKind::TooFewPoints { name, found, least };
            self.report_at(kind, drawing.place.clone());
        }
    }

    fn drawing_style(&mut self, value: &Value) -> DrawingStyle {
        let Some(name) = value.get_ref().as_str() else {
            self.wrong_type("as", "the name of a style", value);
            return DrawingStyle::default();
        };
        match DRAWING_STYLES.iter().find(|(known, ..)| *known == name) {
            Some((_, style, _)) => *style,
            None => {
                let known = DRAWING_STYLE_NAMES;
                let kind = ProblemKind::UnknownStyle { found: name.to_owned(), known };
                self.report_at(kind, place(value.span()));
                DrawingStyle::default()
            }
        }
    }
}
