//! A cell of a sweep: the model with other parameters or another start.

use crate::workload::Task;
use crate::{Schedule, SweepError};
use catena_model::{CoordinateSet, Model, NamedFormula, Place, Role};
use catena_simulation::{Prepared, Start};
use catena_symbolic::{Formula, Number, parse};

/// What an axis changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Parameter(usize),
    /// Place among the initial values.
    Initial(usize),
}

/// A model whose parameters and start are changed again and again.
pub(crate) struct Cells {
    model: Model,
    /// The coordinates in use.
    set: CoordinateSet,
    targets: Vec<Target>,
    /// What is given of the start: the model's own list stays shared between threads.
    initial: Vec<NamedFormula>,
    schedule: Schedule,
    pub(crate) start: Start,
    pub(crate) times: Times,
}

/// When a trajectory ends and when its rows are taken, s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The start of the trajectory.
    pub t_start: f64,
    /// The end of the trajectory.
    pub t_end: f64,
    /// Distance of rows, from the start on.
    pub every: f64,
    /// Rows before this do not count.
    pub after: f64,
    /// The fixed step; the integrator's own choice if absent.
    pub step: Option<f64>,
}

impl Times {
    /// When the first row behind the start may count.
    pub(crate) fn first_row(&self) -> f64 {
        (self.t_start + self.every).max(self.after).min(self.t_end)
    }
}

impl Cells {
    pub(crate) fn new(
        model: &Model,
        set: CoordinateSet,
        varied: &[String],
        schedule: &Schedule,
    ) -> Result<Cells, SweepError> {
        let mut initial = model.system(set).initial.clone();
        let targets = varied.iter().map(|name| target(model, set, name, &mut initial));
        let targets = targets.collect::<Result<_, _>>()?;
        Ok(Cells {
            set,
            targets,
            schedule: schedule.clone(),
            start: Start::with(model, set, &initial),
            initial,
            times: Times::default(),
            model: model.clone(),
        })
    }

    /// Goes to a cell: its parameters, its start, its times.
    pub(crate) fn set(&mut self, task: &Task) -> Result<(), String> {
        let values = &task.values;
        for (target, &value) in self.targets.iter().zip(values) {
            if let Target::Initial(at) = *target {
                self.initial[at].formula = Formula::number(Number::from(value));
            }
        }
        let targets = &self.targets;
        self.model.change_parameters(|parameter| {
            let axis = targets.iter().position(|&target| target == Target::Parameter(parameter));
            axis.map(|axis| values[axis])
        });
        self.start = match &task.start {
            Some(state) => self.free_start(state),
            None => Start::with(&self.model, self.set, &self.initial),
        };
        self.times = match task.times {
            Some(times) => times,
            None => self.find_times()?,
        };
        self.start.t = self.times.t_start;
        Ok(())
    }

    /// A start from which the assembly may depart: moving constraints need not let it be what it is.
    fn free_start(&self, state: &[f64]) -> Start {
        let system = self.model.system(self.set);
        let (n, states) = (system.coordinates.len(), system.states.len());
        Start {
            t: 0.0,
            q: state[..n].to_vec(),
            v: state[n..2 * n].to_vec(),
            states: state[2 * n..2 * n + states].to_vec(),
            q_given: vec![false; n],
            v_given: vec![false; n],
        }
    }

    /// The values of all parameters in this cell.
    pub(crate) fn parameters(&self) -> Vec<f64> {
        self.model.parameter_values()
    }

    /// For each parameter its value where it is the same in all cells.
    pub(crate) fn fixed_parameters(&self) -> Vec<Option<f64>> {
        let mut varied: Vec<&str> = Vec::new();
        let all = self.model.parameters.iter().zip(self.parameters()).enumerate();
        all.map(|(at, (parameter, value))| {
            let entry = &parameter.entry;
            let varies = self.targets.contains(&Target::Parameter(at))
                || entry.formula.names().any(|(name, ..)| varied.contains(&name));
            if varies {
                varied.push(&entry.name);
            }
            (!varies).then_some(value)
        })
        .collect()
    }

    /// Solves for what the start does not give.
    pub(crate) fn assemble(&mut self, prepared: &mut Prepared) -> Result<(), String> {
        if prepared.system().constraints.is_empty() {
            return Ok(());
        }
        let found = prepared.assemble(&self.parameters(), &self.start);
        let found = found.map_err(|error| error.to_string())?;
        (self.start.q, self.start.v, self.start.states) = (found.q, found.v, found.states);
        Ok(())
    }

    fn evaluate(&self, formula: &Formula) -> f64 {
        evaluate(&self.model, formula)
    }

    fn find_times(&self) -> Result<Times, String> {
        let Schedule { t_start, t_end, every, after, step } = &self.schedule;
        let positive = |name: &str, formula: &Formula| {
            let value = self.evaluate(formula);
            let fine = value.is_finite() && value > 0.0;
            fine.then_some(value).ok_or_else(|| format!("{name} is {value} s here"))
        };
        let t_start = t_start.as_ref().map_or(0.0, |start| self.evaluate(start));
        let t_end = self.evaluate(t_end);
        let duration = t_end - t_start;
        if !(duration.is_finite() && duration > 0.0) {
            return Err(match t_start == 0.0 {
                true => format!("the end is {t_end} s here"),
                false => format!("the end is {t_end} s here, and the start {t_start} s"),
            });
        }
        let every = match every {
            Some(every) => positive("the time between rows", every)?.min(duration),
            None => duration,
        };
        let step = step.as_ref().map(|step| positive("the step", step)).transpose()?;
        let after = after.as_ref().map_or(t_start, |after| self.evaluate(after));
        Ok(Times { t_start, t_end, every, after, step })
    }
}

fn evaluate(model: &Model, formula: &Formula) -> f64 {
    formula.evaluate(|name, _| model.parameter(name).unwrap_or(f64::NAN))
}

/// Finds what a name means; an initial value that the model does not give is made room for.
fn target(
    model: &Model,
    set: CoordinateSet,
    name: &str,
    initial: &mut Vec<NamedFormula>,
) -> Result<Target, SweepError> {
    if let Some(at) = model.parameters.iter().position(|parameter| parameter.entry.name == name) {
        return Ok(Target::Parameter(at));
    }
    let (plain, primes) = match name.strip_suffix('\'') {
        Some(plain) => (plain, 1),
        None => (name, 0),
    };
    let system = model.system(set);
    let known = match system.names.role(plain) {
        Some(Role::Coordinate(_)) => true,
        Some(Role::State(_)) => primes == 0,
        _ => false,
    };
    if !known {
        return Err(SweepError::unknown_axis(model, system, name));
    }
    let given = |entry: &NamedFormula| entry.name == plain && entry.primes == primes;
    if let Some(at) = initial.iter().position(given) {
        return Ok(Target::Initial(at));
    }
    let formula = parse("0").expect("a number is a formula");
    let place = Place::default();
    initial.push(NamedFormula { name: plain.to_owned(), primes, formula, place });
    Ok(Target::Initial(initial.len() - 1))
}
