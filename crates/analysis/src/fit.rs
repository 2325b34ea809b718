//! Straight lines through points, on plain or logarithmic scales, with how well they fit.

/// y = intercept + slope·x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineFit {
    /// The slope.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
    /// The standard error of the slope; NaN with two points, which every line fits.
    pub slope_error: f64,
    /// The part of the variance of y that the line explains.
    pub r_squared: f64,
    /// How many points there are.
    pub points: usize,
}

/// y = prefactor·exp(−rate·x).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecayFit {
    /// The rate.
    pub rate: f64,
    /// y at x = 0.
    pub prefactor: f64,
    /// The standard error of the rate; NaN with two points.
    pub rate_error: f64,
    /// The part of the variance of ln y that the fit explains.
    pub r_squared: f64,
    /// How many points there are.
    pub points: usize,
}

/// The line of least squares; none with fewer than two different x.
pub fn fit_line(x: &[f64], y: &[f64]) -> Option<LineFit> {
    let points = x.len().min(y.len());
    let count = points as f64;
    let mean = |values: &[f64]| values[..points].iter().sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(x), mean(y));
    let pairs = || x.iter().zip(y).map(|(x, y)| (x - x_mean, y - y_mean));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs() {
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    if points < 2 || xx <= 0.0 || xx.is_nan() {
        return None;
    }
    let slope = xy / xx;
    let left: f64 = pairs().map(|(x, y)| (y - slope * x).powi(2)).sum();
    let slope_error = match points {
        2 => f64::NAN,
        _ => (left / (count - 2.0) / xx).sqrt(),
    };
    let r_squared = if yy > 0.0 { 1.0 - left / yy } else { 1.0 };
    Some(LineFit { slope, intercept: y_mean - slope * x_mean, slope_error, r_squared, points })
}

/// p in y ≈ c xᵖ, the slope of the line through the logarithms; points that are not positive do not count. None with fewer
/// than two different x.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let positive = points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let (x, y): (Vec<f64>, Vec<f64>) = positive.map(|(x, y)| (x.ln(), y.ln())).unzip();
    fit_line(&x, &y).map(|line| line.slope)
}

/// The exponential whose logarithm is the line of least squares; y has to be positive.
pub fn fit_decay(x: &[f64], y: &[f64]) -> Option<DecayFit> {
    let logarithms: Vec<f64> = y.iter().map(|y| y.ln()).collect();
    let line = fit_line(x, &logarithms).filter(|line| line.slope.is_finite())?;
    let LineFit { slope, intercept, slope_error, r_squared, points } = line;
    let prefactor = intercept.exp();
    Some(DecayFit { rate: -slope, prefactor, rate_error: slope_error, r_squared, points })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_three_points_has_the_error_of_the_textbook() {
        // residuals 1/6, −1/3, 1/6: s² = 1/6, Σ(x − x̄)² = 2
        let fit = fit_line(&[0.0, 1.0, 2.0], &[0.0, 0.5, 2.0]).expect("three points");
        assert!((fit.slope - 1.0).abs() < 1e-15 && (fit.intercept + 1.0 / 6.0).abs() < 1e-15);
        assert!((fit.slope_error - (1.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        assert!((fit.r_squared - (1.0 - (1.0 / 6.0) / (13.0 / 6.0))).abs() < 1e-15);
        assert_eq!(fit_line(&[1.0, 1.0], &[0.0, 2.0]), None);
    }

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let points: Vec<(f64, f64)> =
            [1.0, 2.0, 5.0, 9.0].map(|x: f64| (x, 3.0 * x.powf(1.7))).into();
        assert!((exponent(&points).unwrap() - 1.7).abs() < 1e-12);
        assert_eq!(exponent(&points[..1]), None);
        assert_eq!(exponent(&[]), None);
    }

    #[test]
    fn an_exponential_is_found_again() {
        let x = [0.1, 0.2, 0.5, 0.9];
        let fit = fit_decay(&x, &x.map(|x: f64| 3.0 * (-0.7 * x).exp())).expect("four points");
        assert!((fit.rate - 0.7).abs() < 1e-14 && (fit.prefactor - 3.0).abs() < 1e-14);
        assert!(fit.rate_error < 1e-14 && fit.r_squared > 1.0 - 1e-14);
        assert_eq!(fit_decay(&x, &[1.0, 0.0, 1.0, 1.0]), None);
    }
}
