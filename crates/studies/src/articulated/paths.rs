//! Where the tip goes: Figure 11, and whether it runs away.

use super::chain::{
    Conditions, Method, STABILISED_OMEGA, TOLERANCES, Trial, at_all_tolerances, figure, list, range,
};
use super::curves::with_curves;
use super::draws::{Draw, Drawing, Draws};
use super::truth::{EVERY, exact};
use super::weighing::weighed;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Figure, Panel};

/// The grid of the figure, s.
const GRID: f64 = 0.1;
/// Where the end of the paths begins, s.
const LAST_SECOND: f64 = 4.0;
/// A tip that is lower than it should be by more than this part of the chain's length has run away: 2.5 m of 20 m.
const RUNAWAY: f64 = 0.125;
/// The largest tip errors of a method that is stable, for each tolerance, as parts of the chain's length: 0.8 m, 0.2 m, 1 cm
/// and 0.2 mm of 20 m.
const STABLE: [f64; 4] = [0.04, 0.01, 5e-4, 1e-5];

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let truth = exact(lab, &conditions)?;
    let mut section = Section::default();
    section.text(
        "The path of the tip, one curve for each tolerance. In joint coordinates a loose tolerance costs accuracy and nothing \
         else: the rods stay linked. In absolute coordinates nothing asks for Φ = 0, only for Φ̈ = 0, and what the steps get \
         wrong stays: an error of Φ̇ for good, and an error of Φ that grows with it.",
    );
    let methods = [Method::recursive(), conditions.augmented(), conditions.stabilised()];
    let drawn = lab.part(0.0..0.1).each(&methods, |lab, method| {
        at_all_tolerances(lab, conditions.links, method, GRID, EVERY)
    })?;
    // the third panel shows what the second would have with stabilisation
    let panels = if conditions.are_stabilised() { 2 } else { 3 };
    let plot = |from: f64| {
        let shown = methods.iter().zip(&drawn).take(panels);
        shown.fold(Figure::new(""), |plot, (method, trials)| {
            plot.with(panel(&method.label, trials, &truth, from))
        })
    };
    section.figure(
        "figure-11-tip-paths",
        "Figure 11 of the study: the path of the tip for 5 s, grid 0.1 s, a panel for each method and a curve for each \
         tolerance; the true path is dotted. The study has no panel with ω = 10.",
        plot(0.0),
    );
    section.figure(
        "figure-11-last-second",
        "The end of the same paths, from 4 s on.",
        plot(LAST_SECOND),
    );
    let lab = lab.part(0.1..1.0);
    let runs = lab.quick_or(10, 60);
    let draw = |method: &Method, tolerance: f64| {
        Draws::take(&lab, Drawing { method, tolerance, runs }, &truth, conditions.links)
    };
    let own = draw(&methods[1], TOLERANCES[0])?;
    let stabilised = draw(&methods[2], TOLERANCES[0])?;
    let recursive: Vec<Draws> = TOLERANCES
        .iter()
        .map(|&tolerance| draw(&methods[0], tolerance))
        .collect::<Result<_, _>>()?;
    section.text(format!(
        "At tolerance 0.1 a run is one draw among many: with a tolerance that differs in its ninth digit the tip of the augmented \
         Lagrangian ends elsewhere, by metres. Here {} runs were made for each grid, the first of which has exactly the numbers of the \
         study; over all of them the tip ends between {} m and {} m in y, where {} m is right.",
        own.grids[0].len(),
        figure(least(&own.all(tip_y))),
        figure(largest(&own.all(tip_y))),
        figure(truth.tip()[1]),
    ));
    section.claim(runaway(&conditions, &truth, &own, &stabilised));
    section.claim(recursive_is_stable(&conditions, &recursive));
    Ok(section)
}

fn tip_y(draw: &Draw) -> f64 {
    draw.tip_y
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Paths from this time on, s.
fn panel(title: &str, trials: &[Trial], truth: &Trial, from: f64) -> Panel {
    let mut panel = Panel::new(title, Axis::linear("$x$, m"), Axis::linear("$y$, m"));
    // what is left of the paths in the end is too small for equal scales
    panel.equal_scales = from == 0.0;
    with_curves(panel, Some(truth), trials, &|trial| {
        let first = trial.column("t").iter().take_while(|time| **time < from).count();
        ["tip_x", "tip_y"].map(|name| trial.column(name)[first..].to_vec())
    })
}

fn runaway(conditions: &Conditions, truth: &Trial, own: &Draws, stabilised: &Draws) -> Claim {
    let bound = truth.tip()[1] - RUNAWAY * conditions.length();
    let away = |draws: &Draws| draws.share(|draw| draw.tip_y < bound);
    let shares = [away(own), away(stabilised)];
    let measured = format!(
        "tip y at 5 s on the four grids: {} m (true {}); below {} m in {} runs that differ in the ninth digit of the \
         tolerance; with ω = {STABILISED_OMEGA}: {} m, {}",
        list(&own.of_study(tip_y)),
        figure(truth.tip()[1]),
        figure(bound),
        shares[0],
        list(&stabilised.of_study(tip_y)),
        shares[1]
    );
    let verdict = weighed(shares[0], shares[1], conditions.omega);
    let why = match verdict {
        Verdict::DoesNotHold => {
            "The constraint errors that the steps leave decay within 1/ω, so that the rods stay together and the tip stays near \
             its true path."
        }
        _ => {
            "Only Φ̈ = 0 is asked for: errors of Φ̇ stay, and joints open steadily. A chain with open joints is longer, and its \
             tip is lower in most runs. How much lower is decided by rounding: what the study found at one grid step is one draw, and \
             the grid step is not what decides it."
        }
    };
    Claim::new(
        "A1",
        "the augmented Lagrangian at tolerance 0.1 runs away towards −y at every grid step",
    )
    .published("Figure 11; no figures given")
    .measured(measured, verdict)
    .because(why)
}

fn recursive_is_stable(conditions: &Conditions, draws: &[Draws]) -> Claim {
    let length = conditions.length();
    let mut parts = Vec::new();
    let mut stable = true;
    for ((draws, tolerance), bound) in draws.iter().zip(TOLERANCES).zip(STABLE) {
        let bound = bound * length;
        let inside = draws.share(|draw| draw.tip_error < bound);
        // only the loosest runs depend on rounding
        stable &= if tolerance < TOLERANCES[0] { inside.is_all() } else { inside.is_rule() };
        parts.push(format!(
            "{} m at {tolerance} (below {} m in {inside} runs)",
            range(&draws.of_study(|draw| draw.tip_error)),
            figure(bound)
        ));
    }
    let measured = format!("tip errors at 5 s: {}; joints cannot open", parts.join("; "));
    let why = match stable {
        true => {
            "Joint coordinates have no constraints that could be violated; what is left is the error of the steps, which \
             follows the tolerance. At 0.1 that is still about half a metre, where a single run is chance and most of them decide; \
             below that all of them do."
        }
        false => "The error of the steps is larger than a stable method would leave.",
    };
    Claim::new("A4", "the recursive method is stable at every tolerance and grid step")
        .published("Figure 11; no figures given")
        .measured(measured, Verdict::of(stable))
        .because(why)
}
