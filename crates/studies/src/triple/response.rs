//! Figures 4 to 6: amplitudes against frequency by the full model, by the linear model and by its transfer function.

use super::angles::NAMES;
use super::response_curve::{
    self, Peak, ResponseCurve, frequency_range, of_linear_model, transfer_function,
};
use super::{amplitude, frictions, pendulum, said};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};
use catena::simulation::Table;

/// N m s: the study does not say.
const FRICTIONS: [f64; 3] = [0.1, 0.5, 1.0];
/// Hz
const RANGE: [f64; 2] = [0.05, 2.0];
/// Points over the range, for motions and for transfer functions.
const POINTS: usize = 391;
const QUICK_POINTS: usize = 118;
const TRANSFER_POINTS: usize = 781;
/// Around the first resonance, where the full model jumps: Hz, and how many points.
const FIRST_RESONANCE: [f64; 2] = [0.3, 0.33];
const FIRST_RESONANCE_POINTS: usize = 31;
/// How many times points around peaks are made denser.
const REFINEMENTS: usize = 1;
/// Peaks above this are the last two, Hz.
const LAST_PEAKS_ABOVE: f64 = 0.5;
/// How far two peaks may be apart to be at the same place, relative to their frequency: the shift of the first.
const MAX_FIRST_SHIFT: f64 = 0.05;
/// The same for all peaks of the comparison.
const MAX_SHIFT: f64 = 0.04;
/// How far the heights of two peaks may be apart, relative to the linear one.
const MAX_HEIGHT_DIFFERENCE: f64 = 0.2;
/// By what the amplitude of the pivot is divided to see the full model become linear.
const SMALL: f64 = 100.0;
/// Away from resonances, Hz.
const OFF_RESONANCE: &str = "f=0.1,0.2,0.45,0.55,0.95,1.6,2";

/// The same responses by three routes, at each friction.
struct Routes {
    full: Vec<ResponseCurve>,
    linear: Vec<ResponseCurve>,
    transfer: Vec<ResponseCurve>,
    /// The largest difference between the full model, shaken little, and the transfer function, relative to it.
    small_difference: f64,
    /// The largest difference between the linear model in time and its transfer function, relative to the largest amplitude.
    linear_difference: f64,
}

impl Routes {
    fn new(lab: &Laboratory<'_>) -> Result<Routes, StudyError> {
        let (friction, amplitude) = (frictions(lab, &FRICTIONS), amplitude(lab));
        let model = pendulum(lab, &[("eta0", amplitude)])?;
        let points = lab.quick_or(QUICK_POINTS, POINTS);
        let grid = grid(points);
        let full =
            response_curve::settled(&lab.part(0.0..0.5), &model, &grid, &friction, REFINEMENTS)?;
        let coarse = frequency_range(RANGE[0], RANGE[1], points);
        let linear = lab.part(0.5..0.9).each(&friction, |lab, &friction| {
            let model = pendulum(lab, &[("R", friction), ("eta0", amplitude)])?;
            of_linear_model(lab, &model, &coarse, friction)
        })?;
        let fine = frequency_range(RANGE[0], RANGE[1], TRANSFER_POINTS);
        let transfer = transfer_function(lab, &model, &fine, &friction, amplitude)?;
        let at_the_same = |curve: &ResponseCurve| {
            let list: Vec<String> = curve.frequencies.iter().map(f64::to_string).collect();
            let list = format!("f={}", list.join(","));
            let transfer = transfer_function(lab, &model, &list, &[curve.friction], amplitude)?;
            Ok(transfer.first().map_or(f64::NAN, |transfer| largest_difference(curve, transfer)))
        };
        let differences: Result<Vec<f64>, StudyError> = linear.iter().map(at_the_same).collect();
        let small_difference = small_difference(lab, friction[0])?;
        let linear_difference = differences?.into_iter().fold(0.0, f64::max);
        Ok(Routes { full, linear, transfer, small_difference, linear_difference })
    }
}

/// Even over the range and dense where the full model jumps.
fn grid(points: usize) -> String {
    let even = |[from, to]: [f64; 2], count: usize| {
        (0..count).map(move |at| from + (to - from) * at as f64 / (count - 1) as f64)
    };
    let mut all: Vec<f64> =
        even(RANGE, points).chain(even(FIRST_RESONANCE, FIRST_RESONANCE_POINTS)).collect();
    all.sort_by(f64::total_cmp);
    // points of both grids that nearly coincide
    let least = 0.1 * (FIRST_RESONANCE[1] - FIRST_RESONANCE[0]) / FIRST_RESONANCE_POINTS as f64;
    all.dedup_by(|next, before| *next - *before < least);
    let texts: Vec<String> = all.iter().map(|value| format!("{value:.6}")).collect();
    format!("f={}", texts.join(","))
}

/// Of the same frequencies, relative to the largest amplitude of each angle.
fn largest_difference(one: &ResponseCurve, other: &ResponseCurve) -> f64 {
    let of_angle = |(one, other): (&Vec<f64>, &Vec<f64>)| {
        let largest = other.iter().copied().fold(0.0, f64::max);
        one.iter().zip(other).map(|(a, b)| (a - b).abs() / largest).fold(0.0, f64::max)
    };
    one.amplitudes.iter().zip(&other.amplitudes).map(of_angle).fold(0.0, f64::max)
}

fn small_difference(lab: &Laboratory<'_>, friction: f64) -> Result<f64, StudyError> {
    let small = amplitude(lab) / SMALL;
    let model = pendulum(lab, &[("eta0", small)])?;
    let full = response_curve::settled(lab, &model, OFF_RESONANCE, &[friction], 0)?;
    let transfer = transfer_function(lab, &model, OFF_RESONANCE, &[friction], small)?;
    let pairs = full.iter().zip(&transfer).flat_map(|(full, transfer)| {
        full.amplitudes.iter().flatten().zip(transfer.amplitudes.iter().flatten())
    });
    Ok(pairs.map(|(full, transfer)| (full / transfer - 1.0).abs()).fold(0.0, f64::max))
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let routes = Routes::new(lab)?;
    let amplitude = amplitude(lab);
    let mut section = Section::default();
    section.text(format!(
        "How far the angles swing once the transient is over, against the frequency of the pivot (amplitude {amplitude} m), \
         is found in three ways: by motions of the linear model, by motions of the full model, each from rest, and from the \
         transfer function of the linear model. The study does not give the friction of these figures. Motions of the linear \
         model agree with its transfer function to {} of the largest amplitude, and the full model, shaken {SMALL} times \
         less, to {} of the amplitude away from resonances.",
        said(routes.linear_difference),
        said(routes.small_difference)
    ));
    let caption = "Figure 4 of the study: settled amplitudes of the linear model.";
    section.figure(
        "figure-4",
        caption,
        by_friction(&routes.linear, "Linear model", "amplitude, rad", 1.0, true),
    );
    let caption = "Figure 5 of the study: settled amplitudes of the full model, from rest.";
    section.figure(
        "figure-5",
        caption,
        by_friction(&routes.full, "Full model", "amplitude, rad", 1.0, false),
    );
    let caption = "Figure 6 of the study: the transfer function from the pivot to the angles.";
    let scale = 1.0 / amplitude;
    section.figure(
        "figure-6",
        caption,
        by_friction(&routes.transfer, "Transfer function", "|θ/η|, rad/m", scale, true),
    );
    section.figure("three-routes", "θ₃ by all three routes.", overlaid(&routes));
    section.table("peaks", "Peaks of the full model and of the transfer function", table(&routes));
    let unsettled: usize = routes.full.iter().map(|curve| curve.unsettled).sum();
    if unsettled > 0 {
        section.text(format!(
            "{unsettled} of the motions had not settled when they were given up: near the jump two motions compete for long."
        ));
    }
    section.claim(same_first_peak(&routes));
    section.claim(lost_peaks(&routes));
    section.claim(all_peaks(&routes));
    Ok(section)
}

fn by_friction(
    curves: &[ResponseCurve],
    title: &str,
    label: &str,
    scale: f64,
    logarithmic: bool,
) -> Figure {
    curves.iter().fold(Figure::new(title), |figure, curve| {
        let y = if logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) };
        let title = format!("R = {} N m s", said(curve.friction));
        let panel = Panel::new(title, Axis::linear("f, Hz"), y);
        figure.with((0..3).fold(panel, |panel, angle| {
            let heights: Vec<f64> =
                curve.amplitudes[angle].iter().map(|amplitude| scale * amplitude).collect();
            let series = Series::line(NAMES[angle], curve.frequencies.clone(), heights);
            panel.with(series.coloured(Colour::Number(angle)))
        }))
    })
}

fn overlaid(routes: &Routes) -> Figure {
    let triples = routes.full.iter().zip(&routes.linear).zip(&routes.transfer);
    triples.fold(Figure::new("θ₃ by three routes"), |figure, ((full, linear), transfer)| {
        let title = format!("R = {} N m s", said(full.friction));
        let line = |name: &str, curve: &ResponseCurve, colour: usize| {
            Series::line(name, curve.frequencies.clone(), curve.amplitudes[2].clone())
                .coloured(Colour::Number(colour))
        };
        let panel = Panel::new(title, Axis::linear("f, Hz"), Axis::logarithmic("θ₃, rad"))
            .with(line("full model", full, 0))
            .with(line("linear model", linear, 1))
            .with(line("transfer function", transfer, 2).dashed(Dash::Dashed));
        figure.with(panel)
    })
}

/// Peaks of the full model with those of the transfer function, from low to high frequencies.
fn pairs(full: &ResponseCurve, transfer: &ResponseCurve, angle: usize) -> Vec<(Peak, Peak)> {
    full.peaks[angle].iter().copied().zip(transfer.peaks[angle].iter().copied()).collect()
}

fn shift((full, transfer): &(Peak, Peak)) -> f64 {
    full.frequency / transfer.frequency - 1.0
}

fn table(routes: &Routes) -> Table {
    let mut table = Table::new(
        [
            "R, N m s",
            "angle",
            "peak",
            "full model, Hz",
            "linear, Hz",
            "shift, %",
            "full model, rad",
            "linear, rad",
        ],
        0,
    );
    for (full, transfer) in routes.full.iter().zip(&routes.transfer) {
        for angle in 0..3 {
            for (at, pair) in pairs(full, transfer, angle).iter().enumerate() {
                let shift = 100.0 * shift(pair);
                table.push([
                    full.friction,
                    (angle + 1) as f64,
                    (at + 1) as f64,
                    pair.0.frequency,
                    pair.1.frequency,
                    shift,
                    pair.0.height,
                    pair.1.height,
                ]);
            }
        }
    }
    table
}

/// The smallest friction from which on something holds, as a condition of a verdict.
fn from_friction(routes: &Routes, holds: &[bool]) -> Verdict {
    let first = (0..holds.len()).find(|&at| holds[at..].iter().all(|holds| *holds));
    match first {
        Some(0) => Verdict::Holds,
        Some(at) => {
            Verdict::HoldsIf(format!("R is at least {} N m s", said(routes.full[at].friction)))
        }
        None => Verdict::DoesNotHold,
    }
}

fn same_first_peak(routes: &Routes) -> Claim {
    let both = || routes.full.iter().zip(&routes.transfer);
    let firsts = |full: &ResponseCurve, transfer: &ResponseCurve| {
        (0..3).filter_map(|angle| pairs(full, transfer, angle).first().copied()).collect::<Vec<_>>()
    };
    let said_at =
        |(full, transfer): (&ResponseCurve, &ResponseCurve)| match firsts(full, transfer).first() {
            None => format!("R = {}: no peak", said(full.friction)),
            Some((full_peak, linear)) => format!(
                "R = {}: {:.3} against {:.3} Hz, {} against {} rad",
                said(full.friction),
                full_peak.frequency,
                linear.frequency,
                said(full_peak.height),
                said(linear.height)
            ),
        };
    let holds: Vec<bool> = both()
        .map(|(full, transfer)| {
            let firsts = firsts(full, transfer);
            let same = |pair: &(Peak, Peak)| {
                let height = pair.0.height / pair.1.height - 1.0;
                shift(pair).abs() < MAX_FIRST_SHIFT && height.abs() < MAX_HEIGHT_DIFFERENCE
            };
            firsts.len() == 3 && firsts.iter().all(same)
        })
        .collect();
    let measured: Vec<String> = both().map(said_at).collect();
    Claim::new("T7", "the first peak is the same in both models")
        .measured(format!("θ₁, full against linear: {}", measured.join("; ")), from_friction(routes, &holds))
        .because(
            "A pendulum is slower the farther it swings: the peak bends to lower frequencies and ends in a jump long before \
             the height that little friction would allow. Its place differs by a few per cent, its height by far more.",
        )
}

/// Peaks of each angle above the first resonance.
fn last_peaks(curve: &ResponseCurve) -> [usize; 3] {
    std::array::from_fn(|angle| {
        curve.peaks[angle].iter().filter(|peak| peak.frequency > LAST_PEAKS_ABOVE).count()
    })
}

fn lost_peaks(routes: &Routes) -> Claim {
    let list = |counts: [usize; 3]| counts.map(|count| count.to_string()).join(", ");
    let said_at = |(full, transfer): (&ResponseCurve, &ResponseCurve)| {
        format!(
            "R = {}: {} ({} in the linear model)",
            said(full.friction),
            list(last_peaks(full)),
            list(last_peaks(transfer))
        )
    };
    let measured: Vec<String> = routes.full.iter().zip(&routes.transfer).map(said_at).collect();
    let lost: Vec<bool> = routes.full.iter().map(|curve| last_peaks(curve) == [0; 3]).collect();
    let same = routes
        .full
        .iter()
        .zip(&routes.transfer)
        .all(|(full, transfer)| last_peaks(full) == last_peaks(transfer));
    Claim::new("T8", "above 0.5 Hz the full model loses the last two peaks")
        .measured(
            format!("peaks of θ₁, θ₂, θ₃ above {LAST_PEAKS_ABOVE} Hz: {}", measured.join("; ")),
            from_friction(routes, &lost),
        )
        .because(match same {
            true => {
                "The linear model has as many: peaks are lost to friction, not to nonlinearity."
            }
            false => "Friction takes peaks from both models; what they differ by is nonlinearity.",
        })
}

fn all_peaks(routes: &Routes) -> Claim {
    let both = || routes.full.iter().zip(&routes.transfer);
    let worst = |full: &ResponseCurve, transfer: &ResponseCurve, number: usize| {
        let shifts = (0..3).filter_map(|angle| pairs(full, transfer, angle).get(number).map(shift));
        shifts.max_by(|a, b| a.abs().total_cmp(&b.abs()))
    };
    let said_at = |(full, transfer): (&ResponseCurve, &ResponseCurve)| {
        let names = ["first", "second", "third"];
        let shifts = names.iter().enumerate().filter_map(|(at, name)| {
            worst(full, transfer, at).map(|shift| format!("{name} {:+.1} %", 100.0 * shift))
        });
        let shifts = shifts.collect::<Vec<_>>().join(", ").replace('-', "−");
        format!("R = {}: {shifts}", said(full.friction))
    };
    let holds: Vec<bool> = both()
        .map(|(full, transfer)| {
            let same_count =
                (0..3).all(|angle| full.peaks[angle].len() == transfer.peaks[angle].len());
            let all = (0..3).filter_map(|number| worst(full, transfer, number));
            same_count && all.into_iter().all(|shift| shift.abs() < MAX_SHIFT)
        })
        .collect();
    let measured: Vec<String> = both().map(said_at).collect();
    Claim::new("T9", "peaks of the linear model, of the transfer function and of the full model lie at almost exactly the same frequencies")
        .measured(
            format!(
                "frequencies of peaks, linear model and transfer function: {}; full model against them (the angle that differs most): {}",
                said(routes.linear_difference),
                measured.join("; ")
            ),
            from_friction(routes, &holds),
        )
        .because(
            "The first two routes solve the same equations. The full model follows them while its swings are small: away from \
             resonances, or with friction that keeps the peaks low.",
        )
}
