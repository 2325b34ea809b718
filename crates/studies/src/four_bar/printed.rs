//! The matrices of the study's two systems, written out by hand as it prints them, with its misprints corrected.
//!
//! They serve twice: what Catena derives is compared with them, and constraint errors along a run are read from them.

use super::conditions::{column, parameter};
use catena::{Model, Run};

/// M, Q, Φ, Φq and γ at a state; matrices row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrices {
    pub(super) mass_matrix: Vec<f64>,
    pub(super) forces: Vec<f64>,
    pub(super) constraints: Vec<f64>,
    pub(super) constraint_jacobian: Vec<f64>,
    pub(super) gamma: Vec<f64>,
}

/// A system of the study: its coordinates in their order, and its matrices.
pub(super) trait Printed {
    /// Names of the coordinates.
    fn coordinates(&self) -> &'static [&'static str];
    /// What is printed, at coordinates and velocities.
    fn at(&self, q: &[f64], v: &[f64]) -> Matrices;

    /// Largest |Φ| and largest |Φ̇| on each row of a run.
    fn constraint_errors(&self, run: &Run) -> [Vec<f64>; 2] {
        let names = self.coordinates();
        let positions: Vec<&[f64]> = names.iter().map(|name| column(run, name)).collect();
        let rates: Vec<&[f64]> =
            names.iter().map(|name| column(run, &format!("{name}'"))).collect();
        let mut errors = [Vec::new(), Vec::new()];
        for row in 0..run.table.len() {
            let q: Vec<f64> = positions.iter().map(|values| values[row]).collect();
            let v: Vec<f64> = rates.iter().map(|values| values[row]).collect();
            let Matrices { constraints, constraint_jacobian, .. } = self.at(&q, &v);
            let largest = |values: &mut dyn Iterator<Item = f64>| {
                values.fold(0.0_f64, |largest, value| largest.max(value.abs()))
            };
            errors[0].push(largest(&mut constraints.iter().copied()));
            let rows = constraint_jacobian.chunks(names.len());
            errors[1]
                .push(largest(&mut rows.map(|row| row.iter().zip(&v).map(|(a, b)| a * b).sum())));
        }
        errors
    }
}

/// The rod on a pin: q = (xG, yG, θ).
pub(super) struct PrintedPendulum {
    /// kg
    mass: f64,
    /// m
    length: f64,
    /// m/s²
    gravity: f64,
}

impl PrintedPendulum {
    pub(super) fn new(model: &Model) -> PrintedPendulum {
        let [mass, length, gravity] = ["m", "l", "g"].map(|name| parameter(model, name));
        PrintedPendulum { mass, length, gravity }
    }
}

impl Printed for PrintedPendulum {
    fn coordinates(&self) -> &'static [&'static str] {
        &["xG", "yG", "theta"]
    }

    fn at(&self, q: &[f64], v: &[f64]) -> Matrices {
        let (mass, half) = (self.mass, 0.5 * self.length);
        let (s, c) = q[2].sin_cos();
        let w = v[2] * v[2];
        Matrices {
            mass_matrix: diagonal(&[mass, mass, mass * self.length.powi(2) / 12.0]),
            forces: vec![0.0, -mass * self.gravity, 0.0],
            constraints: vec![q[0] - half * s, q[1] + half * c],
            constraint_jacobian: vec![1.0, 0.0, -half * c, 0.0, 1.0, -half * s],
            gamma: vec![-half * w * s, half * w * c],
        }
    }
}

/// The linkage: q = (x₂, y₂, θ₂, x₃, y₃, θ₃, x₄, y₄, θ₄), with the study's eight constraints.
pub(super) struct PrintedLinkage {
    /// m₂, m₃, m₄, kg
    masses: [f64; 3],
    /// L₁ … L₄, m
    lengths: [f64; 4],
    /// m/s²
    gravity: f64,
}

impl PrintedLinkage {
    pub(super) fn new(model: &Model) -> PrintedLinkage {
        PrintedLinkage {
            masses: ["m2", "m3", "m4"].map(|name| parameter(model, name)),
            lengths: ["L1", "L2", "L3", "L4"].map(|name| parameter(model, name)),
            gravity: parameter(model, "g"),
        }
    }
}

impl Printed for PrintedLinkage {
    fn coordinates(&self) -> &'static [&'static str] {
        &["x2", "y2", "theta2", "x3", "y3", "theta3", "x4", "y4", "theta4"]
    }

    fn at(&self, q: &[f64], v: &[f64]) -> Matrices {
        let [l1, l2, l3, l4] = self.lengths;
        let [(s2, c2), (s3, c3), (s4, c4)] = [q[2], q[5], q[8]].map(f64::sin_cos);
        let [w2, w3, w4] = [v[2], v[5], v[8]].map(|rate| rate * rate);
        let inertias = [l2, l3, l4].into_iter().zip(self.masses);
        let inertias: Vec<f64> =
            inertias.flat_map(|(l, mass)| [mass, mass, mass * l * l / 12.0]).collect();
        let [x2, y2, x3, y3, x4, y4] = [q[0], q[1], q[3], q[4], q[6], q[7]];
        let (half2, half3) = (0.5 * l2, 0.5 * l3);
        #[rustfmt::skip]
        let constraint_jacobian = vec![
            1.0, 0.0,  half2 * s2, 0.0, 0.0, 0.0,         0.0, 0.0, 0.0,
            0.0, 1.0, -half2 * c2, 0.0, 0.0, 0.0,         0.0, 0.0, 0.0,
            0.0, 0.0,  l2 * s2,    1.0, 0.0,  half3 * s3, 0.0, 0.0, 0.0,
            0.0, 0.0, -l2 * c2,    0.0, 1.0, -half3 * c3, 0.0, 0.0, 0.0,
            0.0, 0.0,  half2 * s2, 0.0, 0.0,  half3 * s3, 1.0, 0.0, 0.0,
            0.0, 0.0, -half2 * c2, 0.0, 0.0, -half3 * c3, 0.0, 1.0, 0.0,
            0.0, 0.0, -l2 * s2,    0.0, 0.0, -l3 * s3,    0.0, 0.0,  l4 * s4,
            0.0, 0.0,  l2 * c2,    0.0, 0.0,  l3 * c3,    0.0, 0.0, -l4 * c4,
        ];
        Matrices {
            mass_matrix: diagonal(&inertias),
            forces: self.masses.iter().flat_map(|m| [0.0, -m * self.gravity, 0.0]).collect(),
            constraints: vec![
                x2 - half2 * c2,
                y2 - half2 * s2,
                x3 - l2 * c2 - half3 * c3,
                y3 - l2 * s2 - half3 * s3,
                x4 - 0.5 * (l1 + l2 * c2 + l3 * c3),
                y4 - 0.5 * (l2 * s2 + l3 * s3),
                l2 * c2 + l3 * c3 - l1 - l4 * c4,
                l2 * s2 + l3 * s3 - l4 * s4,
            ],
            constraint_jacobian,
            gamma: vec![
                -half2 * c2 * w2,
                -half2 * s2 * w2,
                -l2 * c2 * w2 - half3 * c3 * w3,
                -l2 * s2 * w2 - half3 * s3 * w3,
                -0.5 * (l2 * c2 * w2 + l3 * c3 * w3),
                -0.5 * (l2 * s2 * w2 + l3 * s3 * w3),
                l2 * c2 * w2 + l3 * c3 * w3 - l4 * c4 * w4,
                l2 * s2 * w2 + l3 * s3 * w3 - l4 * s4 * w4,
            ],
        }
    }
}

fn diagonal(entries: &[f64]) -> Vec<f64> {
    let count = entries.len();
    let mut matrix = vec![0.0; count * count];
    for (at, entry) in entries.iter().enumerate() {
        matrix[at * count + at] = *entry;
    }
    matrix
}
