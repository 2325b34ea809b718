//! The pendulum, and the equations of the study.

use super::STEP;
use super::motion::{DURATION, SYSTEM, rigid};
use crate::{Laboratory, Section, StudyError};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::{CoordinateSet, Refusal, Scene, StillOptions};

/// Steps that a motion has at least.
const LEAST_STEPS: f64 = 8.0;

/// A motion has a few steps at least.
fn require_short_steps(lab: &Laboratory<'_>) -> Result<(), StudyError> {
    let longest = DURATION / LEAST_STEPS;
    match lab.number(&STEP) <= longest {
        true => Ok(()),
        false => Err(StudyError::Refused(Refusal::of_question(
            format!("a step of {} s is too long for a motion of {DURATION} s", lab.number(&STEP)),
            format!("give one of up to {longest} s"),
        ))),
    }
}

pub(super) fn shown(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    require_short_steps(lab)?;
    let mut section = Section::default();
    let model = lab.model(SYSTEM, &[])?;
    let (film, _) = catena::film_of_start(&model, 0.0);
    if let Some(scene) = Scene::new(&model.title, film) {
        let still = scene.still(&StillOptions::default());
        section.drawing("start", "The pendulum at its start: both rods horizontal, at rest", still);
    }
    section.text(
        "With rigid rods the pendulum satisfies Lagrange's equations with two constraints. Catena derives them from the two \
         energies and the lengths of the rods:",
    );
    section.derivation(catena::derive(&model, CoordinateSet::Own)?);
    section.text(
        "The study replaces the multipliers. With springs alone (equation 8) a rod that is too long by a little pulls back with a \
         force that grows with α; κ = 1 follows from the potential, κ = ½ is what the printed matrix amounts to. With dashpot and \
         mass (equation 9) the error of a constraint is a damped oscillator of its own:",
    );
    section.formula(
        "(8)   M q̈ + α κ Φqᵀ Φ = Q,   V* = κ α/2 ΦᵀΦ\n\
         (9)   M q̈ + α Φqᵀ (Φ̈ + 2 μ ω Φ̇ + ω² Φ) = Q",
    );
    section.text(
        "The midpoint rule solves for the middle of a step, and Newton's method starts from the beginning of the step:",
    );
    section.formula(
        "q̈ₘ = 4/h² (qₘ − qᵢ) − 2/h vᵢ,   q̇ₘ = 2/h (qₘ − qᵢ)\n\
         F(qₘ) = M q̈ₘ + α κ Φqᵀ Φ − Q = 0\n\
         qᵢ₊₁ = 2 qₘ − qᵢ,   vᵢ₊₁ = vᵢ + h q̈ₘ",
    );
    let exact = rigid(lab, &model, 0.01)?;
    let column = |name: &str| exact.table.column(name).unwrap_or_default().to_vec();
    let path = |title: &str, x: &str, y: &str| Series::line(title, column(x), column(y));
    let panel = Panel {
        equal_scales: true,
        ..Panel::new("", Axis::linear("$x$, m"), Axis::linear("$y$, m"))
            .with(path("mass 1", "x1", "y1"))
            .with(path("mass 2", "x2", "y2"))
    };
    section.figure("paths", "The paths of both masses on rigid rods, 0–4 s", Figure::from(panel));
    Ok(section)
}
