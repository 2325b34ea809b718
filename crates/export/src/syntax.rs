//! How a language writes operations: numbers, powers, calls. What differs between languages is data.

use catena_symbolic::Function;

/// How a language writes formulas.
#[derive(Debug)]
pub(crate) struct Syntax {
    /// Words that mean something already: keywords, macros, functions that are called, names of the frame around the
    /// formulas. Blanks stand between them.
    pub(crate) reserved: &'static str,
    /// How a power is written whose exponent is no whole number.
    pub(crate) power: PowerStyle,
    /// The functions that have another name in the language than in model files.
    pub(crate) renamed: &'static [(&'static str, &'static str)],
    /// Names of what is undefined and of what is infinite.
    pub(crate) not_a_number: &'static str,
    pub(crate) infinity: &'static str,
}

/// How a power is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PowerStyle {
    /// pow(x, y)
    Call(&'static str),
    /// x ** y
    Operator(&'static str),
}

/// How tightly a piece of text holds together.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Binding {
    Sum,
    Product,
    Power,
    Atom,
}

/// A piece of a formula as text.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) text: String,
    pub(crate) binding: Binding,
    /// Operations in it.
    pub(crate) weight: usize,
}

impl Fragment {
    /// A name, which needs no parentheses anywhere.
    pub(crate) fn atom(text: impl Into<String>) -> Fragment {
        Fragment { text: text.into(), binding: Binding::Atom, weight: 0 }
    }

    /// The text, in parentheses if it binds less than its surroundings.
    fn within(&self, least: Binding) -> String {
        match self.binding < least {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    /// What stands behind the minus sign of a term that begins with one.
    fn negated_term(&self) -> Option<&str> {
        self.text.strip_prefix('-').filter(|_| self.binding > Binding::Sum)
    }

    /// A first operand that begins with a minus sign is fine, a later one is not.
    fn behind(&self, least: Binding) -> String {
        match self.binding < least || self.text.starts_with('-') {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}

/// The largest denominator of a fraction that is written as one.
const MAX_DENOMINATOR: u32 = 360;
/// Decimals up to this many letters are read as well as a fraction.
const MAX_SHORT_DECIMAL: usize = 10;

impl Syntax {
    /// A number that gives exactly this value: a decimal, or a fraction where that is what it stands for.
    pub(crate) fn number(&self, value: f64) -> Fragment {
        if value.is_nan() {
            return Fragment::atom(self.not_a_number);
        }
        if value.is_infinite() {
            let sign = if value < 0.0 { "-" } else { "" };
            let text = format!("{sign}{}", self.infinity);
            return Fragment { text, binding: Binding::Product, weight: 0 };
        }
        let decimal = format!("{value:?}");
        if decimal.len() > MAX_SHORT_DECIMAL
            && let Some((numerator, denominator)) = fraction(value)
        {
            let text = format!("{numerator:?}/{denominator:?}");
            return Fragment { text, binding: Binding::Product, weight: 1 };
        }
        let binding = if value < 0.0 { Binding::Product } else { Binding::Atom };
        Fragment { text: decimal, binding, weight: 0 }
    }

    /// x + y, with what is negative behind a minus sign
    pub(crate) fn sum(&self, x: &Fragment, y: &Fragment) -> Fragment {
        let text = match (x.negated_term(), y.text.strip_prefix('-')) {
            (_, Some(y)) => format!("{} - {y}", x.text),
            (Some(x), None) => format!("{} - {x}", y.text),
            (None, None) => format!("{} + {}", x.text, y.text),
        };
        joined(text, Binding::Sum, &[x, y])
    }

    /// x − y
    pub(crate) fn difference(&self, x: &Fragment, y: &Fragment) -> Fragment {
        let text = match y.negated_term() {
            Some(y) => format!("{} + {y}", x.text),
            None => format!("{} - {}", x.text, y.behind(Binding::Product)),
        };
        joined(text, Binding::Sum, &[x, y])
    }

    /// x y
    pub(crate) fn product(&self, x: &Fragment, y: &Fragment) -> Fragment {
        let text = format!("{}*{}", x.within(Binding::Product), y.behind(Binding::Product));
        joined(text, Binding::Product, &[x, y])
    }

    /// x/y
    pub(crate) fn quotient(&self, x: &Fragment, y: &Fragment) -> Fragment {
        let text = format!("{}/{}", x.within(Binding::Product), y.behind(Binding::Power));
        joined(text, Binding::Product, &[x, y])
    }

    /// −x
    pub(crate) fn negative(&self, x: &Fragment) -> Fragment {
        let text = format!("-{}", x.behind(Binding::Product));
        joined(text, Binding::Product, &[x])
    }

    /// xʸ
    pub(crate) fn power(&self, x: &Fragment, y: &Fragment) -> Fragment {
        match self.power {
            PowerStyle::Call(name) => self.named_call(name, &[x, y]),
            PowerStyle::Operator(operator) => {
                let text =
                    format!("{}{operator}{}", x.behind(Binding::Atom), y.behind(Binding::Atom));
                joined(text, Binding::Power, &[x, y])
            }
        }
    }

    /// f(x, …)
    pub(crate) fn call(&self, function: Function, arguments: &[&Fragment]) -> Fragment {
        self.named_call(self.function_name(function.name()), arguments)
    }

    /// The name of a function in the language.
    pub(crate) fn function_name(&self, name: &'static str) -> &'static str {
        self.renamed.iter().find(|(own, _)| *own == name).map_or(name, |(_, other)| other)
    }

    fn named_call(&self, name: &str, arguments: &[&Fragment]) -> Fragment {
        let texts: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
        joined(format!("{name}({})", texts.join(", ")), Binding::Atom, arguments)
    }
}

fn joined(text: String, binding: Binding, parts: &[&Fragment]) -> Fragment {
    let weight = 1 + parts.iter().map(|part| part.weight).sum::<usize>();
    Fragment { text, binding, weight }
}

/// A fraction of small whole numbers that is exactly this value in double precision.
fn fraction(value: f64) -> Option<(f64, f64)> {
    (2..=MAX_DENOMINATOR).find_map(|denominator| {
        let denominator = f64::from(denominator);
        let numerator = (value * denominator).round();
        let is_it = numerator / denominator == value && numerator.abs() < 1e4;
        is_it.then_some((numerator, denominator))
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) static PLAIN: Syntax = Syntax {
        reserved: "sin cos",
        power: PowerStyle::Call("pow"),
        renamed: &[("abs", "fabs")],
        not_a_number: "NAN",
        infinity: "INFINITY",
    };

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let s = &PLAIN;
        let [a, b, c] = ["a", "b", "c"].map(Fragment::atom);
        assert_eq!(s.product(&a, &s.sum(&b, &c)).text, "a*(b + c)");
        assert_eq!(s.difference(&a, &s.difference(&b, &c)).text, "a - (b - c)");
        assert_eq!(s.difference(&a, &s.product(&b, &c)).text, "a - b*c");
        assert_eq!(s.quotient(&a, &s.product(&b, &c)).text, "a/(b*c)");
        assert_eq!(s.quotient(&s.product(&a, &b), &c).text, "a*b/c");
        assert_eq!(s.product(&a, &s.negative(&b)).text, "a*(-b)");
        assert_eq!(s.negative(&s.sum(&a, &b)).text, "-(a + b)");
        assert_eq!(s.negative(&s.negative(&a)).text, "-(-a)");
        assert_eq!(s.sum(&a, &s.number(-2.0)).text, "a - 2.0");
        assert_eq!(s.sum(&s.negative(&a), &b).text, "b - a");
        assert_eq!(s.sum(&a, &s.difference(&s.negative(&b), &c)).text, "a - b - c");
        assert_eq!(s.difference(&a, &s.product(&s.number(-0.5), &b)).text, "a + 0.5*b");
        assert_eq!(s.difference(&a, &s.sum(&s.negative(&b), &s.negative(&c))).text, "a - (-b - c)");
        assert_eq!(s.power(&a, &b).text, "pow(a, b)");
        let operators = Syntax { power: PowerStyle::Operator("**"), ..PLAIN };
        assert_eq!(operators.power(&s.negative(&a), &s.product(&b, &c)).text, "(-a)**(b*c)");
        assert_eq!(s.call(Function::named("abs"), &[&a]).text, "fabs(a)");
    }

    #[test]
    fn numbers_keep_their_value_and_fractions_their_form() {
        let text = |value: f64| PLAIN.number(value).text;
        assert_eq!(text(9.81), "9.81");
        assert_eq!(text(1.0 / 12.0), "1.0/12.0");
        assert_eq!(text(-2.0 / 3.0), "-2.0/3.0");
        assert_eq!(text(std::f64::consts::PI), "3.141592653589793");
        assert_eq!(text(1e-300), "1e-300");
        assert_eq!(text(f64::NEG_INFINITY), "-INFINITY");
    }
}
