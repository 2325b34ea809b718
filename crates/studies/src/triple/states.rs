//! Figure 3: three states, which the study calls periodic, quasi-periodic and chaotic.

use super::angles::{COLUMNS, NAMES};
use super::settled::{Conditions, StrobedMotion};
use super::{amplitude, friction, said};
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::analysis::AnswerFilm;
use catena::figure::{Axis, Colour, Figure, Panel, Series};
use catena::simulation::Table;
use catena::{Animation, Answer, FrameTimes, Run, RunSettings};

/// What is drawn of each motion, s.
const DURATION: f64 = 20.0;
const ROW_DISTANCE: f64 = 0.02;
const FRAMES: usize = 320;
const TOLERANCE: f64 = 1e-9;
/// Motions that exponents are averaged over.
const COPIES: &str = "4";
/// States a period apart that are nearer than this (rad and rad/s) are the same.
const MAX_RESIDUAL: f64 = 1e-9;
/// The least exponent of chaos, 1/s.
const LEAST_CHAOS: f64 = 0.1;

/// A state of Figure 3.
struct Published {
    /// Where its curves are written.
    file: &'static str,
    label: &'static str,
    /// Hz
    frequency: f64,
    /// N m s
    friction: f64,
    /// What the study calls it.
    kind: &'static str,
}

static PUBLISHED: [Published; 4] = [
    Published { file: "figure-3a", label: "(a)", frequency: 0.3, friction: 1.0, kind: "periodic" },
    Published {
        file: "figure-3b",
        label: "(b)",
        frequency: 1.5,
        friction: 0.1,
        kind: "quasi-periodic",
    },
    Published { file: "figure-3c", label: "(c)", frequency: 0.5, friction: 0.1, kind: "chaotic" },
    Published {
        file: "figure-3c-less-friction",
        label: "(c) with less friction",
        frequency: 0.5,
        friction: 0.01,
        kind: "chaotic",
    },
];

/// What was found of a state.
struct State {
    published: &'static Published,
    conditions: Conditions,
    /// From rest, filmed.
    first: Run,
    /// After the transient.
    settled: Run,
    strobed: StrobedMotion,
    /// Exponents of the settled motion, and their errors, 1/s.
    exponents: Vec<[f64; 2]>,
    vote: Answer,
}

impl State {
    fn new(lab: &Laboratory<'_>, published: &'static Published) -> Result<State, StudyError> {
        let conditions = Conditions {
            frequency: published.frequency,
            friction: friction(lab, published.friction),
            amplitude: amplitude(lab),
        };
        let model = conditions.model(lab)?;
        let settings = RunSettings::new()
            .t_end(DURATION)
            .every(ROW_DISTANCE)
            .tolerance(TOLERANCE)
            .columns(&COLUMNS)
            .no_certify();
        let first = lab.film(&model, &settings, &FrameTimes::Evenly(FRAMES))?;
        let strobed = conditions.strobed(lab, conditions.settling_periods(lab)?)?;
        let settled = lab.run(&strobed.model, &settings)?;
        let (end, count) = (conditions.exponent_time(lab)?.to_string(), lab.quick_or("2", "6"));
        let asked = [("copies", COPIES), ("exponents", count), ("t_end", end.as_str())];
        let spectrum = lab.ask("lyapunov", &strobed.model, &asked)?;
        let list = |name: &str| spectrum.result[name].as_array().cloned().unwrap_or_default();
        let pairs = list("exponents").into_iter().zip(list("errors"));
        let exponents = pairs
            .map(|(value, error)| [value, error].map(|n| n.as_f64().unwrap_or(f64::NAN)))
            .collect();
        let vote = lab.ask("classify", &model, &[])?;
        Ok(State { published, conditions, first, settled, strobed, exponents, vote })
    }

    fn class(&self) -> &str {
        self.vote.result["class"].as_str().unwrap_or("undecided")
    }

    /// The largest exponent and its error, 1/s.
    fn largest(&self) -> [f64; 2] {
        self.exponents.first().copied().unwrap_or([f64::NAN; 2])
    }

    fn title(&self) -> String {
        let Conditions { frequency, friction, .. } = self.conditions;
        format!("{}: f = {frequency} Hz, R = {} N m s", self.published.label, said(friction))
    }

    /// The vote, the exponent and the residual, as a claim says them.
    fn measured(&self) -> String {
        let [exponent, error] = self.largest();
        format!(
            "{} by the vote; largest exponent {} ± {} 1/s; states a period apart differ by {} at last",
            self.class(),
            said(exponent),
            plain(error),
            plain(self.strobed.residual())
        )
    }

    fn figure(&self) -> Figure {
        let angle =
            |run: &Run, at: usize| run.table.numbers(COLUMNS[at]).unwrap_or_default().to_vec();
        let in_time = |run: &Run, title: &str| {
            let t = run.table.numbers("t").unwrap_or_default();
            let panel = Panel::new(title, Axis::linear("t, s"), Axis::linear("angle, rad"));
            (0..3).fold(panel, |panel, at| {
                let series = Series::line(NAMES[at], t.to_vec(), angle(run, at));
                panel.with(series.coloured(Colour::Number(at)))
            })
        };
        let plane = Panel::new("θ₁ against θ₃", Axis::linear("θ₃, rad"), Axis::linear("θ₁, rad"))
            .with(
                Series::line("first 20 s", angle(&self.first, 2), angle(&self.first, 0))
                    .coloured(Colour::Number(0)),
            )
            .with(
                Series::line("settled", angle(&self.settled, 2), angle(&self.settled, 0))
                    .coloured(Colour::Number(1)),
            );
        let strobe = &self.strobed.columns;
        let axes = (Axis::linear("θ₃, rad"), Axis::linear("θ̇₃, rad/s"));
        let stride = strobe[2].len().div_ceil(MOST_POINTS).max(1);
        let thinned = |at: usize| strobe[at].iter().copied().step_by(stride).collect::<Vec<_>>();
        let last = strobe[2].len().saturating_sub(LAST_POINTS);
        let section = Panel::new("once in each period of the drive", axes.0, axes.1)
            .with(
                Series::marks("from the start", thinned(2), thinned(5)).coloured(Colour::Number(0)),
            )
            .with(
                Series::marks("the last ones", &strobe[2][last..], &strobe[5][last..])
                    .coloured(Colour::Number(1)),
            );
        Figure::new(self.title())
            .with(in_time(&self.first, "first 20 s"))
            .with(in_time(&self.settled, "20 s after the transient"))
            .with(plane)
            .with(section)
    }
}

/// Points of a section that are drawn at most, and those that are shown as its end.
const MOST_POINTS: usize = 4000;
const LAST_POINTS: usize = 10;

/// Two digits are enough for errors.
fn plain(error: f64) -> String {
    digits(error, 2)
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    // the state with the least friction takes longest and begins first
    let mut states = lab.each(&[3, 0, 1, 2], |lab, &at| State::new(lab, &PUBLISHED[at]))?;
    states.rotate_left(1);
    let mut section = Section::default();
    section.text(format!(
        "Figure 3 of the study shows θ₁, θ₂, θ₃ against time, and θ₁ against θ₃, of three states. Here each is followed from \
         rest (pivot amplitude {} m) until its transient has died out; its state is noted once in each period of the drive, \
         the Lyapunov exponents are taken from the settled motion, and a vote of independent indicators names its kind. \
         Without the exponent zero of the drive's phase, a periodic motion has negative exponents only, a \
         quasi-periodic one a largest exponent of zero, and a chaotic one a positive exponent.",
        amplitude(lab)
    ));
    section.table(
        "states",
        "The states of Figure 3: the indicators and their vote",
        table(&states),
    );
    for state in &states {
        let caption = format!(
            "Figure 3 {} of the study ({} there): the angles from rest and after the transient, θ₁ against θ₃, and the \
             section once in each period, which ends in {}.",
            state.published.label,
            state.published.kind,
            if state.strobed.residual() < MAX_RESIDUAL { "a point" } else { "no point" }
        );
        section.figure(state.published.file, caption, state.figure());
    }
    section.film("states-film", "The four states, first 20 s from rest.", animation(&states));
    for claim in claims(&states) {
        section.claim(claim);
    }
    Ok(section)
}

fn table(states: &[State]) -> Table {
    let words = |of: &dyn Fn(&State) -> String| states.iter().map(of).collect::<Vec<_>>();
    let numbers = |of: &dyn Fn(&State) -> f64| states.iter().map(of).collect::<Vec<_>>();
    let all = |state: &State| {
        let values = state.exponents.iter().map(|[value, _]| said(*value));
        values.collect::<Vec<_>>().join(", ")
    };
    Table::default()
        .with_words("state", words(&|state| state.published.label.to_owned()))
        .with_numbers("f", "Hz", numbers(&|state| state.conditions.frequency))
        .with_numbers("R", "N m s", numbers(&|state| state.conditions.friction))
        .with_words("the study", words(&|state| state.published.kind.to_owned()))
        .with_words("the vote", words(&|state| state.class().to_owned()))
        .with_words("exponents, 1/s", words(&all))
        .with_numbers("error of the largest", "1/s", numbers(&|state| state.largest()[1]))
        .with_numbers("distance a period apart", "", numbers(&|state| state.strobed.residual()))
        .with_numbers(
            "0–1 test",
            "",
            numbers(&|state| state.vote.result["zero_one"].as_f64().unwrap_or(f64::NAN)),
        )
        .with_numbers(
            "periods looked at by the vote",
            "",
            numbers(&|state| state.vote.result["periods"].as_f64().unwrap_or(f64::NAN)),
        )
}

fn animation(states: &[State]) -> Animation {
    let film = |state: &State| AnswerFilm {
        label: state.title(),
        film: state.first.film.clone().unwrap_or_default(),
        verdict: None,
    };
    Animation {
        title: "The states of Figure 3".to_owned(),
        about: "first 20 s from rest".to_owned(),
        films: states.iter().map(film).collect(),
        figure: None,
        clock: Some([String::new(), "s".to_owned()]),
        duration: None,
        speed: None,
    }
}

fn claims(states: &[State]) -> Vec<Claim> {
    let [a, b, c, less] = states else { return Vec::new() };
    let periodic = |state: &State| {
        state.class() == "periodic"
            && state.largest()[0] < 0.0
            && state.strobed.residual() < MAX_RESIDUAL
    };
    let chaotic = |state: &State| state.class() == "chaotic" && state.largest()[0] > LEAST_CHAOS;
    let second = b.class() == "quasi-periodic";
    vec![
        Claim::new("T3", "the state of Figure 3a is periodic")
            .measured(a.measured(), Verdict::of(periodic(a)))
            .because(match periodic(a) {
                true => "Neighbouring motions meet: friction leaves one motion, with the period of the drive.",
                false => "The pivot moves too far for the motion that small swings come to.",
            }),
        Claim::new("T4", "the state of Figure 3b is quasi-periodic")
            .measured(b.measured(), Verdict::of(second))
            .because(match second {
                true => "Two frequencies without a common period remain.",
                false => {
                    "The slow beat of the figure is the transient: natural modes that friction takes minutes to damp, on top \
                     of the motion with the period of the drive. Nothing of it is left in the end."
                }
            }),
        Claim::new("T5", "the state of Figure 3c is chaotic")
            .published("friction of 0.1 N m s in the caption, 0.01 in the text")
            .measured(
                format!("{}; with R = {}: {}", c.measured(), said(less.conditions.friction), less.measured()),
                match (chaotic(c), chaotic(less)) {
                    (true, true) => Verdict::Holds,
                    (true, false) => Verdict::HoldsIf("friction is that of the caption".to_owned()),
                    (false, true) => Verdict::HoldsIf("friction is that of the text".to_owned()),
                    (false, false) => Verdict::DoesNotHold,
                },
            )
            .because(match chaotic(c) {
                true => "The links go over the top, and neighbouring motions part exponentially.",
                false => {
                    "The angles stay small, where the equations are nearly linear and neighbouring motions meet; the irregular \
                     curve of the first seconds is a sum of the drive and three decaying modes."
                }
            }),
    ]
}
