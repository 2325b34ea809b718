//! Which rows of a matrix depend on which others.

use super::RowSpace;

/// A row takes part in a dependence if its coefficient, for rows of length 1, is above this.
const COEFFICIENT_TOLERANCE: f64 = 1e-7;

/// A dependent row with the independent rows that combine to it, and their coefficients.
pub type DependentRow = (usize, Vec<(usize, f64)>);

impl RowSpace {
    /// The independent rows, in the order in which they were taken.
    pub fn independent(&self) -> &[usize] {
        &self.order[..self.rank]
    }

    /// Every dependent row with what it is made of.
    pub fn dependent(&self) -> Vec<DependentRow> {
        (self.rank..self.rows).map(|k| (self.order[k], self.combination(k))).collect()
    }

    fn combination(&self, k: usize) -> Vec<(usize, f64)> {
        let mut coefficients = self.row(k)[..self.rank].to_vec();
        self.back_substitute(&mut coefficients);
        let length = self.lengths[self.order[k]];
        let parts = coefficients.into_iter().zip(self.independent());
        parts
            .filter(|(coefficient, _)| coefficient.abs() > COEFFICIENT_TOLERANCE)
            .map(|(coefficient, &row)| (row, coefficient * (length / self.lengths[row])))
            .collect()
    }

    /// Marks the rows that take part in a dependence: the λ of the others is determined by Aᵀλ.
    pub fn mark_shared(&mut self, shared: &mut [bool]) {
        self.combine_dependent_rows();
        for k in 0..self.rows - self.rank {
            shared[self.order[self.rank + k]] = true;
            let length = self.lengths[self.order[self.rank + k]];
            for (c, &row) in self.combinations[k * self.rank..].iter().zip(self.independent()) {
                // rows of length 1 are compared: the rounding that an elimination leaves of a zero is no part
                shared[row] |= (c * self.lengths[row]).abs() > COEFFICIENT_TOLERANCE * length;
            }
        }
    }

    /// Fills `combinations`: r numbers for each dependent row.
    pub(super) fn combine_dependent_rows(&mut self) {
        let r = self.rank;
        let mut combinations = std::mem::take(&mut self.combinations);
        for k in 0..self.rows - r {
            let combination = &mut combinations[k * r..(k + 1) * r];
            combination.copy_from_slice(&self.row(r + k)[..r]);
            self.back_substitute(combination);
            let size = self.lengths[self.order[r + k]];
            for (j, entry) in combination.iter_mut().enumerate() {
                *entry *= size / self.lengths[self.order[j]];
            }
        }
        self.combinations = combinations;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    #[test]
    fn a_combination_of_rows_is_named_with_its_coefficients() {
        let rows = [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [2.0, -3.0, 1.0]];
        let space = RowSpace::of(&Matrix::from_fn(3, 3, |row, column| rows[row][column]));
        assert_eq!(space.rank(), 2);
        let (row, combination) = space.dependent().remove(0);
        let mut sum = [0.0; 3];
        for (other, coefficient) in combination {
            assert_ne!(other, row);
            for (entry, value) in sum.iter_mut().zip(rows[other]) {
                *entry += coefficient * value;
            }
        }
        for (entry, expected) in sum.iter().zip(rows[row]) {
            assert!((entry - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn rows_of_zeros_are_made_of_nothing() {
        let dependent = RowSpace::of(&Matrix::zeros(2, 3)).dependent();
        assert_eq!(dependent, [(0, vec![]), (1, vec![])]);
    }

    /// The last row is twice the first and twice the second; the third stands apart.
    #[test]
    fn rows_that_take_part_in_a_dependence_are_told_from_the_others() {
        let mut space = RowSpace::new(4, 4);
        space.factor(&[
            1.0, 0.0, 0.0, 0.0, // in the sum below
            0.0, 3.0, 0.0, 0.0, // likewise
            0.0, 0.0, 5.0, 1.0, // on its own
            2.0, 6.0, 0.0, 0.0,
        ]);
        let mut shared = [false; 4];
        space.mark_shared(&mut shared);
        assert_eq!((space.rank(), shared), (3, [true, true, false, true]));
        assert!(space.order()[..3].contains(&2));
        assert_eq!(space.independence(3), 0.0);
        assert!((space.independence(0) - 1.0).abs() < 1e-15 && space.independence(2) > 0.1);
        space.factor(&[
            1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ]);
        let mut shared = [false; 4];
        space.mark_shared(&mut shared);
        assert_eq!(shared, [false; 4]);
    }
}
