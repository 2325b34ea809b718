//! A dense matrix, row by row.

/// A dense matrix, stored row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// A matrix with this entry in every row and column.
    pub fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Matrix { rows, columns, entries: places.map(|(row, column)| entry(row, column)).collect() }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// The entries of a row, counted from 0.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..(row + 1) * self.columns]
    }

    /// A row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.columns..(row + 1) * self.columns]
    }

    /// Rows and columns exchanged.
    pub fn transposed(&self) -> Matrix {
        Matrix::from_fn(self.columns, self.rows, |row, column| self[(column, row)])
    }

    /// The product with another matrix, which has a row for each column of this one.
    pub fn times(&self, other: &Matrix) -> Matrix {
        Matrix::from_fn(self.rows, other.columns, |row, column| {
            self.row(row).iter().enumerate().map(|(k, entry)| entry * other[(k, column)]).sum()
        })
    }

    /// Whether every entry is finite. A norm does not show it: the largest of NaN and 1 is 1.
    pub fn is_finite(&self) -> bool {
        self.entries.iter().all(|entry| entry.is_finite())
    }
}

impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.entries[row * self.columns + column]
    }
}

impl std::ops::IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.entries[row * self.columns + column]
    }
}
