//! Distances between states: each component on its own scale, angles on the circle.

use std::f64::consts::{PI, TAU};

/// The smallest scale of a component, relative to the largest of its kind.
const MIN_SCALE_RATIO: f64 = 1e-3;

/// What the components of a state are: coordinates, velocities, first-order states.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PhaseSpace {
    /// For each coordinate whether a full turn changes nothing.
    pub(crate) is_angle: Vec<bool>,
    /// How many first-order states there are.
    pub(crate) states: usize,
}

impl PhaseSpace {
    /// How many numbers a state is.
    pub(crate) fn len(&self) -> usize {
        2 * self.is_angle.len() + self.states
    }

    fn is_angle(&self, component: usize) -> bool {
        self.is_angle.get(component).copied().unwrap_or(false)
    }

    /// The way from one state to another in one component, the shorter one around the circle.
    pub(crate) fn difference(&self, component: usize, from: f64, to: f64) -> f64 {
        let way = to - from;
        match self.is_angle(component) {
            true => way - TAU * (way / TAU).round(),
            false => way,
        }
    }

    /// The largest difference of a component, relative to its scale.
    pub(crate) fn distance(&self, scales: &[f64], from: &[f64], to: &[f64]) -> f64 {
        let relative = |at: usize| self.difference(at, from[at], to[at]).abs() / scales[at];
        (0..self.len()).map(relative).fold(0.0, f64::max)
    }

    /// Whole turns of each angle on the way from one state to another, in the order of the coordinates.
    pub(crate) fn turns(&self, from: &[f64], to: &[f64]) -> Vec<i64> {
        let turns = |at: usize| match self.is_angle[at] {
            true => ((to[at] - from[at]) / TAU).round() as i64,
            false => 0,
        };
        (0..self.is_angle.len()).map(turns).collect()
    }

    /// The scale of each component from its smallest and largest value along a motion, and not below a floor: half its
    /// extent, and half a turn for angles that turn over.
    pub(crate) fn scales(&self, extents: &[[f64; 2]], floor: f64) -> Vec<f64> {
        let n = self.is_angle.len();
        let mut scales: Vec<f64> = (0..self.len())
            .map(|at| {
                let half = 0.5 * (extents[at][1] - extents[at][0]);
                if self.is_angle(at) { half.min(PI) } else { half }
            })
            .collect();
        for kind in [0..n, n..2 * n, 2 * n..self.len()] {
            let largest = scales[kind.clone()].iter().copied().fold(0.0, f64::max);
            let least = (MIN_SCALE_RATIO * largest).max(floor);
            scales[kind].iter_mut().for_each(|scale| *scale = scale.max(least));
        }
        scales
    }

    /// A number that tells states apart: sines of angles, other components on their scale.
    pub(crate) fn observable(&self, scales: &[f64], state: &[f64]) -> f64 {
        let part = |at: usize| match self.is_angle(at) {
            // two points of the circle with the same sine have another velocity
            true => (state[at] + 0.7).sin(),
            false => state[at] / scales[at],
        };
        (0..self.len()).map(|at| part(at) / (1.0 + 0.3 * at as f64)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_near_across_the_end_of_the_circle() {
        let space = PhaseSpace { is_angle: vec![true, false], states: 1 };
        let scales = [1.0, 2.0, 1.0, 1.0, 1.0];
        let (from, to) = ([3.1, 0.0, 0.0, 0.0, 0.0], [-3.1 + 2.0 * TAU, 0.02, 0.0, 0.0, 0.0]);
        assert!((space.distance(&scales, &from, &to) - (TAU - 6.2)).abs() < 1e-12);
        assert_eq!(space.turns(&from, &to), [1, 0]);
        let far = [3.1, 1.0, 0.0, 0.0, 0.0];
        assert!((space.distance(&scales, &from, &far) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn scales_are_half_extents_and_at_most_half_a_turn_for_angles() {
        let space = PhaseSpace { is_angle: vec![true, true], states: 0 };
        let extents = [[-40.0, 60.0], [0.0, 0.0], [-1.0, 3.0], [0.0, 1e-9]];
        let scales = space.scales(&extents, 1e-12);
        assert_eq!(scales, [PI, PI * MIN_SCALE_RATIO, 2.0, 2.0 * MIN_SCALE_RATIO]);
    }
}
