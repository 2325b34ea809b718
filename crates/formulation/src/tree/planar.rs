//! Forces, accelerations and inertias in the plane: three numbers, x, y and angle, and what resists them.

/// x, y and angle of a force or an acceleration.
pub(crate) type Three = [f64; 3];

/// A symmetric matrix: xx, xy, yy, xθ, yθ, θθ.
pub(crate) type Inertia = [f64; 6];

/// Those of a body in a list of all.
#[inline(always)]
pub(crate) fn at(values: &[f64], own: usize) -> Three {
    [values[own], values[own + 1], values[own + 2]]
}

/// a + factor b
#[inline(always)]
pub(crate) fn combined(a: Three, factor: f64, b: Three) -> Three {
    [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]]
}

#[inline(always)]
pub(crate) fn inner(a: Three, b: Three) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn times(inertia: &Inertia, a: Three) -> Three {
    let [xx, xy, yy, xt, yt, tt] = *inertia;
    [inner([xx, xy, xt], a), inner([xy, yy, yt], a), inner([xt, yt, tt], a)]
}

/// Xᵀf: the same force, its moment about a point that lies `arm` before.
#[inline(always)]
pub(crate) fn carried_over([x, y, moment]: Three, [dx, dy]: [f64; 2]) -> Three {
    [x, y, moment + dx * y - dy * x]
}

/// XᵀIX
#[inline(always)]
pub(crate) fn shifted(inertia: &Inertia, [dx, dy]: [f64; 2]) -> Inertia {
    let [xx, xy, yy, xt, yt, tt] = *inertia;
    // entries of IX in the third column
    let (x, y) = (dx * xy - dy * xx + xt, dx * yy - dy * xy + yt);
    [xx, xy, yy, x, y, dx * (yt + y) - dy * (xt + x) + tt]
}
