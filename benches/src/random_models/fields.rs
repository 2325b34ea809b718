//! Particles in fields of force.

use super::{number, run, whole};
use catena::derivation::Random;
use std::f64::consts::TAU;

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
    format!(
        "[coordinates]\nx = \"particle\"\ny = \"particle\"\n[energy]\nkinetic = \"1/2*(x'^2 + y'^2)\"\n\
         potential = \"{potential}\"\n{}[initial]\nx = {x:.12}\ny = 0\n\"x'\" = 0\n\"y'\" = {vy:.12}\n{}",
        force.unwrap_or_default(),
        run(t_end)
    )
}
