//! What a statement about drifting runs is worth: with the settings of the study, and with stabilisation.

use super::draws::Share;
use crate::Verdict;

/// The verdict on what a part of all runs does, and a part of those with stabilisation. `omega` is that of the study,
/// rad/s.
pub(super) fn weighed(own: Share, stabilised: Share, omega: f64) -> Verdict {
    if !own.is_rule() {
        return Verdict::DoesNotHold;
    }
    let unstabilised = match omega == 0.0 {
        true => "nothing stabilises the constraints (ω = 0)".to_owned(),
        false => format!("stabilisation is as weak as ω = {omega}"),
    };
    match (stabilised.is_rule(), own.is_all()) {
        (true, true) => Verdict::Holds,
        (true, false) => Verdict::HoldsIf(format!("most runs are enough: {}", own.percent())),
        (false, true) => Verdict::HoldsIf(unstabilised),
        (false, false) => Verdict::HoldsIf(format!(
            "{unstabilised}, and then in {} of runs, not in all",
            own.percent()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_runs_without_stabilisation_do_holds_under_that_condition() {
        let [none, most, all] = [0, 7, 8].map(|hits| Share { hits, of: 8 });
        assert_eq!(weighed(none, none, 0.0), Verdict::DoesNotHold);
        assert_eq!(weighed(all, all, 0.0), Verdict::Holds);
        let condition = "nothing stabilises the constraints (ω = 0)";
        assert_eq!(weighed(all, none, 0.0), Verdict::HoldsIf(condition.to_owned()));
        let rule = weighed(most, none, 0.0).to_string();
        assert_eq!(rule, format!("holds if {condition}, and then in 88 % of runs, not in all"));
    }
}
