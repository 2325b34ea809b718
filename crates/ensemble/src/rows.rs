//! The columns that measures read, for all lanes at once.

use crate::SweepError;
use crate::lane_function::{LaneFunction, LaneKernels};
use crate::lane_motion::LaneMotion;
use catena_compile::InstructionSet;
use catena_formulation::{FormulationInput, RhsProgram};
use catena_integrator::Lanes;
use catena_model::System;
use catena_simulation::column_expressions;

/// The columns of these names as one function.
pub(crate) fn column_kernels(
    system: &System,
    input: &FormulationInput,
    rhs: &mut RhsProgram,
    names: &[String],
    set: InstructionSet,
) -> Result<LaneKernels, SweepError> {
    let equations = &input.evaluator.functions().equations;
    let columns = column_expressions(system, equations, rhs.graph_mut(), names)?;
    let len = rhs.state_len();
    Ok(LaneKernels::new(&rhs.column_program(&columns), set, len))
}

/// The columns of all lanes.
pub(crate) struct Rows {
    pub(crate) function: LaneFunction,
}

impl Rows {
    pub(crate) fn new(kernels: LaneKernels) -> Rows {
        Rows { function: LaneFunction::new(kernels) }
    }

    /// Writes the state of a lane down.
    pub(crate) fn set_state(&mut self, lane: usize, t: f64, y: &[f64]) {
        let width = self.function.width();
        let (times, states) = self.function.inputs();
        times[lane] = t;
        for (i, &value) in y.iter().enumerate() {
            states[i * width + lane] = value;
        }
    }

    /// Writes the states of all lanes down, at the times that stand there.
    pub(crate) fn interpolate(&mut self, lanes: &mut Lanes, motion: &mut LaneMotion) {
        let (times, states) = self.function.inputs();
        lanes.interpolate_all(motion, times, states);
    }

    /// The state of a lane, as written down last.
    pub(crate) fn state(&mut self, lane: usize) -> impl Iterator<Item = f64> {
        let width = self.function.width();
        self.function.inputs().1.iter().skip(lane).step_by(width).copied()
    }

    /// The columns of a lane, as evaluated last.
    pub(crate) fn of_lane(&self, lane: usize) -> impl Iterator<Item = f64> {
        self.function.outputs.iter().skip(lane).step_by(self.function.width()).copied()
    }
}
