//! Results by column: what runs, events, analyses, comparisons and sweeps are written as.

use std::borrow::Cow;

/// A table: named columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// In the order in which they are written.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// As the model names the quantity; unique in a table.
    pub name: String,
    /// `s`, `rad`, `J`; empty for pure numbers, for words, and where the model does not say.
    pub unit: Cow<'static, str>,
    /// One for each row.
    pub values: ColumnValues,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// NaN where there is no value.
    Numbers(Vec<f64>),
    /// Empty where there is no word.
    Words(Vec<String>),
}

impl Column {
    /// A column of numbers.
    pub fn of_numbers(
        name: impl Into<String>,
        unit: impl Into<Cow<'static, str>>,
        numbers: Vec<f64>,
    ) -> Column {
        Column { name: name.into(), unit: unit.into(), values: ColumnValues::Numbers(numbers) }
    }

    /// A column of words.
    pub fn of_words(name: impl Into<String>, words: Vec<String>) -> Column {
        Column { name: name.into(), unit: Cow::Borrowed(""), values: ColumnValues::Words(words) }
    }

    /// Its numbers; empty where it holds words.
    pub fn numbers(&self) -> &[f64] {
        match &self.values {
            ColumnValues::Numbers(numbers) => numbers,
            ColumnValues::Words(_) => &[],
        }
    }

    /// Its words; empty where it holds numbers.
    pub fn words(&self) -> &[String] {
        match &self.values {
            ColumnValues::Numbers(_) => &[],
            ColumnValues::Words(words) => words,
        }
    }

    /// Number of values, one for each row of the table.
    pub fn len(&self) -> usize {
        match &self.values {
            ColumnValues::Numbers(numbers) => numbers.len(),
            ColumnValues::Words(words) => words.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Table {
    /// Columns of numbers without unit, and room for this many rows.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>, rows: usize) -> Table {
        let column = |name| Column::of_numbers(name, "", Vec::with_capacity(rows));
        Table { columns: names.into_iter().map(column).collect() }
    }

    /// The table with one more column of numbers.
    pub fn with_numbers(
        mut self,
        name: impl Into<String>,
        unit: impl Into<Cow<'static, str>>,
        numbers: Vec<f64>,
    ) -> Table {
        self.columns.push(Column::of_numbers(name, unit, numbers));
        self
    }

    /// The table with one more column of words.
    pub fn with_words(mut self, name: impl Into<String>, words: Vec<String>) -> Table {
        self.columns.push(Column::of_words(name, words));
        self
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Names of the columns.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The column of this name.
    pub fn find(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The numbers of the column of this name, if it holds numbers.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match &self.find(name)?.values {
            ColumnValues::Numbers(numbers) => Some(numbers),
            ColumnValues::Words(_) => None,
        }
    }

    /// The words of the column of this name, if it holds words.
    pub fn words(&self, name: &str) -> Option<&[String]> {
        match &self.find(name)?.values {
            ColumnValues::Numbers(_) => None,
            ColumnValues::Words(words) => Some(words),
        }
    }

    /// The same as [`Table::numbers`]: nearly all columns hold numbers.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.numbers(name)
    }

    /// Adds the numbers of a row, one for each column that holds numbers.
    pub fn push(&mut self, row: impl IntoIterator<Item = f64>) {
        let mut row = row.into_iter();
        for column in &mut self.columns {
            if let ColumnValues::Numbers(numbers) = &mut column.values {
                let Some(value) = row.next() else { return };
                numbers.push(value);
            }
        }
    }

    /// Adds the words of a row, one for each column that holds words.
    pub fn push_words(&mut self, row: impl IntoIterator<Item = String>) {
        let columns = self.columns.iter_mut().filter_map(|column| match &mut column.values {
            ColumnValues::Numbers(_) => None,
            ColumnValues::Words(words) => Some(words),
        });
        columns.zip(row).for_each(|(words, word)| words.push(word));
    }

    /// Leaves out this many rows at the beginning.
    pub fn skip_rows(&mut self, count: usize) {
        for column in &mut self.columns {
            let count = count.min(column.len());
            match &mut column.values {
                ColumnValues::Numbers(numbers) => drop(numbers.drain(..count)),
                ColumnValues::Words(words) => drop(words.drain(..count)),
            }
        }
    }

    /// The table with these columns only, in this order; `Err` with a name that it does not have.
    pub fn select(&self, names: &[String]) -> Result<Table, String> {
        let column = |name: &String| self.find(name).cloned().ok_or_else(|| name.clone());
        Ok(Table { columns: names.iter().map(column).collect::<Result<_, _>>()? })
    }
}

/// The time and these columns, each once: rows without their time mean nothing.
pub fn with_time(names: &[String]) -> Vec<String> {
    let mut columns = vec!["t".to_owned()];
    for name in names {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_of_a_row_go_to_their_own_columns() {
        let mut table = Table::default()
            .with_words("event", Vec::new())
            .with_numbers("t", "s", Vec::new())
            .with_numbers("x", "", Vec::new());
        for (word, row) in [("up", [1.0, 2.0]), ("down", [3.0, 4.0])] {
            table.push_words([word.to_owned()]);
            table.push(row);
        }
        assert_eq!(table.len(), 2);
        assert_eq!(table.names().collect::<Vec<_>>(), ["event", "t", "x"]);
        assert_eq!(table.numbers("x"), Some(&[2.0, 4.0][..]));
        assert_eq!(table.words("event").map(<[String]>::len), Some(2));
        assert_eq!((table.numbers("event"), table.words("x")), (None, None));
    }

    #[test]
    fn selected_columns_keep_their_units_and_the_order_asked_for() {
        let table = Table::default().with_numbers("t", "s", vec![0.0]).with_words("w", vec![]);
        let chosen = table.select(&["w".to_owned(), "t".to_owned()]).expect("both are there");
        assert_eq!(chosen.columns[1], table.columns[0]);
        assert_eq!(table.select(&["z".to_owned()]), Err("z".to_owned()));
    }

    #[test]
    fn time_comes_first_whether_or_not_it_is_named() {
        let names =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(with_time(&names(&["a", "b"])), names(&["t", "a", "b"]));
        assert_eq!(with_time(&names(&["a", "t", "a"])), names(&["t", "a"]));
    }
}
