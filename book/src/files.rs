//! What commands have made: pictures and pages that can be looked at.

use std::path::Path;

/// Fewer bytes than this are no picture and no page.
const MIN_BYTES: usize = 100;

/// Whether a file that a chapter shows is what its ending says, and not empty.
pub fn check_made_file(path: &Path) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = std::fs::read(path).map_err(|_| format!("{name} was not written"))?;
    if bytes.len() < MIN_BYTES {
        return Err(format!("{name} has {} bytes", bytes.len()));
    }
    let begins = |magic: &[u8]| match bytes.starts_with(magic) {
        true => Ok(()),
        false => Err(format!("{name} is not what its ending says")),
    };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => check_svg(&name, &String::from_utf8_lossy(&bytes)),
        Some("png") => begins(b"\x89PNG\r\n\x1a\n"),
        Some("gif") => begins(b"GIF89a"),
        Some("pdf") => begins(b"%PDF-"),
        Some("html") => begins(b"<!"),
        _ => Ok(()),
    }
}

fn check_svg(name: &str, text: &str) -> Result<(), String> {
    // an attribute that is not a number hides what it belongs to
    let attributes = text.split('"').skip(1).step_by(2);
    let is_number = |word: &str| matches!(word, "NaN" | "inf" | "-inf");
    let words = |value: &str| value.split([' ', ',', '(', ')']).any(is_number);
    match () {
        () if !text.contains("<svg") => Err(format!("{name} is not an SVG")),
        () if !text.contains("<path") => Err(format!("{name} shows nothing: it has no path")),
        () if attributes.clone().any(words) => Err(format!("{name} has numbers that are none")),
        () => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_pictures_and_missing_numbers_are_found() {
        let padding = " ".repeat(MIN_BYTES);
        assert_eq!(check_svg("a.svg", &format!("<svg><path d=\"M 0 1\"/></svg>{padding}")), Ok(()));
        for text in ["<svg></svg>", "<svg><path d=\"M NaN,1\"/></svg>", "<p>path</p>"] {
            assert!(check_svg("a.svg", text).is_err(), "{text}");
        }
        assert!(check_made_file(Path::new("nowhere.svg")).is_err());
    }
}
