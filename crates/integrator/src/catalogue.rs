//! Every integrator, by name.

use crate::explicit::ExplicitMethod;
use crate::integrator::Integrator;
use crate::integrator_option::{ADAPTIVE_OPTIONS, FIXED_OPTIONS, IntegratorOption};
use crate::lanes::LaneMethod;
use crate::options::Options;
use crate::{explicit, implicit, series, structural, symplectic};

/// One method: what it is called, what it promises, how it is built.
#[derive(Debug)]
pub struct Entry {
    /// The name that commands and model files take.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// One line for lists, without a full stop.
    pub summary: &'static str,
    /// Author and year.
    pub reference: &'static str,
    /// p where the error at a fixed time is O(hᵖ) of the step h.
    pub order: u32,
    /// The same for states between the ends of steps.
    pub dense_order: u32,
    /// Whether the order follows the tolerances: `order` is then that at the default ones.
    pub variable_order: bool,
    /// Whether it controls its step by an estimate of the error.
    pub adaptive: bool,
    /// Whether it advances the constrained system itself, without a formulation.
    pub structural: bool,
    /// Whether each step solves equations: what stiff systems need.
    pub implicit: bool,
    /// Whether it sums power series, which only equations in a straight line have.
    pub needs_series: bool,
    /// The options it reads.
    pub options: &'static [IntegratorOption],
    pub(crate) constructor: Constructor,
}

/// What an integrator is built from.
#[derive(Debug)]
pub(crate) enum Constructor {
    /// A tableau and its step control, which lanes take too.
    Explicit(&'static ExplicitMethod),
    /// A method of its own with its likeness in lanes.
    InLanes(Build, LaneMethod),
    /// Any other method.
    Other(Build),
}

/// Makes an integrator.
pub type Build = fn(&Options) -> Box<dyn Integrator>;

/// Constructors of rows: they fill in what follows from the kind of the method, and a row adds its names and orders.
impl Entry {
    const fn new(options: &'static [IntegratorOption], constructor: Constructor) -> Entry {
        Entry {
            name: "",
            aliases: &[],
            summary: "",
            reference: "",
            order: 0,
            dense_order: 0,
            variable_order: false,
            adaptive: false,
            structural: false,
            implicit: false,
            needs_series: false,
            options,
            constructor,
        }
    }

    /// An explicit Runge–Kutta method; it runs in lanes too.
    pub(crate) const fn explicit(method: &'static ExplicitMethod) -> Entry {
        let adaptive = method.is_adaptive();
        let options = if adaptive { ADAPTIVE_OPTIONS } else { FIXED_OPTIONS };
        Entry { adaptive, ..Entry::new(options, Constructor::Explicit(method)) }
    }

    /// A method that sums power series, with step control; it runs in lanes too.
    pub(crate) const fn series(build: Build, lanes: LaneMethod) -> Entry {
        let constructor = Constructor::InLanes(build, lanes);
        let row = Entry::new(ADAPTIVE_OPTIONS, constructor);
        Entry { adaptive: true, variable_order: true, needs_series: true, ..row }
    }

    /// A symplectic method that solves no equations.
    pub(crate) const fn symplectic(build: Build) -> Entry {
        Entry::new(FIXED_OPTIONS, Constructor::Other(build))
    }

    /// A method with Newton's method inside.
    pub(crate) const fn implicit(options: &'static [IntegratorOption], build: Build) -> Entry {
        Entry { implicit: true, ..Entry::new(options, Constructor::Other(build)) }
    }

    /// A method of structural dynamics, on the constrained system itself.
    pub(crate) const fn structural(options: &'static [IntegratorOption], build: Build) -> Entry {
        Entry { structural: true, ..Entry::implicit(options, build) }
    }
}

impl Entry {
    /// A row for a method from outside this crate. It is not in [`INTEGRATORS`] and not found by name, but runs take it
    /// like those that are.
    pub const fn custom(name: &'static str, order: u32, build: Build) -> Entry {
        let row = Entry::new(FIXED_OPTIONS, Constructor::Other(build));
        Entry { name, order, dense_order: order, ..row }
    }

    /// Builds the integrator.
    pub fn build(&self, options: &Options) -> Box<dyn Integrator> {
        match self.constructor {
            Constructor::Explicit(method) => method.build(options),
            Constructor::InLanes(build, _) | Constructor::Other(build) => build(options),
        }
    }

    /// The method that moves several states side by side, if there is one.
    pub fn lanes(&self) -> Option<LaneMethod> {
        match self.constructor {
            Constructor::Explicit(method) => Some(LaneMethod::runge_kutta(method)),
            Constructor::InLanes(_, method) => Some(method),
            Constructor::Other(_) => None,
        }
    }
}

/// Every integrator. The command line and the conformance tests read this list.
pub static INTEGRATORS: &[&Entry] = &[
    &explicit::euler::ENTRY,
    &explicit::heun::ENTRY,
    &explicit::midpoint::ENTRY,
    &explicit::rk4::ENTRY,
    &explicit::bs23::ENTRY,
    &explicit::dopri5::ENTRY,
    &explicit::ode45::ENTRY,
    &explicit::tsit5::ENTRY,
    &explicit::dop853::ENTRY,
    &series::taylor::ENTRY,
    &symplectic::symplectic_euler::ENTRY,
    &symplectic::leapfrog::ENTRY,
    &implicit::implicit_midpoint::ENTRY,
    &implicit::gauss4::ENTRY,
    &implicit::radau5::ENTRY,
    &structural::newmark::ENTRY,
    &structural::hht::ENTRY,
    &structural::generalized_alpha::ENTRY,
    &structural::augmented_lagrangian_projected::ENTRY,
];

/// The method of this name or alias.
pub fn find(name: &str) -> Option<&'static Entry> {
    INTEGRATORS.iter().copied().find(|entry| entry.name == name || entry.aliases.contains(&name))
}

/// The method of reference solutions: the one of highest order that controls its error.
pub fn for_exact_motions() -> &'static Entry {
    &explicit::dop853::ENTRY
}

/// Names of the methods that take stiff systems, as in "`a`, `b`": those with step control, or all of them.
pub fn for_stiff_systems(adaptive: bool) -> String {
    let fit = INTEGRATORS
        .iter()
        .filter(|entry| entry.implicit && !entry.structural && (entry.adaptive || !adaptive));
    let names: Vec<String> = fit.map(|entry| format!("`{}`", entry.name)).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_filled_in() {
        for entry in INTEGRATORS {
            let words = [entry.name, entry.summary, entry.reference];
            assert!(words.iter().all(|word| !word.is_empty()), "{entry:?}");
            assert!(entry.order >= 1 && entry.dense_order >= 1, "{}", entry.name);
        }
    }

    #[test]
    fn names_and_aliases_are_unique_and_found() {
        let mut names: Vec<_> = INTEGRATORS
            .iter()
            .flat_map(|entry| entry.aliases.iter().copied().chain([entry.name]))
            .collect();
        for name in &names {
            assert!(find(name).is_some());
        }
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(find("rk45").map(|entry| entry.name), Some("dopri5"));
        assert!(find("nonesuch").is_none());
    }
}
