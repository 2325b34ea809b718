//! The way of Newton's method from a start to an equilibrium.
//!
//! # Equations
//! The path $\dot x = -F_x^{-1}F$ shrinks all residuals F in proportion and ends where they vanish.
//! Each of Newton's steps is halved until the residual changes as its slopes predict,
//! $$|F(x - \alpha\,\delta) - F + \alpha F_x\delta| \le \tfrac12\,\alpha\,|F_x\delta|,$$
//! so that the method stays near the path and does not leap over a hill into another valley: that is
//! what "the equilibrium nearest the start" means. Where the path ends early because slopes vanish, as
//! for a rod that starts level, forces and rates push the system on, downhill.
//!
//! # Reference
//! P. Deuflhard, *Newton Methods for Nonlinear Problems*, 2004, section 3.1

use crate::equilibrium_conditions::{EquilibriumConditions, EquilibriumResidual};
use catena_compile::Sizes;
use catena_linear::max_abs;

/// Forces and rates this small relative to the largest that were met are balanced.
const RESIDUAL_TOLERANCE: f64 = 1e-10;
/// So are those that a step this small relative to the coordinates would remove ...
const STEP_TOLERANCE: f64 = 1e-10;
/// ... down to this part.
const MAX_UNREMOVED_PART: f64 = 1e-6;
/// How far the change of a residual may be from the one its slopes predict, relative to the latter.
const MAX_NONLINEARITY: f64 = 0.5;
/// The longest step, relative to the coordinates.
const MAX_STEP_LENGTH: f64 = 0.5;
const MAX_STEPS: usize = 500;
const MAX_HALVINGS: usize = 30;
/// The length of the first push, relative to the coordinates; each is twice as long as the one before ...
const FIRST_PUSH_LENGTH: f64 = 1e-4;
/// ... up to this.
const MAX_PUSH_LENGTH: f64 = 0.1;
const MAX_PUSHES: usize = 100;

/// Newton's method on its way.
pub(crate) struct NewtonPath {
    conditions: EquilibriumConditions,
    /// q, z, λ
    x: Vec<f64>,
    residual: EquilibriumResidual,
    /// The largest force and the largest rate met so far.
    largest: [f64; 2],
    /// How far the next push goes.
    push: f64,
}

/// An equilibrium.
pub(crate) struct Converged {
    /// q, z, λ
    pub(crate) x: Vec<f64>,
    pub(crate) residual: EquilibriumResidual,
    pub(crate) iterations: usize,
}

/// No way leads on: the residual that is largest relative to the scale of its kind (force, rate or constraint).
pub(crate) struct Stuck {
    pub(crate) row: usize,
    pub(crate) residual: f64,
}

impl NewtonPath {
    /// From a point where the residual is finite.
    pub(crate) fn new(
        conditions: EquilibriumConditions,
        x: Vec<f64>,
        residual: EquilibriumResidual,
    ) -> NewtonPath {
        NewtonPath { conditions, x, residual, largest: [0.0; 2], push: FIRST_PUSH_LENGTH }
    }

    pub(crate) fn follow_to_end(mut self) -> Result<Converged, Stuck> {
        let mut pushes = 0;
        for iterations in 0..MAX_STEPS {
            let weights = self.weights();
            let step = self.residual.newton_step();
            if self.is_balanced(&step, &weights) {
                if self.gains_by(&step, &weights) {
                    continue;
                }
                return Ok(Converged { x: self.x, residual: self.residual, iterations });
            }
            if !self.follow(&step, &weights) {
                if pushes == MAX_PUSHES || !self.is_pushed(&weights) {
                    break;
                }
                pushes += 1;
            }
        }
        Err(self.stuck())
    }

    /// What makes forces, rates and constraints comparable, as factors.
    fn weights(&mut self) -> Vec<f64> {
        let Sizes { coordinates: n, states: k, constraints: m, .. } = self.conditions.sizes();
        let [force, rate] = &mut self.largest;
        *force = max_abs(&self.residual.forces).max(*force);
        *rate = max_abs(&self.residual.values[n..n + k]).max(*rate);
        let factor = |scale: f64| if scale > 0.0 { 1.0 / scale } else { 1.0 };
        let parts = [(n, factor(*force)), (k, factor(*rate)), (m, 1.0 / size(&self.x[..n]))];
        parts.iter().flat_map(|&(count, factor)| std::iter::repeat_n(factor, count)).collect()
    }

    /// Whether this is an equilibrium up to the last digits: all residuals are small, or the step that
    /// removes them is. At the top of a hill there is no large force to compare with.
    fn is_balanced(&self, step: &[f64], weights: &[f64]) -> bool {
        let values = &self.residual.values;
        if weighted(values, weights).all(|value| value.abs() <= RESIDUAL_TOLERANCE) {
            return true;
        }
        let moving = self.moving();
        let near = max_abs(&step[..moving]) <= STEP_TOLERANCE * size(&self.x[..moving]);
        let left = difference(values, &self.residual.removed_by(step));
        near && norm(&left, weights) <= MAX_UNREMOVED_PART * norm(values, weights)
    }

    /// Takes the whole step if the residual falls: the last digits, as long as there are any to gain.
    fn gains_by(&mut self, step: &[f64], weights: &[f64]) -> bool {
        let (x, residual) = self.moved(step, 1.0);
        let falls = norm(&residual.values, weights) < norm(&self.residual.values, weights);
        let gains = falls && residual.is_finite();
        if gains {
            (self.x, self.residual) = (x, residual);
        }
        gains
    }

    /// Goes along the step as far as the slopes hold; `false` if that is nowhere.
    fn follow(&mut self, step: &[f64], weights: &[f64]) -> bool {
        let removed = self.residual.removed_by(step);
        let allowed = MAX_NONLINEARITY * norm(&removed, weights);
        let moving = self.moving();
        let farthest = MAX_STEP_LENGTH * size(&self.x[..moving]);
        let mut part = (farthest / max_abs(&step[..moving])).min(1.0);
        for _ in 0..MAX_HALVINGS {
            let (x, residual) = self.moved(step, part);
            let change = difference(&self.residual.values, &residual.values);
            let expected: Vec<f64> = removed.iter().map(|removed| part * removed).collect();
            let straying = norm(&difference(&change, &expected), weights);
            // NaN is not less or equal
            if straying <= part * allowed && x != self.x && residual.is_finite() {
                (self.x, self.residual) = (x, residual);
                self.refit(weights);
                return true;
            }
            part /= 2.0;
        }
        false
    }

    /// Takes the multipliers that fit best, where they are better than those that the step brought.
    fn refit(&mut self, weights: &[f64]) {
        let mut x = self.x.clone();
        self.conditions.fit_multipliers(&mut x);
        let residual = self.conditions.at(&x);
        if norm(&residual.values, weights) < norm(&self.residual.values, weights) {
            (self.x, self.residual) = (x, residual);
        }
    }

    /// Lets forces and rates move the system a little; `false` where that leads nowhere.
    fn is_pushed(&mut self, weights: &[f64]) -> bool {
        let moving = self.moving();
        let direction: Vec<f64> = weighted(&self.residual.values[..moving], weights).collect();
        let length = self.push * size(&self.x[..moving]) / max_abs(&direction);
        if !length.is_finite() {
            return false;
        }
        self.push = (2.0 * self.push).min(MAX_PUSH_LENGTH);
        let mut x = self.x.clone();
        x.iter_mut().zip(&direction).for_each(|(x, direction)| *x += length * direction);
        self.conditions.fit_multipliers(&mut x);
        let residual = self.conditions.at(&x);
        let finite = residual.is_finite();
        if finite {
            (self.x, self.residual) = (x, residual);
        }
        finite
    }

    fn moved(&mut self, step: &[f64], part: f64) -> (Vec<f64>, EquilibriumResidual) {
        let x: Vec<f64> = self.x.iter().zip(step).map(|(x, step)| x - part * step).collect();
        let residual = self.conditions.at(&x);
        (x, residual)
    }

    /// How many of the unknowns are coordinates and states.
    fn moving(&self) -> usize {
        let sizes = self.conditions.sizes();
        sizes.coordinates + sizes.states
    }

    fn stuck(mut self) -> Stuck {
        let weights = self.weights();
        let values = &self.residual.values;
        let sizes: Vec<f64> = weighted(values, &weights).map(f64::abs).collect();
        let row = (0..sizes.len()).max_by(|&a, &b| sizes[a].total_cmp(&sizes[b])).unwrap_or(0);
        Stuck { row, residual: values.get(row).copied().unwrap_or(0.0) }
    }
}

fn weighted<'a>(values: &'a [f64], weights: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    values.iter().zip(weights).map(|(value, weight)| value * weight)
}

fn norm(values: &[f64], weights: &[f64]) -> f64 {
    weighted(values, weights).map(|value| value * value).sum::<f64>().sqrt()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// The size to which changes are compared: at least 1.
fn size(values: &[f64]) -> f64 {
    max_abs(values).max(1.0)
}
