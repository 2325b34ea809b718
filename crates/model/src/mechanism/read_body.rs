//! `[[body]]`: its mass, its inertia and its points, measured from the centre of mass.

use super::items::Item;
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use super::read::Resolver;
use super::{Body, Point};

impl Resolver<'_> {
    pub(super) fn body(&mut self, item: &Item) {
        let Some(name) = self.name(item) else { return };
        if self.mechanism.bodies.iter().any(|body| body.name == name) {
            let (what, name) = ("bodies", name.clone());
            let place = item.text("name").map_or(&item.place, |(_, place)| place);
            self.report(MechanismProblem::TwoOfOneName { what, name }, place);
        }
        if name == "ground" {
            self.report(MechanismProblem::CalledGround, &item.place);
        }
        let Some(mass) = item.quantity("mass") else {
            return self.missing(item, "mass", "mass = 1.0, or 0 for a part without mass");
        };
        let mass_place = mass.place.clone();
        let mass = self.parameter(format!("{name}_mass"), mass);
        let at = &item.place;
        let named_length = item
            .quantity("length")
            .map(|length| (self.parameter(format!("{name}_length"), length), length.place.clone()));
        let length = named_length
            .as_ref()
            .map(|(length, _)| [length.clone(), format!("{length}/2")])
            .map(|lengths| lengths.map(|length| Quantity::generated(&length, at)));
        let inertia = match (item.quantity("inertia"), &length) {
            (Some(inertia), _) => inertia.clone(),
            (None, Some([length, _])) => {
                Quantity::generated(&format!("{mass}*{}^2/12", length.text), at)
            }
            (None, None) => {
                let help =
                    "length = 0.4 for a uniform rod, or inertia = 0.01 about the centre of mass";
                return self.missing(item, "inertia", help);
            }
        };
        let inertia_place = inertia.place.clone();
        let inertia = self.parameter(format!("{name}_inertia"), &inertia);
        let zero = || Quantity::zero(at);
        let centre = match (item.pair("centre"), &length) {
            (Some(centre), _) => self.constants(centre),
            (None, Some([_, half])) => [half.clone(), zero()],
            (None, None) => [zero(), zero()],
        };
        let mut points = Vec::new();
        let own = |end: &str| !item.points().iter().any(|point| point.name == end);
        if let Some([length, half]) = &length {
            let minus_half = Quantity::generated(&format!("-{}", half.text), at);
            let in_the_middle = item.pair("centre").is_none();
            for (end, from_start, from_middle) in
                [("A", zero(), minus_half), ("B", length.clone(), half.clone())]
            {
                let x = if in_the_middle { from_middle } else { from_start.less(&centre[0]) };
                let position = [x, zero().less(&centre[1])];
                if own(end) {
                    points.push(Point { name: end.to_owned(), position, place: at.clone() });
                }
            }
        }
        for point in item.points() {
            self.check_name(&point.name, &point.place);
            let [x, y] = self.constants(&point.position);
            let position = [x.less(&centre[0]), y.less(&centre[1])];
            points.push(Point { name: point.name.clone(), position, place: point.place.clone() });
        }
        let guess = ["x", "y", "angle"].map(|key| self.optional(item, key));
        let (free, place) = (item.flag("free"), at.clone());
        let body = Body {
            name,
            mass,
            inertia,
            points,
            centre,
            free,
            guess,
            length: named_length,
            mass_place,
            inertia_place,
            place,
        };
        self.mechanism.bodies.push(body);
    }
}
