//! A file that is continued: what is sound is kept, what is damaged is computed again.

use crate::identity::difference;
use crate::space::check_room;
use crate::sql::{is_damage, refused};
use crate::{Store, StoreFailure};
use catena_ensemble::{Chunk, Description, Found, SweepResult};
use std::path::{Path, PathBuf};

/// What SQLite adds to the name of a file to name its journal.
const JOURNAL: &str = "-journal";
/// What is added where what is sound of a damaged file is written.
const REBUILT: &str = ".rebuilt";

impl Store {
    /// The files that a store of this name is, or is while it is written: what it leads to, SQLite's journal, and what
    /// takes its place where it was damaged.
    pub fn files(path: &Path) -> [PathBuf; 3] {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (journal, rebuilt) = (with_ending(&real, JOURNAL), with_ending(&real, REBUILT));
        [path.to_owned(), journal, rebuilt]
    }

    /// The file for a sweep: new, or continued where `resume` allows it. Refused, before anything is computed, if the
    /// disk has no room for it.
    pub fn for_sweep(
        path: &Path,
        description: Description,
        chunk: Chunk,
        resume: bool,
    ) -> Result<Store, StoreFailure> {
        // an empty file, as a temporary one, is as good as none
        let existing = if path.exists() { Store::open_if_begun(path)? } else { None };
        let store = match existing {
            Some(store) => store,
            None => {
                check_room(&description, chunk, path)?;
                match Store::create(path, description.clone(), chunk) {
                    // another program was faster, and the file is now one that exists
                    Err(StoreFailure::Taken { .. }) => Store::open(path)?,
                    created => return created,
                }
            }
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
        let store = if store.is_whole()? { store } else { store.rebuilt()? };
        check_room(&description, chunk, path)?;
        Ok(store)
    }

    /// Refuses another sweep, and names the first setting that differs.
    pub(crate) fn must_be(&self, description: &Description) -> Result<(), StoreFailure> {
        match difference(&self.description, description) {
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
        let shown = self.path.clone();
        let lost = |error: std::io::Error| StoreFailure::Refused {
            doing: "write",
            path: shown.display().to_string(),
            reason: error.to_string(),
        };
        // a link stays, and what it leads to is replaced
        let path = self.path.canonicalize().map_err(lost)?;
        let new = with_ending(&path, REBUILT);
        // what an earlier attempt left
        for leftover in [new.clone(), with_ending(&new, JOURNAL)] {
            if leftover.exists() {
                std::fs::remove_file(leftover).map_err(lost)?;
            }
        }
        let mut rebuilt = Store::create(&new, self.description.clone(), self.chunk)?;
        rebuilt.put_all(self.expected().filter_map(|block| self.sound(block)))?;
        let is_unsound = |block: &u64| self.get(*block) == Found::Unsound;
        let left_out = self.expected().filter(is_unsound).count() as u64;
        drop((self, rebuilt));
        // a journal of the damaged file would be played back into the new one
        let journal = with_ending(&path, JOURNAL);
        if journal.exists() {
            std::fs::remove_file(journal).map_err(lost)?;
        }
        std::fs::rename(&new, &path).map_err(lost)?;
        Ok(Store { left_out, ..Store::open(&shown)? })
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_ensemble::{Blocks, Spacing, SweptAxis};
    use std::sync::Barrier;

    /// How often, and how many programs at once.
    const ROUNDS: usize = 20;
    const PROGRAMS: usize = 4;

    fn description() -> Description {
        let axis =
            SweptAxis { name: "m".to_owned(), spacing: Spacing::Linear, values: vec![1.0, 2.0] };
        Description {
            title: "test".to_owned(),
            settings: vec![("to".to_owned(), "1.0".to_owned())],
            axes: vec![axis],
            measures: vec!["max:x".to_owned()],
            blocks: Blocks::new(2),
        }
    }

    #[test]
    fn of_sweeps_that_begin_one_file_at_once_one_has_it_and_the_others_are_told() {
        let folder = std::env::temp_dir().join(format!("catena-at-once-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        for round in 0..ROUNDS {
            let path = folder.join(format!("{round}.sweep"));
            let together = Barrier::new(PROGRAMS);
            let begin = || {
                together.wait();
                Store::for_sweep(&path, description(), Chunk::WHOLE, false)
            };
            let begun: Vec<_> = std::thread::scope(|scope| {
                let all: Vec<_> = (0..PROGRAMS).map(|_| scope.spawn(begin)).collect();
                all.into_iter().map(|one| one.join().expect("it ends")).collect()
            });
            let mut owners = 0;
            for one in begun {
                match one {
                    Ok(_) => owners += 1,
                    Err(StoreFailure::Exists { done: 0, .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
            assert_eq!(owners, 1);
        }
        std::fs::remove_dir_all(&folder).expect("it is there");
    }

    #[test]
    fn a_file_that_another_program_has_begun_is_taken() {
        let path = std::env::temp_dir().join(format!("catena-taken-{}", std::process::id()));
        let first = Store::create(&path, description(), Chunk::WHOLE);
        let second = Store::create(&path, description(), Chunk::WHOLE);
        assert!(first.is_ok());
        assert!(matches!(second, Err(StoreFailure::Taken { .. })));
        std::fs::remove_file(&path).expect("it is there");
    }
}
