//! The tables of a result file.
//!
//! | table | holds |
//! |---|---|
//! | `settings` | names and values of everything that determines the numbers, the chunk, and a check sum of it all |
//! | `axes` | name, scale and values of what is varied, as little-endian f64 |
//! | `blocks` | first cell, number of cells, their measures as little-endian f64, a check sum, the processor |
//! | `failures` | cells whose trajectory failed, with the reason |

use crate::check_sum::check_sum;
use crate::identity::description_check_sum;
use catena_ensemble::Block;
use catena_ensemble::{Blocks, Chunk, Description, Spacing, SweptAxis};
use rusqlite::{Connection, Error, OptionalExtension, TransactionBehavior, params};

/// The application id in the header of our SQLite files: "CTNA".
pub(crate) const APPLICATION_ID: i64 = 0x4354_4e41;
/// The format of the tables. Format 1 had check sums of 64 bits that are no error-detecting code; format 2 did not say which
/// processor made a block, is read, and becomes format 3 when a block is added.
pub(crate) const FORMAT_VERSION: i64 = 3;
/// The oldest format that is read.
pub(crate) const OLDEST_FORMAT: i64 = 2;
/// The first format that says which processor made a block.
const FORMAT_WITH_PROCESSORS: i64 = 3;

const TABLES: &str = "
    CREATE TABLE settings (position INTEGER PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL);
    CREATE TABLE axes (position INTEGER PRIMARY KEY, name TEXT NOT NULL, scale TEXT NOT NULL, numbers BLOB NOT NULL);
    CREATE TABLE blocks (first INTEGER PRIMARY KEY, cells INTEGER NOT NULL, numbers BLOB NOT NULL,
                         check_sum INTEGER NOT NULL, processor TEXT NOT NULL DEFAULT '');
    CREATE TABLE failures (cell INTEGER PRIMARY KEY, reason TEXT NOT NULL);
";

/// Rows of `settings` that are facts of the file; those of the sweep have other names.
const TITLE: &str = "title";
const CHUNK: &str = "chunk";
const MEASURES: &str = "measures";
const CELLS: &str = "cells";
const CHECK_SUM: &str = "check sum";

/// Begins a file; false, with nothing written, if another program has begun it in the meantime.
pub(crate) fn write_description(
    connection: &mut Connection,
    description: &Description,
    chunk: Chunk,
) -> Result<bool, Error> {
    connection.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if read_header(&transaction)?.tables > 0 {
        return Ok(false);
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT_VERSION)?;
    transaction.execute_batch(TABLES)?;
    let own = [
        (TITLE, description.title.clone()),
        (CHUNK, chunk.name()),
        (MEASURES, description.measures.join(", ")),
        (CELLS, format!("{} in blocks of {}", description.blocks.cells, description.blocks.size)),
        (CHECK_SUM, format!("{:08x}", description_check_sum(description, chunk))),
    ];
    let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
    for (name, value) in own.chain(description.settings.iter().cloned()) {
        transaction
            .execute("INSERT INTO settings (name, value) VALUES (?1, ?2)", params![name, value])?;
    }
    for axis in &description.axes {
        let scale = match axis.spacing {
            Spacing::Linear => "linear",
            Spacing::Logarithmic => "logarithmic",
        };
        transaction.execute(
            "INSERT INTO axes (name, scale, numbers) VALUES (?1, ?2, ?3)",
            params![axis.name, scale, bytes(&axis.values)],
        )?;
    }
    transaction.commit().map(|()| true)
}

/// What kind of file it is.
pub(crate) struct Header {
    /// 0 where nothing was begun.
    pub(crate) tables: i64,
    /// [`APPLICATION_ID`] in files of ours.
    pub(crate) application: i64,
    /// [`FORMAT_VERSION`] in files of this version.
    pub(crate) format: i64,
}

/// Reads everything in one statement: another program may be about to begin the file.
pub(crate) fn read_header(connection: &Connection) -> Result<Header, Error> {
    let query = "SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version
                 FROM pragma_application_id, pragma_user_version";
    connection.query_row(query, [], |row| {
        Ok(Header { tables: row.get(0)?, application: row.get(1)?, format: row.get(2)? })
    })
}

/// `None` if it is not what was written.
pub(crate) fn read_description(
    connection: &Connection,
) -> Result<Option<(Description, Chunk)>, Error> {
    let mut statement = connection.prepare("SELECT name, value FROM settings ORDER BY position")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut settings: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
    let mut statement =
        connection.prepare("SELECT name, scale, numbers FROM axes ORDER BY position")?;
    let axes = statement.query_map([], |row| {
        let spacing = match row.get::<_, String>(1)?.as_str() {
            "logarithmic" => Spacing::Logarithmic,
            _ => Spacing::Linear,
        };
        let values = numbers(&row.get::<_, Vec<u8>>(2)?);
        Ok(SweptAxis { name: row.get(0)?, spacing, values })
    })?;
    let axes: Vec<SweptAxis> = axes.collect::<Result<_, _>>()?;
    let mut own = |name: &str| {
        let at = settings.iter().position(|(known, _)| known == name)?;
        Some(settings.remove(at).1)
    };
    let (Some(title), Some(chunk), Some(measures), Some(_), Some(sum)) =
        (own(TITLE), own(CHUNK), own(MEASURES), own(CELLS), own(CHECK_SUM))
    else {
        return Ok(None);
    };
    let counts = axes.iter().map(|axis| axis.values.len() as u64);
    let (Some(cells), Ok(chunk)) =
        (counts.into_iter().try_fold(1, u64::checked_mul), chunk.parse::<Chunk>())
    else {
        return Ok(None);
    };
    let measures = measures.split(", ").map(str::to_owned).collect();
    let description = Description { title, settings, axes, measures, blocks: Blocks::new(cells) };
    let is_right = sum == format!("{:08x}", description_check_sum(&description, chunk));
    Ok(is_right.then_some((description, chunk)))
}

/// Adds blocks; a file of an older format becomes one of this format with them.
pub(crate) fn put(connection: &mut Connection, blocks: &[Block]) -> Result<(), Error> {
    let transaction = connection.transaction()?;
    if read_header(&transaction)?.format < FORMAT_WITH_PROCESSORS {
        transaction
            .execute("ALTER TABLE blocks ADD COLUMN processor TEXT NOT NULL DEFAULT ''", [])?;
        transaction.pragma_update(None, "user_version", FORMAT_VERSION)?;
    }
    for block in blocks {
        let (first, end) = (block.cells.start as i64, block.cells.end as i64);
        transaction.execute(
            "INSERT OR REPLACE INTO blocks (first, cells, numbers, check_sum, processor)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                first,
                end - first,
                bytes(&block.values),
                block_check_sum(block),
                block.processor
            ],
        )?;
        transaction
            .execute("DELETE FROM failures WHERE cell >= ?1 AND cell < ?2", params![first, end])?;
        let mut insert =
            transaction.prepare("INSERT INTO failures (cell, reason) VALUES (?1, ?2)")?;
        for (cell, reason) in &block.failures {
            insert.execute(params![*cell as i64, reason])?;
        }
    }
    transaction.commit()
}

/// A block with the check sum that was written with it.
pub(crate) fn get(
    connection: &Connection,
    format: i64,
    description: &Description,
    block: u64,
) -> Result<Option<(Block, i64)>, Error> {
    let cells = description.blocks.cells_of(block);
    let (first, end) = (cells.start as i64, cells.end as i64);
    let query = match format < FORMAT_WITH_PROCESSORS {
        true => "SELECT numbers, check_sum, '' FROM blocks WHERE first = ?1 AND cells = ?2",
        false => "SELECT numbers, check_sum, processor FROM blocks WHERE first = ?1 AND cells = ?2",
    };
    let row = connection.query_row(query, params![first, end - first], |row| {
        Ok((numbers(&row.get::<_, Vec<u8>>(0)?), row.get(1)?, row.get(2)?))
    });
    let Some((values, sum, processor)) = row.optional()? else { return Ok(None) };
    let query = "SELECT cell, reason FROM failures WHERE cell >= ?1 AND cell < ?2 ORDER BY cell";
    let mut statement = connection.prepare(query)?;
    let failures = statement
        .query_map(params![first, end], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(Some((Block { cells, values, failures, processor }, sum)))
}

/// Over everything that a block holds.
pub(crate) fn block_check_sum(block: &Block) -> i64 {
    let place = [block.cells.start, block.cells.end].map(|cell| cell.to_le_bytes().to_vec());
    let failures = block
        .failures
        .iter()
        .flat_map(|(cell, reason)| [cell.to_le_bytes().to_vec(), format!("{reason}\0").into()]);
    // nothing is added where the processor is not known, as in older files
    let processor = [block.processor.clone().into_bytes()];
    let numbers = [bytes(&block.values)];
    i64::from(check_sum(place.into_iter().chain(numbers).chain(failures).chain(processor)))
}

fn bytes(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A blob of another length than a multiple of eight loses its tail, which its check sum then shows.
fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}
