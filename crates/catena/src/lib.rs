//! Catena: a workbench for multibody dynamics. A model is loaded, run and asked; the stages behind that are crates of
//! their own, which this one passes on.
//!
//! ```
//! use catena::{RunSettings, Setting};
//!
//! // a ready system or a model file, with some values changed
//! let model = catena::load("four-bar", &[Setting::new("theta2'", 6.0)])?;
//!
//! // a run says how good it is
//! let settings = RunSettings::new().formulation("projection").t_end(1.0).certify();
//! let run = catena::run(&model, &settings)?;
//! let certificate = &run.certificate;
//! assert!(certificate.constraint_error < 1e-12);
//! assert!(certificate.energy_residual < 1e-3);
//! assert!(certificate.estimate.is_some_and(|estimate| estimate.error < 1e-3));
//!
//! // the ending of the file names the format
//! let file = std::env::temp_dir().join(format!("catena-front-page-{}.npz", std::process::id()));
//! catena::write_run(&run, &file)?;
//! # std::fs::remove_file(&file)?;
//!
//! // questions have names and options, and answer with facts, a table, a figure and words
//! let answer = catena::ask("kinematics", &model, &[("drive", "theta2")])?;
//! println!("{}", answer.words.to_text());
//! catena::write_picture(&answer.figure, &file.with_extension("svg"))?;
//! # std::fs::remove_file(file.with_extension("svg"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model can also be read from a text ([`read`]) or written in Rust ([`Model::builder`]), and its equations can be
//! shown with every step that leads to them:
//!
//! ```
//! let pendulum = catena::Model::builder("Pendulum")
//!     .parameter("m", 1)
//!     .parameter("l", 2)
//!     .parameter("g", 9.81)
//!     .coordinate("theta", "angle from the downward vertical")
//!     .kinetic("1/2*m*l^2*theta'^2")
//!     .potential("-m*g*l*cos(theta)")
//!     .build()?;
//! let derivation = catena::derive(&pendulum, catena::CoordinateSet::Own)?;
//! assert_eq!(derivation.mass_matrix[0][0].to_text(), "m l²");
//! assert_eq!(derivation.forces[0].to_text(), "−m l g sin(θ)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model that runs many times is derived and compiled once: [`Prepared`]. Many runs over a grid are a [`sweep`].

mod ask;
mod film;
mod run;
pub mod sweep;

use std::io::Read;
use std::path::Path;

pub use catena_analysis as analysis;
pub use catena_derivation as derivation;
pub use catena_ensemble as ensemble;
pub use catena_export as export;
pub use catena_figure as figure;
pub use catena_formulation as formulation;
pub use catena_integrator as integrator;
pub use catena_model as model;
pub use catena_present as present;
pub use catena_simulation as simulation;
pub use catena_symbolic as symbolic;
pub use catena_systems as systems;

pub use ask::{ask, ask_analysis, ask_seen, ask_watched};
pub use catena_analysis::{
    Answer, LivePicture, PLOT_OPTIONS, PlotStyle, Refusal, run_description, run_figure,
    table_figure,
};
pub use catena_derivation::{CheckError, Derivation, Equations, Extent, Format};
pub use catena_figure::{Scene, Still, StillOptions};
pub use catena_model::{CoordinateSet, Film, Model, Problems, RunSettings, Setting, Source};
pub use catena_present::{
    ANIMATION_FORMATS, Animation, AnimationOutcome, PICTURE_FORMATS, Report, TABLE_FORMATS,
    WriteError, certificate_text, check_destination, check_replaces_nothing, counted, csv_text,
    diagnosis_json, events_path, figure_sheet, run_json, write, write_animation, write_picture,
    write_run, write_table,
};
pub use catena_simulation::film_of_start;
pub use catena_simulation::{Diagnosis, Prepared, Run, RunFailure, RunPlan};
pub use catena_simulation::{Drag, DragError, DragOutcome, Hold, HoldKind};
pub use film::{FrameTimes, film_run};
pub use run::{run, run_watched};

/// The programs of the README are compiled and run like those of this documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Random states at which every derivation is checked.
const CHECKED_STATES: usize = 5;
const CHECK_SEED: u64 = 1;

/// Why a model could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Neither a file nor a ready system has this name.
    #[error("there is no file and no ready system called `{name}`")]
    NotFound {
        /// What was asked for.
        name: String,
    },
    /// The file exists but cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Unreadable {
        /// Which file.
        path: String,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The model is wrong.
    #[error(transparent)]
    Problems(#[from] Problems),
}

/// Reads a model from text.
pub fn read(source: Source, settings: &[Setting]) -> Result<Model, Problems> {
    Model::read(source, settings)
}

/// Loads a ready system by its name, or a model file: one that is called like a ready system is `./NAME`.
pub fn load(name: &str, settings: &[Setting]) -> Result<Model, LoadError> {
    if let Some(system) = systems::find(name) {
        return Ok(read(Source::new(name, system.text), settings)?);
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(LoadError::NotFound { name: name.to_owned() });
    }
    let unreadable = |error| LoadError::Unreadable { path: name.to_owned(), error };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if size > model::MAX_FILE_SIZE as u64 {
        return Err(too_large(name, size).into());
    }
    // the limit holds for what is not a plain file, too
    let mut bytes = Vec::new();
    file.take(model::MAX_FILE_SIZE as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(read(Source::new(name, text), settings)?),
        Err(error) => Err(not_utf8(name, &error).into()),
    }
}

fn too_large(name: &str, size: u64) -> Problems {
    let (size, limit) = (size as usize, model::MAX_FILE_SIZE);
    let kind = model::ProblemKind::FileTooLarge { size, limit };
    let problems = vec![model::Problem { kind, place: model::Place::default() }];
    Problems { sources: vec![Source::new(name, "")], problems }
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Problems {
    let valid = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
    // the first replacement character takes three bytes
    let place = model::Place { source: 0, span: valid..valid + '\u{fffd}'.len_utf8() };
    let problems = vec![model::Problem { kind: model::ProblemKind::NotUtf8, place }];
    Problems { sources: vec![Source::new(name, text)], problems }
}

/// Derives the equations of motion, checks them, and writes down how.
pub fn derive(model: &Model, set: CoordinateSet) -> Result<Derivation, CheckError> {
    derive_as_far(model, set, Extent::Everything)
}

/// The same, with large systems written out only as far as people read.
pub fn derive_as_far(
    model: &Model,
    set: CoordinateSet,
    extent: Extent,
) -> Result<Derivation, CheckError> {
    let system = model.system(set);
    let equations = Equations::derive(model, system);
    let quick = derivation::Thoroughness::Quick;
    let agreement =
        derivation::check(model, system, &equations, CHECKED_STATES, quick, CHECK_SEED)?;
    derivation::explain(model, system, &equations, extent, agreement)
}

/// Examines a model: degrees of freedom, dependent constraints, missing mass, the start.
pub fn diagnose(model: &Model) -> Diagnosis {
    simulation::diagnose(model, CoordinateSet::Own)
}
