//! WebAssembly that writes WebAssembly: a program becomes a module that the browser compiles.
//!
//! The module shares memory and functions with the program that wrote it, so that it computes the interpreter's bits.

mod library;
mod module;
#[cfg(test)]
#[path = "../../examples/web_reader/random_program.rs"]
pub(crate) mod random_program;
#[cfg(target_arch = "wasm32")]
mod reader;
mod translate;

#[cfg(target_arch = "wasm32")]
pub(crate) use reader::Web;
