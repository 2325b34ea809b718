//! The zoo: ready models, each a model file in the format users write.

/// A ready model.
#[derive(Clone, Copy, Debug)]
pub struct ReadySystem {
    /// The name that commands take.
    pub name: &'static str,
    /// The model file.
    pub text: &'static str,
}

macro_rules! zoo {
    ($($name:literal),* $(,)?) => {
        &[$(ReadySystem {
            name: $name,
            text: include_str!(concat!("../models/", $name, ".toml")),
        }),*]
    };
}

/// Every ready model, simple ones first.
pub static SYSTEMS: &[ReadySystem] = zoo![
    "single-pendulum",
    "double-pendulum",
    "double-pendulum-cartesian",
    "triple-pendulum",
    "pendulum-chain",
    "chain",
    "driven-pendulum",
    "elastic-pendulum",
    "cart-pendulum",
    "bead-on-hoop",
    "four-bar",
    "slider-crank",
    "four-bar-bodies",
    "slider-crank-bodies",
    "scissor-lift",
    "n-four-bar",
    "quick-return",
    "dwell-linkage",
    "double-wishbone",
    "desk-lamp",
    "lorenz",
];

/// The ready model of this name.
pub fn find(name: &str) -> Option<&'static ReadySystem> {
    SYSTEMS.iter().find(|system| system.name == name)
}

/// A short model to start from.
pub static STARTER: &str = include_str!("../models/starter.toml");
