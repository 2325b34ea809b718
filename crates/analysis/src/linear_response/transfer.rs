//! Linear frequency response: what a small harmonic drive does to a system about its equilibrium.
//!
//! # Equations
//! A drive of angular frequency ω excites forces, rates and constraints at rest with the complex
//! amplitudes $\hat F$, $\hat g$, $\hat\Phi$, taken from one period of the drive. With $s = i\omega$,
//! $$\begin{bmatrix}s^2M+sC+K&-F&\Phi_q^T\\-G_q-sG_v&s-G_z&0\\\Phi_q&0&0\end{bmatrix}
//!   \begin{bmatrix}\hat x\\\hat\zeta\\\delta\hat\lambda\end{bmatrix}=\begin{bmatrix}\hat F\\\hat g\\
//!   -\hat\Phi\end{bmatrix}$$
//! gives the response of every coordinate, and the slopes of a formula that of everything else. The
//! transfer function is this response over the amplitude of the input, such as the position of a pivot.

use super::harmonic_forcing::HarmonicForcing;
use crate::rest::LinearModel;
use catena_linear::Complex;
use catena_model::plain;

/// What is asked of a driven system.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferRequest {
    /// The parameter that sets the frequency of the drive; found if there is only one.
    pub parameter: Option<String>,
    /// The input: a coordinate, definition or output.
    pub input: String,
    /// The outputs: coordinates, their rates (`x'`), definitions or outputs.
    pub outputs: Vec<String>,
    /// Frequencies of the drive, Hz.
    pub frequencies: Vec<f64>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// No sine or cosine of time in the equations.
    #[error("the model has no drive: no sine or cosine of time moves it")]
    NoDrive,
    /// No parameter of this name, or none at all, sets the frequency.
    #[error("no parameter sets the frequency of the drive: its angle is not a parameter times t")]
    NoFrequency,
    /// Several parameters could be meant.
    #[error("several parameters set the frequency of the drive: {}", .names.join(", "))]
    SeveralFrequencies {
        /// The parameters that qualify.
        names: Vec<String>,
    },
    /// The parameter enters the equations at rest too.
    #[error(
        "`{parameter}` changes the system at rest as well: it is no frequency of a drive alone"
    )]
    FrequencyAtRest {
        /// The parameter that was named or found.
        parameter: String,
    },
    /// No quantity of this name.
    #[error("there is no coordinate, definition or output `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The quantities of the model.
        known: Vec<String>,
    },
    /// The input stands still.
    #[error("the drive does not move the input `{name}`")]
    StillInput {
        /// The input that was named.
        name: String,
    },
    /// An undamped resonance.
    #[error("there is no finite response at {} Hz: an undamped resonance", plain(*.frequency))]
    Resonance {
        /// Frequency of the drive, Hz.
        frequency: f64,
    },
}

/// Complex responses to an input of amplitude 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// Frequencies of the drive, Hz.
    pub frequencies: Vec<f64>,
    /// For each output a column of responses.
    pub responses: Vec<Vec<Complex>>,
}

/// The transfer functions of a linear model from its drive.
pub fn transfer(
    linear: &LinearModel<'_>,
    request: &TransferRequest,
) -> Result<Transfer, TransferError> {
    let forcing = HarmonicForcing::new(linear, request)?;
    let mut responses = vec![Vec::with_capacity(request.frequencies.len()); request.outputs.len()];
    for &frequency in &request.frequencies {
        for (column, answer) in responses.iter_mut().zip(forcing.at(frequency)?) {
            column.push(answer);
        }
    }
    Ok(Transfer { frequencies: request.frequencies.clone(), responses })
}
