//! The methods that move several states side by side.

use crate::control::StepControl;
use crate::explicit::ExplicitMethod;
use crate::explicit::tableau::Tableau;
use crate::options::Options;
use crate::series::step_rule::{MAX_BELIEVED_GROWTH, StepRule};
use crate::series::taylor;

/// A method that moves several states side by side.
#[derive(Clone, Copy, Debug)]
pub struct LaneMethod(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    RungeKutta(&'static ExplicitMethod),
    Taylor,
}

/// How the terms of a power series decide on the length of a step.
#[derive(Clone, Copy, Debug)]
pub struct SeriesRule {
    /// The order p of the series.
    pub order: usize,
    /// The largest terms of order p and p − 1, relative to the tolerance.
    pub last_terms: [f64; 2],
    /// A step that grows by more than this is believed only if more terms agree.
    pub believed_growth: f64,
}

impl LaneMethod {
    pub(crate) const TAYLOR: LaneMethod = LaneMethod(Kind::Taylor);

    pub(crate) const fn runge_kutta(method: &'static ExplicitMethod) -> LaneMethod {
        LaneMethod(Kind::RungeKutta(method))
    }

    /// The order of the power series that it needs of a [`crate::LaneSystem`]; `None` where it needs none.
    pub fn series_order(self, options: &Options) -> Option<usize> {
        match self.0 {
            Kind::RungeKutta(_) => None,
            Kind::Taylor => Some(StepRule::new(options).order),
        }
    }

    /// How a method that sums power series chooses its steps; `None` for others.
    pub fn series_rule(self, options: &Options) -> Option<SeriesRule> {
        let rule = match self.0 {
            Kind::RungeKutta(_) => return None,
            Kind::Taylor => StepRule::new(options),
        };
        let StepRule { order, last_terms } = rule;
        Some(SeriesRule { order, last_terms, believed_growth: MAX_BELIEVED_GROWTH })
    }

    /// The method, where it is a Runge–Kutta method.
    pub fn explicit(self) -> Option<&'static ExplicitMethod> {
        match self.0 {
            Kind::RungeKutta(method) => Some(method),
            Kind::Taylor => None,
        }
    }

    pub(super) fn control(self, options: &Options) -> Box<dyn StepControl> {
        match self.0 {
            Kind::RungeKutta(method) => method.control(options),
            Kind::Taylor => taylor::control(options),
        }
    }

    pub(super) fn tableau(self) -> &'static Tableau {
        match self.0 {
            Kind::RungeKutta(method) => method.tableau,
            Kind::Taylor => &Tableau::EMPTY,
        }
    }
}
