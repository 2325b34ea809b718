//! What a sweep has found, and how it is shown: a document, a JSON object, a picture.
//!
//! Everything here reads a [`SweepResult`](catena_ensemble::SweepResult); whether its blocks are in memory or in a file is not its business.

mod export;
mod findings;
mod json;
mod picture;

pub use export::{export, table};
pub use findings::{Extreme, Findings, MeasureFindings};
pub use json::{Computed, sweep_json};
pub use picture::{MAX_DRAWN_AXES, sweep_picture};
