//! Mechanisms with flat poses and with a constraint too many.

use super::{number, run, scaled, whole};
use catena::derivation::Random;
use std::fmt::Write;

/// Parallel cranks under one bar: two of them pass flat poses as they turn, a third one is redundant everywhere.
pub(super) fn parallel_cranks(random: &mut Random) -> String {
    let cranks = whole(random, 2, 3);
    let length = random.between(0.3, 0.8);
    let (mass, bar) = (scaled(random, 0.3, 2.0), scaled(random, 0.5, 3.0));
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
    let angle = number(random, 0.5, 1.3);
    for i in 1..=cranks {
        let _ = write!(
            text,
            "[[body]]\nname = \"crank{i}\"\nmass = {mass}\nlength = {length:.4}\nangle = {angle}\n\
             [[joint]]\nname = \"foot{i}\"\ntype = \"revolute\"\nbetween = [\"ground.G{i}\", \"crank{i}.A\"]\n\
             [[joint]]\nname = \"head{i}\"\ntype = \"revolute\"\nbetween = [\"crank{i}.B\", \"bar.H{i}\"]\n"
        );
    }
    // swinging about the lowest pose without becoming flat, or turning over
    let rate =
        if whole(random, 0, 1) == 0 { number(random, -1.0, 1.0) } else { number(random, 6.0, 9.0) };
    let t_end = random.between(1.5, 4.0);
    let _ = write!(
        text,
        "[initial]\ncrank1_angle = {angle}\n\"crank1_angle'\" = {rate}\n{}",
        run(t_end)
    );
    text
}
