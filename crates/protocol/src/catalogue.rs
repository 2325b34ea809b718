//! Everything that there is to choose from: what forms, completions and galleries are made of.

use crate::request::Request;
use crate::{Fault, Host, VERSION, Workbench};
use catena::analysis::{ANALYSES, Analysis};
use catena::export::LANGUAGES;
use catena::formulation::FORMULATIONS;
use catena::integrator::INTEGRATORS;
use catena::model::run_settings::{DEVICE, PRECISION};
use catena::model::{Kind, OptionRow, RUN_OPTIONS, RunOption, sections};
use catena::symbolic::{DEGREES, FUNCTIONS, UNITS};
use catena::{PLOT_OPTIONS, Source};
use serde_json::{Value, json};

pub(crate) fn catalogue(_: &mut Workbench, request: Request, _: &Host<'_>) -> Result<Value, Fault> {
    request.finish()?;
    let systems = catena::systems::SYSTEMS.iter().map(|system| {
        let read = catena::read(Source::new(system.name, system.text), &[]);
        let (title, description) =
            read.map(|model| (model.title, model.description)).unwrap_or_default();
        json!({
            "name": system.name,
            "title": title,
            "description": description,
            "text": system.text,
        })
    });
    let sections = sections().into_iter();
    let units = [&DEGREES].into_iter().chain(UNITS).map(|unit| unit.name);
    let languages = LANGUAGES.iter().map(|language| {
        let (name, ending, summary) = (language.name, language.ending, language.summary);
        json!({ "name": name, "ending": ending, "summary": summary })
    });
    let device_options = [&DEVICE, &PRECISION].map(|option| row(&option.row, None));
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "protocol": VERSION,
        "systems": systems.collect::<Vec<_>>(),
        "starter": catena::systems::STARTER,
        "formulations": formulations(),
        "integrators": integrators(),
        "runOptions": RUN_OPTIONS.iter().map(|option| row(&option.row, None)).collect::<Vec<_>>(),
        "deviceOptions": device_options,
        "plotOptions": PLOT_OPTIONS.iter().map(|option| row(option, None)).collect::<Vec<_>>(),
        "questions": ANALYSES.iter().map(|analysis| question(analysis)).collect::<Vec<_>>(),
        "sections": sections
            .map(|section| json!({ "heading": section.heading, "keys": section.keys }))
            .collect::<Vec<_>>(),
        "functions": FUNCTIONS.iter().map(|function| function.name).collect::<Vec<_>>(),
        "units": units.collect::<Vec<_>>(),
        "tableFormats": catena::TABLE_FORMATS,
        "pictureFormats": catena::PICTURE_FORMATS,
        "animationFormats": catena::ANIMATION_FORMATS,
        "languages": languages.collect::<Vec<_>>(),
    }))
}

fn formulations() -> Vec<Value> {
    let one = |entry: &&'static catena::formulation::Entry| {
        let options = entry.options.iter().map(|option| {
            json!({
                "name": option.name,
                "help": option.meaning,
                "unit": option.unit,
                "default": option.default,
            })
        });
        json!({
            "name": entry.name,
            "summary": entry.summary,
            "reference": entry.reference,
            "exact": entry.is_exact(),
            "options": options.collect::<Vec<_>>(),
        })
    };
    FORMULATIONS.iter().map(one).collect()
}

fn integrators() -> Vec<Value> {
    let one = |entry: &&'static catena::integrator::Entry| {
        let options = entry.options.iter().map(|option| {
            json!({
                "name": option.key,
                "help": option.meaning,
                "unit": option.unit,
                "default": option.default,
            })
        });
        json!({
            "name": entry.name,
            "aliases": entry.aliases,
            "summary": entry.summary,
            "reference": entry.reference,
            "order": entry.order,
            "adaptive": entry.adaptive,
            "structural": entry.structural,
            "implicit": entry.implicit,
            "options": options.collect::<Vec<_>>(),
        })
    };
    INTEGRATORS.iter().map(one).collect()
}

fn question(analysis: &Analysis) -> Value {
    let own = |key: &str| analysis.run_defaults.iter().find(|(known, _)| *known == key);
    let run_row = |option: &&'static RunOption| {
        row(&option.row, own(option.row.key).map(|(_, default)| *default))
    };
    json!({
        "name": analysis.name,
        "summary": analysis.summary,
        "needs": analysis.needs,
        "options": analysis.options.iter().map(|option| row(option, None)).collect::<Vec<_>>(),
        "runOptions": analysis.run_options.iter().map(run_row).collect::<Vec<_>>(),
        "example": analysis.example,
        "defaultModel": analysis.default_model,
        "moves": analysis.moves,
        "parallel": analysis.parallel,
    })
}

/// A row of a table of options, with the default of a question where it has its own.
fn row(row: &OptionRow, default: Option<&str>) -> Value {
    let (kind, least, choices) = match row.kind {
        Kind::Positive => ("positive", None, None),
        Kind::NotNegative => ("not-negative", None, None),
        Kind::Number => ("number", None, None),
        Kind::Count(least) => ("count", Some(least), None),
        Kind::Numbers => ("numbers", None, None),
        Kind::Word => ("word", None, None),
        Kind::Words => ("words", None, None),
        Kind::Repeated => ("repeated", None, None),
        Kind::Choice(names) => ("choice", None, Some(names)),
        Kind::Switch => ("switch", None, None),
    };
    json!({
        "key": row.key,
        "flag": row.flag,
        "valueName": row.value_name,
        "unit": row.unit,
        "kind": kind,
        "least": least,
        "choices": choices,
        "default": default.unwrap_or(row.default),
        "help": row.help,
    })
}
