//! Particles in fields of force.

use super::{number, run, whole};
use catena::derivation::Random;
use std::f64::consts::TAU;

/// An orbit that comes close to its centre.
pub(super) fn close_approach(random: &mut Random) -> String {
    let eccentricity = random.between(0.9, 0.995);
    // from the farthest point, with a major half axis of 1
    let (x, v) = (1.0 + eccentricity, ((1.0 - eccentricity) / (1.0 + eccentricity)).sqrt());
    let t_end = TAU * random.between(0.6, 2.0);
    particle("-1/sqrt(x^2 + y^2)", "", x, v, t_end)
}

/// Orbits about a centre, some of them long and thin; a particle in a magnetic field; two wells.
pub(super) fn orbit(random: &mut Random) -> String {
    let (potential, force, x, vy, t_end) = match whole(random, 0, 3) {
        0 | 1 => {
            let eccentricity = random.between(0.0, 0.9);
            // from the nearest point, with a major half axis of 1
            let (x, v) = (1.0 - eccentricity, ((1.0 + eccentricity) / (1.0 - eccentricity)).sqrt());
            ("-1/sqrt(x^2 + y^2)".to_owned(), None, x, v, TAU * random.between(1.0, 3.0))
        }
        2 => {
            let field = number(random, 0.5, 5.0);
            let force = format!("[forces]\nx = \"{field}*y'\"\ny = \"-{field}*x'\"\n");
            ("1/2*x^2 + 0.1*y^4".to_owned(), Some(force), 1.0, 0.5, random.between(4.0, 12.0))
        }
        _ => {
            let depth = number(random, 0.5, 3.0);
            let wells = format!("{depth}*(x^2 - 1)^2 + y^2 + 0.2*x*y");
            (wells, None, 1.0 + random.between(0.05, 0.3), 0.2, random.between(4.0, 12.0))
        }
    };
    particle(&potential, &force.unwrap_or_default(), x, vy, t_end)
}

fn particle(potential: &str, forces: &str, x: f64, vy: f64, t_end: f64) -> String {
    format!(
        "[coordinates]\nx = \"particle\"\ny = \"particle\"\n[energy]\nkinetic = \"1/2*(x'^2 + y'^2)\"\n\
         potential = \"{potential}\"\n{forces}[initial]\nx = {x:.12}\ny = 0\n\"x'\" = 0\n\"y'\" = {vy:.12}\n{}",
        run(t_end)
    )
}
