//! Random models of all kinds, the same on every machine: texts of model files, made from a seed.
//!
//! A kind is data: a name, what its motions are like, and the function that writes a model of it.

mod abrupt;
mod chains;
mod constrained;
mod driven;
mod fields;
mod linkages;
mod networks;
mod rotation;
mod scales;
mod singular;
mod states;
mod transmissions;

use catena::derivation::Random;
use std::fmt::Write;

/// What the motions of a kind are like, which decides what can be expected of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// Neighbouring motions stay neighbours, and accuracy limits the steps.
    Regular,
    /// Neighbouring motions part exponentially.
    Chaotic,
    /// Stability limits the steps of explicit methods.
    Stiff,
    /// Something happens in a time that is short relative to the motion.
    Abrupt,
    /// Constraints are redundant, or become so in some poses.
    Singular,
}

/// A kind of random models.
#[derive(Debug)]
pub struct Kind {
    /// What models of this kind are called.
    pub name: &'static str,
    /// What their motions are like.
    pub character: Character,
    /// Writes a model file.
    pub write: fn(&mut Random) -> String,
    /// Writes a model of the same motion that is easier to follow, from the same random numbers, with the columns of some
    /// of the coordinates: where the constraints are redundant, or lose their rank.
    pub equivalent: Option<fn(&mut Random) -> String>,
}

/// Every kind.
pub static KINDS: &[Kind] = &[
    Kind::regular("linear-network", networks::linear),
    Kind::regular("cubic-network", networks::cubic),
    Kind::regular("damped-network", networks::damped),
    Kind::regular("gentle-chain", chains::gentle),
    Kind::chaotic("wild-chain", chains::wild),
    Kind::regular("chain-with-friction", chains::with_friction),
    Kind::regular("shaken-chain", chains::shaken),
    Kind::regular("four-bar", linkages::four_bar),
    Kind::regular("slider-crank", linkages::slider_crank),
    Kind::regular("six-bar", linkages::six_bar),
    Kind::regular("driven-linkage", linkages::driven_by_motor),
    Kind::regular("gears", transmissions::gear_train),
    Kind::regular("sprung-body", transmissions::sprung_body),
    Kind::regular("bead-on-curve", constrained::bead_on_curve),
    Kind::regular("particle-on-surface", constrained::particle_on_surface),
    Kind::regular("cartesian-pendulum", constrained::cartesian_pendulum),
    Kind::regular("linear-states", states::linear),
    Kind::regular("reactions", states::reactions),
    Kind::chaotic("strange-attractor", states::strange_attractor),
    Kind::stiff("stiff-states", states::stiff),
    Kind::regular("controlled", driven::controlled),
    Kind::regular("driven-oscillator", driven::oscillator),
    Kind::regular("pulsed", driven::pulsed),
    Kind::regular("top", rotation::top),
    Kind::regular("orbit", fields::orbit),
    Kind::regular("close-approach", fields::close_approach),
    Kind::abrupt("blow", abrupt::blow),
    Kind::abrupt("wall", abrupt::wall),
    Kind::abrupt("non-smooth", abrupt::non_smooth),
    Kind::regular("long", scales::long),
    Kind::regular("fast-rotation", scales::fast_rotation),
    Kind::regular("small-or-large", scales::small_or_large),
    Kind::singular(
        "parallel-cranks",
        singular::parallel_cranks,
        singular::parallel_cranks_as_pendulum,
    ),
];

impl Kind {
    const fn regular(name: &'static str, write: fn(&mut Random) -> String) -> Kind {
        Kind { name, character: Character::Regular, write, equivalent: None }
    }

    const fn chaotic(name: &'static str, write: fn(&mut Random) -> String) -> Kind {
        Kind { name, character: Character::Chaotic, write, equivalent: None }
    }

    const fn stiff(name: &'static str, write: fn(&mut Random) -> String) -> Kind {
        Kind { name, character: Character::Stiff, write, equivalent: None }
    }

    const fn abrupt(name: &'static str, write: fn(&mut Random) -> String) -> Kind {
        Kind { name, character: Character::Abrupt, write, equivalent: None }
    }

    const fn singular(
        name: &'static str,
        write: fn(&mut Random) -> String,
        equivalent: fn(&mut Random) -> String,
    ) -> Kind {
        Kind { name, character: Character::Singular, write, equivalent: Some(equivalent) }
    }
}

/// A random model.
#[derive(Clone, Debug)]
pub struct RandomModel {
    /// Its kind and its number among those of the kind.
    pub name: String,
    /// The name of its kind.
    pub kind: &'static str,
    /// What its motions are like.
    pub character: Character,
    /// Its model file.
    pub text: String,
    /// A model file of the same motion that is easier to follow, if there is one.
    pub equivalent: Option<String>,
}

/// So many models, as many of each kind as of the others.
pub fn random_models(count: usize, seed: u64) -> Vec<RandomModel> {
    let model = |at: usize| {
        let (kind, number) = (&KINDS[at % KINDS.len()], at / KINDS.len() + 1);
        // each from a seed of its own: one kind can change without the others
        let own = seed.wrapping_mul(1_000_003).wrapping_add(name_seed(kind.name) + number as u64);
        let mut random = Random::new(own);
        // neighbouring seeds begin alike
        random.several(4, 0.0, 1.0);
        RandomModel {
            name: format!("{}-{number}", kind.name),
            kind: kind.name,
            character: kind.character,
            equivalent: kind.equivalent.map(|write| write(&mut random.clone())),
            text: (kind.write)(&mut random),
        }
    };
    (0..count).map(model).collect()
}

/// A number of its own for each name.
fn name_seed(name: &str) -> u64 {
    name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)))
        << 16
}

/// A whole number from `low` to `high`, both among them.
fn whole(random: &mut Random, low: usize, high: usize) -> usize {
    (random.between(low as f64, high as f64 + 1.0) as usize).min(high)
}

/// A number from `low` to `high`, as a model file has it; small ones are as likely as large ones.
fn scaled(random: &mut Random, low: f64, high: f64) -> String {
    format!("{:.4}", random.between(low.ln(), high.ln()).exp())
}

/// A number from `low` to `high`, as a model file has it.
fn number(random: &mut Random, low: f64, high: f64) -> String {
    format!("{:.4}", random.between(low, high))
}

/// One of several texts.
fn one_of<'a>(random: &mut Random, choices: &[&'a str]) -> &'a str {
    choices[whole(random, 0, choices.len() - 1)]
}

/// The section of the run: so long, with two hundred rows.
fn run(t_end: f64) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "[run]\nt_end = {t_end:.4}\nevery = {:.6}", t_end / 200.0);
    text
}
