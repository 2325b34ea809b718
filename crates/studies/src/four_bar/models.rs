//! Models that only this study needs, as users would write them.

use crate::StudyError;
use catena::{LoadError, Model, Setting, Source};

/// Reads one of the models below, with some values changed.
pub(super) fn model(name: &str, text: &str, settings: &[Setting]) -> Result<Model, StudyError> {
    Ok(catena::read(Source::new(name, text), settings).map_err(LoadError::Problems)?)
}

/// The linkage with the loop closed by geometry: B is the end of the crank, C that of the coupler. A uniform rod between
/// points P and R has the kinetic energy m/6 (P′² + P′·R′ + R′²), so that no angle but the crank's is needed.
pub(super) const CRANK_ANGLE: &str = r#"
title = "Four-bar linkage, by its crank angle alone"

[parameters]
g = 9.81
L1 = 1.0
L2 = 0.4
L3 = 0.9
L4 = 0.8
m2 = 1.0
m3 = 2.25
m4 = 2.0

[coordinates]
theta2 = "crank angle from +x, counter-clockwise"

[definitions]
Bx = "L2*cos(theta2)"
By = "L2*sin(theta2)"
f = "(L1 - Bx)^2 + By^2"
a = "(L3^2 - L4^2 + f)/(2*f)"
h = "sqrt(L3^2/f - a^2)"
Cx = "Bx + a*(L1 - Bx) + h*By"
Cy = "By - a*By + h*(L1 - Bx)"

[energy]
kinetic = "m2/6*(Bx'^2 + By'^2) + m3/6*(Bx'^2 + By'^2 + Bx'*Cx' + By'*Cy' + Cx'^2 + Cy'^2) + m4/6*(Cx'^2 + Cy'^2)"
potential = "g/2*(m2*By + m3*(By + Cy) + m4*Cy)"

[initial]
theta2 = "60 deg"
"theta2'" = 0

[outputs]
theta3 = "atan2(Cy - By, Cx - Bx)"
theta4 = "atan2(Cy, Cx - L1)"

[run]
t_end = 10
"#;

/// A bob on a rod whose pivot is shaken: the constraint moves, and is a distance, so that Φqt is not zero.
pub(super) const SHAKEN_PIVOT: &str = r#"
title = "Pendulum on a shaken pivot"

[parameters]
g = 9.81
m = 1.0
l = 1.0
eta0 = 0.1
w = 6.0

[coordinates]
x = "bob, x"
y = "bob, y, upwards"

[definitions]
eta = "eta0*sin(w*t)"

[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"

[constraints]
rod = "(x - eta)^2 + y^2 - l^2"

[initial]
x = 0
"x'" = "eta0*w"

[guess]
y = -1

[run]
t_end = 10
"#;

/// The same with the multiplier solved for by hand, and the factor of the mixed term of γ as a parameter: 2 is right.
pub(super) const SHAKEN_PIVOT_BY_HAND: &str = r#"
title = "Pendulum on a shaken pivot, γ by hand"

[parameters]
g = 9.81
m = 1.0
l = 1.0
eta0 = 0.1
w = 6.0
mixed = 2

[coordinates]
x = "bob, x"
y = "bob, y, upwards"

[definitions]
eta = "eta0*sin(w*t)"
mixed_term = "-2*eta'*x'"
second_rate = "2*eta'^2 - 2*(x - eta)*eta''"
right_side = "-2*(x'^2 + y'^2) - mixed*mixed_term - second_rate"
tension = "m*(-2*g*y - right_side)/(4*((x - eta)^2 + y^2))"

[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"

[forces]
x = "-2*(x - eta)*tension"
y = "-2*y*tension"

[initial]
x = 0
y = "-l"
"x'" = "eta0*w"
"y'" = 0

[run]
t_end = 10
"#;

/// A parallelogram of the linkage's crank and ground, by its crank angle: the coupler stays level.
pub(super) const PARALLELOGRAM: &str = r#"
title = "Parallelogram, by its crank angle"

[parameters]
g = 9.81
L2 = 0.4
m2 = 1.0
m3 = 2.25
m4 = 2.0

[coordinates]
theta2 = "crank angle from +x, counter-clockwise"

[energy]
kinetic = "1/2*(m2/3 + m3 + m4/3)*L2^2*theta2'^2"
potential = "g*(m2/2 + m3 + m4/2)*L2*sin(theta2)"

[initial]
theta2 = "60 deg"
"theta2'" = 12
"#;
