//! Questions of the catalogue.

use crate::film::{figure, film_set};
use crate::numbers::columns;
use crate::request::Request;
use crate::words::lines;
use crate::{Event, Fault, Host, Workbench};
use catena::analysis::{ANALYSES, Analysis, LivePicture, Watch};
use catena::figure::Figure;
use catena::{Animation, Answer, Model};
use serde_json::{Value, json};

pub(crate) fn ask(
    workbench: &mut Workbench,
    mut request: Request,
    host: &Host<'_>,
) -> Result<Value, Fault> {
    let question = take_question(&mut request)?;
    let options = request.take_pairs("options")?;
    let is_filmed = request.take_switch("film", false)?;
    let model = workbench.read.take(&mut request, host)?;
    request.finish()?;
    let answer = answered(question, model, &options, is_filmed, host)?;
    let film = Animation::of_answer(&answer).and_then(|animation| film_set(&animation));
    let text = answer.file.as_ref().map(|file| match &file.text {
        Ok(text) => json!({ "what": file.what, "text": text }),
        Err(refusal) => json!({ "what": file.what, "message": refusal.message }),
    });
    Ok(json!({
        "answer": answer.to_json(),
        "words": lines(&answer.words),
        "figure": figure(&answer.figure),
        "table": { "columns": columns(&answer.table) },
        "file": text,
        "film": film,
        "shortfall": answer.shortfall,
    }))
}

/// The question that a request names.
pub(crate) fn take_question(request: &mut Request) -> Result<&'static Analysis, Fault> {
    let name = request.take_text("question")?;
    let known = ANALYSES.iter().map(|analysis| analysis.name);
    catena::analysis::find(&name)
        .ok_or_else(|| Fault::unknown("there is no question", &name, known))
}

/// Asks a question.
pub(crate) fn answered(
    question: &'static Analysis,
    model: &Model,
    options: &[(String, String)],
    is_filmed: bool,
    host: &Host<'_>,
) -> Result<Answer, Fault> {
    let options: Vec<(&str, &str)> =
        options.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
    let threads = if question.parallel { host.threads } else { 1 };
    let show = |so_far: &Figure| (host.tell)(Event::Part(json!({ "figure": figure(so_far) })));
    let picture = LivePicture::new(&show);
    let stop = |part: f64| host.step(part);
    let watch = Watch { clock: host.clock, stop: &stop, threads, picture: Some(&picture) };
    let answer = catena::ask_seen(question, model, &options, is_filmed, &watch);
    answer.map_err(|refusal| match (host.stop)() {
        true => Fault::cancelled(),
        false => refusal.into(),
    })
}
