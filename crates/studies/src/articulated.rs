//! The articulated study: twenty rods, by augmented Lagrangian and by recursion.

mod chain;
mod curves;
mod draws;
mod equations;
mod films;
mod gaps;
mod grid;
mod links;
mod motion;
mod multipliers;
mod paths;
mod times;
mod truth;
mod velocities;
mod weighing;
mod work;

use crate::{Experiment, Study};
use catena::model::{Kind, OptionRow};

static OMEGA: OptionRow = OptionRow::new(
    "omega",
    Kind::NotNegative,
    "Natural frequency at which constraint errors of the augmented Lagrangian decay",
)
.unit("rad/s")
.default("0");

static XI: OptionRow = OptionRow::new(
    "xi",
    Kind::NotNegative,
    "Damping ratio of these errors; without a frequency it means nothing",
)
.default("1");

static ALPHA: OptionRow =
    OptionRow::new("alpha", Kind::Positive, "Penalty factor of the augmented Lagrangian")
        .unit("kg")
        .default("1000");

static LINKS: OptionRow =
    OptionRow::new("links", Kind::Count(2), "Number of rods, except in Table 2 and Figure 5")
        .default("20");

const ABOUT: &str = "\
The study lets a chain of twenty rods fall and follows it for five seconds by two methods: the augmented Lagrangian in absolute \
coordinates and the recursive method in joint coordinates, both with `ode45` of MATLAB at tolerances from 0.1 to 0.0001 and \"step \
sizes\" from 0.1 s to 0.0001 s. It compares computing times, the path and the velocity of the tip, and animations, and \
recommends the recursive method for long chains.

It leaves open what the rods weigh, how long they are, how they start, and the constants α, ω, ξ and ε of the augmented Lagrangian. \
That ω and ξ are not mentioned decides most of what it sees: without them nothing holds the constraints themselves. Here everything is run \
with ω = 0, as the study seems to have done, and once more with ω = 10 rad/s and ξ = 1. `--set omega=10` makes the second the rule, \
and claims fall.";

const MISPRINTS: &[(&str, &str)] = &[
    ("(16), (17)", "α stands between Φqᵀ and the bracket: Φqᵀ α (Φ̈ + 2 ξ ω Φ̇ + ω² Φ)"),
    ("(18)", "the sign is plus: λₖ₊₁ = λₖ + α (Φ̈ + 2 ξ ω Φ̇ + ω² Φ)ₖ₊₁"),
    (
        "(19)",
        "a minus stands before the bracket, which contains Φ̇q q̇ + Φ̇t, that is −γ; the printed Φqt q̇ + Φtt vanishes here, and with it the \
         centripetal part",
    ),
    ("(20)", "≤, and the iteration is a fixed-point iteration, not that of Newton and Raphson"),
    ("(21)", "the forces are Qe + Qv"),
    (
        "(22)",
        "has spatial blocks and 5 constraints for each joint; a revolute joint in the plane has 2",
    ),
    (
        "(23)–(27)",
        "−ũₙ takes the vector in world axes; Aₙ₋₁ is a product of rotations; Hₙ is the upper part of Sₙ, zero if the joint is the \
         reference point",
    ),
    (
        "(29)",
        "is the first derivative of (28), and Dₙ lacks Ċₙ Vₙ₋₁, without which the centripetal part is lost and the motion is wrong",
    ),
    ("(31)", "the last term needs Sₙ before Uₙ⁻¹; as printed the matrices do not fit"),
    (
        "(30)–(32)",
        "every Mₙ and Qₙ on the right is the starred one; Uₙ = Sₙᵀ Mₙ* Sₙ is not defined",
    ),
    ("(33), (34)", "contradict each other; V̇₀ = 0 where the chain is pinned to the ground"),
    (
        "text",
        "angles are measured from the horizontal in the equations, from the vertical in the text",
    ),
    (
        "text",
        "\"tolerance 0.1 s\": a tolerance has no unit; the defaults of `ode45` are RelTol = 10⁻³ and AbsTol = 10⁻⁶, and it does not \
         adjust multipliers; the step size is the output grid",
    ),
    ("Figure 5", "shows no collisions: there is nothing to collide with"),
    (
        "Tables 1 and 2",
        "give different times for one case: 9.13 and 10.16 s against 9.69 and 10.03 s",
    ),
];

pub(crate) static STUDY: Study = Study {
    name: "articulated",
    title: "The articulated study: augmented Lagrangian against recursion, twenty rods",
    publication: "S. F. A. Ahmad Noh, M. E. Baharudin, M. Z. Zakaria, M. S. Saad, A. Mohd Noor: A Comparative Study of \
        Numerical Modelling and Analysis for Large Articulated Pendulums, Journal of Advanced Research in Applied Mechanics \
        129(1), 105–121, 2024",
    about: ABOUT,
    settings: &[&OMEGA, &XI, &ALPHA, &LINKS],
    misprints: MISPRINTS,
    experiments: &[
        Experiment { title: "The system and the two methods", weight: 0.1, run: equations::run },
        Experiment { title: "The multipliers of two rods", weight: 0.1, run: multipliers::run },
        Experiment { title: "The motion", weight: 0.3, run: motion::run },
        Experiment { title: "What the step size is", weight: 0.2, run: grid::run },
        Experiment { title: "The path of the tip", weight: 1.0, run: paths::run },
        Experiment { title: "Joints that open", weight: 1.0, run: gaps::run },
        Experiment { title: "The velocity of the tip", weight: 1.0, run: velocities::run },
        Experiment { title: "Computing times", weight: 1.0, run: times::run },
        Experiment {
            title: "Computing times over the number of rods",
            weight: 1.0,
            run: links::run,
        },
        Experiment { title: "Work and precision", weight: 1.0, run: work::run },
        Experiment { title: "The chain in motion", weight: 0.3, run: films::run },
    ],
};
