//! Mechanisms with flat poses and with a constraint too many.

use super::{number, run, scaled, whole};
use catena::derivation::Random;
use std::fmt::Write;

/// Two or three parallel cranks under one bar, with their start and their end.
struct ParallelCranks {
    count: usize,
    length: f64,
    mass: String,
    bar: String,
    angle: String,
    rate: String,
    t_end: f64,
}

impl ParallelCranks {
    fn new(random: &mut Random) -> ParallelCranks {
        let count = whole(random, 2, 3);
        let length = random.between(0.3, 0.8);
        let (mass, bar) = (scaled(random, 0.3, 2.0), scaled(random, 0.5, 3.0));
        let angle = number(random, -2.5, -0.7);
        // swinging about the lowest pose without becoming flat, or turning over
        let rate = match whole(random, 0, 1) {
            0 => number(random, -1.0, 1.0),
            _ => number(random, 10.0, 14.0),
        };
        let t_end = random.between(1.5, 4.0);
        ParallelCranks { count, length, mass, bar, angle, rate, t_end }
    }
}

/// Two cranks pass flat poses as they turn, a third one is redundant everywhere.
pub(super) fn parallel_cranks(random: &mut Random) -> String {
    let ParallelCranks { count: cranks, length, mass, bar, angle, rate, t_end } =
        ParallelCranks::new(random);
    let mut text = String::from("[ground]\npoints = { ");
    for i in 1..=cranks {
        let _ = write!(text, "{}G{i} = [{}, 0]", if i == 1 { "" } else { ", " }, i - 1);
    }
    let _ = write!(
        text,
        " }}\n[[body]]\nname = \"bar\"\nmass = {bar}\nlength = {}\nangle = 0\n",
        cranks - 1
    );
    text.push_str("points = { ");
    for i in 1..=cranks {
        let _ = write!(text, "{}H{i} = [{}, 0]", if i == 1 { "" } else { ", " }, i - 1);
    }
    text.push_str(" }\n");
    for i in 1..=cranks {
        let _ = write!(
            text,
            "[[body]]\nname = \"crank{i}\"\nmass = {mass}\nlength = {length:.4}\nangle = {angle}\n\
             [[joint]]\nname = \"foot{i}\"\ntype = \"revolute\"\nbetween = [\"ground.G{i}\", \"crank{i}.A\"]\n\
             [[joint]]\nname = \"head{i}\"\ntype = \"revolute\"\nbetween = [\"crank{i}.B\", \"bar.H{i}\"]\n"
        );
    }
    let _ = write!(
        text,
        "[initial]\ncrank1_angle = {angle}\n\"crank1_angle'\" = {rate}\n{}",
        run(t_end)
    );
    text
}

/// All cranks turn alike, each as a pendulum with its share of the bar, which does not turn.
pub(super) fn parallel_cranks_as_pendulum(random: &mut Random) -> String {
    let ParallelCranks { count, length, mass, bar, angle, rate, t_end } =
        ParallelCranks::new(random);
    let (mut coordinates, mut initial) = (String::new(), String::new());
    let (mut kinetic, mut potential) = ("1/2*bar_angle'^2".to_owned(), "0".to_owned());
    for i in 1..=count {
        let _ = writeln!(coordinates, "crank{i}_angle = \"angle of a crank\"");
        let _ =
            write!(kinetic, " + 1/2*({bar}/{count} + {mass}/3)*{length:.4}^2*crank{i}_angle'^2");
        let _ =
            write!(potential, " + 9.81*({bar}/{count} + {mass}/2)*{length:.4}*sin(crank{i}_angle)");
        let _ = writeln!(initial, "crank{i}_angle = {angle}\n\"crank{i}_angle'\" = {rate}");
    }
    format!(
        "[coordinates]\nbar_angle = \"angle of the bar\"\n{coordinates}[energy]\nkinetic = \"{kinetic}\"\n\
         potential = \"{potential}\"\n[initial]\n{initial}{}",
        run(t_end)
    )
}
