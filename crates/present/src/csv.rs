//! Comma-separated values: a line of names, then a line for each row. Numbers have 17 significant digits, so that they
//! come back bit for bit; words stand in quotes.
//!
//! Source: Shafranovich, "Common Format and MIME Type for Comma-Separated Values (CSV) Files", RFC 4180, 2005.

use crate::{Document, Format, Output};
use catena_simulation::{ColumnValues, Table};
use std::borrow::Cow;
use std::io;

pub(crate) static FORMAT: Format = Format {
    ending: "csv",
    summary: "comma-separated values, 17 significant digits",
    holds_all_sheets: false,
    write,
};

fn write(document: &Document<'_>, output: &mut dyn Output) -> io::Result<()> {
    let Some(sheet) = document.sheets.first() else { return Ok(()) };
    let head = sheet.rows.head();
    line(output, head.names(), |output, name| output.write_all(name_cell(name).as_bytes()))?;
    sheet.rows.batches(&mut |batch: &Table| {
        for row in 0..batch.len() {
            line(output, &batch.columns, |output, column| match &column.values {
                ColumnValues::Numbers(numbers) => write!(output, "{:.16e}", numbers[row]),
                ColumnValues::Words(words) => output.write_all(quoted(&words[row]).as_bytes()),
            })?;
        }
        Ok(())
    })
}

/// A table as text.
pub fn csv_text(table: &Table) -> String {
    let mut output = io::Cursor::new(Vec::new());
    write(&Document::of_table("table", table), &mut output).expect("memory takes it");
    String::from_utf8(output.into_inner()).expect("names and numbers are text")
}

fn line<T>(
    output: &mut dyn Output,
    cells: impl IntoIterator<Item = T>,
    mut cell: impl FnMut(&mut dyn Output, T) -> io::Result<()>,
) -> io::Result<()> {
    for (position, value) in cells.into_iter().enumerate() {
        if position > 0 {
            output.write_all(b",")?;
        }
        cell(output, value)?;
    }
    output.write_all(b"\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// In quotes only where a reader would take it for something else.
fn name_cell(name: &str) -> Cow<'_, str> {
    match name.contains([',', '"', '\n', '\r']) {
        true => quoted(name).into(),
        false => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn numbers_keep_17_digits_and_words_keep_their_quotes_and_commas() {
        let table = Table::default()
            .with_numbers("t", "s", vec![0.1, f64::NAN])
            .with_words("a,\"b\"", vec!["plain".into(), "say \"no\", then\nstop".into()]);
        let mut output = Cursor::new(Vec::new());
        write(&Document::of_table("x", &table), &mut output).expect("memory takes it");
        let text = String::from_utf8(output.into_inner()).expect("it is text");
        let expected = "t,\"a,\"\"b\"\"\"\n1.0000000000000001e-1,\"plain\"\n\
                        NaN,\"say \"\"no\"\", then\nstop\"\n";
        assert_eq!(text, expected);
    }
}
