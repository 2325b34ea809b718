//! Motions to be watched, as files: one table of formats.

use crate::WriteError;
use crate::destination::{ending, unknown_format};
use crate::file::write;
use catena_analysis::{Answer, AnswerFilm, AnswerFilms};
use catena_figure::{Figure, Filmed, Pace, Player, Scene};
#[cfg(feature = "raster")]
use catena_figure::{GifClock, gif};
use catena_model::Film;
use catena_simulation::Run;
use std::path::Path;

/// The longest GIF, s, where nobody said how fast it is.
#[cfg(feature = "raster")]
const MAX_GIF_SECONDS: f64 = 10.0;

/// Told which part of the work is done, from 0 to 1; `true` ends it.
pub type Watcher<'a> = &'a mut dyn FnMut(f64) -> bool;

/// A format in which motions are written.
pub struct AnimationFormat {
    /// The ending of its files, without the dot.
    pub ending: &'static str,
    /// Makes the file; none if the work was ended.
    pub show: fn(&Player, Watcher<'_>) -> Option<Shown>,
}

/// A file that moves.
pub struct Shown {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// How fast it is shown, 1 being the true speed.
    pub speed: f64,
}

/// Every format of files that move.
pub static ANIMATIONS: &[AnimationFormat] = &[
    AnimationFormat {
        ending: "html",
        show: |player, _| {
            Some(Shown { bytes: player.to_html().into_bytes(), speed: player.first_speed() })
        },
    },
    #[cfg(feature = "raster")]
    AnimationFormat { ending: "gif", show: gif_of },
];

/// The endings of [`ANIMATIONS`], in their order.
pub static ANIMATION_FORMATS: &[&str] = &{
    let mut endings = [""; ANIMATIONS.len()];
    let mut at = 0;
    while at < ANIMATIONS.len() {
        endings[at] = ANIMATIONS[at].ending;
        at += 1;
    }
    endings
};

/// Motions with one clock.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The heading.
    pub title: String,
    /// A line below it; may be empty.
    pub about: String,
    /// Side by side.
    pub films: Vec<AnswerFilm>,
    /// What is plotted against time beside them, if anything.
    pub figure: Option<Figure>,
    /// What the times of frames are, in words and with their unit; none for shapes of modes.
    pub clock: Option<[String; 2]>,
    /// Seconds that it takes to watch; none if the times of frames are seconds.
    pub duration: Option<f64>,
    /// How fast it is shown, 1 being the true speed; none for one that the eye can follow.
    pub speed: Option<f64>,
}

/// What became of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnimationOutcome {
    /// It is in the file, and shown at this speed where the times of its frames are seconds.
    Written(Option<f64>),
    /// The model does not say what it looks like.
    NothingToDraw,
    /// The caller ended the work.
    Interrupted,
}

impl Animation {
    /// A run that was filmed, with plots beside it.
    pub fn of_run(title: &str, run: &Run, figure: Option<Figure>) -> Animation {
        let certificate = &run.certificate;
        Animation {
            title: title.to_owned(),
            about: format!("{} with {}", certificate.formulation, certificate.integrator),
            films: vec![AnswerFilm {
                label: String::new(),
                film: run.film.clone().unwrap_or_default(),
                verdict: Some(certificate.verdict.clone()),
            }],
            figure,
            clock: Some(["".to_owned(), "s".to_owned()]),
            duration: None,
            speed: None,
        }
    }

    /// What an answer shows moving, if it was asked to.
    pub fn of_answer(answer: &Answer) -> Option<Animation> {
        let AnswerFilms { films, clock, duration, with_figure } = answer.films.clone()?;
        Some(Animation {
            title: answer.title.clone(),
            about: answer.question.to_owned(),
            films,
            figure: with_figure.then(|| answer.figure.clone()),
            clock,
            duration,
            speed: None,
        })
    }

    /// The films at the pace at which they are watched best, laid out; none if there is nothing to see.
    pub fn player(&self) -> Option<Player> {
        let paces = self.films.iter().map(|film| Pace::of(&film.film).stride);
        let stride = paces.min().unwrap_or(1);
        let films: Vec<Film> =
            self.films.iter().map(|film| film.film.clone().thinned(stride)).collect();
        let longest =
            films.iter().map(|film| film.times.as_slice()).max_by_key(|times| times.len());
        let times = longest?.to_vec();
        let films = films.into_iter().zip(&self.films).filter_map(|(film, animated)| {
            let title = if animated.label.is_empty() { &self.title } else { &animated.label };
            let verdict = animated.verdict.as_ref();
            Some(Filmed {
                scene: Scene::new(title, film.held(&times))?,
                label: animated.label.clone(),
                verdict: verdict.map(|v| [v.grade.to_string(), v.reason.clone()]),
            })
        });
        let films: Vec<Filmed> = films.collect();
        (!films.is_empty()).then(|| Player {
            title: self.title.clone(),
            about: self.about.clone(),
            films,
            figure: self.figure.clone(),
            clock: self.clock.clone(),
            duration: self.duration,
            speed: self.speed,
        })
    }
}

/// Writes an animation in the format that the ending of the file names. `watch` is told which part of the work is done,
/// from 0 to 1, and ends it with `true`.
pub fn write_animation(
    animation: &Animation,
    path: &Path,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<AnimationOutcome, WriteError> {
    Ok(match animation_bytes(animation, path, watch)? {
        Bytes::Made { bytes, speed } => {
            write(path, &bytes)?;
            AnimationOutcome::Written(speed)
        }
        Bytes::NothingToDraw => AnimationOutcome::NothingToDraw,
        Bytes::Interrupted => AnimationOutcome::Interrupted,
    })
}

/// An animation as the contents of a file.
pub enum Bytes {
    /// The contents, and the speed at which it is shown where the times of its frames are seconds.
    Made {
        /// The whole file.
        bytes: Vec<u8>,
        /// 1 is the true speed.
        speed: Option<f64>,
    },
    /// The model does not say what it looks like.
    NothingToDraw,
    /// The caller ended the work.
    Interrupted,
}

/// The contents of a file of this name. `watch` is what it is for [`write_animation`].
pub fn animation_bytes(
    animation: &Animation,
    path: &Path,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Bytes, WriteError> {
    let Some(player) = animation.player() else { return Ok(Bytes::NothingToDraw) };
    let format = ANIMATIONS.iter().find(|format| format.ending == ending(path));
    let format = format.ok_or_else(|| unknown_format(path, ANIMATION_FORMATS))?;
    let is_timed = player.duration.is_none();
    Ok(match (format.show)(&player, watch) {
        Some(Shown { bytes, speed }) => Bytes::Made { bytes, speed: is_timed.then_some(speed) },
        None => Bytes::Interrupted,
    })
}

/// A GIF with the speed at which it is shown; none if `watch` ended the work.
#[cfg(feature = "raster")]
fn gif_of(player: &Player, watch: Watcher<'_>) -> Option<Shown> {
    let scenes: Vec<&Scene> = player.films.iter().map(|film| &film.scene).collect();
    // a GIF that nobody asked to be slow is short
    let least = if player.speed.is_some() { 0.0 } else { player.seconds() / MAX_GIF_SECONDS };
    let speed = player.first_speed().max(least);
    let clock = GifClock {
        clock: player.clock.clone(),
        duration: player.seconds() / speed,
        speed: player.duration.is_none().then_some(speed),
    };
    Some(Shown { bytes: gif(&scenes, &clock, watch)?, speed })
}
