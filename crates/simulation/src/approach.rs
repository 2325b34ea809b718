//! How near a run came to a singular pose, where constraints lose their independence.

use crate::pose_words::short;
use crate::shared_forces::listed;
use std::fmt;

/// A pose is near a singular one if the independence of some constraint falls below this part of its maximum along
/// the run.
const NEAR_SINGULAR_INDEPENDENCE: f64 = 0.1;
/// More constraints than this are counted, not listed.
pub(crate) const MAX_LISTED_CONSTRAINTS: usize = 3;

/// The passages near singular poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Approach {
    /// How often: rows that follow one another count once.
    pub near_singular_passages: usize,
    /// The time of the nearest row of the first, s.
    pub first: f64,
    /// The independence of the least independent constraint there, relative to its maximum along the run: from 0,
    /// where it follows from others, to 1.
    pub independence: f64,
    /// The constraints that nearly follow from others there.
    pub constraints: Vec<String>,
    /// Some coordinates of the pose, in words.
    pub pose: String,
}

impl Approach {
    /// From the independence of the least independent constraint at each pose; `describe` takes the number of a
    /// pose and the independence that counts as little there, and returns time, constraints and pose.
    pub(crate) fn find(
        parts: &[(usize, f64)],
        describe: impl FnOnce(usize, f64) -> (f64, Vec<String>, String),
    ) -> Option<Approach> {
        let most = parts.iter().fold(0.0_f64, |most, (_, part)| most.max(*part));
        let limit = NEAR_SINGULAR_INDEPENDENCE * most;
        let mut passages = parts.chunk_by(|a, b| (a.1 <= limit) == (b.1 <= limit));
        let is_near = |passage: &&[(usize, f64)]| passage.iter().all(|(_, part)| *part <= limit);
        let first = passages.clone().find(is_near).filter(|_| most > 0.0)?;
        let &(number, part) = first.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let (first, constraints, pose) = describe(number, limit);
        let independence = part / most;
        Some(Approach {
            near_singular_passages: passages.by_ref().filter(is_near).count(),
            first,
            independence,
            constraints,
            pose,
        })
    }
}

impl fmt::Display for Approach {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Approach { near_singular_passages: passages, first, constraints, pose, .. } = self;
        write!(out, "the motion came near a singular pose ")?;
        match passages {
            1 => write!(out, "at t = {} s", short(*first))?,
            passages => write!(out, "{passages} times, first at t = {} s", short(*first))?,
        }
        if !pose.is_empty() {
            write!(out, " ({pose})")?;
        }
        let follow = if constraints.len() == 1 { "follows" } else { "follow" };
        write!(
            out,
            ": there {} nearly {follow} from the other constraints",
            listed(constraints, MAX_LISTED_CONSTRAINTS)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(parts: &[f64]) -> Option<Approach> {
        let numbered: Vec<(usize, f64)> = parts.iter().copied().enumerate().collect();
        Approach::find(&numbered, |number, _| (number as f64, vec!["a".into()], String::new()))
    }

    #[test]
    fn passages_are_counted_and_the_nearest_row_of_the_first_is_named() {
        let approach = found(&[0.5, 0.04, 0.001, 0.02, 0.4, 0.0, 0.3]).expect("it came near");
        assert_eq!(
            (approach.near_singular_passages, approach.first, approach.independence),
            (2, 2.0, 0.002)
        );
        let text = "the motion came near a singular pose 2 times, first at t = 2 s: there `a` nearly \
                    follows from the other constraints";
        assert_eq!(approach.to_string(), text);
    }

    #[test]
    fn a_motion_that_keeps_its_distance_or_never_has_one_tells_nothing() {
        assert_eq!(found(&[1e-3, 2e-3, 1.5e-3]), None);
        assert_eq!(found(&[0.0, 0.0]), None);
        assert_eq!(found(&[]), None);
    }
}
