//! Answers as files: tables, pictures, films, reports, sources. What is in them is computed again, from the request that
//! they come from.

use crate::ask::{answered, take_question};
use crate::derive::{derived, known_set, take_coordinates};
use crate::numbers::base64;
use crate::request::Request;
use crate::run::moved;
use crate::{Fault, Host, Workbench};
use catena::export::{LANGUAGES, SourceName};
use catena::present::{Bytes, Document, animation_bytes, run_document};
use catena::{Animation, CoordinateSet, Extent, Format, Report, RunSettings};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A file that was made.
struct Made {
    ending: String,
    bytes: Vec<u8>,
}

pub(crate) fn file(
    workbench: &mut Workbench,
    mut request: Request,
    host: &Host<'_>,
) -> Result<Value, Fault> {
    let ending = request.take_text("as")?;
    let name = request.take_text_or("name")?;
    let mut of = request.take_request("of")?;
    request.finish()?;
    let verb = of.take_text("do")?;
    let made = match verb.as_str() {
        "model" => source(workbench, of, &ending, host)?,
        "derive" => derivation(workbench, of, &ending, host)?,
        "run" => run(workbench, of, &ending, host)?,
        "ask" => answer(workbench, of, &ending, host)?,
        other => {
            let known = ["model", "derive", "run", "ask"].into_iter();
            return Err(Fault::unknown("no file is made of", other, known));
        }
    };
    let name = format!("{}.{}", name.unwrap_or_else(|| "catena".to_owned()), made.ending);
    let mut reply = json!({ "name": name, "type": media_type(&made.ending) });
    match String::from_utf8(made.bytes) {
        Ok(text) => reply["text"] = json!(text),
        Err(error) => reply["base64"] = json!(base64(error.as_bytes())),
    }
    Ok(reply)
}

/// The equations in another language.
fn source(
    workbench: &mut Workbench,
    mut request: Request,
    language: &str,
    host: &Host<'_>,
) -> Result<Made, Fault> {
    let set = take_coordinates(&mut request)?;
    let text = request.take_model(host)?;
    request.finish()?;
    let name = text.name.clone();
    let known = LANGUAGES.iter().map(|language| language.name);
    let language = catena::export::find(language)
        .ok_or_else(|| Fault::unknown("there is no language", language, known))?;
    let model = workbench.read.right(text)?;
    let set = known_set(model, set)?;
    let written = catena::export::export(model, set, language, SourceName::Model(&name));
    let text = written.map_err(|error| Fault::refused(error.to_string(), error.help()))?;
    Ok(Made { ending: language.ending.to_owned(), bytes: text.into_bytes() })
}

fn derivation(
    workbench: &mut Workbench,
    mut request: Request,
    ending: &str,
    host: &Host<'_>,
) -> Result<Made, Fault> {
    let formats = [
        ("txt", Format::Text { color: false }),
        ("tex", Format::Latex),
        ("md", Format::Markdown),
        ("html", Format::Html),
        ("json", Format::Json),
    ];
    let set = take_coordinates(&mut request)?;
    let model = workbench.read.take(&mut request, host)?;
    request.finish()?;
    let format = formats.iter().find(|(known, _)| *known == ending);
    let known = formats.iter().map(|(known, _)| *known);
    let (_, format) =
        format.ok_or_else(|| Fault::unknown("equations are not written as", ending, known))?;
    let extent = match format {
        Format::Json => Extent::Everything,
        _ => Extent::Readable,
    };
    let derivation = derived(model, known_set(model, set)?, extent)?;
    Ok(Made { ending: ending.to_owned(), bytes: derivation.write(*format).into_bytes() })
}

/// A motion as a table, a picture, a film or a report. The ending `film.html` moves, `html` is a plot.
fn run(
    workbench: &mut Workbench,
    mut request: Request,
    ending: &str,
    host: &Host<'_>,
) -> Result<Made, Fault> {
    let settings = request.take_run_settings()?;
    // a switch of runs that are shown; files know what they need
    request.take_switch("film", false)?;
    let model = workbench.read.take(&mut request, host)?;
    request.finish()?;
    let moving = ending.strip_prefix("film.");
    let is_filmed = moving.is_some() || ending == "report";
    let everything = RunSettings { columns: Vec::new(), ..settings.clone() };
    let asked = if ending == "report" { &everything } else { &settings };
    let run = moved(model, asked, is_filmed, &mut |_| {}, host)?;
    let columns: Vec<String> = match settings.columns.is_empty() || ending == "report" {
        true => Vec::new(),
        false => run.table.names().skip(1).map(str::to_owned).collect(),
    };
    let figure = catena::run_figure(&model.title, &run, &columns);
    let bytes = if ending == "report" {
        let derivation = catena::derive_as_far(model, CoordinateSet::Own, Extent::Readable).ok();
        let report = Report {
            model,
            diagnosis: &catena::diagnose(model),
            derivation: derivation.as_ref(),
            run: &run,
            figure,
            commands: Vec::new(),
        };
        return Ok(Made { ending: "html".to_owned(), bytes: report.to_html().into_bytes() });
    } else if let Some(moving) = moving {
        let animation = Animation::of_run(&model.title, &run, Some(figure));
        return film(&animation, moving, host);
    } else if catena::PICTURE_FORMATS.contains(&ending) {
        catena::present::picture_bytes(&figure, &named(ending))
    } else {
        catena::present::document_bytes(&run_document(&run), &named(ending))
    };
    made(ending, bytes)
}

/// An answer as a table, a picture or the text that it is.
fn answer(
    workbench: &mut Workbench,
    mut request: Request,
    ending: &str,
    host: &Host<'_>,
) -> Result<Made, Fault> {
    let question = take_question(&mut request)?;
    let options = request.take_pairs("options")?;
    request.take_switch("film", false)?;
    let model = workbench.read.take(&mut request, host)?;
    request.finish()?;
    let answer = answered(question, model, &options, false, host)?;
    if question.file_ending == Some(ending) {
        let file = answer.file.ok_or_else(|| Fault::refused("there is no such file", None))?;
        return Ok(Made { ending: ending.to_owned(), bytes: file.text?.into_bytes() });
    }
    let bytes = if catena::PICTURE_FORMATS.contains(&ending) {
        catena::present::picture_bytes(&answer.figure, &named(ending))
    } else {
        let document = Document::of_table("table", &answer.table);
        catena::present::document_bytes(&document, &named(ending))
    };
    made(ending, bytes)
}

/// A motion to be watched.
fn film(animation: &Animation, ending: &str, host: &Host<'_>) -> Result<Made, Fault> {
    let made = animation_bytes(animation, &named(ending), &mut |part| host.step(part));
    match made.map_err(write_fault)? {
        Bytes::Made { bytes, .. } => Ok(Made { ending: ending.to_owned(), bytes }),
        Bytes::NothingToDraw => Err(Fault::refused(
            "the model does not say what it looks like",
            Some("[draw] in the model says what is drawn".to_owned()),
        )),
        Bytes::Interrupted => Err(Fault::cancelled()),
    }
}

/// A file of this kind: writers go by the ending.
fn named(ending: &str) -> PathBuf {
    Path::new("file").with_extension(ending)
}

fn write_fault(error: catena::WriteError) -> Fault {
    Fault::of_request(error.to_string(), error.help().unwrap_or_default())
}

fn made(ending: &str, bytes: Result<Vec<u8>, catena::WriteError>) -> Result<Made, Fault> {
    Ok(Made { ending: ending.to_owned(), bytes: bytes.map_err(write_fault)? })
}

fn media_type(ending: &str) -> &'static str {
    match ending {
        "html" => "text/html",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "pdf" => "application/pdf",
        "json" => "application/json",
        "csv" => "text/csv",
        "npz" => "application/zip",
        "parquet" => "application/vnd.apache.parquet",
        _ => "text/plain",
    }
}
