//! Films: what a model looks like while it moves, as the values of its sketch's tracks in every frame.

use crate::motion::Motion;
use crate::tracks::Tracks;
use crate::{AssemblyError, Start, assemble};
use catena_compile::{Evaluator, Functions};
use catena_derivation::Equations;
use catena_model::{CoordinateSet, Film, Model, System};
use std::sync::Arc;

/// A pose of a model: time, coordinates and first-order states.
pub type FilmedPose<'a> = (f64, &'a [f64], &'a [f64]);

/// The poses of a model one after the other; what acts in its joints is not known.
pub fn film_of_poses<'a>(
    model: &Model,
    set: CoordinateSet,
    poses: impl IntoIterator<Item = FilmedPose<'a>>,
) -> Film {
    film_with(&mut positions(model, set), model, set, poses)
}

/// What a model looks like at its start, in one frame. Where it cannot be assembled that is the pose nearest to it, and
/// the reason comes along.
pub fn film_of_start(model: &Model, t: f64) -> (Film, Option<AssemblyError>) {
    let set = CoordinateSet::Own;
    let mut evaluator = positions(model, set);
    let start = Start { t, ..Start::new(model, set) };
    let (q, failure) = match assemble(model.system(set), &mut evaluator, &start) {
        Ok(found) => (found.q, None),
        Err(AssemblyError::Unsatisfied { q, level, residuals, all_given, other_starts }) => {
            let reached = q.clone();
            let error = AssemblyError::Unsatisfied { q, level, residuals, all_given, other_starts };
            (reached, Some(error))
        }
        Err(error) => (start.q.clone(), Some(error)),
    };
    let pose = (t, q.as_slice(), start.states.as_slice());
    (film_with(&mut evaluator, model, set, [pose]), failure)
}

/// Functions of positions alone, without the mass matrix.
pub(crate) fn positions(model: &Model, set: CoordinateSet) -> Evaluator {
    let equations = Equations::derive_without_mass_matrix(model, model.system(set));
    Evaluator::new(Arc::new(Functions::new(equations)), &model.parameter_values())
}

fn film_with<'a>(
    evaluator: &mut Evaluator,
    model: &Model,
    set: CoordinateSet,
    poses: impl IntoIterator<Item = FilmedPose<'a>>,
) -> Film {
    let system = model.system(set);
    let mut camera = Camera::new(model, system, set, evaluator, Vec::new());
    let at_rest = vec![0.0; system.coordinates.len()];
    for (t, q, states) in poses {
        evaluator.set_state(t, q, &at_rest, states);
        camera.expose(t, evaluator, false);
    }
    camera.film
}

/// Takes the frames of a film.
pub(crate) struct Camera {
    tracks: Tracks,
    /// When frames are taken, ascending.
    times: Vec<f64>,
    pub(crate) film: Film,
}

impl Camera {
    pub(crate) fn new(
        model: &Model,
        system: &System,
        set: CoordinateSet,
        evaluator: &Evaluator,
        times: Vec<f64>,
    ) -> Camera {
        let tracks = Tracks::new(model, system, set, evaluator);
        let values = tracks.values.iter().map(|_| Vec::with_capacity(times.len())).collect();
        let film = Film { sketch: tracks.sketch.clone(), tracks: values, ..Film::default() };
        Camera { tracks, times, film }
    }

    /// The time of the next frame.
    pub(crate) fn next_time(&self) -> Option<f64> {
        self.times.get(self.film.times.len()).copied()
    }

    pub(crate) fn needs_reactions(&self) -> bool {
        self.tracks.need_reactions()
    }

    /// A frame of the state that is written down in the evaluator.
    fn expose(&mut self, t: f64, evaluator: &mut Evaluator, has_reactions: bool) {
        self.film.times.push(t);
        let values = self.tracks.at(evaluator, has_reactions);
        self.film.tracks.iter_mut().zip(values).for_each(|(track, value)| track.push(value));
    }

    /// A frame of a motion, with its errors: the energy it should have, J.
    pub(crate) fn expose_motion(&mut self, t: f64, motion: &mut Motion, energy: f64) {
        let has_reactions = self.needs_reactions() && !motion.is_linear();
        if !motion.is_linear() {
            let evaluator = motion.formulation.evaluator();
            // first-order states alone have no energy
            if evaluator.sizes().coordinates > 0 {
                self.film.energy_error.push((evaluator.energies().energy - energy).abs());
            }
            let drift = evaluator.drift();
            if !drift.values.is_empty() {
                let worst =
                    drift.values.iter().fold(0.0_f64, |worst, value| worst.max(value.abs()));
                self.film.constraint_error.push(worst);
            }
        }
        let evaluator = match has_reactions {
            true => motion.with_reactions(),
            false => motion.formulation.evaluator(),
        };
        self.expose(t, evaluator, has_reactions);
    }
}
