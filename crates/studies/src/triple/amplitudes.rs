//! Which states occur as the pivot is shaken harder.

use super::settled::{Conditions, StrobedMotion};
use super::{amplitude, friction, pendulum, said};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::analysis::AnswerFilm;
use catena::figure::{Axis, Colour, Figure, Panel, Series};
use catena::simulation::Table;
use catena::{Animation, FrameTimes, RunSettings};

/// Those of Figures 3b and 3c, Hz.
const FREQUENCIES: [f64; 2] = [0.5, 1.5];
/// N m s
const FRICTION: f64 = 0.1;
/// The largest amplitude, m; all are multiples of the smallest step.
const LARGEST_AMPLITUDE: f64 = 1.0;
/// m
const AMPLITUDE_STEP: f64 = 0.05;
/// Periods after which a motion stays undecided; an eighth of them must have gone by before one is called chaotic, so that
/// chaos that ends is not taken for chaos.
const PERIODS: &str = "32768";
const QUICK_PERIODS: &str = "16384";
/// Motions whose sections and films are shown: frequency, Hz, and amplitude, m.
const SHOWN: [(f64, f64); 3] = [(0.5, 0.4), (0.5, 0.6), (1.5, 0.6)];
/// Periods that pass before a section is drawn, and those that it shows.
const TRANSIENT_PERIODS: usize = 4000;
const SECTION_PERIODS: usize = 1500;
const QUICK_SECTION_PERIODS: usize = 800;
/// States a period apart that are nearer than this, rad and rad/s, are the same.
const MAX_RESIDUAL: f64 = 1e-6;
/// What axes of sections span at least, rad and rad/s: a point is a point.
const LEAST_SPAN: f64 = 2.0;
/// s
const FILM_DURATION: f64 = 20.0;
const FRAMES: usize = 400;
/// The kinds that the study names.
const KINDS: [&str; 3] = ["periodic", "quasi-periodic", "chaotic"];

/// The kind of a motion at an amplitude.
struct Found {
    frequency: f64,
    amplitude: f64,
    class: String,
    exponent: f64,
    error: f64,
    doubt: String,
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let friction = friction(lab, FRICTION);
    let mut section = Section::default();
    section.text(format!(
        "The study shows the three kinds of states at one amplitude. Here the pivot is shaken harder and harder, up to \
         {LARGEST_AMPLITUDE} m, with R = {} N m s, each time from rest, and the vote of the indicators names what becomes \
         of the motion. Chaotic tumbling may last for hundreds of seconds and end in a periodic motion or in one that \
         turns over once in each period, so that a motion is called chaotic only after thousands of periods.",
        said(friction)
    ));
    let mut found = Vec::new();
    let mut figure = Figure::new("Exponents over the amplitude");
    for (at, &frequency) in FREQUENCIES.iter().enumerate() {
        let part = lab.part(0.3 * at as f64..0.3 * (at + 1) as f64);
        let model = pendulum(lab, &[("f", frequency), ("R", friction)])?;
        let over = amplitude_list(lab);
        let periods = lab.quick_or(QUICK_PERIODS, PERIODS);
        let answer = part.ask("classify", &model, &[("over", &over), ("periods", periods)])?;
        found.extend(rows(&answer.table, frequency));
        if let Some(panel) = answer.figure.panels.first() {
            let x = Axis::linear("amplitude of the pivot, m");
            let title = format!("{frequency} Hz");
            figure = figure.with(Panel { title, x, ..panel.clone() });
        }
    }
    section.figure(
        "amplitudes",
        "Largest exponent against the amplitude of the pivot, in the colours of the kinds.",
        figure,
    );
    section.table("amplitudes", "Kinds of motion over the amplitude of the pivot", table(&found));
    let shown = shown(lab, friction)?;
    section.figure(
        "sections",
        "Sections once in each period of the drive, after 4000 periods: a curve is quasi-periodic, a point periodic or \
         rotating, a cloud chaotic.",
        sections(&shown),
    );
    section.film("amplitudes-film", "The motions of these sections.", films(lab, &shown)?);
    section.claim(claim(&found, amplitude(lab)));
    Ok(section)
}

/// From the smallest amplitude up; the quick form leaves out every other one of the larger.
fn amplitude_list(lab: &Laboratory<'_>) -> String {
    let steps = (LARGEST_AMPLITUDE / AMPLITUDE_STEP).round() as usize;
    let kept = (1..=steps).filter(|step| !lab.quick || *step <= 10 || step % 2 == 0);
    let values: Vec<String> = kept.map(|step| said(step as f64 * AMPLITUDE_STEP)).collect();
    format!("eta0={}", values.join(","))
}

fn rows(table: &Table, frequency: f64) -> Vec<Found> {
    let number = |name: &str, row: usize| table.numbers(name).map_or(f64::NAN, |list| list[row]);
    let word =
        |name: &str, row: usize| table.words(name).map_or(String::new(), |list| list[row].clone());
    let row = |row: usize| Found {
        frequency,
        amplitude: number("eta0", row),
        class: word("class", row),
        exponent: number("exponent", row),
        error: number("exponent_error", row),
        doubt: word("doubt", row),
    };
    (0..table.len()).map(row).collect()
}

fn table(found: &[Found]) -> Table {
    let numbers = |of: fn(&Found) -> f64| found.iter().map(of).collect::<Vec<_>>();
    let kind = |found: &Found| match found.doubt.as_str() {
        "" => found.class.clone(),
        doubt => format!("{}: {doubt}", found.class),
    };
    Table::default()
        .with_numbers("f", "Hz", numbers(|found| found.frequency))
        .with_numbers("amplitude", "m", numbers(|found| found.amplitude))
        .with_words("kind", found.iter().map(kind).collect())
        .with_numbers("largest exponent", "1/s", numbers(|found| found.exponent))
        .with_numbers("error", "1/s", numbers(|found| found.error))
}

/// A motion after its transient.
struct Shown {
    label: String,
    motion: StrobedMotion,
}

fn shown(lab: &Laboratory<'_>, friction: f64) -> Result<Vec<Shown>, StudyError> {
    let periods = TRANSIENT_PERIODS + lab.quick_or(QUICK_SECTION_PERIODS, SECTION_PERIODS);
    lab.part(0.6..0.9).each(&SHOWN, |lab, &(frequency, amplitude)| {
        let conditions = Conditions { frequency, friction, amplitude };
        let label = format!("{frequency} Hz, {amplitude} m");
        Ok(Shown { label, motion: conditions.strobed(lab, periods)? })
    })
}

fn sections(shown: &[Shown]) -> Figure {
    let panel = |figure: Figure, (at, shown): (usize, &Shown)| {
        let columns = &shown.motion.columns;
        let from = TRANSIENT_PERIODS.min(columns[2].len());
        // all points of a motion that repeats are one, which is to be seen
        let repeats = shown.motion.residual() < MAX_RESIDUAL;
        let shown_from = if repeats { columns[2].len() - 1 } else { from };
        let points = Series::marks("section", &columns[2][shown_from..], &columns[5][shown_from..]);
        let axes =
            (ranged("θ₃, rad", &columns[2][from..]), ranged("θ̇₃, rad/s", &columns[5][from..]));
        let panel = Panel::new(shown.label.clone(), axes.0, axes.1);
        figure.with(panel.with(points.coloured(Colour::Number(at))))
    };
    shown.iter().enumerate().fold(Figure::new("Once in each period of the drive"), panel)
}

/// An axis that shows all values, and at least [`LEAST_SPAN`].
fn ranged(label: &str, values: &[f64]) -> Axis {
    let ends = [
        values.iter().copied().fold(f64::INFINITY, f64::min),
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ];
    let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.55 * (ends[1] - ends[0]));
    let half = half.max(0.5 * LEAST_SPAN);
    let range = half.is_finite().then_some([middle - half, middle + half]);
    Axis { range, ..Axis::linear(label) }
}

fn films(lab: &Laboratory<'_>, shown: &[Shown]) -> Result<Animation, StudyError> {
    let settings = RunSettings::new().t_end(FILM_DURATION).tolerance(1e-9).no_certify();
    let film = |shown: &Shown| {
        let run = lab.film(&shown.motion.model, &settings, &FrameTimes::Evenly(FRAMES))?;
        let film = run.film.unwrap_or_default();
        Ok(AnswerFilm { label: shown.label.clone(), film, verdict: None })
    };
    Ok(Animation {
        title: "Harder shaking".to_owned(),
        about: "after thousands of periods".to_owned(),
        films: shown.iter().map(film).collect::<Result<_, StudyError>>()?,
        figure: None,
        clock: Some([String::new(), "s".to_owned()]),
        duration: None,
        speed: None,
    })
}

fn claim(found: &[Found], amplitude: f64) -> Claim {
    let least = |kind: &str, frequency: Option<f64>| {
        found
            .iter()
            .filter(|one| one.class == kind && frequency.is_none_or(|f| one.frequency == f))
            .map(|one| one.amplitude)
            .min_by(f64::total_cmp)
    };
    let needed: Option<Vec<f64>> = KINDS.iter().map(|kind| least(kind, None)).collect();
    let verdict = match needed.map(|needed| needed.into_iter().fold(0.0, f64::max)) {
        None => Verdict::DoesNotHold,
        Some(needed) if needed <= amplitude * (1.0 + 1e-9) => Verdict::Holds,
        Some(needed) => Verdict::HoldsIf(format!(
            "the pivot moves by up to {} m, {} times as far",
            said(needed),
            said(needed / amplitude)
        )),
    };
    let at = |frequency: f64| {
        let kinds = ["periodic", "quasi-periodic", "rotating", "chaotic"];
        let known = kinds.iter().filter_map(|kind| {
            let from = least(kind, Some(frequency))?;
            let exponents =
                found.iter().filter(|one| one.class == *kind && one.frequency == frequency);
            let [low, high] = exponents
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], one| {
                    [low.min(one.exponent), high.max(one.exponent)]
                });
            let exponents = match low < high {
                true => format!("exponents {} to {} 1/s", said(low), said(high)),
                false => format!("exponent {} 1/s", said(low)),
            };
            Some(format!("{kind} from {} m ({exponents})", said(from)))
        });
        format!("at {frequency} Hz {}", known.collect::<Vec<_>>().join(", "))
    };
    Claim::new("T6", "periodic, quasi-periodic and chaotic states all occur")
        .published("at one amplitude, which is not given for Figure 3; 0.05 m for Figure 2")
        .measured(FREQUENCIES.map(at).join("; "), verdict)
        .because(
            "Chaos needs links that go over the top. At 1.5 Hz even hard shaking ends in order: tumbling for hundreds of \
             seconds looks chaotic, and then all links turn once in each period, or swing with it; several such motions \
             exist side by side. Angles of rotations grow without end, and their exponents are negative: two runs whose \
             angles are not compared on the circle show rounding that looks like chaos.",
        )
}
