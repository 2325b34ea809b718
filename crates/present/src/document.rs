//! What a format writes.

use catena_analysis::columns_json;
use catena_simulation::{ColumnValues, Table};
use serde_json::Value;
use std::borrow::Cow;
use std::io;

/// Results on their way into a file.
pub struct Document<'a> {
    /// The first one is the main table.
    pub sheets: Vec<Sheet<'a>>,
    /// Makes the object that a JSON file holds, which may hold more than the sheets.
    pub object: Box<dyn Fn() -> io::Result<Value> + 'a>,
}

/// A table of a document.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    /// Tells the sheets of a document apart, as `events`.
    pub name: &'a str,
    /// The table itself.
    pub rows: &'a dyn Rows,
    /// The shape of its columns where they are the cells of a grid, last axis fastest. Columns of another length, and
    /// formats without shapes, are lists.
    pub shape: Option<&'a [usize]>,
}

/// The rows of a table, which need not be in memory together.
pub trait Rows {
    /// The columns without any row.
    fn head(&self) -> Table;

    /// Shows all rows, in order, some at a time.
    fn batches(&self, see: &mut dyn FnMut(&Table) -> io::Result<()>) -> io::Result<()>;

    /// All rows at once.
    fn whole(&self) -> io::Result<Cow<'_, Table>> {
        let mut whole = self.head();
        self.batches(&mut |batch| {
            for (column, more) in whole.columns.iter_mut().zip(&batch.columns) {
                match &mut column.values {
                    ColumnValues::Numbers(numbers) => numbers.extend_from_slice(more.numbers()),
                    ColumnValues::Words(words) => words.extend_from_slice(more.words()),
                }
            }
            Ok(())
        })?;
        Ok(Cow::Owned(whole))
    }
}

impl Rows for Table {
    fn head(&self) -> Table {
        let mut head = self.clone();
        head.skip_rows(self.len());
        head
    }

    fn batches(&self, see: &mut dyn FnMut(&Table) -> io::Result<()>) -> io::Result<()> {
        see(self)
    }

    fn whole(&self) -> io::Result<Cow<'_, Table>> {
        Ok(Cow::Borrowed(self))
    }
}

impl<'a> Document<'a> {
    /// One table and nothing else: its JSON object has a list for each column.
    pub fn of_table(name: &'a str, table: &'a Table) -> Document<'a> {
        Document::of_sheet(Sheet { name, rows: table, shape: None })
    }

    /// One sheet and nothing else.
    pub fn of_sheet(sheet: Sheet<'a>) -> Document<'a> {
        Document {
            sheets: vec![sheet],
            object: Box::new(move || Ok(columns_json(&*sheet.rows.whole()?))),
        }
    }
}
