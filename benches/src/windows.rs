//! A row of n square windows in motion, and how well it was kept: from the states alone, by formulas of its own.
//!
//! With all uprights at the angle θ, a row of rods of 1 m and 1 kg is one pendulum:
//! $$\left(\tfrac{n+1}{3} + n\right)\ddot\theta = -\left(\tfrac{n+1}{2} + n\right) g\cos\theta$$

use crate::case::Case;
use catena::Setting;
use catena::integrator::IntegrationError;

const GRAVITY: f64 = 9.81;
/// Moment of inertia of a rod about its centre, kg m².
const INERTIA: f64 = 1.0 / 12.0;
/// The end of the motion, s: the row turns five times, through ten flat poses.
pub const T_END: f64 = 10.0;
/// Steps of the pendulum that is compared with: its error is rounding.
const PENDULUM_STEPS: usize = 100_000;

/// The ready system `n-four-bar` with so many windows.
pub struct Windows {
    /// How many.
    pub count: usize,
    /// Under its formulation.
    pub case: Case,
}

/// What was kept in all steps of a motion.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// The largest change of the energy, J.
    pub energy_error: f64,
    /// The largest difference between the angles of two uprights, rad.
    pub split: f64,
    /// Of the first upright at the end, beside the pendulum, rad.
    pub angle_error: f64,
}

impl Windows {
    /// So many, under a formulation.
    pub fn new(count: usize, formulation: &'static str) -> Windows {
        let size = Setting(format!("n={count}"));
        let model = catena::load("n-four-bar", &[size]).expect("ready systems are right");
        Windows { count, case: Case::new(model, formulation, T_END) }
    }

    /// How well a method keeps the row.
    pub fn kept(&mut self, method: &str, step: f64) -> Result<Kept, IntegrationError> {
        let uprights = self.count + 1;
        let (mut first_energy, mut angle) = (None, 0.0);
        let (mut energy_error, mut split) = (0.0_f64, 0.0_f64);
        self.case.watch_evenly(method, step, |q, v| {
            let energy = energy(q, v);
            energy_error = energy_error.max((energy - *first_energy.get_or_insert(energy)).abs());
            angle = q[2];
            let angles = q.chunks_exact(3).take(uprights).map(|body| body[2]);
            split = angles.fold(split, |split, other| split.max((other - angle).abs()));
        })?;
        Ok(Kept { energy_error, split, angle_error: (angle - pendulum(self.count)).abs() })
    }
}

/// Of rods with x, y and angle each, J.
fn energy(q: &[f64], v: &[f64]) -> f64 {
    let bodies = q.chunks_exact(3).zip(v.chunks_exact(3));
    bodies
        .map(|(q, v)| 0.5 * (v[0] * v[0] + v[1] * v[1] + INERTIA * v[2] * v[2]) + GRAVITY * q[1])
        .sum()
}

/// The angle of the uprights at the end, rad, by the classical method of fourth order.
pub fn pendulum(windows: usize) -> f64 {
    let (n, h) = (windows as f64, T_END / PENDULUM_STEPS as f64);
    let pull = GRAVITY * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
    let (mut angle, mut rate) = (std::f64::consts::FRAC_PI_2, -1.0);
    for _ in 0..PENDULUM_STEPS {
        let slope = |da: f64, dr: f64| (rate + dr, -pull * (angle + da).cos());
        let one = slope(0.0, 0.0);
        let two = slope(0.5 * h * one.0, 0.5 * h * one.1);
        let three = slope(0.5 * h * two.0, 0.5 * h * two.1);
        let four = slope(h * three.0, h * three.1);
        angle += h / 6.0 * (one.0 + 2.0 * (two.0 + three.0) + four.0);
        rate += h / 6.0 * (one.1 + 2.0 * (two.1 + three.1) + four.1);
    }
    angle
}
