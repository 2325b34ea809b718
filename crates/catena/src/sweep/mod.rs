//! Long sweeps that are safe: a grid of trajectories in one file that survives whatever ends the program.
//!
//! A [`SweepRequest`] becomes a [`Plan`]; a [`Store`] keeps the blocks that are done, each committed to the disk as it
//! comes; [`fill`] computes what is missing, on all cores. The numbers depend on the plan alone: not on threads, lanes,
//! chunks or interruptions.
//!
//! ```
//! use catena::sweep::{Chunk, Findings, Plan, Store, SweepRequest, fill};
//!
//! let model = catena::load("single-pendulum", &[])?;
//! let request = SweepRequest {
//!     over: vec!["theta=10 deg:90 deg:9".into()],
//!     measures: vec!["max:energy".into()],
//!     t_end: Some("1".into()),
//!     ..SweepRequest::default()
//! };
//! let plan = Plan::new(&model, &request)?;
//! let mut store = Store::in_memory(plan.description.clone(), Chunk::WHOLE)?;
//! fill(&plan.sweep, &mut store, 2, &mut |_| false)?;
//! assert_eq!(Findings::of(&store).cells_done, 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod description;
mod export;
mod failure;
mod findings;
mod json;
mod merge;
mod picture;
mod plan;
mod ranges;
mod salvage;
mod space;
mod sql;
mod store;
mod tables;
mod threads;

pub use blocks::{Blocks, Chunk};
pub use description::{Description, SweptAxis};
pub use export::{SWEEP_FORMATS, export};
pub use failure::{StoreFailure, SweepFailure};
pub use findings::{Extreme, Findings, MeasureFindings};
pub use json::sweep_json;
pub use merge::merge;
pub use picture::{MOST_DRAWN_AXES, sweep_svg};
pub use plan::{Plan, SweepRequest};
pub use ranges::swept_axis;
pub use space::{MOST_CELLS, MOST_IN_MEMORY, check_room};
pub use store::{Found, Store};
pub use threads::{Filled, Watch, fill};
