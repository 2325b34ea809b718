//! y = (q, v, z), the state of formulations that add nothing to it.

use catena_compile::Sizes;

pub(crate) fn len(sizes: Sizes) -> usize {
    2 * sizes.coordinates + sizes.states
}

pub(crate) fn pack(q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
    let n = q.len();
    y[..n].copy_from_slice(q);
    y[n..2 * n].copy_from_slice(v);
    y[2 * n..2 * n + states.len()].copy_from_slice(states);
}

pub(crate) fn unpack(y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
    let (n, k) = (q.len(), states.len());
    q.copy_from_slice(&y[..n]);
    v.copy_from_slice(&y[n..2 * n]);
    states.copy_from_slice(&y[2 * n..2 * n + k]);
}

/// ẏ = (v, v̇, ż)
pub(crate) fn fill_rate(y: &[f64], accelerations: &[f64], state_rates: &[f64], rate: &mut [f64]) {
    let n = accelerations.len();
    rate[..n].copy_from_slice(&y[n..2 * n]);
    rate[n..2 * n].copy_from_slice(accelerations);
    rate[2 * n..2 * n + state_rates.len()].copy_from_slice(state_rates);
}

/// The rows of ∂ẏ/∂y that need no solution: q̇ = v and ż.
pub(crate) fn fill_jacobian(n: usize, size: usize, states: &[f64], jacobian: &mut [f64]) {
    jacobian[..n * size].fill(0.0);
    for row in 0..n {
        jacobian[row * size + n + row] = 1.0;
    }
    jacobian[2 * n * size..][..states.len()].copy_from_slice(states);
}
