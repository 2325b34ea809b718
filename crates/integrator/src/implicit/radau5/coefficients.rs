//! The numbers of the method.
//!
//! # Equations
//! $T^{-1}A^{-1}T=\mathrm{diag}\left(\gamma,\begin{bmatrix}\alpha&-\beta\\\beta&\alpha\end{bmatrix}\right)$ for the matrix
//! $A$ of Radau IIA with nodes $c=\left(\tfrac{4-\sqrt6}{10},\tfrac{4+\sqrt6}{10},1\right)$.

const SQRT_6: f64 = 2.449489742783178;

/// The nodes.
pub(super) const C: [f64; 3] = [(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0];

/// The real eigenvalue of A⁻¹.
pub(super) const GAMMA: f64 = 3.637834252744496;
/// The real part of the complex pair.
pub(super) const ALPHA: f64 = 2.681082873627752;
/// Its imaginary part.
pub(super) const BETA: f64 = 3.0504301992474105;

/// From transformed to true increments.
pub(super) const T: [[f64; 3]; 3] = [
    [0.09123239487089294, -0.1412552950209542, -0.030029194105147424],
    [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
    [0.966048182615093, 1.0, 0.0],
];

/// From true to transformed ones.
pub(super) const T_INVERSE: [[f64; 3]; 3] = [
    [4.325579890063155, 0.3391992518158099, 0.5417705399358749],
    [-4.178718591551905, -0.32768282076106237, 0.47662355450055044],
    [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
];

/// Weights of the increments in the error estimate.
pub(super) const ERROR: [f64; 3] =
    [-(13.0 + 7.0 * SQRT_6) / 3.0, (-13.0 + 7.0 * SQRT_6) / 3.0, -1.0 / 3.0];

/// The matrix times three values, one for each stage.
pub(super) fn transform(matrix: &[[f64; 3]; 3], values: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * values[0] + row[1] * values[1] + row[2] * values[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transformations_are_inverse_to_each_other() {
        for k in 0..3 {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            let back = transform(&T, transform(&T_INVERSE, unit));
            for i in 0..3 {
                assert!((back[i] - unit[i]).abs() < 2e-15, "{k} {i}: {}", back[i]);
            }
        }
    }

    /// Collocation means A c^(k−1) = c^k / k for k = 1, 2, 3, hence A⁻¹ c^k / k = c^(k−1).
    #[test]
    fn the_eigenvalues_belong_to_the_collocation_matrix() {
        let diagonal = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
        for k in 1..=3 {
            let integrated = C.map(|c| c.powi(k) / f64::from(k));
            let found = transform(&T, transform(&diagonal, transform(&T_INVERSE, integrated)));
            for i in 0..3 {
                assert!((found[i] - C[i].powi(k - 1)).abs() < 1e-14, "{k} {i}: {}", found[i]);
            }
        }
    }
}
