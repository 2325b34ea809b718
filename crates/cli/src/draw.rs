//! `catena draw`

use crate::destinations::Destinations;
use crate::flags::{RunFlags, WHOLE_RUN, times};
use crate::progress::Progress;
use crate::{ModelArguments, WRONG_USAGE, output, report};
use catena::simulation::{AssemblyError, StopReason};
use catena::{CoordinateSet, Film, FrameTimes, Model, RunSettings, Scene, Still, StillOptions};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Frames that paths are drawn through.
const PATH_FRAMES: usize = 600;

#[derive(clap::Args)]
pub(crate) struct Draw {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunFlags<WHOLE_RUN>,
    /// Draw the poses at these times, s
    #[arg(long, value_name = "T,T,...", value_delimiter = ',', value_parser = times, allow_hyphen_values = true)]
    at: Vec<f64>,
    /// Draw this many poses, evenly from the start to the end of the run
    #[arg(long, value_name = "N", conflicts_with = "at", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=500))]
    poses: Option<u32>,
    #[command(flatten)]
    marks: Marks,
    /// The picture [default: the name of the model with .svg]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What a picture shows besides the mechanism.
#[derive(clap::Args)]
pub(crate) struct Marks {
    /// Write the names of bodies and joints
    #[arg(long)]
    names: bool,
    /// Mark the centres of mass
    #[arg(long)]
    centres: bool,
    /// Draw what joints do to their second body, as arrows to scale
    #[arg(long)]
    forces: bool,
    /// Draw the paths of points
    #[arg(long)]
    trails: bool,
}

impl Draw {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let path = self.output.clone().unwrap_or_else(|| self.model.file_with("svg"));
        let mut destinations = Destinations::of(&self.model);
        destinations.add_picture(Some(&path))?;
        let model = self.model.load()?;
        require_sketch(&model)?;
        let RunFlags(settings) = &self.settings;
        let t_start = settings.t_start.or(model.run.t_start).unwrap_or(0.0);
        self.check_moments(t_start, settings.t_end)?;
        let (film, failure) = match self.frames(t_start) {
            None => {
                let (film, failure) = catena::film_of_start(&model, t_start);
                (film, failure.map(|failure| open_joints(&model, &failure, &path)))
            }
            Some(frames) => filmed(&model, settings, &frames)?,
        };
        let frames = self.shown(&film);
        let options = StillOptions {
            caption: moments(&film, &frames),
            frames,
            names: self.marks.names,
            centres: self.marks.centres,
            forces: self.marks.forces,
            trails: self.marks.trails,
        };
        draw(&model, film, &options, &path)?;
        match failure {
            Some([message, help]) => Ok(report::error(&message, Some(&help))),
            None => Ok(output::print(&format!("drawn in {}\n", path.display()))),
        }
    }

    /// Refuses moments that are no part of the motion.
    fn check_moments(&self, t_start: f64, t_end: Option<f64>) -> Result<(), ExitCode> {
        let moments = self.moments();
        let refused = |message: &str, help: &str| {
            report::error(message, Some(help));
            Err(ExitCode::from(WRONG_USAGE))
        };
        let time = |time: f64| catena::model::plain(time);
        if let Some(early) = moments.first().filter(|moment| **moment < t_start) {
            let message =
                format!("--at {} s is before the start at {} s", time(*early), time(t_start));
            return refused(&message, "take a later moment, or an earlier --start");
        }
        match (moments.last(), t_end) {
            (Some(late), Some(t_end)) if *late > t_end => {
                let message =
                    format!("--at {} s is after the end at {} s", time(*late), time(t_end));
                refused(&message, "take an earlier moment, or a later --to")
            }
            _ => Ok(()),
        }
    }

    /// When to look; nothing means the start alone. Paths are looked at in between, too.
    fn frames(&self, t_start: f64) -> Option<FrameTimes> {
        match (self.poses, self.moments().as_slice()) {
            (Some(poses), _) => Some(FrameTimes::Evenly(self.stride() * (poses as usize - 1) + 1)),
            (None, []) if self.marks.trails => Some(FrameTimes::Evenly(PATH_FRAMES)),
            // what acts is known only while it moves
            (None, []) => self.marks.forces.then_some(FrameTimes::Evenly(1)),
            (None, [.., last]) if *last == t_start => {
                self.marks.forces.then_some(FrameTimes::Evenly(1))
            }
            (None, moments @ [.., last]) => {
                let mut times = moments.to_vec();
                if self.marks.trails {
                    let part = |at: usize| at as f64 / PATH_FRAMES as f64;
                    times.extend((0..PATH_FRAMES).map(|at| t_start + (last - t_start) * part(at)));
                    times.sort_unstable_by(f64::total_cmp);
                    times.dedup();
                }
                Some(FrameTimes::At(times))
            }
        }
    }

    /// The moments that were named, in their order.
    fn moments(&self) -> Vec<f64> {
        let mut moments = self.at.clone();
        moments.sort_unstable_by(f64::total_cmp);
        moments.dedup();
        moments
    }

    /// Of how many frames one is drawn.
    fn stride(&self) -> usize {
        match (self.poses, self.marks.trails) {
            (Some(poses @ 2..), true) => PATH_FRAMES.div_ceil(poses as usize - 1),
            _ => 1,
        }
    }

    /// The frames that are drawn.
    fn shown(&self, film: &Film) -> Vec<usize> {
        let moments = self.moments();
        match self.poses {
            Some(_) => (0..film.len()).step_by(self.stride()).collect(),
            // paths lead to the last pose
            None if moments.is_empty() => film.len().checked_sub(1).into_iter().collect(),
            None => {
                let is_named = |frame: &usize| moments.contains(&film.times[*frame]);
                (0..film.len()).filter(is_named).collect()
            }
        }
    }
}

/// What is wrong with a picture that is drawn all the same, and what it shows.
type Failure = [String; 2];

fn filmed(
    model: &Model,
    settings: &RunSettings,
    frames: &FrameTimes,
) -> Result<(Film, Option<Failure>), ExitCode> {
    let settings = RunSettings { no_certify: true, certify: false, ..settings.clone() };
    let last = match frames {
        FrameTimes::At(times) => times.last().copied(),
        FrameTimes::Evenly(_) | FrameTimes::ToWatch => None,
    };
    let settings = RunSettings { t_end: last.or(settings.t_end), ..settings };
    let mut progress = Progress::new();
    let run = catena::film_run(model, &settings, frames, &mut |done| progress.step(done));
    progress.finish();
    let run = run.map_err(|failure| report::run_failure(&failure))?;
    let help = || "the picture shows how far it came".to_owned();
    let failure = match run.certificate.stop {
        StopReason::Finished | StopReason::Event { .. } => None,
        StopReason::Failed { message } => Some([message, help()]),
        _ => return Err(report::interrupted()),
    };
    Ok((run.film.unwrap_or_default(), failure))
}

/// Writes a picture, or says that there is nothing to draw.
pub(crate) fn draw(
    model: &Model,
    film: Film,
    options: &StillOptions,
    path: &Path,
) -> Result<(), ExitCode> {
    let Some(scene) = Scene::new(&model.title, film) else { return Err(nothing_to_draw(model)) };
    let still = Still { scene: &scene, options: options.clone() };
    catena::write_picture(&still, path).map_err(|error| report::error(&error.to_string(), None))
}

/// Draws the start of a model with names, or the pose nearest to one that cannot be assembled.
pub(crate) fn draw_start(model: &Model, path: &Path) -> Result<(), ExitCode> {
    let (film, _) = catena::film_of_start(model, model.run.t_start.unwrap_or(0.0));
    draw(model, film, &StillOptions { names: true, ..StillOptions::default() }, path)
}

/// Refuses a model that does not say what it looks like, before it is moved.
pub(crate) fn require_sketch(model: &Model) -> Result<(), ExitCode> {
    match model.sketch(CoordinateSet::Own).is_empty() {
        true => Err(nothing_to_draw(model)),
        false => Ok(()),
    }
}

/// Says that a model does not say what it looks like.
pub(crate) fn nothing_to_draw(model: &Model) -> ExitCode {
    let help = "say under [draw] what it looks like, for instance rod = [[\"0\", \"0\"], [\"x\", \"y\"]]; chains and \
                bodies with joints are drawn by themselves";
    report::error(&format!("`{}` has nothing to draw", model.title), Some(help))
}

/// What is to be said about the picture of a mechanism that cannot be assembled: what its diagnosis says.
fn open_joints(model: &Model, failure: &AssemblyError, path: &Path) -> Failure {
    let findings = catena::diagnose(model).findings;
    let said =
        findings.iter().find(|finding| !finding.can_run).map(|finding| finding.kind.message());
    let help = format!("{} shows the pose nearest to it, with the gaps in red", path.display());
    [said.unwrap_or_else(|| failure.to_string()), help]
}

/// The moments that are drawn, in words.
fn moments(film: &Film, frames: &[usize]) -> String {
    let times: Vec<f64> = frames.iter().map(|frame| film.times[*frame]).collect();
    match times.as_slice() {
        [] | [0.0] => String::new(),
        [only] => format!("t = {} s", short(*only)),
        [first, .., last] => {
            format!("t = {} … {} s, {} poses", short(*first), short(*last), times.len())
        }
    }
}

fn short(time: f64) -> String {
    catena::model::plain_to(time, 5)
}
