//! A point or a roller of the second body, the follower, stays on a curve of the first, the cam.
//!
//! # Equations
//! The curve has the polar radius ρ(φ) around the cam's point, in the axes of the cam. A point with the
//! polar coordinates r and φ there is on it where
//!
//! r − ρ(φ) = 0.
//!
//! The force of the cam is along the gradient e_r − (ρ′/r) e_φ, which is normal to the curve.
//!
//! A roller of radius b touches the curve at the angle s, with its centre at the distance b from it
//! along the normal n = (ρ e_r − ρ′ e_φ)/w, w² = ρ² + ρ′²:
//!
//! n·(p − C(s)) − b = 0 with s − δ(s) − φ = 0, tan δ = b ρ′/(ρ (w + b)),
//!
//! where φ is the polar angle of the centre p. The angle s is not a coordinate: Newton's method from
//! s = φ is written out as definitions. The constraint is a distance, so it is off by the square of the
//! error of s only. It is one constraint without further unknowns, for every formulation.
//!
//! Both are bilateral: contact is kept where the force would have to pull.
//!
//! # When to choose it
//! Cams with a knife edge or a roller, grooves, and anything whose point stays on a given curve. Look at the sign of the normal
//! force: where it pulls a real follower lifts off, and the motion is no longer that of the machine. The profile needs a continuous
//! slope, and a roller must fit into every hollow.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3; R. L. Norton, *Cam Design and
//! Manufacturing Handbook*, 2009

use super::{HIGHER_PAIR, JointType, Key};
use crate::mechanism::guesses::{Placement, Vector, Walk};
use crate::mechanism::joint::Joint;
use crate::mechanism::joint_writer::Writer;
use crate::mechanism::problem::MechanismProblem;
use crate::mechanism::quantity::{Quantity, Sum};
use crate::mechanism::sketch::Draughtsman;
use crate::problem::Problem;
use crate::sketch::Shape;
use catena_symbolic::{Expr, Graph, parse};
use rustc_hash::FxHashMap;

/// Newton's steps to the angle of contact. Three are enough for a roller as large as an eccentric disc
/// whose axle is half a radius off its centre; the fourth is for worse ones.
const CONTACT_ITERATIONS: usize = 4;
/// Operations in ρ″; a profile with more is a sign of a runaway script.
const MAX_OPERATIONS: usize = 10_000;
/// Sides of the polygon that is drawn for the cam.
const DRAWN_SIDES: usize = 72;

/// The polar angle in the axes of the cam.
const VARIABLE: &str = "phi";

const PROFILE: Key = Key {
    variable: Some(VARIABLE),
    required: true,
    ..Key::number(
        "profile",
        "the polar radius of the cam as a formula of the polar angle phi, for instance \
         profile = \"R0 + h*(1 - cos(phi))/2\"",
    )
};
const RADIUS: Key =
    Key::number("radius", "the radius of the follower's roller, for instance radius = 0.01");

pub(super) static CAM_FOLLOWER: JointType = JointType {
    name: "cam-follower",
    summary: "a point or a roller of the second body stays on a curve of the first",
    keys: &[&PROFILE, &RADIUS],
    constraints: &["d"],
    write,
    placement: Placement::OnCurve,
    check: |joint| match Profile::new(PROFILE.of(joint)) {
        Some(_) => Ok(()),
        None => Err(Problem {
            kind: MechanismProblem::LongFunction.into(),
            place: PROFILE.of(joint).place.clone(),
        }),
    },
    opposite,
    draw,
    shows_bodies: [true, false],
    ..HIGHER_PAIR
};

/// ρ, ρ′ and ρ″ as formulas of φ.
struct Profile([String; 3]);

impl Profile {
    /// `None` if a derivative is too long or nested too deep to be read as part of a formula.
    fn new(quantity: &Quantity) -> Option<Profile> {
        let mut graph = Graph::new();
        let radius = quantity.formula.build_plain(&mut graph);
        let angle = graph.symbol(VARIABLE);
        let slope = graph.derivative(radius, angle);
        let bend = graph.derivative(slope, angle);
        if operations(&graph, bend) > MAX_OPERATIONS {
            return None;
        }
        let [slope, bend] = [slope, bend].map(|expr| graph.formula_text(expr));
        let texts = [quantity.text.clone(), slope, bend];
        // nowhere does it stand deeper
        let readable = |text: &String| parse(&format!("((((({text})))))")).is_ok();
        texts.iter().all(readable).then_some(Profile(texts))
    }

    /// The derivative of this order where φ is this name or text in parentheses.
    fn at(&self, order: usize, angle: &str) -> String {
        let text = &self.0[order];
        let formula = parse(text).expect("a profile is made of formulas that can be read");
        let (mut written, mut copied) = (String::with_capacity(text.len()), 0);
        for (_, _, span) in formula.names().filter(|(name, ..)| *name == VARIABLE) {
            written += &text[copied..span.start];
            written += angle;
            copied = span.end;
        }
        written + &text[copied..]
    }
}

/// How long an expression is when all that is shared in it is written out.
fn operations(graph: &Graph, expr: Expr) -> usize {
    let mut lengths: FxHashMap<Expr, usize> = FxHashMap::default();
    for part in graph.reachable(&[expr]) {
        let length = graph.node(part).operands().map(|operand| lengths[&operand]);
        let length = length.fold(1_usize, usize::saturating_add);
        lengths.insert(part, length);
    }
    lengths[&expr]
}

fn write(writer: &mut Writer) {
    let joint = writer.joint;
    let profile = Profile::new(PROFILE.of(joint)).expect("the profile was checked");
    let [d_x, d_y] = writer.difference().map(|text| format!("({text})"));
    let cam = joint.ends[0].body;
    let (sine, cosine) = match cam {
        Some(_) => {
            let angle = writer.mechanism.angle(cam);
            (format!("sin({angle})"), format!("cos({angle})"))
        }
        None => ("0".to_owned(), "1".to_owned()),
    };
    // the follower's point in the axes of the cam
    let x = Sum::default().plus(&[&cosine, &d_x]).plus(&[&sine, &d_y]).text();
    let y = Sum::default().plus(&[&cosine, &d_y]).minus(&[&sine, &d_x]).text();
    let point = [writer.definition("x", &x), writer.definition("y", &y)];
    match RADIUS.of(joint) {
        radius if radius.is_zero() => write_point(writer, &profile, point),
        radius => write_roller(writer, &profile, point, &radius.factor()),
    }
}

fn write_point(writer: &mut Writer, profile: &Profile, [x, y]: [String; 2]) {
    let r = writer.definition("r", &format!("sqrt({x}^2 + {y}^2)"));
    let phi = writer.definition("phi", &format!("atan2({y}, {x})"));
    let radius = writer.definition("profile", &profile.at(0, &phi));
    writer.constraint("d", &format!("{r} - {radius}"));
    let slope = writer.definition("slope", &profile.at(1, &phi));
    let [d_x, d_y] = writer.difference();
    let normal_x = format!("(({d_x})/{r} + {slope}*({d_y})/{r}^2)");
    let normal_y = format!("(({d_y})/{r} - {slope}*({d_x})/{r}^2)");
    writer.force("d", [&normal_x, &normal_y]);
    let multiplier = writer.multiplier("d");
    writer.output("normal", &format!("-{multiplier}*sqrt(1 + ({slope}/{r})^2)"));
}

fn write_roller(writer: &mut Writer, profile: &Profile, [x, y]: [String; 2], b: &str) {
    let centre = writer.definition("phi0", &format!("atan2({y}, {x})"));
    let mut phi = centre.clone();
    for step in 1..=CONTACT_ITERATIONS {
        let mut define =
            |name: &str, text: &str| writer.definition(&format!("{name}{}", step - 1), text);
        let rho = define("profile", &profile.at(0, &phi));
        let slope = define("slope", &profile.at(1, &phi));
        let bend = define("bend", &profile.at(2, &phi));
        let w = define("w", &format!("sqrt({rho}^2 + {slope}^2)"));
        // tan δ = sine/cosine, δ′ from the derivatives of both
        let (sine, cosine) = (format!("{b}*{slope}"), format!("{rho}*({w} + {b})"));
        let lead = define("lead", &format!("atan2({sine}, {cosine})"));
        let cosine_rate = format!("{slope}*({w} + {b} + {rho}*({rho} + {bend})/{w})");
        let lead_rate =
            format!("({b}*{bend}*{cosine} - {sine}*{cosine_rate})/(({sine})^2 + ({cosine})^2)");
        let next = format!("{phi} - ({phi} - {lead} - {centre})/(1 - {lead_rate})");
        let last = step == CONTACT_ITERATIONS;
        phi = writer.definition(&if last { "phi".to_owned() } else { format!("phi{step}") }, &next);
    }
    let rho = writer.definition("profile", &profile.at(0, &phi));
    let slope = writer.definition("slope", &profile.at(1, &phi));
    let w = writer.definition("w", &format!("sqrt({rho}^2 + {slope}^2)"));
    let along = format!("({x}*cos({phi}) + {y}*sin({phi}) - {rho})");
    let across = format!("({y}*cos({phi}) - {x}*sin({phi}))");
    writer.constraint("d", &format!("({along}*{rho} - {across}*{slope})/{w} - {b}"));
    let angle = writer.mechanism.angle(writer.joint.ends[0].body);
    let turned = Sum::default().plus(&[&phi]).plus(&[&angle]).text();
    let (sine, cosine) = (format!("sin({turned})"), format!("cos({turned})"));
    let normal_x = writer.definition("normal_x", &format!("({rho}*{cosine} + {slope}*{sine})/{w}"));
    let normal_y = writer.definition("normal_y", &format!("({rho}*{sine} - {slope}*{cosine})/{w}"));
    writer.force("d", [&normal_x, &normal_y]);
    let multiplier = writer.multiplier("d");
    writer.output("normal", &format!("-{multiplier}"));
}

/// The cam as a closed polygon in its own axes, and the roller.
fn draw(draughtsman: &mut Draughtsman, joint: &Joint) {
    let [cam, follower] = draughtsman.ends(joint);
    let (profile, parameter) = (PROFILE.of(joint), draughtsman.parameter);
    let corner = |side: usize| {
        let phi = std::f64::consts::TAU * side as f64 / DRAWN_SIDES as f64;
        let known = |name: &str| if name == VARIABLE { Some(phi) } else { parameter(name) };
        let radius = profile.value(known);
        [cam.at[0] + radius * phi.cos(), cam.at[1] + radius * phi.sin()]
    };
    let outline = (0..=DRAWN_SIDES).map(corner).collect();
    draughtsman.add(joint, Shape::Cam { carrier: cam.carrier, outline });
    let radius = draughtsman.number(joint, &RADIUS).abs();
    if radius > 0.0 {
        let (carrier, centre) = (follower.carrier, follower.at);
        draughtsman.add(joint, Shape::Wheel { carrier, centre, radius, toothed: false });
    }
    draughtsman.pin(joint, [follower; 2]);
}

/// The follower is on the side of the cam to which its guide points, or above it.
fn opposite(joint: &Joint, walk: &Walk, end: usize, other: Vector) -> Vector {
    let [cam, follower] = joint.ends.each_ref().map(|end| end.body);
    let side = walk.mechanism.joints.iter().find_map(|guide| {
        let axis =
            guide.slide_axis().filter(|_| guide.ends.iter().any(|end| end.body == follower))?;
        let [x, y] = axis.each_ref().map(|component| walk.value(component));
        Some(y.atan2(x) + walk.pose(guide.ends[0].body)[2].unwrap_or(0.0))
    });
    let side = side.unwrap_or(std::f64::consts::FRAC_PI_2);
    let phi = side - walk.pose(cam)[2].unwrap_or(0.0);
    let parameter = |name: &str| if name == VARIABLE { Some(phi) } else { (walk.parameter)(name) };
    let distance = PROFILE.of(joint).value(parameter) + walk.value(RADIUS.of(joint));
    // from the cam to the follower, or back
    let distance = if end == 1 { distance } else { -distance };
    [other[0] + distance * side.cos(), other[1] + distance * side.sin()]
}
