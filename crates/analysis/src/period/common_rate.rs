//! The largest rate of which all others are whole multiples.

use super::PeriodError;

/// How far a ratio of rates may be from one of whole numbers, relative to itself: rounding of what rates are made of.
const RATIO_TOLERANCE: f64 = 1e-9;
/// The largest denominator of a ratio, and the longest common period in those of the slowest rate.
const MAX_DENOMINATOR: u64 = 60;

/// The common rate, rad/s, of rates that are not zero.
pub(super) fn common_rate(rates: &[f64]) -> Result<f64, PeriodError> {
    if rates.is_empty() {
        return Err(PeriodError::StandsStill);
    }
    let sizes = || rates.iter().map(|rate| rate.abs());
    let slowest = sizes().fold(f64::INFINITY, f64::min);
    let fits = |multiple: &u64| {
        let common = slowest / *multiple as f64;
        sizes().all(|rate| {
            let ratio = rate / common;
            (ratio - ratio.round()).abs() <= RATIO_TOLERANCE * ratio
        })
    };
    let multiple = (1..=MAX_DENOMINATOR).find(fits);
    multiple.map(|multiple| slowest / multiple as f64).ok_or_else(|| {
        let mut rates: Vec<f64> = sizes().collect();
        rates.sort_by(f64::total_cmp);
        rates.dedup();
        PeriodError::Incommensurate { rates }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_a_common_one_where_their_ratios_are_of_small_whole_numbers() {
        assert_eq!(common_rate(&[2.0]), Ok(2.0));
        assert_eq!(common_rate(&[-4.0, 6.0]), Ok(2.0));
        let near = |rates: &[f64], common: f64| {
            common_rate(rates).is_ok_and(|found| (found / common - 1.0).abs() < 1e-12)
        };
        assert!(near(&[0.3, 0.1 * 2.0, 0.7], 0.1));
        assert!(near(
            &[std::f64::consts::TAU * 0.7, std::f64::consts::TAU * 1.05],
            std::f64::consts::TAU * 0.35
        ));
        assert_eq!(common_rate(&[]), Err(PeriodError::StandsStill));
        let golden = (1.0 + 5_f64.sqrt()) / 2.0;
        let none = PeriodError::Incommensurate { rates: vec![1.0, golden] };
        assert_eq!(common_rate(&[golden, -1.0, 1.0]), Err(none));
    }
}
