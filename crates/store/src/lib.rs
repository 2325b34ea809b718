//! Sweeps on disk. A [`Store`] is one SQLite file, to which every finished block is committed as it comes; whatever ends
//! the program or damages the file, what is read from it is what was written.

mod check_sum;
mod failure;
mod identity;
mod merge;
mod parcel;
mod salvage;
mod space;
mod sql;
mod store;
mod tables;

pub use failure::StoreFailure;
pub use merge::merge;
pub use parcel::{BadParcel, pack, unpack};
pub use space::MAX_CELLS;
pub use store::Store;
