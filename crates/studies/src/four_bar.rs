//! The closed-chain study: a single pendulum and a four-bar linkage, derived from energies and constraints by a script.

mod agreement;
mod conditions;
mod derivation;
mod drift;
mod elliptic;
mod failures;
mod linkage;
mod models;
mod order;
mod parallelogram;
mod pendulum;
mod pins;
mod printed;
mod shaken_pivot;
mod structural;
mod swing;

use crate::{Experiment, Study};
use conditions::{ATOL, RTOL, SPIN, THETA0};

pub(crate) static STUDY: Study = Study {
    name: "four-bar",
    title: "Closed chains from their energies: a pendulum and a four-bar linkage",
    publication: "Y. Park: Development of an Educational Code of Deriving Equations of Motion and Analyzing Dynamic \
        Characteristics of Multibody Closed Chain Systems using GNU Octave for a Beginner. Journal of Applied and \
        Computational Mechanics 8(1), 232–244, 2022",
    about: ABOUT,
    settings: &[&RTOL, &ATOL, &THETA0, &SPIN],
    misprints: MISPRINTS,
    experiments: &[
        Experiment { title: "Equations from energies", weight: 2.0, run: derivation::run },
        Experiment { title: "The single pendulum", weight: 1.0, run: pendulum::run },
        Experiment { title: "The four-bar linkage", weight: 2.0, run: linkage::run },
        Experiment { title: "Forces in the pins", weight: 1.0, run: pins::run },
        Experiment { title: "Are the constraints satisfied?", weight: 3.0, run: drift::run },
        Experiment { title: "One linkage, written in four ways", weight: 2.0, run: agreement::run },
        Experiment {
            title: "Newmark's method with multipliers",
            weight: 6.0,
            run: structural::run,
        },
        Experiment { title: "Where the scripts would fail", weight: 3.0, run: failures::run },
    ],
};

const ABOUT: &str = "The study teaches a recipe. The reader states coordinates, the energies T and V and the constraints Φ; \
    a script for GNU Octave differentiates them by its symbolic package, puts the matrices of Lagrange's equations with \
    multipliers into a function, and hands that to `ode45`. The recipe is shown on a rod that swings about a pin, with \
    three coordinates and two constraints, and on a four-bar linkage with nine coordinates and eight constraints.\n\n\
    The data of the pendulum are printed in full: a uniform rod of 1 kg and 10 m, released at 45° from the downward vertical, \
    3 s, relative tolerance 1e-9, absolute tolerance 1e-6. Of the linkage neither lengths nor masses nor the start are \
    given, only a reference to another work. Here it has a ground of 1 m, a crank of 0.4 m, a coupler of 0.9 m and a rocker of \
    0.8 m, uniform rods of 1, 2.25 and 2 kg; the crank starts at 60° from the horizontal, either at rest or turning at \
    12 rad/s, and moves for 10 s under gravity, without a motor.";

const MISPRINTS: &[(&str, &str)] = &[
    (
        "Equations (10) and (11)",
        "λ has opposite signs in the two; (11), M q̈ + Φqᵀ λ = Q, is the one that is used.",
    ),
    (
        "Equations (14) and (15)",
        "Half the length of the rod is meant, l/2. The scripts measure θ from the downward vertical; in the printed form θ is π/2 less that angle.",
    ),
    (
        "Equation (20)",
        "The upper right block is the transpose of Φq. γ of the pendulum has two rows and one column.",
    ),
    (
        "γ in the scripts",
        "The mixed term needs a factor of 2: γ = −(Φq v)q v − 2 Φqt v − Φtt. It is harmless in the two examples, whose constraints do \
         not depend on time, and wrong for constraints that do; the last section runs it.",
    ),
    ("Scripts", "`1/2` and `'1'` stand for `l/2` and `'l'`."),
    (
        "Velocity columns",
        "They begin at 1+ND, where ND is the number of coordinates; 1+9 is right for the linkage alone.",
    ),
    ("The inverse", "It is computed and not used."),
    (
        "The call of ode45",
        "The structure of options comes behind the parameters, which Octave 7 refuses (`called with too many inputs`): wrap the function \
         so that it has two arguments, and pass the options fourth.",
    ),
];
