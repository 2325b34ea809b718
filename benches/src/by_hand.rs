//! The right-hand side of a pendulum of N links as one would write it by hand.
//!
//! # Equations
//! With absolute angles θ from the downward vertical and ω = θ̇, constant coefficients A and B,
//! $$\sum_j A_{ij}\cos(\theta_i-\theta_j)\,\dot\omega_j
//!   = -\sum_j A_{ij}\sin(\theta_i-\theta_j)\,\omega_j^2 - B_i\,(g\sin\theta_i + \ddot\eta\cos\theta_i) + F_i$$
//! where η is the way of the pivot along x and F the friction in the joints. For a link of mass m and length l,
//! $B_i = l_i\,(c_1 m_i + \sum_{k>i} m_k)$, $A_{ii} = l_i^2\,(c_2 m_i + \sum_{k>i} m_k)$ and
//! $A_{ij} = l_i B_j$ for i < j; a bob at the far end has c₁ = c₂ = 1, a uniform rod c₁ = 1/2 and c₂ = 1/3.
//!
//! Each sine and cosine is taken once; differences of angles follow from the addition theorem.

/// A pendulum of N links that are alike, of 1 kg and 1 m.
pub struct Pendulum<const N: usize> {
    a: [[f64; N]; N],
    b: [f64; N],
    /// m/s²
    gravity: f64,
    /// In every joint, on the rate between its links, N·m·s.
    friction: f64,
    /// The pivot is at η = amplitude · cos(frequency · t), in m and rad/s.
    pivot: [f64; 2],
}

impl Pendulum<3> {
    /// The ready system `triple-pendulum`.
    pub fn triple() -> Self {
        Pendulum { friction: 0.1, pivot: [0.05, std::f64::consts::PI], ..Self::of_links(1.0, 1.0) }
    }
}

impl<const N: usize> Pendulum<N> {
    /// The ready system `chain`.
    pub fn rods() -> Self {
        Self::of_links(1.0 / 2.0, 1.0 / 3.0)
    }

    fn of_links(c1: f64, c2: f64) -> Self {
        let below = |i: usize| (N - 1 - i) as f64;
        let b = std::array::from_fn(|i| c1 + below(i));
        let a = std::array::from_fn(|i| {
            std::array::from_fn(|j| if i == j { c2 + below(i) } else { b[i.max(j)] })
        });
        Pendulum { a, b, gravity: 9.81, friction: 0.0, pivot: [0.0, 0.0] }
    }

    /// Rates of (θ, ω).
    pub fn derivative(&self, t: f64, y: &[f64], rate: &mut [f64]) {
        let (theta, omega) = y.split_at(N);
        let (velocities, accelerations) = rate.split_at_mut(N);
        velocities.copy_from_slice(omega);
        let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            (sin[i], cos[i]) = theta[i].sin_cos();
        }
        // Σ A ω² cos and Σ A ω² sin: the centripetal terms before the addition theorem
        let (mut pull_cos, mut pull_sin) = ([0.0; N], [0.0; N]);
        let mut mass = [[0.0; N]; N];
        for j in 0..N {
            let (c, s) = (cos[j] * omega[j] * omega[j], sin[j] * omega[j] * omega[j]);
            for i in 0..N {
                pull_cos[i] += self.a[j][i] * c;
                pull_sin[i] += self.a[j][i] * s;
            }
            for i in j..N {
                mass[j][i] = self.a[j][i] * (cos[j] * cos[i] + sin[j] * sin[i]);
            }
        }
        let [amplitude, frequency] = self.pivot;
        let shake = match amplitude {
            0.0 => 0.0,
            _ => -amplitude * frequency * frequency * (frequency * t).cos(),
        };
        for i in 0..N {
            accelerations[i] = cos[i] * pull_sin[i]
                - sin[i] * pull_cos[i]
                - self.b[i] * (self.gravity * sin[i] + shake * cos[i]);
        }
        let mut above = 0.0;
        for i in 0..N {
            let moment = self.friction * (omega[i] - above);
            accelerations[i] -= moment;
            if i > 0 {
                accelerations[i - 1] += moment;
            }
            above = omega[i];
        }
        solve(&mut mass, accelerations);
    }
}

/// L D Lᵀ of a positive matrix, of which the upper triangle is read, and the solution in place of the right side.
fn solve<const N: usize>(m: &mut [[f64; N]; N], x: &mut [f64]) {
    let mut inverse = [0.0; N];
    for k in 0..N {
        let pivot_row = m[k];
        inverse[k] = 1.0 / pivot_row[k];
        for i in k + 1..N {
            let factor = pivot_row[i] * inverse[k];
            for j in i..N {
                m[i][j] -= factor * pivot_row[j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..N).rev() {
        x[k] *= inverse[k];
        for i in 0..k {
            x[i] -= m[i][k] * x[k];
        }
    }
}
