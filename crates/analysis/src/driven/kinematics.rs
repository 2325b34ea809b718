//! Kinematics and inverse dynamics: a mechanism driven through its range.
//!
//! # Equations
//! One coordinate, or the motors of the model, prescribe the motion; with the row of the driven
//! coordinate below Φq,
//! $$\begin{bmatrix}\Phi_q\\e_d^T\end{bmatrix}\delta q=-\begin{bmatrix}\Phi\\q_d-s\end{bmatrix},\quad
//!   \begin{bmatrix}\Phi_q\\e_d^T\end{bmatrix}v=\begin{bmatrix}-\Phi_t\\\dot s\end{bmatrix},\quad
//!   \begin{bmatrix}\Phi_q\\e_d^T\end{bmatrix}\dot v=\begin{bmatrix}\gamma\\0\end{bmatrix}$$
//! give positions by Newton's method, velocities and accelerations; then
//! $$\Phi_q^T\lambda-e_d\tau=Q-M\dot v$$
//! gives the multipliers and the force τ that drives the coordinate. Where the matrix loses rank the mechanism is in a
//! dead point, and the driven coordinate cannot lead it further, or in a change point, where branches of its motion cross.
//!
//! # When to choose it
//! To design: where parts go when a crank turns evenly, which torque that takes, and what the pins must bear, without a motion in
//! time and without its errors. It needs one degree of freedom, or motors for all of them; a mechanism that moves by its own forces is
//! `run`.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapters 3 and 7

use super::dead_point::TurningPoint;
use super::driven_mechanism::DrivenMechanism;
use super::path::Path;
use catena_model::{Model, plain};
use catena_simulation::{AssemblyError, Table};

/// What is driven, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// The driven coordinate; `None` where the motors of the model drive it, and then time takes its place.
    pub coordinate: Option<String>,
    /// First value; where the mechanism starts if absent.
    pub from: Option<f64>,
    /// Last value; 2π beyond the first if absent, which is a turn of an angle.
    pub to: Option<f64>,
    /// Rate of the coordinate, 1/s.
    pub rate: f64,
    /// Number of points, ends included.
    pub points: usize,
    /// Columns beyond the usual ones: rates of definitions, resultants, powers, `drive_power`. A name that the model
    /// does not have adds none.
    pub columns: Vec<String>,
}

impl Default for Drive {
    /// The motors of the model, or a turn at 1 rad/s, looked at from degree to degree.
    fn default() -> Drive {
        let (coordinate, columns) = (None, Vec::new());
        Drive { coordinate, from: None, to: None, rate: 1.0, points: 361, columns }
    }
}

/// A mechanism that was driven.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    /// A row for each point: the driven value, coordinates, velocities, accelerations, the driving force,
    /// multipliers and outputs.
    pub table: Table,
    /// Where the mechanism could not be led further: the end of the table, if it is not the last value asked for.
    pub dead_points: Vec<DeadPoint>,
    /// Where branches of the motion meet, in the order in which they were passed.
    pub change_points: Vec<ChangePoint>,
    /// Whether the driven coordinate is an angle.
    pub driven_by_angle: bool,
}

/// Where a mechanism cannot be led further.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadPoint {
    /// The value of the driven coordinate, or of the time.
    pub at: f64,
    /// The coordinates that turn back there: as the mechanism moves through the dead point their rates change sign. The
    /// driven one comes first; none where the mechanism does not move on at all.
    pub turning_back: Vec<String>,
    /// The coordinate that moves fastest through the dead point.
    pub going_on: Option<String>,
}

/// Where branches of the motion of a mechanism meet.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangePoint {
    /// The value of the driven coordinate, or of the time.
    pub at: f64,
    /// Whether the branches have different velocities there, so that only one of them continues the motion.
    pub is_decided: bool,
}

/// Why a mechanism could not be driven.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// No coordinate of this name.
    #[error("there is no coordinate `{name}` to drive")]
    UnknownCoordinate {
        /// What was asked for.
        name: String,
        /// The coordinates of the model.
        known: Vec<String>,
    },
    /// More freedom than the drive takes away.
    #[error(
        "{left} degree{} left when the mechanism is driven: nothing determines {}",
        if *.left == 1 { " of freedom is" } else { "s of freedom are" },
        .names.join(", ")
    )]
    Undetermined {
        /// Degrees of freedom that are left.
        left: usize,
        /// Coordinates that can still move.
        names: Vec<String>,
    },
    /// The drive contradicts the constraints.
    #[error("the motors determine the motion already; `{name}` cannot be driven as well")]
    Overdetermined {
        /// The coordinate that was to be driven.
        name: String,
    },
    /// A model of first-order states alone.
    #[error("the model has no coordinates: there is no mechanism to drive")]
    NoCoordinates,
    /// No coordinate is named, and the model has no motor.
    #[error("the model has no motor: name a coordinate to drive")]
    NothingDriven,
    /// The drive does not hold the mechanism where it starts, but does nearby.
    #[error(
        "the mechanism starts in a dead point or a change point, where the drive does not say which way it goes{}",
        if .names.is_empty() { String::new() } else { format!(": {}", .names.join(", ")) }
    )]
    StartsInChangePoint {
        /// Coordinates that can go either way, as far as they are known.
        names: Vec<String>,
    },
    /// The start cannot be assembled.
    #[error(transparent)]
    Start(#[from] AssemblyError),
    /// It cannot reach the first value.
    #[error("the mechanism cannot reach {name} = {}", plain(*.value))]
    OutOfReach {
        /// The driven coordinate.
        name: String,
        /// The first value of the range.
        value: f64,
    },
}

/// Leads a mechanism through a range.
pub fn drive(model: &Model, drive: &Drive) -> Result<Driven, DriveError> {
    drive_watched(model, drive, &|_| false)
}

/// The same; `stop` is told which part of the range is behind, from 0 to 1, and ends the way there with `true`.
pub fn drive_watched(
    model: &Model,
    drive: &Drive,
    stop: &dyn Fn(f64) -> bool,
) -> Result<Driven, DriveError> {
    let system = &model.own;
    let mut mechanism = DrivenMechanism::new(model, system, drive)?;
    let name = drive.coordinate.clone().unwrap_or_else(|| "t".to_owned());
    let start = mechanism.start()?;
    let from = drive.from.unwrap_or(start.value);
    let to = drive.to.unwrap_or(from + std::f64::consts::TAU);
    let value = |point: usize| match point {
        0 => from,
        point if point + 1 >= drive.points => to,
        point => from + (to - from) * point as f64 / (drive.points - 1) as f64,
    };
    let mut dead_points: Vec<DeadPoint> = Vec::new();
    let mut rows = Vec::new();
    let mut path = Path::new(mechanism, start.clone());
    // to the first value in steps, on the branch of the start
    let begun = path.lead(from);
    if path.is_hardly_held(&start) {
        return Err(DriveError::StartsInChangePoint { names: Vec::new() });
    }
    if begun.is_err() {
        return Err(DriveError::OutOfReach { name, value: from });
    }
    rows.push(path.mechanism.row(&path.here, drive.rate));
    for point in 1..drive.points {
        if stop(point as f64 / drive.points as f64) {
            break;
        }
        match path.lead(value(point)) {
            Ok(()) => rows.push(path.mechanism.row(&path.here, drive.rate)),
            Err(reached) => {
                let turning = TurningPoint::find(&mut path.mechanism, &path.here, to - from);
                dead_points.push(turning.map_or_else(
                    || DeadPoint { at: reached, turning_back: Vec::new(), going_on: None },
                    |turning| turning.dead_point(&path.mechanism),
                ));
                break;
            }
        }
    }
    if dead_points.is_empty() {
        path.look_beyond();
    }
    // how well the drive can hold the mechanism is only known when it has moved
    if path.is_hardly_held(&start) {
        return Err(DriveError::StartsInChangePoint { names: Vec::new() });
    }
    let mut table = path.mechanism.table(&name, rows.len());
    for row in rows {
        table.push(row);
    }
    let driven_by_angle = path.mechanism.is_driven_by_angle();
    Ok(Driven { table, dead_points, change_points: path.change_points, driven_by_angle })
}

/// The angle between two links from their angles, folded to 0…π/2: 90° transmits force best.
pub fn transmission(first: &[f64], second: &[f64]) -> Vec<f64> {
    let folded = |(a, b): (&f64, &f64)| {
        let between = (a - b).rem_euclid(std::f64::consts::PI);
        between.min(std::f64::consts::PI - between)
    };
    first.iter().zip(second).map(folded).collect()
}
