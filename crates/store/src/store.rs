//! The result file: one SQLite database, to which every finished block is committed at once.
//!
//! A commit is on the disk when it returns, and one that was under way when the program or the machine stopped is undone
//! by SQLite when the file is opened next.

use crate::StoreFailure;
use crate::sql::{is_damage, refused};
use crate::tables::{
    APPLICATION_ID, FORMAT_VERSION, block_check_sum, get, put, read_description, read_header,
    write_description,
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
            (APPLICATION_ID, FORMAT_VERSION) => {}
            (APPLICATION_ID, found) => {
                return Err(StoreFailure::OtherFormat {
                    path: shown(),
                    found,
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
        match get(&self.connection, &self.description, block) {
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
        put(&mut self.connection, blocks).map_err(|error| refused("write", &self.path, &error))
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
