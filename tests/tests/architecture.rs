//! `ARCHITECTURE.md` and `CONTRIBUTING.md` are maps: every path they name exists, and crates use each other as drawn.
//! Maps drift; these cannot.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("the page is at the root")
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

/// A path has a slash or the ending of a document; commands, addresses and paths that are to be filled in are none.
fn looks_like_path(text: &str) -> bool {
    let word =
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "<>()*=".contains(c));
    let named = text.contains('/') || text.ends_with(".md") || text.ends_with(".toml");
    word && named && !text.contains("://") && !text.contains("NAME")
}

fn paths_of(page: &str) -> Vec<String> {
    mentioned(page).into_iter().filter(|text| looks_like_path(text)).collect()
}

#[test]
fn every_path_that_the_maps_name_exists() {
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let paths = paths_of(&page(name));
        let missing: Vec<&String> =
            paths.iter().filter(|path| !root().join(path).exists()).collect();
        assert!(missing.is_empty(), "named in {name}, but not there: {missing:?}");
        assert!(paths.len() >= 5, "{name} names more than {paths:?}");
    }
}

#[test]
fn paths_are_told_from_other_words() {
    let page = "See `crates/model/src` and [rules](style.md#tests), write `crates/NAME.rs`.\n\
                ```\n`not/this`\n```\n\
                | `Cargo.toml` | `catena run` | `M v̇` | `https://example.org/x` |\n";
    assert_eq!(paths_of(page), ["crates/model/src", "style.md", "Cargo.toml"]);
}

/// The folders of the table, in its order, by the last part of their paths.
fn rooms(architecture: &str) -> Vec<&str> {
    let rows = architecture.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()?.rsplit('/').next()).collect()
}

/// A package is called after its folder.
fn room_of(package: &Value) -> &str {
    let name = package["name"].as_str().expect("a package has a name");
    name.strip_prefix("catena-").unwrap_or(name)
}

/// Packages of the workspace and those of them that each uses, both in the order of the rooms.
fn graph(rooms: &[&str]) -> Vec<(String, Vec<String>)> {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let place = |name: &str| rooms.iter().position(|room| *room == name);
    let mut graph: Vec<(String, Vec<String>)> = Vec::new();
    for package in packages {
        // dependencies of the workspace have a path; those of tests and build scripts have a kind
        let dependencies = package["dependencies"].as_array().expect("a list, perhaps empty");
        let own = dependencies.iter().filter(|d| !d["path"].is_null() && d["kind"].is_null());
        let mut uses: Vec<String> = own.map(|d| room_of(d).to_owned()).collect();
        uses.sort_by_key(|name| place(name));
        graph.push((room_of(package).to_owned(), uses));
    }
    graph.sort_by_key(|(name, _)| place(name));
    graph
}

#[test]
fn crates_use_each_other_as_drawn() {
    let architecture = page("ARCHITECTURE.md");
    let drawn = architecture.split("```text\n").nth(1).expect("the graph is a block of text");
    let drawn = drawn.split("```").next().expect("the block ends");
    let lines = graph(&rooms(&architecture))
        .into_iter()
        .map(|(name, uses)| format!("{name}: {}", uses.join(" ")).trim_end().to_owned() + "\n");
    assert_eq!(drawn, lines.collect::<String>(), "the graph in ARCHITECTURE.md");
}

#[test]
fn no_crate_uses_one_that_stands_below_it() {
    let architecture = page("ARCHITECTURE.md");
    let rooms = rooms(&architecture);
    for (name, uses) in graph(&rooms) {
        let place = |name: &str| {
            let place = rooms.iter().position(|room| *room == name);
            place.unwrap_or_else(|| panic!("`{name}` is missing in the table of ARCHITECTURE.md"))
        };
        let below: Vec<&String> =
            uses.iter().filter(|other| place(other) >= place(&name)).collect();
        assert!(below.is_empty(), "`{name}` uses {below:?}");
    }
}

#[test]
fn the_workspace_lists_the_crates_in_the_same_order() {
    let architecture = page("ARCHITECTURE.md");
    let manifest = page("Cargo.toml");
    let listed =
        manifest.lines().filter_map(|line| Some(line.split_once(" = { path = \"crates/")?.1));
    let listed: Vec<&str> = listed.filter_map(|rest| rest.split('"').next()).collect();
    let rooms = rooms(&architecture);
    let expected = rooms.split(|room| *room == "cli").next().expect("the stages come first");
    assert_eq!(listed, expected);
}
