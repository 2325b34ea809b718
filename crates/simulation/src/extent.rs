//! Between which values the state of a motion stays.

/// The least and the greatest value of each component: coordinates, velocities and first-order states, one after the other.
pub(crate) struct Extent(Vec<[f64; 2]>);

impl Extent {
    /// Of a motion that has only begun.
    pub(crate) fn new(state: [&[f64]; 3]) -> Extent {
        Extent(state.into_iter().flatten().map(|&value| [value; 2]).collect())
    }

    /// Takes notice of a state.
    pub(crate) fn include(&mut self, state: [&[f64]; 3]) {
        for ([least, greatest], &value) in self.0.iter_mut().zip(state.into_iter().flatten()) {
            *least = least.min(value);
            *greatest = greatest.max(value);
        }
    }

    /// From the least to the greatest value of each.
    pub(crate) fn sizes(&self) -> Vec<f64> {
        self.0.iter().map(|[least, greatest]| greatest - least).collect()
    }
}
