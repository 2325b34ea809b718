//! How far a Taylor series of some order is stable.

/// Growth in a step that still counts as none: on the imaginary axis most orders grow a little from the beginning.
const NEGLIGIBLE_GROWTH: f64 = 1.05;

/// The largest h|λ| for which $|\sum_{k\le p}(h\lambda)^k/k!|$ does not grow, on the negative real and on the imaginary axis.
pub(super) fn boundaries(order: usize) -> [f64; 2] {
    [[-1.0, 0.0], [0.0, 1.0]].map(|direction| {
        let stable =
            |size: f64| growth(order, direction.map(|part| part * size)) <= NEGLIGIBLE_GROWTH;
        let sizes = (1..).map(|i| 0.05 * f64::from(i));
        sizes.take_while(|&size| stable(size)).last().unwrap_or(0.0)
    })
}

/// $|\sum z^k/k!|$ of a complex number, by its parts.
fn growth(order: usize, z: [f64; 2]) -> f64 {
    let mut sum = [1.0, 0.0];
    for k in (1..=order).rev() {
        let [a, b] = sum;
        let share = 1.0 / k as f64;
        sum = [1.0 + share * (a * z[0] - b * z[1]), share * (a * z[1] + b * z[0])];
    }
    sum[0].hypot(sum[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_those_of_the_exponential_series() {
        // the classical Runge–Kutta method has the polynomial of order 4
        let [real, imaginary] = boundaries(4);
        assert!((real - 2.785).abs() < 0.1 && (imaginary - 2.828).abs() < 0.1);
        // they grow like p/e
        let [real, imaginary] = boundaries(20);
        assert!((8.0..10.0).contains(&real), "{real}");
        assert!((7.0..10.0).contains(&imaginary), "{imaginary}");
    }
}
