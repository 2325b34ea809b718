//! Animations: what commands that make some have in common.

use crate::progress::Progress;
use crate::{draw, report};
use catena::model::plain_to;
use catena::{Animation, AnimationOutcome, Model};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes an animation while the progress is shown, and says so, or why not.
pub(crate) fn write(model: &Model, animation: &Animation, path: &Path) -> Result<String, ExitCode> {
    let mut progress = Progress::new();
    let outcome = catena::write_animation(animation, path, &mut |done| progress.step(done));
    progress.finish();
    match outcome {
        Ok(AnimationOutcome::Written(speed)) => Ok(match speed {
            Some(speed) if speed != 1.0 => {
                format!(
                    "moving in {}, at {} times the true speed\n",
                    path.display(),
                    plain_to(speed, 3)
                )
            }
            _ => format!("moving in {}\n", path.display()),
        }),
        Ok(AnimationOutcome::NothingToDraw) => Err(draw::nothing_to_draw(model)),
        Ok(AnimationOutcome::Interrupted) => Err(report::interrupted()),
        Err(error) => Err(report::error(&error.to_string(), None)),
    }
}

/// Where something is shown moving, and how fast.
#[derive(clap::Args)]
pub(crate) struct Animate {
    /// Show it moving: a page for browsers (.html), or a picture that moves (.gif)
    #[arg(long, value_name = "FILE")]
    pub(crate) animate: Option<PathBuf>,
    /// How fast it is shown: 0.25 for slow motion [default: the true speed, or one that the eye can follow]
    #[arg(long, value_name = "FACTOR", requires = "animate", value_parser = speed)]
    pub(crate) speed: Option<f64>,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = crate::flags::factor(text)?;
    match (1e-6..=1e6).contains(&speed) {
        true => Ok(speed),
        false => Err("it must be greater than 0, as 0.25 for slow motion".to_owned()),
    }
}
