//! The shapes of modes, moving: large enough to be seen, whatever their true amplitudes are.

use super::modes::mode_name;
use crate::{AnswerFilm, AnswerFilms, Mode, Modes, Rest};
use catena_derivation::angles;
use catena_model::{CoordinateSet, Film};
use catena_simulation::film_of_poses;
use std::f64::consts::TAU;

/// The largest number of shapes side by side.
const MAX_FILMED_MODES: usize = 8;
/// Frames of one oscillation, and the seconds that it takes to watch it.
const FRAMES: usize = 90;
const DURATION: f64 = 2.0;
/// How far the largest angle swings, rad, and the largest length, as a part of the size of the mechanism.
const SWING: f64 = 0.3;
const STROKE: f64 = 0.15;

/// A film of one oscillation for each of the first modes.
pub(super) fn mode_films(rest: &Rest<'_>, modes: &Modes) -> AnswerFilms {
    let is_angle = angles(&rest.equations, rest.system);
    let still = film(rest, [rest.equilibrium.q.clone()].into_iter());
    let size = catena_figure::film_size(&still);
    let films = modes.modes.iter().take(MAX_FILMED_MODES).enumerate().map(|(at, mode)| {
        let label = format!("mode {}: {}", at + 1, mode_name(mode));
        AnswerFilm { label, film: oscillation(rest, mode, &is_angle, size), verdict: None }
    });
    AnswerFilms {
        films: films.collect(),
        clock: None,
        duration: Some(DURATION),
        with_figure: false,
    }
}

/// q = q₀ + a Re(φ e^{iωt}), over one oscillation.
fn oscillation(rest: &Rest<'_>, mode: &Mode, is_angle: &[bool], size: f64) -> Film {
    let q0 = &rest.equilibrium.q;
    let most = |angles: bool| {
        let shape = mode.shape.iter().zip(is_angle).filter(|(_, angle)| **angle == angles);
        shape.fold(0.0_f64, |most, (entry, _)| most.max(entry.norm()))
    };
    let amplitude = (SWING / most(true)).min(STROKE * size / most(false));
    let amplitude = if amplitude.is_finite() { amplitude } else { 0.0 };
    let pose = |frame: usize| -> Vec<f64> {
        let phase = TAU * frame as f64 / (FRAMES - 1) as f64;
        let moved = |(q, entry): (&f64, &crate::Complex)| {
            q + amplitude * (entry.re * phase.cos() - entry.im * phase.sin())
        };
        q0.iter().zip(&mode.shape).map(moved).collect()
    };
    let mut film = film(rest, (0..FRAMES).map(pose));
    let last = (FRAMES - 1) as f64;
    film.times = (0..FRAMES).map(|frame| DURATION * frame as f64 / last).collect();
    film
}

fn film(rest: &Rest<'_>, poses: impl Iterator<Item = Vec<f64>>) -> Film {
    let poses: Vec<Vec<f64>> = poses.collect();
    let states = &rest.equilibrium.states;
    let poses = poses.iter().map(|q| (rest.start.t, q.as_slice(), states.as_slice()));
    film_of_poses(rest.model, CoordinateSet::Own, poses)
}
