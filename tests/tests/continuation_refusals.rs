//! What `continuation` cannot follow is refused in one sentence that says what to do.

use catena::Model;
use catena_tests::{ready, written};

/// The message and the help of a refusal.
fn refused(model: &Model, options: &[(&str, &str)]) -> (String, String) {
    match catena::ask("continuation", model, options) {
        Ok(answer) => panic!("it was answered: {}", answer.words.to_text()),
        Err(refusal) => (refusal.to_string(), refusal.help.unwrap_or_default()),
    }
}

fn check(model: &Model, options: &[(&str, &str)], message: &str, help: &str) {
    let (found, cure) = refused(model, options);
    assert!(found.contains(message), "{found}\nhas no\n{message}");
    assert!(cure.contains(help), "{cure}\nhas no\n{help}");
}

#[test]
fn a_start_that_is_not_periodic_says_its_residual() {
    let model = ready("driven-pendulum", &[]);
    check(
        &model,
        &[("over", "drive=1.15:1.2")],
        "the motion at drive = 1.15 is not periodic: after 320 periods of 3.0091 s the state still differs by 2.7e-1",
        "begin {over} where the motion settles",
    );
    check(
        &model,
        &[("over", "drive=1.07:1.08")],
        "differs by 1.6e-2 from one period to the next, and by",
        "try {multiple} 2",
    );
}

#[test]
fn a_motion_that_never_comes_back_is_no_start() {
    let model = ready("double-pendulum", &[]);
    check(
        &model,
        &[("over", "period=0.1:9")],
        "the motion from the start of the model does not come back to where it was: in",
        "start the model with {set} where it is periodic",
    );
}

#[test]
fn an_unstable_cycle_in_chaos_is_no_start() {
    check(
        &ready("lorenz", &[]),
        &[("over", "rho=28:30")],
        "the motion at rho = 28 does not come back to where it was: in 200 s it stays",
        "{of} equilibrium",
    );
}

#[test]
fn a_period_that_does_not_exist_is_said() {
    let two =
        written("parameters.a = 1\nstates.x = \"-x + a*cos(t) + cos(sqrt(2)*t)\"\ninitial.x = 0");
    check(&two, &[("over", "a=1:2")], "the drive never repeats: its rates", "common period");
    let chirp = written("parameters.a = 1\nstates.x = \"-x + a*cos(t^2)\"\ninitial.x = 0");
    check(&chirp, &[("over", "a=1:2")], "the drive never repeats", "does not need a period");
    let model = ready("driven-pendulum", &[]);
    check(
        &model,
        &[("over", "drive=0.9:1"), ("period", "1.3")],
        "the equations are not the same again after 1.3 s",
        "leave out {period}",
    );
}

#[test]
fn a_multiple_of_a_period_needs_a_drive() {
    let model = ready("lorenz", &[]);
    check(
        &model,
        &[("over", "rho=20:30"), ("multiple", "2")],
        "a multiple is about the period of a drive, and the model has no drive",
        "leave out {multiple}",
    );
    check(
        &ready("driven-pendulum", &[]),
        &[("over", "period=1:2")],
        "the motions of a driven model have the period of their drive: `period` says nothing new",
        "name a parameter",
    );
}

#[test]
fn motions_that_die_out_are_not_followed() {
    let model = ready("lorenz", &[]);
    check(
        &model,
        &[("over", "rho=10:12"), ("of", "periodic")],
        "the motion at rho = 10 comes to rest: there is no periodic motion to follow",
        "{of} equilibrium",
    );
    check(
        &model,
        &[("over", "rho=2:12"), ("from", "hopf")],
        "the equilibria have no Hopf point between these values",
        "widen {over}",
    );
    let damped = ready("single-pendulum", &[]);
    check(
        &damped,
        &[("over", "g=9:10"), ("of", "periodic")],
        "the model conserves an energy: at every value of a parameter it has a family of periodic motions",
        "{over} period=FROM:TO",
    );
    let damped = written(
        "coordinates.x = \"\"\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\ndissipation = \"x'^2/10\"\n\
         [initial]\nx = 1\n\"x'\" = 0",
    );
    check(
        &damped,
        &[("over", "amplitude=0.1:2")],
        "only motions of a conservative model come in families over `amplitude`",
        "name a parameter",
    );
}

#[test]
fn families_are_followed_from_the_start_of_the_model() {
    check(
        &ready("single-pendulum", &[]),
        &[("over", "period=1:2")],
        "the motion from the start of the model has the period 5.38678, which is not between 1 and 2",
        "let {over} enclose it",
    );
}

#[test]
fn equilibria_that_are_no_curve_are_refused() {
    let cart = written(
        "parameters.k = 1\ncoordinates = { x = \"\", y = \"\" }\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
         potential = \"k*y^2\"\ndissipation = \"y'^2 + x'^2\"",
    );
    check(
        &cart,
        &[("over", "k=1:2"), ("of", "equilibrium")],
        "the system can rest anywhere along `x`: its equilibria are no curve",
        "hold it with a spring",
    );
}

#[test]
fn equations_that_jump_have_no_tangent_vectors() {
    let dry = written(
        "parameters.F = 1\ncoordinates.x = \"\"\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2\"\n\
         [forces]\nx = \"F*cos(t) - 0.1*sign(x')\"",
    );
    check(
        &dry,
        &[("over", "F=1:2")],
        "tangent vectors need equations that do not jump",
        "tanh(v/0.01)",
    );
}

#[test]
fn ranges_and_names_that_cannot_be_are_refused() {
    let model = ready("driven-pendulum", &[]);
    for (text, message) in [
        ("drive", "it has no equals sign"),
        ("drive=1", "it needs two ends"),
        ("drive=1:1", "both ends are the same"),
        ("drive=1:2:10", "a number of values has no meaning"),
        ("drive=a:b", "its ends are no numbers"),
    ] {
        check(&model, &[("over", text)], message, "write {over} NAME=FROM:TO");
    }
    check(&model, &[], "nothing is varied", "NAME=FROM:TO");
    check(&model, &[("over", "drve=1:2")], "`drve` is not a parameter", "did you mean `drive`?");
    let set = ready("driven-pendulum", &["drive=1"]);
    check(&set, &[("over", "drive=0.9:1")], "`drive` is varied, and", "leave out");
    check(&model, &[("over", "drive=0.9:1"), ("columns", "thta")], "thta", "theta");
    check(
        &ready("double-pendulum-cartesian", &[]),
        &[("over", "period=1:9"), ("formulation", "penalty")],
        "tangent vectors need exact constraints, and `penalty` has springs in their place",
        "{check}",
    );
    check(
        &model,
        &[("over", "drive=0.9:1"), ("from", "hopf"), ("of", "equilibrium")],
        "motions that begin at Hopf points are periodic",
        "leave out",
    );
}
