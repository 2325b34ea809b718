//! Which penalty factor is stable at which step, and a pair to take.

use super::Analysis;
use crate::words::Words;
use crate::{
    ALPHAS, Answer, Cell, PenaltyMap, Proposal, Question, Refusal, STEPS, Watch, penalty_map,
};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::run_settings::{INTEGRATOR, T_END};
use catena_model::{Model, RunSettings};
use catena_simulation::{RunPlan, Table};
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static PENALTY: Analysis = Analysis {
    name: "penalty",
    summary: "which penalty factor is stable at which step, and a pair to take",
    needs: "constraints",
    run_options: &[&INTEGRATOR, &T_END],
    example: "double-pendulum-cartesian --integrator implicit-midpoint",
    ..Analysis::answered_by(ask)
};

const DEFAULT_INTEGRATOR: &str = "implicit-midpoint";

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let model = question.model;
    let said = RunSettings {
        formulation: Some("penalty".to_owned()),
        integrator: question.run.integrator.clone().or(Some(DEFAULT_INTEGRATOR.to_owned())),
        ..question.run.clone()
    };
    let RunPlan { options, .. } = RunPlan::new(model, &said, &model.run)?;
    let map = penalty_map(model, options.integrator, options.duration(), watch.stop)?;
    let mut answer = Answer::new(PENALTY.name, &model.title);
    answer.settings = json!({ "integrator": options.integrator.name, "t_end": map.t_end });
    answer.result = json!({
        "cells": map.cells.iter().map(cell_json).collect::<Vec<_>>(),
        "largest_velocity": map.largest_velocity,
        "proposal": map.proposal.as_ref().map(proposal_json),
    });
    answer.table = table(&map);
    answer.figure = figure(model, &map);
    say(&mut answer.words, &map, options.integrator.name);
    if !map.complete {
        let (known, asked) = (map.cells.len(), ALPHAS.len() * STEPS.len());
        let text = format!("{known} of {asked} pairs were tried, so that none is proposed");
        answer.note_interruption(text);
    }
    Ok(answer)
}

fn cell_json(cell: &Cell) -> Value {
    json!({
        "formulation": cell.formulation(),
        "alpha": cell.alpha,
        "omega": cell.omega,
        "step": cell.step,
        "velocity_error": cell.velocity_error,
        "constraint_error": cell.drift,
        "unstable": cell.unstable,
    })
}

fn proposal_json(proposal: &Proposal) -> Value {
    let Proposal { cell, best } = proposal;
    json!({
        "formulation": cell.formulation(),
        "omega": cell.omega,
        "cell": cell_json(cell),
        "best": cell_json(best),
    })
}

fn table(map: &PenaltyMap) -> Table {
    let column = |of: fn(&Cell) -> f64| map.cells.iter().map(of).collect();
    Table::default()
        .with_numbers("alpha", "", column(|cell| cell.alpha))
        .with_numbers("omega", "rad/s", column(|cell| cell.omega.unwrap_or(0.0)))
        .with_numbers("step", "s", column(|cell| cell.step))
        .with_numbers("velocity_error", "", column(|cell| cell.velocity_error))
        .with_numbers("constraint_error", "", column(|cell| cell.drift))
        .with_numbers("unstable", "", column(|cell| f64::from(u8::from(cell.unstable))))
}

/// The error against the step, a curve for each penalty factor.
fn figure(model: &Model, map: &PenaltyMap) -> Figure {
    let axes = [Axis::logarithmic("step, s"), Axis::logarithmic("largest error of a velocity")];
    let [x, y] = axes;
    let panel =
        map.cells.chunks(STEPS.len()).fold(Panel::new(model.title.as_str(), x, y), |panel, row| {
            let name = row.first().map_or(String::new(), |cell| match cell.omega {
                None => format!("α = {:.0e}", cell.alpha),
                Some(omega) => format!("α = {:.0e}, ω = {omega}", cell.alpha),
            });
            let steps: Vec<f64> = row.iter().map(|cell| cell.step).collect();
            let errors: Vec<f64> = row.iter().map(|cell| cell.velocity_error).collect();
            panel.with(Series::line_and_marks(name, steps, errors))
        });
    Figure::from(panel)
}

fn say(words: &mut Words, map: &PenaltyMap, integrator: &str) {
    words.say(format!(
        "Springs in the place of constraints with {integrator}, {} s: largest error of a velocity",
        map.t_end
    ));
    words.say("");
    let steps = STEPS.iter().map(|step| format!("step {step}"));
    let headings = ["alpha".to_owned(), "omega".to_owned()].into_iter().chain(steps);
    let rows = map.cells.chunks(STEPS.len()).map(|row| {
        let cell = |cell: &Cell| match cell.unstable {
            true => "unstable".to_owned(),
            false => format!("{:.1e}", cell.velocity_error),
        };
        let alpha = row.first().map_or(String::new(), |cell| format!("{:.0e}", cell.alpha));
        let omega = row.first().and_then(|cell| cell.omega);
        let omega = omega.map_or("-".to_owned(), |omega| omega.to_string());
        [alpha, omega].into_iter().chain(row.iter().map(cell)).collect()
    });
    words.table(headings, rows.collect());
    words.say("");
    match &map.proposal {
        None if !map.complete => {}
        None => words.say(
            "no pair keeps velocities right to half a per cent: take `projection`, or shorter steps",
        ),
        Some(Proposal { cell, best }) => {
            let omega = cell.omega;
            let with = omega.map_or(String::new(), |omega| format!(", omega = {omega} and xi = 1"));
            words.say(format!(
                "proposed: {} with {integrator}, a step of {} s, alpha = {:e}{with}",
                cell.formulation(),
                cell.step,
                cell.alpha
            ));
            words.say(format!(
                "which keeps velocities right to {:.1e} (the largest is {:.1}) and constraints to {:.1e}",
                cell.velocity_error, map.largest_velocity, cell.drift
            ));
            words.say(match cell == best {
                true => "it has the smallest error of the table; nothing near that has a longer step"
                    .to_owned(),
                false => format!(
                    "of the cells within ten times the smallest error of the table ({:.1e}, at a step of {} s) it has \
                     the longest step",
                    best.velocity_error, best.step
                ),
            });
        }
    }
}
