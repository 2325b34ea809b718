//! Powers of several numbers at once, to about six digits: enough for the length of a step.

/// The low bits of its neighbours count up: adding it to a number of this range leaves the nearest whole number there.
const WHOLE: f64 = 6_755_399_441_055_744.0;
/// 2⁵² and above it the exponent of a number, which is biased by 1023.
const EXPONENT_BITS: u64 = 0x4330_0000_0000_0000;
const EXPONENT_OFFSET: f64 = 4_503_599_627_370_496.0 + 1023.0;
const MANTISSA: u64 = (1 << 52) - 1;

/// log₂ m between 1 and 2, by powers of m − 3/2; at Chebyshev's points, within 3·10⁻⁷.
const LOGARITHM: [f64; 8] = [
    0.584_962_765,
    0.961_795_972,
    -0.320_632_333,
    0.142_526_370,
    -0.070_589_676,
    0.037_462_938,
    -0.025_123_203,
    0.014_778_721,
];
/// 2ˣ between −1/2 and 1/2, within 10⁻⁷.
const EXPONENTIAL: [f64; 6] =
    [1.000_000_075, 0.693_147_207, 0.240_221_074, 0.055_503_272, 0.009_676_037, 0.001_340_043];

/// xᵉ for x ≥ 0 and −1/2 < e < 0, without a branch: ∞ where x is zero or subnormal, 0 where x is infinite, NaN where it is NaN.
#[inline(always)]
pub(super) fn rough_power<const W: usize>(x: [f64; W], exponent: f64) -> [f64; W] {
    let mut power = [0.0; W];
    for (power, x) in power.iter_mut().zip(x) {
        let bits = x.to_bits();
        let whole = f64::from_bits((bits >> 52) | EXPONENT_BITS) - EXPONENT_OFFSET;
        let mantissa = f64::from_bits((bits & MANTISSA) | 1.0_f64.to_bits());
        let logarithm = whole + polynomial(&LOGARITHM, mantissa - 1.5);
        let scaled = exponent * logarithm;
        let shifted = scaled + WHOLE;
        let part = polynomial(&EXPONENTIAL, scaled - (shifted - WHOLE));
        let factor = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
        let beyond = if x < f64::MIN_POSITIVE { f64::INFINITY } else { 1.0 / x };
        let is_normal = (f64::MIN_POSITIVE..=f64::MAX).contains(&x);
        *power = if is_normal { factor * part } else { beyond };
    }
    power
}

#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |value, coefficient| value * x + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_right_to_six_digits_over_the_whole_range() {
        for exponent in [-0.25, -1.0 / 7.0, -0.05] {
            for step in -700..700 {
                let x = (f64::from(step) * 1.011).exp();
                let [found] = rough_power([x], exponent);
                let exact = x.powf(exponent);
                assert!((found / exact - 1.0).abs() < 5e-7, "{x}: {found} and {exact}");
            }
        }
    }

    #[test]
    fn what_is_no_size_gives_no_step() {
        let found = rough_power([0.0, 1e-308, f64::INFINITY, f64::NAN, 1.0], -0.1);
        assert_eq!(found[..3], [f64::INFINITY, f64::INFINITY, 0.0]);
        assert!(found[3].is_nan() && (found[4] - 1.0).abs() < 1e-6);
    }
}
