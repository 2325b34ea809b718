//! Numbers as people write them: 0.15 and not 0.15000000000000002, 0 and not -0.000000.

/// Significant digits that arithmetic leaves right, less those that rounding fills with noise.
const MEANT_DIGITS: usize = 12;
/// Sizes outside of these are written with a power of ten.
const WITHOUT_EXPONENT: std::ops::Range<f64> = 1e-4..1e9;

/// A number without the digits that rounding leaves behind.
pub fn plain(value: f64) -> String {
    plain_to(value, MEANT_DIGITS)
}

/// A number with at most this many significant digits, and no zeros at its end.
pub fn plain_to(value: f64, digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value);
    match rounded.abs() {
        0.0 => "0".to_owned(),
        size if WITHOUT_EXPONENT.contains(&size) || !size.is_finite() => rounded.to_string(),
        _ => format!("{rounded:e}"),
    }
}

/// The three digits of a positive number, rounded up: a bound that is kept by whoever takes it.
pub fn plain_above(value: f64) -> String {
    let near = plain_to(value, 3);
    match near.parse::<f64>().is_ok_and(|near| near >= value) {
        true => near,
        false => plain_to(1.01 * value, 3),
    }
}

/// A number that is thought of as a power of ten, such as a tolerance: 1e-6.
pub fn power_of_ten(value: f64) -> String {
    let rounded: f64 = format!("{value:.*e}", MEANT_DIGITS - 1).parse().unwrap_or(value);
    unsigned_zero(format!("{rounded:e}"))
}

/// A number with this many digits behind the point; what rounds to zero has no sign.
pub fn fixed(value: f64, digits: usize) -> String {
    unsigned_zero(format!("{value:.digits$}"))
}

/// A number with a power of ten and this many digits behind the point; zero has no sign.
pub fn scientific(value: f64, digits: usize) -> String {
    unsigned_zero(format!("{value:.digits$e}"))
}

fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(size) if !size.contains(|digit: char| matches!(digit, '1'..='9' | 'N' | 'i')) => {
            size.to_owned()
        }
        // the exponent of zero is zero, so only the digits before it decide
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_leaves_no_digits_behind() {
        assert_eq!(plain(0.1 + 0.2), "0.3");
        assert_eq!(plain(1.0 / 3.0), "0.333333333333");
        assert_eq!(plain(-0.0), "0");
        assert_eq!(plain(1e-9), "1e-9");
        assert_eq!(plain(2e7), "20000000");
        assert_eq!(plain_to(14.323944878, 3), "14.3");
        assert_eq!((plain_above(1e-7), plain_above(0.3334)), ("1e-7".into(), "0.337".into()));
        assert_eq!(power_of_ten(1.0 / 300.0), "3.33333333333e-3");
        assert_eq!(power_of_ten(1e-6), "1e-6");
        assert_eq!(plain(f64::NAN), "NaN");
        assert_eq!(plain(f64::NEG_INFINITY), "-inf");
    }

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!(fixed(-1e-9, 3), "0.000");
        assert_eq!(fixed(-0.5, 1), "-0.5");
        assert_eq!(scientific(-0.0, 2), "0.00e0");
        assert_eq!(scientific(-1e-9, 2), "-1.00e-9");
        assert_eq!(fixed(f64::NEG_INFINITY, 2), "-inf");
    }
}
