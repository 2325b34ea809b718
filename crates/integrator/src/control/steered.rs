//! Steps that errors steer, by one of the rules.

use super::first_step::first_step;
use super::pi::PiGains;
use super::rule::{Memory, Rule};
use super::{IntegrationStart, StepControl, matlab};
use crate::error::IntegrationError;
use crate::method::{Failure, Trial};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::span::{Proposal, TimeSpan};

/// A rule with what it remembers of a motion.
#[derive(Debug)]
pub(crate) struct Steered {
    rule: Rule,
    norm: ErrorNorm,
    wanted_first: Option<f64>,
    wanted_longest: Option<f64>,
    resolving: Option<f64>,
    memory: Memory<1>,
}

impl Steered {
    pub(crate) fn boxed(options: &Options, rule: Rule) -> Box<dyn StepControl> {
        let norm = match rule {
            Rule::Pi(_) => ErrorNorm::new(options),
            // what a polynomial misses is compared with rates, which are rounded themselves
            Rule::Foreseen { .. } => {
                let norm = ErrorNorm::new(options);
                ErrorNorm { rtol: norm.rtol.max(f64::EPSILON), ..norm }
            }
            Rule::Matlab => matlab::norm(options),
        };
        Box::new(Steered {
            rule,
            norm,
            wanted_first: options.first_step,
            wanted_longest: options.max_step,
            resolving: options.resolving_step,
            memory: Memory { longest: [0.0], step: [0.0], own: [0.0], rejected: [0.0] },
        })
    }

    /// A first step of a length that is wanted, else of the one that was found.
    fn first(
        &self,
        longest: f64,
        found: impl FnOnce() -> Result<f64, IntegrationError>,
    ) -> Result<f64, IntegrationError> {
        self.wanted_first.map_or_else(found, Ok).map(|first| first.min(longest))
    }
}

impl StepControl for Steered {
    fn begin(&mut self, start: &mut IntegrationStart<'_>) -> Result<(), IntegrationError> {
        self.norm.begin(start.work.system);
        let length = start.span.length();
        let all = if matches!(self.rule, Rule::Matlab) { 0.1 * length } else { length };
        let wanted = self.wanted_longest.unwrap_or(all);
        let longest = Options::longest_step(self.resolving, wanted, length);
        let (step, own) = match self.rule {
            Rule::Pi(gains) => {
                let found = || match length {
                    0.0 => Ok(0.0),
                    _ => first_step(start, &self.norm, gains.p, longest),
                };
                (self.first(longest, found)?, PiGains::LEAST_ERROR)
            }
            Rule::Matlab => {
                self.norm.carried = None;
                let first = self.first(longest, || Ok(length))?;
                (matlab::first_step(start, &self.norm, first)?, 0.0)
            }
            Rule::Foreseen { .. } => {
                let at_rest = start.rate[..self.norm.controlled].iter().all(|&rate| rate == 0.0);
                let unknown = if at_rest { 1e-3 * length } else { f64::INFINITY };
                let bound = self.wanted_first.unwrap_or(unknown);
                (longest.min(bound), bound)
            }
        };
        self.memory = Memory { longest: [longest], step: [step], own: [own], rejected: [0.0] };
        Ok(())
    }

    fn norm(&self) -> Option<&ErrorNorm> {
        Some(&self.norm)
    }

    fn steering(&self) -> Option<(Rule, Memory<1>)> {
        Some((self.rule, self.memory))
    }

    fn foresee(&mut self, longest: f64) {
        let Memory { longest: [allowed], own: [bound], .. } = self.memory;
        self.memory.step = [longest.min(bound).min(allowed)];
    }

    fn propose(&self, span: &TimeSpan) -> Proposal {
        span.propose(self.memory.step[0], self.rule.stretch())
    }

    fn accepted(&mut self, h: f64, trial: &Trial) {
        self.memory = self.rule.accepted([h], [trial.error], self.memory);
    }

    fn retracted(&mut self, h: f64) {
        (self.memory.step, self.memory.rejected) = ([h], [1.0]);
    }

    fn rejected(&mut self, h: f64, failure: &Failure) -> bool {
        self.rule.rejected(h, failure, &mut self.memory);
        true
    }
}
