//! Rigid bodies about a fixed point: by Euler's angles, or by Euler parameters with their constraint.

use super::{number, run, whole};
use catena::derivation::Random;

const EULER_ANGLES: &str = r#"[coordinates]
phi = "precession"
theta = "nutation"
psi = "spin"
[definitions]
w1 = "phi'*sin(theta)*sin(psi) + theta'*cos(psi)"
w2 = "phi'*sin(theta)*cos(psi) - theta'*sin(psi)"
w3 = "phi'*cos(theta) + psi'"
"#;

const EULER_PARAMETERS: &str = r#"[coordinates]
e0 = "Euler parameter"
e1 = "Euler parameter"
e2 = "Euler parameter"
e3 = "Euler parameter"
[definitions]
w1 = "2*(-e1*e0' + e0*e1' + e3*e2' - e2*e3')"
w2 = "2*(-e2*e0' - e3*e1' + e0*e2' + e1*e3')"
w3 = "2*(-e3*e0' + e2*e1' - e1*e2' + e0*e3')"
"#;

/// A symmetric or an unsymmetric body that spins about its third axis, with or without its weight.
pub(super) fn top(random: &mut Random) -> String {
    let (a, c) = (random.between(0.5, 1.5), random.between(0.5, 1.5));
    let b = if whole(random, 0, 1) == 0 { a } else { a * random.between(0.8, 1.25) };
    let weight = if whole(random, 0, 1) == 0 { "0".to_owned() } else { number(random, 0.5, 5.0) };
    let spin = random.between(4.0, 15.0);
    let t_end = random.between(2.0, 6.0);
    let kinetic = format!("kinetic = \"1/2*({a:.4}*w1^2 + {b:.4}*w2^2 + {c:.4}*w3^2)\"");
    if whole(random, 0, 2) == 0 {
        let half = 0.5 * random.between(0.5, 1.2);
        let (e0, e1) = (half.cos(), half.sin());
        // turned by twice the half about the first axis, spinning about the third
        return format!(
            "{EULER_PARAMETERS}[energy]\n{kinetic}\npotential = \"{weight}*(e0^2 - e1^2 - e2^2 + e3^2)\"\n\
             [constraints]\nunit = \"e0^2 + e1^2 + e2^2 + e3^2 - 1\"\n[initial]\ne0 = {e0:.15}\ne1 = {e1:.15}\n\
             e2 = 0\ne3 = 0\n\"e0'\" = 0\n\"e1'\" = 0\n\"e2'\" = {:.15}\n\"e3'\" = {:.15}\n{}",
            -0.5 * spin * e1,
            0.5 * spin * e0,
            run(t_end)
        );
    }
    format!(
        "{EULER_ANGLES}[energy]\n{kinetic}\npotential = \"{weight}*cos(theta)\"\n[initial]\nphi = 0\ntheta = {}\n\
         psi = 0\n\"phi'\" = {}\n\"theta'\" = {}\n\"psi'\" = {spin:.4}\n{}",
        number(random, 0.5, 1.5),
        number(random, -0.5, 0.5),
        number(random, -0.3, 0.3),
        run(t_end)
    )
}
