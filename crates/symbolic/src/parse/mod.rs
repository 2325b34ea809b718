//! Text to [`Formula`]: a lexer and an operator-precedence parser with messages for people.

mod elsewhere;
mod error;
mod tokens;
mod unit;
mod value;

pub use error::{ParseError, ParseErrorKind};
pub use unit::{DEGREES, SI_UNITS, UNITS, Unit};
pub use value::{Value, has_units, parse_value};

use crate::formula::{Formula, FormulaNode, Operator, Span};
use crate::{Function, Number};
use elsewhere::unit_help;
use tokens::{Token, tokenize};

/// Parentheses, signs and powers may be nested this deep.
const MAX_DEPTH: usize = 200;
/// A formula may have this many operations; more is a sign of a runaway script.
const MAX_NODES: usize = 1_000_000;
/// Longer arguments than this are not repeated in messages.
const MAX_QUOTED_BYTES: usize = 60;

/// Reads a formula.
pub fn parse(text: &str) -> Result<Formula, ParseError> {
    read(text, tokenize(text)?)
}

fn read(text: &str, tokens: Vec<(Token, Span)>) -> Result<Formula, ParseError> {
    // a token is a node at most, but for units
    let (nodes, spans) = (Vec::with_capacity(tokens.len()), Vec::with_capacity(tokens.len()));
    let formula = Formula { nodes, spans };
    let mut parser = Parser { text, tokens, position: 0, formula };
    if parser.tokens.is_empty() {
        return Err(error(ParseErrorKind::Empty, 0..text.len()));
    }
    parser.expression(0, 0)?;
    match parser.peek() {
        None => Ok(parser.formula),
        Some((Token::Close, span)) => Err(error(ParseErrorKind::UnopenedParenthesis, span)),
        Some((Token::Comma, span)) => Err(error(ParseErrorKind::StrayComma, span)),
        Some((_, span)) => Err(parser.missing_operator(span)),
    }
}

fn error(kind: ParseErrorKind, span: Span) -> ParseError {
    ParseError { kind, span }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Span)>,
    position: usize,
    formula: Formula,
}

impl Parser<'_> {
    fn peek(&self) -> Option<(Token, Span)> {
        self.tokens.get(self.position).cloned()
    }

    fn push(&mut self, node: FormulaNode, span: Span) -> Result<usize, ParseError> {
        if self.formula.nodes.len() >= MAX_NODES {
            return Err(error(ParseErrorKind::TooLong, span));
        }
        self.formula.nodes.push(node);
        self.formula.spans.push(span);
        Ok(self.formula.nodes.len() - 1)
    }

    /// Reads operators that bind tighter than `minimum`; returns the node.
    fn expression(&mut self, minimum: u8, depth: usize) -> Result<usize, ParseError> {
        let mut left = self.operand(depth)?;
        while let Some((Token::Operator(operator), _)) = self.peek() {
            let (binding, right_binding) = match operator {
                Operator::Add | Operator::Subtract => (1, 1),
                Operator::Multiply | Operator::Divide => (2, 2),
                Operator::Power => (4, 3),
            };
            if binding <= minimum {
                break;
            }
            if operator == Operator::Divide {
                self.refuse_unit_under_line()?;
            }
            self.position += 1;
            // −x² is −(x²), so a sign may follow `^` and reaches as far as a power does
            let right = self.expression(right_binding, depth + 1)?;
            let span = self.formula.spans[left].start..self.formula.spans[right].end;
            left = self.push(FormulaNode::Binary(operator, left, right), span)?;
        }
        Ok(left)
    }

    /// Reads a sign, a number, a name, a call or a parenthesis with what follows it directly.
    fn operand(&mut self, depth: usize) -> Result<usize, ParseError> {
        let Some((token, span)) = self.peek() else {
            let end = self.text.trim_end().len();
            return Err(error(ParseErrorKind::MissingOperand(None), end..end));
        };
        if depth > MAX_DEPTH {
            return Err(error(ParseErrorKind::TooDeep, span));
        }
        self.position += 1;
        match token {
            Token::Number(number) => {
                let node = match self.unit() {
                    Some((unit, end)) => self.measured(number, unit, span.start..end)?,
                    None => self.push(FormulaNode::Number(number), span)?,
                };
                self.postfix(node)
            }
            Token::Name => self.name(span, depth),
            Token::Operator(Operator::Subtract) => {
                let operand = self.expression(3, depth + 1)?;
                let span = span.start..self.formula.spans[operand].end;
                self.push(FormulaNode::Negate(operand), span)
            }
            Token::Operator(Operator::Add) => self.expression(3, depth + 1),
            Token::Open => {
                let inner = self.expression(0, depth + 1)?;
                self.close(span)?;
                self.postfix(inner)
            }
            Token::Prime => Err(error(ParseErrorKind::StrayPrime, span)),
            Token::Operator(_) | Token::Close | Token::Comma => {
                let text = self.text[span.clone()].to_owned();
                Err(error(ParseErrorKind::MissingOperand(Some(text)), span))
            }
        }
    }

    /// The unit that comes next; `min(` is a function.
    fn unit(&self) -> Option<(&'static Unit, usize)> {
        let (Token::Name, span) = self.tokens.get(self.position)? else { return None };
        let called = matches!(self.tokens.get(self.position + 1), Some((Token::Open, _)));
        let unit = Unit::of_formula(&self.text[span.clone()]).filter(|_| !called)?;
        Some((unit, span.end))
    }

    /// A number with a unit is the exact number of SI units.
    fn measured(&mut self, number: Number, unit: &Unit, span: Span) -> Result<usize, ParseError> {
        self.position += 1;
        let Some((value, of_pi)) = unit.convert(number) else {
            let text = self.text[span.clone()].to_owned();
            return Err(error(ParseErrorKind::NumberTooLarge(text), span));
        };
        match of_pi {
            false => self.push(FormulaNode::Number(value), span),
            true if value == Number::ONE => self.push(FormulaNode::Pi, span),
            true => {
                let value = self.push(FormulaNode::Number(value), span.clone())?;
                let pi = self.push(FormulaNode::Pi, span.clone())?;
                self.push(FormulaNode::Binary(Operator::Multiply, value, pi), span)
            }
        }
    }

    /// `1/2 mm` would be 1/(2 mm), and people read half a millimetre.
    fn refuse_unit_under_line(&self) -> Result<(), ParseError> {
        let before = self.position.checked_sub(1).and_then(|at| self.tokens.get(at));
        let behind = self.tokens.get(self.position + 1..).unwrap_or_default();
        let (
            Some((Token::Number(over), left)),
            [(Token::Number(under), right), (Token::Name, unit), ..],
        ) = (before, behind)
        else {
            return Ok(());
        };
        let name = &self.text[unit.clone()];
        let called = matches!(behind.get(2), Some((Token::Open, _)));
        if called || Unit::of_formula(name).is_none() {
            return Ok(());
        }
        let quotient = format!("{}", over.to_f64() / under.to_f64());
        let kind = ParseErrorKind::UnitUnderLine {
            left: self.text[left.clone()].to_owned(),
            right: self.text[right.start..unit.end].to_owned(),
            decimal: (quotient.len() <= 8).then(|| format!("{quotient} {name}")),
        };
        Err(error(kind, left.start..unit.end))
    }

    fn close(&mut self, open: Span) -> Result<(), ParseError> {
        match self.peek() {
            Some((Token::Close, _)) => {
                self.position += 1;
                Ok(())
            }
            None => Err(error(ParseErrorKind::UnclosedParenthesis, open)),
            Some((Token::Comma, span)) => Err(error(ParseErrorKind::StrayComma, span)),
            Some((_, span)) => Err(self.missing_operator(span)),
        }
    }

    fn missing_operator(&self, span: Span) -> ParseError {
        let text = &self.text[span.clone()];
        let before = self.position.checked_sub(1).and_then(|at| self.tokens.get(at));
        let kind = match (text, before) {
            ("'", _) => ParseErrorKind::StrayPrime,
            ("deg", _) => ParseErrorKind::StrayDegrees,
            (word, Some((Token::Number(_), number)))
                if unit_help(&self.text[number.clone()], word).is_some() =>
            {
                let number = number.clone();
                let span = number.start..span.end;
                let number = self.text[number].to_owned();
                return error(ParseErrorKind::UnknownUnit { number, word: word.to_owned() }, span);
            }
            (text, _) => ParseErrorKind::MissingOperator(text.to_owned()),
        };
        error(kind, span)
    }

    /// The arguments of a call whose parenthesis comes next, as they are written.
    fn written_arguments(&self) -> Vec<String> {
        let (mut arguments, mut depth, mut from) = (Vec::new(), 0, None);
        for (token, span) in &self.tokens[self.position..] {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            let ends = depth == 0 || depth == 1 && *token == Token::Comma;
            if let Some(from) = from.filter(|_| ends) {
                arguments.push(self.text[from..span.start].trim().to_owned());
            }
            if depth == 0 {
                break;
            }
            if ends || from.is_none() {
                from = Some(span.end);
            }
        }
        arguments.retain(|argument| argument.len() <= MAX_QUOTED_BYTES);
        arguments
    }

    fn name(&mut self, span: Span, depth: usize) -> Result<usize, ParseError> {
        let name = &self.text[span.clone()];
        let called = matches!(self.peek(), Some((Token::Open, _)));
        if name == "deg" {
            return Err(error(ParseErrorKind::StrayDegrees, span));
        }
        if let Some(function) = Function::from_name(name) {
            if !called {
                return Err(error(ParseErrorKind::FunctionWithoutArguments(name.into()), span));
            }
            return self.call(function, span, depth);
        }
        if called {
            let (name, arguments) = (name.to_owned(), self.written_arguments());
            return Err(error(ParseErrorKind::UnknownFunction { name, arguments }, span));
        }
        if name == "pi" {
            let node = self.push(FormulaNode::Pi, span)?;
            return self.postfix(node);
        }
        let name = name.to_owned();
        let mut end = span.end;
        let mut primes = 0;
        while let Some((Token::Prime, prime)) = self.peek() {
            self.position += 1;
            primes += 1;
            end = prime.end;
        }
        self.push(FormulaNode::Name(name, primes), span.start..end)
    }

    fn call(&mut self, function: Function, name: Span, depth: usize) -> Result<usize, ParseError> {
        let open = self.peek().map_or(name.clone(), |(_, span)| span);
        self.position += 1;
        let mut arguments = vec![self.expression(0, depth + 1)?];
        while let Some((Token::Comma, _)) = self.peek() {
            self.position += 1;
            arguments.push(self.expression(0, depth + 1)?);
        }
        self.close(open)?;
        let span = name.start..self.tokens[self.position - 1].1.end;
        if arguments.len() != function.arity() {
            let kind = ParseErrorKind::WrongArgumentCount { function, found: arguments.len() };
            return Err(error(kind, span));
        }
        let node = FormulaNode::Call(function, arguments[0], arguments.get(1).copied());
        let node = self.push(node, span)?;
        self.postfix(node)
    }

    /// Reads `deg` after a number or a closing parenthesis; refuses a prime there.
    fn postfix(&mut self, node: usize) -> Result<usize, ParseError> {
        match self.peek() {
            Some((Token::Name, span)) if &self.text[span.clone()] == "deg" => {
                self.position += 1;
                let span = self.formula.spans[node].start..span.end;
                self.push(FormulaNode::Degrees(node), span)
            }
            Some((Token::Prime, span)) => Err(error(ParseErrorKind::StrayPrime, span)),
            _ => Ok(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;

    fn value(text: &str) -> f64 {
        let mut graph = Graph::new();
        let expr = parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).build_plain(&mut graph);
        graph.evaluate(&[expr], |name| if name == "x" { 3.0 } else { f64::NAN })[0]
    }

    #[test]
    fn precedence_is_that_of_mathematics() {
        assert_eq!(value("1 + 2*3^2"), 19.0);
        assert_eq!(value("-x^2"), -9.0);
        assert_eq!(value("(-x)^2"), 9.0);
        assert_eq!(value("2^-1"), 0.5);
        assert_eq!(value("2^3^2"), 512.0);
        assert_eq!(value("2^-x^2"), 2f64.powi(-9));
        assert_eq!(value("12/2/3"), 2.0);
        assert_eq!(value("1 - 2 - 3"), -4.0);
        assert_eq!(value("2*-x"), -6.0);
        assert_eq!(value("-x*2 + 1"), -5.0);
        assert_eq!(value("--x"), 3.0);
        assert_eq!(value("+x"), 3.0);
    }

    #[test]
    fn numbers_and_degrees_read_as_documented() {
        assert_eq!(value(".5 + 5. + 28e-3"), 5.528);
        assert!((value("60 deg") - std::f64::consts::FRAC_PI_3).abs() < 1e-15);
        assert!((value("(30 + 15) deg*2") - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
        assert_eq!(value("atan2(1, 0)"), std::f64::consts::FRAC_PI_2);
        assert_eq!(value("min(x, 2) + max(x, 2)"), 5.0);
    }

    #[test]
    fn a_unit_behind_a_number_is_exact() {
        assert_eq!(parse("5 mm").unwrap().nodes(), [FormulaNode::Number(Number::fraction(1, 200))]);
        assert_eq!(value("2.5cm + 1 km - 2*3 ms"), 0.025 + 1000.0 - 0.006);
        assert_eq!(value("2 min + min(2, x)"), 122.0);
        assert_eq!(value("-5 mm"), -0.005);
        assert_eq!(value("30 rpm"), std::f64::consts::PI);
        assert!((value("45 rpm") - 45.0 * std::f64::consts::TAU / 60.0).abs() < 1e-15);
        assert_eq!(value("2*pi*0.5 Hz"), std::f64::consts::PI);
        assert_eq!(value("3 kN*x"), 9000.0);
        assert_eq!(value("100 mm/5 ms"), 20.0);
        assert!(parse("mm + min").is_err(), "min alone is a function without arguments");
        assert!(parse("2*mm").is_ok(), "behind an operator it is a name");
        assert!(parse("5 m").is_err() && parse("5 s").is_err() && parse("5 kg").is_err());
    }

    #[test]
    fn a_unit_under_a_line_is_refused_with_both_readings() {
        let error = parse("x + 1/2 mm").unwrap_err();
        assert_eq!(error.span, 4..10);
        assert_eq!(error.kind.help(), "write `0.5 mm`, or `1/(2 mm)`");
        assert!(parse("1/2 deg").is_ok(), "as ever, 1/(2 deg)");
        assert!(parse("x/2 mm").is_ok() && parse("1/(2 mm)").is_ok() && parse("1 m/2").is_err());
    }

    #[test]
    fn what_other_programs_write_is_answered_with_what_to_write_here() {
        for (text, help) in [
            ("2**x", "a power is written with `^`"),
            ("ln(x + 1)", "the natural logarithm is written `log(x + 1)`"),
            ("diff(x, t)", "a time derivative is written `x'`"),
            ("diff(theta1(t), t)", "a time derivative is written `theta1'`"),
            (
                "Derivative(x^2, t)",
                "name what it is of under [definitions], as z: a time derivative is written `z'`",
            ),
            ("theta(t)", "coordinates depend on time by themselves: write `theta`"),
            ("der(x)", "a time derivative is written `x'`"),
            ("pow(x + 1, n)", "a power is written `(x + 1)^n`"),
            ("arctan2(y, x)", "write `atan2(y, x)`"),
            ("sind(30)", "write `sin((30) deg)`"),
            ("sec(x)", "write `1/cos(x)`"),
            ("2 × 3", "a product is written with `*`"),
            ("3²", "a square is written `^2`"),
            ("45°", "degrees are written `deg`, as in `60 deg`"),
            ("x’", "a time derivative is written with the plain apostrophe: `x'`"),
            ("45 degrees", "write `45 deg`"),
            ("2 kg", "masses are in kg: write `2`"),
            ("10 sec", "times are in s: write `10`"),
            ("3 inch", "lengths are in m: write `3*25.4 mm`"),
            ("5 MM", "write `5 mm`"),
            ("2 m", "for a product write `*m`; for the unit leave it out: lengths are in m"),
        ] {
            assert_eq!(parse(text).unwrap_err().kind.help(), help, "{text}");
        }
        assert!(parse("x = 2").unwrap_err().kind.help().contains("`left - (right)`"));
        assert!(parse("x > 2").unwrap_err().kind.help().contains("conditions"));
    }

    #[test]
    fn letters_that_other_programs_reserve_are_ordinary_names() {
        for name in ["e", "i", "gamma", "beta", "Phi", "Omega", "M", "C", "E1", "lambda"] {
            assert!(parse(&format!("2*{name} + {name}'")).is_ok(), "{name}");
        }
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        use ParseErrorKind::*;
        let cases = [
            ("", Empty, 0..0),
            ("2 x", MissingOperator("x".into()), 2..3),
            ("2*(x + 1", UnclosedParenthesis, 2..3),
            ("x + 1)", UnopenedParenthesis, 5..6),
            ("x + ", MissingOperand(None), 3..3),
            ("x + * 2", MissingOperand(Some("*".into())), 4..5),
            ("2**x", UnexpectedCharacter('*'), 2..3),
            ("m(x)", UnknownFunction { name: "m".into(), arguments: vec!["x".into()] }, 0..1),
            ("45 degrees", UnknownUnit { number: "45".into(), word: "degrees".into() }, 0..10),
            ("a + 2kg", UnknownUnit { number: "2".into(), word: "kg".into() }, 4..7),
            ("2 min(x, 1)", MissingOperator("min".into()), 2..5),
            ("x mm", MissingOperator("mm".into()), 2..4),
            ("sin x", FunctionWithoutArguments("sin".into()), 0..3),
            ("sin(x, 2)", WrongArgumentCount { function: Function::SIN, found: 2 }, 0..9),
            ("1,5", StrayComma, 1..2),
            ("(x + 1)'", StrayPrime, 7..8),
            ("x deg", StrayDegrees, 2..5),
            ("1e999", NumberTooLarge("1e999".into()), 0..5),
            ("x = 2", UnexpectedCharacter('='), 2..3),
        ];
        for (text, kind, span) in cases {
            assert_eq!(parse(text), Err(error(kind, span)), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded_and_length_is_not_depth() {
        let nested = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(matches!(parse(&nested), Err(ParseError { kind: ParseErrorKind::TooDeep, .. })));
        let signs = format!("{}x", "-".repeat(100_000));
        assert!(matches!(parse(&signs), Err(ParseError { kind: ParseErrorKind::TooDeep, .. })));
        let long = format!("x{}", "+x".repeat(100_000));
        assert_eq!(value(&long), 300_003.0);
    }
}
