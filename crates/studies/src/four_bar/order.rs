//! The order of a method, from its errors.

/// The slope of the straight line that fits log(error) over log(step) best; NaN if fewer than two errors are numbers above zero.
pub(super) fn fitted_order(steps: &[f64], errors: &[f64]) -> f64 {
    let usable = steps.iter().zip(errors).filter(|(_, error)| error.is_finite());
    let points: Vec<(f64, f64)> = usable.map(|(step, error)| (*step, *error)).collect();
    catena::analysis::exponent(&points).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_fall_with_the_square_of_the_step_have_order_two() {
        let steps = [0.1, 0.05, 0.025];
        assert!((fitted_order(&steps, &steps.map(|step| 3.0 * step * step)) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn runs_that_failed_are_left_out_and_one_alone_has_no_order() {
        let order = fitted_order(&[0.1, 0.05, 0.025], &[f64::NAN, 0.5, 0.25]);
        assert!((order - 1.0).abs() < 1e-12);
        assert!(fitted_order(&[0.1, 0.05], &[f64::NAN, 0.5]).is_nan());
    }
}
