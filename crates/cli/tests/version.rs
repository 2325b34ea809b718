//! `catena --version` says what the program was built from.

mod process;

use process::Folder;
use std::path::Path;
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let answer = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    let text = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    answer.status.success().then_some(text)
}

/// What stands between the parentheses behind the version.
fn build(line: &str) -> Vec<String> {
    let version = format!("catena {} (", env!("CARGO_PKG_VERSION"));
    let build = line.strip_prefix(&version).and_then(|rest| rest.strip_suffix(')'));
    let build = build.unwrap_or_else(|| panic!("{line}"));
    build.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_version_names_the_commit_the_target_and_what_is_built_in() {
    let folder = Folder::new("version");
    let long = folder.run(&["--version"]).printed();
    let (first, licence) = long.split_once('\n').expect("the licence has a line of its own");
    assert_eq!(licence.trim_end(), format!("Licence: {}", env!("CARGO_PKG_LICENSE")));
    assert_eq!(folder.run(&["-V"]).printed().trim_end(), first);

    let mut build = build(first);
    if cfg!(feature = "parquet") {
        assert_eq!(build.pop().as_deref(), Some("parquet"));
    }
    if cfg!(target_feature = "crt-static") {
        assert_eq!(build.pop().as_deref(), Some("static"));
    }
    let target = build.pop().expect("a target");
    assert!(target.starts_with(std::env::consts::ARCH), "{target}");
    assert!(target.contains(std::env::consts::OS), "{target}");
    // a source archive has no commit, and then nothing else may stand there
    let commit = git(&["log", "-1", "--format=%h %cs", "--abbrev=7"]);
    let top = git(&["rev-parse", "--show-toplevel"]).map(|top| Path::new(&top).join("crates/cli"));
    let is_ours = top.is_some_and(|top| {
        top.canonicalize().ok() == Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().ok()
    });
    let expected: Vec<String> = commit.filter(|_| is_ours).into_iter().collect();
    assert_eq!(build, expected);
}
