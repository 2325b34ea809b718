//! The matrix form of the study for any number of links, with its misprints corrected.
//!
//! # Equations
//! With $\mu_{ij} = (\sum_{k\ge\max(i,j)} m_k) L_i L_j$ and $A_k = (\sum_{j\ge k} m_j) L_k$
//! $$M\ddot\theta + N\dot\theta^2 + R\dot\theta + P + f = 0,\quad M_{ij} = \mu_{ij}\cos(\theta_i-\theta_j),\quad
//!   N_{ij} = \mu_{ij}\sin(\theta_i-\theta_j),$$
//! $R$ tridiagonal, $P_k = A_k g\sin\theta_k$, $f_k = A_k\cos\theta_k\,\ddot\eta$.

/// A chain of bobs.
pub(super) struct MatrixForm {
    /// kg, from top to bottom, as the others.
    pub(super) masses: Vec<f64>,
    /// m
    pub(super) lengths: Vec<f64>,
    /// N m s
    pub(super) friction: Vec<f64>,
    /// m/s²
    pub(super) gravity: f64,
}

impl MatrixForm {
    fn below(&self, link: usize) -> f64 {
        self.masses[link..].iter().sum()
    }

    /// μ
    fn coupling(&self, i: usize, j: usize) -> f64 {
        self.below(i.max(j)) * self.lengths[i] * self.lengths[j]
    }

    /// M(θ), row by row.
    pub(super) fn mass_matrix(&self, angles: &[f64]) -> Vec<f64> {
        let n = angles.len();
        let entry = |at: usize| {
            let (i, j) = (at / n, at % n);
            self.coupling(i, j) * (angles[i] - angles[j]).cos()
        };
        (0..n * n).map(entry).collect()
    }

    /// The terms of each equation without the accelerations: N θ̇², R θ̇, P and f.
    pub(super) fn other_terms(
        &self,
        angles: &[f64],
        rates: &[f64],
        pivot_acceleration: f64,
    ) -> Vec<[f64; 4]> {
        let n = angles.len();
        let joint = |link: usize| self.friction.get(link).copied().unwrap_or(0.0);
        let terms = |k: usize| {
            let squares = |j: usize| {
                self.coupling(k, j) * (angles[k] - angles[j]).sin() * rates[j] * rates[j]
            };
            let before = if k > 0 { rates[k - 1] } else { 0.0 };
            let behind = rates.get(k + 1).copied().unwrap_or(0.0);
            let friction =
                (joint(k) + joint(k + 1)) * rates[k] - joint(k) * before - joint(k + 1) * behind;
            let lever = self.below(k) * self.lengths[k];
            [
                (0..n).map(squares).sum(),
                friction,
                lever * self.gravity * angles[k].sin(),
                lever * angles[k].cos() * pivot_acceleration,
            ]
        };
        (0..n).map(terms).collect()
    }
}
