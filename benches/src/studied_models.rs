//! The models whose reported errors are compared with true ones: the zoo, the systems of the reference motions, and
//! random models of all kinds.

use crate::random_models::{Character, random_models};
use catena::Setting;

/// A model that is run.
pub struct StudiedModel {
    /// What it is called in tables.
    pub name: String,
    /// `zoo`, `reference`, or the kind of a random model.
    pub kind: &'static str,
    /// What its motions are like.
    pub character: Character,
    /// Its model file.
    pub text: String,
    /// A model file of the same motion that is easier to follow, if there is one.
    pub equivalent: Option<String>,
    /// What is changed in it.
    pub settings: Vec<Setting>,
    /// The end of the run, s; that of the file if absent.
    pub t_end: Option<f64>,
}

/// The systems of `tests/reference/motions.json` with their settings and their end, s.
const REFERENCE_SYSTEMS: [(&str, &[&str], f64); 14] = [
    ("single-pendulum", &[], 3.0),
    ("four-bar", &[], 10.0),
    ("four-bar", &["theta2'=12"], 10.0),
    ("double-pendulum-cartesian", &[], 4.0),
    ("triple-pendulum", &["f=0.3", "R=1"], 20.0),
    ("triple-pendulum", &["f=0.5", "R=0"], 20.0),
    ("triple-pendulum", &["f=0.5", "R=0.1"], 20.0),
    ("triple-pendulum", &["f=1.5", "R=0.1"], 20.0),
    ("triple-pendulum", &["f=1", "R=0"], 20.0),
    ("chain", &["links=2"], 5.0),
    ("chain", &["links=4"], 5.0),
    ("chain", &["links=8"], 3.0),
    ("chain", &["links=16"], 2.0),
    ("chain", &["links=20"], 2.0),
];
/// Systems of the zoo whose motions part exponentially with their own settings.
const CHAOTIC: [&str; 9] = [
    "double-pendulum",
    "double-pendulum-cartesian",
    "triple-pendulum",
    "pendulum-chain",
    "chain",
    "driven-pendulum",
    "elastic-pendulum",
    "cart-pendulum",
    "lorenz",
];

/// All of them, with so many random ones.
pub fn studied_models(random: usize, seed: u64) -> Vec<StudiedModel> {
    let zoo = catena::systems::SYSTEMS.iter().map(|system| of_zoo("zoo", system.name, &[], None));
    let references = REFERENCE_SYSTEMS
        .iter()
        .map(|(name, settings, t_end)| of_zoo("reference", name, settings, Some(*t_end)));
    let random = random_models(random, seed).into_iter().map(|model| StudiedModel {
        name: model.name,
        kind: model.kind,
        character: model.character,
        text: model.text,
        equivalent: model.equivalent,
        settings: Vec::new(),
        t_end: None,
    });
    zoo.chain(references).chain(random).collect()
}

fn of_zoo(kind: &'static str, name: &str, settings: &[&str], t_end: Option<f64>) -> StudiedModel {
    let character = match CHAOTIC.contains(&name) {
        true => Character::Chaotic,
        false => Character::Regular,
    };
    StudiedModel {
        name: [&[name], settings].concat().join(" "),
        kind,
        character,
        text: catena::systems::find(name).expect("it is in the zoo").text.to_owned(),
        equivalent: None,
        settings: settings.iter().map(|setting| Setting((*setting).to_owned())).collect(),
        t_end,
    }
}
