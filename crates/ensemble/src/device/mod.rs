//! Trajectories on a device: one thread each, its state in registers, its own steps, what is kept of it reduced where it runs.
//!
//! A [`Device`] compiles source that is written from the same programs that lanes run (`source.rs`, `kernel/`), and lends memory in
//! which number i of all trajectories stands together (`layout.rs`). The host packs starts, has the device advance by so many
//! attempts that a launch stays short, takes what has arrived and fills the places again (`worker.rs`).

#[cfg(not(target_arch = "wasm32"))]
mod cuda;
mod layout;
mod measures;
mod packing;
mod shared;
mod source;
mod stages;
mod worker;

pub(crate) use measures::work;
pub use shared::LEAST_SINGLE_RTOL;
pub(crate) use shared::{DeviceParts, DeviceShared};
pub(crate) use worker::{DeviceWork, DeviceWorker, MeasuredWorkload};

use catena_model::RunSettings;
use std::str::FromStr;
use std::sync::Arc;

/// A machine beside the processor that moves many trajectories at once.
pub trait Device: Send + Sync {
    /// What it is, as blocks and words say it.
    fn name(&self) -> String;

    /// How many trajectories keep it busy.
    fn places(&self) -> usize;

    /// Compiles a source whose function `catena_advance(count, attempts, memory)` moves `count` trajectories.
    fn compile(&self, source: &str) -> Result<Box<dyn DeviceKernel>, DeviceError>;
}

/// A compiled source.
pub trait DeviceKernel: Send + Sync {
    /// What it needs of the device, and how much of it runs at once.
    fn details(&self) -> String;

    /// Memory for this many trajectories of so many numbers.
    fn memory(&self, numbers: usize, count: usize) -> Result<Box<dyn DeviceMemory>, DeviceError>;
}

/// Memory of a device: number i of trajectory j stands at i·count + j.
pub trait DeviceMemory {
    /// Writes all numbers.
    fn write(&mut self, numbers: &[f64]) -> Result<(), DeviceError>;

    /// Moves every trajectory by so many attempts at steps.
    fn advance(&mut self, attempts: u32) -> Result<(), DeviceError>;

    /// Reads numbers from a place of the memory on.
    fn read(&mut self, first: usize, numbers: &mut [f64]) -> Result<(), DeviceError>;
}

/// Why a device does not compute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is none that could be used.
    #[error("no GPU can be used: {reason}")]
    Absent {
        /// What is missing.
        reason: String,
    },
    /// What runs in lanes need not run on a device.
    #[error("this does not run on a GPU: {reason}")]
    Unsuitable {
        /// Why.
        reason: String,
    },
    /// It answered with an error.
    #[error("the GPU failed to {doing}: {reason}")]
    Failed {
        /// What it was asked to do.
        doing: &'static str,
        /// What its driver says.
        reason: String,
    },
}

impl DeviceError {
    pub(crate) fn absent(reason: &str) -> DeviceError {
        DeviceError::Absent { reason: reason.to_owned() }
    }

    pub(crate) fn unsuitable(reason: &str) -> DeviceError {
        DeviceError::Unsuitable { reason: reason.to_owned() }
    }

    /// Whether a device that could compute has failed to.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self, DeviceError::Failed { .. })
    }
}

/// How many digits numbers have on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// As on the processor.
    #[default]
    F64,
    /// Single precision: faster on most devices, seven digits, no relative tolerance below [`LEAST_SINGLE_RTOL`]. The times of steps and
    /// rows are kept in double precision; what a formula makes of t is not.
    F32,
}

impl Precision {
    /// Each with the name that commands take.
    pub const ALL: [(&'static str, Precision); 2] =
        [("f64", Precision::F64), ("f32", Precision::F32)];

    /// The name that commands take.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, precision)| *precision == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for Precision {
    type Err = ();

    fn from_str(text: &str) -> Result<Precision, ()> {
        Self::ALL.iter().find(|(name, _)| *name == text).map(|&(_, precision)| precision).ok_or(())
    }
}

/// A device, and the precision that it is to compute in.
#[derive(Clone)]
pub struct ChosenDevice {
    /// What computes.
    pub device: Arc<dyn Device>,
    /// In which precision.
    pub precision: Precision,
}

impl ChosenDevice {
    /// As blocks say it: `NVIDIA H200, f64`.
    pub fn name(&self) -> String {
        format!("{}, {}", self.device.name(), self.precision.name())
    }
}

impl std::fmt::Debug for ChosenDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

/// What is asked to compute.
#[derive(Clone, Debug, Default)]
pub enum DeviceChoice {
    /// The processor.
    #[default]
    Processor,
    /// The first GPU of this machine.
    Gpu(Precision),
    /// This one.
    Given(ChosenDevice),
}

impl DeviceChoice {
    /// What the settings of a run ask for.
    pub fn of(settings: &RunSettings) -> DeviceChoice {
        let precision = settings.precision.as_deref().and_then(|name| name.parse().ok());
        match settings.device.as_deref() {
            Some("gpu") => DeviceChoice::Gpu(precision.unwrap_or_default()),
            _ => DeviceChoice::Processor,
        }
    }

    /// The device, if one is asked for.
    pub(crate) fn found(&self) -> Result<Option<ChosenDevice>, DeviceError> {
        match self {
            DeviceChoice::Processor => Ok(None),
            DeviceChoice::Gpu(precision) => {
                first_gpu().map(|device| Some(ChosenDevice { device, precision: *precision }))
            }
            DeviceChoice::Given(chosen) => Ok(Some(chosen.clone())),
        }
    }
}

/// The first GPU of this machine.
pub fn first_gpu() -> Result<Arc<dyn Device>, DeviceError> {
    #[cfg(not(target_arch = "wasm32"))]
    return cuda::first();
    #[cfg(target_arch = "wasm32")]
    Err(DeviceError::absent("a page cannot reach one"))
}
