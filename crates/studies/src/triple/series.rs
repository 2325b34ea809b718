//! Figure 2: the lowest angle in time, by the linear model and by the full one.

use super::{amplitude, pendulum, said};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::RunSettings;
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};

/// Hz: that of the text and that of the caption.
const FREQUENCIES: [f64; 2] = [0.5, 1.0];
/// s
const DURATION: f64 = 20.0;
/// The beginning that is looked at by itself, s.
const BEGINNING: f64 = 5.0;
const ROW_DISTANCE: f64 = 0.02;
const TOLERANCE: f64 = 1e-10;
/// The largest difference, relative to the motion, with which a model counts as reproducing another.
const MAX_DIFFERENCE: f64 = 0.05;

/// Both models at a frequency.
struct Pair {
    frequency: f64,
    times: Vec<f64>,
    full: Vec<f64>,
    linear: Vec<f64>,
}

impl Pair {
    fn new(lab: &Laboratory<'_>, frequency: f64) -> Result<Pair, StudyError> {
        let model = pendulum(lab, &[("f", frequency), ("R", 0.0), ("eta0", amplitude(lab))])?;
        let settings = RunSettings::new()
            .t_end(DURATION)
            .every(ROW_DISTANCE)
            .tolerance(TOLERANCE)
            .columns(&["theta3"])
            .no_certify();
        let full = lab.run(&model, &settings)?;
        let linear = lab.run(&model, &settings.linear())?;
        let column =
            |run: &catena::Run, name: &str| run.table.numbers(name).unwrap_or_default().to_vec();
        Ok(Pair {
            frequency,
            times: column(&full, "t"),
            full: column(&full, "theta3"),
            linear: column(&linear, "theta3"),
        })
    }

    /// The root mean squares of the difference and of the full model up to a time, rad.
    fn rms_until(&self, end: f64) -> [f64; 2] {
        let rows = self.times.iter().take_while(|t| **t <= end).count();
        let rms = |of: &dyn Fn(usize) -> f64| {
            ((0..rows).map(|row| of(row).powi(2)).sum::<f64>() / rows as f64).sqrt()
        };
        [rms(&|row| self.full[row] - self.linear[row]), rms(&|row| self.full[row])]
    }

    fn relative_difference(&self, end: f64) -> f64 {
        let [difference, motion] = self.rms_until(end);
        difference / motion
    }

    /// The largest difference and the largest angle of the full model, rad.
    fn largest(&self) -> [f64; 2] {
        let differences = self.full.iter().zip(&self.linear).map(|(full, linear)| full - linear);
        let largest = |most: f64, value: f64| most.max(value.abs());
        [differences.fold(0.0, largest), self.full.iter().copied().fold(0.0, largest)]
    }

    fn panel(&self) -> Panel {
        let title = format!("{} Hz", self.frequency);
        Panel::new(title, Axis::linear("t, s"), Axis::linear("θ₃, rad"))
            .with(
                Series::line("full model", self.times.clone(), self.full.clone())
                    .coloured(Colour::Number(0)),
            )
            .with(
                Series::line("linear model", self.times.clone(), self.linear.clone())
                    .coloured(Colour::Number(1))
                    .dashed(Dash::Dashed),
            )
    }
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let pairs = lab.each(&FREQUENCIES, |lab, &frequency| Pair::new(lab, frequency))?;
    let mut section = Section::default();
    section.text(format!(
        "Without friction and shaken by {} m, the chain is followed for {DURATION} s from rest by the full equations and by \
         the linear ones. The text of the study says that this is 0.5 Hz, the caption of the figure 1 Hz.",
        amplitude(lab)
    ));
    let figure = pairs
        .iter()
        .fold(Figure::new("θ₃ without friction"), |figure, pair| figure.with(pair.panel()));
    section.figure("figure-2", "Figure 2 of the study: θ₃ by both models, R = 0.", figure);
    let sentence = |pair: &Pair| {
        let [difference, motion] = pair.largest();
        format!(
            "at {} Hz they differ by {} % in the root mean square ({} % in the first {BEGINNING} s), by {} of {} rad at most",
            pair.frequency,
            said(100.0 * pair.relative_difference(DURATION)),
            said(100.0 * pair.relative_difference(BEGINNING)),
            said(difference),
            said(motion)
        )
    };
    let sentences: Vec<String> = pairs.iter().map(sentence).collect();
    section.claim(claim(&pairs, &sentences.join("; ")));
    Ok(section)
}

fn claim(pairs: &[Pair], measured: &str) -> Claim {
    let agreeing: Vec<String> = pairs
        .iter()
        .filter(|pair| pair.relative_difference(DURATION) < MAX_DIFFERENCE)
        .map(|pair| pair.frequency.to_string())
        .collect();
    let verdict = match agreeing.as_slice() {
        [] => Verdict::DoesNotHold,
        some if some.len() == pairs.len() => Verdict::Holds,
        some => Verdict::HoldsIf(format!("f = {} Hz", some.join(" and "))),
    };
    Claim::new("T2", "the linear model reproduces the full one in time")
        .published("the curves of Figure 2 lie on each other")
        .measured(measured, verdict)
        .because(
            "Without friction the natural modes swing on, and larger swings are slower: phases part. 1 Hz lies between the \
             second and the third natural frequency and excites them more than 0.5 Hz does.",
        )
}
