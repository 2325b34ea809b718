//! The files of several chunks become one.

use crate::{Store, StoreFailure};
use catena_ensemble::{Chunk, SweepResult};
use std::path::Path;

/// Puts the sound blocks of some files into a new one, which can be continued like any other.
pub fn merge(into: &Path, parts: &[impl AsRef<Path>]) -> Result<Store, StoreFailure> {
    let mut opened: Vec<Store> = Vec::with_capacity(parts.len());
    for part in parts {
        let path = part.as_ref();
        let store = Store::open(path)?;
        if let Some(first) = opened.first() {
            store.must_be(first.description())?;
        }
        opened.push(store);
    }
    let Some(first) = opened.first() else {
        let (path, reason) = (into.display().to_string(), "no part is named".to_owned());
        return Err(StoreFailure::Refused { doing: "write", path, reason });
    };
    if into.metadata().is_ok_and(|file| file.len() > 0) {
        return Err(StoreFailure::Taken { path: into.display().to_string() });
    }
    let mut whole = Store::create(into, first.description().clone(), Chunk::WHOLE)?;
    // a block that one part has lost another may have kept
    let sound = |block: u64| {
        let mut parts = opened.iter().filter(|part| part.chunk().has(block));
        parts.find_map(|part| part.sound(block))
    };
    whole.put_all(whole.expected().filter_map(sound))?;
    Ok(whole)
}
