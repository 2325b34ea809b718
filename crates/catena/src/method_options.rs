//! Options of formulations and integrators by name, as `--with NAME=VALUE` gives them.

use catena_formulation::Tangent;
use catena_integrator::Norm;
use catena_simulation::RunOptions;
use catena_symbolic::{nearest, parse};

/// What is wrong with an option.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionFailure {
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
    /// Its value is none that it takes.
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

impl OptionFailure {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            OptionFailure::NotAnAssignment(_) => "write NAME=VALUE, as in --with omega=10".into(),
            OptionFailure::Unknown { name, known, .. } => {
                match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("they read {}", known.join(", ")),
                }
            }
            OptionFailure::BadValue { takes, .. } => format!("it takes {takes}"),
        })
    }
}

/// Sets one option of a run.
pub(crate) fn apply(text: &str, options: &mut RunOptions) -> Result<(), OptionFailure> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(OptionFailure::NotAnAssignment(text.to_owned()));
    };
    let (name, value) = (name.trim(), value.trim());
    let of_formulation = options.formulation.options;
    if let Some(entry) = of_formulation.iter().find(|entry| entry.name == name) {
        let least = if entry.may_vanish { "a number from 0 up" } else { "a number above 0" };
        let number = number(entry.name, value, least)?;
        if number < 0.0 || (number == 0.0 && !entry.may_vanish) {
            return Err(bad(entry.name, value, least));
        }
        options.formulation_options.0.retain(|(other, _)| *other != entry.name);
        options.formulation_options.0.push((entry.name, number));
        return Ok(());
    }
    let of_integrator = options.integrator.options;
    let Some(&(name, _)) = of_integrator.iter().find(|(known, _)| *known == name) else {
        let known = of_formulation.iter().map(|entry| entry.name);
        return Err(OptionFailure::Unknown {
            name: name.to_owned(),
            formulation: options.formulation.name,
            integrator: options.integrator.name,
            known: known.chain(of_integrator.iter().map(|(name, _)| *name)).collect(),
        });
    };
    let positive = || match number(name, value, "a number above 0")? {
        number if number > 0.0 => Ok(number),
        _ => Err(bad(name, value, "a number above 0")),
    };
    let tangents = options.formulation.tangents;
    let integration = &mut options.integration;
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
                        format!("{} with `{}`", names().join(", "), options.formulation.name);
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

fn bad(name: &'static str, value: &str, takes: &str) -> OptionFailure {
    OptionFailure::BadValue { name, value: value.to_owned(), takes: takes.to_owned() }
}

/// A value is a formula of numbers.
fn number(name: &'static str, value: &str, takes: &str) -> Result<f64, OptionFailure> {
    let formula = parse(value).map_err(|_| bad(name, value, takes))?;
    let number = formula.evaluate(|_, _| f64::NAN);
    if number.is_finite() { Ok(number) } else { Err(bad(name, value, takes)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_formulation::{FORMULATIONS, OptionValues};
    use catena_integrator::{INTEGRATORS, Options};

    #[test]
    fn every_option_of_every_method_can_be_set() {
        for formulation in FORMULATIONS {
            for integrator in INTEGRATORS {
                let mut options = RunOptions {
                    formulation,
                    integrator,
                    formulation_options: OptionValues::default(),
                    integration: Options::default(),
                    t_end: 1.0,
                    every: 0.1,
                    columns: None,
                    linear: false,
                };
                let of_formulation = formulation.options.iter().map(|option| option.name);
                let of_integrator = integrator.options.iter().map(|(name, _)| *name);
                for name in of_formulation.chain(of_integrator) {
                    let set = ["1", "rms", "full"]
                        .map(|value| apply(&format!("{name}={value}"), &mut options));
                    assert!(set.iter().any(Result::is_ok), "{}: {name}: {set:?}", integrator.name);
                }
            }
        }
    }
}
