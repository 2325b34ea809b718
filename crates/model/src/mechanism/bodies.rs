//! Bodies as coordinates, points, energies and drawings.

use super::quantity::Sum;
use super::{Body, Mechanism, Point, Written};
use crate::dimension::Dimension;
use crate::generated::{Sections, generated, generated_point};
use crate::source::Place;
use crate::system::{Coordinate, Drawing, NamedFormula};

impl Mechanism {
    /// T = Σ ½ m (ẋ² + ẏ²) + ½ J θ̇², V = Σ m g y
    pub(super) fn write_bodies(&self, written: &mut Written) {
        for point in &self.ground {
            self.define_ground(point, &mut written.sections);
        }
        for body in &self.bodies {
            let name = &body.name;
            let texts = [
                ("x", format!("{name}, centre of mass, x")),
                ("y", format!("{name}, centre of mass, y")),
                ("angle", format!("{name}, angle from +x, counter-clockwise")),
            ];
            for (ending, text) in texts {
                let name = format!("{name}_{ending}");
                let place = body.place.clone();
                let coordinate = Coordinate { name, text, angle: None, place };
                written.sections.coordinates.push(coordinate);
            }
            self.write_body(body, written);
        }
        self.draw_ground(&mut written.sections);
    }

    /// Everything about a body but its coordinates.
    pub(super) fn write_body(&self, body: &Body, written: &mut Written) {
        let (name, mass, inertia) = (&body.name, &body.mass, &body.inertia);
        for (name, dimension) in [
            (mass.clone(), Dimension::MASS),
            (inertia.clone(), Dimension::INERTIA),
            (format!("{name}_length"), Dimension::LENGTH),
            (format!("{name}_x"), Dimension::LENGTH),
            (format!("{name}_y"), Dimension::LENGTH),
            (format!("{name}_angle"), Dimension::ANGLE),
        ] {
            written.sections.measure(&name, dimension);
        }
        written.kinetic.push(format!("1/2*{mass}*({name}_x'^2 + {name}_y'^2)"));
        written.kinetic.push(format!("1/2*{inertia}*{name}_angle'^2"));
        written.potential.push(format!("{mass}*g*{name}_y"));
        let sections = &mut written.sections;
        for point in &body.points {
            define(body, point, sections);
        }
        sections.guess.extend(guesses(body));
        sections.drawings.extend(drawing(body));
    }

    pub(super) fn define_ground(&self, point: &Point, sections: &mut Sections) {
        for (axis, position) in ["x", "y"].iter().zip(&point.position) {
            let name = format!("ground_{}_{axis}", point.name);
            let entry = generated(&name, &position.text, &point.place);
            sections.definitions.push(entry);
            sections.measure(&name, Dimension::LENGTH);
        }
    }

    fn draw_ground(&self, sections: &mut Sections) {
        if self.ground.len() >= 2 {
            let names = self.ground.iter().map(|point| format!("ground_{}", point.name));
            let stems: Vec<String> = names.collect();
            sections.drawings.push(poly_line("ground", &stems, &self.place));
        }
    }
}

/// r = (x, y) + R(θ) p
fn define(body: &Body, point: &Point, sections: &mut Sections) {
    let [px, py] = point.position.clone().map(|position| position.factor());
    let (name, angle) = (&body.name, format!("{}_angle", body.name));
    let (sine, cosine) = (format!("sin({angle})"), format!("cos({angle})"));
    let x = Sum::default().plus(&[&format!("{name}_x")]).plus(&[&px, &cosine]).minus(&[&py, &sine]);
    let y = Sum::default().plus(&[&format!("{name}_y")]).plus(&[&px, &sine]).plus(&[&py, &cosine]);
    for (axis, sum) in [("x", x), ("y", y)] {
        let name = format!("{name}_{}_{axis}", point.name);
        sections.definitions.push(generated(&name, &sum.text(), &point.place));
        sections.measure(&name, Dimension::LENGTH);
    }
}

/// The guesses of the body from which the assembly begins.
fn guesses(body: &Body) -> Vec<NamedFormula> {
    let entry = |(ending, guess): (&str, &Option<super::Quantity>)| {
        guess.as_ref().map(|guess| NamedFormula {
            name: format!("{}_{ending}", body.name),
            primes: 0,
            formula: guess.formula.clone(),
            place: guess.place.clone(),
        })
    };
    ["x", "y", "angle"].into_iter().zip(&body.guess).filter_map(entry).collect()
}

/// The points of a body in their order; a single one with the centre.
fn drawing(body: &Body) -> Option<Drawing> {
    let mut stems: Vec<String> =
        body.points.iter().map(|point| format!("{}_{}", body.name, point.name)).collect();
    if stems.len() == 1 {
        stems.insert(0, body.name.clone());
    }
    (stems.len() >= 2).then(|| poly_line(&body.name, &stems, &body.place))
}

/// A line through points, each given by the beginning of its names.
fn poly_line(name: &str, stems: &[String], place: &Place) -> Drawing {
    let point = |stem: &String| generated_point(&[format!("{stem}_x"), format!("{stem}_y")], place);
    Drawing {
        name: name.to_owned(),
        points: stems.iter().map(point).collect(),
        place: place.clone(),
    }
}
