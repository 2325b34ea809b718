//! Explicit Runge–Kutta methods: each is a tableau and a step control, one engine serves all.

pub(crate) mod bs23;
pub(crate) mod dop853;
mod dop853_coefficients;
pub(crate) mod dopri5;
pub(crate) mod euler;
pub(crate) mod heun;
pub(crate) mod midpoint;
pub(crate) mod ode45;
pub(crate) mod rk4;
mod runge_kutta;
mod tableau;
pub(crate) mod tsit5;
