//! Results as files, JSON and pictures. Whatever was computed becomes a [`Document`]: sheets, which are tables, and one
//! JSON object that holds everything. [`FORMATS`] lists the formats that a document can be written in.
//!
//! ```
//! use catena_present::Document;
//! use catena_simulation::Table;
//!
//! let table = Table::default().with_numbers("t", "s", vec![0.0, 0.5]).with_numbers("x", "m", vec![1.0, 2.0]);
//! let path = std::env::temp_dir().join(format!("catena-present-{}.csv", std::process::id()));
//! catena_present::write_document(&Document::of_table("motion", &table), &path)?;
//! let text = std::fs::read_to_string(&path)?;
//! assert_eq!(text.lines().next(), Some("t,x"));
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod certificate;
mod csv;
mod destination;
mod diagnosis;
mod document;
mod file;
mod format;
mod json;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
mod picture;
mod report;
mod run;
pub mod sweep;
mod zip;

pub use animation::{
    ANIMATION_FORMATS, ANIMATIONS, Animation, AnimationFormat, AnimationOutcome, Bytes, Shown,
    Watcher, animation_bytes, write_animation,
};
pub use certificate::{certificate_text, counted};
pub use csv::csv_text;
pub use destination::{check_destination, check_replaces_nothing, events_path};
pub use diagnosis::diagnosis_json;
pub use document::{Document, Rows, Sheet};
pub use file::{WriteError, document_bytes, write, write_document, write_table};
pub use format::{FORMATS, Format, Output, TABLE_FORMATS, find};
pub use picture::{PICTURE_FORMATS, PICTURES, PictureFormat, picture_bytes, write_picture};
pub use report::{Report, figure_sheet};
pub use run::{certificate_json, run_document, run_json, write_run};
