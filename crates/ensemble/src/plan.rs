//! A sweep as it is asked for becomes one that can be computed: texts from the user, defaults from the model.

use crate::{
    Axis, Blocks, Description, DeviceChoice, Grid, Measure, Precision, PrecisionLoss, Schedule,
    Statistic, Sweep, SweepFailure, SweepOptions, SweepResult, SweptAxis, read_axis, read_measure,
};
use catena_linear::InstructionSet;
use catena_model::run_settings::{METHODS_ALONE, PRECISION};
use catena_model::{Model, OptionValue, RunSettings};
use catena_simulation::RunPlan;
use catena_symbolic::{Formula, parse_value};

/// What the user asks for; what is left out comes from the model, then from Catena.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepRequest {
    /// Each as `NAME=FROM:TO:COUNT`, `NAME=FROM:TO:COUNT:log` or `NAME=VALUE,VALUE,...`.
    pub over: Vec<String>,
    /// Each as `STATISTIC:COLUMN`, or as `time:EVENT` for the first time of an event or a zero of a formula; the amplitude of the first coordinate if there is none.
    pub measures: Vec<String>,
    /// The start, a formula of the parameters, s.
    pub t_start: Option<String>,
    /// The end, a formula of the parameters, s.
    pub t_end: Option<String>,
    /// The distance of rows, a formula of the parameters, s.
    pub every: Option<String>,
    /// Rows before this do not count: a formula of the parameters, s.
    pub after: Option<String>,
    /// The fixed step, a formula of the parameters, s.
    pub step: Option<String>,
    /// Methods, tolerances and options; its times are not read.
    pub run: RunSettings,
}

impl SweepRequest {
    /// Nothing asked yet.
    pub fn new() -> SweepRequest {
        SweepRequest::default()
    }

    /// Varies a parameter or a value at the start evenly from one number to another, both included.
    pub fn over(mut self, name: &str, from: f64, to: f64, count: usize) -> SweepRequest {
        self.over.push(format!("{name}={from:?}:{to:?}:{count}"));
        self
    }

    /// Keeps a number of every trajectory.
    pub fn measure(mut self, statistic: Statistic, column: &str) -> SweepRequest {
        self.measures.push(Measure { statistic, column: column.to_owned() }.name());
        self
    }

    /// Begins at this time, s.
    pub fn t_start(mut self, t_start: f64) -> SweepRequest {
        self.t_start = Some(format!("{t_start:?}"));
        self
    }

    /// Ends at this time, s.
    pub fn t_end(mut self, t_end: f64) -> SweepRequest {
        self.t_end = Some(format!("{t_end:?}"));
        self
    }

    /// Looks at multiples of this time, s.
    pub fn every(mut self, every: f64) -> SweepRequest {
        self.every = Some(format!("{every:?}"));
        self
    }

    /// By these methods and tolerances.
    pub fn run(mut self, run: RunSettings) -> SweepRequest {
        self.run = run;
        self
    }
}

/// A set of many lanes has to have at least so many cells of a block for each of them: lanes wait at its end.
const TRAJECTORIES_OF_A_LANE: u64 = 8;

/// A sweep that is ready to be computed.
pub struct Plan {
    /// What computes it.
    pub sweep: Sweep,
    /// What determines its numbers.
    pub description: Description,
    /// Whether no measure was asked for, so that one was chosen.
    pub measure_was_chosen: bool,
    /// What computes several trajectories at once.
    pub instruction_set: InstructionSet,
    /// The same sweep in double precision, where it computes in single precision.
    exact: Option<Sweep>,
}

/// A time with the text that it is compared by.
#[derive(Clone)]
struct Time {
    formula: Formula,
    text: String,
}

impl Plan {
    /// Checks everything that can be wrong, and compiles.
    pub fn new(model: &Model, request: &SweepRequest) -> Result<Plan, SweepFailure> {
        let axes = request.over.iter().map(|text| read_axis(text));
        let axes = axes.collect::<Result<Vec<_>, _>>()?;
        if axes.is_empty() {
            return Err(SweepFailure::NoAxes);
        }
        for SweptAxis { name, .. } in &axes {
            if let Some(setting) = model.setting_of(name) {
                let (name, setting) = (name.clone(), setting.to_owned());
                return Err(SweepFailure::SetAndVaried { name, setting });
            }
        }
        let measures = request.measures.iter().map(|text| read_measure(text));
        let mut measures = measures.collect::<Result<Vec<_>, _>>()?;
        let measure_was_chosen = measures.is_empty();
        if measure_was_chosen {
            measures.extend(default_measure(model));
        }
        let given = |setting, text: &Option<String>| {
            text.as_ref().map(|text| Time::read(setting, text)).transpose()
        };
        let t_start = given("start", &request.t_start)?;
        let t_end = given("to", &request.t_end)?;
        let every = given("every", &request.every)?;
        let after = given("after", &request.after)?;
        let step = given("step", &request.step)?;
        let first = FirstCell::new(model, &axes);
        let run = RunSettings {
            t_start: t_start.as_ref().map(|time| first.evaluate(&time.formula)),
            t_end: t_end.as_ref().and_then(|time| first.checked(time)),
            every: every.as_ref().and_then(|time| first.checked(time)),
            step: step.as_ref().and_then(|time| first.checked(time)),
            ..request.run.clone()
        };
        let plan = RunPlan::new(model, &run, &model.run)?;
        let run = &plan.options;
        let t_start = t_start.or_else(|| (run.t_start != 0.0).then(|| Time::number(run.t_start)));
        let every = match (every, &t_end) {
            (None, Some(t_end)) if model.run.every.is_none() => t_end.part(t_start.as_ref()),
            (every, _) => every,
        };
        let t_end = t_end.unwrap_or_else(|| Time::number(run.t_end));
        let every = every.unwrap_or_else(|| Time::number(run.every));
        let step = step.or_else(|| run.integration.step.map(Time::number));
        if let Some(after) = &after {
            let (after, t_end) = (first.evaluate(&after.formula), first.evaluate(&t_end.formula));
            if after >= t_end {
                return Err(SweepFailure::NothingAfter { after, t_end });
            }
        }
        let grid_axes =
            axes.iter().map(|axis| Axis { name: axis.name.clone(), values: axis.values.clone() });
        let cells = axes.iter().map(|axis| axis.values.len() as u64);
        let blocks = Blocks::new(cells.fold(1, u64::saturating_mul));
        let instruction_set = InstructionSet::best_for(blocks.size / TRAJECTORIES_OF_A_LANE);
        let options = SweepOptions {
            formulation: plan.formulation.entry,
            formulation_options: plan.formulation.options.clone(),
            integrator: plan.options.integrator,
            // the step is the schedule's, where it may be a formula
            integration: catena_integrator::Options {
                step: None,
                ..plan.options.integration.clone()
            },
            schedule: Schedule {
                t_start: t_start.clone().map(|time| time.formula),
                t_end: t_end.formula.clone(),
                every: Some(every.formula.clone()),
                after: after.clone().map(|time| time.formula),
                step: step.clone().map(|time| time.formula),
            },
            instruction_set,
            device: DeviceChoice::of(&request.run),
        };
        let names = measures.iter().map(Measure::name).collect();
        let grid = Grid { axes: grid_axes.collect() };
        let on_processor = SweepOptions { device: DeviceChoice::Processor, ..options.clone() };
        let sweep = Sweep::new(model, grid.clone(), measures.clone(), options)?;
        let exact = match sweep.precision() {
            Precision::F64 => None,
            Precision::F32 => Some(Sweep::new(model, grid, measures, on_processor)?),
        };
        let times = [("to", Some(&t_end)), ("every", Some(&every)), ("after", after.as_ref())];
        let times = times.into_iter().chain([("step", step.as_ref())]);
        // sweeps that begin at 0 say nothing about it
        let times = times.chain(t_start.iter().map(|time| ("start", Some(time))));
        let settings = settings(model, (&plan, sweep.precision()), times);
        let description = Description {
            title: model.title.clone(),
            settings,
            axes,
            measures: names,
            blocks: Blocks::new(sweep.len()),
        };
        Ok(Plan { sweep, description, measure_was_chosen, instruction_set, exact })
    }

    /// How far numbers in single precision are off, from some cells that are computed again; `None` for those in double
    /// precision, and where it was cancelled.
    pub fn precision_loss(
        &self,
        result: &dyn SweepResult,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<PrecisionLoss> {
        PrecisionLoss::of(result, self.exact.as_ref()?, cancelled)
    }
}

/// The amplitude of the first coordinate, or of the first state.
fn default_measure(model: &Model) -> Option<Measure> {
    let coordinates = model.own.coordinates.iter().map(|coordinate| &coordinate.name);
    let first = coordinates.chain(model.own.states.iter().map(|state| &state.name)).next()?;
    Some(Measure { statistic: Statistic::Amplitude, column: first.clone() })
}

impl Time {
    fn read(setting: &'static str, text: &str) -> Result<Time, SweepFailure> {
        let text = text.trim();
        let bad = |reason: String| SweepFailure::BadTime { setting, text: text.to_owned(), reason };
        let value = parse_value(text).map_err(|error| bad(error.kind.to_string()))?;
        if let Some(unit) = value.unit.filter(|unit| unit.si != "s") {
            return Err(bad(format!("it is in {}, not in s", unit.name)));
        }
        let formula = value.formula;
        // equal numbers are equal however they are written
        let text = match formula.names().next() {
            // other times are made of this text, and a unit ends a whole value alone
            Some(_) => value.unit.map_or(text, |unit| text.trim_end_matches(unit.name)).to_owned(),
            None => format!("{:?}", formula.evaluate(|_, _| f64::NAN)),
        };
        Ok(Time { formula, text })
    }

    fn number(value: f64) -> Time {
        Time { formula: Formula::number(value.into()), text: format!("{value:?}") }
    }

    /// The distance of 200 rows from a start on.
    fn part(&self, t_start: Option<&Time>) -> Option<Time> {
        let text = match t_start {
            None => format!("({})/200", self.text),
            Some(t_start) => format!("(({}) - ({}))/200", self.text, t_start.text),
        };
        Time::read("every", &text).ok()
    }
}

/// The parameters of the first cell, to find out what is wrong before anything is computed.
struct FirstCell(Vec<(String, f64)>);

impl FirstCell {
    fn new(model: &Model, axes: &[SweptAxis]) -> FirstCell {
        let mut cell = FirstCell(Vec::with_capacity(model.parameters.len()));
        for parameter in &model.parameters {
            let name = &parameter.entry.name;
            let varied = axes.iter().find(|axis| axis.name == *name);
            let value = match varied.and_then(|axis| axis.values.first()) {
                Some(&value) => value,
                None => cell.evaluate(&parameter.entry.formula),
            };
            cell.0.push((name.clone(), value));
        }
        cell
    }

    fn evaluate(&self, formula: &Formula) -> f64 {
        let value = |name: &str| self.0.iter().find(|(known, _)| known == name);
        formula.evaluate(|name, _| value(name).map_or(f64::NAN, |(_, value)| *value))
    }

    /// The value to check as that of a run; `None` where it differs from cell to cell and may well be right in others.
    fn checked(&self, time: &Time) -> Option<f64> {
        let value = self.evaluate(&time.formula);
        let varies = time.formula.names().next().is_some();
        (!varies || (value > 0.0 && value.is_finite())).then_some(value)
    }
}

/// Everything that determines the numbers besides axes and measures. What computes them is not among it: every
/// instruction set gives the same bits.
fn settings<'a>(
    model: &Model,
    (run, precision): (&RunPlan, Precision),
    times: impl Iterator<Item = (&'static str, Option<&'a Time>)>,
) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    let mut add = |name: &str, value: String| settings.push((name.to_owned(), value));
    add("catena", env!("CARGO_PKG_VERSION").to_owned());
    let mut sources = model.sources.iter().map(|source| source.text.clone());
    add("model", sources.next().unwrap_or_default());
    add("set", sources.collect::<Vec<_>>().join(", "));
    for (name, time) in times {
        add(name, time.map_or("none".to_owned(), |time| time.text.clone()));
    }
    let resolved = run.settings();
    for option in METHODS_ALONE {
        let text = match option.get(&resolved) {
            None => "none".to_owned(),
            Some(OptionValue::Number(number)) => format!("{number:?}"),
            Some(OptionValue::Word(word)) => word,
            Some(OptionValue::Words(words)) => words.join(", "),
            Some(other) => other.to_string(),
        };
        add(option.row.key, text);
    }
    // sweeps in double precision say nothing about it
    if precision != Precision::F64 {
        add(PRECISION.row.key, precision.name().to_owned());
    }
    settings
}
