//! Text to [`Formula`]: a lexer and an operator-precedence parser with messages for people.

use crate::formula::{Formula, FormulaNode, Operator, Span};
use crate::nearest::nearest;
use crate::{Function, Number};

/// Parentheses, signs and powers may be nested this deep.
const MAX_DEPTH: usize = 200;
/// A formula may have this many operations; more is a sign of a runaway script.
const MAX_NODES: usize = 1_000_000;

/// Why a formula could not be read, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// The place in the formula, in bytes.
    pub span: Span,
}

/// What can be wrong with a formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ParseErrorKind {
    #[error("the formula is empty")]
    Empty,
    #[error("the character `{0}` has no meaning in a formula")]
    UnexpectedCharacter(char),
    #[error("an operator is missing before `{0}`")]
    MissingOperator(String),
    #[error("an operand is missing {}", .0.as_ref().map_or("at the end".to_owned(), |t| format!("before `{t}`")))]
    MissingOperand(Option<String>),
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    #[error("this parenthesis was never opened")]
    UnopenedParenthesis,
    #[error("`{0}` is not a function")]
    UnknownFunction(String),
    #[error("the function `{0}` needs its argument in parentheses")]
    FunctionWithoutArguments(String),
    #[error("`{}` takes {} argument{}, not {found}", .function.name(), .function.arity(), if .function.arity() == 1 { "" } else { "s" })]
    WrongArgumentCount { function: Function, found: usize },
    #[error("this comma is not between the arguments of a function")]
    StrayComma,
    #[error("a prime (time derivative) can only follow a name")]
    StrayPrime,
    #[error("`deg` can only follow a number or a closing parenthesis")]
    StrayDegrees,
    #[error("the number `{0}` is too large")]
    NumberTooLarge(String),
    #[error("the formula is nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
    #[error("the formula has more than {MAX_NODES} operations")]
    TooLong,
}

impl ParseErrorKind {
    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Empty => "write a number or a formula, for instance \"0\"".into(),
            Self::UnexpectedCharacter('*') => "a power is written with `^`".into(),
            Self::UnexpectedCharacter('[' | ']' | '{' | '}') => {
                "group with round parentheses".into()
            }
            Self::UnexpectedCharacter(_) => {
                "formulas use + - * / ^ ( ) , ' numbers, names and functions".into()
            }
            Self::MissingOperator(text) => format!("for a product write `*{text}`"),
            Self::MissingOperand(_) => "write a number, a name or a parenthesis there".into(),
            Self::UnclosedParenthesis => "add the matching `)`".into(),
            Self::UnopenedParenthesis => "remove it, or add the matching `(`".into(),
            Self::UnknownFunction(name) => {
                let known: Vec<_> = Function::all().map(Function::name).collect();
                match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`? for a product write `{name}*(`"),
                    None => {
                        format!("functions: {}; for a product write `{name}*(`", known.join(" "))
                    }
                }
            }
            Self::FunctionWithoutArguments(name) => format!("write `{name}(...)`"),
            Self::WrongArgumentCount { function, .. } => match function.arity() {
                1 => format!("write `{}(x)`", function.name()),
                _ => format!("write `{}(x, y)`", function.name()),
            },
            Self::StrayComma => {
                let with_comma = Function::all().filter(|function| function.arity() == 2);
                let names: Vec<_> = with_comma.map(Function::name).collect();
                let names = match names.split_last() {
                    Some((last, others)) => format!("{} and {last}", others.join(", ")),
                    None => "functions".to_owned(),
                };
                format!("write decimals with a point; commas separate the arguments of {names}")
            }
            Self::StrayPrime => "write the derivative of each name: `x'*y + x*y'`".into(),
            Self::StrayDegrees => "write `60 deg` or `(x) deg`".into(),
            Self::NumberTooLarge(_) => "the largest number is about 1.8e308".into(),
            Self::TooDeep => "name parts of it under [definitions]".into(),
            Self::TooLong => "split it into several definitions".into(),
        }
    }
}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Formula, ParseError> {
    let mut parser = Parser {
        text,
        tokens: tokenize(text)?,
        position: 0,
        formula: Formula { nodes: Vec::new(), spans: Vec::new() },
    };
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

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Number(Number),
    Name,
    Operator(Operator),
    Open,
    Close,
    Comma,
    Prime,
}

fn tokenize(text: &str) -> Result<Vec<(Token, Span)>, ParseError> {
    let mut tokens: Vec<(Token, Span)> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let mut length = first.len_utf8();
        let token = match first {
            c if c.is_whitespace() => None,
            '+' => Some(Token::Operator(Operator::Add)),
            '-' | '−' => Some(Token::Operator(Operator::Subtract)),
            '*' if tokens.last().is_some_and(|(last, span)| {
                *last == Token::Operator(Operator::Multiply) && span.end == start
            }) =>
            {
                return Err(error(ParseErrorKind::UnexpectedCharacter('*'), start..start + 1));
            }
            '*' | '·' => Some(Token::Operator(Operator::Multiply)),
            '/' => Some(Token::Operator(Operator::Divide)),
            '^' => Some(Token::Operator(Operator::Power)),
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            ',' => Some(Token::Comma),
            '\'' => Some(Token::Prime),
            '0'..='9' | '.' => {
                length = number_length(rest);
                let digits = &rest[..length];
                let span = start..start + length;
                if digits == "." {
                    return Err(error(ParseErrorKind::UnexpectedCharacter('.'), span));
                }
                let number = Number::parse(digits).ok_or_else(|| {
                    error(ParseErrorKind::NumberTooLarge(shortened(digits)), span)
                })?;
                Some(Token::Number(number))
            }
            c if c.is_alphabetic() || c == '_' => {
                length =
                    rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                Some(Token::Name)
            }
            other => {
                let span = start..start + length;
                return Err(error(ParseErrorKind::UnexpectedCharacter(other), span));
            }
        };
        tokens.extend(token.map(|token| (token, start..start + length)));
        rest = &rest[length..];
    }
    Ok(tokens)
}

/// The length of the number that the text begins with: digits, point, digits, exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

fn shortened(text: &str) -> String {
    if text.len() <= 24 { text.to_owned() } else { format!("{}…", &text[..23]) }
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
                let node = self.push(FormulaNode::Number(number), span)?;
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
        let kind = match text {
            "'" => ParseErrorKind::StrayPrime,
            "deg" => ParseErrorKind::StrayDegrees,
            _ => ParseErrorKind::MissingOperator(text.to_owned()),
        };
        error(kind, span)
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
            return Err(error(ParseErrorKind::UnknownFunction(name.into()), span));
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
            ("m(x)", UnknownFunction("m".into()), 0..1),
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
