//! Chains of several lengths in several ways: what each length costs.
//!
//! # Equations
//! The time t of a run over the number n of links, at several tolerances; the exponent is the slope of the line of least squares
//! through $\log t$ over $\log n$. A recursion has 1, a dense solution 3.
//!
//! # When to choose it
//! To see what a longer chain will cost, and where one formulation overtakes another.
//!
//! # Reference
//! R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, chapter 10 (cost of algorithms)

use super::candidates::CompareRequest;
use super::comparison::{Outcome, compare};
use crate::question::Watch;
use catena_model::{Model, Problems, Setting, Source};
use catena_simulation::RunFailure;

/// Chains of several lengths in several ways.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRequest {
    /// Numbers of links.
    pub links: Vec<u64>,
    /// Distances of rows, s.
    pub every: Vec<f64>,
    /// Formulations, integrators, tolerances, time.
    pub methods: CompareRequest,
}

/// What a chain of this many links came to.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchOutcome {
    /// Number of links.
    pub links: u64,
    /// What became of each method.
    pub outcome: Outcome,
}

/// What chains of all lengths came to.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchResult {
    /// Lengths in the order of the request, and for each its methods.
    pub outcomes: Vec<BenchOutcome>,
    /// Whether everything that was asked for is there; else the caller has ended the work.
    pub complete: bool,
}

/// Why there is no bench.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The model is no chain, or cannot have this many links.
    #[error(transparent)]
    Model(#[from] Problems),
    /// A method is refused.
    #[error(transparent)]
    Run(#[from] RunFailure),
}

/// Moves chains of every length in every way. The model says what its links are like.
pub fn bench(
    chain: &Model,
    request: &BenchRequest,
    watch: &Watch<'_>,
) -> Result<BenchResult, BenchError> {
    let mut outcomes = Vec::new();
    let jobs = (request.links.len() * request.every.len()) as f64;
    let mut done = 0.0;
    let mut settings = chain.sources.iter();
    let source = settings.next().cloned().unwrap_or_else(|| Source::new("", ""));
    let settings: Vec<Setting> = settings.map(|setting| Setting(setting.text.clone())).collect();
    for &links in &request.links {
        let mut settings = settings.clone();
        settings.push(Setting(format!("links={links}")));
        let model = Model::read(source.clone(), &settings)?;
        for &every in &request.every {
            let mut methods = request.methods.clone();
            methods.run.every = Some(every);
            let stop = |part: f64| (watch.stop)((done + part) / jobs);
            let comparison = compare(&model, &methods, &Watch { stop: &stop, ..*watch })?;
            let found = comparison.outcomes.into_iter();
            outcomes.extend(found.map(|outcome| BenchOutcome { links, outcome }));
            if !comparison.uncompared.is_empty() {
                return Ok(BenchResult { outcomes, complete: false });
            }
            done += 1.0;
        }
    }
    Ok(BenchResult { outcomes, complete: true })
}
