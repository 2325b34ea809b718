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
use super::comparison::{Comparison, Outcome, compare_shown};
use crate::live::Show;
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
    bench_shown(chain, request, watch, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn bench_shown(
    chain: &Model,
    request: &BenchRequest,
    watch: &Watch<'_>,
    show: Option<&Show<'_, BenchResult>>,
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
            let watch = Watch { stop: &stop, ..*watch };
            let of_chain = |found: Comparison| {
                found.outcomes.into_iter().map(move |outcome| BenchOutcome { links, outcome })
            };
            let before: &Vec<BenchOutcome> = &outcomes;
            let more = |so_far: &dyn Fn() -> Comparison| {
                if let Some(show) = show {
                    show(&|| BenchResult {
                        outcomes: before.iter().cloned().chain(of_chain(so_far())).collect(),
                        complete: false,
                    });
                }
            };
            let comparison = compare_shown(&model, &methods, &watch, show.map(|_| &more as _))?;
            let is_whole = comparison.uncompared.is_empty();
            outcomes.extend(of_chain(comparison));
            if !is_whole {
                return Ok(BenchResult { outcomes, complete: false });
            }
            done += 1.0;
        }
    }
    Ok(BenchResult { outcomes, complete: true })
}
