//! What can be wrong with bodies and joints, in words, with the cure.

use super::joints::JOINTS;
use crate::ProblemKind;
use crate::decimal::plain;
use crate::elsewhere::joint_type_meant;
use catena_symbolic::nearest;

/// What can be wrong with a mechanism.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum MechanismProblem {
    #[error("`{section}` is a list of items")]
    NotItems { section: &'static str },
    #[error("a mechanism has its own [{0}]")]
    HasItsOwn(String),
    #[error("a model is a chain or a mechanism, not both")]
    WithChain,
    #[error("there are joints or other parts, but no body")]
    NoBody,
    #[error("{what} has no `{key}`")]
    MissingKey { what: String, key: &'static str, help: &'static str },
    #[error("{what} has no use for `{key}`")]
    UselessKey { what: String, key: &'static str, known: Vec<&'static str> },
    #[error("there is no joint of type `{found}`")]
    UnknownType { found: String, known: Vec<&'static str> },
    #[error("there is no {what} `{name}`")]
    Unknown { what: &'static str, name: String, known: Vec<String> },
    #[error("{body} has no point `{name}`")]
    UnknownPoint { body: String, name: String, known: Vec<String> },
    #[error("there are two {what} of the name `{name}`")]
    TwoOfOneName { what: &'static str, name: String },
    #[error("a body cannot be called `ground`")]
    CalledGround,
    #[error("the mechanism writes `{0}` by itself")]
    WritesItself(String),
    #[error("this constant is a long formula")]
    LongConstant,
    #[error("this formula is too long to be differentiated")]
    LongFunction,
    #[error("{what} ties {body} to itself")]
    TiesItself { what: String, body: String },
    #[error("the {what} `{name}` acts on the ground alone")]
    OnGround { what: &'static str, name: String },
    #[error("nothing joins {} to the ground", quoted(.bodies))]
    Floating { bodies: Vec<String> },
    #[error(
        "the motor `{motor}` drives the joint `{joint}`, and a {kind} joint has no freedom for it"
    )]
    NoFreedom { motor: String, joint: String, kind: &'static str },
    #[error("the motor `{motor}` drives a {kind} joint: it needs `{key}`")]
    MotorKey { motor: String, kind: &'static str, key: &'static str },
    #[error("the mass of `{body}` is {}", plain(*.value))]
    NegativeMass { body: String, value: f64 },
    #[error("the inertia of `{body}` is {}", plain(*.value))]
    NegativeInertia { body: String, value: f64 },
    #[error("`{body}` has inertia but no mass")]
    InertiaWithoutMass { body: String },
    #[error("the axis of `{joint}` has no direction")]
    NoDirection { joint: String },
    #[error("the teeth of `{joint}` push {body}, and no {what} holds it there")]
    NoBearing { joint: String, body: String, what: &'static str },
    #[error("the ends of `{joint}` lie on each other at the start: its teeth meet nowhere")]
    NoLineOfCentres { joint: String },
    #[error("the ends of `{spring}` lie on each other at the start: the spring has no direction")]
    NoSpringLength { spring: String },
    #[error("the size `{name}` must be a whole number, not {}", plain(*.found))]
    BadSize { name: String, found: f64 },
    #[error("a size cannot be called `i`")]
    CounterSize,
    #[error("there is no size `{name}`")]
    UnknownSize { name: String, known: Vec<String>, counter: bool },
    #[error("`repeat` must be a whole number from 0 to {limit}, not {}", plain(*.found))]
    BadRepeat { found: f64, limit: i64 },
    #[error("the mechanism has more than {limit} parts")]
    TooManyParts { limit: usize },
}

impl From<MechanismProblem> for ProblemKind {
    fn from(problem: MechanismProblem) -> ProblemKind {
        ProblemKind::Mechanism(problem)
    }
}

impl MechanismProblem {
    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self {
            Self::NotItems { section } => {
                format!("begin each one with [[{section}]], in two brackets")
            }
            Self::HasItsOwn(section) => {
                format!("remove [{section}], or write the model without bodies")
            }
            Self::WithChain => "remove [chain], or the bodies and joints".into(),
            Self::NoBody => "add a [[body]] with a name, a mass and a length".into(),
            Self::MissingKey { help, .. } => format!("write {help}"),
            Self::UselessKey { known, .. } => format!("its keys are {}", known.join(", ")),
            Self::UnknownType { found, known } => match joint_type_meant(found) {
                Some(kind) => format!("did you mean `{kind}`?"),
                None => meant(found, known.iter().copied(), "joints can be"),
            },
            Self::Unknown { what, name, known } if known.is_empty() => {
                format!("this file has no {what} at all; add the {what} `{name}`")
            }
            Self::Unknown { what: "body", name, known } => {
                let known = known.iter().map(String::as_str).chain(["ground"]);
                meant(name, known, "bodies in this file:")
            }
            Self::Unknown { what, name, known } => {
                meant(name, known.iter().map(String::as_str), &format!("{what}s in this file:"))
            }
            Self::UnknownPoint { known, .. } if known.is_empty() => {
                "it has no named points: give them as points = { P = [0.1, 0] }".into()
            }
            Self::UnknownPoint { name, known, .. } => {
                meant(name, known.iter().map(String::as_str), "its points:")
            }
            Self::TwoOfOneName { .. } => "give one of the two another name".into(),
            Self::CalledGround => "the ground is the fixed world; choose another name".into(),
            Self::WritesItself(_) => "give yours another name".into(),
            Self::LongConstant => {
                "give it a name under [parameters], and write the name here".into()
            }
            Self::LongFunction => {
                "give its constant parts names under [parameters], and write the names here".into()
            }
            Self::TiesItself { .. } => "name an end on another body, or on the ground".into(),
            Self::OnGround { .. } => "name a body: on = \"crank\"".into(),
            Self::Floating { .. } => {
                "add a joint, or write free = true in a body that is meant to fly freely".into()
            }
            Self::NoFreedom { .. } => format!("a motor drives {}", driven_joints()),
            Self::MotorKey { key, .. } => format!("for instance {key} = \"omega*t\""),
            Self::NegativeMass { .. } => "a mass is positive, or 0 for a part without mass".into(),
            Self::NegativeInertia { .. } => {
                "a moment of inertia about the centre is positive, or 0 for a point mass".into()
            }
            Self::InertiaWithoutMass { .. } => {
                "no mass distribution has that: give it a mass".into()
            }
            Self::NoDirection { .. } => "write the direction, for instance axis = [1, 0]".into(),
            Self::NoBearing { .. } => {
                "let each end be the point at which a joint holds that body, or leave `pressure_angle` out".into()
            }
            Self::NoLineOfCentres { .. } => {
                "let its ends be the centres of the wheels, or leave `pressure_angle` out".into()
            }
            Self::NoSpringLength { .. } => {
                "move one of its ends, or give the spring the free length 0".into()
            }
            Self::BadSize { name, .. } => format!("write {name} = 3, or --set {name}=3"),
            Self::CounterSize => "{i} is the number of a copy; choose another name".into(),
            Self::UnknownSize { counter: true, .. } => {
                "{i} counts the copies of an item: give the item a repeat".into()
            }
            Self::UnknownSize { name, known, .. } if known.is_empty() => {
                format!("sizes stand in a section of their own: [sizes] with {name} = 3")
            }
            Self::UnknownSize { name, known, .. } => {
                meant(name, known.iter().map(String::as_str), "sizes in this file:")
            }
            Self::BadRepeat { .. } => "write repeat = 3, or the name of a size".into(),
            Self::TooManyParts { .. } => "give smaller sizes".into(),
        }
    }
}

/// The types of joints that a motor can drive, with its keys.
fn driven_joints() -> String {
    let driven = JOINTS.iter().filter_map(|kind| Some((kind.name, kind.driven()?.name())));
    let nouns = std::iter::once("joint").chain(std::iter::repeat("one"));
    let written =
        driven.zip(nouns).map(|((kind, key), noun)| format!("a {kind} {noun} ({key} = ...)"));
    written.collect::<Vec<_>>().join(" or ")
}

/// The nearest name, or all of them.
fn meant<'a>(name: &str, known: impl Iterator<Item = &'a str>, otherwise: &str) -> String {
    let known: Vec<&str> = known.collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.len() <= 30 => format!("{otherwise} {}", known.join(", ")),
        None => format!("{otherwise} {}, …", known[..30].join(", ")),
    }
}

fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > 8 { ", …" } else { "" };
    shown.join(", ") + more
}
