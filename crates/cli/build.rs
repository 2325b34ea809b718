//! Tells the program what it was built from: the commit, if the source is a Git repository, and the target.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").expect("Cargo names the target");
    println!("cargo::rustc-env=CATENA_TARGET={target}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if let Some(commit) = commit(&root) {
        println!("cargo::rustc-env=CATENA_COMMIT={commit}");
        for path in where_the_commit_is_named(&root) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}

/// The commit with its date, `4ccb826 2026-11-16`. A source archive has none, and neither has one that was unpacked
/// inside of another repository.
fn commit(root: &Path) -> Option<String> {
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    let is_ours = Path::new(&top).canonicalize().ok()? == root.canonicalize().ok()?;
    is_ours.then(|| git(root, &["log", "-1", "--format=%h %cs", "--abbrev=7"])).flatten()
}

/// The files that are written when another commit is checked out or made. A file that does not exist would make Cargo
/// build each time: a branch that Git has packed away is watched by the folder in which it will appear.
fn where_the_commit_is_named(root: &Path) -> Vec<PathBuf> {
    let path = |name: &str| {
        let path = git(root, &["rev-parse", "--git-path", name])?;
        Some(root.join(path))
    };
    let mut paths: Vec<PathBuf> =
        ["HEAD", "packed-refs"].into_iter().filter_map(path).filter(|path| path.exists()).collect();
    if let Some(branch) = git(root, &["symbolic-ref", "-q", "HEAD"]).and_then(|name| path(&name)) {
        paths.extend(branch.ancestors().find(|path| path.exists()).map(Path::to_owned));
    }
    paths
}

/// What Git answers, unless it cannot.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // a hook of another repository may be what builds
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
    let answer = command.args(arguments).current_dir(root).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?.trim().to_owned();
    (answer.status.success() && !text.is_empty()).then_some(text)
}
