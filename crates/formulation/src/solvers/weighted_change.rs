//! Changes that remove constraint errors where angles are heavy, from those that are shortest.
//!
//! # Equations
//! With the shortest change c, $\Phi_q c = -\Phi$, all others are $c + Rs$ with a basis R of the null space of $\Phi_q$. The
//! shortest in the metric W has
//! $$R^TWR\,s = -R^TWc.$$
//! W is diagonal: κ²(1 + r²) for angles with levers r, 1 for all others; see [`super::rotation_metric`].

use super::rotation_metric::{ROTATION_WEIGHT, is_mixed, squared_levers};
use catena_linear::{RowSpace, dot, ldlt};

/// Turns shortest changes into those where angles stay; nothing to do where there are only angles, or none.
#[derive(Clone)]
pub(crate) struct WeightedChange {
    /// Which coordinates are angles; empty where there is nothing to do.
    rotations: Vec<bool>,
    /// The diagonal of W.
    weights: Vec<f64>,
    /// R, a direction after the other, and WR.
    basis: Vec<f64>,
    weighted: Vec<f64>,
    /// RᵀWR, packed and factored.
    reduced: Vec<f64>,
    /// s
    along: Vec<f64>,
    /// How many directions are free.
    free: usize,
}

impl WeightedChange {
    pub(crate) fn new(rotations: &[bool]) -> WeightedChange {
        let n = if is_mixed(rotations) { rotations.len() } else { 0 };
        WeightedChange {
            rotations: rotations[..n].to_vec(),
            weights: vec![1.0; n],
            basis: vec![0.0; n * n],
            weighted: vec![0.0; n * n],
            reduced: vec![0.0; n * (n + 1) / 2],
            along: vec![0.0; n],
            free: 0,
        }
    }

    /// For the null space of Φq, which is given row by row, and its factors.
    pub(crate) fn factor(&mut self, jacobian: &[f64], rows: &RowSpace) {
        let n = self.weights.len();
        if n == 0 {
            return;
        }
        squared_levers(jacobian, &self.rotations, &mut self.weights);
        for (weight, turns) in self.weights.iter_mut().zip(&self.rotations) {
            *weight =
                if *turns { ROTATION_WEIGHT * ROTATION_WEIGHT * (1.0 + *weight) } else { 1.0 };
        }
        self.free = n.saturating_sub(rows.rank());
        for k in 0..self.free {
            let direction = &mut self.basis[k * n..(k + 1) * n];
            let weighted = &mut self.weighted[k * n..(k + 1) * n];
            rows.null_direction(k, direction);
            for ((weighted, entry), weight) in weighted.iter_mut().zip(direction).zip(&self.weights)
            {
                *weighted = weight * *entry;
            }
            let others = self.basis.chunks_exact(n).take(k + 1);
            for (entry, other) in self.reduced[k * (k + 1) / 2..].iter_mut().zip(others) {
                *entry = dot(other, weighted);
            }
        }
        let Self { reduced, along, free, .. } = self;
        if ldlt::factor(reduced, *free, along).is_err() {
            // entries that are not finite: the change is refused for the same reason
            *free = 0;
        }
    }

    /// From the shortest change to the one where angles stay.
    pub(crate) fn apply(&mut self, change: &mut [f64]) {
        let n = self.weights.len().max(1);
        let along = &mut self.along[..self.free];
        for (entry, weighted) in along.iter_mut().zip(self.weighted.chunks_exact(n)) {
            *entry = -dot(weighted, change);
        }
        ldlt::solve(&self.reduced, self.free, along);
        for (entry, direction) in along.iter().zip(self.basis.chunks_exact(n)) {
            for (change, part) in change.iter_mut().zip(direction) {
                *change += entry * part;
            }
        }
    }
}
