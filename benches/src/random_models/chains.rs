//! Chains of rods and bobs: swinging, tumbling, with friction, on a shaken pivot.

use super::{number, one_of, run, scaled, whole};
use catena::derivation::Random;
use std::fmt::Write;

/// Some links that swing without turning over.
pub(super) fn gentle(random: &mut Random) -> String {
    let links = whole(random, 1, 6);
    let largest = if links == 1 { 2.5 } else { 0.25 };
    let t_end = random.between(3.0, 8.0);
    chain(random, links, largest, false) + &run(t_end)
}

/// Links that turn over and over.
pub(super) fn wild(random: &mut Random) -> String {
    let links = whole(random, 2, 5);
    let t_end = random.between(4.0, 10.0);
    chain(random, links, 3.0, false) + &run(t_end)
}

/// With friction in the joints.
pub(super) fn with_friction(random: &mut Random) -> String {
    let links = whole(random, 1, 6);
    let t_end = random.between(4.0, 10.0);
    chain(random, links, 0.9, true) + &run(t_end)
}

/// Hung from a pivot that moves.
pub(super) fn shaken(random: &mut Random) -> String {
    let links = whole(random, 1, 4);
    let mut text = chain(random, links, 0.2, true);
    text.push_str("[chain.pivot]\n");
    let axis = one_of(random, &["x", "y"]);
    let (amplitude, rate) = (scaled(random, 0.01, 0.2), scaled(random, 1.0, 15.0));
    let _ = writeln!(text, "{axis} = \"{amplitude}*cos({rate}*t)\"");
    let t_end = random.between(4.0, 12.0);
    text + &run(t_end)
}

/// Without its pivot and its run.
fn chain(random: &mut Random, links: usize, largest: f64, friction: bool) -> String {
    let mut each = |low: f64, high: f64| {
        let values: Vec<String> = (0..links).map(|_| number(random, low, high)).collect();
        format!("[{}]", values.join(", "))
    };
    let (mass, length, start) = (each(0.3, 2.0), each(0.3, 1.2), each(-largest, largest));
    let friction = if friction { each(0.02, 0.5) } else { "0".to_owned() };
    let shape = one_of(random, &["rod", "bob"]);
    format!(
        "[chain]\nlinks = {links}\nmass = {mass}\nlength = {length}\nshape = \"{shape}\"\n\
         friction = {friction}\nstart = {start}\n"
    )
}
