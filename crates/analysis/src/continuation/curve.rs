//! Pseudo-arclength continuation: points along a curve of solutions, found by prediction and correction.
//!
//! # Equations
//! n equations $G(x) = 0$ in n + 1 unknowns have a curve of solutions with tangent τ,
//! $$\begin{bmatrix} G_x\\ \tau_{0}^T\end{bmatrix}\tau = \begin{bmatrix}0\\1\end{bmatrix},$$
//! $\tau_0$ being the tangent before. From the prediction $x + h\tau$ Newton's method leads back to the curve
//! by steps perpendicular to the tangent, which is regular at folds too.
//!
//! # Reference
//! H. B. Keller, "Numerical solution of bifurcation and nonlinear eigenvalue problems", 1977

use super::ContinuationError;
use super::curve_point::{CurvePoint, Slot, embedded, restricted};
use super::equations::{CurveEquations, Linearisation};
use super::spectrum::Spectrum;
use catena_linear::{Lu, Matrix, max_abs, norm};

/// Steps of Newton's method before a correction is given up.
const MAX_NEWTON_STEPS: usize = 10;
/// A first correction longer than this, in scaled unknowns, has lost the curve.
const MAX_CORRECTION: f64 = 1.0;
/// A Newton step must be shorter than the one before by this factor, once it is past the first.
const MIN_CONTRACTION: f64 = 0.9;

/// A solution with everything that is known about it.
pub(super) struct Solved {
    pub(super) point: CurvePoint,
    pub(super) linear: Linearisation,
    /// The tangent of the curve, of length 1, in all components.
    pub(super) tangent: Vec<f64>,
    /// The sign of the determinant of the equations bordered by their tangent, and the logarithm of its size.
    pub(super) determinant: (f64, f64),
    /// Multipliers, or eigenvalues of an equilibrium.
    pub(super) spectrum: Spectrum,
    /// The residual that Newton's method left, relative to the size of the motion.
    pub(super) residual: f64,
    /// Steps of Newton's method.
    pub(super) iterations: usize,
    /// How far they led from the prediction, in scaled unknowns.
    pub(super) correction: f64,
}

impl Solved {
    /// How fast what is followed changes along the curve, in parts of its range.
    pub(super) fn followed_rate(&self) -> f64 {
        self.tangent.last().copied().unwrap_or(0.0)
    }
}

/// Why there is no solution near a prediction.
#[derive(Debug)]
pub(super) enum Missed {
    /// Newton's method does not converge; its last residual.
    NotConverged(f64),
    /// The equations cannot be evaluated there.
    Broken(ContinuationError),
}

impl From<ContinuationError> for Missed {
    fn from(error: ContinuationError) -> Missed {
        Missed::Broken(error)
    }
}

impl CurveEquations {
    /// The border that holds what is followed.
    pub(super) fn holding_border(&self, point: &CurvePoint) -> Vec<f64> {
        let mut border = vec![0.0; point.nodes.iter().map(Vec::len).sum()];
        border.extend(self.slots().iter().map(|_| 0.0));
        if let Some(last) = border.last_mut() {
            *last = 1.0;
        }
        border
    }

    /// The solution on the plane through a point that is perpendicular to a border; residuals below the tolerance are
    /// none.
    pub(super) fn corrected(
        &mut self,
        mut point: CurvePoint,
        border: &[f64],
        tolerance: f64,
    ) -> Result<Solved, Missed> {
        self.refer_to(&point)?;
        let mut last = f64::INFINITY;
        let (mut residual, mut correction) = (f64::NAN, 0.0);
        for iterations in 0..MAX_NEWTON_STEPS {
            let linear = self.linearised(&point)?;
            residual = linear.residual_size();
            if !residual.is_finite() {
                break;
            }
            let Some(lu) = bordered(&linear, border) else { break };
            let mut step: Vec<f64> = linear.residual.iter().map(|value| -value).collect();
            step.push(0.0);
            lu.solve(&mut step);
            let length = norm(&step);
            let diverges =
                length > MAX_CORRECTION || (iterations > 1 && length > MIN_CONTRACTION * last);
            let is_small = residual <= tolerance;
            if !is_small && (diverges || !length.is_finite()) {
                break;
            }
            if length.is_finite() && length <= MAX_CORRECTION {
                point = self.moved(&point, &linear.chart, &step)?;
                correction += length;
            }
            last = length;
            if is_small {
                let solved = self.completed(point, linear, lu, residual, iterations);
                return Ok(Solved { correction, ..solved });
            }
        }
        Err(Missed::NotConverged(residual))
    }

    /// Tangent, determinant and multipliers of a solution.
    fn completed(
        &self,
        point: CurvePoint,
        linear: Linearisation,
        lu: Lu<f64>,
        residual: f64,
        iterations: usize,
    ) -> Solved {
        let mut tangent = vec![0.0; linear.matrix.columns()];
        if let Some(last) = tangent.last_mut() {
            *last = 1.0;
        }
        lu.solve(&mut tangent);
        let length = norm(&tangent);
        tangent.iter_mut().for_each(|entry| *entry /= length);
        let (sign, logarithm) = lu.log_determinant();
        Solved {
            tangent: embedded(&linear.chart, &tangent),
            determinant: (sign, logarithm + length.ln()),
            spectrum: Spectrum::new(&self.solutions, &linear.segments),
            point,
            linear,
            residual,
            iterations,
            correction: 0.0,
        }
    }

    /// A point that is known to be a solution, with its tangent, where the equations are singular.
    pub(super) fn taken_as_solved(
        &mut self,
        point: CurvePoint,
        tangent: Vec<f64>,
    ) -> Result<Solved, ContinuationError> {
        self.refer_to(&point)?;
        let linear = self.linearised(&point)?;
        Ok(Solved {
            determinant: (1.0, f64::NEG_INFINITY),
            spectrum: Spectrum::new(&self.solutions, &linear.segments),
            residual: linear.residual_size(),
            iterations: 0,
            correction: 0.0,
            point,
            linear,
            tangent,
        })
    }

    /// The solution one step along the curve from another, of this length in scaled unknowns.
    pub(super) fn stepped(
        &mut self,
        from: &Solved,
        length: f64,
        tolerance: f64,
    ) -> Result<Solved, Missed> {
        let along = restricted(&from.linear.chart, &from.tangent);
        let step: Vec<f64> = along.iter().map(|entry| length * entry).collect();
        let predicted = self.moved(&from.point, &from.linear.chart, &step)?;
        self.corrected(predicted, &from.tangent, tolerance)
    }

    /// The value of what is followed.
    pub(super) fn followed_value(&self, point: &CurvePoint) -> f64 {
        point.get(self.followed())
    }

    /// Whether what is followed is the period, not a parameter of the model.
    pub(super) fn follows_period(&self) -> bool {
        self.followed() == Slot::Period
    }
}

/// The factors of the equations with a border below them; `None` where they are singular.
fn bordered(linear: &Linearisation, border: &[f64]) -> Option<Lu<f64>> {
    let matrix = bordered_matrix(linear, border);
    let mut lu = Lu::<f64>::default();
    lu.resize(matrix.rows());
    lu.entries_mut().copy_from_slice(matrix.entries());
    lu.factor().ok()?;
    Some(lu)
}

/// The equations with a border below them, given in all components.
pub(super) fn bordered_matrix(linear: &Linearisation, border: &[f64]) -> Matrix {
    let mut last = restricted(&linear.chart, border);
    let length = max_abs(&last);
    if length > 0.0 {
        let length = norm(&last);
        last.iter_mut().for_each(|entry| *entry /= length);
    }
    let matrix = &linear.matrix;
    Matrix::from_fn(matrix.columns(), matrix.columns(), |row, column| {
        if row < matrix.rows() { matrix[(row, column)] } else { last[column] }
    })
}
