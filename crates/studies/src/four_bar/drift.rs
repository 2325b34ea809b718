//! Whether `ode45` keeps the constraints: the study's method over tolerances and time, and methods that keep them.

use super::conditions::{
    LINKAGE_ROWS, LINKAGE_TIME, ODE45_DEFAULTS, PENDULUM_TIME, column, largest_difference,
    linkage_models, pendulum_model, reached_end, reference_method, release_angle, study_method,
    tolerance_words, tolerances,
};
use super::printed::{Printed, PrintedLinkage};
use super::swing::Swing;
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::simulation::Table;
use catena::{Model, Run, RunSettings};

/// Constraints are satisfied if none is missed by more than this, m.
const CONSTRAINT_BOUND: f64 = 1e-9;
/// Tolerances that are run in addition to those of the study: relative, absolute.
const TOLERANCES: [[f64; 2]; 4] = [ODE45_DEFAULTS, [1e-6, 1e-9], [1e-9, 1e-9], [1e-12, 1e-12]];
/// Formulations that are compared at the tolerances of the study.
const FORMULATIONS: [&str; 5] =
    ["multipliers", "baumgarte", "ggl", "projection", "coordinate-partitioning"];
/// The systems, in words.
const SYSTEMS: [&str; 3] = ["pendulum, 3 s", "linkage, rest, 10 s", "linkage, spin, 10 s"];

/// A system, and its angle without error on the rows of its runs.
struct Watched {
    model: Model,
    angle: &'static str,
    t_end: f64,
    exact: Vec<f64>,
}

/// What is wrong with a run.
#[derive(Clone, Copy)]
struct Fault {
    /// Largest |Φ|, m.
    constraint: f64,
    /// Largest |Φ̇|, m/s.
    rate: f64,
    /// Largest error of the angle, rad.
    angle: f64,
    /// J
    energy: f64,
    steps: f64,
    /// Whether the run was not ended before its time.
    complete: bool,
}

impl Watched {
    fn run(&self, lab: &Laboratory<'_>, settings: &RunSettings) -> Result<Run, StudyError> {
        lab.run(&self.model, &settings.clone().t_end(self.t_end).every(LINKAGE_ROWS))
    }

    fn fault(&self, run: &Run) -> Fault {
        let certificate = &run.certificate;
        Fault {
            constraint: certificate.constraint_error,
            rate: certificate.constraint_rate_error,
            angle: largest_difference(column(run, self.angle), &self.exact),
            energy: certificate.energy_residual,
            steps: certificate.statistics.steps as f64,
            complete: reached_end(run, self.t_end),
        }
    }
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let systems = systems(lab)?;
    let own = tolerances(lab);
    let mut all: Vec<[f64; 2]> = vec![own];
    all.extend(TOLERANCES.into_iter().filter(|other| *other != own));
    let by_tolerance = lab.each(&all, |lab, tolerances| {
        let settings = study_method(*tolerances);
        systems.iter().map(|system| system.run(lab, &settings)).collect::<Result<Vec<_>, _>>()
    })?;
    let mut methods: Vec<(String, RunSettings)> =
        FORMULATIONS.map(|name| (name.to_owned(), study_method(own).formulation(name))).to_vec();
    methods.push(("nothing chosen".to_owned(), RunSettings::new().no_certify()));
    let by_formulation = lab.each(&methods, |lab, (_, settings)| {
        systems.iter().map(|system| system.run(lab, settings)).collect::<Result<Vec<_>, _>>()
    })?;
    let mut section = Section::default();
    section.text(format!(
        "The study solves Φq q̈ = γ, which makes the second derivative of Φ vanish and leaves Φ and dΦ/dt to themselves: errors of the integrator in \
         them are never corrected, and an error of the rate grows into one of the position with time. It names stabilisation, coordinate \
         partitioning and hybrids and leaves them out, trusting `ode45` to select the motion that satisfies the constraints. Here {} m is \
         taken for satisfied.",
        digits(CONSTRAINT_BOUND, 1)
    ));
    let labels: Vec<String> = all.iter().map(|one| tolerance_words(*one)).collect();
    section.figure(
        "drift-tolerance",
        "Constraint error of the spinning linkage by the study's method, for tolerances (relative/absolute)",
        drift_figure(&systems[2], &labels, &by_tolerance),
    );
    section.table(
        "drift-tolerance-table",
        "The study's method at its own tolerances, at those that `ode45` takes by itself (1e-3/1e-6), and at tighter ones",
        fault_table("tolerances", &labels, &systems, &by_tolerance),
    );
    let loosest = all.iter().position(|one| *one == ODE45_DEFAULTS).unwrap_or(0);
    section.text(format!(
        "Coordinates are of the size 1, so that the larger of the two tolerances decides: in the study's own pair that is the absolute one. A \
         tighter pair makes the drift smaller and does not end it; at the tolerances that `ode45` takes if nobody gives it others, the \
         spinning linkage misses its constraints by {} m.",
        digits(systems[2].fault(&by_tolerance[loosest][2]).constraint, 2)
    ));
    let names: Vec<String> = methods.into_iter().map(|(name, _)| name).collect();
    section.figure(
        "drift-formulation",
        "Constraint error of the spinning linkage: formulations with ode45 at the study's tolerances, and a run with nothing chosen",
        drift_figure(&systems[2], &names, &by_formulation),
    );
    section.table(
        "drift-formulation-table",
        "Formulations at the study's tolerances: errors damped (`baumgarte`), kept from growing (`ggl`), removed after each step \
         (`projection`), never made (`coordinate-partitioning`). The last is `catena run` as it comes, at 1e-6/1e-9",
        fault_table("formulation", &names, &systems, &by_formulation),
    );
    let faults: Vec<Fault> =
        systems.iter().zip(&by_tolerance[0]).map(|(system, run)| system.fault(run)).collect();
    section.claim(constraint_claim(&faults, own));
    Ok(section)
}

fn systems(lab: &Laboratory<'_>) -> Result<Vec<Watched>, StudyError> {
    let model = pendulum_model(lab)?;
    let swing = Swing::new(&model, release_angle(lab)?);
    let rows = (PENDULUM_TIME / LINKAGE_ROWS).round() as usize;
    let exact = (0..=rows).map(|row| swing.angle_and_rate(row as f64 * LINKAGE_ROWS)[0]).collect();
    let mut systems = vec![Watched { model, angle: "theta", t_end: PENDULUM_TIME, exact }];
    for model in linkage_models(lab)? {
        let settings = reference_method("projection").t_end(LINKAGE_TIME).every(LINKAGE_ROWS);
        let exact = column(&lab.run(&model, &settings)?, "theta2").to_vec();
        systems.push(Watched { model, angle: "theta2", t_end: LINKAGE_TIME, exact });
    }
    Ok(systems)
}

fn constraint_claim(faults: &[Fault], tolerances: [f64; 2]) -> Claim {
    let holds = |fault: &Fault| fault.complete && fault.constraint <= CONSTRAINT_BOUND;
    let parts: Vec<String> = SYSTEMS
        .iter()
        .zip(faults)
        .map(|(name, fault)| {
            format!(
                "{name}: |Φ| up to {} m, angle wrong by {} rad",
                digits(fault.constraint, 2),
                digits(fault.angle, 2)
            )
        })
        .collect();
    Claim::new("C4", "`ode45` selects the solution that satisfies the constraints")
        .published("no figures")
        .measured(
            format!(
                "at {}: {}; satisfied means to {} m",
                tolerance_words(tolerances),
                parts.join("; "),
                digits(CONSTRAINT_BOUND, 1)
            ),
            Verdict::of(faults.iter().all(holds)),
        )
        .because(
            "Only the second derivative of Φ enters the equations. Errors of each step stay in Φ and dΦ/dt and add up, so that the constraints hold \
             as well as the absolute tolerance and the duration let them; projection or coordinate partitioning keeps them to rounding.",
        )
}

/// Largest |Φ| over time on the last system, a curve for each run.
fn drift_figure(system: &Watched, names: &[String], runs: &[Vec<Run>]) -> Figure {
    let printed = PrintedLinkage::new(&system.model);
    let axes = (Axis::linear("$t$, s"), Axis::logarithmic("largest $|Φ|$, m"));
    let panel =
        names.iter().zip(runs).fold(Panel::new("", axes.0, axes.1), |panel, (name, runs)| {
            let Some(run) = runs.last() else { return panel };
            let [errors, _] = printed.constraint_errors(run);
            panel.with(Series::line(name, column(run, "t"), errors))
        });
    Figure::from(panel)
}

fn fault_table(what: &str, names: &[String], systems: &[Watched], runs: &[Vec<Run>]) -> Table {
    let mut words: [Vec<String>; 2] = Default::default();
    let mut faults = Vec::new();
    for (name, runs) in names.iter().zip(runs) {
        for ((system, shown), run) in systems.iter().zip(SYSTEMS).zip(runs) {
            words[0].push(name.clone());
            words[1].push(shown.to_owned());
            faults.push(system.fault(run));
        }
    }
    let [names, systems] = words;
    let values = |pick: fn(&Fault) -> f64| faults.iter().map(pick).collect::<Vec<_>>();
    Table::default()
        .with_words(what, names)
        .with_words("system", systems)
        .with_numbers("largest |Φ|", "m", values(|fault| fault.constraint))
        .with_numbers("largest |dΦ/dt|", "m/s", values(|fault| fault.rate))
        .with_numbers("error of the angle", "rad", values(|fault| fault.angle))
        .with_numbers("energy off by", "J", values(|fault| fault.energy))
        .with_numbers("steps", "", values(|fault| fault.steps))
}
