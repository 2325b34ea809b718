//! A linear model as an answer.

use super::modes::roots;
use super::{Answer, by_name};
use catena_analysis::{LINEARIZE, LinearModel, Matrices, Matrix, Modes};
use catena_figure::Figure;
use catena_simulation::Table;
use serde_json::{Value, json};

/// The matrices of a linear model, with the roots of its modes as the picture.
pub fn linearize_answer(linear: &LinearModel<'_>, modes: &Modes) -> Answer {
    let rest = &linear.rest;
    let system = rest.system;
    let name = |at: &usize| system.coordinates[*at].name.clone();
    let independent: Vec<String> = linear.independent.iter().map(name).collect();
    let coordinates: Vec<&String> = system.coordinates.iter().map(|c| &c.name).collect();
    let states: Vec<&String> = system.states.iter().map(|state| &state.name).collect();
    Answer {
        question: LINEARIZE.name,
        title: rest.model.title.clone(),
        settings: json!({
            "about": by_name(coordinates.iter().copied(), &rest.equilibrium.q),
            "states": by_name(states.iter().copied(), &rest.equilibrium.states),
        }),
        result: json!({
            "independent": independent,
            "minimal": matrices(&linear.minimal),
            "coordinates": coordinates,
            "full": matrices(&linear.full),
            "constraint_jacobian": rows(&linear.constraint_jacobian),
            "spread": rows(&linear.spread),
            "states": states,
        }),
        error_estimate: Some(rest.equilibrium.residual),
        table: table(&independent, &linear.minimal),
        figure: Figure::from(roots(modes)),
    }
}

fn matrices(matrices: &Matrices) -> Value {
    json!({
        "mass": rows(&matrices.mass),
        "damping": rows(&matrices.damping),
        "stiffness": rows(&matrices.stiffness),
        "state_forces": rows(&matrices.state_forces),
        "rates_by_position": rows(&matrices.rates_by_position),
        "rates_by_velocity": rows(&matrices.rates_by_velocity),
        "rates_by_state": rows(&matrices.rates_by_state),
    })
}

fn rows(matrix: &Matrix) -> Value {
    Value::Array((0..matrix.rows()).map(|row| json!(matrix.row(row))).collect())
}

/// M, C and K of the minimal form side by side, a row for each independent coordinate.
fn table(names: &[String], minimal: &Matrices) -> Table {
    let mut table = Table::default();
    let parts = [("M", &minimal.mass), ("C", &minimal.damping), ("K", &minimal.stiffness)];
    for (letter, matrix) in parts {
        for (column, name) in names.iter().enumerate() {
            let numbers = (0..matrix.rows()).map(|row| matrix[(row, column)]).collect();
            table = table.with_numbers(format!("{letter}_{name}"), "", numbers);
        }
    }
    table
}
