//! Weighted sums of slopes, compiled for each instruction set.
//!
//! Products and sums are rounded one by one, in the order of the weights, whatever the registers hold: no result depends on
//! the instruction set.

/// Components summed together: their sums stay in registers.
const COMPONENTS_AT_ONCE: usize = 8;

/// $\sum w_jk_j$ into `sums`. The slopes k lie one after the other, each with as many components as there are sums.
pub(super) fn combine(weights: &[f64], slopes: &[f64], sums: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the feature
        return unsafe { avx512::combine(weights, slopes, sums) };
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature
        return unsafe { avx2::combine(weights, slopes, sums) };
    }
    combine_all(weights, slopes, sums);
}

/// $y+h\sum w_jk_j$ into `out`.
pub(super) fn advance(weights: &[f64], slopes: &[f64], y: &[f64], h: f64, out: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the feature
        return unsafe { avx512::advance(weights, slopes, y, h, out) };
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature
        return unsafe { avx2::advance(weights, slopes, y, h, out) };
    }
    advance_all(weights, slopes, y, h, out);
}

/// The same loops, compiled with the feature of an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($module:ident, $feature:literal) => {
        mod $module {
            #[target_feature(enable = $feature)]
            pub(super) fn combine(weights: &[f64], slopes: &[f64], sums: &mut [f64]) {
                super::combine_all(weights, slopes, sums);
            }

            #[target_feature(enable = $feature)]
            pub(super) fn advance(w: &[f64], slopes: &[f64], y: &[f64], h: f64, out: &mut [f64]) {
                super::advance_all(w, slopes, y, h, out);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, "avx2");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx512, "avx512f");

#[inline(always)]
fn combine_all(weights: &[f64], slopes: &[f64], sums: &mut [f64]) {
    let len = sums.len();
    let (blocks, rest) = sums.as_chunks_mut::<COMPONENTS_AT_ONCE>();
    for (at, out) in blocks.iter_mut().enumerate() {
        *out = sums_from(weights, slopes, len, at * COMPONENTS_AT_ONCE);
    }
    for (at, out) in rest.iter_mut().enumerate() {
        [*out] = sums_from(weights, slopes, len, blocks.len() * COMPONENTS_AT_ONCE + at);
    }
}

#[inline(always)]
fn advance_all(weights: &[f64], slopes: &[f64], y: &[f64], h: f64, out: &mut [f64]) {
    let len = out.len();
    let (blocks, rest) = out.as_chunks_mut::<COMPONENTS_AT_ONCE>();
    let (from, rest_from) = y[..len].as_chunks::<COMPONENTS_AT_ONCE>();
    for (at, (out, y)) in blocks.iter_mut().zip(from).enumerate() {
        let sums: [f64; COMPONENTS_AT_ONCE] =
            sums_from(weights, slopes, len, at * COMPONENTS_AT_ONCE);
        *out = std::array::from_fn(|i| y[i] + h * sums[i]);
    }
    for (at, (out, y)) in rest.iter_mut().zip(rest_from).enumerate() {
        let [sum] = sums_from(weights, slopes, len, blocks.len() * COMPONENTS_AT_ONCE + at);
        *out = y + h * sum;
    }
}

/// $\sum w_jk_j$ of C neighbouring components, from the first of them on.
#[inline(always)]
fn sums_from<const C: usize>(
    weights: &[f64],
    slopes: &[f64],
    len: usize,
    first: usize,
) -> [f64; C] {
    let mut sums = [0.0; C];
    for (j, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
        let slope = &slopes[j * len + first..][..C];
        for (sum, k) in sums.iter_mut().zip(slope) {
            *sum += weight * k;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_gives_the_bits_of_the_plain_loop() {
        let weights = [0.3, 0.0, -1.7, 1e-3];
        for len in [1, 7, 8, 40, 43] {
            let slopes: Vec<f64> = (0..4 * len).map(|i| (i as f64 * 0.37).sin()).collect();
            let y: Vec<f64> = (0..len).map(|i| i as f64 - 1.5).collect();
            let (mut sums, mut out) = (vec![0.0; len], vec![0.0; len]);
            combine(&weights, &slopes, &mut sums);
            advance(&weights, &slopes, &y, 0.1, &mut out);
            for i in 0..len {
                let k = |j: usize| slopes[j * len + i];
                let sum = ((0.0 + weights[0] * k(0)) + weights[2] * k(2)) + weights[3] * k(3);
                assert_eq!((sums[i], out[i]), (sum, y[i] + 0.1 * sum));
            }
        }
    }
}
