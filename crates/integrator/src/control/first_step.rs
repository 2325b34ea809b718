//! A first step when nothing is known yet.
//!
//! # Equations
//! With $d_0=\|y\|$, $d_1=\|f\|$ in the norm of the tolerance, an Euler step of $h_0=0.01\,d_0/d_1$ shows the second
//! derivative $d_2=\|f(t+h_0,y+h_0f)-f\|/h_0$, and
//! $$h_1=\left(\frac{0.01}{\max(d_1,d_2)}\right)^{1/p},\qquad h=\min(100\,h_0,\,h_1).$$
//! A mechanism at rest in an exactly symmetric pose has $f=0$ and may look as if nothing ever happened: a single zero
//! is not believed. Then $h_0$ is a millionth of the interval, and $h$ at most a thousandth.
//!
//! # Reference
//! Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 1993, II.4, "Starting step size".

use super::IntegrationStart;
use crate::error::IntegrationError;
use crate::norm::ErrorNorm;

/// The length of the first step of a method whose error estimate behaves as $h^p$.
pub(crate) fn first_step(
    start: &mut IntegrationStart<'_>,
    norm: &ErrorNorm,
    p: f64,
    longest: f64,
) -> Result<f64, IntegrationError> {
    let (y, rate, span) = (start.y, start.rate, start.span);
    let n = y.len();
    let (mut probe, mut probe_rate) = (vec![0.0; n], vec![0.0; n]);
    let d0 = norm.measure(y, y, y);
    let d1 = norm.measure(rate, y, y);
    let unknown = d0 < 1e-5 || d1 < 1e-5;
    let mut h0 = if unknown { 1e-6 * span.length() } else { 0.01 * d0 / d1 }.min(longest);

    // An Euler step may leave the region where f is defined: come closer until it does not.
    let mut breakdown = None;
    for _ in 0..20 {
        let h = span.direction() * h0;
        for i in 0..n {
            probe[i] = y[i] + h * rate[i];
        }
        breakdown = start.work.derivative(span.time + h, &probe, &mut probe_rate).err();
        if breakdown.is_none() && probe_rate.iter().all(|value| value.is_finite()) {
            break;
        }
        h0 *= 0.1;
    }
    if let Some(source) = breakdown {
        return Err(IntegrationError::Breakdown { time: span.time, source });
    }
    for i in 0..n {
        probe_rate[i] -= rate[i];
    }
    let d2 = norm.measure(&probe_rate, y, y) / h0;

    let steepest = d1.max(d2);
    let h1 = if steepest <= 1e-15 { h0 } else { (0.01 / steepest).powf(1.0 / p) };
    let mut h = (100.0 * h0).min(h1).min(longest);
    if rate[..norm.controlled].iter().all(|&value| value == 0.0) {
        h = h.min(1e-3 * span.length());
    }
    // All-NaN probes: start at the floor and let the first trial report it.
    Ok(if h > 0.0 { h } else { span.floor() })
}
