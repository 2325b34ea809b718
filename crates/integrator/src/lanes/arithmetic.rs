//! The loops of a step over all lanes, compiled for each instruction set.

use super::lane_control::LaneControl;
use super::lane_steps::LaneSteps;
use super::loops::{self, Rows, States};
use super::weights::Term;
use crate::norm::ErrorNorm;
use crate::series::step_rule::StepRule;
use catena_linear::{Aligned, InstructionSet};

type Advance = fn(&[Term], &[f64], &[f64], &[f64], &mut [f64]);
type SumSeries = fn(&[f64], [&[f64]; 2], &mut [f64], &mut [f64]);
type Promise = fn(&StepRule, &ErrorNorm, [&[f64]; 2], &[f64], &mut [f64]);
type Combine = fn(&[Term], &[f64], &[f64], &mut [f64]);
type SeriesRows = fn(&[f64], [&[f64]; 2], &[f64], &mut [f64]);
type EvaluateDense = fn(Rows<'_>, &LaneSteps, &[f64], [&[f64]; 2], &mut [f64]);
type Accept = fn(&mut LaneControl, &mut LaneSteps, &Aligned, &[Aligned; 2]) -> bool;

/// The loops of one instruction set.
pub(super) struct Arithmetic {
    /// $y+h\sum w_jk_j$ from weights, slopes, y and h.
    pub(super) advance: Advance,
    /// $h\sum w_jk_j$ from weights, slopes and h.
    pub(super) combine: Combine,
    /// $\sum w_jk_j$ from weights and slopes.
    pub(super) sum: fn(&[Term], &[f64], &mut [f64]),
    /// The size of $h\sum w_jk_j$ relative to the tolerance, for each lane, from the sums.
    pub(super) measure: fn(&ErrorNorm, &[f64], States<'_>, &mut [f64]),
    /// Sums of power series at h, from their coefficients, y and h, and their slopes there.
    pub(super) sum_series: SumSeries,
    /// The steps that the last coefficients of power series promise.
    pub(super) promise: Promise,
    /// Rows of [`crate::dense`]: of a power series, from its coefficients, both ends of the step and its length,
    pub(super) series_rows: SeriesRows,
    /// and of the cubic through both ends, which are states with their slopes behind them.
    pub(super) hermite_rows: fn([&[f64]; 2], &[f64], &mut [f64]),
    /// States at times of the last steps, from their rows and both ends.
    pub(super) evaluate_dense: EvaluateDense,
    /// Two estimates joined as [`crate::explicit`] does, in the place of the first.
    pub(super) join: fn(&mut [f64], &[f64]),
    /// The beginning, the length and the end of the attempts, one behind the other.
    pub(super) put_times: fn(&LaneSteps, &mut [f64]),
    /// Times at a fraction of the attempt.
    pub(super) times: fn(&LaneSteps, f64, &mut [f64]),
    /// 0 for each lane whose values are finite, else NaN; whether all are finite.
    pub(super) defect: fn(&[f64], &mut [f64]) -> bool,
    /// Whether no lane has a defect, of these that are 0 or NaN.
    pub(super) are_sound: fn(&[f64]) -> bool,
    /// What the series of the lanes promise.
    pub(super) foresee: fn(&mut LaneControl, &[f64]),
    /// The next attempts of lanes that errors steer.
    pub(super) propose: fn(&LaneControl, &mut LaneSteps),
    /// Accepts what is accurate; whether all lanes that run have made a step and go on.
    pub(super) accept: Accept,
    /// The next fixed step of every lane.
    pub(super) propose_fixed: fn(&mut LaneSteps),
    /// The attempts of all lanes become steps; whether a lane has no more to make.
    pub(super) accept_fixed: fn(&mut LaneSteps) -> bool,
}

/// The loops for an instruction set that this machine has.
pub(super) fn for_set(set: InstructionSet) -> &'static Arithmetic {
    match set {
        InstructionSet::Portable => &PORTABLE,
        InstructionSet::Neon => &NEON,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => &AVX2,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2Pairs => &AVX2_PAIRS,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => &AVX512,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512Pairs => &AVX512_PAIRS,
        #[cfg(not(target_arch = "x86_64"))]
        _ => &PORTABLE,
    }
}

static PORTABLE: Arithmetic = plain::<4>();
static NEON: Arithmetic = plain::<2>();

/// The loops with the features that every processor of its kind has: on aarch64 they are NEON's.
const fn plain<const W: usize>() -> Arithmetic {
    Arithmetic {
        advance: loops::advance::<W>,
        combine: loops::combine::<W>,
        sum: loops::sum::<W>,
        measure: loops::measure::<W>,
        sum_series: loops::sum_series::<W>,
        promise: loops::promise::<W>,
        series_rows: loops::series_rows::<W>,
        hermite_rows: loops::hermite_rows::<W>,
        evaluate_dense: loops::evaluate_dense::<W>,
        join: loops::join::<W>,
        put_times: LaneSteps::put::<W>,
        times: LaneSteps::at::<W>,
        defect: loops::defect::<W>,
        are_sound: loops::are_sound::<W>,
        foresee: LaneControl::foresee::<W>,
        propose: LaneControl::propose::<W>,
        accept: LaneControl::accept::<W>,
        propose_fixed: LaneSteps::propose_fixed::<W>,
        accept_fixed: LaneSteps::accept_fixed::<W>,
    }
}

/// The same loops, compiled with the features of an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($name:ident, $module:ident, $width:literal, $features:literal) => {
        static $name: Arithmetic = Arithmetic {
            // SAFETY: the table is used only where the instruction set is available
            advance: |w, k, y, h, out| unsafe { $module::advance(w, k, y, h, out) },
            combine: |w, k, h, out| unsafe { $module::combine(w, k, h, out) },
            sum: |w, k, out| unsafe { $module::sum(w, k, out) },
            measure: |norm, sums, states, out| unsafe { $module::measure(norm, sums, states, out) },
            sum_series: |c, at, sum, slope| unsafe { $module::sum_series(c, at, sum, slope) },
            promise: |rule, norm, c, y, out| unsafe { $module::promise(rule, norm, c, y, out) },
            series_rows: |c, ends, h, rows| unsafe { $module::series_rows(c, ends, h, rows) },
            hermite_rows: |ends, h, rows| unsafe { $module::hermite_rows(ends, h, rows) },
            evaluate_dense: |rows, steps, times, ends, out| unsafe {
                $module::evaluate_dense(rows, steps, times, ends, out)
            },
            join: |fifth, third| unsafe { $module::join(fifth, third) },
            put_times: |steps, out| unsafe { $module::put_times(steps, out) },
            times: |steps, fraction, out| unsafe { $module::times(steps, fraction, out) },
            defect: |values, out| unsafe { $module::defect(values, out) },
            are_sound: |defects| unsafe { $module::are_sound(defects) },
            foresee: |control, promised| unsafe { $module::foresee(control, promised) },
            propose: |control, steps| unsafe { $module::propose(control, steps) },
            accept: |control, steps, errors, defects| unsafe {
                $module::accept(control, steps, errors, defects)
            },
            propose_fixed: |steps| unsafe { $module::propose_fixed(steps) },
            accept_fixed: |steps| unsafe { $module::accept_fixed(steps) },
        };

        mod $module {
            use super::{Aligned, ErrorNorm, LaneControl, LaneSteps, Rows, States, StepRule, Term};

            #[target_feature(enable = $features)]
            pub(super) fn advance(w: &[Term], k: &[f64], y: &[f64], h: &[f64], out: &mut [f64]) {
                super::super::loops::advance::<$width>(w, k, y, h, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn combine(w: &[Term], k: &[f64], h: &[f64], out: &mut [f64]) {
                super::super::loops::combine::<$width>(w, k, h, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn sum(w: &[Term], k: &[f64], out: &mut [f64]) {
                super::super::loops::sum::<$width>(w, k, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn measure(
                norm: &ErrorNorm,
                sums: &[f64],
                states: States<'_>,
                out: &mut [f64],
            ) {
                super::super::loops::measure::<$width>(norm, sums, states, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn sum_series(
                coefficients: &[f64],
                at: [&[f64]; 2],
                sums: &mut [f64],
                slopes: &mut [f64],
            ) {
                super::super::loops::sum_series::<$width>(coefficients, at, sums, slopes);
            }

            #[target_feature(enable = $features)]
            pub(super) fn promise(
                rule: &StepRule,
                norm: &ErrorNorm,
                coefficients: [&[f64]; 2],
                y: &[f64],
                out: &mut [f64],
            ) {
                super::super::loops::promise::<$width>(rule, norm, coefficients, y, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn series_rows(c: &[f64], ends: [&[f64]; 2], h: &[f64], rows: &mut [f64]) {
                super::super::loops::series_rows::<$width>(c, ends, h, rows);
            }

            #[target_feature(enable = $features)]
            pub(super) fn hermite_rows(ends: [&[f64]; 2], h: &[f64], rows: &mut [f64]) {
                super::super::loops::hermite_rows::<$width>(ends, h, rows);
            }

            #[target_feature(enable = $features)]
            pub(super) fn evaluate_dense(
                rows: Rows<'_>,
                steps: &LaneSteps,
                times: &[f64],
                ends: [&[f64]; 2],
                out: &mut [f64],
            ) {
                super::super::loops::evaluate_dense::<$width>(rows, steps, times, ends, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn join(fifth: &mut [f64], third: &[f64]) {
                super::super::loops::join::<$width>(fifth, third);
            }

            #[target_feature(enable = $features)]
            pub(super) fn put_times(steps: &LaneSteps, out: &mut [f64]) {
                steps.put::<$width>(out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn times(steps: &LaneSteps, fraction: f64, out: &mut [f64]) {
                steps.at::<$width>(fraction, out);
            }

            #[target_feature(enable = $features)]
            pub(super) fn defect(values: &[f64], out: &mut [f64]) -> bool {
                super::super::loops::defect::<$width>(values, out)
            }

            #[target_feature(enable = $features)]
            pub(super) fn are_sound(defects: &[f64]) -> bool {
                super::super::loops::are_sound::<$width>(defects)
            }

            #[target_feature(enable = $features)]
            pub(super) fn foresee(control: &mut LaneControl, promised: &[f64]) {
                control.foresee::<$width>(promised);
            }

            #[target_feature(enable = $features)]
            pub(super) fn propose(control: &LaneControl, steps: &mut LaneSteps) {
                control.propose::<$width>(steps);
            }

            #[target_feature(enable = $features)]
            pub(super) fn accept(
                control: &mut LaneControl,
                steps: &mut LaneSteps,
                errors: &Aligned,
                defects: &[Aligned; 2],
            ) -> bool {
                control.accept::<$width>(steps, errors, defects)
            }

            #[target_feature(enable = $features)]
            pub(super) fn propose_fixed(steps: &mut LaneSteps) {
                steps.propose_fixed::<$width>();
            }

            #[target_feature(enable = $features)]
            pub(super) fn accept_fixed(steps: &mut LaneSteps) -> bool {
                steps.accept_fixed::<$width>()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(AVX2, avx2, 4, "avx2");
#[cfg(target_arch = "x86_64")]
compiled_for!(AVX2_PAIRS, avx2_pairs, 8, "avx2");
#[cfg(target_arch = "x86_64")]
compiled_for!(AVX512, avx512, 8, "avx512f");
#[cfg(target_arch = "x86_64")]
compiled_for!(AVX512_PAIRS, avx512_pairs, 16, "avx512f");
