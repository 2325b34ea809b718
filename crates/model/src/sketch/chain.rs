//! A chain as it is drawn: a bar for each link, with its bob, and pins between them.

use super::{Anchor, Carrier, Parameter, Shape, Sketch};
use crate::chain::{Chain, Shape as LinkShape};

impl Sketch {
    pub(super) fn add_chain(&mut self, chain: &Chain, parameter: Parameter<'_>) {
        let pivot = match chain.pivot {
            [false, false] => Anchor::ground([0.0, 0.0]),
            _ => {
                let [x, y] = chain.pivot_point();
                let carrier = Carrier::Point([self.own_track(&x), self.own_track(&y)]);
                Anchor { carrier, at: [0.0, 0.0] }
            }
        };
        let mut end = pivot;
        let mut pins = Vec::new();
        for i in 1..=chain.links {
            // a link hangs along its own −y
            let length = parameter(&chain.length[i - 1]).unwrap_or(f64::NAN);
            let [upper, lower] = match chain.shape {
                LinkShape::Rod => [length / 2.0, -length / 2.0],
                LinkShape::Bob => [length, 0.0],
            };
            let tracks = [format!("x{i}"), format!("y{i}"), format!("theta{i}")];
            let carrier = Carrier::Body(tracks.map(|name| self.own_track(&name)));
            let name = format!("link{i}");
            let points = vec![[0.0, upper], [0.0, lower]];
            let [start, next] = [points[0], points[1]].map(|at| Anchor { carrier, at });
            self.add(&name, Shape::Link { carrier, points });
            if chain.shape == LinkShape::Bob {
                self.add(&format!("bob{i}"), Shape::Disc { centre: next, radius: None });
            }
            let joint = format!("joint{i}");
            let force = Some(self.force_tracks(&joint));
            pins.push((joint, Shape::Pin { ends: [end, start], force, welded: false }));
            let centre = Anchor { carrier, at: [0.0, 0.0] };
            self.add(&name, Shape::CentreOfMass(centre));
            end = next;
        }
        for (name, pin) in pins {
            self.add(&name, pin);
        }
        self.add("tip", Shape::Trail(end));
    }
}
