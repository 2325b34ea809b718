//! Weighted sums of slopes, compiled for each instruction set.
//!
//! Products and sums are rounded one by one, in the order of the weights, whatever the registers hold: no result depends on
//! the instruction set.

/// $\sum w_jk_j$ into `sums`. The slopes k lie one after the other, each with as many components as there are sums.
pub(super) fn combine(weights: &[f64], slopes: &[f64], sums: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the feature
        return unsafe { avx512::combine(weights, slopes, sums) };
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
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
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
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
    each_sum(weights, slopes, sums.len(), |first, some| {
        sums[first..][..some.len()].copy_from_slice(some);
    });
}

#[inline(always)]
fn advance_all(weights: &[f64], slopes: &[f64], y: &[f64], h: f64, out: &mut [f64]) {
    each_sum(weights, slopes, out.len(), |first, sums| {
        let (out, y) = (&mut out[first..][..sums.len()], &y[first..][..sums.len()]);
        for ((out, y), sum) in out.iter_mut().zip(y).zip(sums) {
            *out = y + h * sum;
        }
    });
}

/// Shows the sums of all components, several at a time: a weight that was read serves all of them, and their sums stay
/// in registers.
#[inline(always)]
fn each_sum(weights: &[f64], slopes: &[f64], len: usize, mut show: impl FnMut(usize, &[f64])) {
    let mut first = 0;
    while len - first >= 16 {
        show(first, &sums_from::<16>(weights, slopes, len, first));
        first += 16;
    }
    if len - first >= 8 {
        show(first, &sums_from::<8>(weights, slopes, len, first));
        first += 8;
    }
    for component in first..len {
        show(component, &sums_from::<1>(weights, slopes, len, component));
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
    // what is added to it stays as it is, signs of zeros too: sums begin with their first product
    let mut sums = [-0.0; C];
    for (slope, &weight) in slopes.chunks_exact(len).zip(weights) {
        if weight != 0.0 {
            for (sum, k) in sums.iter_mut().zip(&slope[first..][..C]) {
                *sum += weight * k;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_registers_give_the_bits_of_the_plain_loop() {
        let weights = [0.3, 0.0, -1.7, 1e-3];
        for len in [1, 7, 8, 40, 43] {
            let slopes: Vec<f64> = (0..4 * len).map(|i| (i as f64 * 0.37).sin()).collect();
            let y: Vec<f64> = (0..len).map(|i| i as f64 - 1.5).collect();
            let (mut sums, mut out) = (vec![0.0; len], vec![0.0; len]);
            combine(&weights, &slopes, &mut sums);
            advance(&weights, &slopes, &y, 0.1, &mut out);
            for i in 0..len {
                let k = |j: usize| slopes[j * len + i];
                let sum = (weights[0] * k(0) + weights[2] * k(2)) + weights[3] * k(3);
                assert_eq!((sums[i], out[i]), (sum, y[i] + 0.1 * sum));
            }
        }
    }
}
