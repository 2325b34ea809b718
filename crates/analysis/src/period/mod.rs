//! The period of a drive, as a function of the parameters.
//!
//! # Equations
//! Time enters a driven system by sines and cosines whose angles grow at rates $\omega_i$, and by motors that turn
//! coordinates at rates $\dot q_j$. All of them begin again after $T = 2\pi/\omega_0$ if every rate is a whole multiple of
//! $\omega_0$. That nothing else depends on time is checked with the functions themselves: $M$, $Q$, $\Phi$ and $\dot z$ at
//! $(q, v, z, t)$ equal those at $(q + 2\pi k, v, z, t + T)$, where the $k_j$ are the turns that motors make in a period.

mod common_rate;
mod drive_rates;
mod error;
mod periodicity;

pub use error::PeriodError;
pub(crate) use periodicity::Periodicity;

use catena_model::{Model, Parameter};
use catena_symbolic::{Formula, parse_value};
use common_rate::common_rate;
use drive_rates::DriveRates;
use std::f64::consts::TAU;

/// How the period of a drive follows from the parameters.
#[derive(Clone, Debug)]
pub struct DrivePeriod {
    /// The names of the parameters, in the order of their values.
    parameters: Vec<String>,
    /// The names of the coordinates that motors turn.
    turned: Vec<String>,
    rule: Rule,
}

#[derive(Clone, Debug)]
enum Rule {
    /// The common period of all rates, in so many equal parts.
    Rates { rates: Box<DriveRates>, parts: u32 },
    /// As somebody says.
    Given { formula: Formula, rates: Box<DriveRates> },
}

impl DrivePeriod {
    /// Finds the period of a model that depends on time.
    pub fn find(model: &Model) -> Result<DrivePeriod, PeriodError> {
        let mut functions = Periodicity::new(model);
        let rates = functions.rates();
        let probes = probes(model, &rates);
        if !functions.depend_on_time(&probes) {
            return Err(PeriodError::NoDrive);
        }
        if rates.are_uneven() || rates.is_empty() {
            return Err(PeriodError::Uneven);
        }
        let values = model.parameter_values();
        let mut found = DrivePeriod::of(model, Rule::Rates { rates: Box::new(rates), parts: 1 });
        found.at(&values)?;
        let repeats = |functions: &mut Periodicity, found: &DrivePeriod, parts: u32| {
            probes.iter().all(|values| {
                let period = found.at(values).map(|period| period / f64::from(parts));
                period.is_ok_and(|period| {
                    functions.repeat_after(values, period, &found.turning_rates(values))
                })
            })
        };
        if !repeats(&mut functions, &found, 1) {
            return Err(PeriodError::Uneven);
        }
        // a square or an amount of a sine begins again after half its period
        let shorter = (2..=MAX_PARTS).rev().find(|&parts| repeats(&mut functions, &found, parts));
        if let (Some(shorter), Rule::Rates { parts, .. }) = (shorter, &mut found.rule) {
            *parts = shorter;
        }
        Ok(found)
    }

    /// The period is what a formula of the parameters says, s; a drive that there is must repeat after it.
    pub fn given(model: &Model, text: &str) -> Result<DrivePeriod, PeriodError> {
        let bad = |reason: String| PeriodError::BadFormula { text: text.to_owned(), reason };
        let value = parse_value(text.trim()).map_err(|error| bad(error.kind.to_string()))?;
        if let Some(unit) = value.unit.filter(|unit| unit.si != "s") {
            return Err(bad(format!("it is in {}, not in s", unit.name)));
        }
        let known = |name: &str| model.parameter(name).is_some();
        let unknown = value.formula.names().find(|(name, primes, _)| *primes > 0 || !known(name));
        if let Some((name, _, _)) = unknown {
            return Err(bad(format!("`{name}` is not a parameter of this model")));
        }
        let mut functions = Periodicity::new(model);
        let rates = functions.rates();
        let rule = Rule::Given { formula: value.formula, rates: Box::new(rates.clone()) };
        let found = DrivePeriod::of(model, rule);
        let values = model.parameter_values();
        let period = found.at(&values)?;
        let is_driven = functions.depend_on_time(&probes(model, &rates));
        let turning = found.turning_rates(&values);
        if is_driven && !functions.repeat_after(&values, period, &turning) {
            return Err(PeriodError::NotTheSameAgain { period });
        }
        Ok(found)
    }

    fn of(model: &Model, rule: Rule) -> DrivePeriod {
        let name = |parameter: &Parameter| parameter.entry.name.clone();
        let parameters = model.parameters.iter().map(name).collect();
        let mut found = DrivePeriod { parameters, turned: Vec::new(), rule };
        let turning = found.turning_rates(&model.parameter_values());
        let coordinate = |at: usize| model.own.coordinates[at].name.clone();
        found.turned = turning.into_iter().map(|(at, _)| coordinate(at)).collect();
        found
    }

    /// The period, s, for values of all parameters, in the order of the model.
    pub fn at(&self, parameters: &[f64]) -> Result<f64, PeriodError> {
        let value = self.by_name(parameters);
        let period = match &self.rule {
            Rule::Given { formula, .. } => formula.evaluate(|name, _| value(name)),
            Rule::Rates { rates, parts } => {
                TAU / common_rate(&rates.values(&value))? / f64::from(*parts)
            }
        };
        match period.is_finite() && period > 0.0 {
            true => Ok(period),
            false => Err(PeriodError::NotPositive { period }),
        }
    }

    /// The period, s, where some parameters of the model have other values and those made of them follow; names that are no
    /// parameters, such as initial values, do not matter.
    pub fn of_cell(
        &self,
        model: &mut Model,
        varied: &[String],
        values: &[f64],
    ) -> Result<f64, PeriodError> {
        let axis = |at: usize| varied.iter().position(|name| *name == self.parameters[at]);
        model.change_parameters(|at| axis(at).map(|axis| values[axis]));
        self.at(&model.parameter_values())
    }

    /// The names of the coordinates that motors turn: the same again after whole turns.
    pub(crate) fn turned(&self) -> &[String] {
        &self.turned
    }

    /// The rates, rad/s, at which motors turn coordinates: place and rate.
    fn turning_rates(&self, parameters: &[f64]) -> Vec<(usize, f64)> {
        let (Rule::Given { rates, .. } | Rule::Rates { rates, .. }) = &self.rule;
        rates.turning(&self.by_name(parameters))
    }

    fn by_name<'a>(&'a self, parameters: &'a [f64]) -> impl Fn(&str) -> f64 + 'a {
        move |name| {
            let at = self.parameters.iter().position(|other| other == name);
            at.map_or(0.0, |at| parameters[at])
        }
    }
}

/// The most equal parts of a common period after which a drive is tried to repeat.
const MAX_PARTS: u32 = 6;
/// How much parameters are varied to see what holds for others too, relative to their values.
const PROBE_RATIOS: [f64; 3] = [0.93, 1.11, 1.07];
/// The value that is tried of parameters that are 0: amplitudes that were switched off.
const PROBE_VALUE: f64 = 0.1;

/// Values of all parameters: as they are, and with other values of those that the rates do not depend on, so that nothing
/// vanishes by chance.
fn probes(model: &Model, rates: &DriveRates) -> Vec<Vec<f64>> {
    let own = model.parameter_values();
    let is_free = |at: usize| model.parameters[at].entry.formula.names().next().is_none();
    let sets_rates = |at: usize| {
        let other = changed(model, |place, value| (place == at).then_some(1.37 * value + 0.1));
        let by_name = |values: &[f64], name: &str| {
            let at = model.parameters.iter().position(|it| it.entry.name == name);
            at.map_or(0.0, |at| values[at])
        };
        rates.values(&|name: &str| by_name(&own, name))
            != rates.values(&|name: &str| by_name(&other, name))
    };
    let varied: Vec<usize> = (0..own.len()).filter(|&at| is_free(at) && !sets_rates(at)).collect();
    let other = changed(model, |at, value| {
        let ratio = PROBE_RATIOS[at % PROBE_RATIOS.len()];
        let value = if value == 0.0 { PROBE_VALUE } else { ratio * value };
        varied.contains(&at).then_some(value)
    });
    vec![own, other]
}

/// Values of all parameters when some have others and those made of them follow.
fn changed(model: &Model, chosen: impl Fn(usize, f64) -> Option<f64>) -> Vec<f64> {
    let mut other = model.clone();
    other.change_parameters(|at| chosen(at, model.parameters[at].value));
    other.parameter_values()
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::Source;
    use std::f64::consts::PI;

    fn forced(force: &str) -> Model {
        let text = format!(
            "parameters = {{ w = 2, f = 0.5, off = 0 }}\ncoordinates = {{ a = \"\" }}\n\
             energy = {{ kinetic = \"a'^2/2\", potential = \"-cos(a)\" }}\n\
             forces = {{ a = \"{force}\" }}\n"
        );
        Model::read(Source::new("forced.toml", &text), &[]).expect("a model")
    }

    fn period(force: &str) -> Result<f64, PeriodError> {
        let model = forced(force);
        DrivePeriod::find(&model)?.at(&model.parameter_values())
    }

    fn is_period(force: &str, expected: f64) {
        let found = period(force).expect("a period");
        assert!((found / expected - 1.0).abs() < 1e-12, "{force}: {found} s, not {expected} s");
    }

    #[test]
    fn the_period_is_the_shortest_after_which_everything_repeats() {
        is_period("cos(w*t)", PI);
        is_period("cos(2*pi*f*t + 0.3)", 2.0);
        is_period("sin(2*t)*cos(3*t)", TAU);
        is_period("sin(4*t) + cos(6*t)", PI);
        is_period("sin(w*t)^2 + abs(cos(w*t))", PI / 2.0);
        is_period("sign(sin(w*t))", PI);
        is_period("cos(a - w*t)", PI);
        is_period("sin(w*t + 0.2*sin(3*w*t))", PI);
        is_period("exp(sin(w*t))*tan(w*t/4)", TAU);
        // what is switched off now may be switched on in another cell of a map
        is_period("off*cos(w*t)", PI);
        is_period("cos(2*w*t) + off*cos(w*t)", PI);
    }

    #[test]
    fn what_never_repeats_has_no_period() {
        let error = |force: &str| period(force).expect_err("no period");
        assert_eq!(error("-a'"), PeriodError::NoDrive);
        assert_eq!(error("sin(w*t)^2 + cos(w*t)^2"), PeriodError::NoDrive);
        let rates = vec![2.0, 8_f64.sqrt()];
        assert_eq!(error("sin(w*t) + sin(sqrt(8)*t)"), PeriodError::Incommensurate { rates });
        assert_eq!(error("exp(-t)"), PeriodError::Uneven);
        assert_eq!(error("exp(-t)*sin(w*t)"), PeriodError::Uneven);
        assert_eq!(error("sin(w*t^2)"), PeriodError::Uneven);
    }

    #[test]
    fn other_values_have_other_periods_or_none() {
        let found = DrivePeriod::find(&forced("cos(w*t) + cos(2*pi*f*t/pi*2)")).expect("a period");
        assert!((found.at(&[4.0, 0.5, 0.0]).expect("rates 4 and 2") - PI).abs() < 1e-12);
        assert!((found.at(&[0.0, 0.5, 0.0]).expect("rate 2 alone") - PI).abs() < 1e-12);
        assert_eq!(found.at(&[0.0, 0.0, 0.0]), Err(PeriodError::StandsStill));
        let varied = ["a'".to_owned(), "w".to_owned()];
        let mut model = forced("-a'");
        let tuned = found.of_cell(&mut model, &varied, &[0.3, 6.0]).expect("rates 6 and 2");
        assert!((tuned - PI).abs() < 1e-12);
        let message = found.at(&[1.0, PI, 0.0]).expect_err("1 and 4 pi").to_string();
        assert_eq!(
            message,
            "the drive never repeats: its rates 1 and 12.5664 rad/s are not in ratios of small whole numbers"
        );
    }

    #[test]
    fn a_period_that_is_given_must_be_one() {
        let model = forced("cos(w*t)");
        let at = |text: &str| DrivePeriod::given(&model, text)?.at(&model.parameter_values());
        assert_eq!(at("2*pi/w"), Ok(PI));
        assert_eq!(at("3*2*pi/w"), Ok(3.0 * PI));
        let message = |text: &str| at(text).expect_err("no period").to_string();
        assert_eq!(message("3"), "the equations are not the same again after 3 s");
        assert_eq!(
            message("2*pi/v"),
            "`2*pi/v` is no period: `v` is not a parameter of this model"
        );
        assert_eq!(
            message("-2*pi/w").as_str(),
            "a period must be positive, and it is -3.141592653589793 s with these values"
        );
        assert_eq!(message("2 kg"), "`2 kg` is no period: it is in kg, not in s");
        let free = forced("-a'");
        assert_eq!(
            DrivePeriod::given(&free, "0.1").and_then(|it| it.at(&[2.0, 0.5, 0.0])),
            Ok(0.1)
        );
    }
}
