//! What a sweep has found, and how it is shown: a document, a JSON object, a picture.
//!
//! Everything here reads a [`SweepResult`]; whether its blocks are in memory or in a file is not its business.

mod blocks;
mod description;
mod export;
mod findings;
mod json;
mod picture;
mod result;

pub use blocks::{BadChunk, Blocks, Chunk};
pub use description::{Description, SweptAxis};
pub use export::{export, table};
pub use findings::{Extreme, Findings, MeasureFindings};
pub use json::sweep_json;
pub use picture::{MAX_DRAWN_AXES, sweep_svg};
pub use result::{Attempt, Found, InMemory, MAX_NUMBERS_IN_MEMORY, SweepResult, SweepSink};
