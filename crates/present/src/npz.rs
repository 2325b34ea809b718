//! NumPy's NPZ: a ZIP archive, stored, of one array for each column. The arrays of the first sheet carry the names of
//! its columns, those of another sheet its own name too, as `events.t`.
//!
//! Source: NumPy, "NPY format" 1.0.

use crate::zip::Archive;
use crate::{Document, Format, Output};
use catena_simulation::ColumnValues;
use std::collections::HashSet;
use std::io::{self, Write};

pub(crate) static FORMAT: Format = Format {
    ending: "npz",
    summary: "NumPy's archive: `numpy.load` gives an array for each column",
    holds_all_sheets: true,
    write,
};

fn write(document: &Document<'_>, output: &mut dyn Output) -> io::Result<()> {
    let mut archive = Archive::new(output)?;
    let mut names = HashSet::new();
    for (position, sheet) in document.sheets.iter().enumerate() {
        let table = sheet.rows.whole()?;
        for column in &table.columns {
            let name = match position {
                0 => format!("{}.npy", column.name),
                _ => format!("{}.{}.npy", sheet.name, column.name),
            };
            // a column that was asked for twice is one array
            if names.insert(name.clone()) {
                entry(&mut archive, name, &column.values, sheet.shape)?;
            }
        }
    }
    archive.finish()
}

fn entry(
    archive: &mut Archive<'_>,
    name: String,
    values: &ColumnValues,
    shape: Option<&[usize]>,
) -> io::Result<()> {
    // the longest word sets the width of all
    let width = match values {
        ColumnValues::Numbers(_) => 0,
        ColumnValues::Words(words) => {
            words.iter().map(|word| word.chars().count()).max().unwrap_or(0)
        }
    };
    let (kind, count) = match values {
        ColumnValues::Numbers(numbers) => ("<f8".to_owned(), numbers.len()),
        // NumPy has no text of no characters
        ColumnValues::Words(words) => (format!("<U{}", width.max(1)), words.len()),
    };
    // cells that are missing leave no grid
    let shape = shape.filter(|shape| shape.iter().product::<usize>() == count);
    let header = header(&kind, shape.unwrap_or(&[count]));
    archive.add(name, |output| {
        output.write_all(&header)?;
        match values {
            ColumnValues::Numbers(numbers) => in_pieces(output, numbers, |number, piece| {
                piece.extend(number.to_le_bytes());
            }),
            ColumnValues::Words(words) => in_pieces(output, words, |word, piece| {
                let end = piece.len() + 4 * width.max(1);
                piece.extend(word.chars().flat_map(|character| u32::from(character).to_le_bytes()));
                piece.resize(end, 0);
            }),
        }
    })
}

/// Values as bytes, some thousand at a time.
fn in_pieces<T>(
    output: &mut dyn Write,
    values: &[T],
    bytes: impl Fn(&T, &mut Vec<u8>),
) -> io::Result<()> {
    let mut piece = Vec::new();
    for values in values.chunks(8192) {
        piece.clear();
        values.iter().for_each(|value| bytes(value, &mut piece));
        output.write_all(&piece)?;
    }
    Ok(())
}

/// What stands before the values of an array.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size},")).collect();
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // the values begin at a multiple of 64 bytes
    let padding = 63 - (10 + text.len()) % 64;
    text += &" ".repeat(padding);
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_begin_at_multiples_of_64_bytes() {
        for shape in [&[0][..], &[1], &[12_345], &[3, 4, 1_000_000]] {
            assert_eq!(header("<f8", shape).len() % 64, 0);
        }
    }
}
