//! The derivation itself: matrices from energies and constraints, held against numeric derivatives and the printed formulas.

use super::conditions::{linkage_models, pendulum_model};
use super::printed::{Matrices, Printed, PrintedLinkage, PrintedPendulum};
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::derivation::Random;
use catena::simulation::Table;
use catena::symbolic::Notation;
use catena::{CoordinateSet, Derivation, Model, RunFailure, RunPlan, RunSettings};

/// Derived matrices agree with numeric derivatives to this, relative to the largest entry.
const NUMERIC_BOUND: f64 = 1e-9;
/// Derived matrices agree with the printed formulas to this, relative to the largest entry.
const FORMULA_BOUND: f64 = 1e-12;
/// Random coordinates and velocities lie between minus and plus this, m or rad, and per second.
const STATE_RANGE: f64 = 3.0;
const SEED: u64 = 16;

/// What is compared, in the order of the tables.
const OBJECTS: [&str; 5] = ["M", "Q", "Φ", "Φq", "γ"];

/// A system derived, and how far it is from what it should be.
struct Derived {
    derivation: Derivation,
    /// Against numeric derivatives, for each of [`OBJECTS`]; NaN for Φ, which is not differentiated.
    numeric: [f64; 5],
    /// Against the printed formulas.
    printed: [f64; 5],
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let states = lab.quick_or(100, 2000);
    let pendulum = pendulum_model(lab)?;
    let [linkage, _] = linkage_models(lab)?;
    let systems: [(&Model, &(dyn Printed + Sync)); 2] =
        [(&pendulum, &PrintedPendulum::new(&pendulum)), (&linkage, &PrintedLinkage::new(&linkage))];
    let derived = lab.each(&systems, |_, (model, printed)| derived(model, *printed, states))?;
    let mut section = Section::default();
    section.text(
        "Lagrange's equations with multipliers need five things, and all of them follow from T, V and Φ by differentiation. \
         The study has them differentiated by a symbolic package; Catena does the same on its own graph of expressions.",
    );
    section.formula(
        "M = ∂²T/∂v∂v      Q = −∂V/∂q + ∂T/∂q − (∂²T/∂v∂q) v      Φq = ∂Φ/∂q      γ = −(Φq v)q v − 2 Φqt v − Φtt\n\
         M q̈ + Φqᵀ λ = Q,      Φq q̈ = γ",
    );
    section.text("What comes out for the pendulum, as it was derived in this run:");
    section.equations(matrices(&derived[0].derivation));
    section.text(
        "And for the linkage. M is the diagonal of masses and moments of inertia, and Q holds the weights, so that all that \
         moves is in the constraints:",
    );
    section.equations(matrices(&derived[1].derivation));
    section.table(
        "derivation",
        format!(
            "What was derived, against numeric derivatives of the formulas as they were typed (in twice the usual precision), and \
             against the matrices of the study written out by hand, at {states} random states: largest difference relative to \
             the largest entry"
        ),
        comparison_table(&derived),
    );
    let worst = |pick: fn(&Derived) -> &[f64; 5]| {
        let all = derived.iter().flat_map(|one| pick(one).iter().copied());
        all.filter(|value| !value.is_nan()).fold(0.0, f64::max)
    };
    let (numeric, printed) = (worst(|one| &one.numeric), worst(|one| &one.printed));
    section.claim(
        Claim::new("C1", "from T, V and Φ the code derives all matrices by itself")
            .published("matrices printed by the scripts")
            .measured(
                format!(
                    "M, Q, Φq, γ of both systems against numeric derivatives {}, against the printed formulas {}",
                    digits(numeric, 2),
                    digits(printed, 2)
                ),
                Verdict::of(numeric <= NUMERIC_BOUND && printed <= FORMULA_BOUND),
            )
            .because(
                "Every entry is a derivative of what the reader typed. The formulas compared are the corrected ones: the scripts' γ lacks a \
                 factor of 2 in the term Φqt v, which is zero here and does harm once a constraint moves.",
            ),
    );
    for one in derived {
        section.derivation(one.derivation);
    }
    Ok(section)
}

fn derived(model: &Model, printed: &dyn Printed, states: usize) -> Result<Derived, StudyError> {
    let derivation = catena::derive(model, CoordinateSet::Own)?;
    let [jacobian, gamma] =
        derivation.agreement.as_ref().and_then(|one| one.constraints).unwrap_or([f64::NAN; 2]);
    let [mass, forces] = derivation
        .agreement
        .as_ref()
        .map_or([f64::NAN; 2], |agreement| [agreement.mass_matrix, agreement.forces]);
    let numeric = [mass, forces, f64::NAN, jacobian, gamma];
    Ok(Derived { derivation, numeric, printed: printed_differences(model, printed, states)? })
}

/// Largest differences between what was derived and compiled and what is printed, at random states off the constraints.
fn printed_differences(
    model: &Model,
    printed: &dyn Printed,
    states: usize,
) -> Result<[f64; 5], StudyError> {
    let settings = RunSettings::new().formulation("multipliers");
    let plan = RunPlan::new(model, &settings, &model.run)?;
    let prepared = plan.formulation.prepare(model).map_err(RunFailure::from)?;
    let mut evaluator = prepared.input().evaluator.clone();
    let mut random = Random::new(SEED);
    let count = printed.coordinates().len();
    let mut worst = [0.0_f64; 5];
    for _ in 0..states {
        let [q, v] = [0; 2].map(|_| random.several(count, -STATE_RANGE, STATE_RANGE));
        let ours = evaluator.values_at(0.0, &q, &v, &[]);
        let Matrices { mass_matrix, forces, constraints, constraint_jacobian, gamma } =
            printed.at(&q, &v);
        let pairs = [
            (ours.mass_matrix, mass_matrix),
            (ours.forces, forces),
            (ours.constraints, constraints),
            (ours.constraint_jacobian, constraint_jacobian),
            (ours.gamma, gamma),
        ];
        for (worst, (ours, theirs)) in worst.iter_mut().zip(pairs) {
            *worst = worst.max(relative_difference(&ours, &theirs));
        }
    }
    Ok(worst)
}

/// The largest difference relative to the largest entry; infinite where the sizes differ.
fn relative_difference(ours: &[f64], theirs: &[f64]) -> f64 {
    if ours.len() != theirs.len() {
        return f64::INFINITY;
    }
    let size = theirs.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    super::conditions::largest_difference(ours, theirs) / size.max(f64::MIN_POSITIVE)
}

fn comparison_table(derived: &[Derived]) -> Table {
    let words = OBJECTS.map(str::to_owned).to_vec();
    let mut table = Table::default().with_words("", words);
    for (name, one) in ["pendulum", "linkage"].iter().zip(derived) {
        table = table
            .with_numbers(format!("{name}, numeric"), "", one.numeric.to_vec())
            .with_numbers(format!("{name}, printed"), "", one.printed.to_vec());
    }
    table
}

/// The matrices of the equations of motion: all that was written with brackets.
fn matrices(derivation: &Derivation) -> Vec<Notation> {
    let statements = derivation.steps.iter().flat_map(|step| &step.statements);
    let equations = statements.map(|statement| &statement.notation);
    equations.filter(|equation| has_matrix(equation)).cloned().collect()
}

fn has_matrix(equation: &Notation) -> bool {
    match equation {
        Notation::Equation(sides) => sides.iter().any(has_matrix),
        Notation::Matrix(_) => true,
        _ => false,
    }
}
