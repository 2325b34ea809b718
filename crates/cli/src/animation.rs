//! Animations: what commands that make some have in common.

use crate::progress::Progress;
use crate::{draw, report};
use catena::{Animation, AnimationOutcome, Model};
use std::path::Path;
use std::process::ExitCode;

/// Writes an animation while the progress is shown, or says why not.
pub(crate) fn write(model: &Model, animation: &Animation, path: &Path) -> Result<(), ExitCode> {
    let mut progress = Progress::new();
    let outcome = catena::write_animation(animation, path, &mut |done| progress.step(done));
    progress.finish();
    match outcome {
        Ok(AnimationOutcome::Written) => Ok(()),
        Ok(AnimationOutcome::NothingToDraw) => Err(draw::nothing_to_draw(model)),
        Ok(AnimationOutcome::Interrupted) => Err(report::interrupted()),
        Err(error) => Err(report::error(&error.to_string(), None)),
    }
}
