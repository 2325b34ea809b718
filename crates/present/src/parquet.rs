//! Apache Parquet: a required DOUBLE for each column of numbers, a required UTF-8 string for each column of words,
//! neither compressed nor encoded.
//!
//! Source: Apache Software Foundation, "Parquet format" 2.

use crate::{Document, Format, Output};
use catena_simulation::{Column, ColumnValues, Table};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io;
use std::sync::Arc;

pub(crate) static FORMAT: Format = Format {
    ending: "parquet",
    summary: "Apache Parquet, for data frames and data bases",
    holds_all_sheets: false,
    write,
};

/// Rows that a reader has to take at once.
const MAX_GROUP_ROWS: usize = 1 << 20;

fn write(document: &Document<'_>, output: &mut dyn Output) -> io::Result<()> {
    let Some(sheet) = document.sheets.first() else { return Ok(()) };
    let head = sheet.rows.head();
    let fields = head.columns.iter().map(field).collect::<Result<_>>().map_err(refused)?;
    let schema = Type::group_type_builder(sheet.name).with_fields(fields).build();
    let schema = Arc::new(schema.map_err(refused)?);
    let properties = Arc::new(WriterProperties::builder().set_dictionary_enabled(false).build());
    let mut file = SerializedFileWriter::new(output, schema, properties).map_err(refused)?;
    // small batches are gathered: a group has its own directory
    let mut group = head;
    sheet.rows.batches(&mut |batch| {
        let mut from = 0;
        while from < batch.len() {
            let to = batch.len().min(from + MAX_GROUP_ROWS - group.len());
            append(&mut group, batch, from, to);
            from = to;
            if group.len() == MAX_GROUP_ROWS {
                write_group(&mut file, &group).map_err(refused)?;
                group.skip_rows(MAX_GROUP_ROWS);
            }
        }
        Ok(())
    })?;
    if !group.is_empty() {
        write_group(&mut file, &group).map_err(refused)?;
    }
    file.close().map_err(refused)?;
    Ok(())
}

fn refused(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

fn field(column: &Column) -> Result<Arc<Type>> {
    let builder = match column.values {
        ColumnValues::Numbers(_) => Type::primitive_type_builder(&column.name, Physical::DOUBLE),
        ColumnValues::Words(_) => Type::primitive_type_builder(&column.name, Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String)),
    };
    Ok(Arc::new(builder.with_repetition(Repetition::REQUIRED).build()?))
}

/// Adds the rows `from..to` of a batch.
fn append(group: &mut Table, batch: &Table, from: usize, to: usize) {
    for (column, more) in group.columns.iter_mut().zip(&batch.columns) {
        match &mut column.values {
            ColumnValues::Numbers(numbers) => numbers.extend_from_slice(&more.numbers()[from..to]),
            ColumnValues::Words(words) => words.extend_from_slice(&more.words()[from..to]),
        }
    }
}

fn write_group(file: &mut SerializedFileWriter<&mut dyn Output>, table: &Table) -> Result<()> {
    let mut group = file.next_row_group()?;
    let mut columns = table.columns.iter();
    while let (Some(mut writer), Some(column)) = (group.next_column()?, columns.next()) {
        match &column.values {
            ColumnValues::Numbers(numbers) => {
                writer.typed::<DoubleType>().write_batch(numbers, None, None)?;
            }
            ColumnValues::Words(words) => {
                let words: Vec<ByteArray> =
                    words.iter().map(|word| ByteArray::from(word.as_str())).collect();
                writer.typed::<ByteArrayType>().write_batch(&words, None, None)?;
            }
        }
        writer.close()?;
    }
    group.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    /// Writes a table into a file of its own and opens it.
    fn written(name: &str, table: &Table) -> SerializedFileReader<std::fs::File> {
        let name = format!("catena-{}-{name}.parquet", std::process::id());
        let path = std::env::temp_dir().join(name);
        crate::write_table(table, &path).expect("the temporary folder can be written");
        let file = std::fs::File::open(&path).expect("it was just written");
        // an open file stays readable
        let _ = std::fs::remove_file(&path);
        SerializedFileReader::new(file).expect("it is Parquet")
    }

    #[test]
    fn every_value_comes_back_bit_for_bit() {
        let special =
            [0.0, -0.0, 1.0 / 3.0, f64::MIN_POSITIVE / 4.0, f64::MAX, f64::INFINITY, f64::NAN];
        let long: Vec<f64> = (0..MAX_GROUP_ROWS + 10).map(|i| (i as f64).sin()).collect();
        let mut first = long.clone();
        first[..special.len()].copy_from_slice(&special);
        let words: Vec<String> = (0..long.len()).map(|i| format!("ω{}", i % 7)).collect();
        let table = Table::default()
            .with_numbers("t", "s", first)
            .with_numbers("theta'", "rad/s", long)
            .with_words("event", words);
        let reader = written("values", &table);
        assert_eq!(reader.num_row_groups(), 2);
        let mut rows = 0;
        for (at, row) in reader.get_row_iter(None).expect("it has rows").enumerate() {
            for (column, (name, field)) in row.expect("a row").get_column_iter().enumerate() {
                let expected = &table.columns[column];
                assert_eq!(*name, expected.name);
                match field {
                    Field::Double(value) => {
                        assert_eq!(value.to_bits(), expected.numbers()[at].to_bits());
                    }
                    Field::Str(word) => assert_eq!(*word, expected.words()[at]),
                    other => panic!("{other} is neither number nor word"),
                }
            }
            rows += 1;
        }
        assert_eq!(rows, table.len());
    }

    #[test]
    fn a_table_without_rows_is_a_file_too() {
        let reader = written("empty", &Table::new(["t"], 0));
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }
}
