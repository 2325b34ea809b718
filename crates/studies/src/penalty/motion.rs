//! A motion of the study, and how far it is from that of rigid rods.

use crate::{Laboratory, StudyError};
use catena::{Model, Run, RunSettings};

/// The mechanism.
pub(super) const SYSTEM: &str = "double-pendulum-cartesian";
/// How long it moves, s.
pub(super) const DURATION: f64 = 4.0;
/// Rows are at least this far apart, s.
const ROWS: f64 = 0.01;

const POSITIONS: [&str; 4] = ["x1", "y1", "x2", "y2"];
const VELOCITIES: [&str; 4] = ["x1'", "y1'", "x2'", "y2'"];

/// What holds the masses together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hold {
    /// Springs alone, equation 8, with the factor κ of their force.
    Springs { kappa: f64 },
    /// Springs, dashpots and masses, equation 9, with damping ratio μ and frequency ω.
    Damped { mu: f64, omega: f64 },
}

/// A run of the study.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Case {
    pub(super) hold: Hold,
    pub(super) alpha: f64,
    /// s
    pub(super) step: f64,
    /// The tangent of Newton's method, and where it stops.
    pub(super) newton: &'static str,
    pub(super) newton_tol: f64,
}

impl Case {
    /// Springs with Newton's method solved to rounding.
    pub(super) fn springs(kappa: f64, alpha: f64, step: f64) -> Case {
        let hold = Hold::Springs { kappa };
        Case { hold, alpha, step, newton: "full", newton_tol: 1e-13 }
    }

    /// Springs, dashpots and masses.
    pub(super) fn damped(mu: f64, omega: f64, alpha: f64, step: f64) -> Case {
        let hold = Hold::Damped { mu, omega };
        Case { hold, alpha, step, newton: "full", newton_tol: 1e-13 }
    }

    /// The same with the tangent and the stop of the study.
    pub(super) fn printed(self) -> Case {
        Case { newton: "paper", newton_tol: 1e-5, ..self }
    }

    pub(super) fn label(&self) -> String {
        match self.hold {
            Hold::Springs { kappa } => format!("springs, κ = {kappa}"),
            Hold::Damped { mu, omega } => format!("damped, μ = {mu}, ω = {omega}"),
        }
    }

    /// Rows stand at ends of steps.
    fn every(&self) -> f64 {
        self.step * (ROWS / self.step).ceil().max(1.0)
    }

    pub(super) fn settings(&self) -> RunSettings {
        let mut with = vec![
            format!("alpha={}", self.alpha),
            format!("newton={}", self.newton),
            format!("newton_tol={}", self.newton_tol),
        ];
        let formulation = match self.hold {
            Hold::Springs { kappa } => {
                with.push(format!("kappa={kappa}"));
                "penalty"
            }
            Hold::Damped { mu, omega } => {
                with.extend([format!("xi={mu}"), format!("omega={omega}")]);
                "penalty-damped"
            }
        };
        RunSettings {
            formulation: Some(formulation.to_owned()),
            integrator: Some("implicit-midpoint".to_owned()),
            step: Some(self.step),
            t_end: Some(DURATION),
            every: Some(self.every()),
            with,
            no_certify: true,
            ..RunSettings::default()
        }
    }
}

/// The motion of rigid rods.
pub(super) fn rigid(lab: &Laboratory<'_>, model: &Model, every: f64) -> Result<Run, StudyError> {
    let settings = RunSettings::new()
        .formulation("projection")
        .integrator("dop853")
        .tolerance(1e-13)
        .t_end(DURATION)
        .every(every)
        .no_certify();
    lab.run(model, &settings)
}

/// A motion, row by row, beside that of rigid rods.
pub(super) struct Motion {
    pub(super) case: Case,
    pub(super) run: Run,
    /// s
    pub(super) times: Vec<f64>,
    /// Largest over the coordinates, m.
    pub(super) position_error: Vec<f64>,
    /// m/s
    pub(super) velocity_error: Vec<f64>,
    /// Largest |Φ|, m².
    pub(super) violation: Vec<f64>,
    /// T + V + V*, J: 0 at the start. Masses and dashpots store nothing that can be told from the motion: V* is that of springs.
    pub(super) energy: Vec<f64>,
}

impl Motion {
    pub(super) fn of(lab: &Laboratory<'_>, case: &Case) -> Result<Motion, StudyError> {
        let model = lab.model(SYSTEM, &[])?;
        let run = lab.run(&model, &case.settings())?;
        let exact = rigid(lab, &model, case.every())?;
        let rows = run.table.len().min(exact.table.len());
        let column = |run: &Run, name: &str| {
            run.table.column(name).map(|values| values[..rows].to_vec()).unwrap_or_default()
        };
        let distance = |names: &[&str]| {
            let mut largest = vec![0.0_f64; rows];
            for name in names {
                let pairs = column(&run, name).into_iter().zip(column(&exact, name));
                for (largest, (found, wanted)) in largest.iter_mut().zip(pairs) {
                    *largest = largest.max((found - wanted).abs());
                }
            }
            largest
        };
        let [x1, y1, x2, y2] = POSITIONS.map(|name| column(&run, name));
        let length = |name: &str| model.parameter(name).unwrap_or(f64::NAN);
        let (l1, l2) = (length("l1"), length("l2"));
        let constraints: Vec<[f64; 2]> = (0..rows)
            .map(|row| {
                let upper = x1[row].powi(2) + y1[row].powi(2) - l1 * l1;
                let lower = (x2[row] - x1[row]).powi(2) + (y2[row] - y1[row]).powi(2) - l2 * l2;
                [upper, lower]
            })
            .collect();
        let stiffness = match case.hold {
            Hold::Springs { kappa } => case.alpha * kappa,
            Hold::Damped { .. } => 0.0,
        };
        let springs = |phi: &[f64; 2]| stiffness / 2.0 * (phi[0].powi(2) + phi[1].powi(2));
        let energy = column(&run, "energy").into_iter().zip(&constraints);
        Ok(Motion {
            case: case.clone(),
            times: column(&run, "t"),
            position_error: distance(&POSITIONS),
            velocity_error: distance(&VELOCITIES),
            violation: constraints.iter().map(|phi| phi[0].abs().max(phi[1].abs())).collect(),
            energy: energy.map(|(energy, phi)| energy + springs(phi)).collect(),
            run,
        })
    }

    /// When the error of a velocity first passes this, s.
    pub(super) fn passes(&self, limit: f64) -> Option<f64> {
        let row = self.velocity_error.iter().position(|error| *error > limit)?;
        Some(self.times[row])
    }

    /// Whether it came to its end.
    pub(super) fn finished(&self) -> bool {
        self.times.last().is_some_and(|last| (last - DURATION).abs() < 1e-9)
    }

    /// The largest error of a velocity, m/s; infinite where the motion did not come to its end.
    pub(super) fn worst_velocity(&self) -> f64 {
        if self.finished() { largest(&self.velocity_error) } else { f64::INFINITY }
    }

    /// The largest error of a position, m; infinite where the motion did not come to its end.
    pub(super) fn worst_position(&self) -> f64 {
        if self.finished() { largest(&self.position_error) } else { f64::INFINITY }
    }

    /// A column of its run.
    pub(super) fn column(&self, name: &str) -> &[f64] {
        self.run.table.column(name).unwrap_or_default()
    }
}

/// The largest of some values that are not negative.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}
