//! Other scales: hundreds of periods, thousands of turns, motions of micrometres, distances of kilometres.

use super::{number, one_of, run, scaled, whole};
use catena::derivation::Random;

/// Hundreds of swings of a few oscillators.
pub(super) fn long(random: &mut Random) -> String {
    let t_end = random.between(50.0, 200.0);
    let potential = match one_of(random, &["pendulum", "duffing", "two"]) {
        "pendulum" => format!("-{}*cos(x) + 1/2*y^2", scaled(random, 2.0, 20.0)),
        "duffing" => format!("1/2*x^2 + {}*x^4 + 2*y^2", scaled(random, 0.1, 5.0)),
        _ => format!("x^2 + 1.5*y^2 + {}*x^2*y^2", scaled(random, 0.01, 0.1)),
    };
    let (x, y) = (number(random, 0.3, 1.2), number(random, 0.1, 0.5));
    format!(
        "[coordinates]\nx = \"first\"\ny = \"second\"\n[energy]\nkinetic = \"1/2*(x'^2 + y'^2)\"\n\
         potential = \"{potential}\"\n[initial]\nx = {x}\ny = {y}\n\"x'\" = 0\n\"y'\" = 0\n{}",
        run(t_end)
    )
}

/// A crank with a slider that turns thousands of times, or a wheel with a spoke.
pub(super) fn fast_rotation(random: &mut Random) -> String {
    let rate = scaled(random, 50.0, 400.0);
    let t_end = random.between(2.0, 6.0);
    let (radius, mass) = (random.between(0.05, 0.1), scaled(random, 0.2, 1.0));
    let rod = radius * random.between(2.5, 4.0);
    let torque = one_of(random, &["0", "0.02*sin(t)", "-0.001*crank_angle'"]);
    format!(
        r#"[[body]]
name = "crank"
mass = 5
inertia = {}
points = {{ P = [{radius:.4}, 0] }}
[[body]]
name = "rod"
mass = {mass}
length = {rod:.4}
angle = "-10 deg"
[[body]]
name = "slider"
mass = 0.5
inertia = 0.01
[[joint]]
name = "axle"
type = "revolute"
between = [[0, 0], "crank"]
[[joint]]
name = "crank_pin"
type = "revolute"
between = ["crank.P", "rod.A"]
[[joint]]
name = "wrist_pin"
type = "revolute"
between = ["rod.B", "slider"]
[[joint]]
name = "guide"
type = "prismatic"
between = [[0, 0], "slider"]
axis = [1, 0]
[[torque]]
on = "crank"
value = "{torque}"
[initial]
crank_angle = 0.4
"crank_angle'" = {rate}
{}"#,
        scaled(random, 0.05, 0.5),
        run(t_end)
    )
}

/// Amplitudes of micrometres, or distances of kilometres.
pub(super) fn small_or_large(random: &mut Random) -> String {
    let size = if whole(random, 0, 1) == 0 {
        scaled(random, 1e-3, 1e-2)
    } else {
        scaled(random, 1e3, 1e5)
    };
    let (k1, k2) = (scaled(random, 1.0, 50.0), scaled(random, 1.0, 50.0));
    let t_end = random.between(4.0, 12.0);
    format!(
        "[parameters]\ns = {size}\n[coordinates]\nx = \"first\"\ny = \"second\"\n[energy]\n\
         kinetic = \"1/2*(x'^2 + y'^2)\"\n\
         potential = \"1/2*{k1}*x^2 + 1/2*{k2}*(y - x)^2 + 1/4*(x^2 + y^2)^2/s^2\"\n\
         [initial]\nx = \"s\"\ny = \"-0.3*s\"\n\"x'\" = 0\n\"y'\" = \"0.5*s\"\n{}",
        run(t_end)
    )
}
