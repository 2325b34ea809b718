//! Parts become pieces.

use super::outline;
use super::piece::Piece;
use super::span::Span;
use super::teeth::{Toothed, offset_at, phase_at, rack, teeth_of, tooth_counts};
use super::view::{View, gear_radii, rack_line, range};
use super::world::{Vector, along, local, place, pose, turn};
use catena_model::{Anchor, Carrier, Film, PartShape};
use std::f64::consts::{PI, TAU};

/// More trails than this are a tangle.
const MAX_TRAILS: usize = 6;
/// Teeth of a pinion that meets nothing but its rack.
const PINION_TEETH: u32 = 18;
/// The radius of a point mass, in thicknesses of bars.
const BOB: f64 = 0.95;

/// A film on its way into pieces.
struct Workshop<'a> {
    film: &'a Film,
    view: &'a View,
    /// Moving carriers in the order in which they come: their colours.
    carriers: Vec<Carrier>,
    wheels: Vec<Toothed>,
    layers: [Vec<Piece>; LAYERS],
}

/// What lies behind what: the ground, wheels and cams, links, what is fastened to them, and what must be seen.
const GROUND: usize = 0;
const WHEELS: usize = 1;
const LINKS: usize = 2;
const FASTENED: usize = 3;
const FRONT: usize = 4;
const LAYERS: usize = 5;

/// All pieces of a film, from the back to the front.
pub(super) fn pieces(film: &Film, view: &View) -> Vec<Piece> {
    let layers = std::array::from_fn(|_| Vec::new());
    let mut workshop = Workshop { film, view, carriers: Vec::new(), wheels: Vec::new(), layers };
    for part in &film.sketch.parts {
        workshop.add(&part.name, &part.shape);
    }
    workshop.add_default_trail();
    workshop.layers.into_iter().flatten().collect()
}

impl Workshop<'_> {
    fn colour(&mut self, carrier: Carrier) -> usize {
        if carrier == Carrier::Ground {
            return outline::COLOURS - 1;
        }
        let known = self.carriers.iter().position(|other| *other == carrier);
        let at = known.unwrap_or_else(|| {
            self.carriers.push(carrier);
            self.carriers.len() - 1
        });
        at % (outline::COLOURS - 1)
    }

    fn rigid(&mut self, layer: usize, carrier: Carrier, markup: String) {
        self.layers[layer].push(Piece::Rigid { carrier, markup });
    }

    fn name(&mut self, at: Anchor, text: &str) {
        if !self.is_named(text) {
            self.layers[FRONT].push(Piece::Name { at, text: text.to_owned(), offset: [7.0, -7.0] });
        }
    }

    /// Whether something has this name already: a drawing of several parts has it once.
    fn is_named(&self, name: &str) -> bool {
        let names = |piece: &Piece| matches!(piece, Piece::Name { text, .. } if text == name);
        self.layers[FRONT].iter().any(names)
    }

    fn add(&mut self, name: &str, shape: &PartShape) {
        let thickness = self.view.thickness;
        match shape {
            PartShape::Link { carrier, points } => self.link(name, *carrier, points),
            PartShape::Cam { carrier, outline } => {
                let colour = self.colour(*carrier);
                let points: Vec<Vector> = outline.iter().map(|at| self.view.vector(*at)).collect();
                self.rigid(WHEELS, *carrier, outline::cam(&points, colour));
            }
            PartShape::Wheel { carrier, centre, radius, toothed } => {
                self.wheel(*carrier, *centre, *radius, *toothed);
            }
            PartShape::Gears { centres, ratio } => self.gears(*centres, *ratio),
            PartShape::Rack { pinion, rack, axis, radius } => {
                self.rack(*pinion, *rack, *axis, *radius);
            }
            PartShape::Slide { guide, axis, block, turns } => {
                self.slide(*guide, *axis, *block, *turns);
            }
            PartShape::Rod(ends) => {
                let span = Span::Rod { width: (0.45 * thickness).max(1.8) };
                self.layers[LINKS].push(Piece::Span { ends: *ends, span });
            }
            PartShape::Bar(ends) => {
                let colour = self.colour(ends[1].carrier);
                let span = Span::Bar { width: thickness, colour };
                self.layers[LINKS].push(Piece::Span { ends: *ends, span });
                self.name(ends[1], name);
            }
            PartShape::Spring { ends, coil, damper } => self.spring(*ends, *coil, *damper),
            PartShape::TorsionSpring(at) => {
                let markup = outline::spiral(1.7 * thickness);
                self.layers[FASTENED].push(Piece::Mark { at: *at, markup });
            }
            PartShape::Line { points, hatched } => self.line(name, points, *hatched),
            PartShape::Disc { centre, radius } => {
                let radius = radius.map_or(BOB * thickness.max(5.0), |r| r * self.view.scale);
                let colour = self.colour(centre.carrier);
                let markup = outline::disc([0.0, 0.0], radius, colour);
                self.layers[FASTENED].push(Piece::Mark { at: *centre, markup });
                self.name(*centre, name);
            }
            PartShape::Trail(at) => self.trail(*at),
            PartShape::Pin { ends, force, welded } => self.pin(name, *ends, *force, *welded),
            PartShape::Force { at, components } => {
                let (at, components) = (*at, *components);
                self.layers[FRONT].push(Piece::Arrow { at, components, applied: true });
                self.name(at, name);
            }
            PartShape::Motor(at) => {
                let markup = outline::motor(1.9 * thickness.max(5.0));
                self.layers[FRONT].push(Piece::Mark { at: *at, markup });
            }
            PartShape::CentreOfMass(at) => {
                self.layers[FRONT].push(Piece::Centre { at: *at });
                // a wheel or a block is shown by its joint, under that one's name
                self.name(*at, name);
            }
        }
    }

    fn link(&mut self, name: &str, carrier: Carrier, points: &[Vector]) {
        let colour = self.colour(carrier);
        let shown: Vec<Vector> = points.iter().map(|at| self.view.vector(*at)).collect();
        let markup = match shown.as_slice() {
            [only] => outline::disc(*only, 1.1 * self.view.thickness.max(5.0), colour),
            _ => outline::link(&shown, self.view.thickness, colour),
        };
        self.rigid(LINKS, carrier, markup);
        let count = points.len() as f64;
        let middle = points.iter().fold([0.0, 0.0], |sum, at| along(sum, 1.0 / count, *at));
        self.name(Anchor { carrier, at: middle }, name);
    }

    fn wheel(&mut self, carrier: Carrier, centre: Vector, radius: f64, toothed: bool) {
        let colour = self.colour(carrier);
        if toothed {
            if self.known_wheel(Anchor { carrier, at: centre }, radius, false).is_none() {
                let (teeth, phase) = (PINION_TEETH, 0.0);
                self.put_wheel(Toothed { carrier, centre, radius, teeth, phase, is_ring: false });
            }
            return;
        }
        let shown = self.view.vector(centre);
        self.rigid(WHEELS, carrier, outline::wheel(shown, radius * self.view.scale, colour));
    }

    /// A wheel that was drawn already: others on the same axle have other radii.
    fn known_wheel(&self, at: Anchor, radius: f64, is_ring: bool) -> Option<Toothed> {
        let same = |wheel: &&Toothed| {
            wheel.carrier == at.carrier
                && wheel.centre == at.at
                && wheel.is_ring == is_ring
                && (wheel.radius - radius).abs() < 1e-6 * radius
        };
        self.wheels.iter().find(same).copied()
    }

    fn put_wheel(&mut self, wheel: Toothed) {
        let colour = self.colour(wheel.carrier);
        let markup = wheel.markup(self.view.scale, colour);
        // rings lie behind what turns in them
        self.rigid(if wheel.is_ring { GROUND } else { WHEELS }, wheel.carrier, markup);
        self.wheels.push(wheel);
    }

    /// Two wheels in mesh. One that was drawn already keeps its teeth, and the other follows.
    fn gears(&mut self, centres: [Anchor; 2], ratio: f64) {
        let radii = gear_radii(self.film, centres, ratio);
        if !radii.iter().all(|radius| radius.is_finite() && *radius > 0.0) {
            return;
        }
        let counts = tooth_counts(radii);
        let is_ring = |which: usize| ratio > 0.0 && radii[which] > radii[1 - which];
        let places = centres.map(|centre| place(self.film, centre, 0));
        let known = |workshop: &Self, which: usize| {
            workshop.known_wheel(centres[which], radii[which], is_ring(which))
        };
        let order = if known(self, 1).is_some() { [1, 0] } else { [0, 1] };
        // the way from each centre to where they touch: rings are touched on the side of the other
        let towards = |which: usize| {
            let [from, to] = [places[which], places[1 - which]];
            let sign = if ratio > 0.0 && !is_ring(which) { -1.0 } else { 1.0 };
            let direction = [sign * (to[0] - from[0]), sign * (to[1] - from[1])];
            let (_, angle) = pose(self.film, centres[which].carrier, 0);
            direction[1].atan2(direction[0]) - angle
        };
        let [first, second] = order;
        let (first_at, second_at) = (towards(first), towards(second));
        let make = |which: usize, teeth: u32, phase: f64| Toothed {
            carrier: centres[which].carrier,
            centre: centres[which].at,
            radius: radii[which],
            teeth,
            phase,
            is_ring: is_ring(which),
        };
        let leader = known(self, first).unwrap_or_else(|| {
            let wheel = make(first, counts[first], phase_at(first_at, counts[first], false));
            self.put_wheel(wheel);
            wheel
        });
        if known(self, second).is_none() {
            let teeth = teeth_of(radii[second], leader.module());
            // a tooth of the leader this far along its circle wants a gap as far along the other
            let offset = offset_at(&leader, first_at) * TAU / f64::from(teeth);
            let sense = if ratio > 0.0 { 1.0 } else { -1.0 };
            let phase = phase_at(second_at + sense * offset, teeth, true);
            self.put_wheel(make(second, teeth, phase));
        }
    }

    /// A rack moves with its body; a gap of it meets the tooth of the pinion.
    fn rack(&mut self, pinion: Anchor, end: Anchor, axis: (Carrier, Vector), radius: f64) {
        let Some(wheel) = self.known_wheel(pinion, radius.abs(), false) else { return };
        let (film, scale, carrier) = (self.film, self.view.scale, end.carrier);
        let line = rack_line(film, pinion, end, axis, radius);
        let ends = line.ends.map(|point| self.view.vector(local(film, carrier, 0, point)));
        let [x, y] = turn(line.up, -pose(film, carrier, 0).1);
        let down = (-line.up[1]).atan2(-line.up[0]) - pose(film, pinion.carrier, 0).1;
        let pitch = PI * wheel.module();
        let touch = super::world::distance(line.ends[0], line.contact);
        let first = touch + (offset_at(&wheel, down) * radius.signum() + 0.5) * pitch;
        let colour = self.colour(carrier);
        let module = wheel.module() * scale;
        let markup = rack(ends[0], ends[1], [x, -y], module, first * scale, colour);
        self.rigid(LINKS, carrier, markup);
    }

    fn slide(&mut self, guide: Anchor, axis: Vector, block: Anchor, turns: bool) {
        let (film, view) = (self.film, self.view);
        let position = |frame: usize| {
            let at = local(film, guide.carrier, frame, place(film, block, frame));
            (at[0] - guide.at[0]) * axis[0] + (at[1] - guide.at[1]) * axis[1]
        };
        let (low, high) = range((0..film.len()).map(position));
        let size = 1.25 * view.thickness.max(5.0);
        let beyond = 2.4 * size / view.scale;
        let colour = self.colour(block.carrier);
        let is_ground = guide.carrier == Carrier::Ground;
        if turns {
            // a slot is longer than its pin even if nothing moves
            let room = size / view.scale;
            let [from, to] =
                [low - room, high + room].map(|s| view.vector(along(guide.at, s, axis)));
            let guide_colour = self.colour(guide.carrier);
            let markup = outline::slot(from, to, 1.1 * view.thickness.max(5.0), guide_colour);
            self.rigid(if is_ground { GROUND } else { FASTENED }, guide.carrier, markup);
            return;
        }
        let [from, to] =
            [low - beyond, high + beyond].map(|s| view.vector(along(guide.at, s, axis)));
        self.rigid(GROUND, guide.carrier, outline::rails(from, to, 0.72 * size, is_ground));
        let (_, guide_angle) = pose(film, guide.carrier, 0);
        let (_, block_angle) = pose(film, block.carrier, 0);
        let [x, y] = turn(axis, guide_angle - block_angle);
        let markup = outline::block(view.vector(block.at), [x, -y], size, colour);
        self.rigid(FASTENED, block.carrier, markup);
    }

    fn spring(&mut self, ends: [Anchor; 2], coil: bool, damper: bool) {
        let lengths = (0..self.film.len()).map(|frame| {
            let [a, b] = ends.map(|end| place(self.film, end, frame));
            super::world::distance(a, b)
        });
        let (shortest, _) = range(lengths);
        let width = (1.3 * self.view.thickness).clamp(7.0, 15.0);
        let cylinder = (0.5 * shortest * self.view.scale).clamp(6.0, 60.0);
        let span = match (coil, damper) {
            (true, true) => Span::SpringAndDamper { width, cylinder },
            (false, true) => Span::Damper { width, cylinder },
            (_, false) => Span::Spring { width },
        };
        self.layers[FASTENED].push(Piece::Span { ends, span });
        for end in ends.into_iter().filter(Anchor::is_fixed) {
            let markup = outline::fastening(0.4 * width);
            self.layers[FASTENED].push(Piece::Mark { at: end, markup });
        }
    }

    fn line(&mut self, name: &str, points: &[Anchor], hatched: bool) {
        let fixed = points.iter().all(Anchor::is_fixed);
        if hatched && fixed {
            let shown: Vec<Vector> =
                points.iter().map(|at| self.view.vector(place(self.film, *at, 0))).collect();
            let mut markup =
                format!("<path class=\"rail\" d=\"{}\"/>", outline::path(&shown, false));
            for pair in shown.windows(2) {
                markup += &outline::hatching(pair[0], pair[1], 1.0, 7.0);
            }
            return self.rigid(GROUND, Carrier::Ground, markup);
        }
        let closed = points.len() > 2 && points.first() == points.last();
        let (class, width, layer) = match (closed, fixed) {
            (true, false) => ("shape", 1.6, LINKS),
            (true, true) => ("fixed", 1.6, GROUND),
            (false, false) if hatched => ("rail", 1.4, GROUND),
            (false, false) => ("stroke", (0.5 * self.view.thickness).clamp(2.0, 6.0), LINKS),
            (false, true) => ("fixed", 1.6, GROUND),
        };
        self.layers[layer].push(Piece::Line { points: points.to_vec(), class, width });
        if let (Some(first), false) = (points.first(), fixed) {
            let middle = points.get(points.len() / 2).unwrap_or(first);
            self.name(*middle, name);
        }
    }

    fn trail(&mut self, at: Anchor) {
        let trails =
            self.layers[GROUND].iter().filter(|piece| matches!(piece, Piece::Trail { .. }));
        if trails.count() < MAX_TRAILS {
            let colour = self.colour(at.carrier);
            self.layers[GROUND].push(Piece::Trail { at, colour });
        }
    }

    /// A sketch that names no point to be watched shows the path of the end of its last line or of its last pin.
    fn add_default_trail(&mut self) {
        if self.layers[GROUND].iter().any(|piece| matches!(piece, Piece::Trail { .. })) {
            return;
        }
        let last = self.film.sketch.parts.iter().rev().find_map(|part| match &part.shape {
            PartShape::Bar(ends) => Some(ends[1]).filter(|at| !at.is_fixed()),
            PartShape::Line { points, hatched: false } if points.first() != points.last() => {
                points.last().copied().filter(|at| !at.is_fixed())
            }
            PartShape::Disc { centre, .. } => Some(*centre).filter(|at| !at.is_fixed()),
            PartShape::Pin { ends, .. } => {
                ends.iter().copied().find(|_| ends.iter().all(|end| !end.is_fixed()))
            }
            _ => None,
        });
        if let Some(at) = last {
            self.trail(at);
        }
    }

    fn pin(&mut self, name: &str, ends: [Anchor; 2], force: Option<[usize; 2]>, welded: bool) {
        let radius = (0.36 * self.view.thickness).max(1.6);
        if let Some(fixed) = ends.iter().find(|end| end.is_fixed()) {
            let markup = outline::support((0.85 * self.view.thickness).max(5.0));
            self.layers[GROUND].push(Piece::Mark { at: *fixed, markup });
        }
        self.layers[FRONT].push(Piece::Pin { ends, radius, welded });
        if let Some(components) = force {
            self.layers[FRONT].push(Piece::Arrow { at: ends[1], components, applied: false });
        }
        self.name(ends[1], name);
    }
}
