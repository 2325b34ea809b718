//! What penalty factor and step do to energy and error, over a table of both.

use super::motion::{Case, Motion, SYSTEM, largest};
use super::{ALPHA, STEP};
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};
use catena::simulation::Table;

/// Parts of the main step that are run as well.
const PARTS: [f64; 4] = [1.0, 0.5, 0.25, 0.05];
/// An error of a velocity beyond which a motion has run away, m/s.
const RUN_AWAY: f64 = 10.0;
/// An error of a velocity that is no instability, m/s.
const STABLE: f64 = 0.1;
/// Energy that was created, not rounded, J.
const CREATED: f64 = 1.0;
/// Energy is proportional to αh⁴ if its exponent differs from 1 by less.
const PROPORTIONAL: f64 = 0.1;

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let (alpha, step) = (lab.number(&ALPHA), lab.number(&STEP));
    let mut cases = Vec::new();
    for kappa in [1.0, 0.5] {
        for alpha in [alpha, alpha / 10.0] {
            cases.extend(PARTS.map(|part| Case::springs(kappa, alpha, part * step)));
        }
    }
    let motions = lab.each(&cases, |lab, case| Motion::of(lab, case))?;
    let mut section = Section::default();
    section.text(
        "The table has every run with springs alone. The energy that counts is T + V + V*, with that of the springs; it is 0 at \
         the start, and the equations conserve it.",
    );
    section.table(
        "steps",
        "Springs alone: errors and energies over penalty factor and step",
        table(&motions),
    );
    section.figure(
        "energy",
        "Energy of the discrete motion, κ = 1: a step that is too long creates energy out of nothing",
        over_time(&motions, "$|T + V + V*|$, J", |motion| {
            motion.energy.iter().map(|energy| energy.abs()).collect()
        }),
    );
    section.figure(
        "violation",
        "Largest violation of a constraint, κ = 1",
        over_time(&motions, "$|Φ|$, m²", |motion| motion.violation.clone()),
    );
    section.figure(
        "created",
        "Largest energy against αh⁴: proportional until the motion runs away",
        created(&motions),
    );
    section.figure("orders", "Largest error of a velocity against the step", orders(&motions));
    claims(&mut section, &motions);
    Ok(section)
}

fn energy(motion: &Motion) -> f64 {
    motion.energy.iter().fold(0.0, |largest, energy| f64::max(largest, energy.abs()))
}

fn load(motion: &Motion) -> f64 {
    motion.case.alpha * motion.case.step.powi(4)
}

fn kappa(motion: &Motion) -> f64 {
    match motion.case.hold {
        super::motion::Hold::Springs { kappa } => kappa,
        super::motion::Hold::Damped { .. } => 0.0,
    }
}

fn table(motions: &[Motion]) -> Table {
    let numbers = |value: &dyn Fn(&Motion) -> f64| motions.iter().map(value).collect::<Vec<f64>>();
    Table::default()
        .with_numbers("κ", "", numbers(&kappa))
        .with_numbers("α", "", numbers(&|motion| motion.case.alpha))
        .with_numbers("h", "s", numbers(&|motion| motion.case.step))
        .with_numbers("αh⁴", "", numbers(&load))
        .with_numbers("position error", "m", numbers(&|motion| largest(&motion.position_error)))
        .with_numbers("velocity error", "m/s", numbers(&|motion| largest(&motion.velocity_error)))
        .with_numbers("largest |Φ|", "m²", numbers(&|motion| largest(&motion.violation)))
        .with_numbers("largest energy", "J", numbers(&energy))
        .with_numbers("energy / αh⁴", "", numbers(&|motion| energy(motion) / load(motion)))
        .with_words(
            "end",
            motions
                .iter()
                .map(|motion| match motion.finished() {
                    true => "4 s".to_owned(),
                    false => format!(
                        "no solution after {} s",
                        digits(motion.times.last().copied().unwrap_or(0.0), 3)
                    ),
                })
                .collect(),
        )
}

/// κ = 1 over time: colour for the step, dashes for the penalty factor.
fn over_time(motions: &[Motion], label: &str, values: impl Fn(&Motion) -> Vec<f64>) -> Figure {
    let mut panel = Panel::new("", Axis::linear("$t$, s"), Axis::logarithmic(label));
    for motion in motions.iter().filter(|motion| kappa(motion) == 1.0) {
        let (colour, dash, name) = look(motion, motions);
        let series = Series::line(name, motion.times.clone(), values(motion));
        panel = panel.with(series.coloured(colour).dashed(dash));
    }
    Figure::from(panel)
}

fn look(motion: &Motion, motions: &[Motion]) -> (Colour, Dash, String) {
    let steps: Vec<f64> = motions.iter().take(PARTS.len()).map(|motion| motion.case.step).collect();
    let at = steps.iter().position(|step| *step == motion.case.step).unwrap_or(0);
    let is_main = motion.case.alpha == motions[0].case.alpha;
    let dash = if is_main { Dash::Solid } else { Dash::Dotted };
    let name =
        format!("α = {}, h = {} s", digits(motion.case.alpha, 1), digits(motion.case.step, 4));
    (Colour::Number(at), dash, name)
}

fn created(motions: &[Motion]) -> Figure {
    let axis = |label: &str| Axis::logarithmic(label);
    let mut panel = Panel::new("", axis("$αh⁴$"), axis("largest energy, J"));
    for (number, factor) in [1.0, 0.5].into_iter().enumerate() {
        let own: Vec<&Motion> = motions.iter().filter(|motion| kappa(motion) == factor).collect();
        let x: Vec<f64> = own.iter().map(|motion| load(motion)).collect();
        let y: Vec<f64> = own.iter().map(|motion| energy(motion)).collect();
        panel = panel
            .with(Series::marks(format!("κ = {factor}"), x, y).coloured(Colour::Number(number)));
    }
    Figure::from(panel)
}

fn orders(motions: &[Motion]) -> Figure {
    let mut panel = Panel::new(
        "",
        Axis::logarithmic("$h$, s"),
        Axis::logarithmic("largest error of a velocity, m/s"),
    );
    for (number, own) in motions.chunks(PARTS.len()).enumerate() {
        let x: Vec<f64> = own.iter().map(|motion| motion.case.step).collect();
        let y: Vec<f64> = own.iter().map(|motion| largest(&motion.velocity_error)).collect();
        let name = format!("κ = {}, α = {}", kappa(&own[0]), digits(own[0].case.alpha, 1));
        let dash = if kappa(&own[0]) == 1.0 { Dash::Solid } else { Dash::Dotted };
        panel = panel
            .with(Series::line_and_marks(name, x, y).coloured(Colour::Number(number)).dashed(dash));
    }
    Figure::from(panel)
}

/// P3, P4, P5 and P8.
fn claims(section: &mut Section, motions: &[Motion]) {
    let speed = Motion::worst_velocity;
    let groups: Vec<&[Motion]> = motions.chunks(PARTS.len()).collect();
    let [stiff, soft, half, _] = groups.as_slice() else { return };
    let runs_away = speed(&stiff[0]) > RUN_AWAY || speed(&half[0]) > RUN_AWAY;
    let creates = energy(&stiff[0]).max(energy(&half[0])) > CREATED;
    section.claim(
        Claim::new("P3", "the cause is that nothing dissipates energy")
            .measured(
                format!(
                    "T + V + V* rises from 0 to {} J (κ = 1) and {} J (κ = ½)",
                    digits(energy(&stiff[0]), 2),
                    digits(energy(&half[0]), 2)
                ),
                match (runs_away, creates) {
                    (false, _) => Verdict::NotTestable,
                    (true, creates) => Verdict::of(!creates),
                },
            )
            .because(match runs_away {
                true => {
                    "The rule creates energy. The equations conserve it, and a method that did so would need no dissipation."
                }
                false => "With these settings there is no instability that needs a cause.",
            }),
    );
    let calm: Vec<&Motion> =
        motions.iter().filter(|motion| kappa(motion) == 1.0 && speed(motion) < 1.0).collect();
    let points: Vec<(f64, f64)> =
        calm.iter().map(|motion| (load(motion), energy(motion))).collect();
    let exponent = catena::analysis::exponent(&points).unwrap_or(f64::NAN);
    let stable_load = calm.iter().map(|motion| load(motion)).fold(0.0, f64::max);
    let wild = motions.iter().filter(|motion| kappa(motion) == 1.0 && speed(motion) > RUN_AWAY);
    let unstable_load = wild.map(load).fold(f64::INFINITY, f64::min);
    section.claim(
        Claim::new(
            "P4",
            "the rule is A-stable, the penalty factor makes it unstable, and only selected steps are stable",
        )
        .measured(
            match calm.len() {
                0 | 1 => "no two runs are calm".to_owned(),
                count => format!(
                    "largest energy ∼ (αh⁴) to the power {} in {count} runs up to αh⁴ = {}, where it is {} J; {}",
                    digits(exponent, 3),
                    digits(stable_load, 2),
                    digits(calm.iter().map(|motion| energy(motion)).fold(0.0, f64::max), 2),
                    match unstable_load.is_finite() {
                        true => format!("it runs away at {}", digits(unstable_load, 2)),
                        false => "none runs away".to_owned(),
                    }
                ),
            },
            match calm.len() {
                0 | 1 => Verdict::NotTestable,
                _ => Verdict::of(
                    unstable_load.is_finite() && (exponent - 1.0).abs() < PROPORTIONAL,
                ),
            },
        )
        .because(
            "A midpoint on a chord of the circle leaves Φ ∼ h², so the springs hold an energy ∼ αh⁴ that is not theirs. A-stability is \
             about linear problems, and says nothing here.",
        ),
    );
    let shorter = &stiff[1..];
    section.claim(
        Claim::new("P5", "a smaller step removes the instability")
            .measured(
                format!(
                    "velocity error {} m/s",
                    stiff
                        .iter()
                        .map(|motion| format!(
                            "{} (h = {} s)",
                            digits(speed(motion), 2),
                            digits(motion.case.step, 4)
                        ))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                match runs_away {
                    true => Verdict::of(shorter.iter().all(|motion| speed(motion) < STABLE)),
                    false => Verdict::NotTestable,
                },
            )
            .because("Below the onset the error falls with h², as the order of the rule says."),
    );
    let last = PARTS.len() - 1;
    let tends = [0, last].map(|at| speed(&stiff[at]) < speed(&soft[at]));
    let known = speed(&stiff[last]).is_finite() && speed(&soft[last]).is_finite();
    section.claim(
        Claim::new("P8", "the solution tends to the constrained one as α grows")
            .measured(
                format!(
                    "velocity error for α = {} and {}: {} and {} m/s at h = {} s, {} and {} m/s at {} s",
                    digits(soft[0].case.alpha, 1),
                    digits(stiff[0].case.alpha, 1),
                    digits(speed(&soft[0]), 2),
                    digits(speed(&stiff[0]), 2),
                    digits(stiff[0].case.step, 4),
                    digits(speed(&soft[last]), 2),
                    digits(speed(&stiff[last]), 2),
                    digits(stiff[last].case.step, 4)
                ),
                match tends {
                    _ if !known => Verdict::NotTestable,
                    [true, true] => Verdict::Holds,
                    [false, true] => Verdict::HoldsIf("the step shrinks too".into()),
                    [_, false] => Verdict::DoesNotHold,
                },
            )
            .because("The springs' error falls with 1/α, that of the rule grows with αh⁴: both have to be small."),
    );
}

/// The map that the study wishes for.
pub(super) fn map(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let mut section = Section::default();
    let model = lab.model(SYSTEM, &[])?;
    let answer = lab.ask("penalty", &model, &[])?;
    section.text(
        "Which time steps are stable \"needs to be worked out\", says the study. `catena analyze penalty` does so for any model with \
         constraints; here for this one, with springs alone and with dashpots and masses.",
    );
    section.figure("map", "Errors over penalty factor and step", answer.figure);
    section.table("map", "The same in figures", answer.table);
    Ok(section)
}
