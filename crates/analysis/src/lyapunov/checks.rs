//! What the exponents of a motion must satisfy, whatever they are.

use super::Exponent;
use catena_simulation::Prepared;

/// What is known of a system before its exponents are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Nature {
    /// Whether nothing depends on time: then the flow has an exponent zero along itself.
    pub(super) is_autonomous: bool,
    /// Whether energy is conserved: then exponents come in pairs ±λ.
    pub(super) is_conservative: bool,
}

impl Nature {
    pub(super) fn of(prepared: &Prepared) -> Nature {
        let functions = prepared.input().evaluator.functions();
        let is_autonomous = !functions.equations.depends_on_time();
        let is_mechanical = functions.sizes.coordinates > 0 && functions.sizes.states == 0;
        let is_conservative = functions.conservative && is_autonomous && is_mechanical;
        Nature { is_autonomous, is_conservative }
    }
}

/// By how much exponents miss what they must satisfy, 1/s; absent where it does not apply or not all exponents are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Checks {
    /// The exponent nearest to zero, of an autonomous system.
    pub zero: Option<f64>,
    /// The mean divergence of the flow.
    pub divergence: Option<f64>,
    /// The sum of all exponents less the mean divergence.
    pub sum: Option<f64>,
    /// The largest |λ + λ'| of the pairs of a conservative system.
    pub pairs: Option<f64>,
}

impl Checks {
    /// From exponents, their sum over the whole time and the mean divergence.
    pub(super) fn of(
        exponents: &[Exponent],
        all: bool,
        [sum, divergence]: [f64; 2],
        nature: Nature,
    ) -> Checks {
        let values = || exponents.iter().map(|exponent| exponent.value);
        let nearest = values().min_by(|a, b| a.abs().total_cmp(&b.abs()));
        let divergence = divergence.is_finite().then_some(divergence);
        let pairs = values().zip(values().rev()).map(|(a, b)| (a + b).abs()).fold(0.0, f64::max);
        Checks {
            zero: nearest.filter(|_| nature.is_autonomous && all),
            divergence,
            sum: divergence.filter(|_| all).map(|mean| sum - mean),
            pairs: (nature.is_conservative && all).then_some(pairs),
        }
    }
}

/// The dimension of an attractor after Kaplan and Yorke: j + (λ₁ + … + λⱼ)/|λⱼ₊₁| with the largest j whose sum is not negative.
/// None where there is no such exponent: of conservative systems, and where not all that matter are known. Sums within their
/// error of zero count as zero.
pub fn kaplan_yorke(exponents: &[Exponent], all: bool) -> Option<f64> {
    let mut sum = 0.0;
    let mut uncertainty: f64 = 0.0;
    for (at, exponent) in exponents.iter().enumerate() {
        let next = sum + exponent.value;
        uncertainty = uncertainty.hypot(exponent.error);
        if next < -uncertainty {
            return Some(at as f64 + sum.max(0.0) / exponent.value.abs());
        }
        sum = next;
    }
    // a sum that stays at zero to the end: every volume is kept
    (all && sum > uncertainty).then_some(exponents.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exponents(values: &[f64]) -> Vec<Exponent> {
        values.iter().map(|&value| Exponent { value, error: 1e-4 }).collect()
    }

    #[test]
    fn the_lorenz_attractor_has_the_printed_dimension() {
        let found = kaplan_yorke(&exponents(&[0.906, 0.0, -14.572]), true).expect("it has one");
        assert!((found - 2.062).abs() < 5e-4, "{found}");
    }

    #[test]
    fn a_point_has_dimension_zero_and_a_cycle_one() {
        assert_eq!(kaplan_yorke(&exponents(&[-0.1, -0.2]), true), Some(0.0));
        assert_eq!(kaplan_yorke(&exponents(&[-5e-5, -0.2]), true).map(f64::round), Some(1.0));
        assert_eq!(kaplan_yorke(&exponents(&[0.5, 0.0, 0.0, -0.5]), true), None);
        assert_eq!(kaplan_yorke(&exponents(&[0.5]), false), None);
    }

    #[test]
    fn pairs_and_sums_are_compared_where_they_apply() {
        let nature = Nature { is_autonomous: true, is_conservative: true };
        let found =
            Checks::of(&exponents(&[0.9, 0.001, -0.002, -0.899]), true, [1e-13, 0.0], nature);
        assert!((found.pairs.expect("pairs") - 1e-3).abs() < 1e-12);
        assert_eq!(found.zero, Some(0.001));
        assert!(found.sum.expect("sum").abs() < 1e-12);
        let some = Checks::of(&exponents(&[0.9]), false, [0.9, f64::NAN], nature);
        assert_eq!(some, Checks::default());
    }
}
