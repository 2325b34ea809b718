//! What other programs and textbooks write, and how formulas say it here.

use super::unit::UNITS;

/// Functions of other programs: their names in lower case, and what to write. `{x}` and `{y}` are the arguments, `{X}` and
/// `{Y}` the same in parentheses unless they are plain.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["ln", "loge"], "the natural logarithm is written `log({x})`"),
    (&["log10", "lg"], "write `log({x})/log(10)`"),
    (&["log2"], "write `log({x})/log(2)`"),
    (&["arcsin"], "write `asin({x})`"),
    (&["arccos"], "write `acos({x})`"),
    (&["arctan"], "write `atan({x})`"),
    (&["arctan2"], "write `atan2({x}, {y})`"),
    (&["sind"], "write `sin(({x}) deg)`"),
    (&["cosd"], "write `cos(({x}) deg)`"),
    (&["tand"], "write `tan(({x}) deg)`"),
    (&["sec"], "write `1/cos({x})`"),
    (&["csc", "cosec"], "write `1/sin({x})`"),
    (&["cot", "cotan"], "write `1/tan({x})`"),
    (&["sech"], "write `1/cosh({x})`"),
    (&["asinh", "arcsinh"], "write `log({X} + sqrt({X}^2 + 1))`"),
    (&["pow", "power"], "a power is written `{X}^{Y}`"),
    (&["sqr", "square"], "a square is written `{X}^2`"),
    (&["cbrt"], "write `{X}^(1/3)`"),
    (&["hypot"], "write `sqrt({X}^2 + {Y}^2)`"),
    (&["fabs", "norm"], "write `abs({x})`"),
    (&["sgn", "signum"], "write `sign({x})`"),
    (&["radians", "deg2rad", "rad"], "write `({x}) deg`"),
    (&["degrees", "rad2deg"], "write `{X}*180/pi`"),
    (&["heaviside", "unitstep"], "write `(1 + sign({x}))/2`"),
    (
        &["if", "ifelse", "piecewise", "where", "select"],
        "formulas have no conditions; `(1 + sign(x))/2` is 0 for x < 0 and 1 for x > 0",
    ),
    (&["mod", "rem", "floor", "ceil", "round"], "formulas have no steps of whole numbers"),
    (
        &["integrate", "int", "integral"],
        "an integral is a first-order state: z = \"{x}\" under [states]",
    ),
    (&["pi"], "write `pi` without parentheses"),
];

/// Time derivatives of other programs and their order.
const DERIVATIVES: &[(&str, &str)] =
    &[("diff", "'"), ("derivative", "'"), ("der", "'"), ("ddt", "'"), ("dot", "'"), ("ddot", "''")];

/// What to write in the place of a function that other programs have.
pub(super) fn function_help(name: &str, arguments: &[String]) -> Option<String> {
    let argument = |at: usize, otherwise: &str| match arguments.get(at) {
        Some(text) if !text.is_empty() => text.clone(),
        _ => otherwise.to_owned(),
    };
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if arguments == ["t"] && !FUNCTIONS.iter().any(|(names, _)| names.contains(&name)) {
        return Some(format!("coordinates depend on time by themselves: write `{name}`"));
    }
    let lower = name.to_lowercase();
    if let Some((_, primes)) = DERIVATIVES.iter().find(|(known, _)| *known == lower) {
        let of = argument(0, "x").replace("(t)", "");
        let (named, of) = match is_plain(&of) {
            true => ("", of),
            false => ("name what it is of under [definitions], as z: ", "z".to_owned()),
        };
        return Some(format!("{named}a time derivative is written `{of}{primes}`"));
    }
    let (_, help) = FUNCTIONS.iter().find(|(names, _)| names.contains(&lower.as_str()))?;
    let grouped = |text: String| if is_plain(&text) { text } else { format!("({text})") };
    let (x, y) = (argument(0, "x"), argument(1, "y"));
    let help = help.replace("{x}", &x).replace("{y}", &y);
    Some(help.replace("{X}", &grouped(x)).replace("{Y}", &grouped(y)))
}

/// Units that people write behind numbers, and what to write; `{n}` is the number.
const UNIT_WORDS: &[(&[&str], &str)] = &[
    (&["degrees", "degree", "degs"], "write `{n} deg`"),
    (&["rad", "rads", "radian", "radians"], "angles are in radians: write `{n}`"),
    (&["kg", "kgs", "kilogram", "kilograms"], "masses are in kg: write `{n}`"),
    (&["meter", "meters", "metre", "metres"], "lengths are in m: write `{n}`"),
    (&["sec", "secs", "second", "seconds"], "times are in s: write `{n}`"),
    (&["newton", "newtons"], "forces are in N: write `{n}`"),
    (&["nm"], "moments are in N m: write `{n}`; a nanometre is `1e-9`"),
    (&["pa", "joule", "joules", "watt", "watts"], "values are in SI units: write `{n}`"),
    (&["kpa", "kj", "kw", "knm"], "values are in SI units: write `{n}*1e3`"),
    (&["mpa", "mn", "mj", "mw"], "values are in SI units: write `{n}*1e6`"),
    (&["gpa"], "values are in SI units: write `{n}*1e9`"),
    (&["gram", "grams"], "masses are in kg: write `{n}*1e-3`"),
    (&["mg"], "masses are in kg: write `{n}*1e-6`"),
    (&["ton", "tons", "tonne", "tonnes"], "masses are in kg: write `{n}*1e3`"),
    (&["lb", "lbs"], "masses are in kg: write `{n}*0.45359237`"),
    (&["lbf"], "forces are in N: write `{n}*4.4482216`"),
    (&["in", "inch", "inches"], "lengths are in m: write `{n}*25.4 mm`"),
    (&["ft", "foot", "feet"], "lengths are in m: write `{n}*0.3048`"),
    (&["um", "µm", "μm"], "lengths are in m: write `{n}*1e-6`"),
    (&["us", "µs", "μs"], "times are in s: write `{n}*1e-6`"),
    (&["ns"], "times are in s: write `{n}*1e-9`"),
    (&["mins", "minute", "minutes"], "write `{n} min`"),
    (&["hour", "hours", "hr", "hrs"], "times are in s: write `{n}*3600`"),
    (&["day", "days"], "times are in s: write `{n}*86400`"),
    (&["rev", "revs", "turn", "turns"], "angles are in radians: write `{n}*2*pi`"),
    (&["rps"], "angular velocities are in rad/s: write `{n}*2*pi`"),
    (&["khz"], "write `{n}*1e3 Hz`"),
    (&["kmh", "kph"], "velocities are in m/s: write `{n}/3.6`"),
    (&["percent"], "write `{n}/100`"),
];

/// Units that are one letter, which may as well be a name: 2 m.
const UNIT_LETTERS: &[(&str, &str)] = &[
    ("m", "lengths are in m"),
    ("s", "times are in s"),
    ("N", "forces are in N"),
    ("J", "energies are in J"),
    ("W", "powers are in W"),
    ("g", "masses are in kg"),
    ("h", "times are in s"),
];

/// What to write in the place of a number with a unit that formulas do not have.
pub(super) fn unit_help(number: &str, word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let unit = UNITS.iter().find(|unit| unit.name.to_lowercase() == lower);
    // a unit as it should be is something else here, such as the function `min`
    if let Some(unit) = unit.filter(|unit| unit.name != word) {
        return Some(format!("write `{number} {}`", unit.name));
    }
    let (_, help) = UNIT_WORDS.iter().find(|(names, _)| names.contains(&lower.as_str()))?;
    Some(help.replace("{n}", number))
}

/// What a letter behind a number may mean besides a factor.
pub(super) fn letter_help(word: &str) -> Option<&'static str> {
    UNIT_LETTERS.iter().find(|(letter, _)| *letter == word).map(|(_, help)| *help)
}

/// What to write in the place of a character.
pub(super) fn character_help(character: char) -> Option<&'static str> {
    Some(match character {
        '*' => "a power is written with `^`",
        '[' | ']' | '{' | '}' => "group with round parentheses",
        '×' | '∙' | '⋅' | '•' => "a product is written with `*`",
        '÷' => "a quotient is written with `/`",
        '–' | '—' | '‐' => "a minus is written with `-`",
        '²' => "a square is written `^2`",
        '³' => "a cube is written `^3`",
        '½' => "write `1/2`",
        '¼' => "write `1/4`",
        '√' => "a root is written `sqrt(x)`",
        '∞' => "there is no infinite number; write a large one",
        '°' | 'º' => "degrees are written `deg`, as in `60 deg`",
        '%' => "write a hundredth as `/100`",
        '’' | '‘' | '′' | '´' | '`' | 'ʹ' | 'ʼ' => {
            "a time derivative is written with the plain apostrophe: `x'`"
        }
        '″' | '"' => "a second time derivative is written with two plain apostrophes: `x''`",
        '\u{307}' => "a dot over a name, for its time derivative, is written `x'`",
        '\u{308}' => "two dots over a name, for its second time derivative, are written `x''`",
        '=' => {
            "a formula has no equals sign; where left = right is meant to hold write `left - (right)`"
        }
        '<' | '>' | '≤' | '≥' | '!' | '&' | '|' | '?' => {
            "formulas have no conditions; `(1 + sign(x))/2` is 0 for x < 0 and 1 for x > 0"
        }
        '.' => "write `*`, `/`, `^` and functions without a point before them",
        '\\' | '$' => "write functions and Greek letters by name: `cos(theta)`",
        ';' | ':' => "one formula stands alone",
        _ => return None,
    })
}
