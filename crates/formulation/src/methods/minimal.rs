//! Minimal coordinates: as many as there are degrees of freedom, no constraints.
//!
//! # Equations
//! $M(q)\,\dot v = Q(t,q,v)$, solved by $LDL^T$.
//!
//! # When to choose it
//! Whenever the model has no constraints: nothing can drift. It costs n³ for a dense mass matrix, so
//! that long chains are cheaper elsewhere. It fails where the mass matrix is singular.
//!
//! # Reference
//! J. L. Lagrange, *Mécanique analytique*, 1788

use crate::solvers::rhs_program::RhsProgram;
use crate::solvers::spd::{SpdEquations, SpdFormulation};
use crate::{Approximation, Entry, Formulation, FormulationInput, Tangent};
use catena_model::{CoordinateSet, Mechanism};

pub(crate) static ENTRY: Entry = Entry {
    name: "minimal",
    summary: "as many coordinates as degrees of freedom: M v̇ = Q",
    reference: "Lagrange 1788",
    coordinates: CoordinateSet::Own,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: |model| {
        let constraints = model.own.constraints.len();
        // the joints of an open tree have coordinates of their own, elsewhere
        let in_tree = model.mechanism.as_ref().map_or(0, Mechanism::constraints_of_tree);
        let cure = match in_tree == constraints {
            true => ": `recursive` moves its joints, which form a tree",
            false => "",
        };
        (constraints > 0).then(|| {
            format!(
                "the model has {constraints} constraints, and minimal coordinates have none{cure}"
            )
        })
    },
    corrects_states: false,
    rhs_program: |input| RhsProgram::balanced(input, equations(input)),
    build,
};

fn equations(input: &FormulationInput) -> SpdEquations {
    let e = &input.evaluator.functions().equations;
    SpdEquations {
        graph: e.graph.clone(),
        matrix: e.mass_matrix.clone(),
        right: e.forces.clone(),
        multipliers: Vec::new(),
        simplified: None,
    }
}

fn build(input: FormulationInput) -> Box<dyn Formulation> {
    let equations = equations(&input);
    Box::new(SpdFormulation::new(input, equations))
}
