//! The way of a motion through a step: Hermite's cubic through both ends, in the coordinates of the model.

use crate::motion::Motion;
use catena_compile::Cubic;
use catena_integrator::Integrator;

/// The last step of an integrator; a workspace that keeps its room.
#[derive(Clone, Debug, Default)]
pub(super) struct StepPath {
    pub(super) from: f64,
    pub(super) to: f64,
    /// q, v and z along the whole step.
    whole: Vec<Cubic>,
    /// The same along a piece of it.
    piece: Vec<Cubic>,
    /// q, v and z at a time.
    state: Vec<f64>,
    /// y of the formulation at a time.
    y: Vec<f64>,
    /// y and ẏ at the end of a step that was not made.
    next: [Vec<f64>; 2],
}

impl StepPath {
    /// Takes over the last step; `false` where the integrator does not tell its ends.
    pub(super) fn take(&mut self, motion: &mut Motion, integrator: &dyn Integrator) -> bool {
        let Some(ends) = integrator.ends() else { return false };
        (self.from, self.to) = (integrator.previous_time(), integrator.time());
        self.fill(motion, ends);
        true
    }

    /// Takes over an attempt that was rejected: the motion goes on as the last step, as far as that attempt went.
    pub(super) fn take_rejected(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
    ) -> bool {
        let (Some(to), Some(ends)) = (integrator.rejected_end(), integrator.ends()) else {
            return false;
        };
        (self.from, self.to) = (integrator.time(), to);
        let mut next = std::mem::take(&mut self.next);
        let [(_, rate_before), (y, rate)] = ends;
        let (h, last) = (to - self.from, self.from - integrator.previous_time());
        next.iter_mut().for_each(|values| values.resize(y.len(), 0.0));
        continued(ends, last, h, &mut next[0]);
        for ((next, rate), before) in next[1].iter_mut().zip(rate).zip(rate_before) {
            *next = if last > 0.0 { rate + h * (rate - before) / last } else { *rate };
        }
        self.fill(motion, [(y, rate), (&next[0], &next[1])]);
        self.next = next;
        true
    }

    fn fill(&mut self, motion: &mut Motion, ends: [(&[f64], &[f64]); 2]) {
        let sizes = motion.formulation.evaluator().sizes();
        let (n, len) = (sizes.coordinates, 2 * sizes.coordinates + sizes.states);
        self.whole.resize(len, [0.0; 4]);
        self.piece.resize(len, [0.0; 4]);
        self.state.resize(len, 0.0);
        self.y.resize(motion.formulation.state_len(), 0.0);
        for (point, theta) in [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].into_iter().enumerate() {
            hermite(ends, self.to - self.from, theta, &mut self.y);
            let (q, rest) = self.state.split_at_mut(n);
            let (v, states) = rest.split_at_mut(n);
            motion.formulation.unpack(&self.y, q, v, states);
            for (cubic, value) in self.whole.iter_mut().zip(&self.state) {
                cubic[point] = *value;
            }
        }
        // from values at equal distances to control points
        for cubic in &mut self.whole {
            *cubic = through_points(*cubic);
        }
    }

    fn theta(&self, t: f64) -> f64 {
        (t - self.from) / (self.to - self.from)
    }

    /// q, v and z at a time of the step.
    pub(super) fn at(&mut self, t: f64) -> &[f64] {
        let theta = self.theta(t);
        for (value, cubic) in self.state.iter_mut().zip(&self.whole) {
            *value = match theta {
                0.0 => cubic[0],
                1.0 => cubic[3],
                theta => blossom(cubic, [theta; 3]),
            };
        }
        &self.state
    }

    /// Control points of q, v and z between two times of the step.
    pub(super) fn between(&mut self, [from, to]: [f64; 2]) -> &[Cubic] {
        if [from, to] == [self.from, self.to] {
            return &self.whole;
        }
        let (a, b) = (self.theta(from), self.theta(to));
        for (piece, whole) in self.piece.iter_mut().zip(&self.whole) {
            let points = [[a, a, a], [a, a, b], [a, b, b], [b, b, b]];
            *piece = points.map(|arguments| blossom(whole, arguments));
        }
        &self.piece
    }
}

/// y of the formulation at a part θ of a step of length h.
pub(super) fn hermite(ends: [(&[f64], &[f64]); 2], h: f64, theta: f64, y: &mut [f64]) {
    let [(y0, f0), (y1, f1)] = ends;
    let rest = 1.0 - theta;
    let weights = [
        rest * rest * (1.0 + 2.0 * theta),
        theta * theta * (3.0 - 2.0 * theta),
        h * theta * rest * rest,
        -h * theta * theta * rest,
    ];
    for (i, y) in y.iter_mut().enumerate() {
        *y = weights[0] * y0[i] + weights[1] * y1[i] + weights[2] * f0[i] + weights[3] * f1[i];
    }
}

/// y a while after a step of length `last`, as a parabola continues it.
pub(super) fn continued(
    [(_, before), (y, rate)]: [(&[f64], &[f64]); 2],
    last: f64,
    after: f64,
    next: &mut [f64],
) {
    for (i, next) in next.iter_mut().enumerate() {
        let bend = if last > 0.0 { (rate[i] - before[i]) / last } else { 0.0 };
        *next = y[i] + after * (rate[i] + 0.5 * after * bend);
    }
}

/// The control points of a cubic through four values at equal distances.
pub(super) fn through_points([a, b, c, d]: [f64; 4]) -> Cubic {
    let second = (-5.0 * a + 18.0 * b - 9.0 * c + 2.0 * d) / 6.0;
    let third = (2.0 * a - 9.0 * b + 18.0 * c - 5.0 * d) / 6.0;
    [a, second, third, d]
}

/// The symmetric trilinear form of a cubic: its value where all arguments are equal, control points of pieces elsewhere.
pub(super) fn blossom([a, b, c, d]: &Cubic, [r, s, t]: [f64; 3]) -> f64 {
    let between = |from: f64, to: f64, at: f64| from + at * (to - from);
    let (ab, bc, cd) = (between(*a, *b, r), between(*b, *c, r), between(*c, *d, r));
    between(between(ab, bc, s), between(bc, cd, s), t)
}
