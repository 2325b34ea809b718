//! `install/release-notes` prints what the changelog says about a version, and the changelog has the shape it needs.
#![cfg(unix)]

mod process;

use process::Folder;
use std::path::Path;
use std::process::Command;

const CHANGELOG: &str = include_str!("../../../CHANGELOG.md");

/// What the script prints, and what it says when there is nothing to print.
fn notes(changelog: &str, version: &[&str]) -> Result<String, String> {
    let folder = Folder::new("release-notes");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../install/release-notes");
    let mut command = Command::new("bash");
    command.arg(script).args(version).env("CHANGELOG", folder.with("CHANGELOG.md", changelog));
    let answer = command.output().expect("bash runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    match answer.status.success() {
        true => Ok(text(answer.stdout)),
        false => Err(text(answer.stderr)),
    }
}

#[test]
fn the_notes_of_a_version_are_its_section() {
    let changelog = "# Changelog\n\n## Unreleased\n\n- c\n\n## 0.2.0 (2027-01-31)\n\nOf b:\n\n- b\n\n### More\n\n- d\n\n\
                     ## 0.1.0\n\n- a\n";
    assert_eq!(notes(changelog, &[]).as_deref(), Ok("- c\n"));
    assert_eq!(notes(changelog, &["0.2.0"]).as_deref(), Ok("Of b:\n\n- b\n\n### More\n\n- d\n"));
    assert_eq!(notes(changelog, &["0.1.0"]).as_deref(), Ok("- a\n"));
    let expected =
        "error: CHANGELOG.md has no notes about `0.2`; it has: Unreleased, 0.2.0, 0.1.0\n";
    assert_eq!(notes(changelog, &["0.2"]), Err(expected.to_owned()));
}

#[test]
fn every_heading_of_the_changelog_is_a_version_and_has_notes() {
    let headings: Vec<&str> =
        CHANGELOG.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert!(!headings.is_empty());
    for (at, heading) in headings.iter().enumerate() {
        let (version, date) = heading.split_once(' ').unwrap_or((heading, ""));
        let numbers = version.split('.').all(|part| part.parse::<u32>().is_ok());
        assert!(numbers || (version == "Unreleased" && at == 0), "{heading}");
        assert!(date.is_empty() || (date.len() == 12 && date.starts_with('(')), "{heading}");
        let notes = notes(CHANGELOG, &[version]).expect("it has notes");
        assert!(notes.contains("\n- ") && CHANGELOG.contains(&notes), "{heading}: {notes}");
        assert!(!notes.contains("\n## "), "{heading} goes on into the next section");
    }
}
