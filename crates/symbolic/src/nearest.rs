//! "Did you mean …?": the known name that a mistyped one is nearest to.

/// The known name nearest to a mistyped one, if any is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |other: &str| strsim::osa_distance(&name.to_lowercase(), &other.to_lowercase());
    known
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, candidate)| {
            let (own, other) = (name.chars().count(), candidate.chars().count());
            // two single letters are never near, however few there are
            distance <= 1.max(own.min(other) / 3) && distance < own.max(other)
        })
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_name_and_another_word_does_not() {
        let known = ["sin", "cos", "mass", "theta1"];
        assert_eq!(nearest("sni", known), Some("sin"));
        assert_eq!(nearest("Mass", known), Some("mass"));
        assert_eq!(nearest("theta", known), Some("theta1"));
        assert_eq!(nearest("velocity", known), None);
        assert_eq!(nearest("x", ["y"]), None, "two single letters are never near");
        assert_eq!(nearest("x", []), None);
    }
}
