//! A file that is continued: what is sound is kept, what is damaged is computed again.

use super::sql::{is_damage, refused};
use super::{Chunk, Description, Found, Store, StoreFailure};
use std::path::{Path, PathBuf};

impl Store {
    /// The file for a sweep: new, or continued if `resume` says so.
    pub fn for_sweep(
        path: &Path,
        description: Description,
        chunk: Chunk,
        resume: bool,
    ) -> Result<Store, StoreFailure> {
        if !path.exists() {
            return Store::create(path, description, chunk);
        }
        let Some(store) = Store::open(path)? else {
            return Store::create(path, description, chunk);
        };
        store.must_be(&description)?;
        let shown = || path.display().to_string();
        if store.chunk != chunk {
            let (before, now) = (store.chunk.name(), chunk.name());
            let setting = "chunk".to_owned();
            return Err(StoreFailure::Differs { path: shown(), setting, before, now });
        }
        if !resume {
            let done = store.expected().filter_map(|block| store.sound(block)).count() as u64;
            let blocks = store.expected().count() as u64;
            return Err(StoreFailure::Exists { path: shown(), done, blocks });
        }
        if store.is_whole()? { Ok(store) } else { store.rebuilt() }
    }

    /// Refuses another sweep, and says in what it is another one.
    pub(super) fn must_be(&self, description: &Description) -> Result<(), StoreFailure> {
        match self.description.difference(description) {
            None => Ok(()),
            Some([setting, before, now]) => {
                let path = self.path.display().to_string();
                Err(StoreFailure::Differs { path, setting, before, now })
            }
        }
    }

    /// Whether SQLite finds its own structures in order, so that the file can be written to.
    fn is_whole(&self) -> Result<bool, StoreFailure> {
        if self.is_damaged {
            return Ok(false);
        }
        let answer =
            self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
        match answer {
            Ok(answer) => Ok(answer == "ok"),
            Err(error) if is_damage(&error) => Ok(false),
            Err(error) => Err(refused("read", &self.path, &error)),
        }
    }

    /// What is sound of a damaged file, in a new file in its place.
    fn rebuilt(self) -> Result<Store, StoreFailure> {
        let path = self.path.clone();
        let beside = with_ending(&path, ".rebuilt");
        let lost = |error: std::io::Error| StoreFailure::Refused {
            doing: "write",
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        // what an earlier attempt left
        for leftover in [beside.clone(), with_ending(&beside, "-journal")] {
            if leftover.exists() {
                std::fs::remove_file(leftover).map_err(lost)?;
            }
        }
        let mut rebuilt = Store::create(&beside, self.description.clone(), self.chunk)?;
        rebuilt.put_all(self.expected().filter_map(|block| self.sound(block)))?;
        let is_unsound = |block: &u64| self.get(*block) == Found::Unsound;
        let left_out = self.expected().filter(is_unsound).count() as u64;
        drop((self, rebuilt));
        // a journal of the damaged file would be played back into the new one
        let journal = with_ending(&path, "-journal");
        if journal.exists() {
            std::fs::remove_file(journal).map_err(lost)?;
        }
        std::fs::rename(&beside, &path).map_err(lost)?;
        let missing = || StoreFailure::Missing { path: path.display().to_string() };
        let store = Store::open(&path)?.ok_or_else(missing)?;
        Ok(Store { left_out, ..store })
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}
