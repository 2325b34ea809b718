//! Closure errors: how far the joints of a mechanism stay open where it cannot be assembled.

use catena_model::Mechanism;
use std::fmt;

/// How far one joint stays open.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosureError {
    /// Name of the joint.
    pub joint: String,
    /// How far its points are from where they belong, m.
    pub distance: f64,
    /// How far it is turned from where it belongs, rad.
    pub angle: f64,
}

impl fmt::Display for ClosureError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "the joint `{}` stays ", self.joint)?;
        if self.distance > 0.0 {
            write!(out, "{} mm open", three_digits(1e3 * self.distance))?;
        }
        if self.distance > 0.0 && self.angle > 0.0 {
            write!(out, " and ")?;
        }
        if self.angle > 0.0 {
            write!(out, "turned by {} degrees", three_digits(self.angle.to_degrees()))?;
        }
        Ok(())
    }
}

fn three_digits(value: f64) -> f64 {
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
            closure_errors.push(ClosureError { joint: joint.name.clone(), distance, angle });
        }
    }
    closure_errors.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    closure_errors
}
