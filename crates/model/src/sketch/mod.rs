//! What a model looks like: parts, and what they are fixed to. Shapes and sizes are numbers; what moves is named by tracks,
//! whose values a film has for every frame.

mod anchors;
mod chain;
mod drawing;
mod film;

pub(crate) use drawing::DRAWING_STYLE_NAMES;
pub use drawing::{DRAWING_STYLES, DrawingStyle};
pub use film::Film;

use crate::{CoordinateSet, Model, System};
use catena_symbolic::{Formula, parse};

/// A model as it is drawn, in one set of coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// What a film writes down, one number each for every frame.
    pub tracks: Vec<Track>,
    /// From the back to the front.
    pub parts: Vec<Part>,
}

/// A number that changes with time.
#[derive(Clone, Debug, PartialEq)]
pub enum Track {
    /// A formula of coordinates, definitions, states and time.
    Formula(Formula),
    /// A column of a run, such as the force in a joint.
    Output(String),
}

/// What a point or a shape moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The world, which stands still.
    Ground,
    /// A body: the tracks of x, y and angle of its own axes.
    Body([usize; 3]),
    /// A point by itself: the tracks of x and y.
    Point([usize; 2]),
}

/// A point of a carrier, in the carrier's own axes, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// What it moves with.
    pub carrier: Carrier,
    /// Where it is there.
    pub at: [f64; 2],
}

/// Something to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// As the model calls it.
    pub name: String,
    /// What it looks like.
    pub shape: Shape,
}

/// What parts look like; lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rigid link through its points: a bar through two, a plate through three and more, a disc around one.
    Link {
        /// What it is fixed to.
        carrier: Carrier,
        /// In the carrier's own axes.
        points: Vec<[f64; 2]>,
    },
    /// A wheel without teeth, or with them.
    Wheel {
        /// What it turns with.
        carrier: Carrier,
        /// Its centre.
        centre: [f64; 2],
        /// Of its rim, or its pitch circle.
        radius: f64,
        /// Whether it has teeth.
        toothed: bool,
    },
    /// Two wheels that turn in a fixed ratio; how large they are follows from the distance of their centres.
    Gears {
        /// On the first wheel and on the second.
        centres: [Anchor; 2],
        /// How far the second turns for one turn of the first; positive if one is inside the other.
        ratio: f64,
    },
    /// Teeth in a line, as far from the axle of the pinion as its radius.
    Rack {
        /// The axle of the pinion.
        pinion: Anchor,
        /// A point of the rack.
        rack: Anchor,
        /// What the axis is fixed to, and its direction there.
        axis: (Carrier, [f64; 2]),
        /// Of the pinion's pitch circle; negative if the rack is on the other side.
        radius: f64,
    },
    /// Something that slides along a line of another body.
    Slide {
        /// A point of the line.
        guide: Anchor,
        /// The direction of the line, in the axes of the guide's carrier, of length 1.
        axis: [f64; 2],
        /// What slides.
        block: Anchor,
        /// Whether it is a pin in a slot, which may turn, or a block between rails, which may not.
        turns: bool,
    },
    /// A closed curve of a body.
    Cam {
        /// What it turns with.
        carrier: Carrier,
        /// In the carrier's own axes.
        outline: Vec<[f64; 2]>,
    },
    /// A massless rod.
    Rod([Anchor; 2]),
    /// A link between two points that the model places one by one.
    Bar([Anchor; 2]),
    /// A spring, a damper, or both side by side.
    Spring {
        /// Where it is fastened.
        ends: [Anchor; 2],
        /// Whether there is a spring.
        coil: bool,
        /// Whether there is a damper.
        damper: bool,
    },
    /// A spring that winds up around a point.
    TorsionSpring(Anchor),
    /// Points joined by lines; closed and filled if the last is the first.
    Line {
        /// In their order.
        points: Vec<Anchor>,
        /// Whether it stands for something fixed, with hatching below.
        hatched: bool,
    },
    /// A round mass or a wheel without marks.
    Disc {
        /// Its centre.
        centre: Anchor,
        /// None if it is a point mass, which is drawn as large as looks right.
        radius: Option<f64>,
    },
    /// A point whose path is shown.
    Trail(Anchor),
    /// A pin through both ends, which lie in one place unless the joint is open.
    Pin {
        /// On the first body and on the second.
        ends: [Anchor; 2],
        /// Tracks of the force on the second body, N.
        force: Option<[usize; 2]>,
        /// Whether the bodies are fixed to each other.
        welded: bool,
    },
    /// A force of the model at a point: tracks of its components, N.
    Force {
        /// Where it acts.
        at: Anchor,
        /// Tracks of x and y.
        components: [usize; 2],
    },
    /// Something that turns a joint as it is told.
    Motor(Anchor),
    /// The centre of mass of a body.
    CentreOfMass(Anchor),
}

impl Anchor {
    /// A point of the world that stands still.
    pub fn ground(at: [f64; 2]) -> Anchor {
        Anchor { carrier: Carrier::Ground, at }
    }

    /// Whether it can never move.
    pub fn is_fixed(&self) -> bool {
        self.carrier == Carrier::Ground
    }
}

impl Model {
    /// What the model looks like, with its parameters as they are. Drawings of the file come on top, and take the place
    /// of parts with the same name.
    pub fn sketch(&self, set: CoordinateSet) -> Sketch {
        let system = self.system(set);
        let mut sketch = Sketch::default();
        let parameter = |name: &str| self.parameter(name);
        if let Some(chain) = &self.chain {
            sketch.add_chain(chain, &parameter);
        }
        if let Some(mechanism) = &self.mechanism {
            sketch.add_mechanism(mechanism, &parameter);
        }
        sketch.parts.retain(|part| {
            !part.is_replaceable() || system.drawings.iter().all(|own| own.name != part.name)
        });
        sketch.add_drawings(system, &parameter);
        sketch.keep_outputs_of(system);
        sketch
    }
}

/// The value of a parameter.
pub(crate) type Parameter<'a> = &'a dyn Fn(&str) -> Option<f64>;

impl Sketch {
    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub(crate) fn add(&mut self, name: &str, shape: Shape) {
        self.parts.push(Part { name: name.to_owned(), shape });
    }

    /// The track of a value, which may have one already.
    fn track(&mut self, track: Track) -> usize {
        let known = self.tracks.iter().position(|other| match (other, &track) {
            (Track::Formula(one), Track::Formula(other)) => one.nodes() == other.nodes(),
            (one, other) => one == other,
        });
        known.unwrap_or_else(|| {
            self.tracks.push(track);
            self.tracks.len() - 1
        })
    }

    /// A track that nothing else uses yet, of a formula that the model writes by itself.
    pub(crate) fn own_track(&mut self, text: &str) -> usize {
        let formula = parse(text).expect("names of coordinates are formulas");
        self.tracks.push(Track::Formula(formula));
        self.tracks.len() - 1
    }

    /// The tracks of a force with this name: `B` has the columns `B_fx` and `B_fy`.
    pub(crate) fn force_tracks(&mut self, name: &str) -> [usize; 2] {
        ["fx", "fy"].map(|ending| self.track(Track::Output(format!("{name}_{ending}"))))
    }

    /// Forgets forces that this set of coordinates has no columns for.
    fn keep_outputs_of(&mut self, system: &System) {
        let tracks = &self.tracks;
        let is_known = |at: &usize| match &tracks[*at] {
            Track::Output(name) => system.outputs.iter().any(|output| output.name == *name),
            Track::Formula(_) => true,
        };
        for part in &mut self.parts {
            if let Shape::Pin { force, .. } = &mut part.shape
                && !force.iter().flatten().all(is_known)
            {
                *force = None;
            }
        }
        for track in &mut self.tracks {
            if let Track::Output(name) = track
                && system.outputs.iter().all(|output| output.name != *name)
            {
                *track = Track::Formula(parse("0").expect("a number is a formula"));
            }
        }
    }
}

impl Part {
    /// Whether a drawing of the file with its name takes its place: what belongs to joints and centres stays.
    fn is_replaceable(&self) -> bool {
        !matches!(self.shape, Shape::Pin { .. } | Shape::CentreOfMass(_) | Shape::Motor(_))
    }
}
