//! A frequency response as it is asked for: names and numbers from the user.

use crate::run::{RunFailure, RunRequest, options};
use catena_analysis::response::ResponseRequest;
use catena_model::{Model, RunDefaults};

/// The response of a model at these frequencies by the methods of a run: what is left out is not taken from the model's
/// `[run]`, but chosen for motions that are long and have to be exact. Columns are the outputs.
pub fn response_request(
    model: &Model,
    request: &RunRequest,
    values: Vec<f64>,
) -> Result<ResponseRequest, RunFailure> {
    let standard = ResponseRequest::new(model, values);
    let formulation = model.run.formulation.clone();
    let unasked =
        Model { run: RunDefaults { formulation, ..RunDefaults::default() }, ..model.clone() };
    let filled = RunRequest {
        integrator: request.integrator.clone().or(Some(standard.integrator.name.to_owned())),
        rtol: request.rtol.or(Some(standard.integration.rtol)),
        atol: request.atol.or(Some(standard.integration.atol)),
        max_steps: request.max_steps.or(Some(standard.integration.max_steps as f64)),
        ..request.clone()
    };
    let options = options(&unasked, &filled)?;
    Ok(ResponseRequest {
        outputs: request.columns.clone(),
        formulation: options.formulation,
        formulation_options: options.formulation_options,
        integrator: options.integrator,
        integration: options.integration,
        ..standard
    })
}
