//! Benches print tables; see `benches/`. Here is what they share.

pub mod by_hand;
pub mod stopwatch;
pub mod table;
