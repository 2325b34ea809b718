//! A phase portrait as an answer.

use super::{Answer, columns_json};
use catena_analysis::PHASE;
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::Model;
use catena_simulation::{Run, Table};
use serde_json::json;

/// The portrait of two columns of a run: t and both, from the end of the transient on.
pub fn phase_answer(model: &Model, run: &Run, portrait: Table, after: f64) -> Answer {
    let c = &run.certificate;
    let [x, y] = [1, 2].map(|at| portrait.columns[at].name.clone());
    let [across, up] = [1, 2].map(|at| portrait.columns[at].numbers());
    let curve = Series::line(y.as_str(), across, up);
    let panel =
        Panel::new(model.title.as_str(), Axis::linear(x.as_str()), Axis::linear(y.as_str()));
    Answer {
        question: PHASE.name,
        title: model.title.clone(),
        settings: json!({
            "x": x,
            "y": y,
            "after": after,
            "to": c.time,
            "formulation": c.formulation,
            "integrator": c.integrator,
        }),
        result: columns_json(&portrait),
        error_estimate: c.estimate.map(|estimate| estimate.error),
        figure: Figure::from(panel.with(curve)),
        table: portrait,
    }
}
