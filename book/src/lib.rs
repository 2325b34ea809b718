//! The book: Markdown chapters with commands that are run, chapters made from the catalogues, and a static site of both.
//!
//! A chapter is a file of `book/` or comes from [`generated`]. [`run_chapter`] does what its blocks ask for in a folder of
//! its own and says what does not hold; [`Site`] makes pages of what came out.

mod anchors;
mod chapter;
mod console;
mod contents;
mod files;
mod links;
mod page;
mod rust_excerpt;
mod scratch;
mod search;
mod session;
mod site;

pub mod generated;

pub use chapter::{Block, Chapter, Item, Origin};
pub use console::{Command, answers, commands};
pub use contents::{Contents, Part, written_chapters};
pub use files::check_made_file;
pub use links::{Anchors, broken_links};
pub use scratch::Scratch;
pub use session::{Extent, Outcome, run_all, run_chapter};
pub use site::Site;

use std::path::{Path, PathBuf};

/// The name under which the builder is the program itself.
pub const PROGRAM: &str = "catena";

/// The root of the repository that this was built from.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
