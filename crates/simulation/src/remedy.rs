//! What would make a result better: the step, the tolerance or the formulation to take next.

use crate::RunOptions;
use crate::run::rounded;
use crate::verdict::ERROR;
use catena_formulation::Entry;
use catena_integrator::Options;

/// Steps are shortened and tolerances tightened by these factors, at least and at most.
const FACTORS_OF_STEP: [f64; 2] = [4.0, 1e3];
const FACTORS_OF_TOLERANCE: [f64; 2] = [1e2, 1e6];
/// Tolerances below this are near rounding: another method helps, not a tighter one.
const LEAST_USEFUL_TOLERANCE: f64 = 1e-11;
/// Errors follow steps and tolerances only roughly.
const MARGIN: f64 = 2.0;

/// What would help, as a clause; more of it, the larger the error is relative to the motion, if that is known.
pub(crate) fn remedy(formulation: &Entry, options: &RunOptions, error: Option<f64>) -> String {
    let Options { rtol, atol, .. } = options.integration;
    let excess = MARGIN * error.map_or(1.0, |error| error.min(1.0)) / ERROR.good;
    match () {
        () if !options.integrator.structural && !formulation.is_exact() => {
            "the formulation `projection`, whose constraints are rigid".to_owned()
        }
        () if options.has_fixed_steps() => {
            let [least, most] = FACTORS_OF_STEP;
            let order = f64::from(options.integrator.order.max(1));
            let factor = match error {
                Some(_) => excess.powf(1.0 / order).clamp(least, most),
                None => least,
            };
            format!("a step of {:?} s", rounded(options.fixed_step() / factor))
        }
        () if rtol.max(atol) > LEAST_USEFUL_TOLERANCE => {
            let [least, most] = FACTORS_OF_TOLERANCE;
            let factor = match error {
                Some(_) => 10.0_f64.powf(excess.log10().ceil()).clamp(least, most),
                None => least,
            };
            let tighter = |tolerance: f64| rounded((tolerance / factor).max(1e-14));
            format!("rtol {:e} and atol {:e}", tighter(rtol), tighter(atol))
        }
        () => "another integrator or formulation".to_owned(),
    }
}
