//! Short features: blows and steps in time, walls and stops in space, friction that changes its sign.

use super::{number, one_of, run, scaled, whole};
use catena::derivation::Random;

/// At rest until a blow of some milliseconds, a bump, a step or a table of ramps.
pub(super) fn blow(random: &mut Random) -> String {
    let (at, width) = (number(random, 1.0, 8.0), scaled(random, 0.001, 0.03));
    let height = scaled(random, 5.0, 500.0);
    let force = match whole(random, 0, 4) {
        0 => format!("{height}*exp(-((t - {at})/{width})^2)"),
        1 => format!("{height}*max(0, 1 - ((t - {at})/{width})^2)"),
        2 => format!("0.1*{height}*(1 + sign(t - {at}))/2"),
        3 => format!("0.1*{height}*min(1, max(0, (t - {at})/{width}))"),
        _ => format!("0.1*{height}*(tanh((t - {at})/{width}) - tanh((t - {at} - 0.3)/{width}))"),
    };
    let (k1, k2) = (scaled(random, 10.0, 400.0), scaled(random, 10.0, 400.0));
    let (m1, m2) = (scaled(random, 0.5, 3.0), scaled(random, 0.5, 3.0));
    let damping = number(random, 0.1, 2.0);
    format!(
        "[coordinates]\nx = \"first\"\ny = \"second\"\n[energy]\nkinetic = \"1/2*{m1}*x'^2 + 1/2*{m2}*y'^2\"\n\
         potential = \"1/2*{k1}*x^2 + 1/2*{k2}*(y - x)^2\"\ndissipation = \"1/2*{damping}*x'^2\"\n\
         [forces]\ny = \"{force}\"\n{}",
        run(10.0)
    )
}

/// A puck that meets a thin wall, a step, a narrow well or a stop.
pub(super) fn wall(random: &mut Random) -> String {
    let (at, width) = (number(random, 1.0, 4.0), scaled(random, 0.002, 0.05));
    let speed = random.between(0.5, 3.0);
    let energy = 0.5 * speed * speed;
    // higher or lower than the energy, never nearly equal to it
    let height = energy * if whole(random, 0, 1) == 0 { 0.6 } else { 1.5 };
    let potential = match whole(random, 0, 4) {
        0 => format!("{height:.4}*exp(-((x - {at})/{width})^2)"),
        1 => format!("{height:.4}*(1 + tanh((x - {at})/{width}))/2"),
        2 => format!("-{height:.4}/(1 + ((x - {at})/{width})^2)"),
        3 => format!("1/2*{}*max(0, x - {at})^2", scaled(random, 1e3, 1e6)),
        _ => format!("{}*abs(x - {at})", number(random, 0.5, 3.0)),
    };
    let t_end = random.between(4.0, 10.0);
    format!(
        "[coordinates]\nx = \"puck\"\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"{potential}\"\n\
         [initial]\nx = 0\n\"x'\" = {speed:.4}\n{}",
        run(t_end)
    )
}

/// An oscillator with friction that is nearly dry, a dead zone or a spring of two slopes, driven.
pub(super) fn non_smooth(random: &mut Random) -> String {
    let stiffness = scaled(random, 5.0, 100.0);
    let force = match one_of(random, &["friction", "dead zone", "two slopes", "quadratic drag"]) {
        "friction" => format!("-0.5*tanh(x'/{})", scaled(random, 0.001, 0.05)),
        "dead zone" => format!("-{stiffness}*(max(0, x - 0.1) + min(0, x + 0.1))"),
        "two slopes" => format!("-{stiffness}*(x + 0.5*abs(x))"),
        _ => "-0.4*x'*abs(x')".to_owned(),
    };
    let (drive, rate) = (number(random, 0.5, 3.0), number(random, 1.0, 6.0));
    let t_end = random.between(4.0, 10.0);
    format!(
        "[coordinates]\nx = \"slider\"\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*5*x^2\"\n\
         [forces]\nx = \"{force} + {drive}*sin({rate}*t)\"\n[initial]\nx = {}\n\"x'\" = {}\n{}",
        number(random, -1.0, 1.0),
        number(random, -1.0, 1.0),
        run(t_end)
    )
}
