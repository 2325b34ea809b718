//! Mass, damping and stiffness about an equilibrium, and the linear model as a file.

use super::Analysis;
use super::modes::roots;
use crate::answer::AnswerFile;
use crate::facts::by_name;
use crate::words::{Words, fixed};
use crate::{
    Answer, LinearModel, Matrices, Matrix, Modes, Question, Refusal, Rest, Watch, linear_file,
};
use catena_figure::Figure;
use catena_simulation::Table;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static LINEARIZE: Analysis = Analysis {
    name: "linearize",
    summary: "mass, damping and stiffness about an equilibrium, and the linear model as a file",
    needs: "a state of rest near the start",
    run_options: &[],
    options: &[],
    example: "double-pendulum -o linear.toml    the linear model as a file that runs like any other",
    default_model: "",
    file_ending: Some("toml"),
    parallel: false,
    ask,
};

/// Larger matrices are not read in words.
const MAX_WRITTEN_SIZE: usize = 8;

fn ask(question: &Question<'_>, _: &Watch<'_>) -> Result<Answer, Refusal> {
    let linear = Rest::nearest(question.model).and_then(LinearModel::new)?;
    let modes = Modes::new(&linear)?;
    let rest = &linear.rest;
    let system = rest.system;
    let name = |at: &usize| system.coordinates[*at].name.clone();
    let independent: Vec<String> = linear.independent.iter().map(name).collect();
    let coordinates: Vec<&String> = system.coordinates.iter().map(|c| &c.name).collect();
    let states: Vec<&String> = system.states.iter().map(|state| &state.name).collect();
    let mut answer = Answer::new(LINEARIZE.name, &rest.model.title);
    answer.settings = json!({
        "about": by_name(coordinates.iter().copied(), &rest.equilibrium.q),
        "states": by_name(states.iter().copied(), &rest.equilibrium.states),
    });
    answer.result = json!({
        "independent": independent,
        "minimal": matrices(&linear.minimal),
        "coordinates": coordinates,
        "full": matrices(&linear.full),
        "constraint_jacobian": rows(&linear.constraint_jacobian),
        "spread": rows(&linear.spread),
        "states": states,
    });
    answer.error_estimate = Some(rest.equilibrium.residual);
    answer.table = table(&independent, &linear.minimal);
    answer.figure = Figure::from(roots(&modes));
    answer.file = Some(AnswerFile {
        text: linear_file(&linear).map_err(|error| {
            Refusal::of_model(error.to_string(), "a run of the linear model moves it all the same")
        }),
        what: "the linear model",
    });
    say(&mut answer.words, &linear, &independent);
    Ok(answer)
}

fn say(words: &mut Words, linear: &LinearModel<'_>, names: &[String]) {
    let (system, minimal) = (linear.rest.system, &linear.minimal);
    let parts = [("M", &minimal.mass), ("C", &minimal.damping), ("K", &minimal.stiffness)];
    for (letter, matrix) in parts.into_iter().filter(|_| names.len() <= MAX_WRITTEN_SIZE) {
        say_matrix(words, letter, names, matrix);
        words.say("");
    }
    if names.len() > MAX_WRITTEN_SIZE {
        words.say(format!("{} × {} matrices: the table has them", names.len(), names.len()));
    }
    if !system.constraints.is_empty() {
        let all = system.coordinates.len();
        words.say(format!("{} of {all} coordinates are independent", names.len()));
    }
    let residual = linear.rest.equilibrium.residual;
    words.say(format!("about an equilibrium balanced to {residual:.1e}"));
}

fn say_matrix(words: &mut Words, letter: &str, names: &[String], matrix: &Matrix) {
    let headings: Vec<&str> =
        std::iter::once(letter).chain(names.iter().map(String::as_str)).collect();
    let row = |(row, name): (usize, &String)| {
        let cells = matrix.row(row).iter().map(|entry| fixed(*entry, 6));
        std::iter::once(name.clone()).chain(cells).collect()
    };
    words.table(headings, names.iter().enumerate().map(row).collect());
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
