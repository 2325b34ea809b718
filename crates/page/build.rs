//! Lists the scripts and styles of the page, so that a view is added by its files alone, and takes in the core that the
//! environment variable `CATENA_CORE` names, if it does.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo says where the crate is"));
    let mut list = String::from("&[\n");
    for (folder, ending) in [("script", "js"), ("style", "css")] {
        println!("cargo::rerun-if-changed=src/{folder}");
        for path in files(&root.join("src").join(folder), ending) {
            let name = path.file_name().and_then(|name| name.to_str()).expect("names are plain");
            println!("cargo::rerun-if-changed={}", path.display());
            let _ = writeln!(list, "    (\"{folder}/{name}\", include_str!({path:?})),");
        }
    }
    list += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo says where to write"));
    fs::write(out.join("files.rs"), list).expect("the list can be written");
    fs::write(out.join("core.rs"), core()).expect("the core can be named");
}

/// An expression: the bytes of the core, or none.
fn core() -> String {
    println!("cargo::rerun-if-env-changed=CATENA_CORE");
    let Some(path) = env::var_os("CATENA_CORE").filter(|path| !path.is_empty()) else {
        return "None".to_owned();
    };
    let path = PathBuf::from(path);
    let found = fs::canonicalize(&path);
    let path =
        found.unwrap_or_else(|error| panic!("CATENA_CORE names {}: {error}", path.display()));
    println!("cargo::rerun-if-changed={}", path.display());
    format!("Some(include_bytes!({path:?}))")
}

/// Sorted by name, so that every machine makes the same page.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    paths
}
