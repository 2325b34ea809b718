//! Planar mechanisms with loops: four-bars, slider-cranks, two loops, a motor.

use super::{number, one_of, run, scaled};
use catena::derivation::Random;

/// Lengths of crank, coupler and rocker over a ground of 1 m, of which the crank turns all the way round.
fn crank_rocker(random: &mut Random) -> [f64; 3] {
    loop {
        let [crank, coupler, rocker] =
            [(0.2, 0.4), (0.7, 1.2), (0.6, 1.1)].map(|(low, high)| random.between(low, high));
        let longest = coupler.max(rocker).max(1.0);
        // shortest and longest together are shorter than the two others, with a margin
        if crank + longest + 0.1 < 1.0 + coupler + rocker - longest {
            return [crank, coupler, rocker];
        }
    }
}

/// Bodies and joints of a crank-rocker; O and D are its ground points.
fn four_bar_parts(random: &mut Random) -> String {
    let [crank, coupler, rocker] = crank_rocker(random);
    let mut mass = || scaled(random, 0.3, 3.0);
    let [m2, m3, m4] = [mass(), mass(), mass()];
    format!(
        r#"[ground]
points = {{ O = [0, 0], D = [1, 0] }}
[[body]]
name = "crank"
mass = {m2}
length = {crank:.4}
[[body]]
name = "coupler"
mass = {m3}
length = {coupler:.4}
points = {{ P = [0.3, 0.1] }}
angle = "30 deg"
[[body]]
name = "rocker"
mass = {m4}
length = {rocker:.4}
angle = "95 deg"
[[joint]]
name = "O"
type = "revolute"
between = ["ground.O", "crank.A"]
[[joint]]
name = "B"
type = "revolute"
between = ["crank.B", "coupler.A"]
[[joint]]
name = "C"
type = "revolute"
between = ["coupler.B", "rocker.B"]
[[joint]]
name = "D"
type = "revolute"
between = ["ground.D", "rocker.A"]
"#
    )
}

/// A crank-rocker under its weight, sometimes with a spring and a damper, that swings or turns round.
pub(super) fn four_bar(random: &mut Random) -> String {
    let parts = four_bar_parts(random);
    let spring = match one_of(random, &["none", "spring"]) {
        "spring" => format!(
            "[[spring]]\nbetween = [\"coupler.P\", \"ground.D\"]\nstiffness = {}\nlength = 0.4\ndamping = {}\n",
            scaled(random, 5.0, 100.0),
            number(random, 0.0, 1.0)
        ),
        _ => String::new(),
    };
    let (angle, rate) = (number(random, -1.0, 2.5), number(random, -10.0, 10.0));
    let t_end = random.between(2.0, 5.0);
    format!(
        "{parts}{spring}[initial]\ncrank_angle = {angle}\n\"crank_angle'\" = {rate}\n{}",
        run(t_end)
    )
}

/// A crank with a flywheel, a rod, a slider on a guide, and something that brakes or drives it.
pub(super) fn slider_crank(random: &mut Random) -> String {
    let crank = random.between(0.05, 0.3);
    let (offset, rod) = (random.between(-0.1, 0.1), crank * random.between(2.0, 4.0) + 0.1);
    let mut mass = || scaled(random, 0.2, 3.0);
    let [m1, m2, m3, inertia] = [mass(), mass(), mass(), mass()];
    let torque = one_of(
        random,
        &[
            "0",
            "0.8*sin(3*t)",
            "2 - 0.3*crank_angle'",
            "-0.2*crank_angle'",
            "0.1*crank_angle'*cos(t)",
        ],
    );
    let rate = number(random, -12.0, 12.0);
    let t_end = random.between(2.0, 5.0);
    format!(
        r#"[[body]]
name = "crank"
mass = {m1}
inertia = {inertia}
points = {{ P = [{crank:.4}, 0] }}
[[body]]
name = "rod"
mass = {m2}
length = {rod:.4}
angle = "-10 deg"
[[body]]
name = "slider"
mass = {m3}
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
between = [[0, {offset:.4}], "slider"]
axis = [1, 0]
friction = {}
[[torque]]
on = "crank"
value = "{torque}"
[initial]
crank_angle = 0.7
"crank_angle'" = {rate}
{}"#,
        number(random, 0.0, 0.5),
        run(t_end)
    )
}

/// Two loops: a crank-rocker whose coupler point carries a rod with a slider on a guide.
pub(super) fn six_bar(random: &mut Random) -> String {
    let parts = four_bar_parts(random);
    let (length, height) = (number(random, 1.0, 1.6), number(random, -0.4, 0.2));
    let (m5, m6) = (scaled(random, 0.2, 2.0), scaled(random, 0.2, 2.0));
    let (angle, rate) = (number(random, 0.3, 1.5), number(random, -8.0, 8.0));
    let t_end = random.between(2.0, 4.0);
    format!(
        r#"{parts}[[body]]
name = "dyad"
mass = {m5}
length = {length}
angle = "-30 deg"
[[body]]
name = "slider"
mass = {m6}
inertia = 0.02
[[joint]]
name = "P"
type = "revolute"
between = ["coupler.P", "dyad.A"]
[[joint]]
name = "Q"
type = "revolute"
between = ["dyad.B", "slider"]
[[joint]]
name = "guide"
type = "prismatic"
between = [[0, {height}], "slider"]
axis = [1, 0]
[initial]
crank_angle = {angle}
"crank_angle'" = {rate}
{}"#,
        run(t_end)
    )
}

/// A crank-rocker that a motor turns, with a pendulum on its coupler.
pub(super) fn driven_by_motor(random: &mut Random) -> String {
    let parts = four_bar_parts(random);
    let (mass, length) = (scaled(random, 0.2, 2.0), number(random, 0.2, 0.6));
    let rate = number(random, 0.5, 8.0);
    let motion = match one_of(random, &["steady", "uneven"]) {
        "steady" => format!("{rate}*t"),
        _ => format!("{rate}*t + 0.2*sin(3*t)"),
    };
    let (friction, start) = (number(random, 0.05, 0.3), number(random, -2.0, -1.0));
    let t_end = random.between(3.0, 6.0);
    format!(
        r#"{parts}[[body]]
name = "pendulum"
mass = {mass}
length = {length}
angle = {start}
[[joint]]
name = "P"
type = "revolute"
between = ["coupler.P", "pendulum.A"]
friction = {friction}
[[motor]]
name = "drive"
joint = "O"
angle = "{motion}"
[initial]
pendulum_angle = {start}
"pendulum_angle'" = 0
{}"#,
        run(t_end)
    )
}
