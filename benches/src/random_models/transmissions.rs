//! Wheels that mesh, and bodies held by springs.

use super::{number, one_of, run, scaled, whole};
use catena::derivation::Random;
use std::fmt::Write;

/// Wheels in a row, the last one on a torsion spring or against friction; or a planetary gear.
pub(super) fn gear_train(random: &mut Random) -> String {
    match whole(random, 0, 2) {
        0 => planetary(random),
        _ => wheels(random),
    }
}

fn wheels(random: &mut Random) -> String {
    let count = whole(random, 2, 4);
    let (mut text, mut at) = (String::new(), 0.0);
    for i in 1..=count {
        let (mass, inertia) = (scaled(random, 0.5, 3.0), scaled(random, 0.01, 0.5));
        let _ = writeln!(text, "[[body]]\nname = \"wheel{i}\"\nmass = {mass}\ninertia = {inertia}");
        let _ = writeln!(
            text,
            "[[joint]]\nname = \"axle{i}\"\ntype = \"revolute\"\nbetween = [[{at:.2}, 0], \"wheel{i}\"]\nfriction = {}",
            number(random, 0.0, 0.05)
        );
        at += 0.5;
        if i > 1 {
            let ratio = number(random, -2.5, -0.4);
            let _ = writeln!(
                text,
                "[[joint]]\nname = \"mesh{i}\"\ntype = \"gear\"\nbetween = [\"wheel{}\", \"wheel{i}\"]\nratio = {ratio}",
                i - 1
            );
        }
    }
    let load = one_of(random, &["spring", "torque", "drive"]);
    let _ = match load {
        "spring" => writeln!(
            text,
            "[[torsion-spring]]\nbetween = [\"ground\", \"wheel{count}\"]\nstiffness = {}",
            scaled(random, 0.5, 20.0)
        ),
        "torque" => {
            writeln!(text, "[[torque]]\non = \"wheel1\"\nvalue = \"0.4 - 0.05*wheel1_angle'\"")
        }
        _ => writeln!(text, "[[torque]]\non = \"wheel1\"\nvalue = \"0.4*sin(2*t)\""),
    };
    let t_end = random.between(3.0, 10.0);
    let rate = number(random, -20.0, 20.0);
    let _ = write!(text, "[initial]\nwheel1_angle = 0\n\"wheel1_angle'\" = {rate}\n{}", run(t_end));
    text
}

/// Sun, planet and carrier, driven at the sun; the ring stands still.
fn planetary(random: &mut Random) -> String {
    let (sun, planet) = (random.between(0.1, 0.3), random.between(0.1, 0.3));
    let arm = sun + planet;
    let ring = sun + 2.0 * planet;
    let mut inertia = || scaled(random, 0.005, 0.2);
    let [i1, i2, i3] = [inertia(), inertia(), inertia()];
    let (push, drag) = (number(random, 0.2, 2.0), number(random, 0.01, 0.2));
    let t_end = random.between(3.0, 20.0);
    format!(
        r#"[[body]]
name = "sun"
mass = 1
inertia = {i1}
[[body]]
name = "carrier"
mass = 0.8
inertia = {i2}
points = {{ P = [{arm:.6}, 0] }}
[[body]]
name = "planet"
mass = 0.5
inertia = {i3}
[[joint]]
name = "sun_axle"
type = "revolute"
between = [[0, 0], "sun"]
[[joint]]
name = "carrier_axle"
type = "revolute"
between = [[0, 0], "carrier"]
[[joint]]
name = "planet_axle"
type = "revolute"
between = ["carrier.P", "planet"]
[[joint]]
name = "inner"
type = "gear"
between = ["sun", "planet"]
ratio = {:.6}
carrier = "carrier"
[[joint]]
name = "outer"
type = "gear"
between = ["ground", "planet"]
ratio = {:.6}
carrier = "carrier"
[[torque]]
on = "sun"
value = "{push} - {drag}*sun_angle'"
[initial]
sun_angle = 0
"sun_angle'" = {}
{}"#,
        -sun / planet,
        ring / planet,
        number(random, -10.0, 30.0),
        run(t_end)
    )
}

/// A body hung from two damped springs.
pub(super) fn sprung_body(random: &mut Random) -> String {
    let (k1, k2) = (scaled(random, 50.0, 1000.0), scaled(random, 50.0, 1000.0));
    let (c1, c2) = (scaled(random, 0.5, 10.0), scaled(random, 0.5, 10.0));
    let (mass, inertia) = (scaled(random, 0.5, 5.0), scaled(random, 0.05, 0.5));
    let (y, angle, spin) =
        (number(random, -0.6, -0.3), number(random, -0.3, 0.3), number(random, -1.0, 1.0));
    let t_end = random.between(3.0, 8.0);
    format!(
        r#"[ground]
points = {{ L = [-0.6, 0.5], R = [0.6, 0.5] }}
[[body]]
name = "beam"
mass = {mass}
inertia = {inertia}
points = {{ L = [-0.4, 0], R = [0.4, 0] }}
free = true
[[spring]]
between = ["ground.L", "beam.L"]
stiffness = {k1}
length = 0.8
damping = {c1}
[[spring]]
between = ["ground.R", "beam.R"]
stiffness = {k2}
length = 0.8
damping = {c2}
[initial]
beam_x = 0.02
beam_y = {y}
beam_angle = {angle}
"beam_x'" = 0.2
"beam_y'" = 0
"beam_angle'" = {spin}
{}"#,
        run(t_end)
    )
}
