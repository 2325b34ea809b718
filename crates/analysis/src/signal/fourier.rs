//! The discrete Fourier transform, $X_k = \sum_j x_j e^{-2\pi ijk/n}$, in place.
//!
//! A program has the planner of `rustfft` choose among all of its methods. The page is downloaded, and takes two of them
//! that do for every length: powers of two by quarters, other lengths as convolutions of such (Bluestein).

use catena_linear::Complex;
#[cfg(any(test, target_arch = "wasm32"))]
use {rustfft::Fft, std::sync::Arc};

/// Replaces values with their transform.
pub(crate) fn transform(values: &mut [Complex]) {
    let len = values.len();
    #[cfg(not(target_arch = "wasm32"))]
    let method = rustfft::FftPlanner::new().plan_fft_forward(len);
    #[cfg(target_arch = "wasm32")]
    let method = small_method(len);
    method.process(values);
}

/// A method for any length above zero that brings little code along.
#[cfg(any(test, target_arch = "wasm32"))]
fn small_method(len: usize) -> Arc<dyn Fft<f64>> {
    use rustfft::FftDirection::Forward;
    use rustfft::algorithm::butterflies::{Butterfly4, Butterfly8};
    use rustfft::algorithm::{BluesteinsAlgorithm, Radix4};

    if len.is_power_of_two() && len >= 4 {
        let exponent = len.ilog2();
        let base: Arc<dyn Fft<f64>> = if exponent.is_multiple_of(2) {
            Arc::new(Butterfly4::new(Forward))
        } else {
            Arc::new(Butterfly8::new(Forward))
        };
        return Arc::new(Radix4::new_with_base((exponent - base.len().ilog2()) / 2, base));
    }
    // the convolution must not overlap itself
    let convolution = (2 * len).next_power_of_two().max(4);
    Arc::new(BluesteinsAlgorithm::new(len, small_method(convolution)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_method_agrees_with_the_planner_for_every_length() {
        for len in (1..70).chain([127, 128, 1000, 1024, 2048, 3001]) {
            let given: Vec<Complex> = (0..len)
                .map(|at| Complex::new((at as f64 * 0.7).sin(), (at as f64).sqrt().cos()))
                .collect();
            let (mut planned, mut small) = (given.clone(), given);
            transform(&mut planned);
            small_method(len).process(&mut small);
            let scale = planned.iter().map(|value| value.norm()).fold(1.0, f64::max);
            for (planned, small) in planned.iter().zip(&small) {
                assert!((planned - small).norm() <= 1e-14 * scale, "{len}: {planned} {small}");
            }
        }
    }
}
