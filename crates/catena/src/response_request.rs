//! A frequency response as it is asked for: names and numbers from the user.

use catena_analysis::response::ResponseRequest;
use catena_model::{Model, RunSettings};
use catena_simulation::{RunFailure, RunPlan};

/// The response of a model at these frequencies by the methods of a run: what is left out is not taken from the model's
/// `[run]`, but chosen for motions that are long and have to be exact. Columns are the outputs.
pub fn response_request(
    model: &Model,
    settings: &RunSettings,
    values: Vec<f64>,
) -> Result<ResponseRequest, RunFailure> {
    let standard = ResponseRequest::new(model, values);
    let defaults = RunSettings {
        formulation: model.run.formulation.clone(),
        integrator: Some(standard.integrator.name.to_owned()),
        rtol: Some(standard.integration.rtol),
        atol: Some(standard.integration.atol),
        max_steps: Some(standard.integration.max_steps),
        ..RunSettings::default()
    };
    let plan = RunPlan::new(model, settings, &defaults)?;
    Ok(ResponseRequest {
        outputs: settings.columns.clone(),
        formulation: plan.formulation.entry,
        formulation_options: plan.formulation.options,
        integrator: plan.options.integrator,
        integration: plan.options.integration,
        ..standard
    })
}
