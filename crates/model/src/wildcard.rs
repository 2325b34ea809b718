//! Patterns for names: `B_*` is everything that begins with `B_`.

/// Whether a name matches a pattern, in which `*` stands for any characters, or none.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let mut parts = rest.split('*');
    let last = parts.next_back().unwrap_or_default();
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

/// Whether a text is a pattern, not a name.
pub fn is_pattern(text: &str) -> bool {
    text.contains('*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_characters_or_none() {
        for (pattern, name) in [
            ("B_*", "B_fx"),
            ("B_*", "B_"),
            ("*_fx", "joint1_fx"),
            ("*", ""),
            ("*", "theta1'"),
            ("a*b*c", "abbc"),
            ("*ab", "aab"),
            ("*_*'", "crank_B_x'"),
            ("a**b", "ab"),
            ("name", "name"),
            ("θ*", "θ₁"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("B_*", "AB_fx"),
            ("*_fx", "B_fx'"),
            ("a*a", "a"),
            ("a*b*b", "ab"),
            ("name", "names"),
            ("", "x"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
