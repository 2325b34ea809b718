//! A table as Apache Parquet: one required DOUBLE for each column, neither compressed nor encoded.
//!
//! Source: Apache Software Foundation, "Parquet format" 2.

use catena_simulation::Table;
use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;

/// Rows that a reader has to take at once.
const ROWS_OF_A_GROUP: usize = 1 << 20;

/// The bytes of a Parquet file.
pub(crate) fn to_parquet(table: &Table) -> Result<Vec<u8>> {
    let field = |name: &str| {
        let double = Type::primitive_type_builder(name, Physical::DOUBLE);
        Ok(Arc::new(double.with_repetition(Repetition::REQUIRED).build()?))
    };
    let fields = table.names().map(field).collect::<Result<_>>()?;
    let schema = Type::group_type_builder("run").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    for begin in (0..table.len()).step_by(ROWS_OF_A_GROUP) {
        let end = table.len().min(begin + ROWS_OF_A_GROUP);
        let mut group = file.next_row_group()?;
        let mut columns = table.columns.iter();
        while let (Some(mut writer), Some(column)) = (group.next_column()?, columns.next()) {
            writer.typed::<DoubleType>().write_batch(&column.numbers()[begin..end], None, None)?;
            writer.close()?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    /// Writes a table into a file of its own and opens it.
    fn written(name: &str, table: &Table) -> SerializedFileReader<std::fs::File> {
        let path = std::env::temp_dir().join(format!("catena-{}-{name}", std::process::id()));
        let bytes = to_parquet(table).expect("it can be written");
        std::fs::write(&path, bytes).expect("the temporary folder can be written");
        let file = std::fs::File::open(&path).expect("it was just written");
        // an open file stays readable
        let _ = std::fs::remove_file(&path);
        SerializedFileReader::new(file).expect("it is Parquet")
    }

    #[test]
    fn every_value_comes_back_bit_for_bit() {
        let special =
            [0.0, -0.0, 1.0 / 3.0, f64::MIN_POSITIVE / 4.0, f64::MAX, f64::INFINITY, f64::NAN];
        let long: Vec<f64> = (0..ROWS_OF_A_GROUP + 10).map(|i| (i as f64).sin()).collect();
        let mut first = long.clone();
        first[..special.len()].copy_from_slice(&special);
        let table = Table::default().with_numbers("t", "s", first).with_numbers("theta'", "", long);
        let reader = written("values", &table);
        assert_eq!(reader.num_row_groups(), 2);
        let mut rows = 0;
        for (at, row) in reader.get_row_iter(None).expect("it has rows").enumerate() {
            for (column, (name, field)) in row.expect("a row").get_column_iter().enumerate() {
                assert_eq!(*name, table.columns[column].name);
                let Field::Double(value) = field else { panic!("{field} is no DOUBLE") };
                assert_eq!(value.to_bits(), table.columns[column].numbers()[at].to_bits());
            }
            rows += 1;
        }
        assert_eq!(rows, table.len());
    }

    #[test]
    fn a_table_without_rows_is_a_file_too() {
        let table = Table::new(["t"], 0);
        let reader = written("empty", &table);
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }
}
