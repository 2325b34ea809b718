//! Anchors of headings, as GitHub makes them.

/// The anchor of a heading: lower case, blanks as hyphens, no other marks.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_left_out() {
        assert_eq!(anchor("What a verdict means"), "what-a-verdict-means");
        assert_eq!(anchor("`[draw]`, how?"), "draw-how");
    }
}
