//! Which methods take part in a comparison.

use crate::comparison::Candidate;
use catena_model::{Model, RunSettings};
use catena_simulation::{RunFailure, RunPlan};

/// Which methods are compared; what is left out is chosen by the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareRequest {
    /// Formulations by name; all of them if none is named.
    pub formulations: Vec<String>,
    /// Integrators by name; that of the run if none is named.
    pub integrators: Vec<String>,
    /// Values of rtol and atol; those of the run if none is given.
    pub tolerances: Vec<f64>,
    /// Everything else.
    pub run: RunSettings,
}

/// Every way that is asked for, each once.
pub(crate) fn candidates(
    model: &Model,
    request: &CompareRequest,
) -> Result<Vec<Candidate>, RunFailure> {
    let all = || catena_formulation::FORMULATIONS.iter().map(|entry| entry.name.to_owned());
    let formulations = match request.formulations.as_slice() {
        [] => all().collect(),
        named => named.to_vec(),
    };
    let integrators: Vec<Option<String>> = match request.integrators.as_slice() {
        [] => vec![request.run.integrator.clone()],
        named => named.iter().cloned().map(Some).collect(),
    };
    let tolerances: Vec<Option<f64>> = match request.tolerances.as_slice() {
        [] => vec![None],
        given => given.iter().copied().map(Some).collect(),
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut read = vec![Err(None); request.run.with.len()];
    for formulation in &formulations {
        for integrator in &integrators {
            for tolerance in &tolerances {
                let structural = integrator
                    .as_deref()
                    .and_then(catena_integrator::find)
                    .is_some_and(|entry| entry.structural);
                // such a method takes no formulation, and part once
                if structural && formulation != &formulations[0] {
                    continue;
                }
                let run = RunSettings {
                    formulation: (!structural).then(|| formulation.clone()),
                    integrator: integrator.clone(),
                    rtol: tolerance.or(request.run.rtol),
                    atol: tolerance.or(request.run.atol),
                    with: Vec::new(),
                    ..request.run.clone()
                };
                let mut plan = RunPlan::new(model, &run, &model.run)?;
                // an option counts for those who read it
                for (text, read) in request.run.with.iter().zip(&mut read) {
                    match plan.set_option(text) {
                        Ok(()) => *read = Ok(()),
                        Err(failure) => *read = read.clone().map_err(|_| Some(failure)),
                    }
                }
                let RunPlan { formulation, options, .. } = plan;
                // tolerances mean nothing to a fixed step
                if !options.has_fixed_steps() || tolerance == &tolerances[0] {
                    candidates.push(Candidate { formulation, options });
                }
            }
        }
    }
    match read.into_iter().find_map(|read| read.err().flatten()) {
        Some(nobody_reads_it) => Err(nobody_reads_it.into()),
        None => Ok(candidates),
    }
}
