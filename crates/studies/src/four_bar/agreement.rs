//! One linkage written in several ways: what takes the place of a comparison with data that are missing.

use super::conditions::{
    LINKAGE_ROWS, LINKAGE_TIME, MOTIONS, SPIN, column, largest_difference, linkage_models,
    pinned_models, reached_end, reference_method,
};
use super::models::{CRANK_ANGLE, model};
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::simulation::Table;
use catena::{Model, Run, RunSettings, Setting};

/// Formulations of one linkage agree to this, rad.
const AGREEMENT_BOUND: f64 = 1e-9;

/// A way to write the linkage.
struct Form {
    name: &'static str,
    formulation: &'static str,
    /// Columns of the angles of crank, coupler and rocker.
    angles: [&'static str; 3],
}

/// The first is what others are compared with.
const FORMS: [Form; 4] = [
    Form {
        name: "eight constraints of the study",
        formulation: "projection",
        angles: ["theta2", "theta3", "theta4"],
    },
    Form {
        name: "two constraints for each pin",
        formulation: "projection",
        angles: ["crank_angle", "coupler_angle", "rocker_angle"],
    },
    Form {
        name: "crank angle alone, loop closed by geometry",
        formulation: "minimal",
        angles: ["theta2", "theta3", "theta4"],
    },
    Form {
        name: "joint angles, one joint cut",
        formulation: "recursive",
        angles: ["crank_angle", "coupler_angle", "rocker_angle"],
    },
];

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let cases: Vec<(Model, &Form)> = cases(lab)?;
    let runs = lab.each(&cases, |lab, (model, form)| {
        lab.run(model, &reference_method(form.formulation).t_end(LINKAGE_TIME).every(LINKAGE_ROWS))
    })?;
    let motions: Vec<&[Run]> = runs.chunks(FORMS.len()).collect();
    let mut section = Section::default();
    section.text(
        "The study compares its linkage with a Simulink model of another work, whose data it does not print. A stronger test needs no data: the \
         same linkage is written in ways that share no equation, and all of them must move alike. In the third way the loop is closed by \
         geometry and one coordinate is left, so that there is no constraint that could drift.",
    );
    section.formula(
        "B = L₂ (cos θ₂, sin θ₂),   d = (L₁, 0) − B,   a = (L₃² − L₄² + d²)/(2d²),   C = B + a d + √(L₃²/d² − a²) d⊥\n\
         T = m₂/6 Ḃ² + m₃/6 (Ḃ² + Ḃ·Ċ + Ċ²) + m₄/6 Ċ²,   V = g/2 (m₂ B_y + m₃ (B_y + C_y) + m₄ C_y)",
    );
    section.figure(
        "forms",
        "Difference of the crank angle from that of the eight constraints; the line is the bound of the test",
        difference_figure(&motions),
    );
    let differences: Vec<Vec<f64>> = motions.iter().map(|runs| differences(runs)).collect();
    section.table(
        "forms-table",
        "Largest difference of the three angles from those of the eight constraints within 10 s, rad",
        Table::default()
            .with_words("written with", FORMS[1..].iter().map(|form| form.name.to_owned()).collect())
            .with_words("formulation", FORMS[1..].iter().map(|form| form.formulation.to_owned()).collect())
            .with_numbers(MOTIONS[0], "rad", differences[0].clone())
            .with_numbers(MOTIONS[1], "rad", differences[1].clone()),
    );
    section.claim(response_claim(&differences));
    section.claim(quality_claim(lab, &motions)?);
    Ok(section)
}

fn cases(lab: &Laboratory<'_>) -> Result<Vec<(Model, &'static Form)>, StudyError> {
    let spin = lab.number(&SPIN);
    let mut cases = Vec::new();
    let rates = [0.0, spin];
    for ((study, pins), rate) in
        linkage_models(lab)?.into_iter().zip(pinned_models(lab)?).zip(rates)
    {
        let crank = model("crank-angle", CRANK_ANGLE, &[Setting::new("theta2'", rate)])?;
        let models = [study, pins.clone(), crank, pins];
        cases.extend(models.into_iter().zip(&FORMS));
    }
    Ok(cases)
}

/// Largest difference of the angles of all forms but the first from the first, rad.
fn differences(runs: &[Run]) -> Vec<f64> {
    let angles = |at: usize| FORMS[at].angles.map(|name| column(&runs[at], name));
    let other = |at: usize| {
        if !reached_end(&runs[at], LINKAGE_TIME) {
            return f64::INFINITY;
        }
        let pairs = angles(0).into_iter().zip(angles(at));
        pairs.map(|(one, other)| largest_difference(one, other)).fold(0.0, f64::max)
    };
    (1..FORMS.len()).map(other).collect()
}

fn response_claim(differences: &[Vec<f64>]) -> Claim {
    let worst: Vec<f64> =
        differences.iter().map(|all| all.iter().copied().fold(0.0, f64::max)).collect();
    let agree = worst.iter().all(|difference| *difference <= AGREEMENT_BOUND);
    let word = if agree { "agree" } else { "do not agree" };
    Claim::new("C5", "the response of the linkage equals that of the Simulink model of the cited work")
        .published("curves; lengths, masses and start are not given")
        .measured(
            format!(
                "four formulations {word} within {} rad: they differ by {} rad ({}) and {} rad ({}) in 10 s",
                digits(AGREEMENT_BOUND, 1),
                digits(worst[0], 2),
                MOTIONS[0],
                digits(worst[1], 2),
                MOTIONS[1]
            ),
            Verdict::NotTestable,
        )
        .because("The data of the cited work are missing. Formulations that share no equation and agree are the test in its place.")
}

/// The certificate of a run with nothing chosen, against the motion that several formulations agree on.
fn quality_claim(lab: &Laboratory<'_>, motions: &[&[Run]]) -> Result<Claim, StudyError> {
    let settings = RunSettings::new().t_end(LINKAGE_TIME).every(LINKAGE_ROWS).certify();
    let runs = lab.each(&linkage_models(lab)?, |lab, model| lab.run(model, &settings))?;
    let parts: Vec<String> = MOTIONS
        .iter()
        .zip(&runs)
        .zip(motions)
        .map(|((motion, run), exact)| {
            let error = ["theta2", "theta3", "theta4"]
                .map(|name| largest_difference(column(run, name), column(&exact[0], name)));
            let error = error.into_iter().fold(0.0, f64::max);
            let estimate = run.certificate.estimate.as_ref().map_or(f64::NAN, |one| one.error);
            format!(
                "{motion}: verdict `{}`, estimated error of coordinates and velocities {}, true error of the angles {} rad",
                run.certificate.verdict.grade,
                digits(estimate, 2),
                digits(error, 2)
            )
        })
        .collect();
    Ok(Claim::new("C6", "the quality equals that of commercial software")
        .published("no figures")
        .measured(
            format!("certificate of `catena run four-bar`, {}", parts.join("; ")),
            Verdict::NotTestable,
        )
        .because(
            "No measure of quality is named and no program. What can be said of a result is its error, which a second, more exact run estimates.",
        ))
}

fn difference_figure(motions: &[&[Run]]) -> Figure {
    let panels = motions.iter().zip(MOTIONS).map(|(runs, name)| {
        let axes = (Axis::linear("$t$, s"), Axis::logarithmic("difference of $θ_{2}$, rad"));
        let time = column(&runs[0], "t");
        let first = column(&runs[0], FORMS[0].angles[0]);
        let mut panel = Panel::new(name, axes.0, axes.1);
        for (form, run) in FORMS.iter().zip(*runs).skip(1) {
            let other = column(run, form.angles[0]);
            let apart: Vec<f64> = first.iter().zip(other).map(|(a, b)| (a - b).abs()).collect();
            panel = panel.with(Series::line(form.name, time, apart));
        }
        let ends = time.first().zip(time.last()).map_or(Vec::new(), |(a, b)| vec![*a, *b]);
        panel.with(Series::line("bound", ends, vec![AGREEMENT_BOUND; 2]))
    });
    panels.fold(Figure::new("Four ways to write one linkage"), Figure::with)
}
