//! A driven mechanism as an answer.

use super::{Answer, columns_json};
use crate::table_panel;
use catena_analysis::{Analysis, Driven};
use catena_figure::Figure;
use catena_model::Model;
use catena_simulation::Table;
use serde_json::json;

/// A mechanism that was led through its range: what is kept, and which columns are drawn against which.
pub fn kinematics_answer(
    question: &'static Analysis,
    model: &Model,
    driven: &Driven,
    kept: &Table,
    (against, drawn): (&str, &[String]),
    whole: &Table,
) -> Answer {
    let dead = |point: &catena_analysis::DeadPoint| json!({ "at": point.at, "coordinate": point.coordinate });
    Answer {
        question: question.name,
        title: model.title.clone(),
        settings: json!({ "drive": driven.table.columns[0].name, "points": driven.table.len() }),
        result: json!({
            "columns": columns_json(kept),
            "dead_points": driven.dead_points.iter().map(dead).collect::<Vec<_>>(),
        }),
        error_estimate: None,
        table: kept.clone(),
        figure: Figure::from(table_panel(&model.title, whole, against, drawn)),
    }
}
