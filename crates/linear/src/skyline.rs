//! L D Lᵀ of a symmetric positive definite matrix whose rows begin late: of every row the entries from
//! its first one to the diagonal are kept. Elimination fills nothing outside, so that a band costs as
//! much as it is wide, times the number of rows.
//!
//! # Reference
//! A. Jennings, "A compact storage scheme for the solution of symmetric linear simultaneous equations",
//! 1966

use crate::ldlt::NotPositive;

/// A pivot smaller than this part of its diagonal entry counts as zero.
const PIVOT_TOLERANCE: f64 = 1e-13;

/// The lower triangle of a symmetric matrix, row by row; only [`Skyline::new`] allocates.
#[derive(Clone, Debug)]
pub struct Skyline {
    /// The column in which each row begins.
    first: Vec<usize>,
    /// Where each row begins in `entries`, and the end.
    starts: Vec<usize>,
    entries: Vec<f64>,
}

impl Skyline {
    /// A matrix whose row i begins in column `first[i]`, at most i.
    pub fn new(first: Vec<usize>) -> Skyline {
        let mut starts = vec![0];
        for (row, &column) in first.iter().enumerate() {
            assert!(column <= row, "a row of the lower triangle begins before its diagonal");
            starts.push(starts[row] + row - column + 1);
        }
        Skyline { entries: vec![0.0; starts[first.len()]], first, starts }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.first.len()
    }

    /// The column in which a row begins.
    pub fn first(&self, row: usize) -> usize {
        self.first[row]
    }

    /// The entries of a row from its first column to the diagonal.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// The same, to be written.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// Factors the matrix in place.
    pub fn factor(&mut self) -> Result<(), NotPositive> {
        for i in 0..self.rows() {
            let (before, rest) = self.entries.split_at_mut(self.starts[i]);
            let row = &mut rest[..=i - self.first[i]];
            let (row, diagonal) = row.split_at_mut(i - self.first[i]);
            // L_ij D_j first: the sums need one factor with D and one without
            for j in self.first[i]..i {
                let begin = self.first[i].max(self.first[j]);
                let other = &before[self.starts[j] + begin - self.first[j]..][..j - begin];
                let own = &row[begin - self.first[i]..j - self.first[i]];
                let sum =
                    own.iter().zip(other).fold(row[j - self.first[i]], |sum, (a, b)| sum - a * b);
                row[j - self.first[i]] = sum;
            }
            let original = diagonal[0];
            let mut pivot = original;
            for (j, entry) in (self.first[i]..i).zip(row.iter_mut()) {
                let scaled = *entry / before[self.starts[j + 1] - 1];
                pivot -= scaled * *entry;
                *entry = scaled;
            }
            // written so that NaN fails
            let sound = pivot > PIVOT_TOLERANCE * original.abs();
            if !sound {
                return Err(NotPositive { row: i });
            }
            diagonal[0] = pivot;
        }
        Ok(())
    }

    /// Solves with the factored matrix in place.
    pub fn solve(&self, right: &mut [f64]) {
        for i in 0..self.rows() {
            let known = self.row(i).iter().zip(&right[self.first[i]..i]);
            right[i] = known.fold(right[i], |sum, (l, x)| sum - l * x);
        }
        for (i, x) in right.iter_mut().enumerate() {
            *x /= self.entries[self.starts[i + 1] - 1];
        }
        for i in (0..self.rows()).rev() {
            let (before, behind) = right.split_at_mut(i);
            let value = behind[0];
            for (x, l) in before[self.first[i]..].iter_mut().zip(self.row(i)) {
                *x -= l * value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ldlt;

    #[test]
    fn it_agrees_with_the_packed_factors() {
        let first = vec![0, 0, 1, 3, 0, 2, 5, 5];
        let n = first.len();
        let mut matrix = Skyline::new(first.clone());
        let mut packed = vec![0.0; n * (n + 1) / 2];
        for i in 0..n {
            for j in first[i]..=i {
                let entry = if i == j { 4.0 } else { ((3 * i + 5 * j) as f64).sin() };
                matrix.row_mut(i)[j - first[i]] = entry;
                packed[i * (i + 1) / 2 + j] = entry;
            }
        }
        let mut x: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).cos()).collect();
        let mut expected = x.clone();
        matrix.factor().unwrap();
        matrix.solve(&mut x);
        ldlt::factor(&mut packed, n, &mut vec![0.0; n]).unwrap();
        ldlt::solve(&packed, n, &mut expected);
        for (found, expected) in x.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn a_singular_matrix_names_its_row() {
        let mut matrix = Skyline::new(vec![0, 0]);
        matrix.row_mut(0).copy_from_slice(&[1.1]);
        matrix.row_mut(1).copy_from_slice(&[2.2, 4.4]);
        assert_eq!(matrix.factor(), Err(NotPositive { row: 1 }));
        assert!(Skyline::new(Vec::new()).factor().is_ok());
    }
}
