//! What an engine has compiled for a device.

use super::layout::{Layout, Number};
use super::packing::Packer;
use super::source::{Programs, Stepping, source};
use super::{ChosenDevice, DeviceError, DeviceKernel, Precision};
use crate::crossing::section_columns;
use crate::engine::Engine;
use crate::{SweepError, SweepOptions, Task};
use catena_compile::{Kernel, Program};
use catena_formulation::{FormulationInput, RhsProgram};
use catena_simulation::{Prepared, column_expressions};
use catena_symbolic::{Expr, Function, Graph, Number as Constant};
use std::sync::OnceLock;

/// Rates and power series of more operations take a device's compiler minutes.
const MAX_DEVICE_OPERATIONS: usize = 20_000;
/// A relative tolerance below this asks for more than rounding leaves of single precision.
pub const LEAST_SINGLE_RTOL: f64 = 4.0 * f32::EPSILON as f64;

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
    pub(crate) places: usize,
    /// Whether a tolerance was asked for that single precision does not reach.
    pub(super) raises_tolerance: bool,
    /// ẏ and a defect, on the processor.
    pub(super) rate: Kernel,
    /// Why the device did not compute all, if it gave up.
    pub(crate) failure: OnceLock<DeviceError>,
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
    /// Whether a trajectory has a rate here, if it has a start.
    pub(crate) fn can_begin(&self, engine: &Engine, task: &Task) -> bool {
        let Ok(numbers) = Packer::new(engine).pack(task, self) else { return true };
        let mut inputs = vec![numbers[Number::Start as usize]];
        for (list, len) in [("Y", self.layout.len), ("PARAMETERS", self.varied.len())] {
            inputs.extend_from_slice(&numbers[self.layout.first(list)..][..len]);
        }
        let mut found = vec![0.0; self.rate.output_len()];
        self.rate.run(&inputs, &mut found, &mut vec![0.0; self.rate.scratch_len()]);
        found.iter().all(|number| number.is_finite())
    }

    /// What is to be said of it.
    pub(crate) fn words(&self) -> String {
        match self.raises_tolerance {
            true => format!("{}; rtol is {LEAST_SINGLE_RTOL:.1e}, the least it has", self.name),
            false => self.name.clone(),
        }
    }

    pub(crate) fn new(
        chosen: &ChosenDevice,
        prepared: &Prepared,
        options: &SweepOptions,
        parts: &DeviceParts<'_>,
    ) -> Result<DeviceShared, SweepError> {
        let unsuitable = |reason: &str| SweepError::from(DeviceError::unsuitable(reason));
        let (system, input) = (prepared.system(), prepared.input());
        if system.events.iter().any(|event| event.terminal) {
            return Err(unsuitable("an event of the model ends its motion"));
        }
        if parts.tangents > 0 {
            return Err(unsuitable("tangent vectors are carried along on the processor"));
        }
        if options.integrator.adaptive && prepared.has_short_features() {
            return Err(unsuitable("the model has features that are shorter than a step"));
        }
        let method = options.integrator.lanes();
        let method = method.ok_or_else(|| {
            unsuitable(
                "its integrator moves one trajectory at a time; take rk4, dopri5, tsit5, dop853 or taylor",
            )
        })?;
        if options.formulation.corrects_states {
            return Err(no_straight_line("corrects states after steps").into());
        }
        let rhs = options.formulation.lane_program(input);
        let mut rhs = rhs.ok_or_else(|| no_straight_line("solves its equations in loops"))?;
        let special = |program: Program| program.fused().specialised("parameters", parts.known);
        let rate = rhs.guarded_rate_program().specialised("parameters", parts.known);
        if rate.operations.len() > MAX_DEVICE_OPERATIONS {
            return Err(unsuitable("its equations are too long"));
        }
        let mut lane_options = options.lane_options();
        lane_options.check()?;
        let adaptive = options.integrator.adaptive && lane_options.step.is_none();
        // the order of a series follows the tolerance even where steps are fixed
        let has_tolerance = adaptive || method.explicit().is_none();
        let raises_tolerance = chosen.precision == Precision::F32
            && has_tolerance
            && lane_options.rtol < LEAST_SINGLE_RTOL;
        if raises_tolerance {
            lane_options.rtol = LEAST_SINGLE_RTOL;
        }
        let series = method.series_order(&lane_options).and_then(|order| {
            rhs.series_program().taylor(order, MAX_DEVICE_OPERATIONS).map(special)
        });
        let equations = &input.evaluator.functions().equations;
        let columns = column_expressions(system, equations, rhs.graph_mut(), parts.columns)?;
        let sections = (!parts.directions.is_empty()).then(|| {
            let columns = section_columns(input, &mut rhs, parts.directions.len());
            special(rhs.column_program(&columns))
        });
        let check = check_columns(input, &mut rhs).map(|check| special(rhs.column_program(&check)));
        let programs = Programs {
            rate,
            columns: special(rhs.column_program(&columns)),
            sections,
            check,
            series,
        };
        let is_varied = |at: &usize| parts.known[*at].is_none();
        let varied: Vec<usize> = (0..parts.known.len()).filter(is_varied).collect();
        let counts = [rhs.state_len(), varied.len(), columns.len(), parts.directions.len()];
        let layout = Layout::new(counts, parts.measured);
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
            rate: Kernel::of_fused(&programs.rate),
            raises_tolerance,
            failure: OnceLock::new(),
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

/// For formulations whose steps are no straight line of operations.
fn no_straight_line(what: &str) -> DeviceError {
    DeviceError::unsuitable(&format!("its formulation {what}; take multipliers or baumgarte"))
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
    let largest = |graph: &mut Graph, first: Constant, all: &[Expr]| {
        let first = graph.number(first);
        all.iter().fold(first, |most, &expr| {
            let expr = absolute(graph, expr);
            graph.call2(Function::named("max"), most, expr)
        })
    };
    let missed = largest(graph, Constant::from(0.0), &e.constraints);
    let reach = largest(graph, Constant::ONE, &e.coordinates);
    Some(vec![e.energy, size, missed, reach])
}

impl From<DeviceError> for SweepError {
    fn from(error: DeviceError) -> SweepError {
        SweepError::Device(error)
    }
}
