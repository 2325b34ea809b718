//! One sine and cosine for every reader of a program, so that all of them give the same bits.
//!
//! # Equations
//! With k the whole number nearest to 2x/π, r = x − kπ/2 lies within ±π/4; sin r and cos r are
//! polynomials, and the quarter turn k decides which of them is which, with which sign. π/2 is
//! subtracted in two parts by fused multiply-adds; in WebAssembly, which has none, in three parts
//! so short that their products with k are exact. No branch depends on x, so that a loop over
//! several angles becomes vector code with the same results.
//!
//! # When it fails
//! Beyond |x| = 10⁵ the parts are not enough; the standard library takes over.
//!
//! # Reference
//! W. J. Cody, W. Waite, *Software Manual for the Elementary Functions*, 1980 (reduction). The
//! coefficients are those of the FreeBSD mathematical library (Sun Microsystems, 1993).

use catena_linear::MultiplyAdd;

#[expect(clippy::excessive_precision, reason = "as published")]
pub(crate) const SINE: [f64; 6] = [
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
];
#[expect(clippy::excessive_precision, reason = "as published")]
pub(crate) const COSINE: [f64; 6] = [
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
];
/// π/2 rounded, and what the rounding left out.
pub(crate) const HALF_PI: [f64; 2] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17];
/// π/2 in parts of 36 bits, and what they left out: a multiple of them up to 2¹⁷ is exact.
const HALF_PI_IN_SHORT_PARTS: [f64; 3] =
    [1.5707963267923333, 2.5633441515839558e-12, 1.0562999066987428e-23];
/// Adding and subtracting this rounds to the nearest whole number.
pub(crate) const ROUNDING_SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5·2⁵²
/// Up to here the reduction is good to the last bit or two.
pub(crate) const MAX_REDUCED_ANGLE: f64 = 1e5;

/// x − kπ/2 for a whole k up to 2¹⁷, good to the last bit or two.
#[inline(always)]
fn less_quarter_turns(x: f64, k: f64) -> f64 {
    if cfg!(target_arch = "wasm32") {
        let [first, second, third] = HALF_PI_IN_SHORT_PARTS;
        ((x - k * first) - k * second) - k * third
    } else {
        (-k).mul_add(HALF_PI[1], (-k).mul_add(HALF_PI[0], x))
    }
}

/// Sine and cosine of an angle up to [`MAX_REDUCED_ANGLE`]; `#[inline]` into callers that have fused
/// multiply-adds.
#[inline(always)]
fn kernel(x: f64) -> (f64, f64) {
    let shifted = x.multiply_add(std::f64::consts::FRAC_2_PI, ROUNDING_SHIFT);
    let quarter_turns = shifted - ROUNDING_SHIFT;
    let r = less_quarter_turns(x, quarter_turns);
    let z = r * r;
    let [s1, s2, s3, s4, s5, s6] = SINE;
    let tail = s6
        .multiply_add(z, s5)
        .multiply_add(z, s4)
        .multiply_add(z, s3)
        .multiply_add(z, s2)
        .multiply_add(z, s1);
    let sine = (r * z).multiply_add(tail, r);
    let [c1, c2, c3, c4, c5, c6] = COSINE;
    let tail = c6
        .multiply_add(z, c5)
        .multiply_add(z, c4)
        .multiply_add(z, c3)
        .multiply_add(z, c2)
        .multiply_add(z, c1);
    let half = 0.5 * z;
    let near = 1.0 - half;
    // what the rounding of 1 − z/2 lost comes back
    let cosine = near + (z * z).multiply_add(tail, (1.0 - near) - half);
    // the last two bits of the shifted number are the quarter turn
    let quarter = shifted.to_bits();
    let swap = 0_u64.wrapping_sub(quarter & 1);
    let (s, c) = (sine.to_bits(), cosine.to_bits());
    let (first, second) = ((s & !swap) | (c & swap), (c & !swap) | (s & swap));
    let sine_sign = (quarter & 2) << 62;
    let cosine_sign = ((quarter + 1) & 2) << 62;
    (f64::from_bits(first ^ sine_sign), f64::from_bits(second ^ cosine_sign))
}

#[inline(always)]
fn batch(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    let mut large = false;
    for ((&angle, sine), cosine) in angles.iter().zip(sines.iter_mut()).zip(cosines.iter_mut()) {
        (*sine, *cosine) = kernel(angle);
        large |= angle.abs() > MAX_REDUCED_ANGLE;
    }
    if large {
        replace_large(angles, sines, cosines);
    }
}

#[cold]
fn replace_large(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    for ((&angle, sine), cosine) in angles.iter().zip(sines).zip(cosines) {
        if angle.abs() > MAX_REDUCED_ANGLE {
            (*sine, *cosine) = angle.sin_cos();
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn batch_avx2(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    batch(angles, sines, cosines);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn batch_avx512(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    batch(angles, sines, cosines);
}

/// Below this many angles wider registers gain nothing.
#[cfg(target_arch = "x86_64")]
const MIN_ANGLES_FOR_AVX512: usize = 8;

/// Sines and cosines of so many angles by address, for compiled code.
///
/// # Safety
/// The three addresses point to `count` numbers each, which do not overlap.
pub(crate) unsafe fn sines_and_cosines_at(
    angles: *const f64,
    sines: *mut f64,
    cosines: *mut f64,
    count: usize,
) {
    // SAFETY: as the caller promises
    let (angles, sines, cosines) = unsafe {
        (
            std::slice::from_raw_parts(angles, count),
            std::slice::from_raw_parts_mut(sines, count),
            std::slice::from_raw_parts_mut(cosines, count),
        )
    };
    sines_and_cosines(angles, sines, cosines);
}

/// Sines and cosines of several angles; all slices have the same length.
pub fn sines_and_cosines(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if angles.len() >= MIN_ANGLES_FOR_AVX512
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
    {
        // SAFETY: the processor has the features
        return unsafe { batch_avx512(angles, sines, cosines) };
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has the features
        return unsafe { batch_avx2(angles, sines, cosines) };
    }
    batch(angles, sines, cosines);
}

/// Sine and cosine of one angle, the same bits as in a batch.
pub fn sine_and_cosine(angle: f64) -> (f64, f64) {
    let (mut sine, mut cosine) = ([0.0], [0.0]);
    sines_and_cosines(&[angle], &mut sine, &mut cosine);
    (sine[0], cosine[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance in units of the last place of the expected value.
    fn ulps(value: f64, expected: f64) -> f64 {
        let ulp = f64::from_bits(expected.abs().to_bits() + 1) - expected.abs();
        (value - expected).abs() / ulp
    }

    #[test]
    fn sine_and_cosine_are_within_two_units_of_the_last_place() {
        let mut worst = 0.0_f64;
        for i in 0..400_000 {
            let x = (i as f64 - 200_000.0) * 0.499_999_37;
            let (sine, cosine) = sine_and_cosine(x);
            // near a zero of the function its own last place is the wrong measure
            for (value, expected) in [(sine, x.sin()), (cosine, x.cos())] {
                if expected.abs() > 1e-9 {
                    worst = worst.max(ulps(value, expected));
                } else {
                    assert!((value - expected).abs() < 1e-25);
                }
            }
        }
        assert!(worst <= 2.0, "{worst} units");
    }

    #[test]
    fn special_angles_and_bad_ones() {
        assert_eq!(sine_and_cosine(0.0), (0.0, 1.0));
        assert!(sine_and_cosine(f64::NAN).0.is_nan());
        assert!(sine_and_cosine(f64::INFINITY).1.is_nan());
        assert_eq!(sine_and_cosine(1e7), 1e7_f64.sin_cos());
        assert_eq!(sine_and_cosine(-0.3).0, -sine_and_cosine(0.3).0);
    }

    #[test]
    fn a_batch_gives_the_bits_of_single_calls() {
        let angles: Vec<f64> = (0..37).map(|i| (i as f64 - 18.0) * 1.37).collect();
        let (mut sines, mut cosines) = (vec![0.0; 37], vec![0.0; 37]);
        sines_and_cosines(&angles, &mut sines, &mut cosines);
        for (i, &angle) in angles.iter().enumerate() {
            assert_eq!(sine_and_cosine(angle), (sines[i], cosines[i]));
        }
    }
}
