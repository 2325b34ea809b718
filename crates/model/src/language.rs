//! The sections of model files and their keys, as the reader knows them.

use crate::draft::{CHAIN_KEYS, COORDINATE_KEYS, ENERGIES, EVENT_KEYS, PIVOT_KEYS, SECTIONS};
use crate::drawing_reader::DRAWING_KEYS;
use crate::mechanism::key_names;
use crate::run_settings::keys_of_files;

/// A section of model files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// As it begins: `title`, `[run]`, `[chain.pivot]`, `[[body]]`.
    pub heading: String,
    /// The keys it may have; none where names are the user's own.
    pub keys: Vec<&'static str>,
}

/// Every section that the reader accepts, with every key.
pub fn sections() -> Vec<Section> {
    let mut all = Vec::new();
    for name in SECTIONS {
        let items = key_names(name).filter(|_| name != "ground");
        let heading = match name {
            "title" | "description" => name.to_owned(),
            _ if items.is_some() => format!("[[{name}]]"),
            _ => format!("[{name}]"),
        };
        let keys = match name {
            "coordinates" => COORDINATE_KEYS.to_vec(),
            "energy" => ENERGIES.to_vec(),
            "events" => EVENT_KEYS.to_vec(),
            "draw" => DRAWING_KEYS.to_vec(),
            "run" => keys_of_files(),
            "chain" => CHAIN_KEYS.to_vec(),
            name => key_names(name).unwrap_or_default(),
        };
        all.push(Section { heading, keys });
        if name == "chain" {
            all.push(Section { heading: "[chain.pivot]".to_owned(), keys: PIVOT_KEYS.to_vec() });
        }
    }
    all
}
