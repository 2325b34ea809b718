//! Jacobi's elliptic functions by the arithmetic–geometric mean.
//!
//! # Equations
//! From a₀ = 1, b₀ = k′ = √(1 − k²), c₀ = k: aₙ₊₁ = (aₙ + bₙ)/2, bₙ₊₁ = √(aₙ bₙ), cₙ₊₁ = (aₙ − bₙ)/2, until c vanishes. Then
//! K = π/(2 a_N), and the amplitude comes down from φ_N = 2ᴺ a_N u by sin(2φₙ₋₁ − φₙ) = (cₙ/aₙ) sin φₙ.
//!
//! # Reference
//! M. Abramowitz, I. A. Stegun, *Handbook of Mathematical Functions*, 1964, sections 16.4 and 17.6.

use std::f64::consts::PI;

/// The mean converges quadratically: for moduli that differ from 1 it has settled long before.
const MAX_MEANS: usize = 40;

/// sn, cn and dn at one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jacobi {
    pub(super) sn: f64,
    pub(super) cn: f64,
    pub(super) dn: f64,
}

/// Successive a and c of the mean, for a modulus from 0 to below 1.
fn means(modulus: f64) -> Vec<[f64; 2]> {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    let mut all = vec![[a, modulus]];
    while all.len() < MAX_MEANS && (a - b).abs() > f64::EPSILON * a {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        all.push([a, c]);
    }
    all
}

/// The quarter period K of a modulus.
pub(super) fn quarter_period(modulus: f64) -> f64 {
    let [a, _] = means(modulus)[means(modulus).len() - 1];
    PI / (2.0 * a)
}

/// sn(u), cn(u) and dn(u) of a modulus.
pub(super) fn jacobi(u: f64, modulus: f64) -> Jacobi {
    let means = means(modulus);
    let last = means.len() - 1;
    let mut phase = f64::powi(2.0, last as i32) * means[last][0] * u;
    for [a, c] in means[1..].iter().rev() {
        phase = 0.5 * (phase + (c / a * phase.sin()).asin());
    }
    let (sn, cn) = phase.sin_cos();
    Jacobi { sn, cn, dn: (1.0 - (modulus * sn).powi(2)).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_periods_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 17.1: m = k² = 0, 0.5, 0.9
        for (parameter, expected) in
            [(0.0, 0.5 * PI), (0.5, 1.854_074_677_301_372), (0.9, 2.578_092_113_348_173)]
        {
            assert!((quarter_period(f64::sqrt(parameter)) - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn a_modulus_of_zero_gives_sine_and_cosine() {
        let Jacobi { sn, cn, dn } = jacobi(0.7, 0.0);
        assert_eq!((sn, cn, dn), (f64::sin(0.7), f64::cos(0.7), 1.0));
    }

    #[test]
    fn the_quarter_period_is_where_cn_vanishes_and_half_of_it_is_known() {
        let modulus: f64 = 0.6;
        let whole = quarter_period(modulus);
        let at = jacobi(whole, modulus);
        assert!((at.sn - 1.0).abs() < 1e-14 && at.cn.abs() < 1e-14 && (at.dn - 0.8).abs() < 1e-14);
        // sn(K/2) = 1/√(1 + k′)
        let half = jacobi(0.5 * whole, modulus);
        assert!((half.sn - 1.0 / f64::sqrt(1.8)).abs() < 1e-14);
    }

    #[test]
    fn the_rate_of_sn_is_cn_times_dn_and_sums_of_arguments_add_up() {
        let modulus = 0.92;
        let slope = 1e-5;
        for u in [-3.1, -0.4, 0.3, 1.7, 6.0] {
            let at = jacobi(u, modulus);
            let rise = jacobi(u + slope, modulus).sn - jacobi(u - slope, modulus).sn;
            assert!((rise / (2.0 * slope) - at.cn * at.dn).abs() < 1e-9);
            // addition theorem: sn(u + w) = (s c′ d′ + s′ c d)/(1 − k² s² s′²)
            let other = jacobi(0.9, modulus);
            let below = 1.0 - (modulus * at.sn * other.sn).powi(2);
            let sum = (at.sn * other.cn * other.dn + other.sn * at.cn * at.dn) / below;
            assert!((jacobi(u + 0.9, modulus).sn - sum).abs() < 1e-13);
        }
    }
}
