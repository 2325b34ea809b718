//! Energies with constraints: beads on curves, particles on surfaces, pendulums in Cartesian coordinates.

use super::{number, run, scaled, whole};
use catena::derivation::Random;
use std::fmt::Write;

/// A bead on an ellipse, a parabola or a wave, under its weight.
pub(super) fn bead_on_curve(random: &mut Random) -> String {
    let (a, b) = (random.between(0.5, 2.0), random.between(0.5, 2.0));
    let (curve, x, y) = match whole(random, 0, 2) {
        0 => (format!("x^2/{a:.4}^2 + y^2/{b:.4}^2 - 1"), 0.6 * a, -0.8 * b),
        1 => (format!("y - {a:.4}*x^2"), b, a * b * b),
        _ => (format!("y - {b:.4}*sin({a:.4}*x)"), -0.4, -0.3 * b),
    };
    let drag = number(random, 0.0, 0.3);
    let rate = number(random, -2.0, 2.0);
    let t_end = random.between(3.0, 8.0);
    format!(
        r#"[coordinates]
x = "bead"
y = "bead"
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y + 1/2*x^2"
dissipation = "1/2*{drag}*(x'^2 + y'^2)"
[constraints]
curve = "{curve}"
[initial]
x = {x:.4}
"x'" = {rate}
[guess]
y = {y:.4}
{}"#,
        run(t_end)
    )
}

/// On a sphere, an ellipsoid or a saddle.
pub(super) fn particle_on_surface(random: &mut Random) -> String {
    let (a, b) = (number(random, 0.5, 2.0), number(random, 0.5, 2.0));
    let (surface, z) = match whole(random, 0, 2) {
        0 => (format!("x^2 + y^2 + z^2 - {a}^2"), "-0.8"),
        1 => (format!("x^2/{a}^2 + y^2/{b}^2 + z^2 - 1"), "-0.8"),
        _ => (format!("z - {a}*x^2 - {b}*y^2"), "0.1"),
    };
    let (vx, vy) = (number(random, -1.5, 1.5), number(random, -1.5, 1.5));
    let t_end = random.between(3.0, 8.0);
    format!(
        r#"[coordinates]
x = "particle"
y = "particle"
z = "particle"
[energy]
kinetic = "1/2*(x'^2 + y'^2 + z'^2)"
potential = "9.81*z"
[constraints]
surface = "{surface}"
[initial]
x = 0.2
y = 0.15
"x'" = {vx}
"y'" = {vy}
[guess]
z = {z}
{}"#,
        run(t_end)
    )
}

/// Bobs on rods, each with x and y, that swing gently; sometimes with springs in the place of gravity alone.
pub(super) fn cartesian_pendulum(random: &mut Random) -> String {
    let bobs = whole(random, 1, 3);
    let swing = if bobs == 1 { 2.0 } else { 0.4 };
    let (mut coordinates, mut initial, mut guess) = (String::new(), String::new(), String::new());
    let (mut kinetic, mut potential) = ("0".to_owned(), "0".to_owned());
    let mut constraints = String::new();
    let (mut x, mut y) = (0.0, 0.0);
    for i in 1..=bobs {
        let (length, angle) = (random.between(0.4, 1.2), random.between(-swing, swing));
        let mass = scaled(random, 0.3, 3.0);
        let _ = writeln!(coordinates, "x{i} = \"bob\"\ny{i} = \"bob\"");
        let _ = write!(kinetic, " + 1/2*{mass}*(x{i}'^2 + y{i}'^2)");
        let _ = write!(potential, " + {mass}*9.81*y{i}");
        let before = match i {
            1 => ("0".to_owned(), "0".to_owned()),
            _ => (format!("x{}", i - 1), format!("y{}", i - 1)),
        };
        let _ = writeln!(
            constraints,
            "rod{i} = \"(x{i} - {})^2 + (y{i} - {})^2 - {length:.4}^2\"",
            before.0, before.1
        );
        (x, y) = (x + length * angle.sin(), y - length * angle.cos());
        let _ = writeln!(initial, "x{i} = {x:.4}");
        let _ = writeln!(guess, "y{i} = {y:.4}");
    }
    let t_end = random.between(3.0, 8.0);
    format!(
        "[coordinates]\n{coordinates}[energy]\nkinetic = \"{kinetic}\"\npotential = \"{potential}\"\n\
         [constraints]\n{constraints}[initial]\n{initial}[guess]\n{guess}{}",
        run(t_end)
    )
}
