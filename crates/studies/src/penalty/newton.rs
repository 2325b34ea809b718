//! Newton's method: where it stops, and with which matrix.

use super::motion::{Case, Motion, largest};
use super::{ALPHA, STEP};
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::simulation::{StopReason, Table};

/// Speeds whose first passage by the error is compared, m/s.
const LIMITS: [f64; 3] = [0.1, 1.0, 10.0];

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let (alpha, step) = (lab.number(&ALPHA), lab.number(&STEP));
    let with = |kappa: f64, newton: &'static str, newton_tol: f64| Case {
        newton,
        newton_tol,
        ..Case::springs(kappa, alpha, step)
    };
    let cases = [
        with(1.0, "paper", 1e-5),
        with(1.0, "full", 1e-13),
        with(0.5, "paper", 1e-5),
        with(0.5, "gauss-newton", 1e-5),
        with(0.5, "full", 1e-13),
    ];
    let motions = lab.each(&cases, |lab, case| Motion::of(lab, case))?;
    let mut section = Section::default();
    section.text(
        "The study's tangent squares the matrix of its force, 4/h² M + α PᵀP. With κ = 1 that is Φqᵀ Φq, the part of the true tangent \
         that matters. With the misprint κ = ½ it is half of what is needed, and every correction is twice too long. `gauss-newton` \
         has the right factor, `full` the second derivatives of the constraints as well.",
    );
    let column = |value: &dyn Fn(&Motion) -> f64| motions.iter().map(value).collect::<Vec<f64>>();
    let statistics = |motion: &Motion| motion.run.certificate.statistics;
    let words = |value: &dyn Fn(&Motion) -> String| motions.iter().map(value).collect::<Vec<_>>();
    section.table(
        "newton",
        "Newton's method with three tangents",
        Table::default()
            .with_words("case", words(&|motion| motion.case.label()))
            .with_words("tangent", words(&|motion| motion.case.newton.to_owned()))
            .with_words("stop", words(&|motion| format!("{:e}", motion.case.newton_tol)))
            .with_numbers("steps", "", column(&|motion| statistics(motion).steps as f64))
            .with_numbers(
                "iterations",
                "",
                column(&|motion| statistics(motion).newton_iterations as f64),
            )
            .with_numbers(
                "velocity error",
                "m/s",
                column(&|motion| largest(&motion.velocity_error)),
            )
            .with_words("end", words(&ending)),
    );
    claims(&mut section, &motions);
    Ok(section)
}

fn ending(motion: &Motion) -> String {
    match &motion.run.certificate.stop {
        StopReason::Failed { message } => message.clone(),
        _ => "4 s".to_owned(),
    }
}

/// P7 and P10.
fn claims(section: &mut Section, motions: &[Motion]) {
    let [printed, tight, half_printed, half, _] = motions else { return };
    let passes = |motion: &Motion| LIMITS.map(|limit| motion.passes(limit));
    let told = |motion: &Motion| {
        if passes(motion).iter().all(Option::is_none) {
            return "no time".to_owned();
        }
        let times = passes(motion)
            .map(|time| time.map_or("never".to_owned(), |time| format!("{} s", digits(time, 3))));
        times.join(", ")
    };
    let is_unstable = passes(tight)[LIMITS.len() - 1].is_some();
    section.claim(
        Claim::new("P7", "the tolerance of Newton's method must be small enough")
            .published("10⁻⁵")
            .measured(
                format!(
                    "the error of a velocity passes 0.1, 1 and 10 m/s at {} with a stop at 10⁻⁵, and at {} with 10⁻¹³",
                    told(printed),
                    told(tight)
                ),
                match is_unstable {
                    true => Verdict::of(passes(printed) != passes(tight)),
                    false => Verdict::NotTestable,
                },
            )
            .because(match is_unstable {
                true => "The equations of a step have a solution of their own, and it is that solution which runs away.",
                false => "With these settings nothing becomes unstable.",
            }),
    );
    let converges = [printed, half_printed].map(Motion::finished);
    section.claim(
        Claim::new("P10", "the printed matrix of Newton's method converges")
            .measured(
                format!(
                    "κ = 1: {}, {} iterations in {} steps; κ = ½: {}; with the right tangent {} iterations in {} steps",
                    if converges[0] { "all steps converge" } else { "it fails" },
                    printed.run.certificate.statistics.newton_iterations,
                    printed.run.certificate.statistics.steps,
                    if converges[1] { "all steps converge".to_owned() } else { ending(half_printed) },
                    half.run.certificate.statistics.newton_iterations,
                    half.run.certificate.statistics.steps
                ),
                match converges {
                    [true, true] => Verdict::Holds,
                    [true, false] => Verdict::HoldsIf("the factor 2 is there (κ = 1)".into()),
                    [false, true] => Verdict::HoldsIf("the factor 2 is missing (κ = ½)".into()),
                    [false, false] => Verdict::DoesNotHold,
                },
            )
            .because(
                "With half of the tangent every correction overshoots to the other side of the solution, as far away as before: a \
                 factor of −1 for each iteration.",
            ),
    );
}
