//! Numbers as people write them.

use catena::model::plain_to;

/// Numbers from here on, and those below the inverse of the next, have a power of ten.
const LARGE: f64 = 1e5;
const SMALL: f64 = 1e-3;

/// A number with so many significant digits, a whole one with all of them: 0.0034, 120, 2.7·10⁸.
pub(crate) fn digits(value: f64, count: usize) -> String {
    if value == f64::INFINITY {
        return "∞".to_owned();
    }
    let size = value.abs();
    if value.fract() == 0.0 && size < LARGE {
        return plain_to(value, 6).replace('-', "−");
    }
    if !value.is_finite() || (SMALL..LARGE).contains(&size) {
        return plain_to(value, count).replace('-', "−");
    }
    let text = format!("{value:.*e}", count.saturating_sub(1));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    let mantissa = mantissa.replace('-', "−");
    let power: String = exponent.chars().map(raised).collect();
    match mantissa.as_str() {
        "1" => format!("10{power}"),
        mantissa => format!("{mantissa}·10{power}"),
    }
}

fn raised(character: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    character.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn large_and_small_numbers_have_powers_of_ten() {
        let texts = [270_000_000.0, -4.3e-5, 0.0034, 120.0, 1e7, 0.0].map(|value| digits(value, 2));
        assert_eq!(texts, ["2.7·10⁸", "−4.3·10⁻⁵", "0.0034", "120", "10⁷", "0"]);
    }
}
