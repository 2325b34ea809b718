//! How fast the tip is: Figure 12.

use super::chain::{
    Conditions, Method, STABILISED_OMEGA, TOLERANCES, Trial, at_all_tolerances, figure, range,
};
use super::curves::with_curves;
use super::draws::{COMPARED_FROM, Draw, Drawing, Draws};
use super::truth::{EVERY, exact};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Figure, Panel};

/// The grid of the figure, s.
const GRID: f64 = 0.01;
/// An error of more than this part of the largest speed is seen in the figure: 1.9 m/s where the axis ends at 60 m/s.
const SEEN: f64 = 1.0 / 30.0;

/// One for each panel: what is drawn, and the label of the axis.
const COMPONENTS: [&str; 3] = ["$v_{x}$, m/s", "$v_{y}$, m/s", "speed, m/s"];

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let truth = exact(lab, &conditions)?;
    let mut section = Section::default();
    section.text(
        "The velocity of the tip. The study does not say which component it shows: here are both, and the speed. The peak of \
         the speed shortly before 2 s is the crack of the whip. Errors are largest there, where being late by little is being \
         wrong by much, and the study's curves part afterwards.",
    );
    let files = [
        ("figure-12-velocities-recursive", Method::recursive()),
        ("figure-12-velocities-augmented-lagrangian", conditions.augmented()),
    ];
    let mut errors = Figure::new("");
    for (file, method) in &files {
        let trials = at_all_tolerances(lab, conditions.links, method, GRID, EVERY)?;
        let caption = format!(
            "Figure 12 of the study, {}: velocity of the tip against time, grid 0.01 s, a curve for each tolerance; the true \
             velocity is dotted.",
            method.label
        );
        section.figure(file, caption, plot(&method.label, &trials, &truth));
        errors = errors.with(error_panel(&method.label, &trials, &truth));
    }
    if !conditions.are_stabilised() {
        let method = conditions.stabilised();
        let trials = at_all_tolerances(lab, conditions.links, &method, GRID, EVERY)?;
        errors = errors.with(error_panel(&method.label, &trials, &truth));
    }
    section.figure(
        "velocity-errors",
        "Errors of the same velocities: the length of the difference to the true one.",
        errors,
    );
    let lab = lab.part(0.1..1.0);
    let runs = lab.quick_or(5, 40);
    let draw = |method: &Method, tolerance: f64| {
        Draws::take(&lab, Drawing { method, tolerance, runs }, &truth, conditions.links)
    };
    let own = conditions.augmented();
    let found = Errors {
        recursive: draw(&Method::recursive(), TOLERANCES[0])?,
        own: TOLERANCES.iter().map(|&at| draw(&own, at)).collect::<Result<_, _>>()?,
        stabilised: draw(&conditions.stabilised(), TOLERANCES[0])?,
    };
    let bound = SEEN * truth.speed().into_iter().fold(0.0, f64::max);
    section.claim(found.claim(&conditions, bound));
    Ok(section)
}

fn plot(title: &str, trials: &[Trial], truth: &Trial) -> Figure {
    let mut figure = Figure::new(title);
    for (at, label) in COMPONENTS.iter().enumerate() {
        let panel = Panel::new("", Axis::linear("$t$, s"), Axis::linear(*label));
        let points = |trial: &Trial| [trial.column("t").to_vec(), component(trial, at)];
        figure = figure.with(with_curves(panel, Some(truth), trials, &points));
    }
    figure
}

/// Errors of the velocity over time, m/s.
fn error_panel(title: &str, trials: &[Trial], truth: &Trial) -> Panel {
    let y = Axis { range: Some([1e-6, 100.0]), ..Axis::logarithmic("error, m/s") };
    let panel = Panel::new(title, Axis::linear("$t$, s"), y);
    with_curves(panel, None, trials, &|trial| {
        [trial.column("t").to_vec(), trial.velocity_errors(truth)]
    })
}

fn component(trial: &Trial, at: usize) -> Vec<f64> {
    match at {
        0 => trial.column("tip_vx").to_vec(),
        1 => trial.column("tip_vy").to_vec(),
        _ => trial.speed(),
    }
}

fn velocity_error(draw: &Draw) -> f64 {
    draw.velocity_error
}

/// Errors of the tip's velocity.
struct Errors {
    /// At the loosest tolerance.
    recursive: Draws,
    /// Of the augmented Lagrangian, for each tolerance.
    own: Vec<Draws>,
    /// With stabilisation, at the loosest tolerance.
    stabilised: Draws,
}

impl Errors {
    /// What the errors say; those above the bound, m/s, are seen.
    fn claim(&self, conditions: &Conditions, bound: f64) -> Claim {
        let middle = |draws: &Draws| draws.median(velocity_error);
        let seen = |draws: &Draws| middle(draws) > bound;
        let reliable = !seen(&self.recursive) && !self.own.iter().skip(1).any(seen);
        let verdict = match (seen(&self.own[0]) && reliable, seen(&self.stabilised)) {
            (false, _) => Verdict::DoesNotHold,
            (true, true) => Verdict::Holds,
            (true, false) if conditions.omega == 0.0 => {
                Verdict::HoldsIf("nothing stabilises the constraints (ω = 0)".to_owned())
            }
            (true, false) => Verdict::HoldsIf(format!(
                "stabilisation is as weak as ω = {}",
                figure(conditions.omega)
            )),
        };
        let tighter: Vec<String> = self
            .own
            .iter()
            .zip(TOLERANCES)
            .skip(1)
            .map(|(draws, at)| format!("{} at {at}", figure(middle(draws))))
            .collect();
        let measured = format!(
            "largest error of the tip's velocity, {COMPARED_FROM}–5 s, median of {} runs: at 0.1 {} m/s (on the study's grids {}) \
             against {} m/s (grids: {}) of the recursive method; then {} m/s; with ω = {STABILISED_OMEGA} at 0.1 {} m/s; \
             above {} m/s it is seen in the figure",
            self.recursive.all(velocity_error).len(),
            figure(middle(&self.own[0])),
            range(&self.own[0].of_study(velocity_error)),
            figure(middle(&self.recursive)),
            range(&self.recursive.of_study(velocity_error)),
            tighter.join(", "),
            figure(middle(&self.stabilised)),
            figure(bound),
        );
        let why = match verdict {
            Verdict::DoesNotHold => {
                "With its constraints held the augmented Lagrangian is as good as the recursive method at the same tolerance."
            }
            _ => {
                "Errors of Φ̇ are errors of velocity, and nothing takes them back. At 0.01 they are too small to be seen in the figure."
            }
        };
        Claim::new(
            "A5",
            "velocities of the augmented Lagrangian are unstable at tolerance 0.1 and reliable from 0.01 on; those of the recursive \
             method vary a little at 0.1",
        )
        .published("Figure 12; no figures given")
        .measured(measured, verdict)
        .because(why)
    }
}
