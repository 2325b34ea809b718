//! The closed form of the rod's swing.
//!
//! # Equations
//! θ̈ = −ω₀² sin θ with ω₀² = 3g/(2l) for a uniform rod about its end. Released at rest at θ₀, with k = sin(θ₀/2):
//! θ = 2 arcsin(k sn(K − ω₀ t)), θ̇ = −2 k ω₀ cn(K − ω₀ t).

use super::conditions::parameter;
use super::elliptic::{jacobi, quarter_period};
use catena::Model;

/// A uniform rod released at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swing {
    /// kg
    mass: f64,
    /// m
    length: f64,
    /// m/s²
    gravity: f64,
    /// sin(θ₀/2)
    modulus: f64,
    quarter_period: f64,
}

impl Swing {
    /// The rod of a model, released at an angle from the downward vertical, rad.
    pub(super) fn new(model: &Model, release: f64) -> Swing {
        let [mass, length, gravity] = ["m", "l", "g"].map(|name| parameter(model, name));
        let modulus = (0.5 * release).sin();
        Swing { mass, length, gravity, modulus, quarter_period: quarter_period(modulus) }
    }

    /// ω₀, rad/s
    fn frequency(&self) -> f64 {
        (1.5 * self.gravity / self.length).sqrt()
    }

    /// Time of a full swing, s.
    pub(super) fn period(&self) -> f64 {
        4.0 * self.quarter_period / self.frequency()
    }

    /// θ, rad, and θ̇, rad/s, at a time, s.
    pub(super) fn angle_and_rate(&self, time: f64) -> [f64; 2] {
        let at = jacobi(self.quarter_period - self.frequency() * time, self.modulus);
        let rate = -2.0 * self.modulus * self.frequency() * at.cn;
        [2.0 * (self.modulus * at.sn).asin(), rate]
    }

    /// Where the centre is, m.
    pub(super) fn centre(&self, time: f64) -> [f64; 2] {
        let [angle, _] = self.angle_and_rate(time);
        [0.5 * self.length * angle.sin(), -0.5 * self.length * angle.cos()]
    }

    /// λ of the two constraints, N: m r̈ + λ = (0, −m g).
    pub(super) fn multipliers(&self, time: f64) -> [f64; 2] {
        let [angle, rate] = self.angle_and_rate(time);
        let (sine, cosine) = angle.sin_cos();
        let acceleration = -self.frequency().powi(2) * sine;
        let force = 0.5 * self.mass * self.length;
        [
            -force * (cosine * acceleration - sine * rate * rate),
            -self.mass * self.gravity - force * (sine * acceleration + cosine * rate * rate),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rod() -> Swing {
        let model = catena::load("single-pendulum", &[]).unwrap();
        Swing::new(&model, std::f64::consts::FRAC_PI_4)
    }

    #[test]
    fn a_full_swing_brings_the_rod_back() {
        let rod = rod();
        // from a computation with 28 digits
        assert!((rod.period() - 5.386_689_500_375).abs() < 1e-12);
        assert!((rod.angle_and_rate(3.0)[0] + 0.736_876_270_611).abs() < 1e-12);
        let [angle, rate] = rod.angle_and_rate(rod.period());
        assert!((angle - std::f64::consts::FRAC_PI_4).abs() < 1e-13 && rate.abs() < 1e-13);
    }

    #[test]
    fn the_swing_satisfies_its_equation() {
        let (rod, step) = (rod(), 1e-4);
        for time in [0.3, 1.1, 2.9] {
            let [before, now, after] =
                [-step, 0.0, step].map(|shift| rod.angle_and_rate(time + shift));
            assert!(((after[0] - before[0]) / (2.0 * step) - now[1]).abs() < 1e-8);
            let acceleration = (after[1] - before[1]) / (2.0 * step);
            assert!((acceleration + 1.5 * 9.81 / 10.0 * now[0].sin()).abs() < 1e-8);
        }
    }
}
