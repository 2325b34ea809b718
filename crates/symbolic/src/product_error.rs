//! What the rounding of a product leaves out: exactly a·b − fl(a·b).

/// a·b less the product of the two as it was rounded. A fused multiply-add gives it at once, even where it is a call that
/// looks for the instruction at run time. WebAssembly has none, and there halves are multiplied.
pub(crate) fn product_error(a: f64, b: f64, product: f64) -> f64 {
    if cfg!(target_arch = "wasm32") { by_halves(a, b, product) } else { a.mul_add(b, -product) }
}

/// Products of halves are exact between these, and so are the halves: no part overflows or underflows.
const SMALLEST: f64 = 1e-270;
const LARGEST: f64 = 1e270;
/// 2²⁷ + 1, which splits a number into halves of 26 bits.
const SPLITTER: f64 = 134_217_729.0;

/// The same by splitting, after T. J. Dekker, "A floating-point technique for extending the available precision" (1971).
fn by_halves(a: f64, b: f64, product: f64) -> f64 {
    if product == 0.0 && (a == 0.0 || b == 0.0) {
        return 0.0;
    }
    let is_safe = |number: f64| number.abs() < LARGEST && number.abs() > SMALLEST;
    if !(is_safe(a) && is_safe(b) && is_safe(product)) {
        return a.mul_add(b, -product);
    }
    let halves = |number: f64| {
        let shifted = SPLITTER * number;
        let high = shifted - (shifted - number);
        (high, number - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
}

#[cfg(test)]
mod tests {
    use super::by_halves;

    #[test]
    fn halves_give_what_a_fused_multiply_add_does() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from_bits(state)
        };
        let special = [0.0, -0.0, 1.0, 1e-300, 5e-324, 1e300, f64::INFINITY, f64::NAN];
        let random: Vec<f64> = (0..20_000).map(|_| next()).collect();
        let pairs = random.windows(2).map(|pair| (pair[0], pair[1]));
        let near = random.windows(2).map(|pair| (pair[0], 1.7 / pair[0]));
        let rare = special.iter().flat_map(|&a| special.iter().map(move |&b| (a, b)));
        for (a, b) in pairs.chain(near).chain(rare) {
            let (found, expected) = (by_halves(a, b, a * b), a.mul_add(b, -(a * b)));
            assert!(found == expected || found.is_nan() && expected.is_nan(), "{a} {b}");
        }
    }
}
