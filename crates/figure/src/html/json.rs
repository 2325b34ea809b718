//! Data for scripts.

/// A text in quotes, safe inside a script of a page.
pub(super) fn text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // a closing tag would end the script
            '<' => quoted.push_str("\\u003c"),
            '\u{2028}' | '\u{2029}' => quoted.push(' '),
            _ if character.is_control() => quoted.push(' '),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// A number with seven digits, which is more than a screen shows; `null` for what is none.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "null".to_owned();
    }
    let rounded: f64 = format!("{value:.6e}").parse().unwrap_or(value);
    let (plain, scientific) = (format!("{rounded}"), format!("{rounded:e}"));
    if plain.len() <= scientific.len() { plain } else { scientific }
}

/// Items in brackets.
pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// Numbers in brackets.
pub(super) fn numbers(values: &[f64]) -> String {
    list(values.iter().map(|value| number(*value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            numbers(&[0.1, 1.0 / 3.0, 1e-17, -2.0, f64::NAN]),
            "[0.1,0.3333333,1e-17,-2,null]"
        );
    }

    #[test]
    fn a_text_cannot_end_the_script() {
        assert_eq!(text("</script>\"\\"), "\"\\u003c/script>\\\"\\\\\"");
    }
}
