//! The metric of constraint projections: angles are heavy, so that positions follow them.
//!
//! # Equations
//! A point that turns has $x = r\cos\theta$, $y = r\sin\theta$. An integrator finds a steadily growing θ exactly, but
//! x and y fall behind by a little in every step, always in the same direction along the circle. The nearest state in the
//! metric of M lets θ share that error: after thousands of turns it is a visible part of a turn, and a loss of
//! energy. So states return to the constraints by the changes that are shortest in the metric
//! $$DMD,\qquad D = \mathrm{diag}(\kappa\ \text{for angles},\ 1\ \text{for all others}).$$
//! Angles yield to errors of positions by the part 1/κ² of what they would; where constraints tie angles to each other
//! the metric among them is that of M. Any metric leads to the constraints, and a change of the metric moves a state by
//! no more than the error of the step, so that the order of a method is kept.

use crate::FormulationInput;
use catena_compile::{Evaluator, Functions};
use catena_symbolic::Number;
use std::sync::Arc;

/// κ; a power of 2, so that it rounds nothing. κ² stays far below the pivots that count as zero.
pub(crate) const ROTATION_WEIGHT: f64 = 1024.0;

/// Whether positions have angles to follow: the metric differs from that of M.
pub(crate) fn is_mixed(rotations: &[bool]) -> bool {
    rotations.contains(&true) && rotations.contains(&false)
}

/// The same system with DMD in the place of M; with M where there are only angles, or none.
pub(crate) fn rotation_metric(input: &FormulationInput) -> FormulationInput {
    let mut metric = input.clone();
    if !is_mixed(&input.rotations) {
        return metric;
    }
    let mut equations = input.evaluator.functions().equations.clone();
    let weight = |at: usize| if input.rotations[at] { ROTATION_WEIGHT } else { 1.0 };
    for (row, column, entry) in &mut equations.mass_matrix {
        *entry = equations.graph.scale(Number::from(weight(*row) * weight(*column)), *entry);
    }
    let functions = Arc::new(Functions::new(equations));
    metric.evaluator = Evaluator::new(functions, input.evaluator.parameters());
    metric
}
