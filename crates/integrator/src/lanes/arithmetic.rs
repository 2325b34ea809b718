//! The sums of a step over all lanes, compiled for each instruction set.
//!
//! Products and sums are rounded one by one, in the order of [`crate::explicit`], whatever the registers hold: no result
//! depends on the instruction set.

use super::lane::Pace;
use super::weights::Term;
use crate::norm::ErrorNorm;
use crate::options::Norm;
use catena_compile::InstructionSet;

/// The states at both ends of a step, and its length.
#[derive(Clone, Copy)]
pub(super) struct States<'a> {
    pub(super) y: &'a [f64],
    pub(super) y_new: &'a [f64],
    /// One for each lane.
    pub(super) h: &'a [f64],
}

type Advance = fn(&[Term], &[f64], &[f64], &[f64], &mut [f64]);
type Combine = fn(&[Term], &[f64], &[f64], &mut [f64]);

/// The loops of one instruction set.
pub(super) struct Arithmetic {
    /// $y+h\sum w_jk_j$ from weights, slopes, y and h.
    pub(super) advance: Advance,
    /// $h\sum w_jk_j$ from weights, slopes and h.
    pub(super) combine: Combine,
    /// The size of $h\sum w_jk_j$ beside the tolerance, for each lane.
    pub(super) measure: fn(&ErrorNorm, &[Term], &[f64], States<'_>, &mut [f64]),
    /// 0 for each lane whose values are finite, else NaN; whether all are finite.
    pub(super) defect: fn(&[f64], &mut [f64]) -> bool,
    /// The next fixed step of every lane.
    pub(super) walk: fn(&mut Pace),
    /// The end of it; whether a lane has no more to make.
    pub(super) arrive: fn(&mut Pace) -> bool,
}

/// The loops for an instruction set that this machine has.
pub(super) fn for_set(set: InstructionSet) -> &'static Arithmetic {
    match set {
        InstructionSet::Portable => &PORTABLE,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => &AVX2,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => &AVX512,
        #[cfg(not(target_arch = "x86_64"))]
        _ => &PORTABLE,
    }
}

static PORTABLE: Arithmetic = Arithmetic {
    advance: advance::<4>,
    combine: combine::<4>,
    measure: measure::<4>,
    defect: defect::<4>,
    walk: Pace::next_fixed::<4>,
    arrive: Pace::arrive::<4>,
};

/// The same loops, compiled with the features of an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($name:ident, $module:ident, $width:literal, $features:literal) => {
        static $name: Arithmetic = Arithmetic {
            // SAFETY: the table is used only where the instruction set is available
            advance: |w, k, y, h, out| unsafe { $module::advance(w, k, y, h, out) },
            combine: |w, k, h, out| unsafe { $module::combine(w, k, h, out) },
            measure: |norm, w, k, states, out| unsafe { $module::measure(norm, w, k, states, out) },
            defect: |values, out| unsafe { $module::defect(values, out) },
            walk: |pace| unsafe { $module::walk(pace) },
            arrive: |pace| unsafe { $module::arrive(pace) },
        };

        mod $module {
            use super::{ErrorNorm, Pace, States, Term};

            #[target_feature(enable = $features)]
            pub(super) fn advance(w: &[Term], k: &[f64], y: &[f64], h: &[f64], out: &mut [f64]) {
                super::advance::<$width>(w, k, y, h, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn combine(w: &[Term], k: &[f64], h: &[f64], out: &mut [f64]) {
                super::combine::<$width>(w, k, h, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn measure(
                norm: &ErrorNorm,
                w: &[Term],
                k: &[f64],
                states: States<'_>,
                out: &mut [f64],
            ) {
                super::measure::<$width>(norm, w, k, states, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn defect(values: &[f64], out: &mut [f64]) -> bool {
                super::defect::<$width>(values, out)
            }

            #[target_feature(enable = $features)]
            pub(super) fn walk(pace: &mut Pace) {
                pace.next_fixed::<$width>();
            }

            #[target_feature(enable = $features)]
            pub(super) fn arrive(pace: &mut Pace) -> bool {
                pace.arrive::<$width>()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(AVX2, avx2, 4, "avx2");
#[cfg(target_arch = "x86_64")]
compiled_for!(AVX512, avx512, 8, "avx512f");

/// $\sum w_jk_j$ of one component.
#[inline(always)]
fn sum<const W: usize>(terms: &[Term], slopes: &[[f64; W]], component: usize) -> [f64; W] {
    let mut sum = [0.0; W];
    for &Term { first, weight } in terms {
        let slope = &slopes[first + component];
        for lane in 0..W {
            sum[lane] += weight * slope[lane];
        }
    }
    sum
}

/// All lanes of each component.
#[inline(always)]
fn by_component<const W: usize>(numbers: &[f64]) -> &[[f64; W]] {
    numbers.as_chunks().0
}

/// One number for each lane.
#[inline(always)]
fn by_lane<const W: usize>(numbers: &[f64]) -> [f64; W] {
    std::array::from_fn(|lane| numbers[lane])
}

#[inline(always)]
fn advance<const W: usize>(terms: &[Term], slopes: &[f64], y: &[f64], h: &[f64], out: &mut [f64]) {
    let (slopes, y, h) = (by_component::<W>(slopes), by_component::<W>(y), by_lane::<W>(h));
    for (i, (y, out)) in y.iter().zip(out.as_chunks_mut::<W>().0).enumerate() {
        let sum = sum(terms, slopes, i);
        for lane in 0..W {
            out[lane] = y[lane] + h[lane] * sum[lane];
        }
    }
}

#[inline(always)]
fn combine<const W: usize>(terms: &[Term], slopes: &[f64], h: &[f64], out: &mut [f64]) {
    let (slopes, h) = (by_component::<W>(slopes), by_lane::<W>(h));
    for (i, out) in out.as_chunks_mut::<W>().0.iter_mut().enumerate() {
        let sum = sum(terms, slopes, i);
        for lane in 0..W {
            out[lane] = h[lane] * sum[lane];
        }
    }
}

/// As [`ErrorNorm::measure`] does for one lane.
#[inline(always)]
fn measure<const W: usize>(
    norm: &ErrorNorm,
    terms: &[Term],
    slopes: &[f64],
    states: States<'_>,
    out: &mut [f64],
) {
    let slopes = by_component::<W>(slopes);
    let (mut squares, mut largest) = ([0.0; W], [0.0; W]);
    let (y, y_new) = (by_component::<W>(states.y), by_component::<W>(states.y_new));
    for (i, (y, y_new)) in y.iter().zip(y_new).enumerate() {
        let error = sum(terms, slopes, i);
        for lane in 0..W {
            let scale = norm.scale(y[lane].abs().max(y_new[lane].abs()));
            let ratio = if error[lane] == 0.0 { 0.0 } else { error[lane].abs() / scale };
            squares[lane] += ratio * ratio;
            // f64::max would lose a NaN
            largest[lane] =
                if ratio > largest[lane] || ratio.is_nan() { ratio } else { largest[lane] };
        }
    }
    let count = y.len() as f64;
    for lane in 0..W {
        let size = match norm.kind {
            _ if y.is_empty() => 0.0,
            Norm::Rms => (squares[lane] / count).sqrt(),
            Norm::Max => largest[lane],
        };
        out[lane] = states.h[lane].abs() * size;
    }
}

#[inline(always)]
fn defect<const W: usize>(values: &[f64], out: &mut [f64]) -> bool {
    let mut defect = [0.0; W];
    for values in by_component::<W>(values) {
        for lane in 0..W {
            // infinity times zero is NaN
            defect[lane] += values[lane] * 0.0;
        }
    }
    out[..W].copy_from_slice(&defect);
    defect.iter().fold(true, |sound, &defect| sound & (defect == 0.0))
}
