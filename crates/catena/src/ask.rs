//! A question to a model, by names and texts.

use catena_analysis::{Analysis, Answer, Question, Refusal, Watch, find};
use catena_model::{Model, OptionError, Options, RunSettings};
use std::time::Instant;

/// Asks a question of the catalogue about a model. Options are those of the analysis and of the runs it makes, by key, with
/// values as texts.
///
/// ```
/// let model = catena::load("double-pendulum", &[])?;
/// let answer = catena::ask("modes", &model, &[])?;
/// assert_eq!(answer.table.len(), 2);
/// println!("{}", answer.words.to_text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ask(name: &str, model: &Model, options: &[(&str, &str)]) -> Result<Answer, Refusal> {
    ask_watched(name, model, options, 1, &|_| false)
}

/// The same on several threads; `stop` is told which part of the work is done, from 0 to 1, and ends it with `true`.
pub fn ask_watched(
    name: &str,
    model: &Model,
    options: &[(&str, &str)],
    threads: usize,
    stop: &(dyn Fn(f64) -> bool + Sync),
) -> Result<Answer, Refusal> {
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    let watch = Watch { clock: &clock, stop, threads, picture: None };
    ask_seen(known(name)?, model, options, false, &watch)
}

/// The row of the catalogue with this name.
fn known(name: &str) -> Result<&'static Analysis, Refusal> {
    let names = catena_analysis::ANALYSES.iter().map(|analysis| analysis.name);
    find(name).ok_or_else(|| Refusal::unknown("analysis", name, names))
}

/// The same with a row that need not be in the catalogue: an analysis of one's own.
pub fn ask_analysis(
    analysis: &Analysis,
    model: &Model,
    options: &[(&str, &str)],
    threads: usize,
    stop: &(dyn Fn(f64) -> bool + Sync),
) -> Result<Answer, Refusal> {
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    ask_seen(
        analysis,
        model,
        options,
        false,
        &Watch { clock: &clock, stop, threads, picture: None },
    )
}

/// The same with a watch of one's own: its clock, where this machine's cannot be read, and whoever looks at the picture
/// while it fills ([`LivePicture`](catena_analysis::LivePicture)). An answer that is filmed can be seen moving.
pub fn ask_seen(
    analysis: &Analysis,
    model: &Model,
    options: &[(&str, &str)],
    is_filmed: bool,
    watch: &Watch<'_>,
) -> Result<Answer, Refusal> {
    let mut run = RunSettings::default();
    let mut own = Options::new(analysis.options);
    for (key, text) in options {
        let option = analysis.run_options.iter().find(|option| option.row.key == *key);
        let set = match option {
            Some(option) => option.set_text(&mut run, text),
            None => own.set_text(key, text),
        };
        let set = set.map_err(|error| match error {
            // options of the runs count as well
            OptionError::Unknown { key, mut known } => {
                known.extend(analysis.run_options.iter().map(|option| option.row.key));
                OptionError::Unknown { key, known }
            }
            other => other,
        });
        set.map_err(|error| Refusal::of_question(error.to_string(), error.help()))?;
    }
    (analysis.ask)(&Question { model, run: &run, options: &own, is_filmed }, watch)
}
