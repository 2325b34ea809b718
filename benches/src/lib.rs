//! Benches print tables; see `benches/`. Here is what they share.

pub mod by_hand;
pub mod by_hand_lanes;
pub mod by_hand_sweep;
pub mod case;
pub mod command;
pub mod evaluation;
pub mod mass_and_forces;
pub mod measurement;
pub mod random_models;
pub mod stopwatch;
pub mod studied_models;
pub mod table;
pub mod true_error;
pub mod windows;
