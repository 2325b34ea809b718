//! One model moved many times, over a grid, on all cores; with the feature `store`, into a file that survives whatever
//! ends the program.
//!
//! A [`SweepRequest`] becomes a [`Plan`]; a [`SweepSink`] keeps the blocks that are done: [`InMemory`], or a `Store` that
//! commits each to the disk as it comes; [`fill`] computes what is missing. The numbers depend on the plan alone: not on
//! threads, lanes, chunks or interruptions.
//!
//! ```
//! use catena::sweep::{Plan, SweepRequest, in_memory, table};
//!
//! let model = catena::load("single-pendulum", &[])?;
//! let request = SweepRequest {
//!     over: vec!["theta=10 deg:90 deg:9".into()],
//!     measures: vec!["max:energy".into()],
//!     t_end: Some("1".into()),
//!     ..SweepRequest::default()
//! };
//! let plan = Plan::new(&model, &request)?;
//! let (result, _) = in_memory(&plan, 2, &mut |_| false)?;
//! assert_eq!(table(&result).numbers("max:energy").map(<[f64]>::len), Some(9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod failure;
mod plan;
mod threads;

pub use catena_present::sweep::{
    Attempt, BadChunk, Blocks, Chunk, Description, Extreme, Findings, Found, InMemory,
    MAX_DRAWN_AXES, MAX_NUMBERS_IN_MEMORY, MeasureFindings, SweepResult, SweepSink, SweptAxis,
    export, sweep_json, sweep_svg, table,
};
#[cfg(feature = "store")]
pub use catena_store::{Store, StoreFailure, merge};
pub use failure::SweepFailure;
pub use plan::{Plan, SweepRequest};
pub use threads::{Watch, fill, in_memory};
