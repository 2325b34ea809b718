//! Questions about motions and about the methods that compute them.
//!
//! `questions` is the catalogue: a row for each question, with its options and what answers it. The other folders compute:
//! `period` finds how often a drive repeats, `returns` makes points of motions, `orbits` follows them over a parameter, `rest` is about equilibria, `driven` about mechanisms led through their range, `signal` about columns of a run, `response`
//! and `linear_response` about systems under harmonic forcing, `methods` about what formulations and integrators cost. `answer` is what all of them become.

mod answer;
mod basins;
mod classification;
mod continuation;
mod driven;
mod fit;
mod linear_response;
mod live;
mod lyapunov;
mod methods;
mod orbits;
mod period;
mod question;
mod questions;
mod response;
mod rest;
mod returns;
mod signal;
mod threads;

use answer::{facts, family, panels, quantity, words};

pub use answer::facts::{columns_json, units_json};
pub use answer::{
    Answer, AnswerFile, AnswerFilm, AnswerFilms, BadPlotStyle, Line, PLOT_OPTIONS, PlotStyle,
    Refusal, Tone, Words, duration, fixed, frames_to_watch, run_description, run_figure,
    table_figure,
};
pub use basins::{BasinAttractor, Basins, BasinsError, basins};
pub use catena_linear::{Complex, Matrix};
pub use catena_symbolic::figure_label;
pub use classification::{
    Classified, ClassifiedMotion, ClassifyError, ClassifyRequest, Doubt, MotionClass, classify,
    classify_some,
};
pub use continuation::{
    ContinuationError, ContinuationRequest, FollowedKind, FollowedQuantity, MotionPoint,
    SolutionBranch, SolutionCurves, SpecialKind, SpecialPoint, continuation,
};
pub use driven::{
    ChangePoint, DeadPoint, Drive, DriveError, Driven, drive, drive_watched, transmission,
};
pub use fit::{DecayFit, LineFit, exponent, fit_decay, fit_line};
pub use linear_response::{
    LinearCurve, LinearPeak, LinearResponse, LinearResponseError, LinearResponseRequest, Transfer,
    TransferError, TransferRequest, linear_response, transfer,
};
pub use live::LivePicture;
pub use lyapunov::{
    Checks, Convergence, Exponent, LyapunovCell, LyapunovError, LyapunovMap, LyapunovRequest,
    LyapunovSpectrum, kaplan_yorke, lyapunov, lyapunov_map,
};
pub use methods::{
    ALPHAS, BenchCell, BenchError, BenchOutcome, BenchRequest, BenchResult, BenchTable, Cell,
    CompareRequest, Comparison, Outcome, PenaltyMap, Proposal, Reference, STEPS, bench,
    bench_tables, compare, penalty_map,
};
pub use orbits::{Orbit, OrbitBranch, OrbitDiagram, OrbitRequest, PeriodDoubling, orbit_diagram};
pub use period::{DrivePeriod, PeriodError};
pub use question::{Question, Watch};
pub use questions::{ANALYSES, Analysis, find};
pub use response::{
    Branch, FrequencyParameter, FrequencyUnit, PeakChoice, Resonance, ResonanceError, ResonanceRow,
    ResonanceTrack, Response, ResponseCurve, ResponseError, ResponsePeak, ResponsePoint,
    ResponseRequest, TransientSettings, resonance, response,
};
pub use rest::{
    Character, LinearFileError, LinearModel, Matrices, Mode, Modes, Rest, RestError, Resting,
    Stability, equilibria, equilibria_watched, linear_file, nearest_equilibrium,
};
pub use returns::{Poincare, PoincareCheck, PoincareMotion, PoincareRequest, ReturnMap, poincare};
pub use signal::{
    FoldedLine, SpectralPeak, Spectrum, SpectrumError, Window, folded_line, spectrum,
};
