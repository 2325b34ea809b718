//! One model in several ways, and chains of several lengths in several ways.

use crate::{LoadError, Setting, load};
use catena_analysis::{Candidate, Comparison, PenaltyMap};
use catena_model::{Model, RunSettings};
use catena_simulation::{RunFailure, RunPlan};
use std::time::Instant;

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

/// Moves a model in every way that is asked for.
pub fn compare(
    model: &Model,
    request: &CompareRequest,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Comparison, RunFailure> {
    let began = Instant::now();
    let candidates = candidates(model, request)?;
    let mut clock = || began.elapsed().as_secs_f64();
    Ok(catena_analysis::compare(model, &candidates, &mut clock, stop)?)
}

fn candidates(model: &Model, request: &CompareRequest) -> Result<Vec<Candidate>, RunFailure> {
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

/// Maps which penalty factor an integrator stands at which step, on this model.
pub fn penalty_map(
    model: &Model,
    integrator: &str,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<PenaltyMap, RunFailure> {
    let run = RunSettings {
        formulation: Some("penalty".into()),
        integrator: Some(integrator.to_owned()),
        ..RunSettings::default()
    };
    let RunPlan { options, .. } = RunPlan::new(model, &run, &model.run)?;
    Ok(catena_analysis::penalty_map(model, options.integrator, options.t_end, stop)?)
}

/// Chains of several lengths in several ways.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRequest {
    /// The ready system: a chain.
    pub system: String,
    /// Numbers of links.
    pub links: Vec<usize>,
    /// Distances of rows, s.
    pub every: Vec<f64>,
    /// Formulations, integrators, tolerances, time.
    pub methods: CompareRequest,
}

/// What a chain of so many links came to.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchOutcome {
    /// Number of links.
    pub links: usize,
    /// What became of each method.
    pub outcome: catena_analysis::Outcome,
}

/// Why there is no bench.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// There is no such chain.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A method is refused.
    #[error(transparent)]
    Run(#[from] RunFailure),
}

/// Moves chains of every length in every way.
pub fn bench(
    request: &BenchRequest,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<BenchOutcome>, BenchError> {
    let mut outcomes = Vec::new();
    let jobs = (request.links.len() * request.every.len()) as f64;
    let mut done = 0.0;
    for &links in &request.links {
        let setting = Setting(format!("links={links}"));
        let model = load(&request.system, &[setting])?;
        for &every in &request.every {
            let mut methods = request.methods.clone();
            methods.run.every = Some(every);
            let part = done;
            let comparison = compare(&model, &methods, &mut |inner| stop((part + inner) / jobs))?;
            outcomes.extend(
                comparison.outcomes.into_iter().map(|outcome| BenchOutcome { links, outcome }),
            );
            done += 1.0;
        }
    }
    Ok(outcomes)
}
