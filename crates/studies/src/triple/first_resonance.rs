//! Figure 7: how high the first resonance is against friction.

use super::angles::{COLUMNS, NAMES, listed, verdict};
use super::response_curve::{frequency_range, list, number, settled, transfer_function};
use super::{amplitude, frictions, pendulum, said};
use crate::{Claim, Laboratory, Section, StudyError};
use catena::analysis::{DecayFit, exponent, fit_decay};
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};

/// N m s
const QUICK_FRICTIONS: [f64; 7] = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0];
const FRICTION_STEP: f64 = 0.05;
/// Where the peak of the full model is looked for, Hz.
const RANGE: [f64; 2] = [0.295, 0.335];
const POINTS: usize = 41;
const QUICK_POINTS: usize = 21;
/// The exponent of the study, 1/(N m s).
const PUBLISHED_RATE: f64 = 0.5;
/// How far a rate may be from the published one, relative to it.
const MAX_RATE_DIFFERENCE: f64 = 0.2;

/// Heights against friction, for each angle.
struct Heights {
    friction: Vec<f64>,
    /// rad; not a number where there is no peak.
    heights: [Vec<f64>; 3],
}

impl Heights {
    /// The exponential through what is known of an angle.
    fn decay(&self, angle: usize) -> Option<DecayFit> {
        self.decay_within(angle, [0.0, f64::INFINITY])
    }

    /// The same between two frictions, N m s.
    fn decay_within(&self, angle: usize, [from, to]: [f64; 2]) -> Option<DecayFit> {
        let all = self.friction.iter().zip(&self.heights[angle]);
        let known = all.filter(|(x, y)| (from..=to).contains(*x) && y.is_finite());
        let (x, y): (Vec<f64>, Vec<f64>) = known.map(|(x, y)| (*x, *y)).unzip();
        fit_decay(&x, &y)
    }

    fn rates(&self) -> [f64; 3] {
        std::array::from_fn(|angle| self.decay(angle).map_or(f64::NAN, |fit| fit.rate))
    }

    fn series(&self, angle: usize) -> Series {
        Series::line_and_marks(NAMES[angle], self.friction.clone(), self.heights[angle].clone())
            .coloured(Colour::Number(angle))
    }
}

/// What Figure 7 is made of.
struct Found {
    /// Undamped first natural frequency, Hz.
    natural: f64,
    at_peak: Heights,
    /// The lowest and the highest frequency of the peaks, Hz.
    peak_range: [f64; 2],
    at_natural: Heights,
    linear: Heights,
}

impl Found {
    fn new(lab: &Laboratory<'_>) -> Result<Found, StudyError> {
        let published: Vec<f64> = match lab.quick {
            true => QUICK_FRICTIONS.to_vec(),
            false => (1..=20).map(|step| f64::from(step) * FRICTION_STEP).collect(),
        };
        let friction = frictions(lab, &published);
        let model = pendulum(lab, &[("eta0", amplitude(lab))])?;
        let natural = natural_frequency(lab)?;
        let (at_peak, peak_range) = at_peak(lab, &model, &friction)?;
        let single = format!("f={natural}");
        let at_natural = settled(lab, &model, &single, &friction, 0)?;
        let linear = transfer_function(lab, &model, &single, &friction, amplitude(lab))?;
        let heights = |curves: &[super::response_curve::ResponseCurve]| Heights {
            friction: curves.iter().map(|curve| curve.friction).collect(),
            heights: std::array::from_fn(|angle| {
                let first = |curve: &super::response_curve::ResponseCurve| {
                    curve.amplitudes[angle].first().copied().unwrap_or(f64::NAN)
                };
                curves.iter().map(first).collect()
            }),
        };
        let (at_natural, linear) = (heights(&at_natural), heights(&linear));
        Ok(Found { natural, at_peak, peak_range, at_natural, linear })
    }
}

fn natural_frequency(lab: &Laboratory<'_>) -> Result<f64, StudyError> {
    let model = pendulum(lab, &[("R", 0.0)])?;
    let modes = lab.ask("modes", &model, &[])?;
    Ok(modes.table.numbers("natural_hz").and_then(|list| list.first().copied()).unwrap_or(f64::NAN))
}

/// The heights of the peak, wherever it is.
fn at_peak(
    lab: &Laboratory<'_>,
    model: &catena::Model,
    friction: &[f64],
) -> Result<(Heights, [f64; 2]), StudyError> {
    let frequencies = frequency_range(RANGE[0], RANGE[1], lab.quick_or(QUICK_POINTS, POINTS));
    let values: Vec<String> = friction.iter().map(f64::to_string).collect();
    let values = format!("R={}", values.join(","));
    let answer = lab.ask("resonance", model, &[("over", &frequencies), ("over", &values)])?;
    let mut heights: [Vec<f64>; 3] = Default::default();
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for track in list(&answer.result["tracks"]) {
        let angle = COLUMNS.iter().position(|name| track["output"] == *name).unwrap_or_default();
        for row in list(&track["rows"]) {
            let place = number(&row["peak"]["frequency"]);
            range = [range[0].min(place), range[1].max(place)];
            heights[angle].push(number(&row["peak"]["amplitude"]));
        }
    }
    Ok((Heights { friction: friction.to_vec(), heights }, range))
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let found = Found::new(lab)?;
    let mut section = Section::default();
    section.text(format!(
        "The study says that at the first resonance the largest angles fall as e^(−{PUBLISHED_RATE}R). What that means depends \
         on where one looks: at the peak of the full model, which lies at {:.4} to {:.4} Hz here, or at the natural frequency \
         {:.4} Hz of small swings, where the full model has jumped to smaller swings already. In the linear model the \
         height goes as a power of R.",
        found.peak_range[0], found.peak_range[1], found.natural
    ));
    section.figure(
        "figure-7",
        "Figure 7 of the study: settled amplitudes against friction; at the peak with exponentials fitted (dashed) and the \
         law of the study (dotted, drawn through the fit of θ₁ at R = 0), at the natural frequency, and by the linear model.",
        figure(&found),
    );
    section.claim(claim(&found));
    Ok(section)
}

fn figure(found: &Found) -> Figure {
    let x = || Axis::linear("R, N m s");
    let mut at_peak = Panel::new("full model, at its peak", x(), Axis::linear("amplitude, rad"));
    let fitted = |fit: DecayFit, name: &str| {
        let y = found.at_peak.friction.iter().map(|r| fit.prefactor * (-fit.rate * r).exp());
        Series::line(name, found.at_peak.friction.clone(), y.collect::<Vec<_>>())
    };
    for angle in 0..3 {
        at_peak = at_peak.with(found.at_peak.series(angle));
        if let Some(fit) = found.at_peak.decay(angle) {
            let series = fitted(fit, "fitted").coloured(Colour::Number(angle));
            at_peak = at_peak.with(series.dashed(Dash::Dashed));
        }
    }
    if let Some(fit) = found.at_peak.decay(0) {
        let law = fitted(DecayFit { rate: PUBLISHED_RATE, ..fit }, "law of the study");
        at_peak = at_peak.with(law.coloured(Colour::Number(3)).dashed(Dash::Dotted));
    }
    let natural = format!("full model, at {:.4} Hz", found.natural);
    let natural = Panel::new(natural, x(), Axis::linear("amplitude, rad"));
    let linear = Panel::new("linear model", x(), Axis::logarithmic("amplitude, rad"));
    Figure::new("Height of the first resonance")
        .with(at_peak)
        .with((0..3).fold(natural, |panel, angle| panel.with(found.at_natural.series(angle))))
        .with((0..3).fold(linear, |panel, angle| panel.with(found.linear.series(angle))))
}

fn claim(found: &Found) -> Claim {
    let (at_peak, at_natural) = (found.at_peak.rates(), found.at_natural.rates());
    let near = |rate: f64| (rate / PUBLISHED_RATE - 1.0).abs() < MAX_RATE_DIFFERENCE;
    let points: Vec<(f64, f64)> = found
        .linear
        .friction
        .iter()
        .copied()
        .zip(found.linear.heights[0].iter().copied())
        .collect();
    let power = exponent(&points).unwrap_or(f64::NAN);
    let middle = 0.5 * found.at_peak.friction.iter().copied().fold(0.0, f64::max);
    let half =
        |within: [f64; 2]| found.at_peak.decay_within(0, within).map_or(f64::NAN, |fit| fit.rate);
    let halves = [half([0.0, middle]), half([middle, f64::INFINITY])];
    let rates = |rates: [f64; 3]| listed(&rates.map(|rate| format!("{rate:.2}")));
    Claim::new("T10", "at the first resonance the largest angles fall as e^(−0.5R)")
        .published("rate 0.5 1/(N m s)")
        .measured(
            format!(
                "rates of fitted exponentials at the peak: {} (θ₁ {:.2} up to R = {} and {:.2} beyond); at the natural frequency: {}; the linear model goes as R to the power {}",
                rates(at_peak),
                halves[0],
                said(middle),
                halves[1],
                rates(at_natural),
                said(power)
            ),
            verdict(at_peak.map(near)),
        )
        .because(
            "The height of the full model's peak is set by where its bent branch ends, not by friction alone: it saturates as R \
             falls, most for the lowest link. No exponential fits all of it: other ranges of R give other rates.",
        )
}
