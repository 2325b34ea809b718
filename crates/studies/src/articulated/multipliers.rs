//! The multipliers of two rods: Figure 5.

use super::chain::chain;
use super::chain::{Conditions, INTEGRATOR, Method, figure, range, settings};
use crate::{Laboratory, Section, StudyError};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::{Run, RunSettings};

/// Rods of the figure.
const RODS: usize = 2;
/// Tolerance of the figure, which the study does not say: tight enough that drift is not seen.
const TOLERANCE: f64 = 1e-8;
/// Distance of rows, s.
const EVERY: f64 = 0.01;
/// Tolerance of the motion in angles whose joint forces are compared.
const CHECK_TOLERANCE: f64 = 1e-12;

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let mut section = Section::default();
    let own = moved(lab, &conditions.augmented(), INTEGRATOR, TOLERANCE, "lambda_joint")?;
    let check = moved(lab, &Method::plain("minimal"), "dop853", CHECK_TOLERANCE, "joint")?;
    let time = column(&own, "t");
    let mut panel = Panel::new("", Axis::linear("$t$, s"), Axis::linear("multiplier, N"));
    let mut texts = Vec::new();
    let mut difference = 0.0_f64;
    for joint in 1..=RODS {
        for axis in ["x", "y"] {
            let multiplier = column(&own, &format!("lambda_joint{joint}_{axis}"));
            let force = column(&check, &format!("joint{joint}_f{axis}"));
            let apart = multiplier.iter().zip(force).map(|(a, b)| (a + b).abs());
            difference = apart.fold(difference, f64::max);
            texts.push(format!("joint {joint}, {axis}: {} N", range(multiplier)));
            panel = panel.with(Series::line(format!("$λ_{{{joint}{axis}}}$"), time, multiplier));
        }
    }
    section.text(format!(
        "For two rods the study shows the four Lagrange multipliers: minus the forces of the joints on the rods that hang on \
         them. Here: {}. Forces of the same motion in angles, computed from Newton's law with `dop853`, differ from them by at \
         most {} N. The peaks last hundredths of a \
         second, so that a grid of 0.1 s cuts them off; they are where a rod is whipped round, and nothing collides.",
        texts.join("; "),
        figure(difference)
    ));
    section.figure(
        "figure-5-multipliers",
        format!(
            "Figure 5 of the study: the multipliers of the chain of two rods, {}, tolerance 10⁻⁸.",
            conditions.augmented().label
        ),
        Figure::from(panel),
    );
    Ok(section)
}

fn moved(
    lab: &Laboratory<'_>,
    method: &Method,
    integrator: &str,
    tolerance: f64,
    prefix: &str,
) -> Result<Run, StudyError> {
    let settings = RunSettings {
        rtol: Some(tolerance),
        atol: Some(tolerance),
        every: Some(EVERY),
        columns: vec![format!("{prefix}*")],
        ..settings(method, integrator)
    };
    lab.run(&chain(lab, RODS)?, &settings)
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).unwrap_or_default()
}
