//! Text to tokens.

use super::error;
use super::error::{ParseError, ParseErrorKind};
use crate::Number;
use crate::formula::{Operator, Span};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
    Number(Number),
    Name,
    Operator(Operator),
    Open,
    Close,
    Comma,
    Prime,
}

pub(super) fn tokenize(text: &str) -> Result<Vec<(Token, Span)>, ParseError> {
    // about as many as names of two letters with an operator between them
    let mut tokens: Vec<(Token, Span)> = Vec::with_capacity(text.len() / 2 + 1);
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
