//! The weights of a tableau that are not zero, with the places of their slopes.

use crate::explicit::tableau::Tableau;

/// A slope in a sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// Its first component.
    pub(super) first: usize,
    pub(super) weight: f64,
}

/// All sums of a method.
pub(super) struct Weights {
    /// For each slope but the first; the last is the new state.
    pub(super) stages: Vec<Vec<Term>>,
    /// One estimate, or two that are joined; absent if nothing is estimated.
    pub(super) estimates: Vec<Vec<Term>>,
    /// Whether the slope at the new state takes part in the estimate.
    pub(super) uses_new_slope: bool,
    pub(super) extra: Vec<Vec<Term>>,
    pub(super) dense: Vec<Vec<Term>>,
}

impl Weights {
    /// For states of this many components.
    pub(super) fn new(tableau: &Tableau, len: usize) -> Weights {
        let terms = |weights: &&[f64]| -> Vec<Term> {
            let all = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
            all.map(|(slope, &weight)| Term { first: slope * len, weight }).collect()
        };
        let estimates = tableau.estimate.weights();
        Weights {
            stages: tableau.a[1..].iter().chain([&tableau.b]).map(terms).collect(),
            uses_new_slope: estimates.iter().any(|weights| weights.len() > tableau.stages()),
            estimates: estimates.iter().map(terms).collect(),
            extra: tableau.extra.iter().map(|extra| terms(&extra.a)).collect(),
            dense: tableau.dense.iter().map(terms).collect(),
        }
    }
}
