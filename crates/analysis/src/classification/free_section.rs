//! A section for systems without a drive: where a coordinate passes the middle of its range upwards.
//!
//! Rows are taken often enough that the crossing is found between them, by the polynomial through six neighbours.

use super::phase_space::PhaseSpace;
use std::f64::consts::TAU;

/// Rows that the polynomial goes through.
const NODES: usize = 6;
/// Halvings of the time between two rows until the crossing is known.
const HALVINGS: usize = 40;

/// Where motions are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FreeSection {
    component: usize,
    level: f64,
}

impl FreeSection {
    /// The section of a motion of this extent: the coordinate that moves most, or the state where there are none.
    pub(super) fn of(space: &PhaseSpace, extents: &[[f64; 2]]) -> Option<FreeSection> {
        let coordinates = space.is_angle.len();
        let candidates = if coordinates > 0 { 0..coordinates } else { 0..space.len() };
        let extent = |at: usize| extents[at][1] - extents[at][0];
        let component = candidates.max_by(|a, b| extent(*a).total_cmp(&extent(*b)))?;
        let turns_over = space.is_angle.get(component) == Some(&true) && extent(component) > TAU;
        let middle = 0.5 * (extents[component][0] + extents[component][1]);
        Some(FreeSection { component, level: if turns_over { 0.0 } else { middle } })
    }

    /// Negative before the section and positive behind it.
    fn side(&self, space: &PhaseSpace, state: &[f64]) -> f64 {
        let value = state[self.component];
        match space.is_angle.get(self.component) {
            Some(true) => (value - self.level).sin(),
            _ => value - self.level,
        }
    }
}

/// Looks at rows one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct ReturnSearch {
    /// The last rows, the oldest first.
    rows: Vec<f64>,
    /// Rows seen so far.
    count: u64,
}

impl ReturnSearch {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.count = 0;
    }

    /// A further row; the state of a crossing with its place among the rows, if one was found between earlier ones.
    pub(super) fn add(
        &mut self,
        space: &PhaseSpace,
        section: &FreeSection,
        state: &[f64],
    ) -> Option<(f64, Vec<f64>)> {
        let size = space.len();
        if self.rows.len() == NODES * size {
            self.rows.drain(..size);
        }
        self.rows.extend_from_slice(&state[..size]);
        self.count += 1;
        if self.rows.len() < NODES * size {
            return None;
        }
        let row = |at: usize| &self.rows[at * size..(at + 1) * size];
        let (low, high) = (NODES / 2 - 1, NODES / 2);
        let side = |state: &[f64]| section.side(space, state);
        // the far side of a circle is passed upwards, too, with a jump of the difference
        let jumps = side(row(low)).abs() + side(row(high)).abs() > 1.0
            && space.is_angle.get(section.component) == Some(&true);
        if !(side(row(low)) < 0.0 && side(row(high)) >= 0.0) || jumps {
            return None;
        }
        let (mut before, mut behind) = (low as f64, high as f64);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (before + behind);
            match side(&self.between(size, middle)) < 0.0 {
                true => before = middle,
                false => behind = middle,
            }
        }
        let first = (self.count - NODES as u64) as f64;
        Some((first + behind, self.between(size, behind)))
    }

    /// The polynomial through all rows, at a place between them.
    fn between(&self, size: usize, at: f64) -> Vec<f64> {
        let weight = |node: usize| -> f64 {
            let others = (0..NODES).filter(|other| *other != node);
            others.map(|other| (at - other as f64) / (node as f64 - other as f64)).product()
        };
        let weights: [f64; NODES] = std::array::from_fn(weight);
        (0..size)
            .map(|part| (0..NODES).map(|node| weights[node] * self.rows[node * size + part]).sum())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_of_a_swing_are_found_between_rows() {
        let space = PhaseSpace { is_angle: vec![false], states: 0 };
        let section = FreeSection::of(&space, &[[-1.0, 3.0], [-2.0, 2.0]]).expect("a section");
        let mut search = ReturnSearch::default();
        let rate = TAU / 48.0;
        let found: Vec<(f64, Vec<f64>)> = (0..150)
            .filter_map(|row| {
                let angle = rate * f64::from(row) - 1.0;
                search.add(&space, &section, &[1.0 + 2.0 * angle.sin(), 2.0 * angle.cos()])
            })
            .collect();
        assert_eq!(found.len(), 3);
        for (turn, (place, state)) in found.iter().enumerate() {
            let expected = (1.0 + TAU * turn as f64) / rate;
            assert!((place - expected).abs() < 1e-5, "{place}, not {expected}");
            assert!((state[0] - 1.0).abs() < 1e-9 && (state[1] - 2.0).abs() < 1e-6, "{state:?}");
        }
    }

    #[test]
    fn rotations_cross_once_in_a_turn() {
        let space = PhaseSpace { is_angle: vec![true], states: 0 };
        let section = FreeSection::of(&space, &[[0.0, 40.0], [1.0, 1.0]]).expect("a section");
        let mut search = ReturnSearch::default();
        let turned = (0..600).filter(|&row| {
            search.add(&space, &section, &[0.1 * f64::from(row) + 0.05, 1.0]).is_some()
        });
        assert_eq!(turned.count(), 9);
    }
}
