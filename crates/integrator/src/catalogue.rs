//! Every integrator, by name.

use crate::explicit::ExplicitMethod;
use crate::integrator::Integrator;
use crate::options::Options;
use crate::{explicit, implicit, structural, symplectic};

/// One method: what it is called, what it promises, how it is built.
#[derive(Debug)]
pub struct Entry {
    /// Its name on the command line, the page and in Python.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    /// Author and year.
    pub reference: &'static str,
    /// The error at a fixed time shrinks with this power of the step.
    pub order: u32,
    /// The same inside a step.
    pub dense_order: u32,
    /// Whether it chooses its steps by itself.
    pub adaptive: bool,
    /// Whether it advances the constrained system itself, so that no formulation stands beside it.
    pub structural: bool,
    /// Whether each step solves equations: what stiff systems need.
    pub implicit: bool,
    /// The fields of [`Options`] it reads, and what they mean to it.
    pub options: &'static [(&'static str, &'static str)],
    /// How it moves several states side by side, if it can.
    pub lanes: Option<&'static ExplicitMethod>,
    /// Builds it.
    pub build: fn(&Options) -> Box<dyn Integrator>,
}

/// Every integrator. The command line, the page, Python, the book's table and the conformance tests read this list.
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

/// Names of the methods that take stiff systems, as in "`a`, `b`": those with step control, or all of them.
pub fn for_stiff_systems(adaptive: bool) -> String {
    let fit = INTEGRATORS
        .iter()
        .filter(|entry| entry.implicit && !entry.structural && (entry.adaptive || !adaptive));
    let names: Vec<String> = fit.map(|entry| format!("`{}`", entry.name)).collect();
    names.join(", ")
}

/// What a fixed-step method reads.
pub(crate) const FIXED_OPTIONS: &[(&str, &str)] = &[
    ("step", "step in s; a thousandth of the interval if absent"),
    ("max_steps", "bound on the number of steps"),
];

/// What a fixed-step method with Newton's method inside reads.
pub(crate) const NEWTON_OPTIONS: &[(&str, &str)] = &[
    ("step", "step in s; a thousandth of the interval if absent"),
    ("max_steps", "bound on the number of steps"),
    (
        "newton",
        "the tangent of Newton's method: full, gauss-newton or paper; the formulation says which it has",
    ),
    ("newton_tol", "Newton's method stops when its change is this small beside the solution"),
];

/// What a structural method reads besides its own numbers.
pub(crate) const STRUCTURAL_OPTIONS: [(&str, &str); 3] = [
    ("step", "step in s; a thousandth of the interval if absent"),
    ("max_steps", "bound on the number of steps"),
    ("newton_tol", "Newton's method stops when its change is this small beside the solution"),
];

/// What an adaptive method reads.
pub(crate) const ADAPTIVE_OPTIONS: &[(&str, &str)] = &[
    ("rtol", "relative tolerance of a step"),
    ("atol", "absolute tolerance of a step"),
    ("norm", "rms or max over the components"),
    ("first_step", "first step in s; estimated if absent"),
    ("max_step", "longest step in s; the interval if absent"),
    ("max_steps", "bound on accepted and rejected steps"),
    ("step", "a fixed step in s; nothing is controlled then"),
];

#[cfg(test)]
mod tests {
    use super::*;

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
