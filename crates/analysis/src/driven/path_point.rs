//! A pose on the path of a driven mechanism, and the path between two of them.
//!
//! # Equations
//! Between two points with values, slopes and curvatures the path is the polynomial of degree 5 through all six;
//! with $x=(s-s_0)/H$ and the differences D, E and F of what the Taylor polynomial of the first point misses of the value,
//! slope and curvature of the second,
//! $$q = q_0 + c_1x + c_2x^2 + (10D-4E+\tfrac12F)x^3 + (-15D+7E-F)x^4 + (6D-3E+\tfrac12F)x^5.$$

/// A pose with its derivatives by the driven value s.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PathPoint {
    /// s
    pub(crate) value: f64,
    pub(crate) q: Vec<f64>,
    /// dq/ds
    pub(crate) slope: Vec<f64>,
    /// d²q/ds²
    pub(crate) curvature: Vec<f64>,
    /// How far the drive holds the mechanism: the independence of its least independent row, 0 in a change point.
    pub(crate) independence: f64,
    /// Whether it was found from points on both sides, because the constraints leave its derivatives open.
    pub(crate) is_interpolated: bool,
}

impl PathPoint {
    /// Where the mechanism is at another value, by its slope and curvature.
    pub(super) fn predict(&self, value: f64) -> Vec<f64> {
        let h = value - self.value;
        let rates = self.slope.iter().zip(&self.curvature);
        self.q.iter().zip(rates).map(|(q, (v, a))| q + h * v + h * h / 2.0 * a).collect()
    }

    /// The path to another point: pose, slope and curvature at a value between them.
    pub(super) fn between(&self, other: &PathPoint, value: f64) -> [Vec<f64>; 3] {
        let length = other.value - self.value;
        let x = (value - self.value) / length;
        let mut found = [(); 3].map(|()| Vec::with_capacity(self.q.len()));
        for at in 0..self.q.len() {
            let c = quintic(
                [self.q[at], length * self.slope[at], length * length * self.curvature[at]],
                [other.q[at], length * other.slope[at], length * length * other.curvature[at]],
            );
            let value = c.iter().rev().fold(0.0, |sum, c| sum * x + c);
            let slope = (1..6).rev().fold(0.0, |sum, k| sum * x + k as f64 * c[k]);
            let bend = (2..6).rev().fold(0.0, |sum, k| sum * x + (k * (k - 1)) as f64 * c[k]);
            found[0].push(value);
            found[1].push(slope / length);
            found[2].push(bend / (length * length));
        }
        found
    }
}

/// The polynomial on 0…1 with these values, first and second derivatives at its ends.
fn quintic(first: [f64; 3], last: [f64; 3]) -> [f64; 6] {
    let [c0, c1, c2] = [first[0], first[1], first[2] / 2.0];
    let d = last[0] - c0 - c1 - c2;
    let e = last[1] - c1 - 2.0 * c2;
    let f = last[2] - 2.0 * c2;
    let c3 = 10.0 * d - 4.0 * e + f / 2.0;
    [c0, c1, c2, c3, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + f / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(value: f64) -> PathPoint {
        let (s, c) = value.sin_cos();
        PathPoint {
            value,
            q: vec![s],
            slope: vec![c],
            curvature: vec![-s],
            independence: 1.0,
            is_interpolated: false,
        }
    }

    #[test]
    fn the_path_between_two_points_has_an_error_of_sixth_order() {
        let error = |h: f64| {
            let [q, v, a] = sine(0.4).between(&sine(0.4 + h), 0.4 + 0.3 * h);
            let exact = sine(0.4 + 0.3 * h);
            [q[0] - exact.q[0], v[0] - exact.slope[0], a[0] - exact.curvature[0]].map(f64::abs)
        };
        let (coarse, fine) = (error(0.4), error(0.2));
        for (level, order) in [(0, 6), (1, 5), (2, 4)] {
            let ratio = coarse[level] / fine[level] / 2.0_f64.powi(order);
            assert!((0.6..1.6).contains(&ratio), "derivative {level}: {coarse:?}, {fine:?}");
        }
    }
}
