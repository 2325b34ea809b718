//! The source that a device compiles: what it knows of the model and the method, and the text around it.

use super::layout::Layout;
use super::stages::stages;
use super::{DeviceError, Precision};
use crate::crossing::ROUNDING_OF_START;
use crate::section_zeros::{GROWTH_AT_POLE, MAX_ITERATIONS, PIECES_PER_STEP};
use catena_compile::{Program, device_number, device_prelude};
use catena_integrator::{LaneMethod, Norm, Options, PiGains};
use std::fmt::Write;

/// Rates of up to so many operations, all stages counted, are written into their callers.
const MAX_INLINE_OPERATIONS: usize = 30_000;

/// Programs of t, y and the parameters that differ, fused.
pub(super) struct Programs {
    /// ẏ and a defect.
    pub(super) rate: Program,
    pub(super) columns: Program,
    /// Values of all sections, then their slopes.
    pub(super) sections: Option<Program>,
    /// What decides whether a trajectory is wrong in the end.
    pub(super) check: Option<Program>,
    /// Coefficients of power series.
    pub(super) series: Option<Program>,
}

/// How steps are made.
pub(super) struct Stepping<'a> {
    pub(super) method: LaneMethod,
    pub(super) options: &'a Options,
    /// Whether errors are controlled.
    pub(super) adaptive: bool,
    /// The most that counts of the magnitude of each component.
    pub(super) magnitude_bounds: Vec<f64>,
    /// Of each section the sign of the crossings that count.
    pub(super) directions: &'a [i8],
}

/// The whole source.
pub(super) fn source(
    programs: &Programs,
    stepping: &Stepping<'_>,
    layout: &Layout,
    precision: Precision,
) -> Result<String, DeviceError> {
    let mut text = match precision {
        Precision::F64 => String::new(),
        Precision::F32 => "#define SINGLE\n".to_owned(),
    };
    text += &device_prelude();
    text += &layout.definitions();
    let stage_count = stepping.method.explicit().map_or(1, |method| method.stages().2.len());
    let operations = programs.rate.operations.len() * (stage_count + 1);
    let inline = operations <= MAX_INLINE_OPERATIONS;
    let (prelude, rate) = programs.rate.hoisted("parameters");
    let hoisted = |program: &Program| program.outputs[0].values.len();
    let _ = writeln!(text, "#define H {}", hoisted(&prelude));
    text += &prelude.device_function("rate_prelude", false);
    text += &rate.device_function("rate_program", inline);
    text += &programs.columns.device_function("column_program", false);
    if let Some(sections) = &programs.sections {
        text += &sections.device_function("section_program", true);
    }
    if let Some(check) = &programs.check {
        text += &check.device_function("check_program", false);
    }
    text += &settings(stepping, programs.check.is_some(), precision);
    match (stepping.method.explicit(), &programs.series) {
        (Some(method), _) => text += &stages(method, layout.len),
        (None, Some(series)) => {
            let rule = stepping.method.series_rule(stepping.options);
            let rule = rule.ok_or_else(|| {
                DeviceError::unsuitable("its integrator has no stages and no series")
            })?;
            let (prelude, series) = series.hoisted("parameters");
            for (name, value) in [
                ("ORDER", rule.order),
                ("KEPT", rule.order * layout.len),
                ("INNER", rule.order * layout.len),
                ("DENSE_ROWS", rule.order),
            ] {
                let _ = writeln!(text, "#define {name} {value}");
            }
            let _ = writeln!(text, "#define SERIES_H {}", hoisted(&prelude));
            let _ = writeln!(text, "#define LAST_TERM {:e}", rule.last_terms[0]);
            let _ = writeln!(text, "#define TERM_BEFORE {:e}", rule.last_terms[1]);
            let _ = writeln!(text, "#define MAX_BELIEVED_GROWTH {:e}", rule.believed_growth);
            text += &prelude.device_function("series_prelude", false);
            text += &series.device_function("series_program", false);
            text += include_str!("kernel/motion.cu");
            text += include_str!("kernel/taylor.cu");
        }
        (None, None) => return Err(DeviceError::unsuitable("its power series are too long")),
    }
    if stepping.adaptive && stepping.method.explicit().is_some_and(|m| m.pi_gains().is_none()) {
        return Err(DeviceError::unsuitable(
            "its integrator controls steps in a way of its own; take dopri5 or dop853",
        ));
    }
    text += include_str!("kernel/control.cu");
    text += include_str!("kernel/crossing.cu");
    text += include_str!("kernel/rows.cu");
    Ok(text + include_str!("kernel/advance.cu"))
}

/// Tolerances and the constants of the step control and of the search for crossings.
fn settings(stepping: &Stepping<'_>, checked: bool, precision: Precision) -> String {
    let mut text = String::new();
    let mut define = |name: &str, value: String| {
        let _ = writeln!(text, "#define {name} {value}");
    };
    let Options { rtol, atol, norm, .. } = stepping.options;
    // as of the processor's series
    let is_series = stepping.method.explicit().is_none();
    let rtol = if is_series { rtol.max(f64::EPSILON) } else { *rtol };
    define("RTOL", format!("{rtol:e}"));
    define("ATOL", format!("{atol:e}"));
    define("NORM_IS_MAX", i32::from(*norm == Norm::Max).to_string());
    define("ADAPTIVE", i32::from(stepping.adaptive).to_string());
    define("CHECKED", i32::from(checked).to_string());
    let rounding = match precision {
        Precision::F64 => ROUNDING_OF_START,
        Precision::F32 => ROUNDING_OF_START * f64::from(f32::EPSILON) / f64::EPSILON,
    };
    define("ROUNDING_OF_START", format!("{rounding:e}"));
    let list = |texts: Vec<String>| format!("{{{}}}", texts.join(", "));
    let bounds = stepping.magnitude_bounds.iter().map(|&bound| device_number(bound));
    define("MAGNITUDE_BOUNDS", list(bounds.collect()));
    define("DIRECTIONS", list(stepping.directions.iter().map(i8::to_string).collect()));
    define("PIECES_PER_STEP", PIECES_PER_STEP.to_string());
    define("MAX_ITERATIONS", MAX_ITERATIONS.to_string());
    define("GROWTH_AT_POLE", format!("{GROWTH_AT_POLE:e}"));
    if let Some(gains) = stepping.method.explicit().and_then(|method| method.pi_gains()) {
        define("ESTIMATE_ORDER", format!("{:e}", gains.p));
        define("EXPONENT", format!("{:e}", gains.alpha()));
        define("BETA", format!("{:e}", gains.beta));
        define("SHRINK", format!("{:e}", gains.shrink));
        define("GROW", format!("{:e}", gains.grow));
        define("SAFETY", format!("{:e}", PiGains::SAFETY));
        define("LEAST_ERROR", format!("{:e}", PiGains::LEAST_ERROR));
    }
    text
}
