//! Something unusual that a motion met: how often, and when first.

use catena_model::plain_to;

/// How often something unusual was met, and when first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Occurrences {
    count: u64,
    first: f64,
}

impl Occurrences {
    /// Returns whether this is the first time.
    pub(crate) fn record(&mut self, time: f64) -> bool {
        if self.count == 0 {
            self.first = time;
        }
        self.count += 1;
        self.count == 1
    }

    /// "WHAT at COUNT evaluations, first at t = FIRST s: THEN", unless it was never met.
    pub(crate) fn remark(&self, what: &str, then: &str) -> Option<String> {
        let count = self.count;
        let first = plain_to(self.first, 7);
        (count > 0)
            .then(|| format!("{what} at {count} evaluations, first at t = {first} s: {then}"))
    }

    /// The same about constraints that followed from others, quoted where they are known.
    pub(crate) fn remark_of_dependence(&self, followers: &[String]) -> Option<String> {
        let met = match followers {
            [] => "constraints were nearly dependent".to_owned(),
            followers => format!("{} followed from other constraints", followers.join(", ")),
        };
        self.remark(&met, "the shortest multipliers were taken")
    }
}

/// Constraints that follow from others wherever the system goes, quoted, in words.
pub(crate) fn remark_of_redundancy(followers: &[String]) -> String {
    let followers = followers.join(", ");
    format!(
        "{followers} followed from other constraints in every pose: the shortest multipliers were taken"
    )
}
