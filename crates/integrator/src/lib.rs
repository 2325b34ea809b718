//! One step forward in time: integrators of first-order systems, each a file and a catalogue row.
//!
//! A system is a [`FirstOrderSystem`]; a method is found by name in [`INTEGRATORS`] and built with [`Options`].
//! The caller owns the loop:
//!
//! ```
//! use catena_integrator::{Breakdown, FirstOrderSystem, Options, Partition, Tangent, find};
//!
//! struct Decay;
//! impl FirstOrderSystem for Decay {
//!     fn len(&self) -> usize {
//!         1
//!     }
//!     fn derivative(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
//!         rate[0] = -y[0];
//!         Ok(())
//!     }
//!     fn jacobian(&mut self, _: f64, _: &[f64], _: Tangent, j: &mut [f64]) -> Result<(), Breakdown> {
//!         j[0] = -1.0;
//!         Ok(())
//!     }
//!     fn after_step(&mut self, _: f64, _: &mut [f64]) -> Result<bool, Breakdown> {
//!         Ok(false)
//!     }
//!     fn partition(&self) -> Option<Partition> {
//!         None
//!     }
//! }
//!
//! let mut integrator = find("dopri5").unwrap().build(&Options::default());
//! integrator.begin(&mut Decay, 0.0, &[1.0], 2.0)?;
//! while integrator.time() < 2.0 {
//!     integrator.step(&mut Decay)?;
//! }
//! assert!((integrator.state()[0] - (-2.0_f64).exp()).abs() < 1e-5);
//! # Ok::<(), catena_integrator::IntegrationError>(())
//! ```
//!
//! Inside, a *method* (`method.rs`) tries one step, a *control* (`control/`) chooses its length, and one *stepper*
//! (`stepper.rs`) joins them: it rejects, shortens, corrects, counts and lands on the end.

mod breakdown;
mod catalogue;
mod control;
mod dense;
mod error;
mod explicit;
mod implicit;
mod integrator;
mod integrator_option;
mod lanes;
mod method;
mod norm;
mod options;
mod series;
mod span;
mod stepper;
mod stiffness;
mod structural;
mod symplectic;
mod system;
mod tangent;
mod whole_steps;

pub use breakdown::Breakdown;
pub use catalogue::{Build, Entry, INTEGRATORS, find, for_exact_motions, for_stiff_systems};
pub use control::pi::PiGains;
pub use error::IntegrationError;
pub use explicit::ExplicitMethod;
pub use integrator::{Integrator, Statistics};
pub use integrator_option::{IntegratorOption, NumberRange, OptionKind};
pub use lanes::{LaneFailure, LaneMethod, LaneSystem, Lanes, SeriesRule, WholeAttempts};
pub use options::{DEFAULT_STEPS, Norm, Options};
pub use stiffness::StepLimit;
pub use system::{
    ConstrainedState, ConstrainedSystem, ConstrainedTangents, FirstOrderSystem, Partition,
    SeriesSystem,
};
pub use tangent::Tangent;
pub use whole_steps::{Attempt, WholeSteps};
