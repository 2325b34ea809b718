//! How the module is linked: its table of functions is open to the host, which adds functions to it, and its memory is
//! bounded, so that a request that needs too much of it fails and the browser does not.

use std::env;

/// Bytes of the largest memory.
const MAX_MEMORY: usize = 2 << 30;
/// Bytes of the stack: as much as the main thread of a program has elsewhere.
const STACK: usize = 8 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--export-table");
        println!("cargo::rustc-link-arg-cdylib=--growable-table");
        println!("cargo::rustc-link-arg-cdylib=--max-memory={MAX_MEMORY}");
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}
