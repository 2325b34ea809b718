//! A point of a curve of solutions, and the coordinates in which it is moved.
//!
//! A motion is given by its states at several nodes along one period, an equilibrium by one. Each node moves in the
//! tangent space of the constraints at its state, of which a *chart* has an orthonormal basis, and returns to the
//! constraints. Unknowns are scaled, so that lengths along the curve are lengths of plain vectors: nodes by the size of the
//! motion, the parameter by the length of its range.

use catena_linear::{Matrix, dot};

/// A solution, or an approximation of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CurvePoint {
    /// y at the nodes, which divide the period evenly.
    pub(super) nodes: Vec<Vec<f64>>,
    /// s; of an equilibrium 0.
    pub(super) period: f64,
    /// ε of the unfolding, 1/s: 0 for every motion of the model itself.
    pub(super) unfolding: f64,
    /// The value of the parameter that is varied.
    pub(super) parameter: f64,
}

/// What is unknown in addition to the nodes; the last of a list is followed along the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Period,
    Unfolding,
    Parameter,
}

impl CurvePoint {
    pub(super) fn get(&self, slot: Slot) -> f64 {
        match slot {
            Slot::Period => self.period,
            Slot::Unfolding => self.unfolding,
            Slot::Parameter => self.parameter,
        }
    }

    pub(super) fn add(&mut self, slot: Slot, change: f64) {
        match slot {
            Slot::Period => self.period += change,
            Slot::Unfolding => self.unfolding += change,
            Slot::Parameter => self.parameter += change,
        }
    }

    /// The time of a node, s.
    pub(super) fn time(&self, node: usize) -> f64 {
        self.period * node as f64 / self.nodes.len() as f64
    }
}

/// What one unit of a scaled unknown is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales {
    /// The size of the motion: the largest range of a component.
    pub(super) state: f64,
    /// s
    pub(super) period: f64,
    /// The length of the range of the parameter.
    pub(super) parameter: f64,
}

impl Scales {
    pub(super) fn of_slot(&self, slot: Slot) -> f64 {
        match slot {
            Slot::Period => self.period,
            Slot::Unfolding => 1.0 / self.period,
            Slot::Parameter => self.parameter,
        }
    }

    /// So that a shift of all nodes has the same length however many there are.
    pub(super) fn of_nodes(&self, nodes: usize) -> f64 {
        self.state * (nodes as f64).sqrt()
    }
}

/// For each node the directions in which it may move, a row each.
pub(super) type Chart = Vec<Matrix>;

/// A direction in the scaled unknowns, nodes first, becomes one of all components, which other charts can read.
pub(super) fn embedded(chart: &Chart, direction: &[f64]) -> Vec<f64> {
    let mut ambient = Vec::new();
    let mut rest = direction;
    for basis in chart {
        let (parts, behind) = rest.split_at(basis.rows());
        let mut vector = vec![0.0; basis.columns()];
        for (row, part) in parts.iter().enumerate() {
            vector.iter_mut().zip(basis.row(row)).for_each(|(entry, b)| *entry += part * b);
        }
        ambient.extend(vector);
        rest = behind;
    }
    ambient.extend_from_slice(rest);
    ambient
}

/// What a chart sees of a direction in all components.
pub(super) fn restricted(chart: &Chart, ambient: &[f64]) -> Vec<f64> {
    let mut direction = Vec::new();
    let mut rest = ambient;
    for basis in chart {
        let (vector, behind) = rest.split_at(basis.columns());
        direction.extend((0..basis.rows()).map(|row| dot(basis.row(row), vector)));
        rest = behind;
    }
    direction.extend_from_slice(rest);
    direction
}
