//! Truncated power series with just the arithmetic that the problems need.

use std::ops::{Add, Mul};

/// The highest order.
const ORDER: usize = 20;
/// The most components of a problem.
const COMPONENTS: usize = 24;

/// $\sum u_k\tau^k$
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Series(pub(crate) [f64; ORDER + 1]);

impl Series {
    pub(crate) fn constant(value: f64) -> Series {
        let mut series = Series::default();
        series.0[0] = value;
        series
    }

    pub(crate) fn sin(self) -> Series {
        self.sin_cos().0
    }

    /// Both at once, from $s' = cu'$ and $c' = -su'$.
    pub(crate) fn sin_cos(self) -> (Series, Series) {
        let (sine, cosine) = self.0[0].sin_cos();
        let (mut s, mut c) = (Series::constant(sine), Series::constant(cosine));
        for k in 1..=ORDER {
            for j in 1..=k {
                let weight = j as f64 / k as f64 * self.0[j];
                s.0[k] += weight * c.0[k - j];
                c.0[k] -= weight * s.0[k - j];
            }
        }
        (s, c)
    }
}

impl Series {
    pub(crate) fn cos(self) -> Series {
        self.sin_cos().1
    }

    /// $u^a$, from $up'=apu'$.
    pub(crate) fn power(self, exponent: f64) -> Series {
        let mut power = Series::constant(self.0[0].powf(exponent));
        for k in 1..=ORDER {
            let terms = (1..=k)
                .map(|j| (exponent * j as f64 - (k - j) as f64) * self.0[j] * power.0[k - j]);
            power.0[k] = terms.sum::<f64>() / (k as f64 * self.0[0]);
        }
        power
    }
}

impl Add for Series {
    type Output = Series;
    fn add(self, other: Series) -> Series {
        Series(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Mul<f64> for Series {
    type Output = Series;
    fn mul(self, factor: f64) -> Series {
        Series(self.0.map(|coefficient| coefficient * factor))
    }
}

impl Mul for Series {
    type Output = Series;
    fn mul(self, other: Series) -> Series {
        Series(std::array::from_fn(|k| (0..=k).map(|j| self.0[j] * other.0[k - j]).sum()))
    }
}

/// Finds the series of solutions, to an order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expansion {
    pub(crate) order: usize,
}

impl Expansion {
    /// y₁ … of the solution of ẏ = rate through (t, y): every evaluation makes one more order right. Components of the
    /// rate behind those of y are quadratures.
    pub(crate) fn solve(
        &self,
        t: f64,
        y: &[f64],
        coefficients: &mut [f64],
        rate: impl Fn(Series, &[Series], &mut [Series]),
    ) {
        let mut time = Series::constant(t);
        time.0[1] = 1.0;
        let len = coefficients.len() / self.order;
        let (mut states, mut rates) =
            ([Series::default(); COMPONENTS], [Series::default(); COMPONENTS]);
        for (state, &y) in states.iter_mut().zip(y) {
            state.0[0] = y;
        }
        for k in 0..self.order {
            rate(time, &states[..len], &mut rates[..len]);
            for i in 0..len {
                states[i].0[k + 1] = rates[i].0[k] / (k + 1) as f64;
                coefficients[k * len + i] = states[i].0[k + 1];
            }
        }
    }
}
