//! What acts from outside: controllers with states of their own, harmonic drives, smooth pulses.

use super::{number, one_of, run, scaled, whole};
use catena::derivation::Random;

/// A mass under a controller with an integrator, a motor with its current, a pendulum with a filter.
pub(super) fn controlled(random: &mut Random) -> String {
    let (a, b, c) = (scaled(random, 0.5, 5.0), scaled(random, 0.5, 5.0), scaled(random, 0.5, 5.0));
    let (energy, force, state) = match whole(random, 0, 2) {
        0 => (
            format!("kinetic = \"1/2*{a}*x'^2\""),
            format!("-20*(x - sin(t)) - 4*x' - {b}*z"),
            "x - sin(t)".to_owned(),
        ),
        1 => (
            format!("kinetic = \"1/2*0.1*{a}*x'^2\"\npotential = \"{b}*(1 - cos(x))\""),
            "0.5*z - 0.02*x'".to_owned(),
            format!("({c} - 2*z - 0.5*x')/0.2"),
        ),
        _ => (
            format!("kinetic = \"1/2*{a}*x'^2\"\npotential = \"-9.81*{a}*cos(x)\""),
            "-3*z".to_owned(),
            format!("({b} + 1)*(x + 0.3*x' - z)"),
        ),
    };
    let (start, rate) = (number(random, -1.0, 1.0), number(random, -1.0, 1.0));
    let t_end = random.between(4.0, 12.0);
    format!(
        "[coordinates]\nx = \"position\"\n[energy]\n{energy}\n[forces]\nx = \"{force}\"\n[states]\nz = \"{state}\"\n\
         [initial]\nx = {start}\n\"x'\" = {rate}\nz = 0\n{}",
        run(t_end)
    )
}

/// An oscillator with a stiffening spring, or a pendulum, under sines of time.
pub(super) fn oscillator(random: &mut Random) -> String {
    let potential = match whole(random, 0, 2) {
        0 => format!("1/2*{}*x^2", scaled(random, 1.0, 100.0)),
        1 => {
            format!("1/2*{}*x^2 + 1/4*{}*x^4", scaled(random, 1.0, 50.0), scaled(random, 1.0, 50.0))
        }
        _ => format!("-{}*cos(x)", scaled(random, 1.0, 20.0)),
    };
    let drive = match whole(random, 0, 1) {
        0 => format!("{}*sin({}*t)", number(random, 0.5, 3.0), scaled(random, 0.5, 20.0)),
        _ => format!(
            "{}*cos({}*t) + {}*sin({}*t)",
            number(random, 0.5, 2.0),
            scaled(random, 0.5, 5.0),
            number(random, 0.2, 1.0),
            scaled(random, 5.0, 40.0)
        ),
    };
    let damping = number(random, 0.1, 1.0);
    one_coordinate(random, &potential, &format!("{drive} - {damping}*x'"), 0.5)
}

/// At rest, or nearly, until a smooth pulse comes.
pub(super) fn pulsed(random: &mut Random) -> String {
    let (at, width) = (number(random, 1.0, 3.0), scaled(random, 0.01, 0.5));
    let height = number(random, 1.0, 20.0);
    let pulse = match one_of(random, &["bell", "ramp", "sech"]) {
        "bell" => format!("{height}*exp(-((t - {at})/{width})^2)"),
        "ramp" => format!("{height}*(1 + tanh((t - {at})/{width}))/2"),
        _ => format!("{height}/cosh((t - {at})/{width})"),
    };
    let stiffness = scaled(random, 5.0, 200.0);
    let start = if whole(random, 0, 1) == 0 { 0.0 } else { 0.5 };
    let (potential, damping) = (format!("1/2*{stiffness}*x^2 + 1/4*x^4"), number(random, 0.1, 1.0));
    one_coordinate(random, &potential, &format!("{pulse} - {damping}*x'"), start)
}

fn one_coordinate(random: &mut Random, potential: &str, force: &str, largest: f64) -> String {
    let (start, rate) = (number(random, -largest, largest), number(random, -largest, largest));
    let (mass, t_end) = (scaled(random, 0.5, 3.0), random.between(5.0, 12.0));
    format!(
        "[coordinates]\nx = \"position\"\n[energy]\nkinetic = \"1/2*{mass}*x'^2\"\npotential = \"{potential}\"\n\
         [forces]\nx = \"{force}\"\n[initial]\nx = {start}\n\"x'\" = {rate}\n{}",
        run(t_end)
    )
}
