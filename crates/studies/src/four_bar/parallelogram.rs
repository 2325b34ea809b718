//! A linkage that passes through singular poses: a parallelogram, whose coupler can fold over whenever it is flat.

use super::conditions::{
    LINKAGE_ROWS, PENDULUM_TIME, SPIN, column, largest_difference, reference_method, study_method,
    tolerance_words, tolerances,
};
use super::models::{PARALLELOGRAM, model};
use crate::digits::digits;
use crate::{Laboratory, Section, StudyError};
use catena::figure::{Axis, Dash, Figure, Panel, Series};
use catena::simulation::Table;
use catena::{Run, RunSettings, Setting};

/// Lengths that make the linkage a parallelogram.
const LENGTHS: [&str; 4] = ["L1=1", "L2=0.4", "L3=1", "L4=0.4"];
/// What is run at the study's tolerances, and how it is called.
const FORMULATIONS: [(&str, &str); 3] = [
    ("multipliers", "multipliers, as in the study"),
    ("projection", "projection"),
    ("coordinate-partitioning", "coordinate-partitioning"),
];

pub(super) fn show(lab: &Laboratory<'_>, section: &mut Section) -> Result<(), StudyError> {
    let spin = lab.number(&SPIN);
    let settings = |method: RunSettings| method.t_end(PENDULUM_TIME).every(LINKAGE_ROWS);
    let by_angle = model("parallelogram", PARALLELOGRAM, &[Setting::new("theta2'", spin)])?;
    let exact = lab.run(&by_angle, &settings(reference_method("minimal")))?;
    let mut values = LENGTHS.map(str::to_owned).to_vec();
    values.push(format!("theta2'={spin}"));
    let linkage = lab.model("four-bar", &values)?;
    let runs = lab.each(&FORMULATIONS, |lab, (formulation, _)| {
        lab.run(&linkage, &settings(study_method(tolerances(lab)).formulation(formulation)))
    })?;
    section.text(format!(
        "A singular pose. A crank as long as the rocker and a coupler as long as the ground make a parallelogram. Whenever the crank lies along the \
         ground the coupler could also fold the other way: there Φq loses a rank, and the matrix of the study is singular. The parallelogram \
         itself is a one-line system, as the coupler stays level: ½ (m₂/3 + m₃ + m₄/3) L₂² θ̇₂² + g (m₂/2 + m₃ + m₄/2) L₂ sin θ₂ is constant. \
         The study's method at {} reaches the pose with constraints that do not quite hold, gets accelerations that belong to neither branch, takes \
         very short steps there, and goes on as another linkage.",
        tolerance_words(tolerances(lab))
    ));
    section.figure(
        "parallelogram",
        "A parallelogram through its flat poses at the study's tolerances: the crank angle, and the angle of the coupler, which should stay zero",
        figure(&exact, &runs),
    );
    section.table(
        "parallelogram-table",
        "The parallelogram after 3 s: angles, the error of the crank angle, and the steps that were tried",
        table(&exact, &runs),
    );
    let fault = largest_difference(column(&runs[0], "theta2"), column(&exact, "theta2"));
    section.text(format!(
        "The crank angle of the study's method is wrong by up to {} rad. Constraints that hold keep the pose itself meaningful, and velocities then \
         decide which branch goes on.",
        digits(fault, 3)
    ));
    Ok(())
}

fn figure(exact: &Run, runs: &[Run]) -> Figure {
    let axis = || Axis::linear("$t$, s");
    let mut crank = Panel::new("", axis(), Axis::linear("$θ_{2}$, rad"));
    let mut coupler = Panel::new("", axis(), Axis::linear("$θ_{3}$, rad"));
    for ((_, name), run) in FORMULATIONS.iter().zip(runs) {
        let time = column(run, "t");
        crank = crank.with(Series::line(*name, time, column(run, "theta2")).dashed(Dash::Solid));
        coupler =
            coupler.with(Series::line(*name, time, column(run, "theta3")).dashed(Dash::Solid));
    }
    let exact = Series::line("one coordinate", column(exact, "t"), column(exact, "theta2"));
    Figure::default().with(crank.with(exact.dashed(Dash::Dashed))).with(coupler)
}

fn table(exact: &Run, runs: &[Run]) -> Table {
    let end = |run: &Run, name: &str| column(run, name).last().copied().unwrap_or(f64::NAN);
    let angle = column(exact, "theta2");
    let values = |pick: &dyn Fn(&Run) -> f64| runs.iter().map(pick).collect::<Vec<_>>();
    let tried =
        |run: &Run| (run.certificate.statistics.steps + run.certificate.statistics.rejected) as f64;
    Table::default()
        .with_words("formulation", FORMULATIONS.map(|(_, name)| name.to_owned()).to_vec())
        .with_numbers("θ2", "rad", values(&|run| end(run, "theta2")))
        .with_numbers("θ3", "rad", values(&|run| end(run, "theta3")))
        .with_numbers("θ4", "rad", values(&|run| end(run, "theta4")))
        .with_numbers(
            "largest error of θ2",
            "rad",
            values(&|run| largest_difference(column(run, "theta2"), angle)),
        )
        .with_numbers("largest |Φ|", "m", values(&|run| run.certificate.constraint_error))
        .with_numbers("steps tried", "", values(&tried))
}
