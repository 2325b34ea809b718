//! Questions about motions and about the methods that compute them.

mod catalogue;
mod comparison;
mod drive_forces;
mod drive_frequency;
mod driven_mechanism;
mod equilibria;
mod fit;
mod kinematics;
mod linear_file;
mod linear_model;
pub mod linear_response;
mod modes;
mod penalty_map;
mod phase;
mod power_law;
mod preparations;
pub mod resonance;
pub mod response;
mod rest;
mod shaken;
mod spectrum;
mod sum_text;
mod transfer;
mod window;

pub use catalogue::{ANALYSES, Analysis};
pub use catena_linear::{Complex, Matrix};
pub use comparison::{Candidate, Comparison, Outcome, compare};
pub use equilibria::{EQUILIBRIUM, Resting, equilibria, nearest_equilibrium};
pub use fit::{DecayFit, LineFit, fit_decay, fit_line};
pub use kinematics::{
    DeadPoint, Drive, DriveError, Driven, INVERSE, KINEMATICS, drive, transmission,
};
pub use linear_file::{LINEARIZE, LinearFileError, linear_file};
pub use linear_model::{LinearModel, Matrices};
pub use modes::{Character, MODES, Mode, Modes, Stability};
pub use penalty_map::{ALPHAS, Cell, PenaltyMap, Proposal, STEPS, penalty_map};
pub use phase::{PHASE, PhaseError, phase_portrait};
pub use power_law::exponent;
pub use resonance::RESONANCE;
pub use response::RESPONSE;
pub use rest::{Rest, RestError};
pub use spectrum::{Peak, SPECTRUM, Spectrum, SpectrumError, spectrum};
pub use transfer::{Transfer, TransferError, TransferRequest, transfer};
pub use window::Window;
