//! `catena gallery`

use crate::destinations::Destinations;
use crate::progress::Progress;
use crate::{output, report};
use catena::figure::{Gallery, GalleryEntry, Pace};
use catena::{FrameTimes, RunSettings, Scene};
use std::path::PathBuf;
use std::process::ExitCode;

/// The most seconds of a motion that a gallery shows, and the most frames of a film.
const LONGEST: f64 = 20.0;
const MAX_FRAMES: usize = 600;

#[derive(clap::Args)]
pub(crate) struct GalleryCommand {
    /// The page
    #[arg(short, long, value_name = "FILE", default_value = "gallery.html")]
    output: PathBuf,
}

impl GalleryCommand {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let mut destinations = Destinations::default();
        destinations.add(Some(&self.output), &["html"])?;
        let mut entries = Vec::new();
        let mut progress = Progress::new();
        let systems = catena::systems::SYSTEMS;
        for (at, system) in systems.iter().enumerate() {
            if progress.step(at as f64 / systems.len() as f64) {
                progress.finish();
                return Err(report::interrupted());
            }
            entries.extend(entry(system.name)?);
        }
        progress.finish();
        let gallery = Gallery {
            title: "Ready systems".to_owned(),
            about: "Every one is a model file inside the program; change what you like with --set."
                .to_owned(),
            entries,
        };
        let count = gallery.entries.len();
        catena::write(&self.output, gallery.to_html().as_bytes())
            .map_err(|error| report::error(&error.to_string(), None))?;
        Ok(output::print(&format!("{count} systems moving in {}\n", self.output.display())))
    }
}

/// A system, moving; none if it has nothing to show.
fn entry(name: &str) -> Result<Option<GalleryEntry>, ExitCode> {
    let model = catena::load(name, &[]).map_err(|error| report::load_error(&error))?;
    let start = model.run.t_start.unwrap_or(0.0);
    let end = model.run.t_end.unwrap_or(start + LONGEST).min(start + LONGEST);
    let settings = RunSettings::new().t_end(end).no_certify();
    let run = catena::film_run(&model, &settings, &FrameTimes::Evenly(MAX_FRAMES), &mut |_| false)
        .map_err(|failure| report::run_failure(&failure))?;
    let film = run.film.unwrap_or_default();
    let stride = Pace::of(&film).stride;
    Ok(Scene::new(&model.title, film.thinned(stride)).map(|scene| GalleryEntry {
        scene,
        text: first_sentence(&model.description),
        command: format!("catena run {name} --animate {name}.html"),
    }))
}

fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.find(". ") {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}
