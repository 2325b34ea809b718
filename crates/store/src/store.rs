//! The result file: one SQLite database, to which every finished block is committed at once.
//!
//! A commit is on the disk when it returns, and one that was under way when the program or the machine stopped is undone
//! by SQLite when the file is opened next.

use crate::StoreFailure;
use crate::sql::{is_damage, refused};
use crate::tables::{
    APPLICATION_ID, FORMAT_VERSION, OLDEST_FORMAT, block_check_sum, get, put, read_description,
    read_header, write_description,
};
use catena_ensemble::Block;
use catena_ensemble::{Chunk, Description, Found, SweepResult, SweepSink};
use rusqlite::{Connection, Error, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long another program may keep the file locked.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Blocks that are copied in one commit: large ones take half a megabyte for each measure.
const MAX_BLOCKS_PER_COMMIT: usize = 32;

/// A result file of a sweep, open for reading and writing.
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) description: Description,
    pub(crate) chunk: Chunk,
    /// The format of its tables.
    pub(crate) format: i64,
    /// Whether SQLite found it damaged when it was opened.
    pub(crate) is_damaged: bool,
    /// Blocks that were left out when it was written anew.
    pub(crate) left_out: u64,
}

impl Store {
    /// A new file, which must not hold anything yet.
    pub fn create(
        path: &Path,
        description: Description,
        chunk: Chunk,
    ) -> Result<Store, StoreFailure> {
        let lost = |error: Error| refused("write", path, &error);
        let mut connection = Connection::open(path).map_err(lost)?;
        durable(&connection).map_err(lost)?;
        if !write_description(&mut connection, &description, chunk).map_err(lost)? {
            return Err(StoreFailure::Taken { path: path.display().to_string() });
        }
        Ok(Store {
            connection,
            path: path.to_owned(),
            description,
            chunk,
            format: FORMAT_VERSION,
            is_damaged: false,
            left_out: 0,
        })
    }

    /// An existing file, finished or not.
    pub fn open(path: &Path) -> Result<Store, StoreFailure> {
        let empty = || StoreFailure::Foreign { path: path.display().to_string(), what: "empty" };
        Store::open_if_begun(path)?.ok_or_else(empty)
    }

    /// An existing file; `None` if it is empty.
    pub(crate) fn open_if_begun(path: &Path) -> Result<Option<Store>, StoreFailure> {
        let shown = || path.display().to_string();
        if !path.exists() {
            return Err(StoreFailure::Missing { path: shown() });
        }
        if path.is_dir() {
            return Err(StoreFailure::Foreign { path: shown(), what: "a folder" });
        }
        let lost = |error: Error| refused("read", path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(lost)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(lost)?;
        let (header, is_damaged) = match read_header(&connection) {
            Ok(header) => (header, false),
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) => {
                return Err(StoreFailure::Foreign { path: shown(), what: "no SQLite file" });
            }
            Err(error) if is_damage(&error) => {
                // a file that was cut off is read as far as it goes
                connection.pragma_update(None, "writable_schema", true).map_err(lost)?;
                (read_header(&connection).map_err(|error| unreadable(path, &error))?, true)
            }
            Err(error) => return Err(lost(error)),
        };
        durable(&connection).map_err(|error| unreadable(path, &error))?;
        match (header.application, header.format) {
            (0, 0) if header.tables == 0 && !is_damaged => return Ok(None),
            (APPLICATION_ID, OLDEST_FORMAT..=FORMAT_VERSION) => {}
            (APPLICATION_ID, found) => {
                return Err(StoreFailure::OtherFormat {
                    path: shown(),
                    found,
                    oldest: OLDEST_FORMAT,
                    known: FORMAT_VERSION,
                });
            }
            _ => {
                return Err(StoreFailure::Foreign {
                    path: shown(),
                    what: "the file of another program",
                });
            }
        }
        let (description, chunk) = read_description(&connection)
            .map_err(|error| unreadable(path, &error))?
            .ok_or_else(|| StoreFailure::Unreadable {
                path: shown(),
                reason: "its check sum is wrong".to_owned(),
            })?;
        Ok(Some(Store {
            connection,
            path: path.to_owned(),
            description,
            chunk,
            format: header.format,
            is_damaged,
            left_out: 0,
        }))
    }

    /// Commits many blocks, some at a time.
    pub(crate) fn put_all(
        &mut self,
        blocks: impl Iterator<Item = Block>,
    ) -> Result<(), StoreFailure> {
        let mut blocks = blocks.peekable();
        while blocks.peek().is_some() {
            let some: Vec<Block> = blocks.by_ref().take(MAX_BLOCKS_PER_COMMIT).collect();
            self.put(&some)?;
        }
        Ok(())
    }

    /// Reads a block if it is sound.
    pub(crate) fn sound(&self, block: u64) -> Option<Block> {
        match self.get(block) {
            Found::Sound(block) => Some(block),
            Found::Missing | Found::Unsound => None,
        }
    }
}

impl SweepResult for Store {
    fn description(&self) -> &Description {
        &self.description
    }

    fn chunk(&self) -> Chunk {
        self.chunk
    }

    fn get(&self, block: u64) -> Found {
        match get(&self.connection, self.format, &self.description, block) {
            Ok(Some((block, sum))) if sum == block_check_sum(&block) => Found::Sound(block),
            Ok(None) => Found::Missing,
            Ok(Some(_)) | Err(_) => Found::Unsound,
        }
    }
}

impl SweepSink for Store {
    type Failure = StoreFailure;

    /// When this returns, the blocks are on the disk.
    fn put(&mut self, blocks: &[Block]) -> Result<(), StoreFailure> {
        put(&mut self.connection, blocks).map_err(|error| refused("write", &self.path, &error))?;
        self.format = FORMAT_VERSION;
        Ok(())
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// What is committed stays, whatever stops.
fn durable(connection: &Connection) -> Result<(), Error> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // the journal is removed and its folder written before a commit counts
    connection.pragma_update(None, "synchronous", "EXTRA")
}

fn unreadable(path: &Path, error: &Error) -> StoreFailure {
    StoreFailure::Unreadable { path: path.display().to_string(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_ensemble::{Blocks, Spacing, SweptAxis};

    fn description() -> Description {
        let values = (0..16).map(f64::from).collect();
        let axis = SweptAxis { name: "m".to_owned(), spacing: Spacing::Linear, values };
        Description {
            title: "test".to_owned(),
            settings: vec![("to".to_owned(), "1.0".to_owned())],
            axes: vec![axis],
            measures: vec!["max:x".to_owned()],
            blocks: Blocks::new(16),
        }
    }

    fn block(first: u64, processor: &str) -> Block {
        let failures = vec![(first, "it flies away".to_owned())];
        let values = vec![0.25; 8];
        Block { cells: first..first + 8, values, failures, processor: processor.to_owned() }
    }

    #[test]
    fn a_file_that_does_not_name_processors_is_read_and_continued() {
        let path = std::env::temp_dir().join(format!("catena-format-2-{}", std::process::id()));
        let mut store = Store::create(&path, description(), Chunk::WHOLE).expect("a new file");
        store.put(&[block(0, "")]).expect("there is room");
        let older = "ALTER TABLE blocks DROP COLUMN processor; PRAGMA user_version = 2";
        store.connection.execute_batch(older).expect("the tables of format 2");
        drop(store);
        let store = Store::open(&path).expect("format 2 is read");
        assert_eq!(store.get(0), Found::Sound(block(0, "")));
        assert_eq!(store.get(1), Found::Missing);
        drop(store);
        let continued = Store::for_sweep(&path, description(), Chunk::WHOLE, true);
        let mut store = continued.expect("format 2 is continued");
        store.put(&[block(8, "a processor, AVX2")]).expect("there is room");
        drop(store);
        let store = Store::open(&path).expect("format 3 is read");
        assert_eq!(store.format, FORMAT_VERSION);
        assert_eq!(store.get(0), Found::Sound(block(0, "")));
        assert_eq!(store.get(1), Found::Sound(block(8, "a processor, AVX2")));
        let lie = "UPDATE blocks SET processor = 'another one'";
        store.connection.execute_batch(lie).expect("it can be written");
        assert_eq!(store.get(1), Found::Unsound);
        std::fs::remove_file(&path).expect("it is there");
    }
}
