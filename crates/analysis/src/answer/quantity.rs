//! What columns are called in figures: a word for their unit, and mathematics for their names.

use catena_symbolic::figure_label;

/// (unit, what is measured in it)
const QUANTITIES: [(&str, &str); 20] = [
    ("s", "time"),
    ("Hz", "frequency"),
    ("rad", "angle"),
    ("rad/s", "angular velocity"),
    ("rad/s²", "angular acceleration"),
    ("m", "position"),
    ("m/s", "velocity"),
    ("m/s²", "acceleration"),
    ("m²", "area"),
    ("kg", "mass"),
    ("kg m²", "moment of inertia"),
    ("kg m/s", "momentum"),
    ("kg m²/s", "angular momentum"),
    ("N", "force"),
    ("N/m", "stiffness"),
    ("N m", "torque"),
    ("J", "energy"),
    ("W", "power"),
    ("°", "angle"),
    ("1", "ratio"),
];

/// More names than this along an axis are cut.
const MAX_NAMES_ALONG_AXIS: usize = 3;

/// What stands along an axis for these columns of one unit: `angle, rad`, or their names where the unit says too little.
pub(crate) fn axis_label(names: &[&str], unit: &str) -> String {
    let quantity = QUANTITIES.iter().find(|(known, _)| *known == unit);
    match (names, quantity) {
        ([only], _) => with_unit(&figure_label(only), unit),
        (_, Some((_, word))) => with_unit(word, unit),
        (names, None) => {
            let mut listed: Vec<String> =
                names.iter().take(MAX_NAMES_ALONG_AXIS).map(|name| figure_label(name)).collect();
            if names.len() > MAX_NAMES_ALONG_AXIS {
                listed.push("…".to_owned());
            }
            with_unit(&listed.join(", "), unit)
        }
    }
}

/// A label with its unit, where it has one.
pub(crate) fn with_unit(label: &str, unit: &str) -> String {
    if unit.is_empty() { label.to_owned() } else { format!("{label}, {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_say_what_is_measured_and_names_where_they_do_not() {
        assert_eq!(axis_label(&["theta1", "theta2"], "rad"), "angle, rad");
        assert_eq!(axis_label(&["theta1'"], "rad/s"), "$θ̇_{1}$, rad/s");
        assert_eq!(axis_label(&["x", "y"], ""), "$x$, $y$");
        assert_eq!(axis_label(&["a", "b", "c", "d", "e"], ""), "$a$, $b$, $c$, …");
    }
}
