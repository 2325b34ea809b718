//! The equations: derived for three links, and the matrix form held against derived equations for one to ten.

use super::matrix_form::MatrixForm;
use super::{amplitude, friction, pendulum, said};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::derivation::Random;
use catena::formulation::{Formulation, OptionValues};
use catena::simulation::{RunError, Table};
use catena::symbolic::Notation;
use catena::{CoordinateSet, Derivation, Model, Prepared, RunFailure, Source};
use std::f64::consts::{PI, TAU};

/// Chains of one link up to this many are compared.
const MOST_LINKS: usize = 10;
/// Random states of each chain.
const STATES: usize = 20;
/// The largest difference of two sets of equations that is rounding, relative to their terms.
const ROUNDING: f64 = 1e-12;
/// Gravity of the ready systems, m/s².
const GRAVITY: f64 = 9.81;
/// The friction of a joint before chance has its say, N m s.
const JOINT_FRICTION: f64 = 0.1;
/// Hz
const FREQUENCY: f64 = 0.5;

/// How far two ways to the equations of a chain are apart.
struct Comparison {
    links: usize,
    /// Entries of M and Q, relative to the largest of each.
    entries: f64,
    /// What derived accelerations leave of the first-order form, relative to the terms of each row.
    residual: f64,
    /// Squares of the natural frequencies of equal links over g/L, from zeros of the Laguerre polynomial, relative to them.
    frequencies: f64,
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let mut section = Section::default();
    section.text(
        "Catena derives the equations from the energies and the loss function, and sorts them by kind into the matrix form \
         of the study, M θ̈ + N θ̇² + R θ̇ + P + f = 0 (the square is taken entry by entry):",
    );
    let model = pendulum(lab, &[("eta0", amplitude(lab)), ("R", friction(lab, JOINT_FRICTION))])?;
    let derivation = catena::derive(&model, CoordinateSet::Own)?;
    section.equations(matrices(&derivation));
    section.derivation(derivation);
    section.text("The study gives the entries for any number n of links; corrected, they are:");
    section.formula(
        "μᵢⱼ = (m_max(i,j) + … + mₙ) Lᵢ Lⱼ        Aₖ = (mₖ + … + mₙ) Lₖ\n\
         Mᵢⱼ = μᵢⱼ cos(θᵢ − θⱼ)        Nᵢⱼ = μᵢⱼ sin(θᵢ − θⱼ)\n\
         Rₖₖ = Rₖ + Rₖ₊₁        Rₖ,ₖ₊₁ = Rₖ₊₁,ₖ = −Rₖ₊₁\n\
         Pₖ = Aₖ g sin θₖ        fₖ = Aₖ cos θₖ η̈",
    );
    section.text("Its first-order form, with z = (θ̇, θ), and the linear model with its transfer function are:");
    section.formula(
        "Mₐ ż = −Nₐ Nᵥ − Pₐ − fₐ        Mₐ = [M R; 0 I]   Nₐ = [N 0; 0 I]   Nᵥ = (θ̇², −θ̇)   Pₐ = (P, 0)   fₐ = (f, 0)\n\
         M₀ θ̈ + R θ̇ + g diag(A) θ = −A η̈        (M₀)ᵢⱼ = μᵢⱼ\n\
         θ(s)/η(s) = −(M₀ s² + R s + g diag(A))⁻¹ A s²        s = 2πif",
    );
    let chains: Vec<usize> = (1..=MOST_LINKS).collect();
    let compared = lab.each(&chains, |lab, &links| compare(lab, links))?;
    section.text(format!(
        "For one to {MOST_LINKS} links, with masses, lengths and friction drawn at random, these entries are compared with \
         those that Catena derives for a chain of bobs, at {STATES} random states each; accelerations of Catena's minimal \
         formulation are put into the first-order form. Small swings of n equal links have natural frequencies with \
         ω²L/g at the zeros of the Laguerre polynomial Lₙ.",
    ));
    section.table("matrix-form", "The matrix form against derived equations", table(&compared));
    section.claim(claim(&compared));
    Ok(section)
}

/// Equations one side of which is a matrix.
fn matrices(derivation: &Derivation) -> Vec<Notation> {
    let statements = derivation.steps.iter().flat_map(|step| &step.statements);
    let has_matrix = |equation: &&Notation| match equation {
        Notation::Equation(sides) => sides.iter().any(|side| matches!(side, Notation::Matrix(_))),
        _ => false,
    };
    statements.map(|statement| &statement.notation).filter(has_matrix).cloned().collect()
}

fn claim(compared: &[Comparison]) -> Claim {
    let worst = |of: fn(&Comparison) -> f64| compared.iter().map(of).fold(0.0, f64::max);
    let (entries, residual) = (worst(|one| one.entries), worst(|one| one.residual));
    let measured = format!(
        "entries differ by {} at most for n = 1…{MOST_LINKS}; derived accelerations leave {} of the terms of the \
         first-order form",
        said(entries),
        said(residual)
    );
    Claim::new("T1", "one matrix form serves any number of links")
        .measured(measured, Verdict::of(entries < ROUNDING && residual < ROUNDING))
        .because("With its misprints corrected the form has the entries of Lagrange's equations; what is left is rounding.")
}

fn table(compared: &[Comparison]) -> Table {
    let column = |of: fn(&Comparison) -> f64| compared.iter().map(of).collect();
    Table::default()
        .with_numbers("links", "", column(|one| one.links as f64))
        .with_numbers("entries of M and Q", "", column(|one| one.entries))
        .with_numbers("first-order form", "", column(|one| one.residual))
        .with_numbers("ω²L/g from the zeros of Lₙ", "", column(|one| one.frequencies))
}

fn compare(lab: &Laboratory<'_>, links: usize) -> Result<Comparison, StudyError> {
    let mut random = Random::new(links as u64);
    let form = MatrixForm {
        masses: random.several(links, 0.5, 2.0),
        lengths: random.several(links, 0.5, 2.0),
        friction: random.several(links, 0.5 * JOINT_FRICTION, 2.0 * JOINT_FRICTION),
        gravity: GRAVITY,
    };
    let model = chain(&form, amplitude(lab))?;
    let minimal = catena::formulation::find("minimal").expect("the catalogue has it");
    let prepared =
        Prepared::new(&model, minimal, OptionValues::default()).map_err(RunFailure::from)?;
    let mut evaluator = prepared.input().evaluator.clone();
    let mut motion = prepared.built(&model.parameter_values());
    let (mut entries, mut residual) = (0.0_f64, 0.0_f64);
    for _ in 0..STATES {
        let (t, angles) = (random.between(0.0, 4.0), random.several(links, -PI, PI));
        let rates = random.several(links, -3.0, 3.0);
        let drive = TAU * FREQUENCY;
        let acceleration = -amplitude(lab) * drive * drive * (drive * t).cos();
        let mass = form.mass_matrix(&angles);
        let others = form.other_terms(&angles, &rates, acceleration);
        let derived = evaluator.values_at(t, &angles, &rates, &[]);
        let forces: Vec<f64> = others.iter().map(|terms| -terms.iter().sum::<f64>()).collect();
        entries = entries
            .max(difference(&derived.mass_matrix, &mass))
            .max(difference(&derived.forces, &forces));
        residual = residual.max(left_over(motion.as_mut(), t, &angles, &rates, &mass, &others)?);
    }
    Ok(Comparison { links, entries, residual, frequencies: frequency_error(lab, links)? })
}

/// A chain with a mass, a length and friction for each link.
fn chain(form: &MatrixForm, amplitude: f64) -> Result<Model, StudyError> {
    let MatrixForm { masses, lengths, friction, gravity: _ } = form;
    let text = format!(
        "title = \"Chain of bobs\"\nparameters = {{ eta0 = {amplitude:?}, f = {FREQUENCY:?} }}\n[chain]\nlinks = {}\n\
         mass = {masses:?}\nlength = {lengths:?}\nfriction = {friction:?}\nshape = \"bob\"\nstart = \"hanging\"\n\
         [chain.pivot]\nx = \"eta0*cos(2*pi*f*t)\"\n",
        masses.len()
    );
    catena::read(Source::new("chain of bobs", text), &[])
        .map_err(|problems| StudyError::Load(problems.into()))
}

/// The largest difference, relative to the largest entry.
fn difference(one: &[f64], other: &[f64]) -> f64 {
    let largest = one.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
}

/// What derived rates of the state leave of Mₐ ż + Nₐ Nᵥ + Pₐ + fₐ, relative to the terms of each row.
fn left_over(
    motion: &mut dyn Formulation,
    t: f64,
    angles: &[f64],
    rates: &[f64],
    mass: &[f64],
    others: &[[f64; 4]],
) -> Result<f64, StudyError> {
    let n = angles.len();
    let mut state = vec![0.0; motion.state_len()];
    motion.pack(angles, rates, &[], &mut state);
    let mut derivative = vec![0.0; state.len()];
    motion
        .derivative(t, &state, &mut derivative)
        .map_err(|breakdown| RunFailure::from(RunError::Broken(breakdown)))?;
    let (of_angles, of_rates) = derivative.split_at(n);
    let dynamic = (0..n).map(|row| {
        let inertia = mass[row * n..(row + 1) * n].iter().zip(of_rates).map(|(m, a)| m * a);
        let terms: Vec<f64> = inertia.chain(others[row]).collect();
        terms.iter().sum::<f64>().abs() / terms.iter().map(|term| term.abs()).sum::<f64>()
    });
    let kinematic = of_angles.iter().zip(rates).map(|(found, rate)| (found - rate).abs());
    Ok(dynamic.chain(kinematic).fold(0.0, f64::max))
}

/// How far the squares of natural frequencies are from the zeros of a Laguerre polynomial, relative to them.
fn frequency_error(lab: &Laboratory<'_>, links: usize) -> Result<f64, StudyError> {
    let model =
        lab.model("pendulum-chain", &[format!("links={links}"), "friction=0".to_owned()])?;
    let answer = lab.ask("modes", &model, &[])?;
    let natural = answer.table.numbers("natural_hz").unwrap_or_default();
    let distance = |hertz: &f64| {
        let x = (TAU * hertz).powi(2) / GRAVITY;
        let (value, slope) = laguerre(links, x);
        (value / slope / x).abs()
    };
    Ok(natural.iter().map(distance).fold(0.0, f64::max))
}

/// Lₙ and its slope at x > 0, by (k+1) Lₖ₊₁ = (2k + 1 − x) Lₖ − k Lₖ₋₁ and x Lₙ' = n (Lₙ − Lₙ₋₁).
fn laguerre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (0.0, 1.0);
    for k in 0..n {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k + 1.0 - x) * value - k * before) / (k + 1.0));
    }
    (value, n as f64 * (value - before) / x)
}
