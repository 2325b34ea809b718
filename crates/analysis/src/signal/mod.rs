//! Signals: what a column of a run is made of.

mod spectrum;
mod window;

pub use spectrum::{SpectralPeak, Spectrum, SpectrumError, spectrum};
pub use window::Window;
