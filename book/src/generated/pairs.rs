//! Which formulation goes with which integrator: every pair is tried on a small model that fits the formulation.

use catena::formulation::FORMULATIONS;
use catena::integrator::INTEGRATORS;
use catena::{Model, RunSettings, Setting, Source};
use std::sync::OnceLock;

/// A bob on a rod in x and y: one constraint, a constant mass matrix, and no force that depends on velocities, so that only
/// the pair itself can be refused.
pub(crate) const ROD: &str = include_str!("rod.toml");

/// A pair that was tried.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Name of the formulation.
    pub formulation: &'static str,
    /// Name of the integrator.
    pub integrator: &'static str,
    /// Why it does not run, in a sentence.
    pub refused: Option<String>,
}

/// All pairs; tried once.
pub fn pairs() -> Result<&'static [Pair], String> {
    static PAIRS: OnceLock<Result<Vec<Pair>, String>> = OnceLock::new();
    PAIRS.get_or_init(tried).as_deref().map_err(String::clone)
}

fn tried() -> Result<Vec<Pair>, String> {
    // the first one that the formulation takes
    let models = [
        catena::read(Source::new("rod.toml", ROD), &[]).map_err(|error| error.to_string())?,
        catena::load("elastic-pendulum", &[]).map_err(|error| error.to_string())?,
        catena::load("chain", &[Setting::new("links", 2.0)]).map_err(|error| error.to_string())?,
    ];
    let mut pairs = Vec::new();
    for entry in FORMULATIONS {
        let fits = |model: &&Model| (entry.refuses)(model).is_none();
        let model = models.iter().find(fits);
        let model = model.ok_or_else(|| format!("no model to try `{}` with", entry.name))?;
        for integrator in INTEGRATORS {
            let settings = RunSettings::new()
                .formulation(entry.name)
                .integrator(integrator.name)
                .t_end(0.05)
                .step(0.01)
                .no_certify();
            let refused = catena::run(model, &settings).err().map(|error| error.to_string());
            pairs.push(Pair { formulation: entry.name, integrator: integrator.name, refused });
        }
    }
    Ok(pairs)
}

/// What a method goes with: names, and reasons for the others.
pub(crate) fn partners<'a>(
    pairs: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    others: &str,
) -> String {
    let (mut legal, mut refused): (Vec<String>, Vec<(String, Vec<String>)>) = Default::default();
    for (name, reason) in pairs {
        let name = format!("`{name}`");
        let Some(reason) = reason else {
            legal.push(name);
            continue;
        };
        // what is said of each of several is said once of all
        let reason = reason.replace(&format!("the integrator {name}"), "it").replace(&name, "it");
        match refused.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => refused.push((reason, vec![name])),
        }
    }
    let mut text = match legal.len() {
        0 => format!("It goes with no {others}.\n"),
        _ => format!("It runs with {}.\n", legal.join(", ")),
    };
    for (reason, names) in refused {
        text += &format!("\nNot with {}: {reason}.\n", names.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reason_is_given_once() {
        let tried = [
            ("a", None),
            ("b", Some("the integrator `b` cannot begin")),
            ("c", Some("the integrator `c` cannot begin")),
            ("d", None),
        ];
        let text = partners(tried.into_iter(), "integrator");
        assert_eq!(text, "It runs with `a`, `d`.\n\nNot with `b`, `c`: it cannot begin.\n");
    }
}
