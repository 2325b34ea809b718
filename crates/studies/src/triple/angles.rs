//! The three angles: what is said of each.

use crate::Verdict;

/// Their columns in runs and answers.
pub(super) const COLUMNS: [&str; 3] = ["theta1", "theta2", "theta3"];
/// Their names in figures and sentences.
pub(super) const NAMES: [&str; 3] = ["θ₁", "θ₂", "θ₃"];

/// A figure for each angle, in a row.
pub(super) fn listed(figures: &[String; 3]) -> String {
    let all = NAMES.iter().zip(figures).map(|(name, figure)| format!("{name} {figure}"));
    all.collect::<Vec<_>>().join(", ")
}

/// Holds for all angles, for some of them, or for none.
pub(super) fn verdict(holds: [bool; 3]) -> Verdict {
    let which: Vec<&str> =
        NAMES.iter().zip(holds).filter(|(_, holds)| *holds).map(|(name, _)| *name).collect();
    match which.as_slice() {
        [] => Verdict::DoesNotHold,
        [only] => Verdict::HoldsIf(format!("{only} alone is meant")),
        [first, second] => Verdict::HoldsIf(format!("{first} and {second} are meant")),
        _ => Verdict::Holds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_names_the_angles_that_bear_it_out() {
        assert_eq!(verdict([true; 3]), Verdict::Holds);
        assert_eq!(verdict([true, false, true]).to_string(), "holds if θ₁ and θ₃ are meant");
        assert_eq!(verdict([false, false, true]).to_string(), "holds if θ₃ alone is meant");
        assert_eq!(verdict([false; 3]), Verdict::DoesNotHold);
    }
}
