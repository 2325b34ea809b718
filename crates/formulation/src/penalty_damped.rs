//! Penalty with mass and dashpot: constraint errors behave like damped oscillators.
//!
//! # Equations
//! $M\dot v + \Phi_q^T\alpha(\ddot\Phi + 2\xi\omega\dot\Phi + \omega^2\Phi) = Q$. The bracket times α is
//! λ, and with $\ddot\Phi = \Phi_q\dot v - \gamma$
//! $$\begin{bmatrix} M & \Phi_q^T \\ \Phi_q & -1/\alpha \end{bmatrix}\begin{bmatrix} \dot v \\ \lambda
//!   \end{bmatrix} = \begin{bmatrix} Q \\ \gamma - 2\xi\omega\dot\Phi - \omega^2\Phi \end{bmatrix}.$$
//! Solved for $\dot v$ alone the matrix is $M + \alpha\Phi_q^T\Phi_q$, in which a large α drowns M in
//! rounding; in this form α may be as large as one likes.
//!
//! # When to choose it
//! Redundant constraints, singular poses and massless bodies do it no harm, and it is not stiff: the
//! errors decay at the rate ω, whatever α. Accelerations miss those of the constrained system by the
//! order 1/α.
//!
//! # Reference
//! E. Bayo, J. García de Jalón, M. A. Serna, *A modified Lagrangian formulation for the dynamic
//! analysis of constrained mechanical systems*, 1988, section 2

use crate::blocks::Blocks;
use crate::expressions::stabilised_gamma;
use crate::multipliers::Multipliers;
use crate::options::{ALPHA, OMEGA, XI};
use crate::saddle::SaddleEquations;
use crate::straight_line::StraightLine;
use crate::{Entry, Formulation, Subject, Tangent, needs_constraints};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "penalty-damped",
    summary: "springs, dashpots and masses in the place of constraints",
    reference: "Bayo, García de Jalón, Serna 1988",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[ALPHA, OMEGA, XI],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    straight_line: |subject| StraightLine::saddle(subject, equations(subject)),
    build,
};

fn equations(subject: &Subject) -> SaddleEquations {
    let [alpha, omega, xi] = [ALPHA, OMEGA, XI].map(|entry| subject.option(&entry));
    let e = &subject.evaluator.functions().equations;
    let mut graph = e.graph.clone();
    let lower = stabilised_gamma(&mut graph, e, omega, xi);
    let upper = e.forces.clone();
    SaddleEquations { graph, upper, lower, compliance: 1.0 / alpha }
}

fn build(subject: Subject) -> Box<dyn Formulation> {
    let saddle = Blocks::new(subject.evaluator.functions(), equations(&subject));
    Box::new(Multipliers::new(subject, saddle))
}
