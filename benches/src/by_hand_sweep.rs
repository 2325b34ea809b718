//! The accelerations of a chain of N equal rods as one would write them by hand: one sweep up, one down.
//!
//! # Equations
//! With absolute angles θ from the downward vertical, ω = θ̇, lengths in units of the rod's and masses in units of its
//! mass, a rod lies along e = (sin θ, −cos θ), across is n = (cos θ, sin θ). The force on it at its upper end is
//! $F = S\,a + s$, where a is the acceleration of that end, less gravity. With S and s of the rod below,
//! $$u = \tfrac12 n + S n,\quad D = \tfrac13 + n\cdot S n,\quad c = \omega^2\,n\cdot S e - n\cdot s,\quad
//!   \dot\omega = \frac{c - u\cdot a}{D}$$
//! and the rod's own are $1 + S - uu^\top/D$ and $s - \omega^2(\tfrac12 e + S e) + u\,c/D$. On the way down a grows by
//! $\dot\omega\,n - \omega^2 e$ from rod to rod.

/// N rods, alike: only g over their length matters.
#[derive(Clone, Debug)]
pub struct Rods {
    /// Acceleration of gravity over the length of a rod, 1/s².
    gravity: f64,
    /// Sine, cosine, ω², u, c and 1/D of each rod, from the last to the first.
    passed: Vec<[f64; 7]>,
}

impl Rods {
    /// The ready system `chain`.
    pub fn new(links: usize) -> Rods {
        Rods { gravity: 9.81, passed: Vec::with_capacity(links) }
    }

    /// Rates of (θ, ω).
    pub fn derivative(&mut self, y: &[f64], rate: &mut [f64]) {
        let n = y.len() / 2;
        let (theta, omega) = y.split_at(n);
        let (velocities, accelerations) = rate.split_at_mut(n);
        velocities.copy_from_slice(omega);
        self.passed.clear();
        let (mut xx, mut xy, mut yy, mut x, mut y) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (theta, omega) in theta.iter().zip(omega).rev() {
            let (s, c) = theta.sin_cos();
            let square = omega * omega;
            // S e and S n
            let (along_x, along_y) = (xx * s - xy * c, xy * s - yy * c);
            let (across_x, across_y) = (xx * c + xy * s, xy * c + yy * s);
            let (ux, uy) = (0.5 * c + across_x, 0.5 * s + across_y);
            let inverse = 1.0 / (1.0 / 3.0 + c * across_x + s * across_y);
            let load = square * (c * along_x + s * along_y) - (c * x + s * y);
            let (kx, ky) = (ux * inverse, uy * inverse);
            (xx, xy, yy) = (1.0 + xx - ux * kx, xy - ux * ky, 1.0 + yy - uy * ky);
            x += kx * load - square * (0.5 * s + along_x);
            y += ky * load - square * (along_y - 0.5 * c);
            self.passed.push([s, c, square, ux, uy, load, inverse]);
        }
        let (mut x, mut y) = (0.0, self.gravity);
        for (acceleration, passed) in accelerations.iter_mut().zip(self.passed.iter().rev()) {
            let [s, c, square, ux, uy, load, inverse] = *passed;
            let turn = (load - ux * x - uy * y) * inverse;
            *acceleration = turn;
            x += turn * c - square * s;
            y += turn * s + square * c;
        }
    }
}
