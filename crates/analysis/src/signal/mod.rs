//! Signals: what a column of a run is made of.

mod aliasing;
mod fourier;
mod spectrum;
mod window;

pub use aliasing::{FoldedLine, folded_line};
pub(crate) use fourier::transform;
pub use spectrum::{SpectralPeak, Spectrum, SpectrumError, spectrum};
pub use window::Window;
