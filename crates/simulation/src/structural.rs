//! The equations of motion as structural integrators want them: residual and tangents.

use catena_compile::{Evaluator, Functions, Kernel};
use catena_integrator::{ConstrainedState, ConstrainedTangents};
use catena_symbolic::Expr;

/// M a + Φqᵀλ − Q, Φ and their derivatives, compiled.
pub(crate) struct StructuralFunctions {
    residual: Kernel,
    tangents: Kernel,
    /// Φ̇, Φ̈
    rates: Kernel,
    /// Places of the entries of M, C, K and Φq.
    places: [Vec<usize>; 4],
}

impl StructuralFunctions {
    pub(crate) fn new(functions: &Functions) -> StructuralFunctions {
        let e = &functions.equations;
        let mut graph = e.graph.clone();
        let n = e.coordinates.len();
        let mut motion: Vec<Expr> = e.forces.iter().map(|&force| graph.neg(force)).collect();
        for &(row, column, entry) in &e.mass_matrix {
            let term = graph.mul(entry, e.accelerations[column]);
            motion[row] = graph.add(motion[row], term);
            if row != column {
                let term = graph.mul(entry, e.accelerations[row]);
                motion[column] = graph.add(motion[column], term);
            }
        }
        for &(row, column, entry) in &e.constraint_jacobian.entries {
            let force = graph.mul(entry, e.multipliers[row]);
            motion[column] = graph.add(motion[column], force);
        }
        let mut listed: [Vec<(usize, usize, Expr)>; 4] = [
            e.mass_matrix.clone(),
            graph.jacobian(&motion, &e.velocities).entries,
            graph.jacobian(&motion, &e.coordinates).entries,
            e.constraint_jacobian.entries.clone(),
        ];
        // M has one triangle listed
        let mirrored: Vec<_> =
            e.mass_matrix.iter().filter(|(i, j, _)| i != j).map(|&(i, j, m)| (j, i, m)).collect();
        listed[0].extend(mirrored);
        let places = listed.each_ref().map(|entries| {
            entries.iter().map(|&(row, column, _)| row * n + column).collect::<Vec<usize>>()
        });
        let values: [Vec<Expr>; 4] =
            listed.map(|entries| entries.into_iter().map(|(_, _, entry)| entry).collect());
        let outputs: [(&str, &[Expr]); 4] = [
            ("mass", &values[0]),
            ("damping", &values[1]),
            ("stiffness", &values[2]),
            ("jacobian", &values[3]),
        ];
        // Φ̈ = Φq a − γ
        let mut second: Vec<Expr> = e.gamma.iter().map(|&gamma| graph.neg(gamma)).collect();
        for &(row, column, entry) in &e.constraint_jacobian.entries {
            let term = graph.mul(entry, e.accelerations[column]);
            second[row] = graph.add(second[row], term);
        }
        StructuralFunctions {
            rates: functions
                .compile(&graph, &[("first", &e.constraint_velocity), ("second", &second)]),
            residual: functions
                .compile(&graph, &[("motion", &motion), ("constraints", &e.constraints)]),
            tangents: functions.compile(&graph, &outputs),
            places,
        }
    }

    pub(crate) fn residual(&self, evaluator: &mut Evaluator, residual: &mut [f64]) {
        residual.copy_from_slice(evaluator.run(&self.residual));
    }

    pub(crate) fn rates(&self, evaluator: &mut Evaluator, first: &mut [f64], second: &mut [f64]) {
        let (velocity, acceleration) = evaluator.run(&self.rates).split_at(first.len());
        first.copy_from_slice(velocity);
        second.copy_from_slice(acceleration);
    }

    pub(crate) fn tangents(&self, evaluator: &mut Evaluator, tangents: &mut ConstrainedTangents) {
        let ConstrainedTangents { mass, damping, stiffness, jacobian } = tangents;
        let mut rest = evaluator.run(&self.tangents);
        for (matrix, places) in [mass, damping, stiffness, jacobian].into_iter().zip(&self.places) {
            let (values, behind) = rest.split_at(places.len());
            for (&place, &value) in places.iter().zip(values) {
                matrix[place] = value;
            }
            rest = behind;
        }
    }
}

/// Writes a state with its reactions down.
pub(crate) fn set(evaluator: &mut Evaluator, state: &ConstrainedState<'_>) {
    evaluator.set_state(state.t, state.q, state.v, &[]);
    evaluator.set_reactions(state.accelerations, state.multipliers);
}
