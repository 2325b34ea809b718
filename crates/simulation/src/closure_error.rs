//! Closure errors: how far the joints of a mechanism stay open where it cannot be assembled.

use catena_model::{End, Mechanism};
use std::fmt;

/// How far one joint stays open.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosureError {
    /// Name of the joint.
    pub joint: String,
    /// Its ends in words: `` `door.A` ``, "the ground".
    pub ends: [String; 2],
    /// How far its points are from where they belong, m.
    pub distance: f64,
    /// How far it is turned from where it belongs, rad.
    pub angle: f64,
}

impl fmt::Display for ClosureError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "the joint `{}` stays ", self.joint)?;
        if self.distance > 0.0 {
            let (scale, unit) = if self.distance < 1.0 { (1e3, "mm") } else { (1.0, "m") };
            write!(out, "{} {unit} open", three_digits(scale * self.distance))?;
        }
        if self.distance > 0.0 && self.angle > 0.0 {
            write!(out, " and ")?;
        }
        if self.angle > 0.0 {
            write!(out, "turned by {} degrees", three_digits(self.angle.to_degrees()))?;
        }
        write!(out, " between {} and {}", self.ends[0], self.ends[1])
    }
}

fn end_words(mechanism: &Mechanism, end: &End) -> String {
    let body = end.body.map(|body| mechanism.bodies[body].name.as_str());
    match (body, &end.point) {
        (None, None) => "the ground".to_owned(),
        (body, None) => format!("`{}`", body.unwrap_or_default()),
        (body, Some(point)) => format!("`{}.{point}`", body.unwrap_or("ground")),
    }
}

pub(crate) fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// The joints with residuals, the largest distance first.
pub(crate) fn closure_errors(
    mechanism: &Mechanism,
    residuals: &[(String, f64)],
) -> Vec<ClosureError> {
    let residual = |joint: &str, ending: &str| {
        let name = format!("{joint}_{ending}");
        residuals.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, value)| *value)
    };
    let mut closure_errors = Vec::new();
    for joint in &mechanism.joints {
        let (mut distance, mut angle) = (0.0_f64, 0.0_f64);
        for ending in joint.kind.constraints() {
            match (*ending, residual(&joint.name, ending)) {
                ("angle", turned) => angle = turned.abs(),
                (_, apart) => distance = distance.hypot(apart),
            }
        }
        if distance > 0.0 || angle > 0.0 {
            let ends = joint.ends.each_ref().map(|end| end_words(mechanism, end));
            closure_errors.push(ClosureError { joint: joint.name.clone(), ends, distance, angle });
        }
    }
    closure_errors.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    closure_errors
}
