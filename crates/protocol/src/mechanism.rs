//! A mechanism as numbers, with its parameters as they are: what a page needs to draw it and to take hold of it.
//!
//! Points are in the axes in which the file writes them, joints and elements refer to bodies by their position in the list, and
//! null is the ground. The pose of a body is x and y of its centre of mass and its angle, where the motion starts; its `tracks` are those
//! of the film. What a formula of the motion has no value for before the motion is known is null.

use catena::model::{Body, End, Film, Joint, Mechanism, PartShape, Point, Quantity};
use catena::{Model, model::Elements};
use serde_json::{Map, Value, json};

/// Keys of joints that are numbers.
const JOINT_NUMBERS: [&str; 7] =
    ["length", "ratio", "radius", "angle", "offset", "friction", "pressure_angle"];

/// The mechanism of a model, in the pose of the first frame of a film of it; null if the model is none.
pub(crate) fn mechanism(model: &Model, film: &Film) -> Value {
    let Some(mechanism) = &model.mechanism else { return Value::Null };
    let writer = Writer { model, mechanism, film };
    let Elements { springs, torsion_springs, forces, torques, motors } = mechanism.elements();
    let springs = springs.iter().map(|spring| {
        json!({
            "name": spring.name,
            "ends": spring.ends.each_ref().map(|end| writer.end(end)),
            "stiffness": writer.value(&spring.stiffness),
            "length": writer.value(&spring.length),
            "damping": spring.damping.as_ref().map_or(json!(0), |damping| writer.value(damping)),
        })
    });
    let torsion_springs = torsion_springs.iter().map(|spring| {
        json!({
            "name": spring.name,
            "bodies": spring.bodies,
            "stiffness": writer.value(&spring.stiffness),
            "angle": writer.value(&spring.angle),
        })
    });
    let forces = forces.iter().map(|force| {
        let component = |component: &Option<Quantity>| {
            component.as_ref().map_or(json!(0), |component| writer.value(component))
        };
        let [x, y] = force.components.each_ref().map(component);
        json!({ "name": force.name, "on": writer.end(&force.on), "x": x, "y": y })
    });
    let torques = torques.iter().map(|torque| {
        json!({
            "name": torque.name,
            "on": torque.on,
            "from": torque.from,
            "value": writer.value(&torque.value),
        })
    });
    let motors = motors
        .iter()
        .map(|motor| json!({ "name": motor.name, "joint": motor.joint, "drives": motor.drives() }));
    json!({
        "bodies": mechanism.bodies.iter().enumerate().map(|(at, body)| writer.body(at, body)).collect::<Vec<_>>(),
        "ground": mechanism.ground().iter().map(|point| writer.point(point, [0.0; 2])).collect::<Vec<_>>(),
        "joints": mechanism.joints.iter().map(|joint| writer.joint(joint)).collect::<Vec<_>>(),
        "springs": springs.collect::<Vec<_>>(),
        "torsionSprings": torsion_springs.collect::<Vec<_>>(),
        "forces": forces.collect::<Vec<_>>(),
        "torques": torques.collect::<Vec<_>>(),
        "motors": motors.collect::<Vec<_>>(),
    })
}

struct Writer<'a> {
    model: &'a Model,
    mechanism: &'a Mechanism,
    film: &'a Film,
}

impl Writer<'_> {
    /// A number at the start; not a number where a formula of the motion has none yet.
    fn number(&self, quantity: &Quantity) -> f64 {
        let start = self.model.run.t_start.unwrap_or(0.0);
        quantity.value(|name| match name {
            "t" => Some(start),
            name => self.model.parameter(name),
        })
    }

    /// The same as JSON, which has null for what is not a number.
    fn value(&self, quantity: &Quantity) -> Value {
        json!(self.number(quantity))
    }

    fn pair(&self, pair: &[Quantity; 2]) -> [f64; 2] {
        pair.each_ref().map(|component| self.number(component))
    }

    fn centre(&self, body: Option<usize>) -> [f64; 2] {
        body.map_or([0.0; 2], |body| self.pair(&self.mechanism.bodies[body].centre))
    }

    /// A point with the axes that have their origin at minus this.
    fn point(&self, point: &Point, centre: [f64; 2]) -> Value {
        json!({ "name": point.name, "at": sum(self.pair(&point.position), centre) })
    }

    fn body(&self, at: usize, body: &Body) -> Value {
        let centre = self.centre(Some(at));
        let tracks = [3 * at, 3 * at + 1, 3 * at + 2];
        let first = |track: usize| self.film.tracks.get(track).and_then(|track| track.first());
        let points = body.points.iter().map(|point| self.point(point, centre));
        json!({
            "name": body.name,
            "mass": self.model.parameter(&body.mass),
            "inertia": self.model.parameter(&body.inertia),
            "centre": centre,
            "points": points.collect::<Vec<_>>(),
            "pose": tracks.map(first),
            "tracks": tracks,
            "free": body.free,
        })
    }

    fn end(&self, end: &End) -> Value {
        let own = sum(self.pair(&end.position), self.centre(end.body));
        json!({ "body": end.body, "point": end.point, "own": own })
    }

    fn joint(&self, joint: &Joint) -> Value {
        let values: Map<String, Value> = JOINT_NUMBERS
            .iter()
            .filter_map(|key| Some(((*key).to_owned(), self.value(joint.quantity(key)?))))
            .collect();
        json!({
            "name": joint.name,
            "type": joint.kind.name,
            "ends": joint.ends.each_ref().map(|end| self.end(end)),
            "axis": joint.direction("axis").map(|axis| self.pair(axis)),
            "values": values,
            "carrier": joint.body("carrier"),
            "profile": self.profile(joint),
        })
    }

    /// The curve of a cam, in the axes of its body.
    fn profile(&self, joint: &Joint) -> Option<Vec<[f64; 2]>> {
        let centre = self.centre(joint.ends[0].body);
        self.film.sketch.parts.iter().filter(|part| part.name == joint.name).find_map(|part| {
            match &part.shape {
                PartShape::Cam { outline, .. } => {
                    Some(outline.iter().map(|&point| sum(point, centre)).collect())
                }
                _ => None,
            }
        })
    }
}

fn sum(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena::Source;

    fn told(text: &str) -> Value {
        let model = catena::read(Source::new("drawn", text), &[]).expect("a model");
        let (film, _) = catena::film_of_start(&model, 0.0);
        mechanism(&model, &film)
    }

    fn near(value: &Value, expected: &[f64]) {
        let numbers = value.as_array().expect("a list").iter().map(|value| value.as_f64());
        for (number, expected) in numbers.zip(expected) {
            let number = number.expect("a number");
            assert!((number - expected).abs() < 1e-9, "{number} is not {expected}");
        }
    }

    const MODEL: &str = r#"
[parameters]
L = 2
[ground]
points = { O = ["L/4", 1] }
[[body]]
name = "crank"
mass = 3
length = "L"
points = { P = [1.5, 0.25] }
[[body]]
name = "plate"
mass = 1
inertia = 0.5
centre = [0.1, 0.2]
points = { Q = [1, 1] }
[[joint]]
name = "O"
type = "revolute"
between = ["ground.O", "crank.A"]
[[joint]]
name = "W"
type = "weld"
between = ["crank.P", "plate.Q"]
angle = "90 deg"
[[spring]]
between = [[0, 5], "plate"]
stiffness = 10
[[force]]
on = "plate.Q"
x = "2*t + L"
y = "-crank_angle'"
[[motor]]
joint = "O"
angle = "90 deg + t"
"#;

    #[test]
    fn points_are_where_the_file_writes_them() {
        let told = told(MODEL);
        let crank = &told["bodies"][0];
        assert_eq!(crank["centre"], json!([1.0, 0.0]));
        assert_eq!(crank["points"][0], json!({ "name": "A", "at": [0.0, 0.0] }));
        assert_eq!(crank["points"][1], json!({ "name": "B", "at": [2.0, 0.0] }));
        assert_eq!(crank["points"][2], json!({ "name": "P", "at": [1.5, 0.25] }));
        assert_eq!(crank["mass"], 3.0);
        assert_eq!(crank["inertia"], 1.0);
        near(&told["bodies"][1]["points"][0]["at"], &[1.0, 1.0]);
        near(&told["joints"][1]["ends"][1]["own"], &[1.0, 1.0]);
        assert_eq!(told["ground"][0], json!({ "name": "O", "at": [0.5, 1.0] }));
    }

    #[test]
    fn poses_are_those_of_the_start() {
        let told = told(MODEL);
        let quarter = std::f64::consts::FRAC_PI_2;
        near(&told["bodies"][0]["pose"], &[0.5, 2.0, quarter]);
        // P of the crank is at (0.25, 2.5); the plate is turned by half a turn, its Q at P, its centre 0.9, 0.8 from Q
        near(&told["bodies"][1]["pose"], &[0.25 + 0.9, 2.5 + 0.8, 2.0 * quarter]);
    }

    #[test]
    fn what_acts_refers_to_bodies_and_joints() {
        let told = told(MODEL);
        assert_eq!(
            told["springs"][0]["ends"][0],
            json!({ "body": null, "point": null, "own": [0.0, 5.0] })
        );
        near(&told["springs"][0]["ends"][1]["own"], &[0.1, 0.2]);
        assert_eq!(told["forces"][0]["x"], 2.0);
        assert_eq!(told["forces"][0]["y"], Value::Null);
        assert_eq!(told["motors"][0], json!({ "name": "motor1", "joint": 0, "drives": "angle" }));
        assert_eq!(told["joints"][1]["type"], "weld");
    }

    #[test]
    fn every_ready_mechanism_has_its_bodies_on_the_tracks_of_its_film() {
        for system in catena::systems::SYSTEMS {
            let model = catena::read(Source::new(system.name, system.text), &[]).expect("a model");
            let (film, _) = catena::film_of_start(&model, 0.0);
            let told = mechanism(&model, &film);
            assert_eq!(told.is_null(), model.mechanism.is_none(), "{}", system.name);
            let Some(of_model) = &model.mechanism else { continue };
            for (at, body) in of_model.bodies.iter().enumerate() {
                let tracks = &film.sketch.tracks[3 * at..3 * at + 3];
                for (track, ending) in tracks.iter().zip(["x", "y", "angle"]) {
                    let catena::model::Track::Formula(formula) = track else { panic!("{ending}") };
                    let name = format!("{}_{ending}", body.name);
                    assert_eq!(formula.as_name(), Some((name.as_str(), 0)));
                }
                assert!(told["bodies"][at]["pose"][2].is_number());
            }
        }
    }

    #[test]
    fn a_cam_has_its_curve() {
        let told = told(
            r#"
[[body]]
name = "cam"
mass = 1
inertia = 1
[[body]]
name = "follower"
mass = 1
inertia = 1
[[joint]]
name = "axle"
type = "revolute"
between = [[0, 0], "cam"]
[[joint]]
name = "guide"
type = "prismatic"
between = [[0, 0], "follower"]
axis = [0, 1]
[[joint]]
name = "contact"
type = "cam-follower"
between = ["cam", "follower"]
profile = "0.5 + 0.1*cos(phi)"
"#,
        );
        let curve = told["joints"][2]["profile"].as_array().expect("a curve");
        assert!(curve.len() > 20);
        for point in curve {
            let [x, y] = [0, 1].map(|i| point[i].as_f64().expect("a number"));
            assert!((x.hypot(y) - (0.5 + 0.1 * y.atan2(x).cos())).abs() < 1e-9);
        }
    }
}
