//! The penalty study: a double pendulum in Cartesian coordinates whose rods are stiff springs, moved by the implicit midpoint
//! rule with Newton's method.

mod chaos;
mod energy;
mod motion;
mod newton;
mod plots;
mod system;

use crate::{Experiment, Study};
use catena::model::{Kind, OptionRow};

/// The stiffness of the springs, read literally from "10e6".
static ALPHA: OptionRow =
    OptionRow::new("alpha", Kind::Positive, "Penalty factor of the main runs").default("1e7");

static STEP: OptionRow =
    OptionRow::new("step", Kind::Positive, "Step of the main runs").unit("s").default("0.02");

pub(crate) static STUDY: Study = Study {
    name: "penalty",
    title: "A double pendulum by penalties and the midpoint rule",
    publication: "A. Bazezew: Penalty Formulation for the Nonlinear Dynamic Analysis of a Double Pendulum, Journal of EAEA 15, 1998",
    about: "Two point masses of 0.2 kg hang on massless rods of 1 m. The study writes them in Cartesian coordinates, puts a stiff \
        spring in the place of each rod, and moves them from the horizontal by the implicit midpoint rule with Newton's method, \
        0.02 s a step, for 4 s. Velocities become unstable; a fictitious dashpot and mass are added, and smooth them.\n\n\
        The publication has no tables. It does not say what gravity is (here 9.81 m/s²), and its constants \"α = 10e6, ε = 10e−6\" \
        can be read in two ways: literally they are 10⁷ and 10⁻⁵, and that is what the main runs take; 10⁶ is run as well. \
        Errors are differences to the motion of the pendulum with rigid rods, which is computed with tolerances of 10⁻¹³.",
    settings: &[&ALPHA, &STEP],
    misprints: &[
        ("(2)", "The second term has m₂."),
        ("(4), (5)", "−Φqᵀ λ, with λ opposite to ours, and F = (0, m₁g, 0, m₂g) on the left."),
        ("(7)–(9), (11)", "Φqᵀ where Φq is printed."),
        (
            "(8), expanded",
            "The factor 2 of ∂(x² + y²)/∂x is missing, so that the force is half of what the potential says: κ = ½. It is run \
             below as well, since the printed figures may come from it.",
        ),
        ("(9)", "Φ̈ + Φ̇ + Φ: the printed constants mean 2μω = 1 and ω = 1."),
        ("(11), (12)", "Equilibrium is asked for in the middle of the step, at i + ½."),
        ("Step V of the procedure", "Norms are compared."),
    ],
    experiments: &[
        Experiment { title: "The system", weight: 1.0, run: system::shown },
        Experiment {
            title: "Displacements, velocities and phase plots",
            weight: 4.0,
            run: plots::run,
        },
        Experiment { title: "Energy, penalty factor and step", weight: 6.0, run: energy::run },
        Experiment { title: "Newton's method", weight: 2.0, run: newton::run },
        Experiment { title: "Chaos", weight: 6.0, run: chaos::run },
        Experiment { title: "Which steps are stable", weight: 10.0, run: energy::map },
    ],
};
