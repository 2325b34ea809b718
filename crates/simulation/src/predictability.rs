//! How long a chaotic motion can be predicted, from how fast its neighbours part.
//!
//! # Equations
//! A tangent vector w that is carried along the motion has the finite-time Lyapunov exponent
//! $\lambda = \frac{1}{t}\ln\frac{|w(t)|}{|w(0)|}$. An error of the size of the tolerance ε has grown to δ after
//! $\ln(\delta/\varepsilon)/\lambda$.
//!
//! # Reference
//! J. Lighthill, *The recently recognized failure of predictability in Newtonian dynamics*, 1986

use crate::estimate::MAX_RELATIVE_DIFFERENCE;
use crate::{Assembly, Prepared, RunOptions, Start, TangentFlow};
use catena_formulation::OptionValues;
use catena_linear::scaled_norm;

/// Larger states are not looked at: a Jacobian at every stage would cost more than the run.
const LARGEST_STATE: usize = 64;
/// A vector that has grown by so many factors e has forgotten the direction it began in, and all errors are long lost.
const ENOUGH_GROWTH: f64 = 60.0;
/// Into how many pieces the motion is divided, after each of which the vector is made a unit vector again.
const PIECES: u32 = 400;
/// Errors are at least this large: nothing is more exact than rounding.
const LEAST_ERROR: f64 = f64::EPSILON;

/// How long a motion can be predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predictability {
    /// The finite-time Lyapunov exponent, 1/s, natural logarithm.
    pub exponent: f64,
    /// How long it takes an error of the size of the tolerance to spoil the motion, s.
    pub horizon: f64,
    /// The same for an error of rounding: no method follows the motion for longer.
    pub longest_horizon: f64,
}

impl Prepared {
    /// How long the motion from this start can be predicted; `None` where neighbours do not part, where tangent vectors jump,
    /// and of large models.
    pub(crate) fn predictability(
        &self,
        options: &RunOptions,
        start: &Assembly,
    ) -> Option<Predictability> {
        if self.has_short_features() || options.linear {
            return None;
        }
        let entry = TangentFlow::formulation_of(&self.model);
        if 2 * self.model.system(entry.coordinates).coordinates.len() > LARGEST_STATE {
            return None;
        }
        let mut prepared = Prepared::new(&self.model, entry, OptionValues::default()).ok()?;
        let same = entry.coordinates == self.entry.coordinates;
        let own = |prepared: &mut Prepared| {
            let start = Start { t: options.t_start, ..Start::new(&self.model, entry.coordinates) };
            prepared.assemble(&self.model.parameter_values(), &start).ok()
        };
        let start = match same {
            true => start.clone(),
            false if options.start.is_none() => own(&mut prepared)?,
            false => return None,
        };
        let integrator = catena_integrator::for_exact_motions();
        let integration = catena_integrator::Options {
            step: None,
            first_step: None,
            ..options.integration.clone()
        };
        let mut flow = TangentFlow::new(&prepared, integrator, integration).ok()?;
        let exponent = finite_time_exponent(&mut flow, &start, options.t_end)?;
        let horizon = |error: f64| {
            (MAX_RELATIVE_DIFFERENCE / error.max(LEAST_ERROR)).ln().max(0.0) / exponent
        };
        (exponent > 0.0).then(|| Predictability {
            exponent,
            horizon: horizon(options.integration.rtol),
            longest_horizon: horizon(LEAST_ERROR),
        })
    }
}

/// The growth of one vector per second; `None` where the motion cannot be followed.
fn finite_time_exponent(flow: &mut TangentFlow, start: &Assembly, t_end: f64) -> Option<f64> {
    let mut y = flow.pack(&start.q, &start.v, &start.states);
    // a direction without symmetry, on the constraints
    let mut vector: Vec<f64> = (0..y.len()).map(|at| (1.0 + 2.4 * at as f64).sin()).collect();
    flow.project_tangents(start.t, &y, &mut vector);
    let mut growth = 0.0;
    let mut make_unit = |vector: &mut [f64]| {
        let size = scaled_norm(vector);
        vector.iter_mut().for_each(|entry| *entry /= size);
        growth += size.ln();
        growth
    };
    let begun = make_unit(&mut vector);
    let duration = t_end - start.t;
    let (mut t, mut grown) = (start.t, 0.0);
    for piece in 1..=PIECES {
        let end = start.t + duration * f64::from(piece) / f64::from(PIECES);
        flow.advance(t, end, &mut y, &mut vector).ok()?;
        t = end;
        flow.project_tangents(t, &y, &mut vector);
        grown = make_unit(&mut vector) - begun;
        if grown > ENOUGH_GROWTH {
            break;
        }
    }
    Some(grown / (t - start.t)).filter(|exponent| exponent.is_finite())
}
