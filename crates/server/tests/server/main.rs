//! The server under attack and at work. Workers are played by a script that sleeps, hangs, grows and crashes on demand;
//! `crates/cli/tests/serve_command.rs` has real ones.

mod client;
mod description;
mod files;
mod jobs;
mod served;
mod visitors;
