//! Baumgarte's stabilisation: the acceleration constraint is asked to forget its error.
//!
//! # Equations
//! $$\begin{bmatrix} M & \Phi_q^T \\ \Phi_q & 0 \end{bmatrix}\begin{bmatrix} \dot v \\ \lambda
//!   \end{bmatrix} = \begin{bmatrix} Q \\ \gamma - 2\xi\omega\dot\Phi - \omega^2\Phi \end{bmatrix}$$
//!
//! # When to choose it
//! Long runs with constraints at little cost: drift is damped, not removed, and stays near what the
//! integrator makes in the time 1/ω. A large ω makes the system stiff; ω = 0 is `multipliers`.
//!
//! # Reference
//! J. Baumgarte, *Stabilization of constraints and integrals of motion in dynamical systems*, 1972

use crate::blocks::Blocks;
use crate::expressions::stabilised_gamma;
use crate::multipliers::Multipliers;
use crate::options::{OMEGA, XI};
use crate::saddle::SaddleEquations;
use crate::straight_line::StraightLine;
use crate::{Entry, Formulation, Subject, Tangent, needs_constraints};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "baumgarte",
    summary: "multipliers with constraint errors damped away",
    reference: "Baumgarte 1972",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[OMEGA, XI],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    straight_line: |subject| StraightLine::saddle(subject, equations(subject)),
    build,
};

fn equations(subject: &Subject) -> SaddleEquations {
    let [omega, xi] = [OMEGA, XI].map(|entry| subject.option(&entry));
    let e = &subject.evaluator.functions().equations;
    let mut graph = e.graph.clone();
    let lower = stabilised_gamma(&mut graph, e, omega, xi);
    SaddleEquations { graph, upper: e.forces.clone(), lower, compliance: 0.0 }
}

fn build(subject: Subject) -> Box<dyn Formulation> {
    let saddle = Blocks::new(subject.evaluator.functions(), equations(&subject));
    Box::new(Multipliers::new(subject, saddle))
}
