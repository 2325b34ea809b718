//! Options of formulations and integrators by name, each as NAME=VALUE.

use crate::RunPlan;
use crate::failure::nearest_or_all;
use catena_integrator::{Norm, Tangent};
use catena_symbolic::parse;

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
        /// What they read.
        known: Vec<&'static str>,
    },
    /// A value that it does not take.
    #[error("`{name}` cannot be `{value}`")]
    BadValue {
        /// Which option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
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
    let Some(&(name, _)) = of_integrator.iter().find(|(known, _)| *known == name) else {
        let known = of_formulation.iter().map(|entry| entry.name);
        return Err(MethodOptionError::Unknown {
            name: name.to_owned(),
            formulation: plan.formulation.entry.name,
            integrator: plan.options.integrator.name,
            known: known.chain(of_integrator.iter().map(|(name, _)| *name)).collect(),
        });
    };
    let positive = || match number(name, value, "a number above 0")? {
        number if number > 0.0 => Ok(number),
        _ => Err(bad(name, value, "a number above 0")),
    };
    let tangents = plan.formulation.entry.tangents;
    let integration = &mut plan.options.integration;
    match name {
        "rtol" => integration.rtol = positive()?,
        "atol" => integration.atol = positive()?,
        "step" => integration.step = Some(positive()?),
        "first_step" => integration.first_step = Some(positive()?),
        "max_step" => integration.max_step = Some(positive()?),
        "max_steps" => match positive()? {
            steps if steps >= 1.0 => integration.max_steps = steps as u64,
            _ => return Err(bad(name, value, "a whole number from 1 up")),
        },
        "newton_tol" => integration.newton_tol = positive()?,
        "norm" => {
            integration.norm = match value {
                "rms" => Norm::Rms,
                "max" => Norm::Max,
                _ => return Err(bad(name, value, "rms or max")),
            }
        }
        "newton" => {
            let found = tangents.iter().find(|tangent| tangent.name() == value);
            let names = || tangents.iter().map(|tangent| tangent.name()).collect::<Vec<_>>();
            integration.tangent = match found {
                Some(tangent) => *tangent,
                None if Tangent::ALL.iter().any(|tangent| tangent.name() == value) => {
                    let takes =
                        format!("{} with `{}`", names().join(", "), plan.formulation.entry.name);
                    return Err(bad(name, value, &takes));
                }
                None => return Err(bad(name, value, &names().join(", "))),
            };
        }
        // the others are numbers of one method alone
        name => {
            let number = number(name, value, "a number from 0 up")?;
            if number < 0.0 {
                return Err(bad(name, value, "a number from 0 up"));
            }
            integration.own.retain(|(other, _)| *other != name);
            integration.own.push((name, number));
        }
    }
    Ok(())
}

fn bad(name: &'static str, value: &str, takes: &str) -> MethodOptionError {
    MethodOptionError::BadValue { name, value: value.to_owned(), takes: takes.to_owned() }
}

/// A value is a formula of numbers.
fn number(name: &'static str, value: &str, takes: &str) -> Result<f64, MethodOptionError> {
    let formula = parse(value).map_err(|_| bad(name, value, takes))?;
    let number = formula.evaluate(|_, _| f64::NAN);
    if number.is_finite() { Ok(number) } else { Err(bad(name, value, takes)) }
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
                    certify: false,
                };
                let of_formulation = formulation.options.iter().map(|option| option.name);
                let of_integrator = integrator.options.iter().map(|(name, _)| *name);
                for name in of_formulation.chain(of_integrator) {
                    let set = ["1", "rms", "full"]
                        .map(|value| apply(&format!("{name}={value}"), &mut plan));
                    assert!(set.iter().any(Result::is_ok), "{}: {name}: {set:?}", integrator.name);
                }
            }
        }
    }
}
