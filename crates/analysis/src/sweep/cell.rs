//! A cell of a sweep: the model with other parameters or another start.

use super::{Axis, Schedule, SweepError};
use catena_compile::Dynamics;
use catena_model::{Entry, Model, Place, Role, System};
use catena_simulation::{Start, assemble};
use catena_symbolic::{Formula, Number, parse};

/// What an axis changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Parameter(usize),
    /// Place among the initial values.
    Initial(usize),
}

/// A model whose parameters and start are changed again and again.
pub(super) struct Cells {
    model: Model,
    /// Whether the system in use is the model's absolute one.
    absolute: bool,
    targets: Vec<Target>,
    schedule: Schedule,
    /// Values of all parameters of the present cell.
    pub(super) parameters: Vec<f64>,
    pub(super) start: Start,
    pub(super) times: Times,
}

/// When a trajectory ends and when it is looked at, s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Times {
    pub(super) t_end: f64,
    pub(super) every: f64,
    pub(super) after: f64,
    pub(super) step: Option<f64>,
}

impl Times {
    /// When the first row behind the start may count.
    pub(super) fn first_row(&self) -> f64 {
        self.every.max(self.after).min(self.t_end)
    }
}

impl Cells {
    pub(super) fn new(
        model: &Model,
        absolute: bool,
        axes: &[Axis],
        schedule: &Schedule,
    ) -> Result<Cells, SweepError> {
        let mut model = model.clone();
        let mut targets = Vec::with_capacity(axes.len());
        for axis in axes {
            targets.push(target(&mut model, absolute, &axis.name)?);
        }
        let system = system_of(&model, absolute);
        let start = Start::new(&model, system);
        Ok(Cells {
            parameters: model.parameters.iter().map(|parameter| parameter.value).collect(),
            absolute,
            targets,
            schedule: schedule.clone(),
            start,
            times: Times::default(),
            model,
        })
    }

    /// Goes to a cell: its parameters, its start as the model gives it, its times.
    pub(super) fn set(&mut self, values: &[f64]) -> Result<(), String> {
        for (target, &value) in self.targets.iter().zip(values) {
            if let Target::Initial(at) = *target {
                let initial = match (self.absolute, &mut self.model.absolute) {
                    (true, Some(system)) => &mut system.initial,
                    _ => &mut self.model.joint.initial,
                };
                initial[at].formula = Formula::number(Number::from(value));
            }
        }
        for i in 0..self.model.parameters.len() {
            let chosen = self.targets.iter().position(|&target| target == Target::Parameter(i));
            let value = match chosen {
                Some(axis) => values[axis],
                None => self.evaluate(&self.model.parameters[i].entry.formula),
            };
            self.model.parameters[i].value = value;
            self.parameters[i] = value;
        }
        self.start = Start::new(&self.model, system_of(&self.model, self.absolute));
        self.times = self.find_times()?;
        Ok(())
    }

    /// Solves for what the start does not give.
    pub(super) fn assemble(&mut self, dynamics: &mut Dynamics) -> Result<(), String> {
        dynamics.set_parameters(&self.parameters);
        let system = system_of(&self.model, self.absolute);
        let found = assemble(system, dynamics, &self.start).map_err(|error| error.to_string())?;
        (self.start.q, self.start.v, self.start.states) = (found.q, found.v, found.states);
        Ok(())
    }

    /// The model of this cell.
    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    fn evaluate(&self, formula: &Formula) -> f64 {
        formula.evaluate(|name, _| self.model.parameter(name).unwrap_or(f64::NAN))
    }

    fn find_times(&self) -> Result<Times, String> {
        let Schedule { t_end, every, after, step } = &self.schedule;
        let positive = |name: &str, formula: &Formula| {
            let value = self.evaluate(formula);
            let fine = value.is_finite() && value > 0.0;
            fine.then_some(value).ok_or_else(|| format!("{name} is {value} s here"))
        };
        let t_end = positive("the end", t_end)?;
        let every = match every {
            Some(every) => positive("the time between rows", every)?.min(t_end),
            None => t_end,
        };
        let step = step.as_ref().map(|step| positive("the step", step)).transpose()?;
        let after = after.as_ref().map_or(0.0, |after| self.evaluate(after));
        Ok(Times { t_end, every, after, step })
    }
}

fn system_of(model: &Model, absolute: bool) -> &System {
    model.absolute.as_ref().filter(|_| absolute).unwrap_or(&model.joint)
}

/// Finds what a name means; an initial value that the model does not give is made room for.
fn target(model: &mut Model, absolute: bool, name: &str) -> Result<Target, SweepError> {
    if let Some(at) = model.parameters.iter().position(|parameter| parameter.entry.name == name) {
        return Ok(Target::Parameter(at));
    }
    let (plain, primes) = match name.strip_suffix('\'') {
        Some(plain) => (plain, 1),
        None => (name, 0),
    };
    let system = system_of(model, absolute);
    let known = match system.names.role(plain) {
        Some(Role::Coordinate(_)) => true,
        Some(Role::State(_)) => primes == 0,
        _ => false,
    };
    if !known {
        return Err(SweepError::unknown_axis(model, system, name));
    }
    let system = match (absolute, &mut model.absolute) {
        (true, Some(system)) => system,
        _ => &mut model.joint,
    };
    let given = |entry: &Entry| entry.name == plain && entry.primes == primes;
    if let Some(at) = system.initial.iter().position(given) {
        return Ok(Target::Initial(at));
    }
    let formula = parse("0").expect("a number is a formula");
    let place = Place::default();
    system.initial.push(Entry { name: plain.to_owned(), primes, formula, place });
    Ok(Target::Initial(system.initial.len() - 1))
}
