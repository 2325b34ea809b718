//! The triple-pendulum study: three bobs on a shaken pivot, with friction in the joints.

mod amplitudes;
mod angles;
mod equations;
mod first_resonance;
mod matrix_form;
mod response;
mod response_curve;
mod second_resonance;
mod series;
mod settled;
mod states;

use crate::digits::digits;
use crate::{Experiment, Laboratory, Study, StudyError};
use catena::Model;
use catena::model::{Kind, OptionRow, plain_to};

/// Amplitude of the pivot, m: printed for Figure 2 and taken for all others.
static AMPLITUDE: OptionRow =
    OptionRow::new("amplitude", Kind::Positive, "Amplitude of the pivot").unit("m").default("0.05");
/// By what the friction of every experiment that has some is multiplied.
static FRICTION: OptionRow =
    OptionRow::new("friction", Kind::Positive, "Factor of the friction in all joints").default("1");

pub(crate) static STUDY: Study = Study {
    name: "triple",
    title: "A triple pendulum on a shaken pivot",
    publication: "I. Rivas-Cambero, J. M. Sausedo-Solorio: Dynamics of the Shift in Resonance Frequency in a Triple \
        Pendulum, Meccanica 47, 835–844, 2012 (equations and figures are numbered as in the submitted manuscript)",
    about: "Three bobs of 1 kg hang one below the other on massless links of 1 m from a pivot that is shaken sideways, \
        η = η₀ cos 2πft; friction R acts in every joint on the rate between its links. The study writes the equations in a \
        matrix form for any number of links, reduces them to a linear model and its transfer function, shows three states \
        that it calls periodic, quasi-periodic and chaotic, and follows the resonance peaks as friction grows.

        Left open are the acceleration of gravity, the start and, but for Figure 2, the amplitude of the pivot. Here \
        g = 9.81 m/s², the chain hangs at rest at first, and η₀ = 0.05 m throughout. Every amplitude is that of the motion \
        after its transient, which with little friction takes thousands of seconds: the slowest mode decays by a factor e \
        in about 36 s/R, R in N m s.",
    settings: &[&AMPLITUDE, &FRICTION],
    misprints: MISPRINTS,
    experiments: &[
        Experiment { title: "System and equations", weight: 1.0, run: equations::run },
        Experiment { title: "The linear model in time", weight: 1.0, run: series::run },
        Experiment { title: "Three states", weight: 15.0, run: states::run },
        Experiment { title: "States over the amplitude", weight: 15.0, run: amplitudes::run },
        Experiment { title: "Response by three routes", weight: 15.0, run: response::run },
        Experiment { title: "The first resonance and friction", weight: 8.0, run: first_resonance::run },
        Experiment { title: "The second resonance and friction", weight: 12.0, run: second_resonance::run },
    ],
};

static MISPRINTS: &[(&str, &str)] = &[
    ("Equation (1)", "the loss function is differentiated by the rates θ̇, not by the angles."),
    ("Coordinates", "x₁ = η + L₁ sin θ₁: the pivot moves all bobs."),
    ("Mass matrix", "its first entry is (m₁ + m₂ + m₃) L₁²."),
    ("Friction", "R is in N m s: a torque over a rate."),
    ("Equation (4)", "the drive enters as gravity does: ż = Mₐ⁻¹ (−Nₐ Nᵥ − Pₐ − fₐ)."),
    (
        "Equation (5)",
        "the transfer function is minus the inverse of a matrix times A s², and not a fraction.",
    ),
    (
        "Figure 2",
        "the text says 0.5 Hz and the caption 1 Hz: both are run, and what the study says of them holds for the first only.",
    ),
    (
        "Figure 3",
        "the text says friction 1, 0.1 and 0.01 N m s, the captions 1, 0.1 and 0.1: the last state is run with both.",
    ),
    ("Figure 7", "the exponent is hard to read; −0.5 R from the context."),
];

/// How far the pivot goes to each side, m.
fn amplitude(lab: &Laboratory<'_>) -> f64 {
    lab.number(&AMPLITUDE)
}

/// The friction that is run where the publication has this one, N m s.
fn friction(lab: &Laboratory<'_>, published: f64) -> f64 {
    published * lab.number(&FRICTION)
}

/// The same for several, without what rounding adds to products.
fn frictions(lab: &Laboratory<'_>, published: &[f64]) -> Vec<f64> {
    let tidy = |value: f64| plain_to(value, 6).parse().unwrap_or(value);
    published.iter().map(|&value| tidy(friction(lab, value))).collect()
}

/// The pendulum with some of its parameters: `f` in Hz, `R` in N m s, `eta0` in m. What a question varies is not given.
fn pendulum(lab: &Laboratory<'_>, parameters: &[(&str, f64)]) -> Result<Model, StudyError> {
    let settings: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    lab.model("triple-pendulum", &settings)
}

/// A number as it is said in sentences.
fn said(number: f64) -> String {
    digits(number, 3)
}
