//! Numbers inside expressions: exact fractions while they fit, floating point beyond.
//!
//! `1/2*m` must differentiate to coefficients that cancel exactly, so decimals and quotients are
//! kept as fractions of 64-bit integers. A result that no longer fits becomes an `f64`; it never
//! wraps and never fails.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// An exact fraction in lowest terms with a positive denominator, or a floating-point number.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// `numerator / denominator`
    Fraction(i64, i64),
    /// A value that has no fraction of 64-bit integers. Never NaN.
    Real(f64),
}

/// Integers up to this size are `f64` values, so a fraction of two of them converts with a single
/// rounding: the same `f64` that reading the decimal text would give.
const MAX_EXACT_INTEGER: i128 = 1 << 53;

/// Whole numbers of up to this many digits are below [`MAX_EXACT_INTEGER`].
const MAX_PLAIN_DIGITS: usize = 15;

/// Powers are folded into coefficients within these bounds.
const FOLDED_POWERS: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

impl Number {
    /// The number 0.
    pub const ZERO: Number = Number::Fraction(0, 1);
    /// The number 1.
    pub const ONE: Number = Number::Fraction(1, 1);
    /// The number −1.
    pub const MINUS_ONE: Number = Number::Fraction(-1, 1);
    /// The number 1/2.
    pub const HALF: Number = Number::Fraction(1, 2);

    /// `numerator / denominator` in lowest terms.
    ///
    /// # Panics
    /// If the denominator is zero.
    pub fn fraction(numerator: i64, denominator: i64) -> Number {
        assert!(denominator != 0, "a fraction needs a denominator");
        reduced(numerator.into(), denominator.into())
    }

    /// Reads an unsigned decimal such as `9.81`, `.5`, `5.` or `28e-3`; `None` if it is not one or
    /// too large for an `f64`.
    pub fn parse(text: &str) -> Option<Number> {
        if text.len() <= MAX_PLAIN_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().map(|whole| Number::Fraction(whole, 1));
        }
        let value: f64 = text.parse().ok()?;
        if !value.is_finite() {
            return None;
        }
        exact_decimal(text).or_else(|| real(value))
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Fraction(numerator, denominator) => numerator as f64 / denominator as f64,
            Number::Real(value) => value,
        }
    }

    /// The number as an integer, if it is one.
    pub fn as_integer(self) -> Option<i64> {
        match self {
            Number::Fraction(numerator, 1) => Some(numerator),
            _ => None,
        }
    }

    /// Whether this is exactly 0.
    pub fn is_zero(self) -> bool {
        self == Number::ZERO
    }

    /// Whether this is below 0.
    pub fn is_negative(self) -> bool {
        match self {
            Number::Fraction(numerator, _) => numerator < 0,
            Number::Real(value) => value < 0.0,
        }
    }

    /// The sum, or `None` if it is not finite.
    pub fn checked_add(self, other: Number) -> Option<Number> {
        if let (Number::Fraction(a, b), Number::Fraction(c, d)) = (self, other) {
            let (a, b, c, d) = (a as i128, b as i128, c as i128, d as i128);
            return Some(reduced(a * d + c * b, b * d));
        }
        real(self.to_f64() + other.to_f64())
    }

    /// The product, or `None` if it is too large or too small for a number.
    pub fn checked_mul(self, other: Number) -> Option<Number> {
        if let (Number::Fraction(a, b), Number::Fraction(c, d)) = (self, other) {
            return Some(reduced(a as i128 * c as i128, b as i128 * d as i128));
        }
        let product = self.to_f64() * other.to_f64();
        let vanished = product == 0.0 && !self.is_zero() && !other.is_zero();
        if vanished { None } else { real(product) }
    }

    /// The number with the other sign.
    pub fn negated(self) -> Number {
        match self {
            Number::Fraction(numerator, denominator) => Number::Fraction(-numerator, denominator),
            Number::Real(value) => Number::Real(-value),
        }
    }

    /// The number without its sign.
    pub fn abs(self) -> Number {
        if self.is_negative() { self.negated() } else { self }
    }

    /// The number to a whole power; `None` if there is none, as for `0^-1`, or if it is so large or
    /// small that a product with it would soon leave the numbers there are.
    pub fn power(self, exponent: i64) -> Option<Number> {
        if let Number::Fraction(numerator, denominator) = self
            && exponent.unsigned_abs() <= 64
        {
            let (top, bottom) =
                if exponent < 0 { (denominator, numerator) } else { (numerator, denominator) };
            if bottom == 0 {
                return None;
            }
            let mut result = Number::ONE;
            let base = reduced(top.into(), bottom.into());
            for _ in 0..exponent.unsigned_abs() {
                result = result.checked_mul(base)?;
            }
            let moderate = result.is_zero() || FOLDED_POWERS.contains(&result.to_f64().abs());
            return moderate.then_some(result);
        }
        let power = self.to_f64().powf(exponent as f64);
        FOLDED_POWERS.contains(&power.abs()).then_some(Number::Real(power))
    }

    /// The square root, if it is an exact fraction.
    pub(crate) fn exact_sqrt(self) -> Option<Number> {
        let Number::Fraction(numerator, denominator) = self else { return None };
        let root = |n: i64| {
            let r = (n as f64).sqrt().round() as i64;
            (n >= 0 && r.checked_mul(r) == Some(n)).then_some(r)
        };
        Some(Number::Fraction(root(numerator)?, root(denominator)?))
    }
}

/// A fraction in lowest terms, or a real where it does not fit.
fn reduced(numerator: i128, denominator: i128) -> Number {
    let divisor = match denominator {
        1 => 1,
        _ => greatest_common_divisor(numerator, denominator).max(1) * denominator.signum(),
    };
    // a division of 128 bits takes longer than all the rest
    let (numerator, denominator) = match divisor {
        1 => (numerator, denominator),
        _ => (numerator / divisor, denominator / divisor),
    };
    let fits = |n: i128| n.unsigned_abs() <= i64::MAX as u128;
    if fits(numerator) && fits(denominator) {
        Number::Fraction(numerator as i64, denominator as i64)
    } else {
        Number::Real(numerator as f64 / denominator as f64)
    }
}

fn real(value: f64) -> Option<Number> {
    // −0.0 would be a second zero for hashing
    value.is_finite().then_some(if value == 0.0 { Number::ZERO } else { Number::Real(value) })
}

/// Greatest common divisor, never negative.
pub(crate) fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        // most are small, and a remainder of 128 bits is slow
        let remainder = match (u64::try_from(a), u64::try_from(b)) {
            (Ok(a), Ok(b)) => i128::from(a % b),
            _ => a % b,
        };
        (a, b) = (b, remainder);
    }
    a
}

/// The decimal as a fraction whose parts are exact as `f64`.
fn exact_decimal(text: &str) -> Option<Number> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{decimals}").parse().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(decimals.len()).ok()?)?;
    let scale = 10_i128.checked_pow(exponent.unsigned_abs().min(40))?;
    let (numerator, denominator) =
        if exponent < 0 { (digits, scale) } else { (digits.checked_mul(scale)?, 1) };
    let divisor = greatest_common_divisor(numerator, denominator);
    let exact =
        numerator / divisor <= MAX_EXACT_INTEGER && denominator / divisor <= MAX_EXACT_INTEGER;
    exact.then(|| reduced(numerator, denominator))
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Number::Fraction(a, b), Number::Fraction(c, d)) => (a, b) == (c, d),
            (Number::Real(a), Number::Real(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Number::Fraction(numerator, denominator) => (numerator, denominator).hash(state),
            Number::Real(value) => value.to_bits().hash(state),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Number::Fraction(a, b), Number::Fraction(c, d)) if b == d => a.cmp(c),
            (Number::Fraction(a, b), Number::Fraction(c, d)) => {
                (*a as i128 * *d as i128).cmp(&(*c as i128 * *b as i128))
            }
            _ => self.to_f64().total_cmp(&other.to_f64()).then_with(|| {
                matches!(self, Number::Real(_)).cmp(&matches!(other, Number::Real(_)))
            }),
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        reduced(value.into(), 1)
    }
}

impl From<f64> for Number {
    /// Whole numbers stay exact.
    ///
    /// # Panics
    /// If the value is NaN.
    fn from(value: f64) -> Self {
        assert!(!value.is_nan(), "an expression has no NaN");
        if value.fract() == 0.0 && value.abs() <= MAX_EXACT_INTEGER as f64 {
            Number::Fraction(value as i64, 1)
        } else {
            Number::Real(value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_fractions() {
        assert_eq!(Number::parse("9.81"), Some(Number::Fraction(981, 100)));
        assert_eq!(Number::parse(".5"), Some(Number::HALF));
        assert_eq!(Number::parse("5."), Some(Number::Fraction(5, 1)));
        assert_eq!(Number::parse("28e-3"), Some(Number::Fraction(7, 250)));
        assert_eq!(Number::parse("2E3"), Some(Number::Fraction(2000, 1)));
    }

    #[test]
    fn long_decimals_keep_the_nearest_double() {
        for text in ["0.527804473939123456", "1e-300", "123456789012345678901234567890"] {
            assert_eq!(Number::parse(text).unwrap().to_f64(), text.parse::<f64>().unwrap());
        }
        assert_eq!(Number::parse("0e50"), Some(Number::ZERO));
        assert_eq!(Number::parse("1e999"), None);
        assert_eq!(Number::parse("1e99999999999"), None);
    }

    #[test]
    fn overflow_becomes_floating_point_instead_of_wrapping() {
        let large = Number::Fraction(i64::MAX, 1);
        assert_eq!(large.checked_mul(large), Some(Number::Real(i64::MAX as f64 * i64::MAX as f64)));
        assert_eq!(Number::Fraction(2, 3).power(-2), Some(Number::Fraction(9, 4)));
        assert_eq!(Number::ZERO.power(-1), None);
        assert_eq!(Number::Fraction(1, 3).power(900), None);
        assert_eq!(Number::Real(1e-300).checked_mul(Number::Real(1e-300)), None);
        assert_eq!(Number::from(i64::MIN).to_f64(), i64::MIN as f64);
    }

    #[test]
    fn square_roots_are_exact_or_refused() {
        assert_eq!(Number::Fraction(9, 4).exact_sqrt(), Some(Number::Fraction(3, 2)));
        assert_eq!(Number::Fraction(2, 1).exact_sqrt(), None);
        assert_eq!(Number::Fraction(-4, 1).exact_sqrt(), None);
    }
}
