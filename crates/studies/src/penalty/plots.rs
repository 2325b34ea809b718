//! Figures 3 to 8: the motions of the study beside that of rigid rods.

use super::motion::{Case, DURATION, Motion, SYSTEM, largest, rigid};
use super::{ALPHA, STEP};
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::analysis::AnswerFilm;
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};
use catena::{Animation, FrameTimes, RunSettings};

/// What counts as unstable, m/s: the masses themselves are never faster than 8 m/s.
const UNSTABLE: f64 = 10.0;
/// Speeds whose first passage by the error is told, m/s.
const LIMITS: [f64; 3] = [0.1, 1.0, UNSTABLE];
/// Displacements that differ by less look right in a figure, m.
const LOOKS_RIGHT: f64 = 0.05;
/// Velocities are smoothed where their error falls by this factor.
const SMOOTHED: f64 = 10.0;

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let (alpha, step) = (lab.number(&ALPHA), lab.number(&STEP));
    let cases = [
        Case::springs(1.0, alpha, step).printed(),
        Case::springs(0.5, alpha, step),
        Case::damped(0.5, 1.0, alpha, step),
        Case::damped(1.0, 10.0, alpha, step),
        Case::springs(1.0, alpha / 10.0, step),
        Case::springs(0.5, alpha / 10.0, step),
    ];
    let motions = lab.each(&cases, |lab, case| Motion::of(lab, case))?;
    let mut section = Section::default();
    section.text(format!(
        "All runs here have α = {} and a step of {step} s unless they say otherwise.",
        digits(alpha, 1)
    ));
    let model = lab.model(SYSTEM, &[])?;
    let exact = rigid(lab, &model, 0.01)?;
    let exact = |name: &str| exact.table.column(name).unwrap_or_default().to_vec();
    let shown = &motions[..3];
    let against_time = |name: &str, label: &str, range: Option<[f64; 2]>| {
        let mut panel =
            Panel::new("", Axis::linear("$t$, s"), Axis { range, ..Axis::linear(label) });
        for (at, motion) in shown.iter().enumerate() {
            panel = panel.with(curve(at, motion, "t", name));
        }
        let rigid = Series::line("rigid rods", exact("t"), exact(name)).coloured(RIGID);
        panel.with(rigid.dashed(Dash::Dotted))
    };
    let figure = |panels: Vec<Panel>| Figure { panels, ..Figure::default() };
    section.figure(
        "displacements",
        "Figures 3 and 4 of the study: heights of both masses",
        figure(vec![
            against_time("y1", "$y₁$, m", Some([-1.2, 0.4])),
            against_time("y2", "$y₂$, m", Some([-2.2, 0.4])),
        ]),
    );
    section.figure(
        "velocities",
        "Figures 5 and 6 of the study: vertical velocities, cut off at 10 m/s",
        figure(vec![
            against_time("y1'", "$ẏ₁$, m/s", Some([-UNSTABLE, UNSTABLE])),
            against_time("y2'", "$ẏ₂$, m/s", Some([-UNSTABLE, UNSTABLE])),
        ]),
    );
    section.figure(
        "velocities-whole",
        "The same velocities, not cut off",
        figure(vec![
            against_time("y1'", "$ẏ₁$, m/s", None),
            against_time("y2'", "$ẏ₂$, m/s", None),
        ]),
    );
    let phase = |name: &str, x: &str, y: &str, range: [f64; 2]| {
        let rate = format!("{name}'");
        let y_axis = Axis { range: Some([-UNSTABLE, UNSTABLE]), ..Axis::linear(y) };
        let mut panel = Panel::new("", Axis { range: Some(range), ..Axis::linear(x) }, y_axis);
        for (at, motion) in shown.iter().enumerate() {
            panel = panel.with(curve(at, motion, name, &rate));
        }
        panel.with(Series::line("rigid rods", exact(name), exact(&rate)).coloured(RIGID))
    };
    section.figure(
        "phase",
        "Figures 7 and 8 of the study: velocity against height of both masses, cut off at 10 m/s",
        figure(vec![
            phase("y1", "$y₁$, m", "$ẏ₁$, m/s", [-1.2, 0.4]),
            phase("y2", "$y₂$, m", "$ẏ₂$, m/s", [-2.2, 0.4]),
        ]),
    );
    section.film(
        "springs-and-rods",
        "Springs with the study's constants and rigid rods: the masses begin to tremble along their rods",
        film(lab, &cases[0])?,
    );
    claims(&mut section, &motions);
    Ok(section)
}

/// Rigid rods are seen through everything else.
const RIGID: Colour = Colour::Number(6);

fn curve(at: usize, motion: &Motion, x: &str, y: &str) -> Series {
    let dash = [Dash::Solid, Dash::Dashed, Dash::DashDotted][at % 3];
    Series::line(motion.case.label(), motion.column(x), motion.column(y))
        .coloured(Colour::Number(at))
        .dashed(dash)
}

fn film(lab: &Laboratory<'_>, case: &Case) -> Result<Animation, StudyError> {
    let model = lab.model(SYSTEM, &[])?;
    let frames = FrameTimes::Evenly((DURATION / 0.01) as usize + 1);
    let rigid = RunSettings::new().t_end(DURATION).no_certify();
    let mut films = Vec::new();
    for (label, settings) in [("rigid rods", rigid), ("springs, as printed", case.settings())] {
        let run = lab.film(&model, &settings, &frames)?;
        let film = run.film.unwrap_or_default();
        films.push(AnswerFilm { label: label.to_owned(), film, verdict: None });
    }
    Ok(Animation {
        title: model.title.clone(),
        about: String::new(),
        films,
        figure: None,
        clock: Some([String::new(), "s".to_owned()]),
        duration: None,
        speed: None,
    })
}

/// First passages in words.
fn passages(motion: &Motion) -> String {
    let passages = LIMITS.map(|limit| match motion.passes(limit) {
        Some(time) => format!("{limit} m/s at {} s", digits(time, 3)),
        None => format!("{limit} m/s never"),
    });
    let end = match (motion.finished(), motion.times.last()) {
        (false, Some(time)) => format!(", and no step after {} s has a solution", digits(*time, 3)),
        _ => String::new(),
    };
    passages.join(", ") + &end
}

/// P1, P2 and P6.
fn claims(section: &mut Section, motions: &[Motion]) {
    let [springs, half, damped, stronger, softer, softer_half] = motions else { return };
    let (speed, place) = (Motion::worst_velocity, Motion::worst_position);
    let unstable = speed(springs) > UNSTABLE || speed(half) > UNSTABLE;
    section.claim(
        Claim::new("P1", "velocities become unstable before 4 s and grow fast")
            .published("Figures 5 to 8: instability towards the end of 4 s")
            .measured(
                format!(
                    "error of a velocity passes {}; κ = ½: {}; with α = {} it is {} m/s at most ({} for κ = ½)",
                    passages(springs),
                    passages(half),
                    digits(softer.case.alpha, 1),
                    digits(speed(softer), 2),
                    digits(speed(softer_half), 2)
                ),
                Verdict::of(unstable),
            )
            .because(match unstable {
                true => {
                    "The step is too long for springs as stiff as that: see P4. The instability is that of the method, not of the \
                     pendulum."
                }
                false => "With this step and these springs αh⁴ is small: see P4.",
            }),
    );
    let looks_right = [springs, half].map(|motion| place(motion) < LOOKS_RIGHT);
    section.claim(
        Claim::new("P2", "displacements look stable for 4 s")
            .published("Figures 3 and 4: smooth curves")
            .measured(
                format!(
                    "largest error of a position {} m (κ = 1) and {} m (κ = ½)",
                    digits(place(springs), 2),
                    digits(place(half), 2)
                ),
                match looks_right {
                    [true, true] => Verdict::Holds,
                    [false, true] => {
                        Verdict::HoldsIf("the factor 2 is missing, as printed (κ = ½)".into())
                    }
                    [true, false] => Verdict::HoldsIf("the factor 2 is there (κ = 1)".into()),
                    [false, false] => Verdict::DoesNotHold,
                },
            )
            .because(astray(springs)),
    );
    let smoother = speed(springs).max(speed(half)) > SMOOTHED * speed(damped);
    section.claim(
        Claim::new("P6", "dashpot and mass smooth the velocity")
            .published("smooth velocities with 2μω = 1, ω = 1")
            .measured(
                format!(
                    "velocity error {} m/s, position error {} m, |Φ| up to {} m² with the printed constants; {} m/s and {} m² with \
                     μ = 1, ω = 10; springs alone {} m/s",
                    digits(speed(damped), 2),
                    digits(place(damped), 2),
                    digits(largest(&damped.violation), 2),
                    digits(speed(stronger), 2),
                    digits(largest(&stronger.violation), 2),
                    digits(speed(springs), 2)
                ),
                match unstable {
                    true => Verdict::of(smoother),
                    false => Verdict::NotTestable,
                },
            )
            .because(
                "The mass takes the stiffness out of the equations: errors of constraints oscillate with ω, not with √(α/m), \
                 and the dashpot takes their energy.",
            ),
    );
}

fn astray(springs: &Motion) -> String {
    let row = springs.position_error.iter().position(|error| *error > LOOKS_RIGHT);
    match row {
        Some(row) => format!(
            "With κ = 1 the error of a position passes {} cm at {} s, when Newton's method no longer finds the solution near its \
             start; the velocities have been useless for long by then.",
            digits(100.0 * LOOKS_RIGHT, 2),
            digits(springs.times[row], 3)
        ),
        None => {
            "A position is the sum of many velocities, and errors of alternating sign cancel in it."
                .to_owned()
        }
    }
}
