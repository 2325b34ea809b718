//! The page: a workbench in the browser, as one document that loads nothing.
//!
//! Its sources are plain modules in `script` and styles in `style`, which a browser reads as they are. Here they are
//! joined: every module becomes a function scope of its own, in the order of their imports, and a content
//! security policy allows exactly the script and the style that were joined and nothing from elsewhere.
//!
//! The same page has two carriers of the protocol. Sent by a server it asks that server; with the core inside
//! (WebAssembly, gzipped) it needs none, not even to be on a web space: it opens from a disk.

mod compact;
mod core;
mod document;
#[cfg(test)]
mod document_test;
mod files;
mod module;

pub use core::core;
pub use document::{content_security_policy, html};
