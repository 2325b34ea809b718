//! `ARCHITECTURE.md` is a map: every path it names exists. Maps drift; this one cannot.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What stands in backticks outside of code blocks, and the targets of links.
fn mentioned(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code_block = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_code_block = !in_code_block;
        } else if !in_code_block {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            found.extend(targets.map(|target| target.split('#').next().unwrap_or("").to_owned()));
        }
    }
    found
}

/// A path has a slash or the ending of a document; commands and addresses are no paths.
fn looks_like_path(text: &str) -> bool {
    let word =
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "<>()*=".contains(c));
    let named = text.contains('/') || text.ends_with(".md") || text.ends_with(".toml");
    word && named && !text.contains("://")
}

#[test]
fn every_path_in_the_architecture_page_exists() {
    let page = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&page).expect("ARCHITECTURE.md is at the root");
    let paths: Vec<String> = mentioned(&text).into_iter().filter(|m| looks_like_path(m)).collect();
    let missing: Vec<&String> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "named in ARCHITECTURE.md, but not there: {missing:?}");
    assert!(paths.len() >= 8, "a map of the project names more than {paths:?}");
}

#[test]
fn paths_are_told_from_other_words() {
    let page = "See `crates/model/src` and [rules](style.md#tests).\n```\n`not/this`\n```\n\
                | `Cargo.toml` | `catena run` | `M v̇` | `https://example.org/x` |\n";
    let paths: Vec<String> = mentioned(page).into_iter().filter(|m| looks_like_path(m)).collect();
    assert_eq!(paths, ["crates/model/src", "style.md", "Cargo.toml"]);
}
