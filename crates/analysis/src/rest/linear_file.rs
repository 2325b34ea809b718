//! The linear model as a model file, which can be run, changed and asked like any other.
//!
//! # Equations
//! With u the deviations of the independent coordinates,
//! $$T = \tfrac12\dot u^TM\dot u,\quad V = \tfrac12u^TKu,\quad D = \tfrac12\dot u^TC\dot u$$
//! where K and C are symmetric, and forces for their skew-symmetric parts. A drive enters as the force
//! $N^T(Q(t) - \Phi_q^T\lambda_0 - Kp - C\dot p - M\ddot p)$ at rest, p being what the dependent
//! coordinates do when the drive moves a constraint. Without constraints its products with the
//! deviations are kept as well, such as the Mathieu term of a pendulum whose pivot is shaken vertically:
//! $\partial(Q - M a_0)/\partial q$ with the acceleration $a_0 = M^{-1}Q(t)$ that the drive gives the
//! system at rest.

use super::drive_forces::DriveForces;
use super::linear_model::LinearModel;
use super::sum_text::{Sum, quadratic, skew_symmetric, symmetric};
use std::fmt::Write;

/// Why the linear model cannot be written down.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearFileError {
    /// A mass that the drive changes.
    #[error(
        "the drive changes the mass of `{coordinate}`: a linear model file cannot express that"
    )]
    ChangingMass {
        /// The coordinate whose mass changes.
        coordinate: String,
    },
}

/// Writes the linear model. Coordinates keep their names and zeros; those that the constraints make
/// dependent become outputs.
pub fn linear_file(linear: &LinearModel<'_>) -> Result<String, LinearFileError> {
    let drive = DriveForces::new(linear)?;
    let writer = Writer { linear, drive };
    Ok(writer.write())
}

struct Writer<'a, 'b> {
    linear: &'a LinearModel<'b>,
    drive: DriveForces,
}

impl Writer<'_, '_> {
    fn write(&self) -> String {
        let rest = &self.linear.rest;
        let mut text = String::new();
        let title = format!("{}, linear about its equilibrium", rest.model.title);
        let _ = writeln!(text, "title = {}", quoted(&title));
        let about = "Written by catena analyze linearize: deviations from rest are small.";
        let _ = writeln!(text, "description = {}", quoted(about));
        self.parameters(&mut text);
        let coordinate = |at: &usize| &rest.system.coordinates[*at];
        let coordinates: Vec<_> = self.linear.independent.iter().map(coordinate).collect();
        if !coordinates.is_empty() {
            text += "\n[coordinates]\n";
        }
        for coordinate in &coordinates {
            // an angle of a linear model does not come back after a turn
            let entry = format!("{{ text = {}, angle = false }}", quoted(&coordinate.text));
            let _ = writeln!(text, "{} = {entry}", coordinate.name);
        }
        self.energies(&mut text);
        section(&mut text, "forces", self.forces());
        section(&mut text, "states", self.states());
        self.initial(&mut text);
        section(&mut text, "outputs", self.outputs());
        let run = &rest.model.run;
        let times = [("t_start", run.t_start), ("t_end", run.t_end), ("every", run.every)];
        let lines = times.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let lines: Vec<String> =
            lines.map(|(name, value)| format!("{name} = {value:?}\n")).collect();
        if !lines.is_empty() {
            text += &format!("\n[run]\n{}", lines.concat());
        }
        text
    }

    fn parameters(&self, text: &mut String) {
        let rest = &self.linear.rest;
        if !self.drive.parameters.is_empty() {
            *text += "\n[parameters]                 # of the drive\n";
        }
        for &at in &self.drive.parameters {
            let _ = writeln!(
                text,
                "{} = {:?}",
                rest.model.parameters[at].entry.name, rest.parameters[at]
            );
        }
    }

    fn energies(&self, text: &mut String) {
        let minimal = &self.linear.minimal;
        if minimal.mass.rows() == 0 {
            return;
        }
        let (positions, velocities) = (self.positions(), self.velocities());
        *text += "\n[energy]\n";
        let _ = writeln!(text, "kinetic = {}", quoted(&quadratic(&minimal.mass, &velocities)));
        let (stiffness, damping) = (symmetric(&minimal.stiffness), symmetric(&minimal.damping));
        for (name, matrix, factors) in
            [("potential", &stiffness, &positions), ("dissipation", &damping, &velocities)]
        {
            let formula = quadratic(matrix, factors);
            if formula != "0" {
                let _ = writeln!(text, "{name} = {}", quoted(&formula));
            }
        }
    }

    /// What has no potential and no dissipation: skew-symmetric parts, states, the drive.
    fn forces(&self) -> Vec<(String, String)> {
        let minimal = &self.linear.minimal;
        let (positions, velocities) = (self.positions(), self.velocities());
        let states = self.state_deviations();
        let skew = [skew_symmetric(&minimal.stiffness), skew_symmetric(&minimal.damping)];
        let row = |row: usize| {
            let mut sum = Sum::default();
            sum.add_row(&skew[0], row, -1.0, &positions);
            sum.add_row(&skew[1], row, -1.0, &velocities);
            sum.add_row(&minimal.state_forces, row, 1.0, &states);
            sum.add_formulas(&self.drive.forces[row], &positions, &velocities, &states);
            (self.name(row), sum.text)
        };
        (0..minimal.mass.rows()).map(row).filter(|(_, text)| !text.is_empty()).collect()
    }

    fn states(&self) -> Vec<(String, String)> {
        let minimal = &self.linear.minimal;
        let (positions, velocities) = (self.positions(), self.velocities());
        let states = self.state_deviations();
        let row = |row: usize| {
            let mut sum = Sum::default();
            sum.add_row(&minimal.rates_by_position, row, 1.0, &positions);
            sum.add_row(&minimal.rates_by_velocity, row, 1.0, &velocities);
            sum.add_row(&minimal.rates_by_state, row, 1.0, &states);
            sum.add_formulas(&self.drive.rates[row], &positions, &velocities, &states);
            (self.linear.rest.system.states[row].name.clone(), sum.or_zero())
        };
        (0..minimal.rates_by_state.rows()).map(row).collect()
    }

    fn initial(&self, text: &mut String) {
        let start = &self.linear.rest.start;
        *text += "\n[initial]\n";
        for (row, &at) in self.linear.independent.iter().enumerate() {
            let name = self.name(row);
            let _ = writeln!(text, "{name} = {:?}\n\"{name}'\" = {:?}", start.q[at], start.v[at]);
        }
        for (state, value) in self.linear.rest.system.states.iter().zip(&start.states) {
            let _ = writeln!(text, "{} = {value:?}", state.name);
        }
    }

    /// The dependent coordinates.
    fn outputs(&self) -> Vec<(String, String)> {
        let LinearModel { rest, spread, independent, .. } = self.linear;
        let positions = self.positions();
        let dependent = (0..spread.rows()).filter(|at| !independent.contains(at));
        let output = |at: usize| {
            let mut sum = Sum::default();
            sum.add_number(rest.equilibrium.q[at], "");
            sum.add_row(spread, at, 1.0, &positions);
            sum.add_text(&self.drive.positions[at]);
            (rest.system.coordinates[at].name.clone(), sum.or_zero())
        };
        dependent.map(output).collect()
    }

    fn name(&self, row: usize) -> String {
        let rest = &self.linear.rest;
        rest.system.coordinates[self.linear.independent[row]].name.clone()
    }

    /// The deviations of the independent coordinates.
    fn positions(&self) -> Vec<String> {
        let equilibrium = &self.linear.rest.equilibrium;
        let places = self.linear.independent.iter().enumerate();
        places.map(|(row, &at)| deviation(&self.name(row), equilibrium.q[at])).collect()
    }

    fn velocities(&self) -> Vec<String> {
        (0..self.linear.independent.len()).map(|row| format!("{}'", self.name(row))).collect()
    }

    fn state_deviations(&self) -> Vec<String> {
        let rest = &self.linear.rest;
        let states = rest.system.states.iter().zip(&rest.equilibrium.states);
        states.map(|(state, &value)| deviation(&state.name, value)).collect()
    }
}

fn section(text: &mut String, name: &str, entries: Vec<(String, String)>) {
    if !entries.is_empty() {
        let _ = write!(text, "\n[{name}]\n");
    }
    for (name, formula) in entries {
        let _ = writeln!(text, "{name} = {}", quoted(&formula));
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn deviation(name: &str, rest: f64) -> String {
    match rest {
        0.0 => name.to_owned(),
        rest if rest < 0.0 => format!("({name} + {:?})", -rest),
        rest => format!("({name} - {rest:?})"),
    }
}
