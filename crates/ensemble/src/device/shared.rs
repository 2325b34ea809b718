//! What an engine has compiled for a device.

use super::layout::Layout;
use super::source::{Programs, Stepping, source, unsuitable};
use super::{ChosenDevice, DeviceError, DeviceKernel, Precision};
use crate::crossing::section_columns;
use crate::{SweepError, SweepOptions};
use catena_compile::Program;
use catena_formulation::{FormulationInput, RhsProgram};
use catena_simulation::{Prepared, column_expressions};
use catena_symbolic::{Expr, Function, Graph, Number};

/// Power series of more operations take a device's compiler minutes.
const MAX_SERIES_OPERATIONS: usize = 20_000;

/// What all threads share when trajectories run on a device.
pub(crate) struct DeviceShared {
    /// What computes, as blocks say it.
    pub(crate) name: String,
    pub(crate) precision: Precision,
    pub(crate) kernel: Box<dyn DeviceKernel>,
    pub(super) layout: Layout,
    /// Places of the parameters that differ between trajectories; the others are written into the source.
    pub(super) varied: Vec<usize>,
    /// Whether errors are controlled.
    pub(super) adaptive: bool,
    /// Whether anything tells that a trajectory is wrong.
    pub(super) checked: bool,
    /// Whether the energy of a motion does not change.
    pub(super) conservative: bool,
    /// How many trajectories keep the device busy.
    pub(super) places: usize,
}

/// What is asked of trajectories besides their states.
pub(crate) struct DeviceParts<'a> {
    pub(crate) columns: &'a [String],
    /// Directions of the sections, the last events of the system.
    pub(crate) directions: &'a [i8],
    /// Values of the parameters that are the same in all trajectories.
    pub(crate) known: &'a [Option<f64>],
    /// How many tangent vectors are carried along.
    pub(crate) tangents: usize,
    /// Whether rows are reduced to statistics.
    pub(crate) measured: bool,
}

impl DeviceShared {
    /// How many trajectories keep the device busy.
    pub(crate) fn places(&self) -> usize {
        self.places
    }

    pub(crate) fn new(
        chosen: &ChosenDevice,
        prepared: &Prepared,
        options: &SweepOptions,
        parts: &DeviceParts<'_>,
    ) -> Result<DeviceShared, SweepError> {
        let (system, input) = (prepared.system(), prepared.input());
        if system.events.iter().any(|event| event.terminal) {
            return Err(unsuitable("an event of the model ends its motion").into());
        }
        if parts.tangents > 0 {
            return Err(unsuitable("tangent vectors are carried along on the processor").into());
        }
        if options.integrator.adaptive && prepared.has_short_features() {
            return Err(unsuitable("the model has features that are shorter than a step").into());
        }
        let method = options.integrator.lanes();
        let method = method.ok_or_else(|| {
            unsuitable(
                "its integrator moves one trajectory at a time; take rk4, dopri5, dop853 or taylor",
            )
        })?;
        let rhs = options.formulation.lane_program(input);
        let mut rhs =
            rhs.ok_or_else(|| unsuitable("its formulation solves its equations in loops"))?;
        let special = |program: Program| program.fused().specialised("parameters", parts.known);
        let equations = &input.evaluator.functions().equations;
        let columns = column_expressions(system, equations, rhs.graph_mut(), parts.columns)?;
        let lane_options = options.lane_options();
        let series = method.series_order(&lane_options).and_then(|order| {
            rhs.series_program().taylor(order, MAX_SERIES_OPERATIONS).map(special)
        });
        let sections = (!parts.directions.is_empty()).then(|| {
            let columns = section_columns(input, &mut rhs, parts.directions.len());
            special(rhs.column_program(&columns))
        });
        let check = check_columns(input, &mut rhs).map(|check| special(rhs.column_program(&check)));
        let programs = Programs {
            rate: rhs.guarded_rate_program().specialised("parameters", parts.known),
            columns: special(rhs.column_program(&columns)),
            sections,
            check,
            series,
        };
        let is_varied = |at: &usize| parts.known[*at].is_none();
        let varied: Vec<usize> = (0..parts.known.len()).filter(is_varied).collect();
        let counts = [rhs.state_len(), varied.len(), columns.len(), parts.directions.len()];
        let layout = Layout::new(counts, parts.measured);
        let adaptive = options.integrator.adaptive && lane_options.step.is_none();
        let mut magnitude_bounds = input.magnitude_bounds();
        magnitude_bounds.resize(rhs.state_len(), f64::INFINITY);
        let stepping = Stepping {
            method,
            options: &lane_options,
            adaptive,
            magnitude_bounds,
            directions: parts.directions,
        };
        let text = source(&programs, &stepping, &layout, chosen.precision)?;
        Ok(DeviceShared {
            name: chosen.name(),
            precision: chosen.precision,
            kernel: chosen.device.compile(&text)?,
            layout,
            varied,
            adaptive,
            checked: programs.check.is_some(),
            conservative: input.evaluator.functions().conservative,
            places: chosen.device.places().max(1),
        })
    }
}

/// h, |T| + |V|, the largest |Φ| and the largest of 1 and |q|; none where nothing could tell that a motion is wrong.
fn check_columns(input: &FormulationInput, rhs: &mut RhsProgram) -> Option<Vec<Expr>> {
    let functions = input.evaluator.functions();
    let e = &functions.equations;
    if !functions.conservative && e.constraints.is_empty() {
        return None;
    }
    let graph = rhs.graph_mut();
    let absolute = |graph: &mut Graph, expr: Expr| graph.call(Function::named("abs"), expr);
    let (kinetic, potential) = (absolute(graph, e.kinetic), absolute(graph, e.potential));
    let size = graph.add(kinetic, potential);
    let largest = |graph: &mut Graph, first: Number, all: &[Expr]| {
        let first = graph.number(first);
        all.iter().fold(first, |most, &expr| {
            let expr = absolute(graph, expr);
            graph.call2(Function::named("max"), most, expr)
        })
    };
    let missed = largest(graph, Number::from(0.0), &e.constraints);
    let reach = largest(graph, Number::ONE, &e.coordinates);
    Some(vec![e.energy, size, missed, reach])
}

impl From<DeviceError> for SweepError {
    fn from(error: DeviceError) -> SweepError {
        SweepError::Device(error)
    }
}
