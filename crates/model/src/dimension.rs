//! What the quantities of a model are measured in, as far as the model says.
//!
//! Chains and mechanisms know the dimension of everything they write; of coordinates that people choose only angles are
//! known. What is written in formulas follows from what it is made of. A plain number may be a length or a factor, so
//! that nothing is known of its products: no unit is better than a wrong one.

use crate::system::{NamedFormula, System};
use catena_symbolic::{Formula, FormulaNode, Operator};
use rustc_hash::FxHashMap;

/// A product of powers of the base units, with the radian among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension {
    kilogram: i8,
    metre: i8,
    second: i8,
    radian: i8,
}

impl Dimension {
    /// Of sines, ratios and directions.
    pub const NONE: Dimension = Dimension { kilogram: 0, metre: 0, second: 0, radian: 0 };
    /// rad
    pub const ANGLE: Dimension = Dimension { radian: 1, ..Dimension::NONE };
    /// m
    pub const LENGTH: Dimension = Dimension { metre: 1, ..Dimension::NONE };
    /// s
    pub const TIME: Dimension = Dimension { second: 1, ..Dimension::NONE };
    /// kg
    pub const MASS: Dimension = Dimension { kilogram: 1, ..Dimension::NONE };
    /// kg m²
    pub const INERTIA: Dimension = Dimension { kilogram: 1, metre: 2, ..Dimension::NONE };
    /// m/s²
    pub const ACCELERATION: Dimension = Dimension { metre: 1, second: -2, ..Dimension::NONE };
    /// N
    pub const FORCE: Dimension = Dimension { kilogram: 1, metre: 1, second: -2, ..Dimension::NONE };
    /// N m
    pub const MOMENT: Dimension =
        Dimension { kilogram: 1, metre: 2, second: -2, ..Dimension::NONE };
    /// W
    pub const POWER: Dimension = Dimension { kilogram: 1, metre: 2, second: -3, ..Dimension::NONE };
    /// N m s, of viscous friction in a pin.
    pub const ANGULAR_DAMPING: Dimension =
        Dimension { kilogram: 1, metre: 2, second: -1, ..Dimension::NONE };

    /// That of a time derivative of this order.
    #[must_use]
    pub fn rate(self, order: usize) -> Dimension {
        Dimension { second: self.second - order as i8, ..self }
    }

    /// That of the multiplier of a constraint: together they are work.
    pub fn multiplier(self) -> Option<Dimension> {
        match self {
            Dimension::LENGTH => Some(Dimension::FORCE),
            Dimension::ANGLE => Some(Dimension::MOMENT),
            _ => None,
        }
    }

    /// The unit as it is written behind a number; empty for numbers without one, and for what has no usual name.
    pub fn unit(self) -> &'static str {
        let Dimension { kilogram, metre, second, radian } = self;
        match (kilogram, metre, second, radian) {
            (0, 0, 0, 1) => "rad",
            (0, 0, -1, 1) => "rad/s",
            (0, 0, -2, 1) => "rad/s²",
            (0, 1, 0, 0) => "m",
            (0, 1, -1, 0) => "m/s",
            (0, 1, -2, 0) => "m/s²",
            (0, 2, 0, 0) => "m²",
            (0, 0, 1, 0) => "s",
            (0, 0, -1, 0) => "1/s",
            (1, 0, 0, 0) => "kg",
            (1, 2, 0, 0) => "kg m²",
            (1, 1, -1, 0) => "kg m/s",
            (1, 1, -2, 0) => "N",
            (1, 1, -3, 0) => "N/s",
            (1, 2, -2, 0) => "N m",
            (1, 2, -3, 0) => "W",
            (1, 2, -1, 0) => "N m s",
            // a moment times an angle, or times its rate
            (1, 2, -2, 1) => "J",
            (1, 2, -3, 1) => "W",
            _ => "",
        }
    }

    fn times(self, other: Dimension, sign: i8) -> Dimension {
        Dimension {
            kilogram: self.kilogram + sign * other.kilogram,
            metre: self.metre + sign * other.metre,
            second: self.second + sign * other.second,
            radian: self.radian + sign * other.radian,
        }
    }

    /// To the power of half a whole number, where that is a dimension.
    fn power(self, halves: i8) -> Option<Dimension> {
        let part = |exponent: i8| {
            let twice = exponent.checked_mul(halves)?;
            (twice % 2 == 0).then_some(twice / 2)
        };
        Some(Dimension {
            kilogram: part(self.kilogram)?,
            metre: part(self.metre)?,
            second: part(self.second)?,
            radian: part(self.radian)?,
        })
    }
}

/// What is known of a part of a formula.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    /// A number as it is written: a factor, or a value in whatever unit belongs there.
    Number(f64),
    Dimension(Dimension),
    Nothing,
}

/// The dimensions of all that a system names.
#[derive(Clone, Debug, Default)]
pub struct Dimensions {
    known: FxHashMap<String, Dimension>,
}

impl Dimensions {
    /// Those of a system; `is_angle` has an entry for each coordinate.
    pub fn new(system: &System, is_angle: &[bool]) -> Dimensions {
        let mut dimensions = Dimensions { known: FxHashMap::default() };
        dimensions.add("t", Dimension::TIME);
        for (name, dimension) in &system.dimensions {
            dimensions.add(name, *dimension);
        }
        for (coordinate, _) in system.coordinates.iter().zip(is_angle).filter(|(_, angle)| **angle)
        {
            dimensions.add(&coordinate.name, Dimension::ANGLE);
        }
        dimensions.infer(&system.definitions);
        for constraint in &system.constraints {
            let multiplier = dimensions.of(&constraint.formula).and_then(Dimension::multiplier);
            if let Some(dimension) = multiplier {
                dimensions.add(&format!("lambda_{}", constraint.name), dimension);
            }
        }
        // formulas of these may use each other, and each only those above it
        dimensions.infer(&system.quantities);
        dimensions.infer(&system.outputs);
        dimensions
    }

    fn add(&mut self, name: &str, dimension: Dimension) {
        self.known.entry(name.to_owned()).or_insert(dimension);
    }

    fn infer(&mut self, entries: &[NamedFormula]) {
        for entry in entries {
            if !self.known.contains_key(&entry.name)
                && let Some(dimension) = self.of(&entry.formula)
            {
                self.add(&entry.name, dimension);
            }
        }
    }

    /// The unit of a name with its primes; empty where it is not known.
    pub fn unit(&self, name: &str) -> &'static str {
        let bare = name.trim_end_matches('\'');
        let primes = name.len() - bare.len();
        self.known.get(bare).map_or("", |dimension| dimension.rate(primes).unit())
    }

    /// The dimension of a formula.
    fn of(&self, formula: &Formula) -> Option<Dimension> {
        let mut parts: Vec<Known> = Vec::with_capacity(formula.nodes().len());
        for node in formula.nodes() {
            let part = match *node {
                FormulaNode::Number(number) => Known::Number(number.to_f64()),
                FormulaNode::Pi => Known::Number(std::f64::consts::PI),
                FormulaNode::Name(ref name, primes) => match self.known.get(name) {
                    Some(dimension) => Known::Dimension(dimension.rate(primes)),
                    None => Known::Nothing,
                },
                FormulaNode::Negate(x) => parts[x],
                FormulaNode::Degrees(_) => Known::Dimension(Dimension::ANGLE),
                FormulaNode::Binary(operator, x, y) => combined(operator, parts[x], parts[y]),
                FormulaNode::Call(function, x, y) => {
                    called(function.row().name, parts[x], y.map(|y| parts[y]))
                }
            };
            parts.push(part);
        }
        match parts.last() {
            Some(Known::Dimension(dimension)) => Some(*dimension),
            _ => None,
        }
    }
}

fn combined(operator: Operator, x: Known, y: Known) -> Known {
    match (operator, x, y) {
        (Operator::Add | Operator::Subtract, x, y) => alike(x, y),
        (Operator::Multiply, Known::Dimension(x), Known::Dimension(y)) => {
            Known::Dimension(x.times(y, 1))
        }
        (Operator::Divide, Known::Dimension(x), Known::Dimension(y)) => {
            Known::Dimension(x.times(y, -1))
        }
        (Operator::Multiply, Known::Number(x), Known::Number(y)) => Known::Number(x * y),
        (Operator::Divide, Known::Number(x), Known::Number(y)) => Known::Number(x / y),
        (Operator::Power, x, Known::Number(exponent)) => power(x, exponent),
        _ => Known::Nothing,
    }
}

/// What is added or compared is of one kind, whatever is known of it.
fn alike(x: Known, y: Known) -> Known {
    match (x, y) {
        // a moment times an angle is work, with or without the radian
        (Known::Dimension(x), Known::Dimension(y)) if x != y => {
            let [x, y] = [x, y].map(|dimension| Dimension { radian: 0, ..dimension });
            match x == y && x.kilogram != 0 {
                true => Known::Dimension(x),
                false => Known::Nothing,
            }
        }
        (Known::Dimension(x), _) | (_, Known::Dimension(x)) => Known::Dimension(x),
        (Known::Number(x), Known::Number(_)) => Known::Number(x),
        _ => Known::Nothing,
    }
}

fn power(base: Known, exponent: f64) -> Known {
    /// Twice the largest exponent that quantities of mechanics have.
    const MAX_HALVES: f64 = 16.0;
    let halves = 2.0 * exponent;
    match base {
        Known::Dimension(base) if halves.fract() == 0.0 && halves.abs() <= MAX_HALVES => {
            base.power(halves as i8).map_or(Known::Nothing, Known::Dimension)
        }
        Known::Number(base) => Known::Number(base.powf(exponent)),
        _ => Known::Nothing,
    }
}

fn called(function: &str, x: Known, y: Option<Known>) -> Known {
    match function {
        "abs" => x,
        "min" | "max" => alike(x, y.unwrap_or(Known::Nothing)),
        "sqrt" => power(x, 0.5),
        "asin" | "acos" | "atan" | "atan2" => Known::Dimension(Dimension::ANGLE),
        // sines, exponentials and signs are numbers whatever they are of
        _ => Known::Dimension(Dimension::NONE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_symbolic::parse;

    fn unit(text: &str) -> &'static str {
        let mut dimensions = Dimensions::default();
        for (name, dimension) in [
            ("t", Dimension::TIME),
            ("theta", Dimension::ANGLE),
            ("x", Dimension::LENGTH),
            ("B_fx", Dimension::FORCE),
            ("B_fy", Dimension::FORCE),
            ("M", Dimension::MOMENT),
        ] {
            dimensions.add(name, dimension);
        }
        let formula = parse(text).expect("a formula");
        dimensions.of(&formula).map_or("", Dimension::unit)
    }

    #[test]
    fn units_follow_from_what_a_formula_is_made_of() {
        for (text, expected) in [
            ("sqrt(B_fx^2 + B_fy^2)", "N"),
            ("B_fx*cos(theta) + B_fy*sin(theta)", "N"),
            ("M*theta'", "W"),
            ("B_fx*x'", "W"),
            ("-B_fx*x", "N m"),
            ("x'' + g", "m/s²"),
            ("x - 0.3", "m"),
            ("L + x", "m"),
            ("theta - 30 deg", "rad"),
            ("atan2(x, L)", "rad"),
            ("max(x', 0)", "m/s"),
            ("x/t", "m/s"),
        ] {
            assert_eq!(unit(text), expected, "{text}");
        }
    }

    /// A plain factor may be a length, or turn radians into degrees.
    #[test]
    fn no_unit_is_better_than_a_wrong_one() {
        for text in ["0.15*B_fx", "theta*180/pi", "L*theta'", "x + theta", "2", "sin(theta)", "g"] {
            assert_eq!(unit(text), "", "{text}");
        }
    }
}
