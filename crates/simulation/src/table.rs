//! Results by column.

/// A table with named columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub names: Vec<String>,
    /// The columns, all of one length.
    pub columns: Vec<Vec<f64>>,
}

impl Table {
    /// An empty table with room for so many rows.
    pub fn new(names: Vec<String>, rows: usize) -> Self {
        let columns = names.iter().map(|_| Vec::with_capacity(rows)).collect();
        Table { names, columns }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let at = self.names.iter().position(|other| other == name)?;
        Some(&self.columns[at])
    }

    pub(crate) fn push(&mut self, row: impl Iterator<Item = f64>) {
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
    }

    /// The table with these columns only, in this order; `Err` with a name that it does not have.
    pub fn select(&self, names: &[String]) -> Result<Table, String> {
        let mut selected = Table::default();
        for name in names {
            let column = self.column(name).ok_or_else(|| name.clone())?;
            selected.names.push(name.clone());
            selected.columns.push(column.to_vec());
        }
        Ok(selected)
    }

    /// Comma-separated values: a line of names, then numbers with 17 significant digits.
    pub fn to_csv(&self) -> String {
        let mut text = self.names.join(",");
        text.push('\n');
        for row in 0..self.len() {
            for (position, column) in self.columns.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                text += &format!("{:.16e}", column[row]);
            }
            text.push('\n');
        }
        text
    }
}
