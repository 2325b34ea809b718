//! Excerpts of the sources in chapters: they must still stand there.

use std::path::Path;

/// Between two stretches of an excerpt.
const LEFT_OUT: &str = "// ...";

/// Whether every stretch of an excerpt occurs in the file literally, one after the other.
pub(crate) fn check_excerpt(root: &Path, file: &str, excerpt: &str) -> Result<(), String> {
    let source = std::fs::read_to_string(root.join(file))
        .map_err(|_| format!("there is no {file} to take an excerpt of"))?;
    let mut rest = source.as_str();
    for stretch in stretches(excerpt) {
        let Some(at) = rest.find(&stretch) else {
            let first = stretch.lines().next().unwrap_or_default();
            return Err(format!("{file} has no stretch that begins with: {first}"));
        };
        rest = &rest[at + stretch.len()..];
    }
    Ok(())
}

fn stretches(excerpt: &str) -> Vec<String> {
    let lines: Vec<&str> = excerpt.lines().collect();
    let parts = lines.split(|line| line.trim() == LEFT_OUT);
    let text = |part: &[&str]| part.join("\n").trim_matches('\n').to_owned();
    parts.map(text).filter(|text| !text.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_must_stand_in_the_file_in_its_order() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let check = |excerpt: &str| check_excerpt(root, "src/anchors.rs", excerpt);
        assert_eq!(
            check("pub(crate) fn anchor(\n    // ...\nmod tests {\n    use super::*;"),
            Ok(())
        );
        assert!(check("mod tests {\n// ...\npub(crate) fn anchor(").is_err());
        assert!(check_excerpt(root, "src/nowhere.rs", "x").is_err());
    }
}
