//! Random names that nobody guesses, and how a secret is compared.

use std::fmt::Write;

/// Bytes of a token: 128 bits.
const TOKEN_BYTES: usize = 16;

/// 128 random bits of the operating system as 32 hexadecimal digits.
pub(crate) fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Whether two texts are the same, in a time that does not tell how much of them is.
pub(crate) fn is_same(given: &str, secret: &str) -> bool {
    let difference = given.bytes().zip(secret.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == secret.len() && std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_128_bits_and_differ() {
        let (one, other) = (random().expect("a token"), random().expect("a token"));
        assert_eq!(one.len(), 2 * TOKEN_BYTES);
        assert!(one.chars().all(|digit| digit.is_ascii_hexdigit()), "{one}");
        assert_ne!(one, other);
    }

    #[test]
    fn a_secret_is_the_same_as_itself_alone() {
        assert!(is_same("secret", "secret"));
        for other in ["", "s", "secreT", "Secret", "secret ", "secretsecret"] {
            assert!(!is_same(other, "secret"), "{other}");
        }
    }
}
