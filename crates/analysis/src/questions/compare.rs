//! One model moved in several ways: what each costs, how wrong it is, which to take.

use super::Analysis;
use crate::methods::compare_shown;
use crate::words::{Words, duration};
use crate::{
    Answer, AnswerFilms, CompareRequest, Comparison, Outcome, Question, Reference, Refusal, Watch,
};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::run_settings::{ANY_METHOD, ATOL, RTOL};
use catena_model::{Kind, OptionRow};
use catena_model::{plain_to, power_of_ten};
use catena_simulation::Table;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static COMPARE: Analysis = Analysis {
    name: "compare",
    summary: "one model moved in several ways: what each costs, how wrong it is, which to take",
    needs: "a run",
    run_options: ANY_METHOD,
    options: &[&FORMULATIONS, &INTEGRATORS, &TOLERANCES],
    example: "four-bar --formulations multipliers,projection",
    moves: true,
    ..Analysis::answered_by(ask)
};

/// Which formulations take part.
pub(super) static FORMULATIONS: OptionRow =
    OptionRow::new("formulations", Kind::Words, "Only these formulations").value_name("A,B,...");
/// Which integrators take part.
pub(super) static INTEGRATORS: OptionRow =
    OptionRow::new("integrators", Kind::Words, "These integrators").value_name("A,B,...");
/// Which tolerances take part.
pub(super) static TOLERANCES: OptionRow =
    OptionRow::new("tolerances", Kind::Numbers, "These tolerances, relative and absolute alike")
        .value_name("R,R,...");

/// The methods that the options name.
pub(super) fn methods(question: &Question<'_>) -> CompareRequest {
    let options = question.options;
    CompareRequest {
        formulations: options.words(&FORMULATIONS).to_vec(),
        integrators: options.words(&INTEGRATORS).to_vec(),
        tolerances: options.numbers(&TOLERANCES).to_vec(),
        run: question.run.clone(),
    }
}

/// One tolerance and several of them cannot both be meant.
fn check_tolerances(question: &Question<'_>) -> Result<(), Refusal> {
    let one = [&RTOL, &ATOL].into_iter().find(|option| option.get(question.run).is_some());
    match one {
        Some(option) if question.options.is_given(&TOLERANCES) => {
            let key = option.row.key;
            let message = format!("tolerances are compared, and `{key}` gives one value for all");
            Err(Refusal::of_question(message, format!("leave out {{{key}}}, or {{tolerances}}")))
        }
        _ => Ok(()),
    }
}

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let model = question.model;
    let request = methods(question);
    check_tolerances(question)?;
    let show = |so_far: &dyn Fn() -> Comparison| {
        watch.draw(|| Figure::from(comparison_panel(&model.title, so_far().outcomes.iter())));
    };
    let found = compare_shown(model, &request, watch, watch.looked_at(&show))?;
    let mut answer = Answer::new(COMPARE.name, &model.title);
    answer.settings = json!({
        "formulations": request.formulations,
        "integrators": request.integrators,
        "tolerances": request.tolerances,
        "t_start": request.run.t_start.or(model.run.t_start),
        "t_end": request.run.t_end.or(model.run.t_end),
        "every": request.run.every.or(model.run.every),
    });
    answer.result = comparison_json(&found);
    answer.table = comparison_table(found.outcomes.iter());
    answer.figure = Figure::from(comparison_panel(&model.title, found.outcomes.iter()));
    say(&mut answer.words, &found);
    if question.is_filmed {
        answer.films = Some(films(question, &found, watch)?);
    }
    if !found.uncompared.is_empty() {
        answer.note_interruption(uncompared(&found));
    } else if found.outcomes.is_empty() {
        answer.shortfall = Some("no formulation takes this model".to_owned());
    }
    Ok(answer)
}

/// Every way side by side, with how good it is by the comparison's own measure.
fn films(
    question: &Question<'_>,
    found: &Comparison,
    watch: &Watch<'_>,
) -> Result<AnswerFilms, Refusal> {
    let mut films = Vec::new();
    for outcome in &found.outcomes {
        let label = format!("{}, {}, {}", outcome.formulation, outcome.integrator, asked(outcome));
        let mut settings = question.run.clone();
        settings.formulation = Some(outcome.formulation.to_owned());
        settings.integrator = Some(outcome.integrator.to_owned());
        match outcome.fixed_step {
            true => settings.step = Some(outcome.tolerance),
            false => {
                (settings.rtol, settings.atol) = (Some(outcome.tolerance), Some(outcome.tolerance))
            }
        }
        films.push(question.filmed(label, &settings, watch)?);
    }
    let clock = Some([String::new(), "s".to_owned()]);
    Ok(AnswerFilms { films, clock, duration: None, with_figure: false })
}

/// Who is missing from a comparison that was ended early.
pub(super) fn uncompared(comparison: &Comparison) -> String {
    let missing = comparison.uncompared.iter();
    let missing: Vec<String> = missing.map(|[how, with]| format!("{how} with {with}")).collect();
    let known = comparison.outcomes.len();
    let asked = known + missing.len();
    if known == 0 {
        return format!("none of the {asked} ways is compared yet");
    }
    format!("{known} of {asked} ways are compared, without {}", missing.join(", "))
}

fn say(words: &mut Words, comparison: &Comparison) {
    if comparison.outcomes.is_empty() && !comparison.uncompared.is_empty() {
        return;
    }
    let constrained = comparison.outcomes.iter().any(|o| o.constraint_error > 0.0);
    let forces = comparison.outcomes.iter().any(|o| o.force_error.is_some());
    let mut headings =
        vec!["formulation", "integrator", "tolerance", "time", "steps", "evaluations", "error"];
    if forces {
        headings.push("force error");
    }
    headings.push("energy, J");
    if constrained {
        headings.extend(["|Φ|", "|Φ̇|"]);
    }
    words
        .table(headings, comparison.outcomes.iter().map(|o| row(o, forces, constrained)).collect());
    words.say("");
    for outcome in &comparison.outcomes {
        if let Some(failure) = &outcome.failure {
            words.failure("stopped", format!("`{}`: {failure}", outcome.formulation));
        }
        for remark in &outcome.remarks {
            words.remark("note", format!("`{}`: {remark}", outcome.formulation));
        }
    }
    for outcome in comparison.outcomes.iter().filter(|outcome| outcome.automatic) {
        words.say(format!(
            "`auto` takes `{}` with `{}` at {}",
            outcome.formulation,
            outcome.integrator,
            asked(outcome)
        ));
    }
    if !comparison.refused.is_empty() {
        words.say(format!("left out: {}", left_out(&comparison.refused)));
    }
    if let Some(reference) =
        comparison.reference.as_ref().filter(|_| !comparison.outcomes.is_empty())
    {
        words.say(errors_against(reference));
        words.say("");
        words.say(comparison.recommendation.as_str());
    }
}

/// Who is left out, gathered by the reason: "recursive (no bodies); multipliers, ggl (no constraints)".
fn left_out(refused: &[(String, String)]) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, reason) in refused {
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name])),
        }
    }
    let groups = reasons.iter().map(|(reason, names)| format!("{} ({reason})", names.join(", ")));
    groups.collect::<Vec<_>>().join("; ")
}

/// What the errors are measured against, and how wrong that is.
fn errors_against(reference: &Reference) -> String {
    let Reference { formulation, integrator, tolerance, checked_by, error } = reference;
    let until = match error.diverged {
        true => format!(" up to {} s", short(error.valid_until)),
        false => String::new(),
    };
    let check = match checked_by == formulation {
        true => "at another tolerance".to_owned(),
        false => format!("by {checked_by}"),
    };
    format!(
        "errors against {formulation} with {integrator} at {tolerance:.0e}, which is itself right to \
         {:.1e}{until} (checked {check}), relative to max(1, value); ≤ means: no more than the reference's \
         own; ≥ means: until the motions part",
        error.error
    )
}

fn row(outcome: &Outcome, forces: bool, constrained: bool) -> Vec<String> {
    let s = &outcome.statistics;
    let size = |value: f64| if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") };
    let parted = outcome.failure.is_some() || outcome.error.diverged;
    let error = match parted {
        true => {
            format!("≥ {} at {} s", size(outcome.error.error), short(outcome.error.valid_until))
        }
        false if outcome.within_reference => format!("≤ {}", size(outcome.error.error)),
        false => size(outcome.error.error),
    };
    let mut row = vec![
        outcome.formulation.to_owned(),
        outcome.integrator.to_owned(),
        asked(outcome),
        duration(outcome.seconds),
        s.steps.to_string(),
        s.evaluations.to_string(),
        error,
    ];
    if forces {
        row.push(outcome.force_error.map_or("–".to_owned(), size));
    }
    row.push(size(outcome.energy_residual));
    if constrained {
        row.extend([size(outcome.constraint_error), size(outcome.constraint_rate_error)]);
    }
    row
}

/// The tolerance or the step.
fn asked(outcome: &Outcome) -> String {
    match outcome.fixed_step {
        true => format!("step {}", short(outcome.tolerance)),
        false => power_of_ten(outcome.tolerance),
    }
}

/// A number with no more digits than it needs.
fn short(value: f64) -> String {
    plain_to(value, 5)
}

/// Time against error, a curve for each pair of methods.
fn comparison_panel<'a>(title: &str, outcomes: impl Iterator<Item = &'a Outcome>) -> Panel {
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for outcome in outcomes.filter(|outcome| outcome.is_whole()) {
        let name = format!("{}, {}", outcome.formulation, outcome.integrator);
        let point = (outcome.error.error, outcome.seconds);
        match curves.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => curves.push((name, vec![point])),
        }
    }
    let axes = (Axis::logarithmic("largest error"), Axis::logarithmic("time, s"));
    curves.into_iter().fold(Panel::new(title, axes.0, axes.1), |panel, (name, mut points)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
        panel.with(Series::line_and_marks(name, x, y))
    })
}

/// A column of numbers: its name, its unit, and where it comes from.
type MeasuredColumn = (&'static str, &'static str, fn(&Outcome) -> f64);

/// A row for each outcome; NaN where a figure means nothing, as the tolerance of a fixed step.
pub(super) fn comparison_table<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Table {
    let words = |word: fn(&Outcome) -> &str| outcomes.clone().map(|o| word(o).to_owned()).collect();
    let figures: [MeasuredColumn; 13] = [
        ("tolerance", "", |o| if o.fixed_step { f64::NAN } else { o.tolerance }),
        ("step", "s", |o| if o.fixed_step { o.tolerance } else { f64::NAN }),
        ("every", "s", |o| o.every),
        ("seconds", "s", |o| o.seconds),
        ("steps", "", |o| o.statistics.steps as f64),
        ("rejected", "", |o| o.statistics.rejected as f64),
        ("evaluations", "", |o| o.statistics.evaluations as f64),
        ("error", "", |o| o.error.error),
        ("holds_until", "s", |o| o.error.valid_until),
        ("force_error", "", |o| o.force_error.unwrap_or(f64::NAN)),
        ("energy_residual", "J", |o| o.energy_residual),
        ("constraint_error", "", |o| o.constraint_error),
        ("constraint_rate_error", "", |o| o.constraint_rate_error),
    ];
    let named = Table::default()
        .with_words("formulation", words(|o| o.formulation))
        .with_words("integrator", words(|o| o.integrator));
    let measured = figures.into_iter().fold(named, |table, (name, unit, figure)| {
        table.with_numbers(name, unit, outcomes.clone().map(figure).collect())
    });
    measured.with_words("failure", words(|o| o.failure.as_deref().unwrap_or_default()))
}

/// Everything that a comparison found, as one JSON object.
fn comparison_json(comparison: &Comparison) -> Value {
    let refused = comparison.refused.iter();
    json!({
        "outcomes": comparison.outcomes.iter().map(outcome_json).collect::<Vec<_>>(),
        "left_out": refused
            .map(|(name, reason)| json!({ "formulation": name, "reason": reason }))
            .collect::<Vec<_>>(),
        "reference": comparison.reference.as_ref().map(reference_json),
        "recommendation": comparison.recommendation,
    })
}

fn reference_json(reference: &Reference) -> Value {
    json!({
        "formulation": reference.formulation,
        "integrator": reference.integrator,
        "tolerance": reference.tolerance,
        "checked_by": reference.checked_by,
        "error": reference.error.error,
        "holds_until": reference.error.valid_until,
    })
}

/// A method as a JSON object.
pub(super) fn outcome_json(outcome: &Outcome) -> Value {
    let s = &outcome.statistics;
    json!({
        "formulation": outcome.formulation,
        "integrator": outcome.integrator,
        "automatic": outcome.automatic,
        "tolerance": (!outcome.fixed_step).then_some(outcome.tolerance),
        "step": outcome.fixed_step.then_some(outcome.tolerance),
        "every": outcome.every,
        "seconds": outcome.seconds,
        "steps": s.steps,
        "rejected": s.rejected,
        "evaluations": s.evaluations,
        "error": outcome.error.error,
        "within_reference": outcome.within_reference,
        "holds_until": outcome.error.valid_until,
        "force_error": outcome.force_error,
        "energy_residual": outcome.energy_residual,
        "constraint_error": outcome.constraint_error,
        "constraint_rate_error": outcome.constraint_rate_error,
        "failure": outcome.failure,
    })
}
