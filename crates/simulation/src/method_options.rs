//! Options of formulations and integrators by name, each as NAME=VALUE.

use crate::RunPlan;
use crate::failure::nearest_or_all;
use catena_formulation::Entry;
use catena_integrator::{Norm, NumberRange, OptionKind, Tangent};
use catena_model::{AllowedUnit, read_number};

/// What is wrong with an option.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodOptionError {
    /// It has no equals sign.
    #[error("`{0}` sets nothing")]
    NotAnAssignment(String),
    /// Neither method reads it.
    #[error("`{name}` is no option of `{formulation}` or `{integrator}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The formulation of the run.
        formulation: &'static str,
        /// The integrator of the run.
        integrator: &'static str,
        /// The names of all options that they read.
        known: Vec<&'static str>,
    },
    /// A value that it does not take.
    #[error("`{name}` cannot be `{value}`")]
    BadValue {
        /// Name of the option.
        name: &'static str,
        /// The text behind the equals sign.
        value: String,
        /// The values it takes, in words: `a number above 0`.
        takes: String,
    },
}

impl MethodOptionError {
    /// What can be done about it.
    pub fn help(&self) -> String {
        match self {
            MethodOptionError::NotAnAssignment(_) => "write NAME=VALUE, as in omega=10".into(),
            MethodOptionError::Unknown { name, known, .. } => {
                nearest_or_all(name, known.iter().copied(), "they read")
            }
            MethodOptionError::BadValue { takes, .. } => format!("it takes {takes}"),
        }
    }
}

/// Sets one option of a run.
pub(crate) fn apply(text: &str, plan: &mut RunPlan) -> Result<(), MethodOptionError> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(MethodOptionError::NotAnAssignment(text.to_owned()));
    };
    let (name, value) = (name.trim(), value.trim());
    let of_formulation = plan.formulation.entry.options;
    if let Some(entry) = of_formulation.iter().find(|entry| entry.name == name) {
        let least = if entry.may_vanish { "a number from 0 up" } else { "a number above 0" };
        let number = number(entry.name, value, least)?;
        if number < 0.0 || (number == 0.0 && !entry.may_vanish) {
            return Err(bad(entry.name, value, least));
        }
        plan.formulation.options.0.retain(|(other, _)| *other != entry.name);
        plan.formulation.options.0.push((entry.name, number));
        return Ok(());
    }
    let of_integrator = plan.options.integrator.options;
    let Some(option) = of_integrator.iter().find(|option| option.key == name) else {
        let known = of_formulation.iter().map(|entry| entry.name);
        return Err(MethodOptionError::Unknown {
            name: name.to_owned(),
            formulation: plan.formulation.entry.name,
            integrator: plan.options.integrator.name,
            known: known.chain(of_integrator.iter().map(|option| option.key)).collect(),
        });
    };
    let key = option.key;
    let in_range = |range: NumberRange| match number(key, value, range.in_words())? {
        number if range.contains(number) => Ok(number),
        _ => Err(bad(key, value, range.in_words())),
    };
    let integration = &mut plan.options.integration;
    match option.value {
        OptionKind::Number { range, set } => set(integration, in_range(range)?),
        OptionKind::Own { range } => {
            let number = in_range(range)?;
            integration.own.retain(|(other, _)| *other != key);
            integration.own.push((key, number));
        }
        OptionKind::Norm => {
            integration.norm = match value {
                "rms" => Norm::Rms,
                "max" => Norm::Max,
                _ => return Err(bad(key, value, "rms or max")),
            }
        }
        OptionKind::Tangent => {
            integration.tangent = tangent(key, value, plan.formulation.entry)?;
        }
    }
    Ok(())
}

/// The tangent of this name, if the formulation has it.
fn tangent(
    key: &'static str,
    value: &str,
    formulation: &'static Entry,
) -> Result<Tangent, MethodOptionError> {
    let tangents = formulation.tangents;
    let names = || tangents.iter().map(|tangent| tangent.name()).collect::<Vec<_>>().join(", ");
    match tangents.iter().find(|tangent| tangent.name() == value) {
        Some(tangent) => Ok(*tangent),
        None if Tangent::ALL.iter().any(|tangent| tangent.name() == value) => {
            Err(bad(key, value, &format!("{} with `{}`", names(), formulation.name)))
        }
        None => Err(bad(key, value, &names())),
    }
}

fn bad(name: &'static str, value: &str, takes: &str) -> MethodOptionError {
    MethodOptionError::BadValue { name, value: value.to_owned(), takes: takes.to_owned() }
}

/// A value is a formula of numbers, with whatever unit the option has.
fn number(name: &'static str, value: &str, takes: &str) -> Result<f64, MethodOptionError> {
    read_number(value, AllowedUnit::Any).map_err(|_| bad(name, value, takes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FormulationChoice, RunOptions};
    use catena_formulation::FORMULATIONS;
    use catena_integrator::{INTEGRATORS, Options};

    #[test]
    fn every_option_of_every_method_can_be_set() {
        for formulation in FORMULATIONS {
            for integrator in INTEGRATORS {
                let mut plan = RunPlan {
                    formulation: FormulationChoice::new(formulation),
                    options: RunOptions::new(integrator, Options::default(), 1.0, 0.1),
                    certification: crate::Certification::Never,
                };
                let of_formulation = formulation.options.iter().map(|option| option.name);
                let of_integrator = integrator.options.iter().map(|option| option.key);
                for name in of_formulation.chain(of_integrator) {
                    let set = ["1", "rms", "full"]
                        .map(|value| apply(&format!("{name}={value}"), &mut plan));
                    assert!(set.iter().any(Result::is_ok), "{}: {name}: {set:?}", integrator.name);
                }
            }
        }
    }
}
