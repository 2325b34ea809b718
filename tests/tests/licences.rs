//! Everything that is built into Catena may be used, changed and passed on without conditions beyond a notice.

use serde_json::Value;
use std::process::Command;

/// Permissive licences by their SPDX identifiers.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression leaves a choice of permissive licences alone. OR binds less than AND; older manifests write
/// a slash for OR.
fn is_permissive(expression: &str) -> bool {
    let text = expression.replace('/', " OR ").trim().to_owned();
    if let Some((left, right)) = split_outside(&text, " OR ") {
        return is_permissive(left) || is_permissive(right);
    }
    if let Some((left, right)) = split_outside(&text, " AND ") {
        return is_permissive(left) && is_permissive(right);
    }
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) => is_permissive(inside),
        None => PERMISSIVE.contains(&text.as_str()),
    }
}

/// The text around the first separator that stands outside of parentheses.
fn split_outside<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let depth = |at: usize| text[..at].matches('(').count() - text[..at].matches(')').count();
    let (at, _) = text.match_indices(separator).find(|(at, _)| depth(*at) == 0)?;
    Some((&text[..at], &text[at + separator.len()..]))
}

fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

#[test]
fn every_dependency_has_a_permissive_licence() {
    // of what a build does not need, as Parquet, cargo fetches the manifests; crates for other systems stay out
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let options = ["--format-version", "1", "--locked", "--all-features"];
    let arguments = [&["metadata", "--filter-platform", host], &options[..]].concat();
    let metadata: Value = serde_json::from_str(&cargo(&arguments)).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    assert!(packages.len() > 100, "SQLite and Parquet bring more than {}", packages.len());
    let refused = packages.iter().filter(|package| {
        let licence = package["license"].as_str().unwrap_or("");
        !is_permissive(licence)
    });
    let refused: Vec<String> =
        refused.map(|package| format!("{}: {}", package["name"], package["license"])).collect();
    assert!(refused.is_empty(), "not permissive: {refused:?}");
}

#[test]
fn expressions_are_read_as_choices_and_sums() {
    for text in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0-only OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only",
        "GPL-3.0-only OR (MIT AND (Zlib OR GPL-2.0-only))",
    ] {
        assert!(is_permissive(text), "{text}");
    }
    for text in [
        "",
        "GPL-3.0-only",
        "MPL-2.0",
        "MIT AND GPL-3.0-only",
        "(MIT OR Apache-2.0) AND GPL-3.0-only",
        "LGPL-2.1-or-later OR (MIT AND MPL-2.0)",
    ] {
        assert!(!is_permissive(text), "{text}");
    }
}
