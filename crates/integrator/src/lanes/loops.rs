//! The sums of a step over all lanes.
//!
//! Products and sums are rounded one by one, in the order of [`crate::explicit`], whatever the registers hold: no result
//! depends on the instruction set.

use super::lane_steps::LaneSteps;
use super::weights::Term;
use crate::dense::Factor;
use crate::norm::ErrorNorm;
use crate::options::Norm;
use crate::series::step_rule::StepRule;

/// The states at both ends of a step, and its length.
#[derive(Clone, Copy)]
pub(super) struct States<'a> {
    pub(super) y: &'a [f64],
    pub(super) y_new: &'a [f64],
    /// One for each lane.
    pub(super) h: &'a [f64],
}

/// Factors of dense output and the rows they belong to.
pub(super) type Rows<'a> = (&'a [Factor], &'a [f64]);

/// Components summed together: a weight that was read serves all of them. States have an even number of components, unless
/// there are first-order states.
const COMPONENTS_AT_ONCE: usize = 2;

/// $\sum w_jk_j$ of C neighbouring components.
#[inline(always)]
fn sums<const W: usize, const C: usize>(
    terms: &[Term],
    slopes: &[[f64; W]],
    component: usize,
) -> [[f64; W]; C] {
    let mut sums = [[0.0; W]; C];
    let Some((&Term { first, weight }, terms)) = terms.split_first() else { return sums };
    for (sum, slope) in sums.iter_mut().zip(&slopes[first + component..][..C]) {
        for lane in 0..W {
            sum[lane] = weight * slope[lane];
        }
    }
    for &Term { first, weight } in terms {
        let slopes = &slopes[first + component..][..C];
        for (sum, slope) in sums.iter_mut().zip(slopes) {
            for lane in 0..W {
                sum[lane] += weight * slope[lane];
            }
        }
    }
    sums
}

/// Shows the sums of all components in their order.
#[inline(always)]
fn each_sum<const W: usize>(
    terms: &[Term],
    slopes: &[f64],
    components: usize,
    mut show: impl FnMut(usize, &[f64; W]),
) {
    let slopes = by_component::<W>(slopes);
    let whole = components - components % COMPONENTS_AT_ONCE;
    for first in (0..whole).step_by(COMPONENTS_AT_ONCE) {
        let sums = sums::<W, COMPONENTS_AT_ONCE>(terms, slopes, first);
        sums.iter().enumerate().for_each(|(i, sum)| show(first + i, sum));
    }
    for component in whole..components {
        let [sum] = sums::<W, 1>(terms, slopes, component);
        show(component, &sum);
    }
}

/// All lanes of each component.
#[inline(always)]
fn by_component<const W: usize>(numbers: &[f64]) -> &[[f64; W]] {
    numbers.as_chunks().0
}

/// One number for each lane.
#[inline(always)]
fn by_lane<const W: usize>(numbers: &[f64]) -> [f64; W] {
    *numbers.first_chunk().expect("there are as many as lanes")
}

/// The same to be written, found before there is anything to write: a check in between would part the lanes.
#[inline(always)]
fn by_lane_mut<const W: usize>(numbers: &mut [f64]) -> &mut [f64; W] {
    numbers.first_chunk_mut().expect("there are as many as lanes")
}

#[inline(always)]
pub(super) fn advance<const W: usize>(
    terms: &[Term],
    slopes: &[f64],
    y: &[f64],
    h: &[f64],
    out: &mut [f64],
) {
    let (y, h) = (by_component::<W>(y), by_lane::<W>(h));
    let out = &mut out.as_chunks_mut::<W>().0[..y.len()];
    each_sum::<W>(terms, slopes, y.len(), |i, sum| {
        for lane in 0..W {
            out[i][lane] = y[i][lane] + h[lane] * sum[lane];
        }
    });
}

#[inline(always)]
pub(super) fn combine<const W: usize>(terms: &[Term], slopes: &[f64], h: &[f64], out: &mut [f64]) {
    let h = by_lane::<W>(h);
    let out = out.as_chunks_mut::<W>().0;
    each_sum::<W>(terms, slopes, out.len(), |i, sum| {
        for lane in 0..W {
            out[i][lane] = h[lane] * sum[lane];
        }
    });
}

#[inline(always)]
pub(super) fn sum<const W: usize>(terms: &[Term], slopes: &[f64], out: &mut [f64]) {
    let out = out.as_chunks_mut::<W>().0;
    each_sum::<W>(terms, slopes, out.len(), |i, sum| out[i] = *sum);
}

/// As [`ErrorNorm::measure`] does for one lane, without a branch for any.
#[inline(always)]
pub(super) fn measure<const W: usize>(
    norm: &ErrorNorm,
    sums: &[f64],
    states: States<'_>,
    out: &mut [f64],
) {
    let (h, out) = (by_lane::<W>(states.h), by_lane_mut::<W>(out));
    let (mut squares, mut largest) = ([0.0; W], [0.0; W]);
    let (y, y_new) = (by_component::<W>(states.y), by_component::<W>(states.y_new));
    for (i, ((y, y_new), error)) in y.iter().zip(y_new).zip(by_component::<W>(sums)).enumerate() {
        let mut magnitudes = [0.0; W];
        for lane in 0..W {
            magnitudes[lane] = greater(y[lane].abs(), y_new[lane].abs());
        }
        let scales = norm.scales::<W>(i, magnitudes);
        let mut ratio = [0.0; W];
        for lane in 0..W {
            let quotient = error[lane].abs() / scales[lane];
            ratio[lane] = if error[lane] == 0.0 { 0.0 } else { quotient };
        }
        for lane in 0..W {
            squares[lane] += ratio[lane] * ratio[lane];
            // written so that a NaN stays
            let stays = (ratio[lane] <= largest[lane]) | largest[lane].is_nan();
            largest[lane] = if stays { largest[lane] } else { ratio[lane] };
        }
    }
    let mut sizes = largest;
    if matches!(norm.kind, Norm::Rms) {
        let count = if y.is_empty() { 1.0 } else { y.len() as f64 };
        for lane in 0..W {
            sizes[lane] = (squares[lane] / count).sqrt();
        }
    }
    for lane in 0..W {
        out[lane] = h[lane].abs() * sizes[lane];
    }
}

/// As [`crate::series`] does for one lane.
#[inline(always)]
pub(super) fn sum_series<const W: usize>(
    coefficients: &[f64],
    [y, h]: [&[f64]; 2],
    sums: &mut [f64],
    slopes: &mut [f64],
) {
    let (coefficients, y) = (by_component::<W>(coefficients), by_component::<W>(y));
    let h = by_lane::<W>(h);
    let sums = &mut sums.as_chunks_mut::<W>().0[..y.len()];
    let slopes = &mut slopes.as_chunks_mut::<W>().0[..y.len()];
    let whole = y.len() - y.len() % COMPONENTS_AT_ONCE;
    for first in (0..whole).step_by(COMPONENTS_AT_ONCE) {
        let found = nested::<W, COMPONENTS_AT_ONCE>(coefficients, y, first, h);
        sums[first..][..COMPONENTS_AT_ONCE].copy_from_slice(&found.0);
        slopes[first..][..COMPONENTS_AT_ONCE].copy_from_slice(&found.1);
    }
    for i in whole..y.len() {
        ([sums[i]], [slopes[i]]) = nested::<W, 1>(coefficients, y, i, h);
    }
}

/// $y+\sum_{k\ge1}y_kh^k$ and its slope, of C neighbouring components from the first one on.
#[inline(always)]
fn nested<const W: usize, const C: usize>(
    coefficients: &[[f64; W]],
    y: &[[f64; W]],
    first: usize,
    h: [f64; W],
) -> ([[f64; W]; C], [[f64; W]; C]) {
    let (mut sums, mut slopes) = ([[0.0; W]; C], [[0.0; W]; C]);
    // the state is the coefficient of order 0
    for coefficients in coefficients.chunks_exact(y.len()).rev().chain([y]) {
        let coefficients = &coefficients[first..][..C];
        for at in 0..C {
            for lane in 0..W {
                slopes[at][lane] = slopes[at][lane] * h[lane] + sums[at][lane];
                sums[at][lane] = sums[at][lane] * h[lane] + coefficients[at][lane];
            }
        }
    }
    (sums, slopes)
}

#[inline(always)]
pub(super) fn promise<const W: usize>(
    rule: &StepRule,
    norm: &ErrorNorm,
    coefficients: [&[f64]; 2],
    y: &[f64],
    out: &mut [f64],
) {
    *by_lane_mut(out) = rule.promise::<W>(norm, coefficients, y);
}

/// $F_k=y_{k+1}h^{k+1}$; what the sum misses of the state at the end, because it was corrected or rounded, goes to the last row.
#[inline(always)]
pub(super) fn series_rows<const W: usize>(
    coefficients: &[f64],
    [y, y_new]: [&[f64]; 2],
    h: &[f64],
    rows: &mut [f64],
) {
    let (coefficients, h) = (by_component::<W>(coefficients), by_lane::<W>(h));
    let (y, y_new) = (by_component::<W>(y), by_component::<W>(y_new));
    let (rows, n) = (rows.as_chunks_mut::<W>().0, y.len());
    let mut power = [1.0; W];
    for (rows, coefficients) in rows.chunks_exact_mut(n).zip(coefficients.chunks_exact(n)) {
        for lane in 0..W {
            power[lane] *= h[lane];
        }
        for (row, coefficient) in rows.iter_mut().zip(coefficients) {
            for lane in 0..W {
                row[lane] = power[lane] * coefficient[lane];
            }
        }
    }
    let last = rows.len() - n;
    for i in 0..n {
        let mut sum = [0.0; W];
        for row in rows[i..].iter().step_by(n).rev() {
            for lane in 0..W {
                sum[lane] += row[lane];
            }
        }
        for lane in 0..W {
            rows[last + i][lane] += y_new[i][lane] - (sum[lane] + y[i][lane]);
        }
    }
}

#[inline(always)]
pub(super) fn hermite_rows<const W: usize>([start, end]: [&[f64]; 2], h: &[f64], rows: &mut [f64]) {
    let (h, n) = (by_lane::<W>(h), start.len() / (2 * W));
    let (y, f) = by_component::<W>(start).split_at(n);
    let (y_new, f_new) = by_component::<W>(end).split_at(n);
    let rows = rows.as_chunks_mut::<W>().0;
    for i in 0..n {
        for lane in 0..W {
            let difference = y_new[i][lane] - y[i][lane];
            let bend = h[lane] * f[i][lane] - difference;
            rows[i][lane] = difference;
            rows[n + i][lane] = bend;
            rows[2 * n + i][lane] = difference - h[lane] * f_new[i][lane] - bend;
        }
    }
}

/// As [`crate::dense::Dense::evaluate`] does for one lane; at the ends their states themselves.
#[inline(always)]
pub(super) fn evaluate_dense<const W: usize>(
    (factors, rows): Rows<'_>,
    steps: &LaneSteps,
    times: &[f64],
    [y, y_new]: [&[f64]; 2],
    out: &mut [f64],
) {
    let (y, y_new) = (by_component::<W>(y), by_component::<W>(y_new));
    let (rows, out, n) = (by_component::<W>(rows), out.as_chunks_mut::<W>().0, y.len());
    let [t, from, to] = [times, &steps.previous, &steps.time].map(by_lane::<W>);
    let mut theta = [0.0; W];
    for lane in 0..W {
        theta[lane] = (t[lane] - from[lane]) / (to[lane] - from[lane]);
    }
    for i in 0..n {
        let mut value = [0.0; W];
        for (row, (a, b)) in factors.iter().enumerate().rev() {
            for lane in 0..W {
                value[lane] = (a + b * theta[lane]) * (value[lane] + rows[row * n + i][lane]);
            }
        }
        for lane in 0..W {
            let inside = value[lane] + y[i][lane];
            let before_end = if t[lane] == from[lane] { y[i][lane] } else { inside };
            out[i][lane] = if t[lane] == to[lane] { y_new[i][lane] } else { before_end };
        }
    }
}

#[inline(always)]
pub(super) fn join<const W: usize>(fifth: &mut [f64], third: &[f64]) {
    let (five, three) = (by_lane::<W>(fifth), by_lane::<W>(third));
    let mut joined = [0.0; W];
    for lane in 0..W {
        let root = (five[lane] * five[lane] + 0.01 * three[lane] * three[lane]).sqrt();
        let both = five[lane] * (five[lane] / root);
        joined[lane] = if root == 0.0 { 0.0 } else { both };
    }
    *by_lane_mut(fifth) = joined;
}

/// The greater of two numbers; what it makes of NaN does not matter, for such states are refused before.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn defect<const W: usize>(values: &[f64], out: &mut [f64]) -> bool {
    let mut defect = [0.0; W];
    for values in by_component::<W>(values) {
        for lane in 0..W {
            // infinity times zero is NaN
            defect[lane] += values[lane] * 0.0;
        }
    }
    *by_lane_mut(out) = defect;
    are_sound::<W>(&defect)
}

#[inline(always)]
pub(super) fn are_sound<const W: usize>(defects: &[f64]) -> bool {
    defects[..W].iter().fold(true, |sound, &defect| sound & (defect == 0.0))
}
