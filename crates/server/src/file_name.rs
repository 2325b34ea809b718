//! Names of model files that can lead nowhere but into their folder, on any system.

/// The most bytes of a name.
const MAX_NAME: usize = 120;

/// Letters that mean something else than themselves on some system.
const SPECIAL_LETTERS: &str = "/\\:*?\"<>|";

/// Names of devices on Windows, whatever ending follows.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The name of a model file, without a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileName(String);

/// Why a text is not the name of a model file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum WrongName {
    #[error("a name has `%` with two hexadecimal digits for a byte, and is UTF-8")]
    NotText,
    #[error("the name does not end in `.toml`")]
    NotToml,
    #[error("the name is too long")]
    TooLong,
    #[error("the name begins with a dot or a space")]
    Hidden,
    #[error("the name has a letter that no file here may have")]
    SpecialLetter,
    #[error("the name is that of a device")]
    Device,
}

impl FileName {
    pub(crate) fn new(name: &str) -> Result<FileName, WrongName> {
        let stem = name.strip_suffix(".toml").ok_or(WrongName::NotToml)?;
        if name.len() > MAX_NAME {
            return Err(WrongName::TooLong);
        }
        if stem.is_empty() || stem.starts_with(['.', ' ']) {
            return Err(WrongName::Hidden);
        }
        if name.chars().any(|letter| letter.is_control() || SPECIAL_LETTERS.contains(letter)) {
            return Err(WrongName::SpecialLetter);
        }
        let first = stem.split('.').next().unwrap_or(stem).to_ascii_lowercase();
        let first = first.trim_end().trim_end_matches(|letter: char| letter.is_ascii_digit());
        if DEVICES.contains(&first) {
            return Err(WrongName::Device);
        }
        Ok(FileName(name.to_owned()))
    }

    /// The name in a part of an address, where some letters are written as `%` and their bytes.
    pub(crate) fn from_path(part: &str) -> Result<FileName, WrongName> {
        let mut bytes = Vec::with_capacity(part.len());
        let mut rest = part.bytes();
        while let Some(byte) = rest.next() {
            if byte == b'%' {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let (high, low) = (digit(rest.next()), digit(rest.next()));
                let value = high.zip(low).map(|(high, low)| high * 16 + low);
                bytes.push(
                    value.and_then(|value| u8::try_from(value).ok()).ok_or(WrongName::NotText)?,
                );
            } else {
                bytes.push(byte);
            }
        }
        FileName::new(&String::from_utf8(bytes).map_err(|_| WrongName::NotText)?)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_are_names() {
        for name in
            ["four-bar.toml", "My%20model.toml", "r%C3%B6hre.toml", "v1.2.toml", "contact.toml"]
        {
            assert!(FileName::from_path(name).is_ok(), "{name}");
        }
        assert_eq!(FileName::from_path("a%2Db.toml").expect("a name").as_str(), "a-b.toml");
    }

    #[test]
    fn names_that_lead_elsewhere_are_none() {
        for (name, wrong) in [
            ("..", WrongName::NotToml),
            ("%2e%2e", WrongName::NotToml),
            ("..%2fmodel.toml", WrongName::Hidden),
            ("a%2f..%2fmodel.toml", WrongName::SpecialLetter),
            ("%2fetc%2fmodel.toml", WrongName::SpecialLetter),
            ("a%5cmodel.toml", WrongName::SpecialLetter),
            ("c:model.toml", WrongName::SpecialLetter),
            ("passwd%00.toml", WrongName::SpecialLetter),
            ("a%0amodel.toml", WrongName::SpecialLetter),
            (".toml", WrongName::Hidden),
            (".hidden.toml", WrongName::Hidden),
            ("passwd", WrongName::NotToml),
            ("NUL.toml", WrongName::Device),
            ("com1.x.toml", WrongName::Device),
            ("%zz.toml", WrongName::NotText),
            ("a%f", WrongName::NotText),
            ("%ff.toml", WrongName::NotText),
        ] {
            assert_eq!(FileName::from_path(name), Err(wrong), "{name}");
        }
        let long = format!("{}.toml", "x".repeat(MAX_NAME));
        assert_eq!(FileName::new(&long), Err(WrongName::TooLong));
    }
}
