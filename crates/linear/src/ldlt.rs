//! L D Lᵀ of a symmetric positive definite matrix, in place and without allocation.
//!
//! The matrix is packed: rows of its lower triangle, one after the other. Elimination goes column by
//! column over whole rows, so that every entry is changed in the same order whether one or several
//! are computed at a time: the result does not depend on the width of the vector unit.

use crate::MultiplyAdd;

/// A pivot smaller than this part of its diagonal entry counts as zero.
const PIVOT_TOLERANCE: f64 = 1e-13;

/// The matrix is not positive definite: elimination stopped at this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositive {
    /// The row whose pivot vanished.
    pub row: usize,
}

/// Where a row begins in packed storage.
#[inline(always)]
fn start(row: usize) -> usize {
    row * (row + 1) / 2
}

/// Factors a packed matrix of n rows in place; `work` has n entries.
pub fn factor(matrix: &mut [f64], n: usize, work: &mut [f64]) -> Result<(), NotPositive> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has the features
        return unsafe { factor_avx2(matrix, n, work) };
    }
    factor_portable(matrix, n, work)
}

/// Solves with a factored matrix in place.
pub fn solve(factored: &[f64], n: usize, right: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has the features
        return unsafe { solve_avx2(factored, n, right) };
    }
    solve_portable(factored, n, right);
}

/// Factors a matrix in place to find the smallest pivot, relative to the diagonal entry it was left of, whatever its
/// sign; 0 where elimination cannot go on. `work` has n entries.
pub fn smallest_pivot(matrix: &mut [f64], n: usize, work: &mut [f64]) -> f64 {
    for (row, entry) in work[..n].iter_mut().enumerate() {
        *entry = matrix[start(row) + row].abs();
    }
    let mut smallest = f64::INFINITY;
    for k in 0..n {
        let pivot = matrix[start(k) + k];
        let relative = pivot.abs() / work[k];
        // written so that NaN counts
        let sound = relative > PIVOT_TOLERANCE;
        if !sound {
            return 0.0;
        }
        smallest = smallest.min(relative);
        for row in k + 1..n {
            let factor = matrix[start(row) + k] / pivot;
            for column in k + 1..=row {
                matrix[start(row) + column] -= factor * matrix[start(column) + k];
            }
        }
    }
    smallest
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn factor_avx2(matrix: &mut [f64], n: usize, work: &mut [f64]) -> Result<(), NotPositive> {
    factor_portable(matrix, n, work)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn solve_avx2(factored: &[f64], n: usize, right: &mut [f64]) {
    solve_portable(factored, n, right);
}

#[inline(always)]
fn factor_portable(matrix: &mut [f64], n: usize, work: &mut [f64]) -> Result<(), NotPositive> {
    let column = &mut work[..n];
    for k in 0..n {
        // the column below the pivot, side by side
        for (row, entry) in column.iter_mut().enumerate().skip(k) {
            *entry = matrix[start(row) + k];
        }
        let pivot = column[k];
        // pivots that elimination wiped out were refused below; this catches negative ones, zero and NaN
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(NotPositive { row: k });
        }
        let inverse = 1.0 / pivot;
        for row in k + 1..n {
            let begin = start(row);
            let factor = column[row] * inverse;
            let before = matrix[begin + row];
            let entries = &mut matrix[begin + k + 1..=begin + row];
            for (entry, value) in entries.iter_mut().zip(&column[k + 1..=row]) {
                *entry = (-factor).multiply_add(*value, *entry);
            }
            // a diagonal entry that elimination all but wipes out is a pivot made of rounding
            if matrix[begin + row] <= PIVOT_TOLERANCE * before.abs() {
                return Err(NotPositive { row });
            }
            matrix[begin + k] = factor;
        }
    }
    Ok(())
}

#[inline(always)]
fn solve_portable(factored: &[f64], n: usize, right: &mut [f64]) {
    let x = &mut right[..n];
    for row in 1..n {
        let entries = &factored[start(row)..start(row) + row];
        let sum =
            entries.iter().zip(&x[..row]).fold(x[row], |sum, (l, x)| (-l).multiply_add(*x, sum));
        x[row] = sum;
    }
    for (row, x) in x.iter_mut().enumerate() {
        *x /= factored[start(row) + row];
    }
    for row in (1..n).rev() {
        let (before, behind) = x.split_at_mut(row);
        let value = behind[0];
        for (x, l) in before.iter_mut().zip(&factored[start(row)..start(row) + row]) {
            *x = (-l).multiply_add(value, *x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(n: usize) -> Vec<f64> {
        // Hilbert-like, positive definite
        (0..n)
            .flat_map(|i| {
                (0..=i).map(move |j| 1.0 / (1.0 + (i - j) as f64) + if i == j { 1.0 } else { 0.0 })
            })
            .collect()
    }

    #[test]
    fn the_solution_satisfies_the_equations() {
        for n in 1..24 {
            let matrix = packed(n);
            let entry = |i: usize, j: usize| matrix[start(i.max(j)) + i.min(j)];
            let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
            let mut right: Vec<f64> =
                (0..n).map(|i| (0..n).map(|j| entry(i, j) * x[j]).sum()).collect();
            let mut factored = matrix.clone();
            factor(&mut factored, n, &mut vec![0.0; n]).unwrap();
            solve(&factored, n, &mut right);
            for (value, expected) in right.iter().zip(&x) {
                assert!((value - expected).abs() < 1e-13, "n = {n}");
            }
        }
    }

    #[test]
    fn vector_code_and_plain_code_give_the_same_bits() {
        let n = 19;
        let (mut a, mut b) = (packed(n), packed(n));
        factor(&mut a, n, &mut vec![0.0; n]).unwrap();
        factor_portable(&mut b, n, &mut vec![0.0; n]).unwrap();
        assert_eq!(a, b);
        let mut x: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let mut y = x.clone();
        solve(&a, n, &mut x);
        solve_portable(&b, n, &mut y);
        assert_eq!(x, y);
    }

    #[test]
    fn a_singular_matrix_names_its_row() {
        // the second row is twice the first, up to rounding
        let mut matrix = vec![1.1, 2.2, 4.4, 0.0, 0.0, 1.0];
        assert_eq!(factor(&mut matrix, 3, &mut [0.0; 3]), Err(NotPositive { row: 1 }));
        let mut matrix = vec![0.0, 0.0, 1.0];
        assert_eq!(factor(&mut matrix, 2, &mut [0.0; 2]), Err(NotPositive { row: 0 }));
        assert!(factor(&mut [f64::NAN], 1, &mut [0.0]).is_err());
    }
}
