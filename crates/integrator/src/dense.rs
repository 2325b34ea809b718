//! Dense output: a polynomial across the last step, in nested form.
//!
//! # Equations
//! With $0\le\theta\le1$ across the step and linear factors $w_k(\theta)$,
//! $$y(\theta)=y_0+w_0\left(F_0+w_1\left(F_1+w_2\left(F_2+\dots\right)\right)\right).$$
//! With $w=\theta,\,1-\theta,\,\theta,\,1-\theta,\dots$ and
//! $F_0=y_1-y_0$, $F_1=hf_0-F_0$, $F_2=F_0-hf_1-F_1$ the first three rows are the cubic Hermite polynomial, and each
//! further row adds what the stages know without touching the ends: Hairer's form of `dopri5` and `dop853`. With $w=\theta$
//! throughout, $F_k=y_{k+1}h^{k+1}$ is a power series.
//!
//! # Reference
//! Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 1993, II.6.

/// A factor $w_k=a+b\theta$, as (a, b).
pub(crate) type Factor = (f64, f64);

/// The factors of Hairer's nested form.
pub(crate) const ALTERNATING: &[Factor] =
    &[(0.0, 1.0), (1.0, -1.0), (0.0, 1.0), (1.0, -1.0), (0.0, 1.0), (1.0, -1.0), (0.0, 1.0)];

/// The factors of a power series.
pub(crate) const POWERS: &[Factor] = &[(0.0, 1.0); 20];

/// The polynomial across the last step, without its start y₀.
#[derive(Debug, Default)]
pub(crate) struct Dense {
    factors: &'static [Factor],
    /// F, one row after the other.
    rows: Vec<f64>,
    len: usize,
    used: usize,
}

impl Dense {
    /// Room for as many rows as there are factors.
    pub(crate) fn resize(&mut self, factors: &'static [Factor], len: usize) {
        self.factors = factors;
        self.len = len;
        self.used = 0;
        self.rows.clear();
        self.rows.resize(factors.len() * len, 0.0);
    }

    /// How many rows count from here on.
    pub(crate) fn set_used(&mut self, used: usize) {
        self.used = used;
    }

    /// One row of F.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.rows[row * self.len..(row + 1) * self.len]
    }

    /// The cubic polynomial through both states with both slopes.
    pub(crate) fn set_hermite(&mut self, h: f64, start: [&[f64]; 2], end: [&[f64]; 2]) {
        let ([y0, f0], [y1, f1]) = (start, end);
        let n = self.len;
        for i in 0..n {
            let difference = y1[i] - y0[i];
            let bend = h * f0[i] - difference;
            self.rows[i] = difference;
            self.rows[n + i] = bend;
            self.rows[2 * n + i] = difference - h * f1[i] - bend;
        }
        self.used = 3;
    }

    /// y(θ), from the state y₀ at the start of the step.
    pub(crate) fn evaluate(&self, theta: f64, y0: &[f64], y: &mut [f64]) {
        // a few components at a time, so that they stay in registers however many rows there are
        const WIDTH: usize = 4;
        let mut weights = [0.0; POWERS.len()];
        for (weight, (a, b)) in weights.iter_mut().zip(self.factors) {
            *weight = a + b * theta;
        }
        let weights = &weights[..self.used];
        let whole = self.len - self.len % WIDTH;
        for at in (0..whole).step_by(WIDTH) {
            let mut block = [0.0; WIDTH];
            for (row, weight) in weights.iter().enumerate().rev() {
                let parts = &self.rows[row * self.len + at..][..WIDTH];
                for (value, part) in block.iter_mut().zip(parts) {
                    *value = weight * (*value + part);
                }
            }
            for (i, value) in block.into_iter().enumerate() {
                y[at + i] = value + y0[at + i];
            }
        }
        for at in whole..self.len {
            let rows = weights.iter().enumerate().rev();
            let value = rows.fold(0.0, |value, (row, weight)| {
                weight * (value + self.rows[row * self.len + at])
            });
            y[at] = value + y0[at];
        }
    }

    /// dy/dt at θ of a step of length h.
    pub(crate) fn evaluate_rate(&self, theta: f64, h: f64, rate: &mut [f64]) {
        // a few components at a time, as above
        const WIDTH: usize = 4;
        let per_second = 1.0 / h;
        let mut weights = [(0.0, 0.0); POWERS.len()];
        for (weight, (a, b)) in weights.iter_mut().zip(self.factors) {
            *weight = (a + b * theta, *b);
        }
        let weights = &weights[..self.used];
        let whole = self.len - self.len % WIDTH;
        for at in (0..whole).step_by(WIDTH) {
            let (mut values, mut slopes) = ([0.0; WIDTH], [0.0; WIDTH]);
            for (row, (weight, change)) in weights.iter().enumerate().rev() {
                let parts = &self.rows[row * self.len + at..][..WIDTH];
                for i in 0..WIDTH {
                    let inner = values[i] + parts[i];
                    slopes[i] = change * inner + weight * slopes[i];
                    values[i] = weight * inner;
                }
            }
            for (rate, slope) in rate[at..at + WIDTH].iter_mut().zip(slopes) {
                *rate = slope * per_second;
            }
        }
        for at in whole..self.len {
            let (mut value, mut slope) = (0.0, 0.0);
            for (row, (weight, change)) in weights.iter().enumerate().rev() {
                let inner = value + self.rows[row * self.len + at];
                slope = change * inner + weight * slope;
                value = weight * inner;
            }
            rate[at] = slope * per_second;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hermite_rows_reproduce_a_cubic() {
        let cubic = |t: f64| 1.0 - 2.0 * t + 3.0 * t * t - 0.5 * t * t * t;
        let slope = |t: f64| -2.0 + 6.0 * t - 1.5 * t * t;
        let (t0, t1) = (0.3, 1.7);
        let mut dense = Dense::default();
        dense.resize(&ALTERNATING[..3], 1);
        dense.set_hermite(t1 - t0, [&[cubic(t0)], &[slope(t0)]], [&[cubic(t1)], &[slope(t1)]]);
        let mut y = [0.0];
        for theta in [0.0, 0.2, 0.5, 0.9, 1.0] {
            dense.evaluate(theta, &[cubic(t0)], &mut y);
            assert!((y[0] - cubic(t0 + theta * (t1 - t0))).abs() < 1e-14);
            dense.evaluate_rate(theta, t1 - t0, &mut y);
            assert!((y[0] - slope(t0 + theta * (t1 - t0))).abs() < 1e-13);
        }
    }
}
