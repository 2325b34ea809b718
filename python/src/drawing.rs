//! Drawings of mechanisms: at the start, or in several poses of a motion.

use crate::fault::Fault;
use crate::run::named;
use catena::present::picture_bytes;
use catena::{Film, Scene, Still, StillOptions};

/// What is shown besides the mechanism, by the names of the command line's flags.
pub(crate) struct Marks(pub(crate) Vec<String>);

impl Marks {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|mark| mark == name)
    }
}

/// A film in so many poses, evenly from its first frame to its last one, as a file of this ending.
pub(crate) fn drawing(
    title: &str,
    film: Film,
    poses: usize,
    marks: &Marks,
    ending: &str,
) -> Result<Vec<u8>, Fault> {
    let frames = evenly(film.len(), poses);
    let scene = Scene::new(title, film).ok_or_else(|| {
        let help = "[draw] in the model says what is drawn";
        Fault::of_motion("the model does not say what it looks like", Some(help.into()))
    })?;
    let options = StillOptions {
        frames,
        names: marks.has("names"),
        centres: marks.has("centres"),
        forces: marks.has("forces"),
        trails: marks.has("trails"),
        caption: String::new(),
    };
    Ok(picture_bytes(&Still { scene: &scene, options }, &named(ending))?)
}

/// Frames from the first to the last; one pose is the last, where paths lead to.
fn evenly(frames: usize, poses: usize) -> Vec<usize> {
    let last = frames.saturating_sub(1);
    let gaps = poses.saturating_sub(1);
    let mut chosen: Vec<usize> = match gaps {
        0 => vec![last],
        _ => (0..poses).map(|pose| (pose * last + gaps / 2) / gaps).collect(),
    };
    chosen.dedup();
    chosen
}
