//! Numbers as they are written beside an axis: exact, with a true minus sign and superscripts.
//!
//! A number here is an integer times a power of ten, so that `0.3` is never `0.30000000000000004`.

/// `number` × 10^`exponent`, written out with exactly the decimals the exponent asks for.
pub(crate) fn decimal(number: i64, exponent: i32) -> String {
    let sign = if number < 0 { "−" } else { "" };
    let mut digits = number.unsigned_abs().to_string();
    if exponent >= 0 {
        if number != 0 {
            digits.extend(std::iter::repeat_n('0', exponent as usize));
        }
        return format!("{sign}{digits}");
    }
    let decimals = exponent.unsigned_abs() as usize;
    let padded = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, part) = padded.split_at(padded.len() - decimals);
    format!("{sign}{whole}.{part}")
}

/// `number` × 10^`exponent` in the shortest of the usual ways: `12.5`, `0.002` or `1.5×10⁹`.
pub(crate) fn shortest(mut number: i64, mut exponent: i32) -> String {
    while number != 0 && number % 10 == 0 {
        number /= 10;
        exponent += 1;
    }
    let leading = leading_exponent(number, exponent);
    if number == 0 {
        "0".to_owned()
    } else if (-3..6).contains(&leading) || (leading >= 6 && exponent < 0) {
        decimal(number, exponent)
    } else {
        format!("{}{}", decimal(number, exponent - leading), times_power_of_ten(leading))
    }
}

/// A number with four digits at most, as people write it.
pub(crate) fn rounded(value: f64) -> String {
    let written = format!("{value:.3e}");
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let digits: i64 = mantissa.replace('.', "").parse().unwrap_or(0);
    shortest(digits, exponent.parse::<i32>().unwrap_or(0) - 3)
}

/// The exponent of the first digit: 2 for 100 and for 999.
pub(crate) fn leading_exponent(number: i64, exponent: i32) -> i32 {
    exponent + number.unsigned_abs().checked_ilog10().unwrap_or(0) as i32
}

/// `10⁻³`.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    format!("10{}", superscript(exponent))
}

/// `×10⁻³`.
pub(crate) fn times_power_of_ten(exponent: i32) -> String {
    format!("×10{}", superscript(exponent))
}

/// Digits and the minus sign, raised.
const RAISED: [char; 11] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'];

fn superscript(exponent: i32) -> String {
    let digits = exponent.unsigned_abs().to_string();
    let raised = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]);
    (exponent < 0).then_some('⁻').into_iter().chain(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(decimal(3, -1), "0.3");
        assert_eq!(decimal(-25, -2), "−0.25");
        assert_eq!(decimal(0, -1), "0.0");
        assert_eq!(decimal(0, 3), "0");
        assert_eq!(decimal(12, 3), "12000");
        assert_eq!(decimal(1234, -2), "12.34");
    }

    #[test]
    fn the_shortest_form_turns_scientific_at_the_ends() {
        assert_eq!(shortest(1500, 6), "1.5×10⁹");
        assert_eq!(shortest(980_665, -5), "9.80665");
        assert_eq!(shortest(-20, -4), "−0.002");
        assert_eq!(shortest(2, -7), "2×10⁻⁷");
        assert_eq!(shortest(0, -7), "0");
        assert_eq!([0.15, -12.3456, 2e9, 0.0].map(rounded), ["0.15", "−12.35", "2×10⁹", "0"]);
    }

    #[test]
    fn exponents_are_raised() {
        assert_eq!(power_of_ten(-12), "10⁻¹²");
        assert_eq!(power_of_ten(0), "10⁰");
        assert_eq!(times_power_of_ten(300), "×10³⁰⁰");
    }
}
