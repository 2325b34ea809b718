//! A system at rest: its equations with the drive off, an equilibrium of them, and what they are when they are linear there.

mod drive_forces;
mod eigenmodes;
mod equilibria;
mod linear_file;
mod linear_model;
mod modes;
mod sum_text;

pub use equilibria::{Resting, equilibria, equilibria_watched, nearest_equilibrium};
pub use linear_file::{LinearFileError, linear_file};
pub use linear_model::{LinearModel, Matrices};
pub use modes::{Character, Mode, Modes, Stability};

use catena_compile::Evaluator;
use catena_derivation::Equations;
use catena_model::{CoordinateSet, Model, System};
use catena_simulation::{
    Assembly, AssemblyError, Equilibrium, EquilibriumError, Start, assemble, assemble_nearby,
    check_finite, equilibrium,
};

/// A system that rests.
#[derive(Clone, Debug)]
pub struct Rest<'a> {
    /// The model that rests.
    pub model: &'a Model,
    /// The coordinates it is described in.
    pub system: &'a System,
    /// The equations as they are, drive included.
    pub driven: Equations,
    /// The equations that hold at rest.
    pub equations: Equations,
    /// Where the search began.
    pub start: Assembly,
    /// The equilibrium that the search reached.
    pub equilibrium: Equilibrium,
    /// Whether time enters neither the balance at the equilibrium nor the motion about it.
    pub steady: bool,
    /// Values of the parameters, in the order of the model.
    pub parameters: Vec<f64>,
}

/// Times at which functions are compared with those at 0, s: without a common period.
const PROBE_TIMES: [f64; 3] = [0.377, 1.618, 31.4];
/// Functions that change by less than this, relative to the largest, are constant.
const STEADINESS_TOLERANCE: f64 = 1e-9;

/// Why nothing is known about a system at rest.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestError {
    /// The start cannot be assembled.
    #[error(transparent)]
    Start(#[from] AssemblyError),
    /// No equilibrium was reached.
    #[error(transparent)]
    Equilibrium(#[from] EquilibriumError),
    /// The linear equations cannot be solved.
    #[error("about the equilibrium {0}")]
    Eigenvalues(#[from] catena_linear::EigenError),
    /// A derivative is infinite or undefined.
    #[error("the slope of {quantity} is not finite at the equilibrium")]
    NotFinite {
        /// The force or rate whose slope it is, in words.
        quantity: String,
    },
}

impl<'a> Rest<'a> {
    /// The equilibrium nearest the start of the model.
    pub fn nearest(model: &'a Model) -> Result<Rest<'a>, RestError> {
        let mut search = Search::new(model);
        let start = search.assembled(&Start::new(model, CoordinateSet::Own))?;
        search.from(&start)
    }
}

/// What several searches share.
pub(crate) struct Search<'a> {
    model: &'a Model,
    pub(crate) system: &'a System,
    evaluator: Evaluator,
}

impl<'a> Search<'a> {
    pub(crate) fn new(model: &'a Model) -> Search<'a> {
        let system = &model.own;
        Search { model, system, evaluator: Evaluator::derived(model, system) }
    }

    pub(crate) fn equations(&self) -> &Equations {
        self.evaluator.equations()
    }

    pub(crate) fn assembled(&mut self, start: &Start) -> Result<Assembly, AssemblyError> {
        check_finite(self.system, &mut self.evaluator, start)?;
        assemble(self.system, &mut self.evaluator, start)
    }

    /// The same from this start alone, for those who bring many.
    pub(crate) fn assembled_nearby(&mut self, start: &Start) -> Result<Assembly, AssemblyError> {
        check_finite(self.system, &mut self.evaluator, start)?;
        assemble_nearby(self.system, &mut self.evaluator, start)
    }

    pub(crate) fn from(&mut self, start: &Assembly) -> Result<Rest<'a>, RestError> {
        let equilibrium = equilibrium(self.model, self.system, self.equations(), start)?;
        let steady = equilibrium.steady && self.moves_steadily(&equilibrium);
        let equations = match steady {
            true => self.equations().clone(),
            false => self.equations().undriven(),
        };
        Ok(Rest {
            model: self.model,
            system: self.system,
            driven: self.equations().clone(),
            equations,
            start: start.clone(),
            equilibrium,
            steady,
            parameters: self.model.parameter_values(),
        })
    }

    /// Whether masses and the forces of motion stay what they are: forces that balance at all times do not
    /// tell.
    fn moves_steadily(&mut self, rest: &Equilibrium) -> bool {
        if !self.equations().depends_on_time() {
            return true;
        }
        let v: Vec<f64> = (0..rest.q.len()).map(|at| 0.3 * (1.0 + at as f64).sin()).collect();
        let mut at = |t: f64| {
            let values = self.evaluator.values_at(t, &rest.q, &v, &rest.states);
            [values.mass_matrix, values.forces, values.gamma, values.state_rates].concat()
        };
        let now = at(0.0);
        let scale = now.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()));
        PROBE_TIMES.iter().all(|&t| {
            let later = at(t);
            now.iter()
                .zip(&later)
                .all(|(now, later)| (now - later).abs() <= STEADINESS_TOLERANCE * scale)
        })
    }
}
