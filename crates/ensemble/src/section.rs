//! Sections: what a trajectory crosses, as people write it.

use catena_derivation::{Equations, angles};
use catena_model::{CoordinateSet, Event, Model, NamedFormula, Place, Role, System};
use catena_symbolic::{Formula, Graph, Number, nearest, parse, parse_value};

/// Directions of crossings, each with the name that commands take: up is from below zero.
pub const DIRECTIONS: [(&str, i8); 3] = [("up", 1), ("down", -1), ("both", 0)];

/// A surface in the space of states: where an event of the model, or a formula, is zero.
#[derive(Clone, Debug, PartialEq)]
pub struct PoincareSection {
    /// As it was written: the name of an event, or a formula.
    pub text: String,
    /// The sign of the crossings that count: 1 from below zero, −1 from above, 0 both.
    pub direction: i8,
    /// What is zero on it. For an angle on the circle it vanishes at c + 2πk alone: sin((θ − c)/2) if both directions count,
    /// else tan((θ − c)/2), which has poles but rises with θ everywhere.
    pub formula: Formula,
    /// Whether it is a place of an angle on the circle.
    pub on_circle: bool,
}

/// What is written is no section.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{text}` is no section: {reason}")]
pub struct BadSection {
    /// What was written.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
    /// What to write instead, one sentence without a full stop.
    pub cure: String,
}

impl PoincareSection {
    /// The event of this name, or a formula such as `theta1 = 0`, `x - 2*l` or `theta2' = omega`. An angle that equals a
    /// constant is meant on the circle: `theta1 = pi` is crossed at −π and 3π, too. Without a direction, events have their
    /// own and formulas count both.
    pub fn read(
        model: &Model,
        set: CoordinateSet,
        text: &str,
        direction: Option<i8>,
    ) -> Result<PoincareSection, BadSection> {
        let (text, system) = (text.trim(), model.system(set));
        let bad = |reason: String, cure: String| BadSection { text: text.to_owned(), reason, cure };
        if let Some(event) = system.events.iter().find(|event| event.entry.name == text) {
            return Ok(PoincareSection {
                text: text.to_owned(),
                direction: direction.unwrap_or(event.direction),
                formula: event.entry.formula.clone(),
                on_circle: false,
            });
        }
        let written = difference(text).map_err(|(reason, cure)| bad(reason, cure))?;
        let formula =
            parse(&written).map_err(|error| bad(error.kind.to_string(), error.kind.help()))?;
        if let Some((name, 0)) = formula.as_name()
            && system.names.role(name).is_none()
        {
            return Err(unknown_name(system, text, name));
        }
        let moves = |(name, ..): (&str, usize, _)| {
            !matches!(system.names.role(name), Some(Role::Parameter(_)))
        };
        if !formula.names().any(moves) {
            return Err(bad(
                "it does not change while the model moves".to_owned(),
                "write a formula of coordinates, velocities, states, definitions and t".to_owned(),
            ));
        }
        let on_circle = is_angle_less_constant(model, system, &formula);
        let direction = direction.unwrap_or(0);
        let on_circle_written = match direction {
            0 => format!("sin(({written})/2)"),
            _ => format!("tan(({written})/2)"),
        };
        let formula = match on_circle {
            true => parse(&on_circle_written)
                .map_err(|error| bad(error.kind.to_string(), error.kind.help()))?,
            false => formula,
        };
        let section = PoincareSection { text: text.to_owned(), direction, formula, on_circle };
        // names are looked up as in the file
        model.with_event(set, section.event()).map_err(|problem| {
            let cure = problem.kind.help().unwrap_or_default();
            bad(problem.to_string(), cure)
        })?;
        Ok(section)
    }

    /// How far from it a state is where its function has this value: on the circle an angle, rad.
    pub fn distance(&self, value: f64) -> f64 {
        match (self.on_circle, self.direction) {
            (false, _) => value,
            (true, 0) => 2.0 * value.asin(),
            (true, _) => 2.0 * value.atan(),
        }
    }

    fn event(&self) -> Event {
        let (name, formula) = (self.text.clone(), self.formula.clone());
        let entry = NamedFormula { name, primes: 0, formula, place: Place::default() };
        Event { entry, direction: self.direction, terminal: false }
    }
}

/// The model with these sections as its last events. Of its own events those are left that end a motion.
pub(crate) fn with_sections(
    model: &Model,
    set: CoordinateSet,
    sections: &[PoincareSection],
) -> Result<Model, BadSection> {
    let mut watched = model.clone();
    watched.system_mut(set).events.retain(|event| event.terminal);
    for section in sections {
        watched = watched.with_event(set, section.event()).map_err(|problem| BadSection {
            text: section.text.clone(),
            reason: problem.to_string(),
            cure: problem.kind.help().unwrap_or_default(),
        })?;
    }
    Ok(watched)
}

/// `A = B` as `(A) - (B)`, with a number on the right in any unit.
fn difference(text: &str) -> Result<String, (String, String)> {
    let Some((left, right)) = text.split_once('=') else { return Ok(text.to_owned()) };
    let (left, right) = (left.trim(), right.trim());
    let form = || "write a formula that is zero on it, or an equation, as theta1 = 90 deg";
    if left.is_empty() || right.is_empty() || right.contains('=') {
        return Err(("an equation has two sides".to_owned(), form().to_owned()));
    }
    let value = parse_value(right).map_err(|error| (error.kind.to_string(), error.kind.help()))?;
    match value.formula.names().next() {
        Some(_) => Ok(format!("({left}) - ({right})")),
        None => match value.formula.evaluate(|_, _| f64::NAN) {
            0.0 => Ok(left.to_owned()),
            number if number.is_finite() => Ok(format!("({left}) - ({number:?})")),
            _ => Err((
                format!("`{right}` has no finite value"),
                "look for a division by zero".to_owned(),
            )),
        },
    }
}

/// Whether a formula is an angle of the model less a constant, or the other way round.
fn is_angle_less_constant(model: &Model, system: &System, formula: &Formula) -> bool {
    let mut angle = None;
    for (name, primes, _) in formula.names() {
        match system.names.role(name) {
            Some(Role::Coordinate(at))
                if primes == 0 && angle.is_none_or(|(known, _)| known == at) =>
            {
                angle = Some((at, name));
            }
            Some(Role::Parameter(_)) => {}
            _ => return false,
        }
    }
    let Some((at, name)) = angle else { return false };
    let mut graph = Graph::new();
    let expr = formula.build_plain(&mut graph);
    let symbol = graph.symbol(name);
    let slope = graph.derivative(expr, symbol);
    let slope = graph.as_number(slope);
    (slope == Some(Number::ONE) || slope == Some(Number::from(-1.0)))
        && angles(&Equations::derive_without_mass_matrix(model, system), system)[at]
}

/// A single word that is no event and nothing of the model.
fn unknown_name(system: &System, text: &str, name: &str) -> BadSection {
    let events: Vec<&str> = system.events.iter().map(|event| event.entry.name.as_str()).collect();
    let cure = match nearest(name, events.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if events.is_empty() => {
            "the model has no events; write a formula, as theta1 = 0".to_owned()
        }
        None => {
            format!("events of the model: {}; or write a formula, as theta1 = 0", events.join(", "))
        }
    };
    let reason = "no event has this name, and nothing else of the model".to_owned();
    BadSection { text: text.to_owned(), reason, cure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::Source;

    fn model() -> Model {
        let text = "[parameters]\nl = 2\n[coordinates]\nq = \"\"\nx = \"\"\n[energy]\n\
                    kinetic = \"q'^2 + x'^2\"\npotential = \"cos(q)*l + x^2\"\n\
                    [events]\ntop = { when = \"q'\", direction = -1 }\n";
        Model::read(Source::new("test", text), &[]).expect("a model")
    }

    fn read(text: &str) -> Result<PoincareSection, BadSection> {
        PoincareSection::read(&model(), CoordinateSet::Own, text, None)
    }

    #[test]
    fn events_keep_their_direction_and_formulas_count_both() {
        assert_eq!(read("top").map(|section| section.direction), Ok(-1));
        assert_eq!(read("q' = 0").map(|section| section.direction), Ok(0));
        let up = PoincareSection::read(&model(), CoordinateSet::Own, "top", Some(1));
        assert_eq!(up.map(|section| section.direction), Ok(1));
    }

    #[test]
    fn an_angle_that_equals_a_constant_is_meant_on_the_circle() {
        for text in ["q = pi", "q", "q - l", "q = 90 deg", "pi - q"] {
            assert!(read(text).is_ok_and(|section| section.on_circle), "{text}");
        }
        for text in ["x = 1", "2*q - pi", "q' = 0", "q - x", "sin(q)", "q - t", "q - l*q"] {
            assert!(read(text).is_ok_and(|section| !section.on_circle), "{text}");
        }
    }

    #[test]
    fn what_is_no_section_says_what_to_write() {
        let refused = |text: &str| {
            let bad = read(text).expect_err(text);
            format!("{bad}; {}", bad.cure)
        };
        assert_eq!(
            refused("tip"),
            "`tip` is no section: no event has this name, and nothing else of the model; did you mean `top`?"
        );
        assert_eq!(
            refused("l - 2"),
            "`l - 2` is no section: it does not change while the model moves; write a formula of coordinates, \
             velocities, states, definitions and t"
        );
        assert!(refused("q = ").contains("an equation has two sides"));
        assert!(refused("q + y").contains("unknown name `y`"));
        assert!(refused("q''").contains("an acceleration"));
        assert!(refused("q = 1/0").contains("no finite value"));
    }
}
